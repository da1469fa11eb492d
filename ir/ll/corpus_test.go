package ll

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// corpus runs a test on every file that clang 14, 16, 19 and 22 printed.
func corpus(t *testing.T, test func(t *testing.T, path string, m *Module)) {
	files, err := filepath.Glob(filepath.Join(testutil.Shared(t, "corpus/ll"), "*.ll"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 127)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var l diag.List
			m := Parse(diag.NewFile(path, text), &l)
			require.NoError(t, l.Err())
			test(t, path, m)
		})
	}
}

func TestEveryLocalUseInTheCorpusResolves(t *testing.T) {
	corpus(t, func(t *testing.T, _ string, m *Module) {
		require.NotEmpty(t, m.Funcs)
		for _, f := range m.Funcs {
			var l diag.List
			f.Check(&l)
			require.NoError(t, l.Err())
			for _, b := range f.Blocks {
				for i := range b.Insts {
					in := &b.Insts[i]
					for o := range in.Uses() { // also of what is not modelled
						v, ok := f.Def(o.Name)
						require.True(t, ok, "%%%s in %s", o.Name, m.Text(in.Span()))
						require.True(t, v.Param != nil || v.Inst != nil, "%%%s is a block", o.Name)
					}
					if in.Op != OpPhi {
						continue
					}
					require.Equal(t, len(b.Preds), distinct(in.Targets), "%s", m.Text(in.Span()))
				}
			}
		}
	})
}

func distinct(names []string) int {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return len(set)
}

func TestSplicingNothingIntoTheCorpusKeepsEveryByte(t *testing.T) {
	corpus(t, func(t *testing.T, _ string, m *Module) {
		out, err := Splice(m.File.Text, nil)
		require.NoError(t, err)
		require.True(t, bytes.Equal(m.File.Text, out))
		requireTiling(t, m)
	})
}

// requireTiling checks that spans nest and follow one another, with nothing but
// trivia between entities, and between the instructions of a body nothing but
// labels and debug records.
func requireTiling(t testing.TB, m *Module) {
	pos := 0
	for i := range m.Entities {
		sp := m.Entities[i].Span()
		require.LessOrEqual(t, pos, sp.Start)
		require.Less(t, sp.Start, sp.End)
		_, tok := m.lex(diag.Span{Start: pos, End: sp.Start})
		require.Equal(t, tEOF, tok.kind, "left out: %q", m.src[pos:sp.Start])
		pos = sp.End
	}
	require.LessOrEqual(t, pos, len(m.src))
	for _, f := range m.Funcs {
		body := f.Body()
		require.Equal(t, byte('{'), m.src[body.Start])
		require.Equal(t, byte('}'), m.src[body.End-1])
		pos := body.Start
		for _, b := range f.Blocks {
			for i := range b.Insts {
				in := &b.Insts[i]
				sp := in.Span()
				require.LessOrEqual(t, pos, sp.Start)
				require.Less(t, sp.Start, sp.End)
				require.Equal(t, in.Word, m.Text(in.WordSpan()))
				require.LessOrEqual(t, m.LineStart(in), sp.Start)
				for _, o := range in.Ops {
					typed, value := o.TypedSpan(), o.Span()
					require.True(t, sp.Start <= typed.Start && typed.Start <= value.Start && value.End <= sp.End)
				}
				require.LessOrEqual(t, in.Attachments().End, sp.End)
				pos = sp.End
			}
		}
		require.Less(t, pos, body.End)
	}
}

func TestEveryAsmCallInTheCorpusIsFound(t *testing.T) {
	call := regexp.MustCompile(`(?m)^ .*\b(call|invoke|callbr) .*\basm (sideeffect |alignstack |inteldialect |unwind )*"`)
	total := 0
	corpus(t, func(t *testing.T, _ string, m *Module) {
		found := 0
		m.eachInst(func(in *Inst) {
			if in.Call == nil || in.Call.Asm == nil {
				return
			}
			found++
			var l diag.List
			_, ok := in.AsmOperands(m.File, &l)
			require.True(t, ok, "%v", l.Err())
		})
		require.Equal(t, len(call.FindAll(m.File.Text, -1)), found)
		total += found
	})
	require.Greater(t, total, 1000)
	t.Logf("%d asm calls", total)
}

func TestEveryModelledOpcodeInTheCorpusIsModelled(t *testing.T) {
	corpus(t, func(t *testing.T, _ string, m *Module) {
		m.eachInst(func(in *Inst) {
			require.True(t, in.Modelled, "%s", m.Text(in.Span()))
			require.NotNil(t, in.Type, "%s", m.Text(in.Span()))
		})
	})
}

func TestKernelsInTheCorpusAreFound(t *testing.T) {
	corpus(t, func(t *testing.T, path string, m *Module) {
		kernels := 0
		for _, f := range m.Funcs {
			if f.Kernel {
				kernels++
			}
		}
		require.NotZero(t, kernels)
		if m.Triple == "nvptx64-nvidia-cuda" {
			require.Equal(t, "sm_70", m.TargetCPU(m.Funcs[0]))
		}
	})
}

// histogram counts the opcodes of a module by name.
func histogram(m *Module) map[string]int {
	h := map[string]int{}
	m.eachInst(func(in *Inst) { h[in.Word]++ })
	return h
}

func TestOpcodeHistogramEqualsThatOfLLVM(t *testing.T) {
	as, dis := judges.Need(t, "llvm-as-22"), judges.Need(t, "llvm-dis-22")
	compared := 0
	corpus(t, func(t *testing.T, path string, m *Module) {
		bc, err := exec.Command(as, "-o", "-", path).Output()
		if err != nil {
			t.Skipf("llvm-as-22 does not read this file: %v", err)
		}
		cmd := exec.Command(dis, "-o", "-")
		cmd.Stdin = bytes.NewReader(bc)
		text, err := cmd.Output()
		require.NoError(t, err)
		var l diag.List
		again := Parse(diag.NewFile("llvm-dis", text), &l)
		require.NoError(t, l.Err())
		ours := histogram(m)
		theirs := plainHistogram(text)
		require.Equal(t, theirs, histogram(again))
		if strings.Contains(string(m.File.Text), "llvm.dbg.") {
			delete(ours, "call") // LLVM 22 turns llvm.dbg calls into records
			delete(theirs, "call")
		}
		require.Empty(t, cmp.Diff(theirs, ours))
		compared++
	})
	require.Greater(t, compared, 100)
}

// plainHistogram counts opcodes in llvm-dis's regular print, without the reader
// under test: the first word after "%x = " on each line indented by two.
func plainHistogram(text []byte) map[string]int {
	h := map[string]int{}
	line := regexp.MustCompile(`^  (?:%\S+ = |%"[^"]*" = )?(?:tail |musttail |notail )?([a-z_]+)`)
	in := false
	for l := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(l, "define "):
			in = true
		case strings.HasPrefix(l, "}"):
			in = false
		case in:
			if m := line.FindStringSubmatch(l); m != nil && opcodeOf(m[1]) != OpUnknown {
				h[m[1]]++
			}
		}
	}
	return h
}
