package mach

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResultsOfAnEarlyClobberKeepOffItsInputsAndWhatIsBehindThem(t *testing.T) {
	wide := &Op{Name: "wide", Out: []Class{words}, In: []Kind{{Class: word}, {Class: word}}, Meaning: add.Meaning}
	place := func(early bool) int16 {
		wide.EarlyClobber = early
		f, b := function([]Class{word, word, word})
		d := f.NewReg(words, "")
		b.emit(wide, []Operand{f.R(d)}, f.R(f.Params[0]), f.R(f.Params[2]))
		b.Ret = []Operand{f.R(f.Params[1]), f.R(d)}
		m := *toy
		m.PairAlign = 1
		m.Params = 0
		require.NoError(t, f.Allocate(&m))
		return f.Phys[d]
	}
	require.Equal(t, int16(2), place(false), "it may lie on the third parameter")
	require.Equal(t, int16(4), place(true), "not on it, nor on the register behind it")
}
