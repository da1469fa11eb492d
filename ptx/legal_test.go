package ptx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// finding is a reported message, with a column counted from 1.
type finding struct {
	Sev  diag.Severity
	ID   string
	Col  int
	Text string
}

// listen collects what a parse reports, and checks that spans lie in the text.
func listen(t testing.TB, text string, into *[]finding) Report {
	return func(sev diag.Severity, id string, at diag.Span, format string, args ...any) {
		require.True(t, 0 <= at.Start && at.Start <= at.End && at.End <= len(text), "span %v in %q", at, text)
		*into = append(*into, finding{sev, id, at.Start + 1, fmt.Sprintf(format, args...)})
	}
}

// parseOne is the only instruction of a text without errors or warnings.
func parseOne(t testing.TB, text string) *Inst {
	var fs []finding
	body := ParseFlat([]byte(text), listen(t, text, &fs))
	require.Empty(t, fs, text)
	require.Len(t, body.Items, 1, text)
	require.Equal(t, ItemInst, body.Items[0].Kind)
	return body.Items[0].Inst
}

// The ids and columns that the rows of illegal.csv must have. A wrong word is at
// its first byte, a modifier at its dot; what is missing is at the place where
// it should stand.
var refusals = []struct {
	insn string
	id   string
	col  int
}{
	{"vmad.s32.s32 d, a, b, c;", "ptx-missing-type", 13},
	{"vmad.s32.s32.s32.s32 d, a, b, c;", "ptx-bad-type", 17},
	{"vmad.u64.u32.u32 d, a, b, c;", "ptx-bad-type", 5},
	{"vmad.b32.u32.u32 d, a, b, c;", "ptx-bad-type", 5},
	{"vmad.s16.s16.s16 d, a, b, c;", "ptx-bad-type", 5},
	{"vmad.f32.s32.u32 d, a, b, c;", "ptx-bad-type", 5},
	{"vmad.s32.s32.s32.shr8 d, a, b, c;", "ptx-bad-modifier", 17},
	{"vmad.s32.s32.s32.shr7.shr15 d, a, b, c;", "ptx-bad-modifier", 22},
	{"vmad.s32.s32.s32.wrap d, a, b, c;", "ptx-bad-modifier", 17},
	{"vmad.s32.s32.s32.add d, a, b, c;", "ptx-bad-modifier", 17},
	{"vmad.s32.s32.s32.cc d, a, b, c;", "ptx-bad-modifier", 17},
	{"vmad.s32.s32.s32 d.b0, a, b, c;", "ptx-selector", 19},
	{"vmad.s32.s32.s32 d, a, b, c.h0;", "ptx-selector", 28},
	{"vmad.s32.s32.s32 d, a.b4, b, c;", "ptx-selector", 22},
	{"vmad.s32.s32.s32 d, a.h2, b, c;", "ptx-selector", 22},
	{"vmad.s32.s32.s32 d, a.h10, b, c;", "ptx-selector", 22},
	{"vmad.s32.s32.s32 d, a.x, b, c;", "ptx-selector", 22},
	{"vmad.s32.s32.s32 d, 5.b0, b, c;", "ptx-selector", 22},
	{"vmad.s32.s32.s32 -d, a, b, c;", "ptx-negation", 18},
	{"vmad.s32.s32.s32 d, -a, b, -c;", "ptx-negation", 28},
	{"vmad.s32.s32.s32 d, a, -b, -c;", "ptx-negation", 28},
	{"vmad.s32.s32.s32.po d, -a, b, c;", "ptx-negation", 24},
	{"vmad.s32.s32.s32.po d, a, b, -c;", "ptx-negation", 30},
	{"vmad.s32.s32.s32 d, a, b;", "ptx-operand-count", 25},
	{"vmad.s32.s32.s32 d, a, b, c, e;", "ptx-operand-count", 30},
	{"vmad.s32.s32.s32 d, a, b, c", "ptx-missing-semicolon", 28},
	{"vmad.s32.s32.s32 5, a, b, c;", "ptx-immediate-dest", 18},
	{"vmad.s32.s32.s32 d, --a, b, c;", "ptx-negation", 22},
	{"VMAD.S32.S32.S32 d, a, b, c;", "ptx-lower-case", 1},
	{"vmad2.s32.s32.s32 d, a, b, c;", "ptx-unknown-opcode", 1},
	{"vmad4.s32.s32.s32 d, a, b, c;", "ptx-unknown-opcode", 1},
	{"mad24.u32 d, a, b, c;", "ptx-missing-mode", 6},
	{"mad24.wide.u32 d, a, b, c;", "ptx-bad-modifier", 6},
	{"mad24.lo.sat.s32 d, a, b, c;", "ptx-bad-modifier", 9},
	{"mad24.hi.sat.u32 d, a, b, c;", "ptx-bad-type", 13},
	{"mad24.sat.hi.s32 d, a, b, c;", "ptx-misplaced-mode", 10},
	{"mad24.lo.s16 d, a, b, c;", "ptx-bad-type", 9},
	{"mad24.lo.u64 d, a, b, c;", "ptx-bad-type", 9},
	{"mad24.lo.b32 d, a, b, c;", "ptx-bad-type", 9},
	{"mad24.lo.cc.u32 d, a, b, c;", "ptx-bad-modifier", 9},
	{"mad24.lo.u32 d, a, b;", "ptx-operand-count", 21},
	{"mad24.lo.s32 d, -a, b, c;", "ptx-negation", 17},
	{"mad24.lo.u32 d, a.b0, b, c;", "ptx-selector", 18},
	{"mul24.lo.u32 d, a, b, c;", "ptx-operand-count", 23},
	{"mul24.wide.s32 d, a, b;", "ptx-bad-modifier", 6},
	{"mul24.hi.sat.s32 d, a, b;", "ptx-bad-modifier", 9},
	{"madc.u32 d, a, b, c;", "ptx-missing-mode", 5},
	{"madc.cc.u32 d, a, b, c;", "ptx-missing-mode", 5},
	{"mad.cc.u32 d, a, b, c;", "ptx-missing-mode", 4},
	{"madc.cc.hi.u32 d, a, b, c;", "ptx-misplaced-mode", 8},
	{"mad.cc.lo.u32 d, a, b, c;", "ptx-misplaced-mode", 7},
	{"madc.wide.u32 d, a, b, c;", "ptx-bad-modifier", 5},
	{"mad.wide.cc.u32 d, a, b, c;", "ptx-bad-modifier", 9},
	{"madc.hi.sat.s32 d, a, b, c;", "ptx-undocumented", 8},
	{"mad.hi.sat.cc.s32 d, a, b, c;", "ptx-bad-modifier", 11},
	{"madc.lo.u16 d, a, b, c;", "ptx-undocumented", 8},
	{"madc.lo.b32 d, a, b, c;", "ptx-bad-type", 8},
	{"madc.lo.u32 d, a, b;", "ptx-operand-count", 20},
	{"madc.hi.u32 d, -a, b, c;", "ptx-negation", 16},
	{"add.cc.u16 d, a, b;", "ptx-bad-type", 7},
	{"add.cc.b32 d, a, b;", "ptx-bad-type", 7},
	{"add.sat.cc.s32 d, a, b;", "ptx-bad-modifier", 8},
	{"addc.sat.s32 d, a, b;", "ptx-undocumented", 5},
	{"addc.u32 d, a;", "ptx-operand-count", 14},
	{"sub.cc.f32 d, a, b;", "ptx-bad-type", 7},
	{"subb.u32 d, a, b;", "ptx-unknown-opcode", 1},
	{"adc.u32 d, a, b;", "ptx-unknown-opcode", 1},
	{"mad.wide.u64 d, a, b, c;", "ptx-bad-type", 9},
	{"mad.lo.sat.s32 d, a, b, c;", "ptx-bad-modifier", 7},
	{"mad.hi.sat.u32 d, a, b, c;", "ptx-bad-type", 11},
	{"mad.s32 d, a, b, c;", "ptx-missing-mode", 4},
	{"mul.s32 d, a, b;", "ptx-missing-mode", 4},
	{"addc.s16 d, a, b;", "ptx-undocumented", 5},
	{"addc.u16 d, a, b;", "ptx-undocumented", 5},
	{"madc.lo.s16 d, a, b, c;", "ptx-undocumented", 8},
	{"subc.s16 d, a, b;", "ptx-undocumented", 5},
	{"subc.u16 d, a, b;", "ptx-undocumented", 5},
}

