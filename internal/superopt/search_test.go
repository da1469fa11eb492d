package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

func searched(t *testing.T, target, text string, ops int) *search {
	info, err := targets.Find(target)
	require.NoError(t, err)
	f, err := form(text, ptx.ISA)
	require.NoError(t, err)
	s, err := newSearch(info.Target, f, ptx.ISA, []uint64{0, 8, 24})
	require.NoError(t, err)
	s.run(ops)
	return s
}

func TestKnownSequencesAreFound(t *testing.T) {
	for _, tt := range []struct {
		target, form, text string
		ops                int
	}{
		{"gfx900", "mad24.lo.u32", "v_mad_u32_u24(a, b, c)", 1},
		{"gfx900", "mad.hi.u32", "v_add_u32(v_mul_hi_u32(a, b), c)", 2},
		{"sm_20", "vmad.s32.s32.s32 d, a.h0, b.b1, c", "VMAD.S16.S8(a, b, c)", 1},
	} {
		s := searched(t, tt.target, tt.form, tt.ops)
		var texts []string
		for _, q := range s.Found {
			require.LessOrEqual(t, q.Ops, tt.ops)
			texts = append(texts, q.Text)
		}
		require.Contains(t, texts, tt.text, "of %d", s.Tried)
	}
}

func TestNothingIsFoundThatIsNotThere(t *testing.T) {
	require.Empty(t, searched(t, "gfx900", "mad.hi.u32", 1).Found)
}

func TestOnlyWordsCanBeSearchedFor(t *testing.T) {
	for _, text := range []string{"mul.wide.u32", "add.cc.u32", "mad.lo.u64", "mul.lo.u16"} {
		info, err := targets.Find("sm_70")
		require.NoError(t, err)
		f, err := form(text, ptx.ISA)
		require.NoError(t, err)
		_, err = newSearch(info.Target, f, ptx.ISA, nil)
		require.ErrorContains(t, err, "is not a function of words to a word")
	}
	require.Error(t, find("generic", "isa", 1, common, []string{"add.u32"}))
	require.Error(t, find("sm_70", "isa", 1, common, []string{"frob"}))
}
