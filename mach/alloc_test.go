package mach_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func named(t testing.TB, name string) *isel.Target {
	for _, tg := range append(nv.Targets(), amd.Targets()...) {
		if tg.Name == name {
			return tg
		}
	}
	t.Fatalf("no target %s", name)
	return nil
}

// read makes the first function of a module IR.
func read(t testing.TB, text string) *ir.Func {
	t.Helper()
	var l diag.List
	m := ll.Parse(diag.NewFile("t.ll", []byte(text)), &l)
	units := lower.Lift(m, lower.Options{}, &l)
	require.NoError(t, l.Err())
	f, refusal := units[0].Function(m, ptx.ISA)
	require.Nil(t, refusal)
	return f
}

// compile selects and allocates a function; it stays as it was.
func compile(tg *isel.Target, src *ir.Func) (*mach.Func, error) {
	nf, err := tg.Select(lower.Run(ir.Clone(src), true, tg.Has, nil), nil)
	if err == nil {
		err = nf.Allocate(tg.Machine)
	}
	return nf, err
}

// agree runs a function and its native code on vectors.
func agree(t require.TestingT, tg *isel.Target, src *ir.Func) *mach.Func {
	nf, err := compile(tg, src)
	require.NoError(t, err)
	mm, err := eval.CheckLowering(src, nf, tg.Machine, 200, 3)
	require.NoError(t, err)
	require.Nil(t, mm, "%v\n%s", mm, src)
	legal(t, tg, nf)
	return nf
}

// legal checks that every register has a place that its bank has, pairs at even
// ones where the machine wants that, and that inputs fit their ops.
func legal(t require.TestingT, tg *isel.Target, f *mach.Func) {
	m := tg.Machine
	place := func(o mach.Operand) {
		if o.IsConst() || o.Bits == 0 {
			return
		}
		c, p := f.Classes[o.Reg], f.Phys[o.Reg]
		for u := range m.Units(c) {
			require.Contains(t, m.Banks[c.Bank].Order, p+u)
		}
		if m.Units(c) == 2 && m.PairAlign == 2 {
			require.Zero(t, p&1)
		}
	}
	for _, b := range f.Blocks {
		require.Empty(t, b.Phis)
		for _, in := range b.Insts {
			require.NoError(t, in.Op.Legal(in.In))
			for _, o := range append(in.Out, in.In...) {
				place(o)
			}
		}
		for _, o := range b.Ret {
			require.False(t, o.IsConst())
			place(o)
		}
	}
}

// ret is a function that gives its parameters back in another order.
func ret(params []string, results ...int) string {
	var ps, types []string
	for i, p := range params {
		ps = append(ps, fmt.Sprintf("%s %%a%d", p, i))
	}
	for _, r := range results {
		types = append(types, params[r])
	}
	st := "{ " + strings.Join(types, ", ") + " }"
	var sb strings.Builder
	fmt.Fprintf(&sb, "define %s @f(%s) {\n", st, strings.Join(ps, ", "))
	last := "undef"
	for i, r := range results {
		fmt.Fprintf(&sb, "  %%r%d = insertvalue %s %s, %s %%a%d, %d\n", i, st, last, params[r], r, i)
		last = fmt.Sprintf("%%r%d", i)
	}
	fmt.Fprintf(&sb, "  ret %s %s\n}\n", st, last)
	return sb.String()
}

func TestParametersAreReturnedInAnyOrder(t *testing.T) {
	for _, target := range []string{"sm_70", "gfx900"} {
		tg := named(t, target)
		for _, text := range []string{
			ret([]string{"i32", "i32"}, 1, 0),
			ret([]string{"i64", "i64"}, 1, 0),
			ret([]string{"i32", "i32", "i32", "i32"}, 3, 0, 1, 2),
			ret([]string{"i32", "i64"}, 1, 0),
			ret([]string{"i64", "i32"}, 1, 0),
			ret([]string{"i64", "i32", "i64"}, 1, 2, 1, 0),
			ret([]string{"i32"}, 0, 0, 0),
			ret([]string{"i64"}, 0, 0),
			ret([]string{"i1", "i1"}, 1, 0),
			ret([]string{"i8", "i64", "i1", "i16", "i33"}, 4, 2, 3, 1, 0),
			ret([]string{"i32", "i32", "i32"}, 2),
			ret([]string{"i32", "i64", "i32"}, 2, 1, 0, 1),
		} {
			t.Run(target, func(t *testing.T) { agree(t, tg, read(t, text)) })
		}
	}
}

func TestParametersAreReturnedInRandomOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		params := rapid.SliceOfN(rapid.SampledFrom([]string{"i32", "i64", "i1", "i16"}), 1, 8).Draw(rt, "params")
		results := rapid.SliceOfN(rapid.IntRange(0, len(params)-1), 1, 10).Draw(rt, "results")
		agree(t, named(t, rapid.SampledFrom([]string{"sm_70", "gfx900"}).Draw(rt, "target")), read(t, ret(params, results...)))
	})
}

func TestParametersAndResultsLieWhereTheConventionHasThem(t *testing.T) {
	places := func(target, text string) (params, results []int16) {
		nf := agree(t, named(t, target), read(t, text))
		for _, p := range nf.Params {
			params = append(params, nf.Phys[p])
		}
		for _, o := range nf.Blocks[0].Ret {
			results = append(results, nf.Phys[o.Reg])
		}
		return params, results
	}
	text := ret([]string{"i32", "i64", "i1", "i64"}, 1, 2, 3, 0)
	params, results := places("sm_70", text)
	require.Equal(t, []int16{4, 6, 8, 10}, params)
	require.Equal(t, []int16{4, 6, 8, 10}, results)
	params, results = places("gfx900", text)
	require.Equal(t, []int16{0, 1, 3, 4}, params)
	require.Equal(t, []int16{0, 2, 3, 5}, results)

	// The return address lies in R20 and R21.
	var words, order = []string{}, []int{}
	for i := range 20 {
		words, order = append(words, "i32"), append(order, 19-i)
	}
	params, results = places("sm_70", ret(words, order...))
	require.Equal(t, []int16{18, 19, 22, 23}, params[14:18])
	require.Equal(t, []int16{18, 19, 22, 23}, results[14:18])
	pairs := append([]string{"i32", "i32"}, words[:13]...)
	params, _ = places("sm_70", ret(append(pairs, "i64", "i64"), 15, 16, 0, 1))
	require.Equal(t, []int16{22, 24}, params[15:17])
}

func TestMoreParametersThanRegisters(t *testing.T) {
	words := make([]string, 300)
	for i := range words {
		words[i] = "i32"
	}
	_, err := compile(named(t, "sm_70"), read(t, ret(words, 299)))
	require.ErrorContains(t, err, "more general registers than there are")
}

// live is a function in which n values of a type are alive at once.
func live(ty string, n int) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "define %s @f(%s %%a, %s %%b) {\n  %%v0 = add %s %%a, %%b\n", ty, ty, ty, ty)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&sb, "  %%v%d = xor %s %%v%d, %d\n", i, ty, i-1, 77*i)
	}
	fmt.Fprintf(&sb, "  %%s0 = mul %s %%v0, %%v0\n", ty)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&sb, "  %%p%d = mul %s %%v%d, %%s%d\n  %%s%d = add %s %%p%d, %%v%d\n", i, ty, i, i-1, i, ty, i, i)
	}
	fmt.Fprintf(&sb, "  ret %s %%s%d\n}\n", ty, n-1)
	return sb.String()
}

