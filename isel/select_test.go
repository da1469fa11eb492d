package isel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// text is a block's instructions with registers numbered in the order in which
// they appear: "ADD r2 = r0, 5".
func text(f *mach.Func, b *mach.Block) (out []string) {
	names := map[mach.Reg]string{}
	operand := func(o mach.Operand) string {
		if o.IsConst() && o.Bits == 1 {
			return fmt.Sprint(o.K.Lo)
		}
		if o.IsConst() {
			return fmt.Sprint(int64(o.K.SignExtend(int(o.Bits)).Lo))
		}
		if names[o.Reg] == "" {
			names[o.Reg] = fmt.Sprintf("r%d", len(names))
		}
		s := names[o.Reg] + [...]string{"", ".lo", ".hi"}[o.Sub]
		if o.Not {
			s = "!" + s
		}
		return s
	}
	list := func(os []mach.Operand) string {
		var s []string
		for _, o := range os {
			s = append(s, operand(o))
		}
		return strings.Join(s, ", ")
	}
	for _, p := range f.Params {
		operand(f.R(p))
	}
	for _, in := range b.Insts {
		guard := ""
		if in.Guard != nil {
			guard = "@" + operand(*in.Guard) + " "
		}
		ins := list(in.In)
		out = append(out, fmt.Sprintf("%s%s %s = %s", guard, in.Op.Name, list(in.Out), ins))
	}
	return append(out, "ret "+list(b.Ret))
}

func TestSelectForm(t *testing.T) {
	tg := target()
	for _, tt := range []struct {
		form       ptx.Form
		text       string
		ops, moves int
	}{
		{addU32, "ADD r2 = r0, r1; ret r2", 1, 0},
		{addcc, "ADDC r2, r3 = r0, r1, 0; ret r2, r3", 1, 0},
		{addc, "ADDC r3, r4 = r0, r1, r2; ret r3, r4", 1, 0},
		{ptx.Form{Op: ptx.Subc, CC: true, T: ptx.U32}, "SEL r3 = -1, 0, !r2; ADDC r4, r5 = r3, r1, r2; ret r4, !r5", 2, 0},
		{shlB32, "NZ r2 = r1; SEL r3 = 0, r0, r2; ret r3", 2, 0},
		{wide, "MULW r2 = r0, r1; ret r2", 1, 0},
		{ptx.Form{Op: ptx.Mul, Mode: ptx.Hi, T: ptx.U32}, "MULW r2 = r0, r1; ret r2.hi", 1, 0},
		{ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: 2}, "MOV r2.lo = r0; MOV r2.hi = r1; ret r2", 0, 2},
		{ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: -2}, "ret r0.lo, r0.hi", 0, 0},
		{ptx.Form{Op: ptx.Selp, T: ptx.B32}, "MOV r3 = r1; @r2 ADD r3 = r0, 0; ret r3", 1, 1},
		{ptx.Form{Op: ptx.Selp, T: ptx.B64}, "MOV r3.lo = r1.lo; MOV r3.hi = r1.hi; @r2 MULW r3 = r0.lo, r0.hi; ret r3", 1, 2},
	} {
		nf, c, err := tg.SelectForm(tt.form, ptx.ISA)
		require.NoError(t, err, tt.form.Name())
		require.Equal(t, tt.form, c.Form)
		require.Equal(t, tt.text, strings.Join(text(nf, nf.Blocks[0]), "; "), tt.form.Name())
		ops, moves := nf.Count()
		require.Equal(t, [2]int{tt.ops, tt.moves}, [2]int{ops, moves}, tt.form.Name())
		require.Len(t, nf.Params, len(ir.ArgWidths(tt.form)))
		for i, name := range []string{"a", "b"}[:min(2, len(nf.Params))] {
			require.Equal(t, name, nf.Names[nf.Params[i]])
		}

		// The rule as terms, as a sequence over names, and in registers are one.
		b := sem.NewBuilder()
		var params []*sem.Term
		for i, w := range ir.ArgWidths(tt.form) {
			params = append(params, b.Var(fmt.Sprint("p", i), w))
		}
		want := c.Meaning(b, tg, params)
		got, err := eval.NativeTerms(nf, toy, b, params)
		require.NoError(t, err)
		require.Nil(t, eval.Compare(params, want, got, nil, 300, 1), tt.form.Name())
		require.NoError(t, nf.Allocate(toy))
		got, err = eval.NativeTerms(nf, toy, b, params)
		require.NoError(t, err)
		require.Nil(t, eval.Compare(params, want, got, nil, 300, 1), tt.form.Name())
	}
	_, _, err := tg.SelectForm(ptx.Form{Op: ptx.Popc, T: ptx.B32}, ptx.ISA)
	require.ErrorContains(t, err, "toy has no rule for popc.b32")
}

