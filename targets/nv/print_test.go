package nv_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func listing(t testing.TB, tg *isel.Target, f *mach.Func) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, tg.Print(&buf, f))
	return buf.String()
}

// named gives the listing of a form over the names of its operands.
func named(t testing.TB, arch, name string) string {
	t.Helper()
	tg := target(t, arch)
	nf, _, err := tg.SelectForm(formOf(t, name), ptx.ISA)
	require.NoError(t, err)
	return listing(t, tg, nf)
}

func TestSequencesOverNames(t *testing.T) {
	for name, want := range map[string]string{
		"mad24.hi.u32": `mad24.hi.u32:
        SHF.L.U32 t0, a, 0x8, RZ ;
        SHF.L.U32 t1, b, 0x8, RZ ;
        IMAD.WIDE.U32 t2, t0, t1, RZ ;
        IADD3 t3, t2.hi, c, RZ ;
`,
		"madc.hi.cc.u32": `madc.hi.cc.u32:
        IMAD.WIDE.U32 t0, a, b, RZ ;
        IADD3.X t1, t2, t0.hi, c, RZ, cf, !PT ;
`,
		"sub.cc.u64": `sub.cc.u64:
        IADD3 t0, t1, a.lo, -b.lo, RZ ;
        IADD3.X t2, t3, a.hi, ~b.hi, RZ, t1, !PT ;
        MOV t4.lo, t0 ;
        MOV t4.hi, t2 ;
`,
		"vmad.s32.s32.s32.sat a.b2, b.h1, c": `vmad.s32.s32.s32.sat:
        PRMT t0, a, 0x7727, RZ ;
        IDP.2A.LO.S16.S8 t1, b, t0, RZ ;
        IADD3 t2, t1, c, RZ ;
        PLOP3.LUT t3, PT, t1.SIGN, c.SIGN, t2.SIGN, 0x42, 0x0 ;
        MOV t4, t2 ;
        @t3 LEA.HI t4, t1, 0x7fffffff, RZ, 0x1 ;
`,
		"clz.b32": `clz.b32:
        FLO.U32 t0, a ;
        IADD3 t1, -t0, 0x1f, RZ ;
`,
		"set.eq.xor.u32.b32": `set.eq.xor.u32.b32:
        ISETP.EQ.U32.XOR t0, PT, a, b, c ;
        SEL t1, RZ, 0xffffffff, !t0 ;
`,
	} {
		require.Equal(t, want, named(t, "sm_70", name), name)
	}
}

func TestSequencesOfSM120(t *testing.T) {
	for name, want := range map[string]string{
		"mad24.hi.sat.s32": `mad24.hi.sat.s32:
        SHF.L.U32 t0, a, 0x8, RZ ;
        SHF.L.U32 t1, b, 0x8, RZ ;
        IMAD.HI t2, t0, t1, RZ ;
        VIADD.S32.ISAT t3, t2, c ;
`,
		"addc.cc.u64": `addc.cc.u64:
        IADD.64.X t0, t1, a, b, cf ;
`,
		"vmad.s32.s32.s32.sat": `vmad.s32.s32.s32.sat:
        IMAD.WIDE t0, a, b, RZ ;
        IMAD.WIDE t1, c, 0x1, t0 ;
        IMNMX.S64 PT, PT, t2, t1, 0x7fffffff, PT, !PT ;
        IMNMX.S64 PT, PT, t3, t2, -0x80000000, !PT, !PT ;
`,
		"sad.s32": `sad.s32:
        VIMNMX.S32 t0, a, b, !PT ;
        VIMNMX.S32 t1, a, b, PT ;
        IADD3 t2, PT, PT, c, t0, -t1 ;
`,
	} {
		require.Equal(t, want, named(t, "sm_120", name), name)
	}
}

// code makes functions by hand, over given physical registers.
type code struct{ f *mach.Func }

func (c code) reg(bank mach.Bank, bits uint8, phys int16) mach.Operand {
	c.f.Phys = append(c.f.Phys, phys)
	return c.f.R(c.f.NewReg(mach.Class{Bank: bank, Bits: bits}, ""))
}

func (c code) r(n int16) mach.Operand  { return c.reg(mach.General, 32, n) }
func (c code) rr(n int16) mach.Operand { return c.reg(mach.General, 64, n) }
func (c code) p(n int16) mach.Operand  { return c.reg(mach.Predicate, 1, n) }

func k(v int64, bits int) mach.Operand { return mach.Imm(sem.S(v), bits) }

func complement(o mach.Operand) mach.Operand {
	o.Not = !o.Not
	return o
}