// predicates is a function in which n predicates are alive at once.
func predicates(n int) string {
	var sb strings.Builder
	sb.WriteString("define i32 @f(i32 %a, i32 %b) {\n")
	for i := range n {
		fmt.Fprintf(&sb, "  %%p%d = icmp ugt i32 %%a, %d\n", i, 1000*i)
	}
	fmt.Fprintf(&sb, "  %%s0 = add i32 %%a, %%b\n")
	for i := range n {
		fmt.Fprintf(&sb, "  %%m%d = mul i32 %%s%d, %%s%d\n  %%s%d = select i1 %%p%d, i32 %%m%d, i32 %%b\n", i, i, i, i+1, i, i)
	}
	fmt.Fprintf(&sb, "  ret i32 %%s%d\n}\n", n)
	return sb.String()
}

// rotating is a loop around which n bits change places.
func rotating(n int) string {
	var sb strings.Builder
	sb.WriteString("define i32 @f(i32 %n, i32 %x) {\nentry:\n")
	for i := range n {
		fmt.Fprintf(&sb, "  %%s%d = lshr i32 %%x, %d\n  %%x%d = trunc i32 %%s%d to i1\n", i, i, i, i)
	}
	sb.WriteString("  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n")
	for i := range n {
		fmt.Fprintf(&sb, "  %%a%d = phi i1 [ %%x%d, %%entry ], [ %%a%d, %%loop ]\n", i, i, (i+1)%n)
	}
	sb.WriteString("  %j = add i32 %i, 1\n  %more = icmp ult i32 %j, %n\n  br i1 %more, label %loop, label %exit\nexit:\n  %r0 = add i32 %x, 0\n")
	for i := range n {
		fmt.Fprintf(&sb, "  %%t%d = shl i32 %%r%d, 1\n  %%r%d = select i1 %%a%d, i32 %%t%d, i32 %%r%d\n", i, i, i+1, i, i, i)
	}
	fmt.Fprintf(&sb, "  ret i32 %%r%d\n}\n", n)
	return sb.String()
}

func TestManyValuesAreAliveAtOnce(t *testing.T) {
	for _, tt := range []struct {
		target, text, err string
	}{
		{"sm_70", live("i64", 100), ""},
		{"sm_70", live("i64", 200), "general registers"},
		{"sm_70", live("i32", 200), ""},
		{"sm_70", live("i32", 260), "general registers"},
		{"sm_70", predicates(6), ""},
		{"sm_70", predicates(9), ""},
		{"sm_70", predicates(60), ""},
		{"sm_52", predicates(30), ""},
		{"sm_20", predicates(30), ""},
		{"sm_70", rotating(12), ""},
		{"sm_52", rotating(9), ""},
		{"gfx900", live("i64", 50), ""},
		{"gfx900", predicates(12), ""},
		{"gfx900", predicates(40), ""},
	} {
		src := read(t, tt.text)
		if tt.err == "" {
			agree(t, named(t, tt.target), src)
			continue
		}
		_, err := compile(named(t, tt.target), src)
		require.ErrorContains(t, err, "f needs more "+tt.err+" than there are")
	}
}

func TestValuesThatChangePlacesInLoops(t *testing.T) {
	for _, ty := range []string{"i32", "i64", "i16", "i1"} {
		agree(t, named(t, "sm_70"), read(t, strings.ReplaceAll(`define { T, T, T } @f(i32 %n, T %x, T %y, T %z) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi T [ %x, %entry ], [ %b, %loop ]
  %b = phi T [ %y, %entry ], [ %c, %loop ]
  %c = phi T [ %z, %entry ], [ %a, %loop ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  %r0 = insertvalue { T, T, T } undef, T %a, 0
  %r1 = insertvalue { T, T, T } %r0, T %b, 1
  %r2 = insertvalue { T, T, T } %r1, T %c, 2
  ret { T, T, T } %r2
}`, "T", ty)))
	}
}

func TestAComplementedPredicateRoundALoop(t *testing.T) {
	agree(t, named(t, "sm_70"), read(t, `define { i1, i1 } @f(i32 %n, i1 %x, i1 %y) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi i1 [ %x, %entry ], [ %na, %loop ]
  %b = phi i1 [ %y, %entry ], [ %nb, %loop ]
  %na = xor i1 %a, true
  %nb = xor i1 %a, true
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  %r0 = insertvalue { i1, i1 } undef, i1 %a, 0
  %r1 = insertvalue { i1, i1 } %r0, i1 %b, 1
  ret { i1, i1 } %r1
}`))
}

