package nv_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// together are the braces around two instructions that issue at once.
var together = strings.NewReplacer("{", "", "}", "")

// spelled are the forms whose listings are compared.
func spelled() []ptx.Form {
	var out []ptx.Form
	for i, f := range forms() {
		compares := f.Op == ptx.Set || f.Op == ptx.Setp && f.Dual
		if full() || (f.Op != ptx.Vmad || i%31 == 0) && (!compares || i%5 == 0) {
			out = append(out, f)
		}
	}
	return out
}

// assembled are the forms that ptxas gets: those, every plain vmad (other forms and
// other models use what it becomes) and every set of 64 bits.
func assembled() []ptx.Form {
	out := spelled()
	if full() {
		return out
	}
	for _, f := range forms() {
		plain := f.Op == ptx.Vmad && !f.Sat && !f.PO && f.Shr == 0 && !f.NegA && !f.NegB && !f.NegC
		if plain || f.Op == ptx.Set && f.T == ptx.U32 && (f.A.Bits() == 64 || f.Cmp == ptx.Ne) {
			out = append(out, f)
		}
	}
	return out
}

// olderPrinted are the shapes of all that a target prints for those forms and under
// facts, each
// with a line that has it.
func olderPrinted(t *testing.T, tg *isel.Target) map[string]string {
	out := map[string]string{}
	add := func(f *mach.Func) {
		for line := range instructions(listing(t, tg, f)) {
			out[shape(line)] = line
		}
	}
	add(olderBranchy())
	for _, f := range spelled() {
		for _, m := range modelsOf(f) {
			nf, _, err := tg.SelectForm(f, m)
			require.NoError(t, err)
			require.NoError(t, nf.Allocate(tg.Machine))
			add(nf)
		}
	}
	underFacts(t, tg, add)
	return out
}

// moreOlder is for instructions that no single form becomes in ptxas on sm_50.
const moreOlder = `
.func (.reg .b32 d) andn(.reg .b32 a, .reg .b32 b) { not.b32 b, b; and.b32 d, a, b; ret; }
.func (.reg .b32 d) flip(.reg .b32 a) { xor.b32 d, a, 0x7fffffff; ret; }
.func (.reg .b32 d) scale(.reg .b32 a, .reg .b32 c) { mad.lo.u32 d, a, 8, c; ret; }
.func (.reg .b64 d) left64(.reg .b64 a) { shl.b64 d, a, 5; ret; }
.func (.reg .b32 d) left(.reg .b32 a) { shl.b32 d, a, 16; ret; }
.func (.reg .b32 d) bytes(.reg .b32 a) { prmt.b32 d, a, 0, 0x7780; ret; }
.func (.reg .b64 d) down(.reg .b64 a) { shr.u64 d, a, 15; ret; }
.func (.reg .b32 d) over(.reg .b32 a) { set.ge.u32.u32 d, a, 0x8000; ret; }
.func (.reg .b32 d) above(.reg .b32 a, .reg .b32 b) { .reg .pred p; setp.gt.u32 p, a, 0x7fff; @p add.s32 b, b, a; mov.u32 d, b; ret; }
.func (.reg .b32 d) size(.reg .b32 a) { .reg .b16 x, y; mov.b32 {x, y}, a; abs.s16 x, x; cvt.s32.s16 d, x; ret; }
.func (.reg .b32 d) less(.reg .b32 a) { .reg .pred p; setp.ge.s32 p, a, -5; selp.u32 d, 1, 0, p; ret; }
.func (.reg .b32 d) either(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .pred p, q, r; setp.ge.s32 p, a, b; setp.ge.s32 q, b, c; setp.eq.s32 r, a, c; xor.pred p, p, q; and.pred q, p, r; or.pred p, q, p; selp.b32 d, a, b, p; @q add.s32 d, d, c; ret; }
.func (.reg .b32 d) round(.reg .b32 a, .reg .b32 b) { .reg .pred p; L: sub.s32 a, a, b; mul.lo.u32 a, a, a; setp.lt.s32 p, a, b; @p bra L; mov.u32 d, a; ret; }
.func (.reg .b32 d) stop(.reg .b32 a, .reg .b32 b) { .reg .pred p; setp.lt.s32 p, a, b; @p trap; mov.u32 d, 7; ret; }
`