func half(o mach.Operand, s mach.Sub) mach.Operand {
	o.Sub, o.Bits = s, 32
	return o
}

func inst(op *mach.Op, out []mach.Operand, in ...mach.Operand) mach.Inst {
	return mach.Inst{Op: op, Out: out, In: in}
}

func outs(os ...mach.Operand) []mach.Operand { return os }

func TestOperandsAreSpelledAsTheyAreEncoded(t *testing.T) {
	c := code{&mach.Func{}}
	r0, r5, r6, rr8, p0, p1 := c.r(0), c.r(5), c.r(6), c.rr(8), c.p(0), c.p(1)
	dead := c.p(-1)
	for want, in := range map[string]mach.Inst{
		// Literals of the arithmetic are signed, others are not.
		"IADD3 R0, R5, -0x1, RZ":                                 inst(nv.IADD3, outs(r0), r5, k(-1, 32), k(0, 32)),
		"LOP3.LUT R0, R5, 0xfffffff0, RZ, 0xc0, !PT":             inst(nv.LOP3, outs(r0), r5, k(-16, 32), k(0, 32), k(0xc0, 8)),
		"IMAD.WIDE R8, R5, -0x2000000, R8":                       inst(nv.WIDE, outs(rr8), r5, k(-1<<25, 32), rr8),
		"SEL R0, R5, 0x80000000, P0":                             inst(nv.SEL, outs(r0), r5, k(-1<<31, 32), p0),
		"IMAD.X R0, R5, R6, R0, PT":                              inst(nv.IMAD_X, outs(r0), r5, r6, r0, k(1, 1)),
		"MOV R0, RZ":                                             inst(nv.MOV_K, outs(r0), k(0, 32)),
		"MOV R0, 0xffffffff":                                     inst(nv.MOV_K, outs(r0), k(-1, 32)),
		"PLOP3.LUT P0, PT, !PT, PT, PT, 0x80, 0x0":               inst(nv.PMOV_K, outs(p0), k(0, 1)),
		"PLOP3.LUT P0, PT, !P1, PT, PT, 0x80, 0x0":               inst(nv.PMOV, outs(p0), complement(p1)),
		"PLOP3.LUT P0, PT, R5.SIGN, R6.SIGN, RZ.SIGN, 0x42, 0x0": inst(nv.PLOP3S, outs(p0), r5, r6, k(0, 32), k(0x42, 8)),
		// Halves and pairs.
		"SHF.R.U64 R0, R8, 0x7, R9":               inst(nv.SHR64, outs(r0), half(rr8, mach.Low), k(7, 32), half(rr8, mach.High)),
		"IMAD.WIDE.U32.X R8, P1, R5, R6, RZ, !P0": inst(nv.WIDE_U_X_C, outs(rr8, p1), r5, r6, k(0, 64), complement(p0)),
		"IMAD.WIDE.U32 R8, PT, R5, R6, R8":        inst(nv.WIDE_U_C, outs(rr8, dead), r5, r6, rr8),
		// A sign before a literal is folded into it; −0 carries, and stays.
		"IADD3 R0, P0, R5, -0x7, RZ":        inst(nv.ISUB_C, outs(r0, p0), r5, k(7, 32)),
		"IADD3 R0, P0, R5, -RZ, RZ":         inst(nv.ISUB_C, outs(r0, p0), r5, k(0, 32)),
		"IADD3.X R0, R5, -0xa, RZ, P0, !PT": inst(nv.ISUB_X, outs(r0), r5, k(9, 32), p0),
		"IADD3.X R0, R5, -0x1, RZ, P1, !PT": inst(nv.ISUB_X, outs(r0), r5, k(0, 32), p1),
		// A literal stands second.
		"IADD3 R0, -R5, 0x1f, RZ":              inst(nv.ISUB, outs(r0), k(31, 32), r5),
		"IADD3 R0, R5, 0x3, R6":                inst(nv.IADD3, outs(r0), r5, r6, k(3, 32)),
		"SEL R0, R5, 0x7, !P0":                 inst(nv.SEL, outs(r0), k(7, 32), r5, p0),
		"SEL R0, R5, 0x7, P1":                  inst(nv.SEL, outs(r0), k(7, 32), r5, complement(p1)),
		"LOP3.LUT R0, R5, 0xff, R6, 0xe2, !PT": inst(nv.LOP3, outs(r0), k(0xff, 32), r5, r6, k(0xca, 8)),
		"LOP3.LUT R0, R5, 0xff, R6, 0xac, !PT": inst(nv.LOP3, outs(r0), r5, r6, k(0xff, 32), k(0xca, 8)),
	} {
		f := *c.f
		f.Name = "f"
		f.Blocks = []*mach.Block{{Term: mach.Fallthrough, Insts: []mach.Inst{in}}}
		require.NoError(t, in.Op.Legal(in.In), want)
		require.Equal(t, "f:\n        "+want+" ;\n", listing(t, target(t, "sm_70"), &f))
	}
}