func TestEveryIllegalSpellingIsRefusedAtItsOffence(t *testing.T) {
	rows := testutil.CSV(t, "spec/illegal.csv")
	require.Len(t, rows, len(refusals))
	for i, row := range rows {
		require.Equal(t, row["insn"], refusals[i].insn)
	}
	for _, r := range refusals {
		var fs []finding
		body := ParseFlat([]byte(r.insn), listen(t, r.insn, &fs))
		require.Empty(t, body.Items, r.insn)
		require.Len(t, fs, 1, "%s: %v", r.insn, fs)
		require.Equal(t, diag.Error, fs[0].Sev, r.insn)
		require.Equal(t, r.id, fs[0].ID, r.insn)
		require.Equal(t, r.col, fs[0].Col, "%s: %s", r.insn, fs[0].Text)
	}
}

func TestLenientSpellingsMeanTheCanonicalOneWithAWarning(t *testing.T) {
	rows := testutil.CSV(t, "spec/lenient.csv")
	require.Len(t, rows, 27)
	for _, row := range rows {
		var fs []finding
		insn := row["insn"]
		body := ParseFlat([]byte(insn), listen(t, insn, &fs))
		require.Len(t, fs, 1, insn)
		require.Equal(t, diag.Warning, fs[0].Sev, insn)
		id := "ptx-order"
		if strings.HasPrefix(row["why"], ".po") {
			id = "ptx-po"
		}
		require.Equal(t, id, fs[0].ID, insn)
		want := parseOne(t, row["means"])
		require.Equal(t, want.Form, body.Items[0].Inst.Form, insn)
		require.Equal(t, row["means"], body.Items[0].Inst.String())
	}
}

