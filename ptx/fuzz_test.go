package ptx

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ptxlower/ptxlower/diag"
)

func FuzzParseBody(f *testing.F) {
	for _, s := range []string{
		benchText,
		"vmad.s32.u32.s32.po.sat.shr7 $0, -$1.b0, $2.h1, (1<<4)|3; @!p mov.b64 {_, a}, ${1:c};",
		"$( .reg .pred %%p<3>; setp.eq.and.u32 p$|q, a, 0xffU, !r; $)",
		"L${:uid}: ld.v2.u32 {a, b}, [x+4]; .pragma \"x\"; ret; ${:comment} c\n${:private}x: mov.u32 $$a, %tid.x;",
		"lop3.b32 a,b,c,d,0xe8; prmt.b32.f4e a,b,c,0; cvt.sat.u8.s32 a,-0x80000000; mov.b32 a,0f3F800000;",
		"mad.u32 a,b; subb.u32; vmad .s32 /**/ .s32.s32 a. b0, --c, 5.b0; { } }",
		"add.u32 a, 1 ? 2 : WARP_SZ % 5, -(.s64)(-1) >> ~7 && !8;",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, flat bool) {
		errors := 0
		count := func(sev diag.Severity, id string, at diag.Span, format string, args ...any) {
			if at.Start < 0 || at.End < at.Start || at.End > len(text) {
				t.Fatalf("%s: span %v in %d bytes", id, at, len(text))
			}
			if sev == diag.Error {
				errors++
			}
		}
		read := func(text []byte) *Body {
			if flat {
				return ParseFlat(text, count)
			}
			return ParseBody(text, count)
		}
		body := read(text)
		last := 0
		for _, it := range body.Items {
			if it.Span.Start < last || it.Span.End <= it.Span.Start || it.Span.End > len(text) {
				t.Fatalf("item at %v after %d", it.Span, last)
			}
			last = it.Span.End
			if in := it.Inst; in != nil {
				for _, ops := range [][]Operand{in.Dst, in.Src} {
					for _, o := range ops {
						if o.Span.Start < it.Span.Start || o.Span.End > it.Span.End || o.Span.End <= o.Span.Start {
							t.Fatalf("operand at %v of the instruction at %v", o.Span, it.Span)
						}
					}
				}
				if !in.Opaque && (len(in.Dst) != len(in.Form.Outs()) || len(in.Src) != len(in.Form.Ins())) {
					t.Fatalf("%s: %d, %d operands", in, len(in.Dst), len(in.Src))
				}
				if !in.Opaque {
					in.Name = in.Form.String()
				}
			}
		}
		errors, text = 0, body.Append(nil)
		again := read(text)
		if errors > 0 {
			t.Fatalf("%d errors in what was printed: %q", errors, text)
		}
		if d := cmp.Diff(body, again, sameText); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	})
}
