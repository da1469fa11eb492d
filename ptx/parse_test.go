package ptx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
)

// parsed prints what ParseBody made of a text, after the messages: "id@col".
func parsed(t testing.TB, text string, flat bool, opts ...Option) (string, []string) {
	var fs []finding
	var body *Body
	if flat {
		body = ParseFlat([]byte(text), listen(t, text, &fs), opts...)
	} else {
		body = ParseBody([]byte(text), listen(t, text, &fs))
	}
	var ids []string
	for _, f := range fs {
		ids = append(ids, f.ID+"@"+string(rune('0'+f.Col/10))+string(rune('0'+f.Col%10)))
	}
	var lines []string
	for line := range strings.Lines(body.String()) {
		lines = append(lines, strings.TrimSpace(line))
	}
	for i, it := range body.Items {
		require.True(t, it.Span.Start < it.Span.End && it.Span.End <= len(text), text)
		if it.Inst != nil && it.Inst.Opaque {
			lines[i] = "opaque: " + lines[i]
		}
	}
	return strings.Join(lines, " "), ids
}

func TestBodiesOfRealCodeAreRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"mad.lo.cc.u32 $0, $1, $2, $3;", "mad.lo.cc.u32 $0, $1, $2, $3;"},
		{"add.cc.u64 $0, $2, $3;addc.u32 $1, 0, 0;", "add.cc.u64 $0, $2, $3; addc.u32 $1, 0, 0;"},
		{"add.u32 $42,${10},${9:b};", "add.u32 $42, $10, ${9:b};"},
		{"mul.lo.u32$0,$1,$2;", "mul.lo.u32 $0, $1, $2;"},
		{"{ .reg .pred %%taken;", "{ .reg .pred %taken;"},
		{"setp.ne.u32 %taken, $0, 0;", "setp.ne.u32 %taken, $0, 0;"},
		{"@%taken mov.b32 $0, $1;", "@%taken mov.b32 $0, $1;"},
		{"@!%%%taken mov.b32 $0, $1;", "@!%taken mov.b32 $0, $1;"},
		{"@ ! $3 mov.b32 $0, $1;", "@!$3 mov.b32 $0, $1;"},
		{"}", "}"},
		{"}{", "} {"},
		{"{\n\t.reg .u32 lo, hi; .reg.u32 %t<2>;\n\t/* high */ mul.hi.u32 hi, $1, $2; // it\n\tmov.b64 $0, {lo,hi};\r\n}",
			"{ .reg .u32 lo, hi; .reg .u32 %t<2>; mul.hi.u32 hi, $1, $2; mov.b64 $0, {lo, hi}; }"},
		{"$( .reg .pred p; setp.eq.u32 p$|_, $0, 5; mov.b64 $($0, _$), $2; $)",
			"{ .reg .pred p; setp.eq.u32 p|_, $0, 5; mov.b64 {$0, _}, $2; }"},
		{"L${:uid}: add.u32 $0,$0,1; @p bra L${:uid};", "L${:uid}: add.u32 $0, $0, 1; opaque: @p bra L${:uid};"},
		{"${:private}x: ret;", "${:private}x: opaque: ret;"},
		{"$$L1: bra $$L1; bra a$$b;", "$$L1: opaque: bra $$L1; opaque: bra a$$b;"},
		{"mov.u32 $0, $$x; ${:comment} the rest; of it\nret;", "mov.u32 $0, $$x; opaque: ret;"},
		{"vmad .s32 .s32/**/.s32 $0, - $1 .b0, $2\n.h1, - 5;", "vmad.s32.s32.s32 $0, -$1.b0, $2.h1, -5;"},
		{"vmad.u32.u32.u32 $0, -$1, -$2, -$3;", "vmad.u32.u32.u32 $0, -$1, -$2, -$3;"},
		{"mov.b64 {_,hi}, %clock64; mov.u32 a, %tid.x; mov.u32 b, %laneid;", "mov.b64 {_, hi}, %clock64; mov.u32 a, %tid.x; mov.u32 b, %laneid;"},
		{"mov.b32 d, {a,b,1,0x7f}; mov.b32 {a,b}, d;", "mov.b32 d, {a, b, 1, 127}; mov.b32 {a, b}, d;"},
		{"mov.b32 d, 0f3F800000; mov.b64 e, 0d3FF0000000000000;", "mov.b32 d, 0x3f800000; mov.b64 e, 0x3ff0000000000000;"},
		{"setp.lt.and.s32 p|q, a, b, !r; selp.b32 d, a, b, 7;", "setp.lt.and.s32 p|q, a, b, !r; selp.b32 d, a, b, 1;"},
		{"lop3.b32 d, a, 5, c, 0xE8;", "lop3.b32 d, a, 5, c, 0xe8;"},
		{".reg .v2 .b32 v; .reg .f32 f, g; .reg .align 8 .b64 x;", ".reg .v2.b32 v; .reg .f32 f, g; .reg .b64 x;"},
		{"mov.u64 $0, arr+8; mov.u32 $0, v.x; mov.b64 d, {v.x, v.y};", "opaque: mov.u64 $0, arr+8; opaque: mov.u32 $0, v.x; opaque: mov.b64 d, {v.x, v.y};"},
		{"ld.global.v2.u32 {$0,$1}, [$2+16]; st.u32 [a], 1;", "opaque: ld.global.v2.u32 {$0,$1}, [$2+16]; opaque: st.u32 [a], 1;"},
		{"call (r), f, (a, b); tex.2d.v4.f32.f32 {a,b,c,d}, [t, {x,y}];", "opaque: call (r), f, (a, b); opaque: tex.2d.v4.f32.f32 {a,b,c,d}, [t, {x,y}];"},
		{"vadd.s32.s32.s32.sat $0.b2, $1.b0, -$2.h1, $3;", "opaque: vadd.s32.s32.s32.sat $0.b2, $1.b0, -$2.h1, $3;"},
		{"ld.shared::cta.b32 a, [b];", "opaque: ld.shared::cta.b32 a, [b];"},
		{".pragma \"nounroll;\"; add.f32 a, 1.5, 0f00000000;", "opaque: .pragma \"nounroll;\"; opaque: add.f32 a, 1.5, 0f00000000;"},
		{"", ""},
		{" // only a comment", ""},
	} {
		got, ids := parsed(t, c.text, false)
		require.Empty(t, ids, c.text)
		require.Equal(t, c.want, got, c.text)
	}
}

