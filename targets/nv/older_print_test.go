package nv_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func TestSequencesOfOlderGenerationsOverNames(t *testing.T) {
	for arch, forms := range map[string]map[string]string{
		"sm_10": {
			"mad24.hi.sat.s32": `mad24.hi.sat.s32:
        IMAD.HI.S24.SAT t0, a, b, c ;
`,
			"mad.lo.u32": `mad.lo.u32:
        IMUL.U16.U16 t0, aL, bH ;
        IMAD.U16 t1, aH, bL, t0 ;
        SHL t2, t1, 0x10 ;
        IMAD.U16 t3, aL, bL, t2 ;
        IADD t4, t3, c ;
`,
			"subc.cc.u32": `subc.cc.u32:
        LOP.PASS_B t0, R124, ~b ;
        IADD.CARRY0.C0 t1, a, t0 ;
`,
		},
		"sm_20": {
			"mad24.hi.u32": `mad24.hi.u32:
        SHL t0, a, 0x8 ;
        SHL t1, b, 0x8 ;
        IMAD.U32.U32.HI t2, t0, t1, c ;
`,
			"madc.hi.cc.s32": `madc.hi.cc.s32:
        IMAD.HI.X t0.CC, a, b, c ;
`,
			"vmad.s32.s32.u32.po.sat.shr15 a.b1, b.h1, c": `vmad.s32.s32.u32.po.sat.shr15:
        VMAD.S8.U16.PO.SHR_15.SAT t0, a.B1, b.H1, c ;
`,
		},
		"sm_50": {
			"mul.hi.s32": `mul.hi.s32:
        XMAD t0, a, b, RZ ;
        XMAD.S16.U16.CHI t1, a.H1, b, t0 ;
        XMAD.U16.S16 t2, a, b.H1, RZ ;
        XMAD.S16.S16.CSFU t3, a.H1, b.H1, RZ ;
        IADD3.RS t4, t1, t2, t3 ;
`,
			"mad24.lo.s32": `mad24.lo.s32:
        VMAD.U16.S8 t0, a, b.B2, RZ ;
        VMAD.U16.S8 t1, b, a.B2, t0 ;
        XMAD t2, a, b, c ;
        XMAD.PSL t3, t1, 0x1, t2 ;
`,
			"vmad.s32.s32.s32 -a.h0, b, c": `vmad.s32.s32.s32:
        VMAD.S16.S32 t0, -a, b, c ;
`,
			"vmad.s32.s32.s32": `vmad.s32.s32.s32:
        VMAD t0, a, b, c ;
`,
			"setp.lt.u64": `setp.lt.u64:
        IADD RZ.CC, a.lo, -b.lo ;
        ISETP.LT.U32.X.AND t0, PT, a.hi, b.hi, PT ;
`,
		},
	} {
		tg := older(t, arch)
		for name, want := range forms {
			nf, _, err := tg.SelectForm(formOf(t, name), ptx.ISA)
			require.NoError(t, err)
			require.Equal(t, want, listing(t, tg, nf), "%s on %s", name, arch)
		}
	}
}

// carry is an operand in the carry register.
func (c code) carry() mach.Operand { return c.reg(mach.Carry, 1, 0) }