// apply is a function of words p, q that applies a form to what operands give:
// "p", "q" or a number.
func apply(f ptx.Form, operands ...string) *ir.Func {
	fn := ir.NewFunc("f")
	named := map[string]*ir.Value{"p": fn.Param("p", 32), "q": fn.Param("q", 32)}
	var args []*ir.Value
	for i, w := range ir.ArgWidths(f) {
		v := named[operands[i]]
		if v == nil {
			var n int64
			fmt.Sscan(operands[i], &n)
			v = fn.Const(sem.S(n), w)
		}
		args = append(args, v)
	}
	fn.Results = ir.ResultWidths(f)
	fn.Blocks[0].Ret(fn.Blocks[0].PTX(f, args...)...)
	return fn
}

func TestConstantsWhereTheInstructionTakesThem(t *testing.T) {
	tg := target()
	sad := ptx.Form{Op: ptx.Sad, T: ptx.U32}
	for _, tt := range []struct {
		form     ptx.Form
		operands string
		want     string
	}{
		{addU32, "p 5", "ADD r2 = r0, 5; ret r2"},
		{addU32, "5 p", "ADD r2 = r0, 5; ret r2"},
		{addU32, "p 16", "MOVK r2 = 16; ADD r3 = r0, r2; ret r3"},
		{addU32, "16 p", "MOVK r2 = 16; ADD r3 = r2, r0; ret r3"},
		{addU32, "0 p", "ADD r2 = 0, r0; ret r2"},
		{addU32, "0 5", "ADD r2 = 0, 5; ret r2"},
		{addU32, "5 0", "ADD r2 = 0, 5; ret r2"},
		{addU32, "5 7", "MOVK r2 = 5; ADD r3 = r2, 7; ret r3"},
		{addU32, "16 16", "MOVK r2 = 16; ADD r3 = r2, r2; ret r3"},
		{sad, "p 100 q", "ADD3 r2 = r0, 100, r1; ret r2"},
		{sad, "100 200 q", "MOVK r2 = 200; ADD3 r3 = 100, r2, r1; ret r3"},
		{sad, "p 0 0", "MOVK r2 = 0; ADD3 r3 = r0, 0, r2; ret r3"},
		{shlB32, "p 31", "SHL r2 = r0, 31; ret r2"},
		{shlB32, "5 3", "MOVK r2 = 5; SHL r3 = r2, 3; ret r3"},
		{shlB32, "p 32", "MOVK r2 = 32; NZ r3 = r2; SEL r4 = 0, r0, r3; ret r4"},
		{addc, "p q 1", "ADDC r2, r3 = r0, r1, 1; ret r2, (r3)"},
		{wide, "p -1", "MOVK r2 = -1; MULW r3 = r0, r2; ret r3"},
		{ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: 2}, "1 2", "ret 8589934593"},
		{ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: -2}, "8589934593", "ret 1, 2"},
		{ptx.Form{Op: ptx.Selp, T: ptx.B32}, "p q 0", "ret r1"},
		{ptx.Form{Op: ptx.Selp, T: ptx.B32}, "p q 1", "ADD r2 = r0, 0; ret r2"},
	} {
		src := apply(tt.form, strings.Fields(tt.operands)...)
		nf, err := tg.Select(src, nil)
		require.NoError(t, err, "%s %s", tt.form.Name(), tt.operands)
		got := strings.Join(text(nf, nf.Blocks[0]), "; ")
		if strings.Contains(tt.want, "(r3)") { // the carry is returned as a word
			require.Equal(t, "ADDC r2, r3 = r0, r1, 1; SEL r4 = 1, 0, r3; ret r2, r4", got)
		} else {
			require.Equal(t, tt.want, got, "%s %s", tt.form.Name(), tt.operands)
		}
		for _, in := range nf.Blocks[0].Insts {
			require.NoError(t, in.Op.Legal(in.In))
		}
	}
}

