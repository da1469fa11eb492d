package ptx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/diag"
)

// sameText compares what is read with what was printed: all but positions.
var sameText = cmp.Options{cmpopts.IgnoreTypes(diag.Span{}), cmpopts.EquateEmpty()}

// canonical is the instruction of f with operands as the manual names them.
func canonical(f Form) *Inst {
	in := &Inst{Form: f, Name: f.String()}
	for i := range f.Outs() {
		in.Dst = append(in.Dst, Operand{Name: "d" + string(rune('0'+i))})
	}
	for i := range f.Ins() {
		in.Src = append(in.Src, Operand{Name: string(rune('a' + i))})
	}
	return in
}

func TestEveryFormPrintsAndReadsBackAsItself(t *testing.T) {
	for _, fs := range [][]Form{Forms(), VmadForms(), Neighbours()} {
		for _, f := range fs {
			want := canonical(f)
			got := parseOne(t, want.String())
			if d := cmp.Diff(want, got, sameText); d != "" {
				t.Fatalf("%s: %s", want, d)
			}
		}
	}
}

var (
	allForms  = append(append(Forms(), VmadForms()...), Neighbours()...)
	someNames = []string{"a", "r1", "%r", "_x", "$y", "a$", "%laneidx", "add", "L${:uid}", "${:private}z", "WARP", "x_y_z", "%0"}
)

func drawRegister(t *rapid.T) Operand {
	if rapid.Bool().Draw(t, "asm") {
		o := Operand{Kind: OperandAsm, Index: rapid.IntRange(0, 99).Draw(t, "index")}
		if rapid.Bool().Draw(t, "modified") {
			o.Mod = rapid.SampledFrom([]byte("abcXZ")).Draw(t, "mod")
		}
		return o
	}
	return Operand{Name: rapid.SampledFrom(someNames).Draw(t, "name")}
}

// drawInst draws an instruction of a known form.
func drawInst(t *rapid.T) *Inst {
	f := rapid.SampledFrom(allForms).Draw(t, "form")
	in := &Inst{Form: f, Name: f.String()}
	sinks := 0
	for range f.Outs() {
		o := drawRegister(t)
		if (f.Pack < 0 || f.Op == Setp) && sinks+1 < len(f.Outs()) && rapid.Bool().Draw(t, "sink") {
			o = Operand{Kind: OperandSink}
			sinks++
		}
		in.Dst = append(in.Dst, o)
	}
	for i, ty := range f.Ins() {
		o := drawRegister(t)
		signed := f.Op == Vmad && (i == 0 && (f.NegA || f.SelA != Word) || i == 1 && (f.NegB || f.SelB != Word) || i == 2 && f.NegC)
		switch {
		case ty == Pred:
			o.Not = rapid.Bool().Draw(t, "not")
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				o = Operand{Kind: OperandImm, Imm: rapid.Uint64Range(0, 1).Draw(t, "imm")}
			}
			if f.Pack != 0 {
				o.Not = false
			}
		case !signed && rapid.IntRange(0, 3).Draw(t, "kind") == 0:
			v := rapid.Uint64().Draw(t, "imm")
			if w := ty.Bits(); w < 64 {
				v &= 1<<w - 1
			}
			if rapid.Bool().Draw(t, "negative") {
				v = -(v >> (65 - ty.Bits()))
			}
			o = Operand{Kind: OperandImm, Imm: v}
		case f.Op == Mov && rapid.IntRange(0, 3).Draw(t, "kind") == 0:
			o = Operand{Kind: OperandSpecial, Name: rapid.SampledFrom([]string{"%tid.x", "%laneid", "%clock64", "%envreg31", "%pm7"}).Draw(t, "special")}
		}
		in.Src = append(in.Src, o)
	}
	if rapid.IntRange(0, 3).Draw(t, "guarded") == 0 {
		g := drawRegister(t)
		g.Not = rapid.Bool().Draw(t, "guard not")
		in.Guard = &g
	}
	return in
}

func drawItem(t *rapid.T) Item {
	switch rapid.IntRange(0, 8).Draw(t, "item") {
	case 0:
		return Item{Kind: ItemOpen}
	case 1:
		return Item{Kind: ItemClose}
	case 2:
		return Item{Kind: ItemLabel, Label: rapid.SampledFrom(someNames).Draw(t, "label")}
	case 3:
		d := &Decl{Word: rapid.SampledFrom([]string{"u32", "b64", "pred", "f32", "v2.u32", "b128", "s8"}).Draw(t, "type")}
		d.Type = typeByName[d.Word]
		for range rapid.IntRange(1, 3).Draw(t, "names") {
			d.Names = append(d.Names, DeclName{Name: rapid.SampledFrom(someNames).Draw(t, "name"), Count: rapid.IntRange(0, 9).Draw(t, "count")})
		}
		return Item{Kind: ItemDecl, Decl: d}
	case 4:
		in := &Inst{Opaque: true, Name: rapid.SampledFrom([]string{"ret", "bra", "ld.global.u32", "frob.u32", "add.f32"}).Draw(t, "opaque")}
		for range rapid.IntRange(0, 3).Draw(t, "operands") {
			in.Src = append(in.Src, rapid.OneOf(rapid.Custom(drawRegister), rapid.SampledFrom([]Operand{
				{Kind: OperandOther, Name: "[a+4]"}, {Kind: OperandOther, Name: "{a, b}"}, {Kind: OperandOther, Name: "-x.b0"}, {Kind: OperandOther, Name: "1.5"},
				{Kind: OperandImm, Imm: 7}, {Kind: OperandSink}, {Kind: OperandSpecial, Name: "%tid.y"}, {Name: "p", Not: true}})).Draw(t, "operand"))
		}
		return Item{Kind: ItemInst, Inst: in}
	}
	return Item{Kind: ItemInst, Inst: drawInst(t)}
}

func TestReadingWhatWasPrintedIsTheIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &Body{Items: rapid.SliceOfN(rapid.Custom(drawItem), 1, 8).Draw(t, "items")}
		text := want.String()
		got := ParseBody([]byte(text), func(sev diag.Severity, id string, at diag.Span, format string, args ...any) {
			t.Fatalf("%s: %s %d: "+format, append([]any{text, id, at.Start}, args...)...)
		})
		if d := cmp.Diff(want, got, sameText); d != "" {
			t.Fatalf("%s\n%s", text, d)
		}
		require.Equal(t, text, got.String())
	})
}

func TestBodiesAreIndentedByScope(t *testing.T) {
	const text = "{\n\t.reg .u32 a;\n\t{\n\t\tadd.u32 a, a, 1;\n\t}\n}\n}\n"
	require.Equal(t, text, ParseFlat([]byte(strings.ReplaceAll(text, "\n", " ")), nil).String())
}

func TestConstantsPrintShortAndReadBack(t *testing.T) {
	for v, want := range map[uint64]string{
		0: "0", 9999: "9999", 10000: "0x2710", 0xffffffffffffffff: "-1", 0xffffffff80000000: "-0x80000000",
		0xffffffff7fffffff: "0xffffffff7fffffff", 0xcbf29ce484222325: "0xcbf29ce484222325", 1 << 63: "0x8000000000000000",
	} {
		require.Equal(t, want, Operand{Kind: OperandImm, Imm: v}.String())
		require.Equal(t, v, parseOne(t, "mov.u64 d, "+want+";").Src[0].Imm)
	}
}