func TestOperandsOfOlderGenerationsAreSpelledAsTheyAreEncoded(t *testing.T) {
	c := code{&mach.Func{}}
	r0, r5, r6, p0, p1, cf := c.r(0), c.r(5), c.r(6), c.p(0), c.p(1), c.carry()
	for _, x := range []struct {
		in                    mach.Inst
		maxwell, fermi, tesla string // "" where the family has it not
	}{
		// Literals of 32 bits have names of their own.
		{inst(nv.F_IADD, outs(r0), r5, k(-5, 32)), "IADD32I R0, R5, -0x5", "IADD R0, R5, -0x5", ""},
		{inst(nv.F_ISUB, outs(r0), r5, k(1<<20, 32)), "IADD32I R0, R5, -0x100000", "IADD32I R0, R5, -0x100000", ""},
		{inst(nv.F_IRSUB, outs(r0), r5, k(31, 32)), "IADD32I R0, -R5, 0x1f", "IADD R0, -R5, 0x1f", ""},
		{inst(nv.F_AND, outs(r0), r5, k(-16, 32)), "LOP32I.AND R0, R5, 0xfffffff0", "LOP.AND R0, R5, 0xfffffff0", ""},
		{inst(nv.F_IADD_X, outs(r0), r5, k(7, 32), cf), "IADD32I.X R0, R5, 0x7", "IADD.X R0, R5, 0x7", ""},
		{inst(nv.F_MOV_K, outs(r0), k(-1, 32)), "MOV32I R0, 0xffffffff", "MOV32I R0, 0xffffffff", ""},
		{inst(nv.F_MOV_K, outs(r0), k(0, 32)), "MOV R0, RZ", "MOV R0, RZ", ""},
		{inst(nv.F_MIN, outs(r0), r5, k(-5, 32)), "IMNMX R0, R5, -0x5, PT", "IMNMX R0, R5, -0x5, PT", ""},
		{inst(nv.X_JOIN, outs(r0), r5, k(1, 32), r6), "XMAD.PSL.CLO R0, R5, 0x1, R6", "", ""},
		// Carries.
		{inst(nv.F_IADD_C, outs(r0, cf), r5, r6), "IADD R0.CC, R5, R6", "IADD R0.CC, R5, R6", ""},
		{inst(nv.F_ISUB_C, outs(r0, cf), r5, k(0, 32)), "IADD R0.CC, R5, -RZ", "IADD R0.CC, R5, -RZ", ""},
		{inst(nv.F_ISUB_X_C, outs(r0, cf), r5, r6, cf), "IADD.X R0.CC, R5, -R6", "IADD.X R0.CC, R5, -R6", ""},
		{inst(nv.F_IADD_K, outs(cf), r5, k(-1, 32)), "IADD32I RZ.CC, R5, -0x1", "IADD RZ.CC, R5, -0x1", ""},
		// Predicates.
		{inst(nv.F_SEL, outs(r0), k(0, 32), k(-1, 32), complement(p0)), "SEL R0, RZ, -0x1, !P0", "SEL R0, RZ, -0x1, !P0", ""},
		{inst(nv.F_PAND, outs(p0), complement(p1), k(1, 1)), "PSETP.AND.AND P0, PT, !P1, PT, PT", "PSETP.AND.AND P0, PT, !P1, PT, PT", ""},
		{guarded(complement(p1), inst(nv.F_XOR, outs(r0), r5, r6)), "@!P1 LOP.XOR R0, R5, R6", "@!P1 LOP.XOR R0, R5, R6", ""},
		// R124 is 0, and condition codes follow the name.
		{inst(nv.T_ISETPs[nv.NotEqual], outs(p1), r5, k(0, 32)), "", "", "ISET.C1 o [0x7f], R5, R124, NE"},
		{guarded(p1, inst(nv.T_MOV, outs(r0), r5)), "", "", "@C1.NE MOV R0, R5"},
		{guarded(complement(p1), inst(nv.T_MVI, outs(r0), k(-1, 32))), "", "", "@C1.EQ MVI R0, 0xffffffff"},
		{inst(nv.T_MAD_HL, outs(r0), r5, r6, k(0, 32)), "", "", "IMAD.U16 R0, R5H, R6L, R124"},
		{inst(nv.T_IADD, outs(r0), r5, k(-1, 32)), "", "", "IADD32I R0, R5, 0xffffffff"},
	} {
		for arch, want := range map[string]string{"sm_50": x.maxwell, "sm_20": x.fermi, "sm_10": x.tesla} {
			if want == "" {
				continue
			}
			f := *c.f
			f.Name = "f"
			f.Blocks = []*mach.Block{{Term: mach.Fallthrough, Insts: []mach.Inst{x.in}}}
			require.NoError(t, x.in.Op.Legal(x.in.In), want)
			require.Equal(t, "f:\n        "+want+" ;\n", listing(t, older(t, arch), &f), arch)
		}
	}
}

func guarded(p mach.Operand, in mach.Inst) mach.Inst {
	in.Guard = &p
	return in
}

// olderBranchy is a function with a loop, a trap, and a result in R4.
func olderBranchy() *mach.Func {
	c := code{&mach.Func{Name: "f", Note: "line 3"}}
	r4, r5, p0 := c.r(4), c.r(5), c.p(0)
	b := make([]*mach.Block, 4)
	for i := range b {
		b[i] = &mach.Block{ID: i}
	}
	to := func(from int, term mach.TermKind, succs ...int) {
		b[from].Term = term
		for _, s := range succs {
			b[from].Succs = append(b[from].Succs, b[s])
			b[s].Preds = append(b[s].Preds, b[from])
		}
	}
	b[0].Insts = []mach.Inst{inst(nv.F_IADD, outs(r4), r4, r5)}
	to(0, mach.Jump, 1)
	b[1].Cond = complement(p0)
	to(1, mach.CondJump, 1, 2)
	b[2].Cond = p0
	to(2, mach.CondJump, 0, 3)
	to(3, mach.Ret)
	c.f.Blocks = b
	return c.f
}

func TestOlderGenerationsReturnByTheCallStack(t *testing.T) {
	f := olderBranchy()
	require.Equal(t, "f: // line 3\n"+
		".L_x_0:\n"+
		"        IADD R4, R4, R5 ;\n"+
		".L_x_1:\n"+
		"        @!P0 BRA `(.L_x_1) ;\n"+
		".L_x_2:\n"+
		"        @P0 BRA `(.L_x_0) ;\n"+
		".L_x_3:\n"+
		"        RET ;\n", listing(t, older(t, "sm_35"), f))
}

// A branch tests a bit in a register: no instruction combines condition codes.
func TestTeslaTestsABitBeforeItBranches(t *testing.T) {
	c := code{&mach.Func{Name: "f"}}
	r4 := c.r(4)
	yes, no := &mach.Block{ID: 1, Term: mach.Ret}, &mach.Block{ID: 2, Term: mach.Trap}
	entry := &mach.Block{Term: mach.CondJump, Cond: r4, Succs: []*mach.Block{yes, no}}
	yes.Preds, no.Preds = []*mach.Block{entry}, []*mach.Block{entry}
	c.f.Blocks = []*mach.Block{entry, yes, no}
	require.Equal(t, "f:\n"+
		"        ISET.C3 o [0x7f], R4, R124, NE ;\n"+
		"        BRA C3.EQ, `(.L_x_2) ;\n"+
		".L_x_1:\n"+
		"        RET ;\n"+
		".L_x_2:\n"+
		"        BPT.TRAP 0x1 ;\n", listing(t, older(t, "sm_13"), c.f))
}