func TestFlatTextHasDollarsInNames(t *testing.T) {
	got, ids := parsed(t, "$L1: mov.u32 $0, r$1; ret;", true)
	require.Empty(t, ids)
	require.Equal(t, "$L1: mov.u32 $0, r$1; opaque: ret;", got)
}

func TestOnlyTheLastSemicolonIsOptional(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"add.u32 d, a, b", "add.u32 d, a, b;"},
		{"add.u32 d, a, b ; sub.u32 e, d, 1 // done", "add.u32 d, a, b; sub.u32 e, d, 1;"},
		{"ret", "opaque: ret;"},
	} {
		got, ids := parsed(t, c.text, true, OptionalSemicolon)
		require.Empty(t, ids, c.text)
		require.Equal(t, c.want, got)
	}
	_, ids := parsed(t, "add.u32 d, a, b\nsub.u32 e, d, 1", true, OptionalSemicolon)
	require.Equal(t, []string{"ptx-missing-semicolon@16"}, ids)
	_, ids = parsed(t, "add.u32 d, a", true, OptionalSemicolon)
	require.Equal(t, []string{"ptx-operand-count@13"}, ids)
}

func TestErrorsPointAtTheOffendingToken(t *testing.T) {
	for _, c := range []struct{ text, ids string }{
		{"add.u32 a, b, %tid.x;", "ptx-special@15"},
		{"mov.u32 %laneid, b;", "ptx-special@09"},
		{"mov.b64 {%laneid, b}, c;", "ptx-special@10"},
		{"setp.eq.u32 p|%laneid, a, b;", "ptx-special@15"},
		{"add.u32 _, b, c;", "ptx-sink@09"},
		{"mov.u32 a, _;", "ptx-sink@12"},
		{"mov.b64 d, {a, _};", "ptx-sink@16"},
		{"mov.b64 {_, _}, d;", "ptx-sink@09"},
		{"setp.eq.u32 _|_, a, b;", "ptx-sink@15"},
		{"mov.b64 {a, 5}, d;", "ptx-immediate-dest@13"},
		{"add.u32 {a, b}, c, d;", "ptx-vector@09"},
		{"add.u32 a, {b, c}, d;", "ptx-vector@12"},
		{"mov.u64 a, {b, c};", "ptx-vector@12"},
		{"mov.b64 a, {b, c, d};", "ptx-vector@12"},
		{"mov.b64 {a, b}, {c, d};", "ptx-vector@17"},
		{"mov.b64 a, {b c};", "ptx-vector@15"},
		{"mov.b64 a, {b, {c}};", "ptx-vector@16"},
		{"mov.b64 a, {b, -c};", "ptx-negation@16"},
		{"mov.b64 a, {b.h0, c};", "ptx-selector@14"},
		{"mov.u32 a, -b;", "ptx-negation@12"},
		{"add.u32 a, !b, c;", "ptx-negation@12"},
		{"setp.eq.u32 ! p, a, b;", "ptx-negation@13"},
		{"vmad.s32.s32.s32 d, --5.b0, b, c;", "ptx-selector@24"},
		{"vmad.s32.s32.s32 d, a. b0, b, c;", "ptx-selector@22"},
		{"vmad.s32.s32.s32.po d, -a, -b, -c;", "ptx-negation@32"},
		{"add.u32 a|b, c, d;", "ptx-syntax@11"},
		{"add.u32 a, b|c, d;", "ptx-syntax@14"},
		{"lop3.b32 a, b, c, d, e;", "ptx-syntax@22"},
		{"add.u32 a b, c;", "ptx-syntax@11"},
		{"add.u32 a, , c;", "ptx-syntax@12"},
		{"add.u32 a, b, c,;", "ptx-syntax@17"},
		{"add.u32 a, b, (c);", "ptx-syntax@16"},
		{"add.u32 a, b, 5 + c;", "ptx-syntax@19"},
		{"add. u32 a, b, c;", "ptx-syntax@04"},
		{"add.u32 a, b, [c];", "ptx-syntax@15"},
		{"@p @q add.u32 a, b, c;", "ptx-syntax@04"},
		{"@p L: ret;", "ptx-syntax@04"},
		{"@5 ret;", "ptx-syntax@02"},
		{"@_ ret;", "ptx-syntax@02"},
		{"; ret;", "ptx-syntax@01"},
		{"% ret;", "ptx-syntax@01"},
		{"# ret;", "ptx-syntax@01"},
		{"%foo ret;", "ptx-syntax@01"},
		{"\x00\xff ret;", "ptx-syntax@01"},
		{"bra ,a;", "ptx-syntax@05"},
		{"ld.u32 a, ;", "ptx-syntax@11"},
		{"ret", "ptx-missing-semicolon@04"},
		{"{ ret }", "ptx-missing-semicolon@06"},
		{"add.u32 a, b, c /* no end", "ptx-syntax@17 ptx-missing-semicolon@16"},
		{".pragma \"no end;", "ptx-syntax@09"},
		{".loc 1 2 3;", "ptx-syntax@01"},
		{".reg u32 a;", "ptx-syntax@06"},
		{".reg .q32 a;", "ptx-bad-type@06"},
		{".reg .u32 5;", "ptx-syntax@11"},
		{".reg .u32 a = 5;", "ptx-syntax@13"},
		{".reg .u32 a<b>;", "ptx-syntax@13"},
		{".reg .u32 a<9999999>;", "ptx-syntax@13"},
		{"add.u32 a, b, 1.5;", "ptx-literal@15"},
		{"add.u32 a, b, 5e3;", "ptx-literal@15"},
		{"add.u32 a, b, 0f3F800000;", "ptx-literal@15"},
		{"mov.b64 a, 0f3F800000;", "ptx-literal@12"},
		{"add.u32 a, b, 08;", "ptx-literal@15"},
		{"add.u32 a, b, 0x;", "ptx-literal@15"},
		{"add.u32 a, b, 12u;", "ptx-literal@15"},
		{"add.u32 a, b, 0b12;", "ptx-literal@15"},
		{"add.u32 a, b, 18446744073709551616;", "ptx-literal@15"},
		{"add.u32 a, b, 7 / (2-2);", "ptx-literal@17"},
		{"add.u32 a, b, (7;", "ptx-syntax@15"},
		{"add.u32 a, b, (.u32)7;", "ptx-syntax@16"},
		{"add.u32 a, b, 1 ? 2;", "ptx-syntax@20"},
		{"add.u32 $0, $, $2;", "ptx-escape@13"},
		{"add.u32 $0, ${1, $2;", "ptx-escape@13"},
		{"add.u32 $0, ${1:}, $2;", "ptx-escape@13"},
		{"add.u32 $0, $99999999, $2;", "ptx-escape@13"},
		{"@$ ret;", "ptx-escape@02"},
		{"ld.u32 $0, [${z}];", "ptx-escape@13"},
		{"add.u32 %r$0, $1, $2;", "ptx-syntax@11"},
	} {
		got, ids := parsed(t, c.text, false)
		require.Equal(t, c.ids, strings.Join(ids, " "), c.text)
		require.NotContains(t, got, "add.u32", c.text)
	}
}

