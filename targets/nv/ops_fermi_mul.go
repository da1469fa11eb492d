package nv

import (
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Multiplies of words, sm_20 to sm_37: the low word of the product, or with .HI
// the high one, each factor with a sign of its own; then the addend, with the
// carry of CC (.X) and to CC. Without types both factors are signed.
var (
	F_IMUL      = wordMul("IMUL", "$d, $0, $1", "r<ri", lowProduct)
	F_IMUL_HI   = wordMul("IMUL.HI", "$d, $0, $1", "r<ri", highProduct(true, true))
	F_IMUL_HI_U = wordMul("IMUL.U32.U32.HI", "$d, $0, $1", "r<ri", highProduct(false, false))

	F_IMAD     = wordMul("IMAD", "$d, $0, $1, $2", "r<rir", lowProduct)
	F_IMAD_C   = wordMul("IMAD", "$d.CC, $0, $1, $2", "rc<rir", lowProduct)
	F_IMAD_X   = wordMul("IMAD.X", "$d, $0, $1, $2", "r<rirc", lowProduct)
	F_IMAD_X_C = wordMul("IMAD.X", "$d.CC, $0, $1, $2", "rc<rirc", lowProduct)

	F_HI     = wordMul("IMAD.HI", "$d, $0, $1, $2", "r<rir", highProduct(true, true))
	F_HI_C   = wordMul("IMAD.HI", "$d.CC, $0, $1, $2", "rc<rir", highProduct(true, true))
	F_HI_X   = wordMul("IMAD.HI.X", "$d, $0, $1, $2", "r<rirc", highProduct(true, true))
	F_HI_X_C = wordMul("IMAD.HI.X", "$d.CC, $0, $1, $2", "rc<rirc", highProduct(true, true))

	F_HI_U     = wordMul("IMAD.U32.U32.HI", "$d, $0, $1, $2", "r<rir", highProduct(false, false))
	F_HI_U_C   = wordMul("IMAD.U32.U32.HI", "$d.CC, $0, $1, $2", "rc<rir", highProduct(false, false))
	F_HI_U_X   = wordMul("IMAD.U32.U32.HI.X", "$d, $0, $1, $2", "r<rirc", highProduct(false, false))
	F_HI_U_X_C = wordMul("IMAD.U32.U32.HI.X", "$d.CC, $0, $1, $2", "rc<rirc", highProduct(false, false))
	F_HI_US_X  = wordMul("IMAD.U32.S32.HI.X", "$d, $0, $1, $2", "r<rirc", highProduct(false, true))

	// ptxas emits this one on sm_50 to sm_62 too, though the word multiplier is
	// slow there.
	F_HI_SAT = multiplier(commuting(common("IMAD.HI.SAT", "$d, $0, $1, $2", "r<rir",
		form(ptx.Form{Op: ptx.Mad, Mode: ptx.Hi, Sat: true, T: ptx.S32}, 0, 1, 2))))
)

type product func(b *sem.Builder, in []*sem.Term) *sem.Term

func lowProduct(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Mul(in[0], in[1]) }

func highProduct(s0, s1 bool) product {
	return func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Bits(b.Mul(b.Ext(in[0], 64, s0), b.Ext(in[1], 64, s1)), 63, 32)
	}
}

// wordMul is a row of the word multiplier: the product, plus in[2], plus a carry
// in[3], as the signature has them.
func wordMul(name, syntax, sig string, p product) *mach.Op {
	o := multiplier(fermiRow(WordMul, seenKepler, name, syntax, sig, nil))
	o.Commutes = !strings.Contains(name, "U32.S32")
	results, operands := len(o.Out), len(o.In)
	o.Meaning = func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		d := p(b, in)
		if operands == 2 {
			return []*sem.Term{d}
		}
		var cf *sem.Term
		if operands == 4 {
			cf = in[3]
		}
		sum, carry := b.AddCarry(d, in[2], cf)
		return []*sem.Term{sum, carry}[:results]
	}
	return o
}

func multiplier(o *mach.Op) *mach.Op {
	o.Mul = true
	return o
}

// vmads are the rows of VMAD, which computes what vmad does in the manual: one
// for each behaviour, made when it is asked for.
var vmads = struct {
	sync.Mutex
	rows map[ptx.Form]*mach.Op
}{rows: map[ptx.Form]*mach.Op{}}

// VMAD is the row that computes a form of vmad.
func VMAD(f ptx.Form) *mach.Op {
	f = f.Behaviour()
	vmads.Lock()
	defer vmads.Unlock()
	o, ok := vmads.rows[f]
	if !ok {
		o = vmadRow(f)
		vmads.rows[f] = o
	}
	return o
}

func allVmads() []*mach.Op {
	var rows []*mach.Op
	for _, f := range ptx.Behaviours() {
		if f.Op == ptx.Vmad {
			rows = append(rows, VMAD(f))
		}
	}
	return rows
}

// vmadRow spells the types of the parts, the modifiers and the selectors. A half
// in its lowest place can be a literal. Products of parts without more were
// tested on sm_53 (nxgpucatch); for .PO, .SHR and .SAT there is the manual's word.
func vmadRow(f ptx.Form) *mach.Op {
	name := "VMAD"
	if t := vmadType(f.A, f.SelA) + vmadType(f.B, f.SelB); t != ".S32.S32" {
		name += t
	}
	sig, conf := "r<rrr", mach.Disassembled
	if f.SelB == ptx.H0 {
		sig = "r<rhr"
	}
	if f.PO {
		name, conf = name+".PO", mach.Inferred
	}
	if f.Shr > 0 {
		name, conf = name+map[uint8]string{7: ".SHR_7", 15: ".SHR_15"}[f.Shr], mach.Inferred
	}
	if f.Sat {
		name, conf = name+".SAT", mach.Inferred
	}
	minus := map[bool]string{true: "-"}
	syntax := "$d, " + minus[f.NegA] + "$0" + part[f.SelA] + ", $1" + part[f.SelB] + ", " + minus[f.NegC] + "$2"
	var needs ir.Features
	if f.SelA == ptx.Word || f.SelB == ptx.Word {
		needs = VideoWord
	}
	o := multiplier(newFermiRow(needs, seenMaxwell, name, syntax, sig, form(f, 0, 1, 2)))
	o.Conf = conf
	return o
}

// part is how an operand that is not the lowest of its size is marked.
var part = map[ptx.Sel]string{ptx.B1: ".B1", ptx.B2: ".B2", ptx.B3: ".B3", ptx.H1: ".H1"}

func vmadType(t ptx.Type, s ptx.Sel) string {
	_, bits := s.Range()
	return "." + strings.ToUpper(ptx.IntType(t.String()[0], bits).String())
}