func TestListingsFollowTheGeneration(t *testing.T) {
	c := code{&mach.Func{}}
	r0, r5, r6, rr4, rr8, p0, p1 := c.r(0), c.r(5), c.r(6), c.rr(4), c.rr(8), c.p(0), c.p(1)
	min32, max16 := nv.VIMNMX[nv.Extremum{Max: false, Unsigned: false}], nv.VIMNMX_S16x2[true]
	for _, x := range []struct {
		arch, want string
		in         mach.Inst
	}{
		// From sm_100 on both carries of IADD3 are there.
		{"sm_90", "IADD3 R0, R5, R6, RZ", inst(nv.IADD3, outs(r0), r5, r6, k(0, 32))},
		{"sm_110", "IADD3 R0, PT, PT, R5, R6, RZ", inst(nv.IADD3, outs(r0), r5, r6, k(0, 32))},
		{"sm_100", "IADD3 R0, P0, PT, R5, 0x7, RZ", inst(nv.IADD3_C, outs(r0, p0), k(7, 32), r5)},
		{"sm_103", "IADD3.X R0, PT, PT, R5, ~R6, RZ, P0, !PT", inst(nv.ISUB_X, outs(r0), r5, r6, p0)},
		{"sm_121", "IADD3 R0, PT, PT, R5, R6, -R0", inst(nv.IADD3_N, outs(r0), r5, r6, r0)},
		// So are both predicates of VIMNMX, but on sm_120.
		{"sm_90", "VIMNMX R0, R5, -0x5, PT", inst(min32, outs(r0), r5, k(-5, 32))},
		{"sm_100", "VIMNMX R0, PT, PT, R5, -0x5, PT", inst(min32, outs(r0), r5, k(-5, 32))},
		{"sm_100", "VIMNMX.S16x2 R0, PT, PT, R5, R6, !PT", inst(max16, outs(r0), r5, r6)},
		{"sm_120", "VIMNMX.S16x2 R0, R5, R6, !PT", inst(max16, outs(r0), r5, r6)},
		{"sm_75", "IMNMX.U32 R0, R5, -0x70000000, PT", inst(nv.IMNMX[nv.Extremum{Max: false, Unsigned: true}], outs(r0), r5, k(-0x70000000, 32))},
		// Vector literals have no sign.
		{"sm_90", "VIADD R0, R5, 0xfffffffb", inst(nv.VIADD, outs(r0), r5, k(-5, 32))},
		{"sm_120", "VIADD.S32.ISAT R0, -R5, 0x80000000", inst(nv.VIADD_SAT_N, outs(r0), k(-1<<31, 32), r5)},
		{"sm_120", "VIADD.S32.ISAT R0, R5, 0xfffffffb", inst(nv.VIADD_SAT_N, outs(r0), r5, k(5, 32))},
		{"sm_120", "IADD R0, -R5, 0x1f", inst(nv.IADD_N, outs(r0), k(31, 32), r5)},
		{"sm_120", "IADD.X R0, P1, R5, -0x6, P0", inst(nv.IADD_N_X_C, outs(r0, p1), r5, k(5, 32), p0)},
		// 64-bit literals are sign-extended words.
		{"sm_120", "IADD.64 R4, R8, -0x5", inst(nv.IADD64, outs(rr4), rr8, k(-5, 64))},
		{"sm_120", "IADD.64 R4, R8, -0x80000000", inst(nv.IADD64_N, outs(rr4), rr8, k(1<<31, 64))},
		{"sm_120", "IADD.64.X R4, P0, R8, -0x6, P1", inst(nv.IADD64_N_X_C, outs(rr4, p0), rr8, k(5, 64), p1)},
		{"sm_120", "IMNMX.S64 PT, PT, R4, R8, -0x80000000, !PT, !PT", inst(nv.IMNMX64[nv.Extremum{Max: true, Unsigned: false}], outs(rr4), rr8, k(-1<<31, 64))},
		// IMAD has names for what it does with some factors.
		{"sm_80", "IMAD.SHL.U32 R0, R5, 0x8, RZ", inst(nv.IMAD, outs(r0), r5, k(8, 32), k(0, 32))},
		{"sm_80", "IMAD R0, R5, 0x8, R6", inst(nv.IMAD, outs(r0), r5, k(8, 32), r6)},
		{"sm_80", "IMAD R0, R5, -0x80000000, RZ", inst(nv.IMAD, outs(r0), r5, k(-1<<31, 32), k(0, 32))},
		{"sm_80", "IMAD.IADD R0, R5, 0x1, -R6", inst(nv.IMAD_N, outs(r0), r5, k(1, 32), r6)},
		{"sm_80", "IMAD.MOV.U32 R0, R5, RZ, R6", inst(nv.IMAD, outs(r0), r5, k(0, 32), r6)},
	} {
		f := *c.f
		f.Name = "f"
		f.Blocks = []*mach.Block{{Term: mach.Fallthrough, Insts: []mach.Inst{x.in}}}
		require.NoError(t, x.in.Op.Legal(x.in.In), x.want)
		require.Equal(t, "f:\n        "+x.want+" ;\n", listing(t, target(t, x.arch), &f))
	}
}