func TestAllErrorsOfABodyAreReportedAndTheRestIsRead(t *testing.T) {
	got, ids := parsed(t, "subb.u32 a,b,c; add.u32 a,b,c; mad.u32 a,b,c,d; x: mul.lo.u32 5,b,c;\n{ sub.u32 a,b; }", false)
	require.Equal(t, []string{"ptx-unknown-opcode@01", "ptx-missing-mode@35", "ptx-immediate-dest@63", "ptx-operand-count@83"}, ids)
	require.Equal(t, "add.u32 a, b, c; x: { }", got)
}

func TestAMissingSemicolonCostsOnlyItsInstruction(t *testing.T) {
	got, ids := parsed(t, "add.u32 a,b,c\nsub.u32 a,b,c; mul.lo.u32 a,b,c }", false)
	require.Equal(t, []string{"ptx-missing-semicolon@14", "ptx-missing-semicolon@46"}, ids)
	require.Equal(t, "sub.u32 a, b, c; }", got)
}

func TestModifierColumnsAreRightAcrossBlanks(t *testing.T) {
	for _, c := range []struct{ text, ids string }{
		{"vmad .s32 .s32 .s32 .sat .po d,a,b,c;", "ptx-order@21"},
		{"mad /* mode? */ .u32 d,a,b,c;", "ptx-missing-mode@17"},
		{"vmad.s32 /**/ .u64.s32 d,a,b,c;", "ptx-bad-type@15"},
	} {
		_, ids := parsed(t, c.text, false)
		require.Equal(t, c.ids, strings.Join(ids, " "))
	}
}