func TestAValueOfTheLastRoundOutlivesTheLoop(t *testing.T) {
	agree(t, named(t, "sm_70"), read(t, `define i64 @f(i32 %n, i64 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi i64 [ %x, %entry ], [ %b, %loop ]
  %b = mul i64 %a, 3
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = sub i64 %b, %a
  ret i64 %r
}`))
}

func TestPairsThatAreMadeOfHalvesInLoops(t *testing.T) {
	agree(t, named(t, "sm_70"), read(t, `define { i64, i64 } @f(i32 %n, i32 %x, i64 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %lo = phi i32 [ %x, %entry ], [ %hi, %loop ]
  %p = phi i64 [ %k, %entry ], [ %q, %loop ]
  %q = call i64 asm "mov.b64 $0, {$1, $2};", "=l,r,r"(i32 %lo, i32 %i)
  %hi = call i32 asm "{ .reg .u32 t; mov.b64 {t, $0}, $1; }", "=r,l"(i64 %p)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  %r0 = insertvalue { i64, i64 } undef, i64 %p, 0
  %r1 = insertvalue { i64, i64 } %r0, i64 %q, 1
  ret { i64, i64 } %r1
}`))
}

// Random functions, through selection and allocation, on native registers.
func TestRandomFunctionsComputeTheSameInRegisters(t *testing.T) {
	sm70, gfx900 := named(t, "sm_70"), named(t, "gfx900")
	rapid.Check(t, func(rt *rapid.T) {
		tg, shape := sm70, rapid.SampledFrom([]irtest.Shape{irtest.Straight, irtest.Acyclic, irtest.Loops}).Draw(rt, "shape")
		if shape == irtest.Straight && rapid.Bool().Draw(rt, "amd") {
			tg = gfx900
		}
		src := irtest.Narrow(irtest.Funcs(shape).Draw(rt, "f"))
		nf, err := compile(tg, src)
		if err != nil {
			if strings.Contains(err.Error(), "than there are") {
				rt.Skip(err)
			}
			rt.Fatalf("%v\n%s", err, src)
		}
		mm, err := eval.CheckLowering(src, nf, tg.Machine, 60, 5)
		if err != nil || mm != nil {
			rt.Fatalf("%v %v\n%s", err, mm, src)
		}
		legal(rt, tg, nf)
	})
}

// pressure is a random function of one block with many values alive: products
// and sums with carries of words and pairs, all of them returned or added up.
func pressure(rt *rapid.T) *ir.Func {
	f := ir.NewFunc("f")
	b := f.Blocks[0]
	pools := map[int][]*ir.Value{}
	for i := range 6 {
		w := []int{32, 64}[i%2]
		pools[w] = append(pools[w], f.Param(fmt.Sprint("p", i), w))
	}
	pools[1] = append(pools[1], f.Const(sem.U(1), 1))
	pick := func(w int) *ir.Value {
		return pools[w][rapid.IntRange(max(0, len(pools[w])-40), len(pools[w])-1).Draw(rt, "operand")]
	}
	forms := []ptx.Form{
		{Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U32}, {Op: ptx.Mul, Mode: ptx.Wide, T: ptx.S32}, {Op: ptx.Madc, Mode: ptx.Lo, CC: true, T: ptx.U32},
		{Op: ptx.Madc, Mode: ptx.Hi, T: ptx.U64}, {Op: ptx.Add, CC: true, T: ptx.U64}, {Op: ptx.Subc, CC: true, T: ptx.U32},
		{Op: ptx.Mov, T: ptx.B64, Pack: 2}, {Op: ptx.Mov, T: ptx.B64, Pack: -2}, {Op: ptx.Selp, T: ptx.B64}, {Op: ptx.Mad24, Mode: ptx.Hi, T: ptx.U32},
	}
	for range rapid.IntRange(10, 120).Draw(rt, "length") {
		form := rapid.SampledFrom(forms).Draw(rt, "form")
		var args []*ir.Value
		for _, w := range ir.ArgWidths(form) {
			args = append(args, pick(w))
		}
		for _, v := range b.PTX(form, args...) {
			pools[v.W] = append(pools[v.W], v)
		}
	}
	var out []*ir.Value
	for _, w := range []int{64, 32, 1} {
		vs := pools[w]
		n := rapid.IntRange(0, min(6, len(vs))).Draw(rt, "returned")
		out = append(out, vs[len(vs)-n:]...)
		sum := vs[0]
		for _, v := range vs {
			sum = b.New(ir.Xor, w, b.New(ir.Add, w, sum, sum), v)
		}
		out = append(out, sum)
	}
	for _, v := range out {
		f.Results = append(f.Results, v.W)
	}
	b.Ret(out...)
	return f
}