func TestAConstantIsMadeOnceInABlock(t *testing.T) {
	f := ir.NewFunc("f")
	p := f.Param("p", 32)
	k := f.Const(sem.U(1000), 32)
	next := f.NewBlock("next")
	x := f.Blocks[0].PTX(addU32, p, k)[0]
	y := f.Blocks[0].PTX(addU32, x, k)[0]
	f.Blocks[0].Br(next)
	z := next.PTX(addU32, y, k)[0]
	f.Results = []int{32}
	next.Ret(z)
	nf, err := target().Select(f, nil)
	require.NoError(t, err)
	var counts []int
	for _, b := range nf.Blocks {
		n := 0
		for _, in := range b.Insts {
			if in.Op == MOVK {
				n++
			}
		}
		counts = append(counts, n)
	}
	require.Equal(t, []int{1, 1}, counts)
}

func TestComplementedPredicates(t *testing.T) {
	subc := ptx.Form{Op: ptx.Subc, CC: true, T: ptx.U32}
	build := func(second ptx.Form) *ir.Func {
		f := ir.NewFunc("f")
		p, q := f.Param("p", 32), f.Param("q", 32)
		b := f.Blocks[0]
		d := b.PTX(subc, p, q, f.Const(sem.U(1), 1))
		e := b.PTX(second, d[0], q, d[1])
		f.Results = ir.ResultWidths(second)
		b.Ret(e...)
		return f
	}
	nf, err := target().Select(build(addc), nil)
	require.NoError(t, err)
	require.Contains(t, strings.Join(text(nf, nf.Blocks[0]), "; "), "ADDC r6, r7 = r4, r1, !r5;", "the complement goes into the operand")
	nf, err = target().Select(build(subc), nil)
	require.NoError(t, err)
	require.Contains(t, strings.Join(text(nf, nf.Blocks[0]), "; "), "SEL r6 = -1, 0, r5; ", "two complements are none")

	// An op that reads no complemented predicate.
	tg := target()
	tg.Rules = append(isel.Table{isel.R("addc.cc.u32", 0, mach.Arg(0), PNOT.Of(mach.Arg(2)))}, tg.Rules...)
	_, err = tg.Select(build(addc), nil)
	require.ErrorContains(t, err, `rule "addc.cc.u32": PNOT: complemented operand 0`)
}

// PNOT is an op that gives a complement and takes none.
var PNOT = &mach.Op{Name: "PNOT", Out: []mach.Class{bit}, In: []mach.Kind{{Class: bit}},
	Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{b.Not(in[0])} }}

func TestPredicatesTravelInWords(t *testing.T) {
	f := ir.NewFunc("f")
	p, q, c := f.Param("p", 32), f.Param("q", 32), f.Param("c", 1)
	unused := f.Param("unused", 1)
	_ = unused
	out := f.Blocks[0].PTX(addc, p, q, c)
	f.Results = []int{32, 1, 1}
	f.Blocks[0].Ret(out[0], out[1], f.Const(sem.U(1), 1))
	nf, err := target().Select(f, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"NZ r4 = r2", "ADDC r5, r6 = r0, r1, r4", "SEL r7 = 1, 0, r6", "ret r5, r7, 1"}, text(nf, nf.Blocks[0]))
	require.Equal(t, word, nf.Classes[nf.Params[2]])
	require.NoError(t, nf.Allocate(toy))
	mm, err := eval.CheckLowering(f, nf, toy, 100, 1)
	require.NoError(t, err)
	require.Nil(t, mm)
}

func TestPredicatesOfAPartStayPredicates(t *testing.T) {
	f := ir.NewFunc("f")
	p, q, c := f.Param("p", 32), f.Param("q", 32), f.Param("c", 1)
	out := f.Blocks[0].PTX(addc, p, q, c)
	f.Results = []int{32, 1, 1, 1}
	f.Blocks[0].Ret(out[0], out[1], c, f.Const(sem.U(1), 1))
	nf, err := target().SelectPart(f, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"ADDC r3, r4 = r0, r1, r2", "ret r3, r4, r2, 1"}, text(nf, nf.Blocks[0]))
	require.Equal(t, bit, nf.Classes[nf.Params[2]])
	mm, err := eval.CheckLowering(f, nf, toy, 100, 1)
	require.NoError(t, err)
	require.Nil(t, mm)
}