func TestLookupSortsMnemonics(t *testing.T) {
	for _, c := range []struct {
		mnemonic string
		class    Class
		id       string
		at       string // the text of the span
	}{
		{"mad24.hi.sat.s32", Exact, "", ""},
		{"cvt.sat.u8.s32", Exact, "", ""},
		{"setp.lo.and.u32", Exact, "", ""},
		{"cvt.u8.s32.sat", Lenient, "ptx-order", ".u8"},
		{"shf.l.b32.wrap", Lenient, "ptx-order", ".b32"},
		{"prmt.f4e.b32", Lenient, "ptx-order", ".f4e"},
		{"setp.u32.and.eq", Lenient, "ptx-order", ".u32"},
		{"bfind.shiftamt.shiftamt.u32", Lenient, "ptx-order", ".shiftamt"},
		{"add.f32", Opaque, "", ""},
		{"mul.rn.ftz.f32", Opaque, "", ""},
		{"mad.rn.f64", Opaque, "", ""},
		{"add.u16x2", Opaque, "", ""},
		{"mov.f32", Opaque, "", ""},
		{"mov.b128", Opaque, "", ""},
		{"mov.v2.u32", Opaque, "", ""},
		{"min.s32.relu", Opaque, "", ""},
		{"lop3.or.b32", Opaque, "", ""},
		{"cvt.rn.f32.u32", Opaque, "", ""},
		{"cvt.pack.sat.u8.s32.b32", Opaque, "", ""},
		{"set.eq.u32.f32", Opaque, "", ""},
		{"slct.b32.f32", Opaque, "", ""},
		{"bra", Opaque, "", ""},
		{"bra.uni", Opaque, "", ""},
		{"ld.global.u32", Opaque, "", ""},
		{"vadd.s32.s32.s32.sat.min", Opaque, "", ""},
		{"vset4.u32.u32.ne", Opaque, "", ""},
		{"fma.rn.f32", Opaque, "", ""},
		{"mma.sync", Opaque, "", ""},
		{"somethingelse.u32", Opaque, "", ""},
		{"", Opaque, "", ""},
		{"vmadd.s32.s32.s32", Refused, "ptx-unknown-opcode", "vmadd"},
		{"mad23.lo.u32", Refused, "ptx-unknown-opcode", "mad23"},
		{"sbb.u32", Refused, "ptx-unknown-opcode", "sbb"},
		{"umul.lo.u32", Refused, "ptx-unknown-opcode", "umul"},
		{"Bra", Refused, "ptx-lower-case", "Bra"},
		{"madc.lo.U32", Refused, "ptx-lower-case", ".U32"},
		{"and.u32", Refused, "ptx-bad-type", ".u32"},
		{"setp.lt.b32", Refused, "ptx-bad-type", ".b32"},
		{"cvt.sat.s32.u16", Refused, "ptx-bad-type", ".u16"},
		{"cvt.u32", Refused, "ptx-missing-type", ""},
		{"setp.u32", Refused, "ptx-missing-modifier", ""},
		{"shf.r.b32", Refused, "ptx-missing-modifier", ""},
		{"shf.b32", Refused, "ptx-missing-mode", ".b32"},
		{"shf.wrap.l.b32", Refused, "ptx-misplaced-mode", ".l"},
		{"shf.l.wrap.clamp.b32", Refused, "ptx-bad-modifier", ".clamp"},
		{"vmad.s32.s32.s32.po.po", Refused, "ptx-bad-modifier", ".po"},
		{"mad", Refused, "ptx-missing-mode", ""},
		{"mul.rn.u32", Refused, "ptx-bad-modifier", ".rn"},
		{"mul.lo.f32", Refused, "ptx-bad-type", ".f32"},
		{"add.lo.u32", Refused, "ptx-bad-modifier", ".lo"},
		{"subc.sat.s32", Refused, "ptx-undocumented", ".sat"},
		{"madc.hi.u16", Refused, "ptx-undocumented", ".u16"},
		{"addc.cc.u16", Refused, "ptx-bad-type", ".u16"},
	} {
		f := Lookup(c.mnemonic)
		require.Equal(t, c.class, f.Class, "%s: %s", c.mnemonic, f.Text)
		require.Equal(t, c.id, f.ID, c.mnemonic)
		require.Equal(t, c.at, c.mnemonic[f.At.Start:f.At.End], c.mnemonic)
		require.Equal(t, c.class == Exact || c.class == Lenient, f.Form.Op != BadOp, c.mnemonic)
	}
}

