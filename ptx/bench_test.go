package ptx

import (
	"testing"

	"github.com/ptxlower/ptxlower/diag"
)

// benchText has the shapes of real bodies: carry chains, a declared scope, vmad
// with selectors, comments.
const benchText = `{
	.reg .u32 lo, hi; .reg .u32 %t<2>;
	mul.lo.u32      $0, $4, $6;
	mul.hi.u32      $1, $4, $6;
	mad.lo.cc.u32   $1, $5, $6, $1;  // may carry
	madc.hi.u32     $2, $5, $6, 0;
	mad.lo.cc.u32   $1, $4, $7, $1;
	madc.hi.cc.u32  $2, $4, $7, $2;
	addc.u32        $3, 0, 0;
	mad.lo.cc.u32   $2, $5, $7, $2;
	madc.hi.u32     $3, $5, $7, $3;
	/* bytes */ vmad.s32.s32.s32.sat.shr7 %t0, $4.b3, -$5.h1, %t1;
	setp.ne.u32 p, %t0, 0x7fffffff;
	@!p mov.b64 {lo, hi}, $8;
}
`

func BenchmarkParseBody(b *testing.B) {
	text := []byte(benchText)
	fail := func(sev diag.Severity, id string, at diag.Span, format string, args ...any) {
		b.Fatalf("%s at %d: %s", id, at.Start, format)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ParseBody(text, fail)
	}
}

func BenchmarkPrintBody(b *testing.B) {
	body := ParseBody([]byte(benchText), func(diag.Severity, string, diag.Span, string, ...any) {})
	buf := body.Append(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = body.Append(buf[:0])
	}
}

func BenchmarkParseOneInstruction(b *testing.B) {
	text := []byte("madc.hi.cc.u32 $0, $1, $2, $3;")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ParseBody(text, func(diag.Severity, string, diag.Span, string, ...any) {})
	}
}
