package main

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

// withRule is a target whose table begins with another rule.
func withRule(t *testing.T, name string, r isel.Rule) *isel.Target {
	info, err := targets.Find(name)
	require.NoError(t, err)
	of := info.Target
	return &isel.Target{
		Name: of.Name, Family: of.Family, Features: of.Features, Machine: of.Machine,
		Rules: slices.Concat(isel.Table{r}, of.Rules), Print: of.Print, Line: of.Line, Dialect: of.Dialect,
	}
}

// op is an operation on words that exists for these tests only.
func op(t *testing.T, name string, of *isel.Target, inputs int, meaning func(b *sem.Builder, in []*sem.Term) *sem.Term) *mach.Op {
	word, ok := of.Machine.ClassOf(32)
	require.True(t, ok)
	return &mach.Op{
		Name: name, Out: []mach.Class{word}, In: slices.Repeat([]mach.Kind{{Class: word}}, inputs),
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{meaning(b, in)} },
	}
}

// proves runs the command's work on one target.
func proves(t *testing.T, target *isel.Target, forms ...string) (code int, stdout, stderr string) {
	var errs bytes.Buffer
	c := &command{err: &errs}
	fs, err := pick(ptx.Behaviours(), forms)
	require.NoError(t, err)
	p := proving{c: c, cache: prove.NewCache(), written: map[string]int{}}
	require.NoError(t, p.targets([]*isel.Target{target}, fs, []ptx.Model{ptx.ISA}))
	var e *exit
	if errors.As(p.verdict(), &e) {
		code = e.code
	}
	return code, c.out.String(), errs.String()
}

// A rule of a kind that people write: mad.hi.s32 by the unsigned product, with
// the correction for one of the two signs.
func TestABrokenRuleIsRefutedWithATableOfValues(t *testing.T) {
	info, err := targets.Find("sm_70")
	require.NoError(t, err)
	hi := op(t, "HI", info.Target, 3, func(b *sem.Builder, in []*sem.Term) *sem.Term {
		p := b.Mul(b.Zext(in[0], 64), b.Zext(in[1], 64))
		return b.Add(b.Bits(p, 63, 32), in[2])
	})
	fix := op(t, "FIX", info.Target, 2, func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Ite(b.Slt(in[0], b.U(0, 32)), in[1], b.U(0, 32))
	})
	sub := op(t, "SUB", info.Target, 2, func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[0], in[1]) })
	once := sub.Of(hi.Of(mach.Arg(0), mach.Arg(1), mach.Arg(2)), fix.Of(mach.Arg(0), mach.Arg(1)))
	twice := sub.Of(once, fix.Of(mach.Arg(1), mach.Arg(0)))

	code, stdout, stderr := proves(t, withRule(t, "sm_70", isel.R("mad.hi.s32", 0, once).Named("one sign")), "mad.hi.s32")
	require.Equal(t, exitCounterexample, code)
	require.Regexp(t, `^sm_70  isa    mad\.hi\.s32 +(vectors|directed|solution) \(one sign\) [0-9.]+ ms\n$`, stdout)
	require.Regexp(t, `^ptxlower: error: rule one sign of sm_70 is wrong for mad\.hi\.s32
  a         0x[0-9a-f]{8}
  b         0x[0-9a-f]{8}
  c         0x00000000
  expected  0x[0-9a-f]{8}
  got       0x[0-9a-f]{8}
sm_70: 1 goals in `, stderr)

	code, stdout, _ = proves(t, withRule(t, "sm_70", isel.R("mad.hi.s32", 0, twice).Named("both signs")), "mad.hi.s32")
	require.Equal(t, exitDone, code)
	require.Contains(t, stdout, "polynomial (both signs)")
}

// What nobody can decide is named, and the exit code says so.
func TestAnUndecidedRuleIsNamed(t *testing.T) {
	info, err := targets.Find("sm_70")
	require.NoError(t, err)
	// The product as a difference of squares, (s² − d²) / 4 with s = a + b written
	// as (a ^ b) + 2·(a & b): right, but no law says so.
	squares := op(t, "SQ", info.Target, 3, func(b *sem.Builder, in []*sem.Term) *sem.Term {
		x, y := b.Xor(in[0], in[1]), b.And(in[0], in[1])
		w := func(t *sem.Term) *sem.Term { return b.Zext(t, 66) }
		s := b.Add(w(x), b.ShlK(w(y), 1))
		d := b.Sub(w(in[0]), w(in[1]))
		q := b.Sub(b.Mul(s, s), b.Mul(d, d))
		return b.Add(b.Bits(q, 33, 2), in[2])
	})
	code, stdout, stderr := proves(t, withRule(t, "sm_70", isel.R("mad.lo.u32", 0, squares.Of(mach.Arg(0), mach.Arg(1), mach.Arg(2))).Named("squares")), "mad.lo.u32")
	require.Equal(t, exitUndecided, code)
	require.Regexp(t, `mad\.lo\.u32 +open \(squares\) `, stdout)
	require.Regexp(t, `^ptxlower: warning: rule squares of sm_70 for mad\.lo\.u32 is not proved: no answer after [0-9]+ conflicts\n`, stderr)
}
