package lower

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// call lifts a call of @ptx.<form> or of a built-in with a meaning in PTX; nil
// for any other call.
func (lf *lifter) call(b *ll.Block, in *ll.Inst) *Site {
	name := in.Call.Callee
	s := &Site{Func: lf.u.Func, Block: b, Inst: in}
	var f ptx.Form
	switch {
	case strings.HasPrefix(name, "ptx."):
		var err error
		if f, err = FormOfCall(name); err != nil {
			lf.l.Errorf("ptx-call", lf.m.File, in.Call.Target.Span(), "@%s: %v", name, err)
			return nil
		}
		s.Kind = SitePTX
	default:
		var ok bool
		if f, s.Lanes, ok = builtin(name); !ok {
			return nil
		}
		s.Kind = SiteBuiltin
	}
	s.Insts = []SiteInst{{Name: f.String(), Form: f, Span: in.Call.Target.Span()}}
	if in.Op != ll.OpCall {
		lf.l.Errorf("asm-branch", lf.m.File, in.WordSpan(), "@%s in %s is not supported", name, in.Word)
		return nil
	}
	if !lf.signature(s, f) {
		return nil
	}
	frag := ir.NewFunc("site")
	frag.Model = lf.opt.Model
	var args []*ir.Value
	for i, w := range ir.ArgWidths(f) {
		a := &in.Ops[i]
		if a.Kind == ll.ValInt && s.Lanes == 0 {
			args = append(args, frag.Const(sem.Val{Hi: a.Hi, Lo: a.Lo}, w))
			continue
		}
		args = append(args, frag.Param(fmt.Sprintf("a%d", i), w))
		s.In = append(s.In, Input{Arg: i})
	}
	out := frag.Blocks[0].PTX(f, args...)
	for i, v := range out {
		v.Off = in.Call.Target.Span().Start
		frag.Results = append(frag.Results, v.W)
		s.Out = append(s.Out, Output{Field: i})
	}
	frag.Blocks[0].Ret(out...)
	s.Frag = frag
	return s
}

// signature checks the call against the form: one argument for each source and
// an i1 for the carry-in; one result, or a struct of the results and an i1 for
// the carry-out.
func (lf *lifter) signature(s *Site, f ptx.Form) bool {
	in := s.Inst
	want := func(ws []int) string {
		var ts []string
		for _, w := range ws {
			t := fmt.Sprintf("i%d", w)
			if s.Lanes > 0 {
				t = fmt.Sprintf("<%d x %s>", s.Lanes, t)
			}
			ts = append(ts, t)
		}
		return strings.Join(ts, ", ")
	}
	is := func(t *ll.Type, w int) bool {
		if s.Lanes > 0 {
			return t != nil && t.Kind == ll.TyVector && t.N == uint64(s.Lanes) && t.Elem.IsInt(w)
		}
		return t.IsInt(w)
	}
	ws, rs := ir.ArgWidths(f), ir.ResultWidths(f)
	ok := len(in.Ops) == len(ws)
	for i := 0; ok && i < len(ws); i++ {
		ok = is(in.Ops[i].Type, ws[i])
	}
	if ok {
		t := in.Type
		if len(rs) == 1 {
			ok = is(t, rs[0])
		} else if u := t.Under(); u != nil && u.Kind == ll.TyStruct && len(u.Fields) == len(rs) {
			for i, w := range rs {
				ok = ok && is(u.Fields[i], w)
			}
		} else {
			ok = false
		}
	}
	if !ok {
		ret := want(rs)
		if len(rs) > 1 {
			ret = "{ " + ret + " }"
		}
		lf.l.Errorf("ptx-call", lf.m.File, in.Call.Target.Span(), "@%s has the type %s (%s)", in.Call.Callee, ret, want(ws))
	}
	return ok
}

