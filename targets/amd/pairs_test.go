package amd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// pair is mad.lo.cc and madc.hi of the same factors, with more between them if
// they are not adjacent, which the last result then is of.
func pair(row string, apart bool) *ir.Func {
	fn := ir.NewFunc("pair")
	b := fn.Blocks[0]
	x, y, c0, c1 := fn.Param("x", 32), fn.Param("y", 32), fn.Param("c0", 32), fn.Param("c1", 32)
	low := ptx.Form{Op: ptx.Mad, Mode: ptx.Lo, T: ptx.U32, CC: true}
	args := []*ir.Value{x, y, c0}
	if row == "madc_pair_lohi_cc" {
		low.Op = ptx.Madc
		args = append(args, fn.Param("e", 1))
	}
	lo := b.PTX(low, args...)
	fn.Results = []int{32, 32}
	var between []*ir.Value
	if apart {
		between = b.PTX(ptx.Form{Op: ptx.Xor, T: ptx.B32}, x, c1)
		fn.Results = append(fn.Results, 32)
	}
	high := ptx.Form{Op: ptx.Madc, Mode: ptx.Hi, T: ptx.U32, CC: strings.HasSuffix(row, "_cc")}
	hi := b.PTX(high, x, y, c1, lo[1])
	ret := append([]*ir.Value{lo[0], hi[0]}, between...)
	if high.CC {
		ret, fn.Results = append(ret, hi[1]), append(fn.Results, 1)
	}
	b.Ret(ret...)
	return fn
}

func TestPairsOfLowAndHighAreOneMultiplyAdd(t *testing.T) {
	n := 0
	for _, row := range testutil.CSV(t, "spec/amd/counts_hand.csv") {
		if row["kind"] != "pair" {
			continue
		}
		n++
		best, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		for _, apart := range []bool{false, true} {
			limit := best
			if apart {
				limit++
			}
			tg := target(t, row["target"])
			f := lower.Run(pair(row["form"], apart), true, tg.Has, nil)
			nf, err := tg.SelectPart(f, nil)
			require.NoError(t, err)
			ops, _ := nf.Count()
			if ops > limit {
				t.Errorf("%s %s, apart %v: %d ops, by hand %d: %s", tg.Name, row["form"], apart, ops, limit, row["sequence"])
			}
		}
	}
	require.Equal(t, 48, n)
}

// lld is LLVM's linker, by its own name or as Rust has it.
func lld(t *testing.T) string {
	if p, err := exec.LookPath("ld.lld"); err == nil {
		return p
	}
	if root, err := exec.Command("rustc", "--print", "sysroot").Output(); err == nil {
		found, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "lib/rustlib/*/bin/gcc-ld/ld.lld"))
		if len(found) > 0 {
			return found[0]
		}
	}
	return judges.Need(t, "ld.lld")
}

// What is listed links with a caller that LLVM compiled: the symbol is a
// function, and the call is resolved to it.
func TestFunctionsLinkWithCallersThatLLVMCompiled(t *testing.T) {
	mc, llc, link, dump := judges.Need(t, "llvm-mc-22"), judges.Need(t, "llc-22"), lld(t), judges.Need(t, "llvm-objdump-22")
	const caller = `declare i32 @callee(i32, i32, i32)
define i32 @caller(i32 %a, i32 %b) {
  %x = call i32 @callee(i32 %a, i32 %b, i32 7)
  %y = add i32 %x, %a
  ret i32 %y
}
`
	for _, name := range []string{"gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250"} {
		tg := target(t, name)
		fn := lone("callee", ptx.Form{Op: ptx.Mad24, Mode: ptx.Hi, T: ptx.U32}, ptx.ISA, -1, sem.Val{})
		var sb strings.Builder
		sb.WriteString(".globl callee\n.hidden callee\n.p2align 8\n.type callee,@function\n")
		require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
		dir := t.TempDir()
		at := func(s string) string { return filepath.Join(dir, s) }
		run := func(name string, args ...string) string {
			out, err := exec.Command(name, args...).CombinedOutput()
			require.NoError(t, err, "%s %v: %s", name, args, out)
			return string(out)
		}
		require.NoError(t, os.WriteFile(at("callee.s"), []byte(sb.String()), 0o644))
		require.NoError(t, os.WriteFile(at("caller.ll"), []byte(caller), 0o644))
		run(mc, "-triple=amdgcn-amd-amdhsa", "-mcpu="+name, "-filetype=obj", "-o", at("callee.o"), at("callee.s"))
		run(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+name, "-filetype=obj", "-o", at("caller.o"), at("caller.ll"))
		run(link, "-shared", "--no-undefined", "-o", at("both.so"), at("caller.o"), at("callee.o"))
		text := run(dump, "-d", "--mcpu="+name, at("both.so"))
		require.Contains(t, text, "<callee>:")
		require.Contains(t, text, "<caller>:")
		_, body, _ := strings.Cut(text, "<callee>:")
		require.Contains(t, body, "v_")
		require.Contains(t, body, "s[30:31]")
	}
}
