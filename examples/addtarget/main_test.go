package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

func TestEveryRuleIsUsedAndProved(t *testing.T) {
	tg := rv32im()
	used := map[string]bool{}
	for _, f := range ptx.Behaviours() {
		if !tg.Has(f) {
			continue
		}
		c, err := tg.Choose(f, ptx.ISA, nil)
		require.NoError(t, err)
		used[c.Rule.Name] = true
		r := prove.Equal(ptxlower.RuleGoal(sem.NewBuilder(), tg, c, ptx.ISA), prove.Options{})
		require.Equal(t, prove.Proved, r.Status, "%s: %s %s", f.Name(), r.Reason, r.Counterexample)
	}
	require.Len(t, used, len(tg.Rules))
}

func TestTheDocumentationShowsWhatThisPrints(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "docs", "adding-a-target.md"))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "$ go run ./examples/addtarget '")
	require.True(t, ok)
	body, rest, _ := strings.Cut(rest, "'\n")
	want, rest, _ := strings.Cut(rest, "```")
	var sb strings.Builder
	require.NoError(t, run(rv32im(), body, &sb))
	require.Equal(t, want, sb.String())

	_, rest, ok = strings.Cut(rest, "```text\n")
	require.True(t, ok)
	want, _, _ = strings.Cut(rest, "```")
	require.Equal(t, strings.TrimSpace(want), run(forgetful(), "addc.cc.u32 d, a, b", &sb).Error())
}

// forgetful has a rule that forgets the carry of a + b.
func forgetful() *isel.Target {
	tg := rv32im()
	tg.Rules = slices.Clone(tg.Rules)
	s := add.Of(mach.Arg(0), mach.Arg(1))
	d := add.Of(s, mach.Arg(2))
	i := slices.IndexFunc(tg.Rules, func(r isel.Rule) bool { return r.Name == "addc.cc.{u,s}32" })
	tg.Rules[i].Out = []mach.Expr{d, sltu.Of(d, mach.Arg(2))}
	return tg
}

func TestBadInputIsAnError(t *testing.T) {
	for body, want := range map[string]string{
		"add.cc.u33 d, a, b":            "no modifier '.u33'",
		"vmad.s32.s32.s32 d, a, b, c":   "rv32im has no rule for vmad.s32.s32.s32",
		"mul.lo.u64 d, a, b":            "rv32im has no rule for mul.lo.u64",
		"":                              "no instruction",
		"add.u32 d, a, b; frob.u32 e,d": "frob",
	} {
		var sb strings.Builder
		err := run(rv32im(), body, &sb)
		require.ErrorContains(t, err, want, body)
		require.Empty(t, sb.String())
	}
}