// FormOfCall is the form that a function name @ptx.… stands for: the mnemonic,
// and for vmad the modifiers of each operand appended after its letter,
//
//	ptx.vmad.s32.s32.u32.sat.a.h0.b.neg.b3   vmad.s32.s32.u32.sat d, a.h0, -b.b3, c
//
// The carry-in is an i1 argument after the sources, the carry-out an i1 after
// the result.
func FormOfCall(name string) (ptx.Form, error) {
	words := strings.Split(strings.TrimPrefix(name, "ptx."), ".")
	n := len(words)
	for i, w := range words {
		if i > 0 && (w == "a" || w == "b" || w == "c") {
			n = i
			break
		}
	}
	found := ptx.Lookup(strings.Join(words[:n], "."))
	f := found.Form
	switch found.Class {
	case ptx.Opaque:
		return f, fmt.Errorf("no such instruction")
	case ptx.Refused:
		return f, errors.New(found.Text)
	}
	if f.Op == ptx.Lop3 {
		return f, errors.New("lop3 needs its table, for which a function name has no place: use asm")
	}
	op := ""
	for _, w := range words[n:] {
		sel := selNamed(w)
		switch {
		case w == "a" || w == "b" || w == "c":
			op = w
		case f.Op != ptx.Vmad:
			return f, fmt.Errorf("%s has no operand modifiers", f)
		case w == "neg" && op == "a":
			f.NegA = true
		case w == "neg" && op == "b":
			f.NegB = true
		case w == "neg" && op == "c":
			f.NegC = true
		case sel != ptx.Word && op == "a":
			f.SelA = sel
		case sel != ptx.Word && op == "b":
			f.SelB = sel
		default:
			return f, fmt.Errorf("operand modifier .%s after .%s", w, op)
		}
	}
	if f.NegC && f.NegA != f.NegB || f.PO && (f.NegA || f.NegB || f.NegC) {
		return f, fmt.Errorf("the product and c cannot both be negated, and .po takes no negation")
	}
	return f, nil
}

// CallName is the function name that stands for a form; FormOfCall reads it back.
func CallName(f ptx.Form) string {
	s := "ptx." + f.String()
	operand := func(letter string, neg bool, sel ptx.Sel) {
		if !neg && sel == ptx.Word {
			return
		}
		s += "." + letter
		if neg {
			s += ".neg"
		}
		if sel != ptx.Word {
			s += "." + sel.String()
		}
	}
	operand("a", f.NegA, f.SelA)
	operand("b", f.NegB, f.SelB)
	operand("c", f.NegC, ptx.Word)
	return s
}

func selNamed(w string) ptx.Sel {
	for s := ptx.B0; s < ptx.NumSels; s++ {
		if s.String() == w {
			return s
		}
	}
	return ptx.Word
}

// builtin is the form of a built-in function: LLVM's and libdevice's 24-bit
// multiplications, and OpenCL's by their mangled names, whose low 24 bits count
// as in PTX (OpenCL leaves the rest undefined). lanes is 0 for scalars.
func builtin(name string) (f ptx.Form, lanes int, ok bool) {
	lo := func(op ptx.Op, signed bool) ptx.Form {
		t := ptx.U32
		if signed {
			t = ptx.S32
		}
		return ptx.Form{Op: op, Mode: ptx.Lo, T: t}
	}
	switch name {
	case "llvm.nvvm.mul24.i", "__nv_mul24":
		return lo(ptx.Mul24, true), 0, true
	case "llvm.nvvm.mul24.ui", "__nv_umul24":
		return lo(ptx.Mul24, false), 0, true
	}
	op, n := ptx.Mul24, 2
	rest, isMul := strings.CutPrefix(name, "_Z5mul24")
	if !isMul {
		var isMad bool
		if rest, isMad = strings.CutPrefix(name, "_Z5mad24"); !isMad {
			return f, 0, false
		}
		op, n = ptx.Mad24, 3
	}
	for _, t := range []struct {
		letter string
		signed bool
	}{{"i", true}, {"j", false}} {
		if rest == strings.Repeat(t.letter, n) {
			return lo(op, t.signed), 0, true
		}
		for _, w := range []int{2, 3, 4, 8, 16} {
			if rest == fmt.Sprintf("Dv%d_%s", w, t.letter)+strings.Repeat("S_", n-1) {
				return lo(op, t.signed), w, true
			}
		}
	}
	return f, 0, false
}