func TestSpansCoverInstructionNameAndOperands(t *testing.T) {
	const text = "  @!p vmad.s32.s32.s32 $0 , -$1 .b0, (1 + 2) , q /* c */ ;"
	var fs []finding
	in := ParseBody([]byte(text), listen(t, text, &fs)).Items[0].Inst
	require.Empty(t, fs)
	at := func(s diag.Span) string { return text[s.Start:s.End] }
	require.Equal(t, text[2:], at(in.Span))
	require.Equal(t, "vmad.s32.s32.s32", at(in.NameSpan))
	require.Equal(t, "p", at(in.Guard.Span))
	require.Equal(t, "$0", at(in.Dst[0].Span))
	require.Equal(t, "$1", at(in.Src[0].Span))
	require.Equal(t, "(1 + 2)", at(in.Src[1].Span))
	require.Equal(t, "q", at(in.Src[2].Span))
	require.Equal(t, Form{Op: Vmad, T: S32, A: S32, B: S32, NegA: true, SelA: B0}, in.Form)
	require.Equal(t, []Operand{{Kind: OperandAsm, Index: 1, Span: in.Src[0].Span}, {Kind: OperandImm, Imm: 3, Span: in.Src[1].Span}, {Kind: OperandReg, Name: "q", Span: in.Src[2].Span}}, in.Src)
}

func TestOperandsOfOpaqueInstructionsKeepTheirKinds(t *testing.T) {
	const text = "frob.u32 a, $1, 0x10, !p, %tid.x, _, [b], -c, 1.5, {d, e}, 1+1;"
	var fs []finding
	in := ParseBody([]byte(text), listen(t, text, &fs)).Items[0].Inst
	require.Empty(t, fs)
	var kinds []OperandKind
	for _, o := range in.Src {
		kinds = append(kinds, o.Kind)
	}
	require.Equal(t, []OperandKind{OperandReg, OperandAsm, OperandImm, OperandReg, OperandSpecial, OperandSink,
		OperandOther, OperandOther, OperandOther, OperandOther, OperandImm}, kinds)
	require.Equal(t, "{d, e}", in.Src[9].Name)
	require.True(t, in.Src[3].Not)
}

