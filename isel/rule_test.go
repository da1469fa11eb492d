package isel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"add.u32", "add.u32", true},
		{"add.u32", "add.u3", false},
		{"add.u32", "add.u32x", false},
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "vmad.u32.u32.u32", true},
		{"vmad.*", "vmad.", true},
		{"vmad.*", "vma", false},
		{"*.u32", "mad.lo.u32", true},
		{"*.u32", "mad.lo.u32.x", false},
		{"a*b*c", "a1b2b3c", true},
		{"a*b*c", "acb", false},
		{"**", "x", true},
		{"add.{u,s}32", "add.u32", true},
		{"add.{u,s}32", "add.s32", true},
		{"add.{u,s}32", "add.b32", false},
		{"{lo,hi}.{u,s}{32,64}", "hi.s64", true},
		{"{lo,hi}.{u,s}{32,64}", "hi.s16", false},
		{"mad{c,}.lo", "mad.lo", true},
		{"mad{c,}.lo", "madc.lo", true},
		{"{a,ab}c", "abc", true},
		{"{a,ab}c", "ac", true},
		{"{add,sub}*.cc.*", "sub.cc.u32", true},
		{"{*,x}", "*", true},
		{"{*,x}", "y", false},
		{"a{b", "a{b", false},
		{"a}b", "a}b", true},
		{"lop3.b32 0x{8,9}?", "lop3.b32 0x8?", true},
	} {
		require.Equal(t, tt.want, isel.Match(tt.pattern, tt.name), "%q covers %q", tt.pattern, tt.name)
	}
}

func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		fact         isel.Fact
		text         string
		width        int
		yes, no      []sem.Val
		knownYes, un []sem.Facts // what is known, and whether it suffices
	}{
		{isel.Below(1, 32), "b <= 0x1f", 32, []sem.Val{sem.U(0), sem.U(31)}, []sem.Val{sem.U(32), sem.S(-1)}, nil, nil},
		{isel.FitsU(0, 24), "a <= 0xffffff", 32, []sem.Val{sem.U(0xffffff)}, []sem.Val{sem.U(0x1000000)}, nil, nil},
		{isel.FitsU(0, 64), "a <= 0xffffffffffffffff", 64, []sem.Val{sem.U(0), sem.S(-1)}, nil, nil, nil},
		{isel.FitsS(2, 16), "-0x8000 <= c <= 0x7fff", 32, []sem.Val{sem.U(0x7fff), sem.S(-0x8000)}, []sem.Val{sem.U(0x8000), sem.S(-0x8001)}, nil, nil},
		{isel.FitsS(0, 32), "-0x80000000 <= a <= 0x7fffffff", 32, []sem.Val{sem.S(-1 << 31), sem.U(0x7fffffff)}, nil, nil, nil},
		{isel.Is(3, 7), "e = 0x7", 32, []sem.Val{sem.U(7)}, []sem.Val{sem.U(6), sem.U(8)}, nil, nil},
		{isel.Is(1, 0), "b = 0x0", 1, []sem.Val{sem.U(0)}, []sem.Val{sem.U(1)}, nil, nil},
		{isel.Fact{Arg: 0, Min: 2, Max: 9}, "0x2 <= a <= 0x9", 8, []sem.Val{sem.U(2), sem.U(9)}, []sem.Val{sem.U(1), sem.U(10)}, nil, nil},
	} {
		require.Equal(t, tt.text, tt.fact.String())
		require.Equal(t, tt.no == nil, tt.fact.Holds(sem.Any(tt.width), tt.width), "of anything: %s", tt.fact)
		check := func(v sem.Val, want bool) {
			v = v.Cut(tt.width)
			require.Equal(t, want, tt.fact.Holds(sem.Exactly(v, tt.width), tt.width), "%s for %v", tt.fact, v)
			b := sem.NewBuilder()
			x := b.Var("x", tt.width)
			got := sem.Eval(tt.fact.Term(b, x), map[string]sem.Val{"x": v})
			require.Equal(t, want, got == sem.U(1), "the term of %s for %v", tt.fact, v)
		}
		for _, v := range tt.yes {
			check(v, true)
		}
		for _, v := range tt.no {
			check(v, false)
		}
	}
}

const (
	shifter ir.Features = 1 << iota
	multiplier
)

