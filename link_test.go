package ptxlower_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// linkTargets are of each generation and both sizes of waves.
var linkTargets = strings.Fields("gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1200 gfx1250")

const linkage = `target triple = "amdgcn-amd-amdhsa"
define i32 @callee(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
define internal i32 @inside(i32 %a) {
  ret i32 %a
}
define hidden i32 @hidden(i32 %a) {
  ret i32 %a
}
define weak_odr protected i32 @weak(i32 %a) {
  ret i32 %a
}
define linkonce_odr hidden i32 @"once more"(i32 %a) {
  ret i32 %a
}
`

// symbols are the rows of an object's table that name functions: type, binding,
// visibility and name, as llvm-readelf shows them.
func symbols(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command(judges.Need(t, "llvm-readelf-22"), "-s", "-W", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var rows []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 7 && f[3] == "FUNC" {
			size := "some"
			if f[2] == "0" {
				size = "no"
			}
			rows = append(rows, fmt.Sprintf("%s %s %s %s, %s size", f[3], f[4], f[5], strings.Join(f[7:], " "), size))
		}
	}
	slices.Sort(rows)
	return rows
}

// What llvm-mc makes of a listing has the symbols that llc gives the same functions,
// and links with a caller that LLVM compiled, with nothing added to it.
func TestListingsAreObjectsWithTheSymbolsThatLLVMGives(t *testing.T) {
	llc, link := judges.Need(t, "llc-22"), judges.LLD(t)
	const caller = `declare i32 @callee(i32, i32, i32)
define i32 @caller(i32 %a, i32 %b) {
  %x = call i32 @callee(i32 %a, i32 %b, i32 7)
  %y = add i32 %x, %a
  ret i32 %y
}
`
	run := func(name string, args ...string) {
		out, err := exec.Command(name, args...).CombinedOutput()
		require.NoError(t, err, "%s %v: %s", name, args, out)
	}
	for _, name := range linkTargets {
		at := func(s string) string { return filepath.Join(t.TempDir(), s) }
		listing := listed(t, name, linkage)
		object := judges.GFXObject(t, name, []byte(listing))

		source, theirs := at("theirs.ll"), at("theirs.o")
		require.NoError(t, os.WriteFile(source, []byte(strings.ReplaceAll(linkage, `asm "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"`, `@other`)+"declare i32 @other(i32, i32, i32)\n"), 0o644))
		run(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+name, "-filetype=obj", "-o", theirs, source)
		want := slices.DeleteFunc(symbols(t, theirs), func(s string) bool { return strings.Contains(s, "inside") })
		got := symbols(t, object)
		require.Contains(t, got, "FUNC LOCAL DEFAULT inside, some size") // of which LLVM leaves nothing
		require.Equal(t, want, slices.DeleteFunc(got, func(s string) bool { return strings.Contains(s, "inside") }), name)

		source, theirs = at("caller.ll"), at("caller.o")
		require.NoError(t, os.WriteFile(source, []byte(caller), 0o644))
		run(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+name, "-filetype=obj", "-o", theirs, source)
		run(link, "-shared", "--no-undefined", "-o", at("both.so"), theirs, object)
		require.Contains(t, listing, amdTarget(t, name).CodeEnd)
	}
}

// crowded keeps n products alive until all are made.
func crowded(n int) string {
	var sb strings.Builder
	sb.WriteString("target triple = \"amdgcn-amd-amdhsa\"\ndefine i32 @crowded(")
	const params = 24
	for i := range params {
		fmt.Fprintf(&sb, "%si32 %%p%d", strings.Repeat(", ", min(i, 1)), i)
	}
	sb.WriteString(") {\n")
	for i := range n {
		fmt.Fprintf(&sb, "  %%m%d = call i32 asm sideeffect \"mad24.lo.u32 $0, $1, $2, $3;\", \"=r,r,r,r\"(i32 %%p%d, i32 %%p%d, i32 %d)\n", i, i%params, (i+1+i/params)%params, i+65)
	}
	last := "%m0"
	for i := n - 1; i > 0; i-- { // the first made are the last used
		fmt.Fprintf(&sb, "  %%x%d = call i32 asm sideeffect \"mad24.lo.u32 $0, $1, $2, $3;\", \"=r,r,r,r\"(i32 %s, i32 %%m%d, i32 %%m%d)\n", i, last, i, n-i)
		last = fmt.Sprintf("%%x%d", i)
	}
	fmt.Fprintf(&sb, "  ret i32 %s\n}\n", last)
	return sb.String()
}