func TestWhatCannotBeSelected(t *testing.T) {
	tg := target()
	f := ir.NewFunc("f")
	f.Param("wide", 128)
	f.Blocks[0].Ret()
	_, err := tg.Select(f, nil)
	require.ErrorContains(t, err, "toy has no register for i128")

	f = ir.NewFunc("f")
	p := f.Param("p", 32)
	f.Results = []int{32}
	f.Blocks[0].Ret(f.Blocks[0].New(ir.Add, 32, p, p))
	_, err = tg.Select(f, nil)
	require.ErrorContains(t, err, "toy has no rule for add i32")

	_, err = tg.Select(apply(ptx.Form{Op: ptx.Popc, T: ptx.B32}, "p"), nil)
	require.ErrorContains(t, err, "toy has no rule for popc.b32")

	tg.Rules = isel.Table{
		isel.R("add.u32", 0, SHL.Of(mach.Arg(0), mach.Arg(1))),
		isel.R("mul.wide.u32", 0, mach.Pair(mach.LoHalf(mach.LoHalf(MULW.Of(mach.Arg(0), mach.Arg(1)))), mach.K(0))),
		isel.R("selp.b32", 0, mach.Guard(mach.Arg(2), mach.Arg(0), mach.Arg(1))),
	}
	_, err = tg.Select(apply(addU32, "p", "q"), nil)
	require.ErrorContains(t, err, `rule "add.u32": SHL: register as operand 1`)
	_, err = tg.Select(apply(wide, "p", "q"), nil)
	require.ErrorContains(t, err, "half of a half")
	_, _, err = tg.SelectForm(ptx.Form{Op: ptx.Selp, T: ptx.B32}, ptx.ISA)
	require.ErrorContains(t, err, "a guarded value must be an op of its own")
}

func TestKnowledgeOfValuesChoosesRules(t *testing.T) {
	f := apply(shlB32, "p", "q")
	tg := target()
	for limit, want := range map[uint64]string{40: "NZ", 31: "register as operand 1"} {
		nf, err := tg.Select(f, func(v *ir.Value) (sem.Facts, bool) {
			k := sem.Any(32)
			k.UMax = sem.U(limit)
			return k, v.Name == "q"
		})
		if err != nil { // SHL has its count in the encoding: the toy's rule fits constants only
			require.ErrorContains(t, err, want)
			continue
		}
		require.Equal(t, want, nf.Blocks[0].Insts[0].Op.Name)
	}
}

func TestBlocksMayStandInAnyOrder(t *testing.T) {
	// entry → last → middle, where middle stands before last and uses its value.
	f := ir.NewFunc("f")
	p := f.Param("p", 32)
	middle, last := f.NewBlock("middle"), f.NewBlock("last")
	f.Blocks[0].Br(last)
	x := last.PTX(addU32, p, f.Const(sem.U(1), 32))[0]
	last.Br(middle)
	y := middle.PTX(addU32, x, f.Const(sem.U(2), 32))[0]
	f.Results = []int{32}
	middle.Ret(y)
	require.NoError(t, ir.Verify(f))
	nf, err := target().Select(f, nil)
	require.NoError(t, err)
	for _, allocated := range []bool{false, true} {
		if allocated {
			require.NoError(t, nf.Allocate(toy))
		}
		out, err := eval.RunNative(nf, toy, []sem.Val{sem.U(10)}, 10)
		require.NoError(t, err)
		require.Equal(t, []sem.Val{sem.U(13)}, out)
	}
}

func TestBlocksThatNothingReachesAreLeftOut(t *testing.T) {
	f := ir.NewFunc("f")
	p := f.Param("p", 32)
	dead, end := f.NewBlock("dead"), f.NewBlock("end")
	f.Blocks[0].Br(end)
	x := dead.PTX(addU32, p, p)[0]
	dead.Br(end)
	phi := end.Phi(32)
	phi.Args = []*ir.Value{p, x}
	f.Results = []int{32}
	end.Ret(phi)
	require.NoError(t, ir.Verify(f))
	nf, err := target().Select(f, nil)
	require.NoError(t, err)
	require.NoError(t, nf.Allocate(toy))
	out, err := eval.RunNative(nf, toy, []sem.Val{sem.U(10)}, 10)
	require.NoError(t, err)
	require.Equal(t, []sem.Val{sem.U(10)}, out)
}

func TestABranchOnAConstantOrAComplement(t *testing.T) {
	for _, c := range []uint64{0, 1} {
		f := ir.NewFunc("f")
		p := f.Param("p", 32)
		yes, no := f.NewBlock("yes"), f.NewBlock("no")
		f.Blocks[0].CondBr(f.Const(sem.U(c), 1), yes, no)
		f.Results = []int{32}
		yes.Ret(p)
		no.Ret(f.Const(sem.U(7), 32))
		nf, err := target().Select(f, nil)
		require.NoError(t, err)
		require.NoError(t, nf.Allocate(toy))
		out, err := eval.RunNative(nf, toy, []sem.Val{sem.U(10)}, 10)
		require.NoError(t, err)
		require.Equal(t, sem.U(7+3*c), out[0])
	}
}