func TestRegisterPressure(t *testing.T) {
	sm70, gfx900 := named(t, "sm_70"), named(t, "gfx900")
	full, tight := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		src := pressure(rt)
		for _, tg := range []*isel.Target{sm70, gfx900} {
			nf, err := compile(tg, src)
			if err != nil {
				require.ErrorContains(t, err, "registers than there are")
				full++
				continue
			}
			mm, err := eval.CheckLowering(src, nf, tg.Machine, 100, 5)
			if err != nil || mm != nil {
				rt.Fatalf("%s: %v %v\n%s", tg.Name, err, mm, src)
			}
			legal(rt, tg, nf)
			if nf.Registers(tg.Machine) > 60 {
				tight++
			}
		}
	})
	require.NotZero(t, tight)
	t.Logf("%d functions with more than 60 registers, %d that have too many", tight, full)
}

func TestConstantsThatArePhisOfNarrowValues(t *testing.T) {
	for _, ty := range []string{"i1", "i8", "i16", "i33"} {
		agree(t, named(t, "sm_70"), read(t, strings.ReplaceAll(`define i1 @f(i1 %p, T %x) {
entry:
  br i1 %p, label %a, label %b
a:
  br label %b
b:
  %v = phi T [ -1, %entry ], [ 0, %a ]
  %r = icmp eq T %v, %x
  ret i1 %r
}`, "T", ty)))
	}
}

func TestBranchesOneAfterTheOtherNeedNoMoreRegistersThanOne(t *testing.T) {
	var sb strings.Builder
	sb.WriteString("define i32 @f(i32 %a0, i32 %b, i1 %p) {\nentry:\n" +
		"  %a1 = call i32 asm sideeffect \"add.cc.u32 $0, $1, $2;\", \"=r,r,r\"(i32 %a0, i32 %b)\n  br label %h1\n")
	const n = 30
	for i := 1; i < n; i++ {
		fmt.Fprintf(&sb, `h%[1]d:
  br i1 %%p, label %%y%[1]d, label %%h%[2]d
y%[1]d:
  %%c%[1]d = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %%a%[1]d, i32 %%b)
  br label %%h%[2]d
`, i, i+1)
	}
	text := sb.String()
	for i := 2; i <= n; i++ { // the phis
		text = strings.Replace(text, fmt.Sprintf("h%d:\n", i), fmt.Sprintf("h%[1]d:\n  %%a%[1]d = phi i32 [ %%a%[2]d, %%h%[2]d ], [ %%c%[2]d, %%y%[2]d ]\n", i, i-1), 1)
	}
	text += fmt.Sprintf("h%[1]d:\n  %%a%[1]d = phi i32 [ %%a%[2]d, %%h%[2]d ], [ %%c%[2]d, %%y%[2]d ]\n", n, n-1) +
		"  %r = call i32 asm sideeffect \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %a30)\n  ret i32 %r\n}\n"
	nf := agree(t, named(t, "sm_70"), read(t, text))
	require.Less(t, nf.Registers(named(t, "sm_70").Machine), 8)
}