// addU32 and the others are forms that the toy target has rules for.
var (
	addU32 = ptx.Form{Op: ptx.Add, T: ptx.U32}
	addS32 = ptx.Form{Op: ptx.Add, T: ptx.S32}
	subU32 = ptx.Form{Op: ptx.Sub, T: ptx.U32}
	shlB32 = ptx.Form{Op: ptx.Shl, T: ptx.B32}
	addcc  = ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}
	addc   = ptx.Form{Op: ptx.Addc, CC: true, T: ptx.U32}
	wide   = ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U32}
)

// chosen is the name of the rule for a form of which some operands are constants.
func chosen(t *isel.Target, f ptx.Form, known ...sem.Facts) string {
	c, err := t.Choose(f, ptx.ISA, func(i int) sem.Facts {
		if i < len(known) {
			return known[i]
		}
		return sem.Any(ir.ArgWidths(f)[i])
	})
	if err != nil {
		return err.Error()
	}
	return c.Rule.Name
}

func TestTheFirstRuleThatFitsIsChosen(t *testing.T) {
	a, b := mach.Arg(0), mach.Arg(1)
	tg := &isel.Target{Name: "toy", Features: multiplier, Machine: toy, Rules: isel.Table{
		isel.R("add.u32", shifter, ADD.Of(a, b)).Named("needs a shifter"),
		isel.R("add.u32", 0, ADD.Of(a, b)).Without(multiplier).Named("needs no multiplier"),
		isel.R("add.u32", 0, a).If(isel.Is(1, 0)),
		isel.R("add.u32", 0, ADD.Of(a, b)).If(isel.Below(0, 16), isel.Below(1, 16)).Named("small"),
		isel.G("generated", "{add,sub}.*", 0, func(f ptx.Form, _ ptx.Model) []mach.Expr {
			if f.T.Signed() {
				return nil
			}
			return []mach.Expr{ADD.Of(a, b)}
		}),
		isel.R("*.s32", multiplier, ADD.Of(b, a)),
		isel.R("add.*", 0, ADD.Of(a, b)).Named("never"),
	}}
	zero, small, one := sem.Exactly(sem.U(0), 32), sem.Exactly(sem.U(9), 32), sem.Exactly(sem.U(1), 32)
	require.Equal(t, "generated", chosen(tg, addU32))
	require.Equal(t, "add.u32 if b = 0x0", chosen(tg, addU32, small, zero), "the first of two that fit")
	require.Equal(t, "small", chosen(tg, addU32, small, one))
	require.Equal(t, "generated", chosen(tg, addU32, sem.Any(32), one), "all facts must hold")
	require.Equal(t, "generated", chosen(tg, subU32))
	require.Equal(t, "*.s32", chosen(tg, addS32), "a generator may decline")
	require.Equal(t, "toy has no rule for shl.b32", chosen(tg, shlB32))

	c, err := tg.Choose(addU32, ptx.ISA, nil)
	require.NoError(t, err)
	require.Equal(t, "generated", c.Rule.Name, "without knowledge no fact holds")
	again, err := tg.Choose(addU32, ptx.ISA, nil)
	require.NoError(t, err)
	require.Same(t, c, again, "results are made once")
}

func TestAFactOfAnOperandThatThereIsNotDoesNotHold(t *testing.T) {
	tg := &isel.Target{Name: "toy", Machine: toy, Rules: isel.Table{isel.R("add.u32", 0, mach.Arg(0)).If(isel.Is(2, 0))}}
	require.Contains(t, chosen(tg, addU32, sem.Exactly(sem.U(0), 32), sem.Exactly(sem.U(0), 32)), "no rule")
}

func TestChoosingIsSafeForConcurrentUse(t *testing.T) {
	tg := target()
	done := make(chan error)
	for range 4 {
		go func() {
			var err error
			for _, f := range []ptx.Form{addU32, addcc, addc, wide, shlB32} {
				_, e := tg.Choose(f, ptx.ISA, nil)
				err = errors.Join(err, e)
			}
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
}

func TestFactsBelongToOneRuleOnly(t *testing.T) {
	base := isel.R("add.u32", 0, mach.Arg(0)).If(isel.Is(0, 0))
	x, y := base.If(isel.Is(1, 1)), base.If(isel.Is(1, 2))
	require.Len(t, base.When, 1)
	require.Equal(t, "add.u32 if a = 0x0 if b = 0x1", x.Name)
	require.Equal(t, fmt.Sprint([]isel.Fact{isel.Is(0, 0), isel.Is(1, 2)}), fmt.Sprint(y.When))
	require.Equal(t, fmt.Sprint([]isel.Fact{isel.Is(0, 0), isel.Is(1, 1)}), fmt.Sprint(x.When))
}