func Test64BitLiteralsAreWords(t *testing.T) {
	for v, ok := range map[int64]bool{0: true, 1<<31 - 1: true, 1 << 31: false, -1 << 31: true, -1<<31 - 1: false, -1: true, 1 << 32: false, 1<<32 - 1: false} {
		require.Equal(t, ok, nv.IADD64.Accepts(1, k(v, 64).K), v)
		require.Equal(t, ok, nv.IADD64_N_X.Accepts(1, k(v, 64).K), v)
		require.Equal(t, ok, nv.IADD64_N.Accepts(1, k(-v, 64).K), v)
	}
	require.False(t, nv.VIADD_SAT_N.Accepts(1, k(-1<<31, 32).K), "x + 2^31 is not x − −2^31 where sums are limited")
}

// branchy is a function with a loop, a trap, and a result in R4.
func branchy() *mach.Func {
	c := code{&mach.Func{Name: "f", Note: "line 3"}}
	r4, r5, p0 := c.r(4), c.r(5), c.p(0)
	blocks := make([]*mach.Block, 5)
	for i := range blocks {
		blocks[i] = &mach.Block{ID: i}
	}
	to := func(b int, term mach.TermKind, succs ...int) {
		blocks[b].Term = term
		for _, s := range succs {
			blocks[b].Succs = append(blocks[b].Succs, blocks[s])
			blocks[s].Preds = append(blocks[s].Preds, blocks[b])
		}
	}
	sum := inst(nv.IADD3_X_C, outs(r4, p0), r4, r5, p0)
	sum.Guard = new(mach.Operand)
	*sum.Guard = complement(p0)
	blocks[0].Insts = []mach.Inst{inst(nv.IADD3_C, outs(r4, p0), r4, k(0, 32))}
	to(0, mach.Jump, 1)
	blocks[1].Insts, blocks[1].Cond = []mach.Inst{sum}, p0
	to(1, mach.CondJump, 1, 2)
	blocks[2].Cond = complement(p0)
	to(2, mach.CondJump, 4, 3)
	to(3, mach.Trap)
	to(4, mach.Ret)
	c.f.Blocks = blocks
	return c.f
}

func TestBranchesGoToLabelsAndFallThroughWhereTheyCan(t *testing.T) {
	f := branchy()
	tg := target(t, "sm_70")
	require.Equal(t, "f: // line 3\n"+
		"        IADD3 R4, P0, R4, RZ, RZ ;\n"+
		".L_x_1:\n"+
		"        @!P0 IADD3.X R4, P0, R4, R5, RZ, P0, !PT ;\n"+
		"        @P0 BRA `(.L_x_1) ;\n"+
		".L_x_2:\n"+
		"        @!P0 BRA `(.L_x_4) ;\n"+
		".L_x_3:\n"+
		"        BPT.TRAP 0x1 ;\n"+
		".L_x_4:\n"+
		"        RET.ABS.NODEC R20 0x0 ;\n", listing(t, tg, f))

	f.Blocks[2].Succs[0], f.Blocks[2].Succs[1] = f.Blocks[3], f.Blocks[4]
	require.Contains(t, listing(t, tg, f), ".L_x_2:\n        @P0 BRA `(.L_x_4) ;\n")
	f.Blocks[2].Cond = k(0, 1)
	require.Contains(t, listing(t, tg, f), ".L_x_2:\n        BRA `(.L_x_4) ;\n")
	f.Blocks[2].Cond = k(1, 1)
	require.Contains(t, listing(t, tg, f), ".L_x_2:\n.L_x_3:\n")
}
