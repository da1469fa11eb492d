package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// replay compares a recording of scripts/hwvectors with the meaning: from sm_60
// on vmad is what ptxas makes of it, before that an instruction of the hardware.
// It gives the rows that differ.
func replay(arch string, recording io.Reader) (n int, differ []string, err error) {
	sm, err := strconv.Atoi(strings.TrimPrefix(arch, "sm_"))
	if err != nil {
		return 0, nil, err
	}
	e := evaluator{model: ptx.ISA, progs: map[string]*program{}}
	if sm >= 60 {
		e.model = ptx.PTXAS
	}
	rows, err := csv.NewReader(recording).ReadAll()
	if err != nil {
		return 0, nil, err
	}
	for _, row := range rows[1:] {
		in := map[string]sem.Val{}
		for i, name := range []string{"a", "b", "c", "cf"} {
			if in[name], err = parseValue(row[2+i]); err != nil {
				return n, differ, err
			}
		}
		out, _, failed := e.run(row[0]+" "+row[1]+";", in)
		if failed != nil {
			return n, differ, fmt.Errorf("%v: %s", row, failed.Text)
		}
		n++
		got := map[string]string{}
		for _, v := range out {
			got[v.name] = fmt.Sprintf("0x%x", v.v.Lo)
		}
		if got["d"] != row[6] || got["cf"] != row[7] {
			differ = append(differ, fmt.Sprintf("%v: d=%s cf=%s", row, got["d"], got["cf"]))
		}
	}
	return n, differ, nil
}

func TestRecordingsOfHardwareAreWhatFormsMean(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testutil.Root(t), "testdata", "hw", "sm_*.csv"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Log("no recording of any GPU yet: scripts/hwvectors makes them")
	}
	for _, path := range files {
		f, err := os.Open(path)
		require.NoError(t, err)
		n, differ, err := replay(strings.TrimSuffix(filepath.Base(path), ".csv"), f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		t.Logf("%s: %d vectors", filepath.Base(path), n)
		require.NotZero(t, n)
		require.Empty(t, differ)
	}
}

func TestARecordingThatDiffersIsFound(t *testing.T) {
	const head = "form,operands,a,b,c,cf,d,cf_out\n"
	for recording, want := range map[string]int{
		`addc.cc.u32,"d, a, b",0xffffffff,0x0,0x0,0x1,0x0,0x1`:                                   0,
		`addc.cc.u32,"d, a, b",0xffffffff,0x0,0x0,0x1,0x0,0x0`:                                   1,
		`mul.wide.s16,"d, a, b",0x8000,0x2,0x0,0x0,0xffff0000,0x0`:                               0,
		`mul.wide.s16,"d, a, b",0x8000,0x2,0x0,0x0,0x10000,0x0`:                                  1,
		`vmad.s32.s32.s32.sat,"d, a.h1, b.b0, -c",0x7fff0000,0x7f,0x80000000,0x0,0x7fffffff,0x0`: 0,
	} {
		n, differ, err := replay("sm_70", strings.NewReader(head+recording+"\n"))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Len(t, differ, want, "%s: %v", recording, differ)
	}
}

func TestHardwareVectorsEndWellWithoutGPU(t *testing.T) {
	cmd := exec.Command(judges.Need(t, "python3"), filepath.Join(testutil.Root(t), "scripts", "hwvectors"))
	cmd.Env = append(os.Environ(), "CUDA_VISIBLE_DEVICES=-1") // hides what there may be
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `^hwvectors: no (CUDA driver|GPU): nothing recorded\n$`, string(out))
}

// The script's kernels assemble, as far as a machine without a GPU can tell.
func TestTheKernelsOfHardwareVectorsAssemble(t *testing.T) {
	judges.Need(t, "ptxas-12.9")
	python := judges.Need(t, "python3")
	n := "40"
	if os.Getenv("PTXLOWER_FULL") == "1" {
		n = "4808"
	}
	out, err := exec.Command(python, filepath.Join(testutil.Root(t), "scripts", "hwvectors"), "--compile-only", "sm_70", "--forms", n).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "900 of 4808 forms are disputed")
	require.Contains(t, string(out), n+" kernels assembled for sm_70")
}