func TestLookupFindsEveryFormByItsName(t *testing.T) {
	for _, fs := range [][]Form{Forms(), neighbourForms()} {
		for _, f := range fs {
			got := Lookup(f.String())
			require.Equal(t, Finding{Form: f}, got)
		}
	}
}

// Whatever is cut from, added to or swapped in a legal mnemonic, Lookup gives a
// reason or the same instruction, never a different one in silence.
func TestNoWrongMnemonicIsExact(t *testing.T) {
	legal := map[string]bool{}
	for _, fs := range [][]Form{Forms(), neighbourForms()} {
		for _, f := range fs {
			legal[f.String()] = true
		}
	}
	for _, f := range Forms() {
		mods := strings.Split(f.String(), ".")
		for i := 1; i < len(mods); i++ {
			for _, with := range []string{"", "u32", "s32", "f32", "b32", "u64", "sat", "po", "cc", "shr7", "lo", "hi", "wide", "x"} {
				m := append(append([]string{}, mods[:i]...), mods[i+1:]...)
				if with != "" {
					m = append(append(append([]string{}, mods[:i]...), with), mods[i:]...)
				}
				s := strings.Join(m, ".")
				got := Lookup(s)
				require.Equal(t, legal[s], got.Class == Exact, s)
				switch got.Class {
				case Lenient:
					require.Equal(t, sorted(strings.Join(dedup(m), ".")), sorted(got.Form.String()), s)
				case Refused:
					require.NotEmpty(t, got.Text, s)
					require.LessOrEqual(t, got.At.End, len(s), s)
				}
			}
		}
	}
}

// dedup drops the repetitions that are allowed.
func dedup(mods []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range mods {
		if (m == "cc" || m == "sat") && seen[m] {
			continue
		}
		seen[m] = true
		out = append(out, m)
	}
	return out
}

func TestSuggestionsKeepTheOpcodeAndTheModifiers(t *testing.T) {
	for wrong, want := range map[string]string{
		"madc.cc.hi.u32":           "madc.hi.cc.u32",
		"mad24.sat.hi.s32":         "mad24.hi.sat.s32",
		"mad24.u32":                "mad24.lo.u32",
		"mad.lo.u23":               "mad.lo.u32",
		"subb.u32":                 "subc.u32",
		"adc.cc.u32":               "addc.cc.u32",
		"vmad4.s32.s32.s32":        "vmad.s32.s32.s32",
		"VMAD.S32.S32.S32":         "vmad.s32.s32.s32",
		"vmad.s32.s32.s32.shr8":    "vmad.s32.s32.s32.shr7",
		"vmad.s32.u32.s32.sat.po":  "vmad.s32.u32.s32.po.sat",
		"mad.hi.sat.u32":           "mad.hi.sat.s32",
		"shf.l.b32":                "shf.l.wrap.b32",
		"and.u32":                  "and.b32",
		"mul24.lo.u32":             "",
		"completelydifferent.f128": "",
	} {
		require.Equal(t, want, Suggest(wrong), wrong)
	}
}

func TestVideoSiblings(t *testing.T) {
	for _, s := range []string{"vadd", "vsub.s32.s32.s32", "vabsdiff", "vmin", "vmax", "vshl", "vshr.u32.u32.u32.clamp", "vset", "vadd2", "vavrg4", "vset4.u32.u32.ne"} {
		require.True(t, VideoSibling(s), s)
	}
	for _, s := range []string{"vmad", "vmad.s32.s32.s32", "add", "v", "", "vote"} {
		require.False(t, VideoSibling(s), s)
	}
}