// calleeSaves are the registers that LLVM saves in a function that overwrites all:
// VGPRs, and SGPRs.
func calleeSaves(t *testing.T, name string) (vgprs, sgprs []int) {
	t.Helper()
	clobbers := func(letter string, from, to int) string {
		var s []string
		for i := from; i < to; i++ {
			if letter == "v" || i != 32 && i != 33 { // stack and frame
				s = append(s, fmt.Sprintf("~{%s%d}", letter, i))
			}
		}
		return strings.Join(s, ",")
	}
	source := fmt.Sprintf("define void @v() { call void asm sideeffect \"\", %q() ret void }\ndefine void @s() { call void asm sideeffect \"\", %q() ret void }\n",
		clobbers("v", 0, 256), clobbers("s", 4, 102))
	cmd := exec.Command(judges.Need(t, "llc-22"), "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+name, "-o", "-")
	cmd.Stdin = strings.NewReader(source)
	out, err := cmd.Output()
	require.NoError(t, err)
	forV, forS, _ := strings.Cut(string(out), "\ns:")
	for _, m := range regexp.MustCompile(`(?:_store_(?:dword|b32) (?:off, )?|v_accvgpr_write_b32 a\d+, )v(\d+)`).FindAllStringSubmatch(forV, -1) {
		n, _ := strconv.Atoi(m[1])
		vgprs = append(vgprs, n)
	}
	for _, m := range regexp.MustCompile(`v_writelane_b32 v\d+, s(\d+)`).FindAllStringSubmatch(forS, -1) {
		n, _ := strconv.Atoi(m[1])
		sgprs = append(sgprs, n)
	}
	return vgprs, sgprs
}

// A function with more values alive than the first 40 registers hold uses none that
// its caller wants kept: the text does not name one, and a wave finds them as they
// were (RunWave fails else).
func TestCrowdedFunctionsKeepTheRegistersOfTheirCallers(t *testing.T) {
	for _, name := range linkTargets {
		vgprs, sgprs := calleeSaves(t, name)
		for _, n := range []int{40, 47, 56, 255} {
			require.Contains(t, vgprs, n, name)
		}
		require.Contains(t, sgprs, 30)
		tg := amdTarget(t, name)
		for _, n := range tg.Machine.Banks[mach.General].Order {
			require.NotContains(t, vgprs, int(n), name)
		}
		for _, n := range tg.Machine.Banks[mach.Predicate].Order {
			require.NotContains(t, sgprs, int(n), name)
			if !tg.Features.Has(amd.W32) {
				require.NotContains(t, sgprs, int(n+1), name)
			}
		}

		text := crowded(80)
		listing := listed(t, name, text)
		require.Regexp(t, `\bv8\d\b`, listing, "%s: nothing lies above v80", name)
		_, err := judges.GFXRoundTrip(t, name, []byte(listing))
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\bv(\d+)\b`).FindAllStringSubmatch(listing, -1) {
			n, _ := strconv.Atoi(m[1])
			require.NotContains(t, vgprs, n, name)
		}
		require.NoError(t, waveDiffers(t, tg, text, listing, 1))

		// A caller's register that is overwritten is found.
		spoiled := strings.Replace(listing, "\tv_mad_u32_u24", "\tv_mov_b32 v41, 0\n\tv_mad_u32_u24", 1)
		require.ErrorContains(t, waveDiffers(t, tg, text, spoiled, 1), "v41")
	}
}