// encodings are instructions that ptxas was not seen to emit with these operands,
// but that nvdisasm reads: what it prints for each word of an sm_50 binary.
var encodings = map[uint64]string{
	0x5b08010800470500: "XMAD.CHI R0, R5, R4.H1, R2",
	0x5b28010800470500: "XMAD.CHI R0, R5.H1, R4.H1, R2",
	0x5b04010000470500: "XMAD.CLO R0, R5, R4, R2",
	0x5b00011800470500: "XMAD.PSL R0, R5, R4.H1, R2",
	0x5b20011000470500: "XMAD.PSL R0, R5.H1, R4, R2",
	0x5b20011800470500: "XMAD.PSL R0, R5.H1, R4.H1, R2",
	0x3600019000570404: "XMAD.PSL R4, R4, 0x5, R3",
	0x3608019000570404: "XMAD.PSL.CHI R4, R4, 0x5, R3",
	0x5b23010000470500: "XMAD.S16.S16 R0, R5.H1, R4, R2",
	0x5b23010800470500: "XMAD.S16.S16 R0, R5.H1, R4.H1, R2",
	0x5b29010800470500: "XMAD.S16.U16.CHI R0, R5.H1, R4.H1, R2",
	0x5b02010000470500: "XMAD.U16.S16 R0, R5, R4, R2",
	0x5b22010000470500: "XMAD.U16.S16 R0, R5.H1, R4, R2",
	0x5b22010800470500: "XMAD.U16.S16 R0, R5.H1, R4.H1, R2",
	0x5cc0020280370200: "IADD3 R0, R2, R3.H0, R4.H0",
	0x5cc0020500370200: "IADD3 R0, R2, R3.H1, R4.H1",
	0x5cc0024080370200: "IADD3.LS R0, R2, R3, R4.H0",
	0x5c13000000670000: "IADD.PO R0, R0, R6",
	0x5b43030000570404: "ICMP.LT R4, R4, R5, R6",
	0x5090038000078007: "PSETP.AND.AND P0, PT, !P0, P0, PT",
	0x5090038002070007: "PSETP.XOR.AND P0, PT, P0, P0, PT",
}

// decoded are the shapes of the encodings, as nvdisasm prints them.
func decoded(t *testing.T) map[string]bool {
	words := slices.Sorted(maps.Keys(encodings))
	var code []uint64
	for i, w := range words {
		if i%3 == 0 { // a word that schedules the three after it
			code = append(code, 0x001f8000fc0007e0)
		}
		code = append(code, w)
	}
	for len(code)%4 != 0 {
		code = append(code, 0x50b0000000070f00) // NOP
	}
	var bin bytes.Buffer
	require.NoError(t, binary.Write(&bin, binary.LittleEndian, code))
	file := filepath.Join(t.TempDir(), "x.bin")
	require.NoError(t, os.WriteFile(file, bin.Bytes(), 0o600))
	list, err := exec.Command(judges.Need(t, "nvdisasm-12.8"), "-novliw", "-b", "SM50", file).Output()
	require.NoError(t, err)
	out := map[string]bool{}
	for _, w := range words {
		require.Contains(t, string(list), " "+encodings[w]+";", "%#x", w)
		out[shape(encodings[w])] = true
	}
	return out
}

func TestPtxasWritesEveryInstructionThatWePrintOnOlderGenerations(t *testing.T) {
	for _, arch := range []string{"sm_50", "sm_60"} { // 52, 53, 61 and 62 have the tables of these
		t.Run(arch, func(t *testing.T) {
			theirs := decoded(t)
			add := func(line string) {
				line = together.Replace(address.ReplaceAllString(line, ""))
				theirs[shape(line)] = true
			}
			var kernels []string
			for i, f := range assembled() {
				bytesInRegisters := f.Op == ptx.Mov && f.Pack != 0 && f.T.Bits() == 8*max(int(f.Pack), -int(f.Pack))
				if bytesInRegisters || slices.Contains(ptx.Fused(), f) || f.Op == ptx.Lop3 && f.Lut%37 != 0 {
					continue
				}
				kernels = append(kernels, kernel(fmt.Sprintf("k%d", i), f))
			}
			for chunk := range slices.Chunk(kernels, 300) {
				disassembled(t, arch, strings.Join(chunk, ""), add)
			}
			disassembled(t, arch, moreOlder, add)
			ours := olderPrinted(t, older(t, arch))
			for _, s := range slices.Sorted(maps.Keys(ours)) {
				if !theirs[s] {
					t.Errorf("%s\t(%s)", s, ours[s])
				}
			}
			t.Logf("%d shapes of ours, %d of ptxas'", len(ours), len(theirs))
		})
	}
}
