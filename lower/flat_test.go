package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

// flat reads text that stands alone.
func flat(text string) (*lower.Flat, []diag.Diagnostic) {
	var l diag.List
	file := diag.NewFile("t.ptx", []byte(text))
	body := ptx.ParseFlat(file.Text, func(sev diag.Severity, id string, sp diag.Span, format string, args ...any) {
		l.Add(sev, id, file, sp, format, args...)
	}, ptx.OptionalSemicolon)
	return lower.FromFlat(file, body, ptx.ISA, &l), l.All
}

func TestTextThatStandsAlone(t *testing.T) {
	for _, tt := range []struct {
		text            string
		params, results []string
		in              []int64
		want            []uint64
	}{
		{"add.cc.u32 x, a, b; addc.u32 y, 0, 0", []string{"a", "b"}, []string{"x", "y", "cf"}, []int64{-1, 1}, []uint64{0, 1, 1}},
		{"addc.cc.u32 x, b, a", []string{"b", "a", "cf"}, []string{"x", "cf"}, []int64{5, 6, 1}, []uint64{12, 0}},
		{"mul.wide.u32 d, a, a; add.u64 d, d, e", []string{"a", "e"}, []string{"d"}, []int64{3, 1}, []uint64{10}},
		{"add.u32 a, a, 1; add.u32 a, a, 1", []string{"a"}, []string{"a"}, []int64{3}, []uint64{5}},
		{"setp.lt.u32 p, a, 5; @p mov.u32 d, 1; @!p mov.u32 d, 2", []string{"a", "d"}, []string{"p", "d"}, []int64{9, 0}, []uint64{0, 2}},
		{"@p add.u32 d, a, 1", []string{"a", "p", "d"}, []string{"d"}, []int64{1, 0, 7}, []uint64{7}},
		{"mov.b32 {l, h}, a; mad.wide.u16 d, l, h, a", []string{"a"}, []string{"l", "h", "d"}, []int64{0x20003}, []uint64{3, 2, 0x20009}},
		{"@p add.cc.u32 d, a, b; addc.u32 e, 0, 0", []string{"a", "b", "p", "d", "cf"}, []string{"d", "e", "cf"}, []int64{1, 2, 0, 9, 1}, []uint64{9, 1, 1}},
		{"cvt.u32.u8 d, a", []string{"a"}, []string{"d"}, []int64{0x1ff}, []uint64{0xff}},
		{"mov.b32 {_, h}, a", []string{"a"}, []string{"h"}, []int64{0x20003}, []uint64{2}},
	} {
		fl, ds := flat(tt.text)
		require.Empty(t, ds, tt.text)
		require.NoError(t, ir.Verify(fl.Func), tt.text)
		require.Equal(t, tt.params, fl.Params, tt.text)
		require.Equal(t, tt.results, fl.Results, tt.text)
		require.Equal(t, tt.want, run(t, fl.Func, tt.in...), tt.text)
		require.NotEmpty(t, fl.Insts)
	}
}

func TestTextThatStandsAloneAndIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"add.u32 d, a, b; add.u64 e, d, d":       "error ptx-operand-type: d",
		"setp.lt.u32 p, a, b; add.u32 d, p, 1":   "error ptx-operand-type: p",
		"vadd.s32.s32.s32 d, a, b":               "error asm-unknown: vadd.s32.s32.s32",
		"ld.global.u32 d, [a]":                   "error asm-unknown: ld.global.u32",
		"add.u32 d, a, b; @d add.u32 e, a, b":    "error ptx-operand-type: d",
		"sub.cc.u32 d, a, b; addc.u32 e, a, b":   "warning cc-mixed: addc.u32",
		"add.u32 d, a, b; mul.wide.u32 d, a, b;": "error ptx-operand-type: d",
	} {
		fl, ds := flat(text)
		require.Equal(t, []string{want}, shown(ds), text)
		require.Equal(t, want[:4] == "warn", fl != nil, text)
	}
}
