package ll

import (
	"bytes"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir/ll/lltest"
)

const bigSize = 5 << 20

func TestBigModuleIsAcceptedByLLVM(t *testing.T) {
	as := judges.Need(t, "llvm-as-22")
	cmd := exec.Command(as, "-o", "/dev/null")
	cmd.Stdin = bytes.NewReader(lltest.Big(t, bigSize))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestMemoryIsAtMost15TimesTheSource(t *testing.T) {
	text := lltest.Big(t, bigSize)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var l diag.List
	m := Parse(diag.NewFile("big", text), &l)
	runtime.ReadMemStats(&after)
	require.NoError(t, l.Err())
	ratio := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
	t.Logf("allocated %.1f times the source in %d allocations; %d functions", ratio, after.Mallocs-before.Mallocs, len(m.Funcs))
	require.Less(t, ratio, 15.0)
}

func BenchmarkParse(b *testing.B) {
	text := lltest.Big(b, bigSize)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var l diag.List
		if Parse(diag.NewFile("big", text), &l); l.Err() != nil {
			b.Fatal(l.Err())
		}
	}
}

func BenchmarkLex(b *testing.B) {
	text := string(lltest.Big(b, bigSize))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		x := lexer{src: text}
		for x.next().kind != tEOF {
		}
	}
}