func TestConstantsThatLoseBitsGiveAWarning(t *testing.T) {
	for _, c := range []struct {
		text  string
		lossy bool
	}{
		{"add.u32 a, b, 4294967295;", false},
		{"add.u32 a, b, 4294967296;", true},
		{"add.u32 a, b, -2147483648;", false},
		{"add.u32 a, b, -2147483649;", true},
		{"add.s32 a, b, 0xffffffffffffffff;", true},
		{"add.s32 a, b, 0xffffffffffffffffU;", true},
		{"add.s32 a, b, ~0;", false},
		{"add.s32 a, b, -1;", false},
		{"add.s32 a, b, 1<<32;", true},
		{"add.s32 a, b, (1<<32)-1;", false},
		{"add.u16 a, b, 65536;", true},
		{"add.u16 a, b, -32768;", false},
		{"add.u64 a, b, 0xffffffffffffffff;", false},
		{"mad.wide.u32 a, b, 1, 4294967296;", false},
		{"mad.wide.u32 a, b, 4294967296, 1;", true},
		{"shl.b64 a, b, 4294967296;", true},
		{"lop3.b32 a, b, c, d, 256;", true},
		{"lop3.b32 a, b, c, d, -1;", false},
		{"mov.b32 a, {65536, b};", true},
		{"mov.b32 a, {65535, b};", false},
		{"setp.eq.and.u32 p, a, b, 256;", false},
	} {
		_, ids := parsed(t, c.text, false)
		if c.lossy {
			require.Len(t, ids, 1, c.text)
			require.Contains(t, ids[0], "ptx-truncated", c.text)
		} else {
			require.Empty(t, ids, c.text)
		}
	}
}

// The values are ptxas 12.9's, read back from the .global it makes of each; of
// % it takes only spellings that do not look like a register.
func TestConstantExpressionsHaveTheValuesOfPtxas(t *testing.T) {
	for text, want := range map[string]uint64{
		"5": 5, "-5": 0xfffffffffffffffb, "+5": 5, "~0": 0xffffffffffffffff, "(~0)<0": 0, "(~0)>>60": 0xf,
		"(-1|0)<0": 1, "(-1|0)>>60": 0xffffffffffffffff, "(-1^0)>>60": 0xffffffffffffffff, "(-1&-1)>>60": 0xffffffffffffffff,
		"-8/3": 0xfffffffffffffffe, "7%-3": 7, "(0-8)%-3": 0xfffffffffffffff8, "-8 % 3": 2,
		"1<<64": 1, "1<<65": 2, "1<<-1": 1 << 63, "-1>>64": 0xffffffffffffffff, "1U<<64": 1,
		"0xfabc123400000000>>60": 0xf, "-1U>>60": 0xf, "5&&0||3": 1, "!5": 0, "!!5": 1, "1?2:3": 2, "0?2:3?4:5": 4,
		"2+3*4-1": 13, "(1<<4)|3": 19, "1<2<3": 1, "-1<1U": 0, "-1<1": 1, "(.u64)-1>>60": 0xf, "(.s64)0xffffffffffffffff>>60": 0xffffffffffffffff,
		"WARP_SZ": 32, "WARP_SZ*2": 64, "-WARP_SZ": 0xffffffffffffffe0, "0777": 511, "0b101": 5, "0B101U": 5, "0x1FU": 31, "0X1f": 31,
		"-(-5)": 5, "- -5": 5, "--5": 5, "~5U": 0xfffffffffffffffa, "1 == 1": 1, "5 > 3 == 1": 1, "1!=1": 0, "2>=3": 0, "2<=3": 1, "1?-1:1U": 0xffffffffffffffff,
		"(1?-1:1U)<0": 1, "0x8000000000000000": 1 << 63, "-9223372036854775808>>62": 2, "0": 0, "00": 0, "0U": 0,
		"6&3": 2, "6^3": 5, "6|3": 7, "1|2^3&4": 3, "0 ?2:3": 3, "10-2-3": 5, "100/10/5": 2, "1 /* one */ + 2": 3,
	} {
		in := parseOne(t, "mov.u64 d, "+text+";")
		require.Equal(t, OperandImm, in.Src[0].Kind, text)
		require.Equal(t, want, in.Src[0].Imm, text)
	}
}

func TestDeepNestingIsAnErrorNotACrash(t *testing.T) {
	for _, text := range []string{
		"mov.u32 a, " + strings.Repeat("(", 100000),
		"mov.u32 a, " + strings.Repeat("-", 100000) + "1;",
		"mov.u32 a, " + strings.Repeat("1?", 100000) + "1;",
		"mov.u32 a, " + strings.Repeat("{", 100000),
		"mov.u32 a, 1" + strings.Repeat("+(1", 100000),
	} {
		_, ids := parsed(t, text, false)
		require.NotEmpty(t, ids)
	}
}
