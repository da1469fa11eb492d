package nv_test

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

var (
	address   = regexp.MustCompile(`/\*[0-9a-f]{4,}\*/`)
	guard     = regexp.MustCompile(`^@!?U?P[0-9T]\s+`)
	register  = regexp.MustCompile(`\bR(Z|\d+)\b`)
	predicate = regexp.MustCompile(`!?\bP(T|\d)\b`)
	label     = regexp.MustCompile(`\.L_x_\d+`)
	literal   = regexp.MustCompile(`-?\b0x[0-9a-f]+\b`)
)

// shape is an instruction without what its operands are: the mnemonic and R, P
// or I for each, with their signs and suffixes.
func shape(line string) string {
	line = strings.TrimSpace(address.ReplaceAllString(line, ""))
	line = guard.ReplaceAllString(line, "")
	line = strings.TrimSpace(strings.TrimSuffix(line, ";"))
	line = strings.ReplaceAll(line, ".reuse", "")
	line = register.ReplaceAllString(line, "R")
	line = predicate.ReplaceAllString(line, "P")
	line = label.ReplaceAllString(line, "L")
	return literal.ReplaceAllString(line, "I")
}

// lowered calls do with all that a target makes of the forms, for general
// operands and under facts, and with a function that has branches.
func lowered(t *testing.T, tg *isel.Target, do func(*mach.Func)) {
	do(branchy())
	for _, f := range forms() {
		for _, m := range modelsOf(f) {
			nf, _, err := tg.SelectForm(f, m)
			require.NoError(t, err)
			require.NoError(t, nf.Allocate(tg.Machine))
			do(nf)
		}
	}
	underFacts(t, tg, do)
}

// underFacts calls do with what a target makes of forms under the facts of rules.
func underFacts(t *testing.T, tg *isel.Target, do func(*mach.Func)) {
	for i := range tg.Rules {
		r := &tg.Rules[i]
		if len(r.When) > 0 && tg.Features.Has(r.Needs) && tg.Features&r.Lacks == 0 {
			chosen(t, tg, r, 101, func(c *isel.Choice, _ ptx.Model) bool {
				f := expand(t, tg, c)
				require.NoError(t, f.Allocate(tg.Machine))
				do(f)
				return true
			})
		}
	}
}

// instructions are the lines of a listing that are neither names nor labels, as
// nvdisasm prints them without the semicolon.
func instructions(listing string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(listing) {
			if in, ok := strings.CutPrefix(line, "        "); ok && !yield(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(in), ";"))) {
				return
			}
		}
	}
}

// printed are the shapes of all that a target prints, each with a line that has
// it. What ptxas was not seen to write is left out: its encoding was read by
// nvdisasm.
func printed(t *testing.T, tg *isel.Target) map[string]string {
	out := map[string]string{}
	lowered(t, tg, func(f *mach.Func) {
		for _, b := range f.Blocks {
			b.Insts = slices.DeleteFunc(b.Insts, func(in mach.Inst) bool { return in.Op.Conf == mach.Inferred })
		}
		for line := range instructions(listing(t, tg, f)) {
			out[shape(line)] = line
		}
	})
	return out
}

// kernel is a kernel that loads the sources of a form, runs it and stores its
// results; CF comes from an addition and goes to an addc.
func kernel(name string, f ptx.Form) string {
	var sb strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&sb, format+"\n", args...) }
	reg := func(ty ptx.Type) string { return fmt.Sprintf(".b%d", max(ty.Bits(), 16)) }
	p(".visible .entry %s(.param .u64 p0) {", name)
	p(".reg .b64 rd; .reg .b32 t, u; .reg .pred s;")
	p("ld.param.u64 rd, [p0];")
	for i, ty := range f.Ins() {
		r := string("abce"[i])
		if ty == ptx.Pred {
			p(".reg .pred %s; ld.global.u32 t, [rd+%d]; setp.ne.u32 %s, t, 0;", r, 8*i, r)
		} else {
			p(".reg %s %s; ld.global.%s %s, [rd+%d];", reg(ty), r, ty, r, 8*i)
		}
	}
	if f.ReadsCF() {
		p("ld.global.u32 t, [rd+64]; ld.global.u32 u, [rd+68]; add.cc.u32 t, t, u; st.global.u32 [rd+72], t;")
	}
	operands := strings.TrimSuffix(f.Operands(), ", immLut")
	if f.Op == ptx.Lop3 {
		operands += fmt.Sprintf(", %d", f.Lut)
	}
	var results []string
	for i := range f.Outs() {
		switch {
		case f.Pack < 0:
			results = append(results, fmt.Sprintf("d%d", i))
		case f.Op == ptx.Setp:
			results = append(results, string("pq"[i]))
		default:
			dst, _, _ := strings.Cut(operands, ",")
			results = append(results, dst)
		}
	}
	for i, ty := range f.Outs() {
		if ty == ptx.Pred {
			p(".reg .pred %s;", results[i])
		} else {
			p(".reg %s %s;", reg(ty), results[i])
		}
	}
	p("%s %s;", f, operands)
	if f.WritesCF() {
		p("addc.u32 t, 0, 0; st.global.u32 [rd+76], t;")
	}
	for i, ty := range f.Outs() {
		if ty == ptx.Pred {
			p("selp.u32 t, 1, 0, %s; st.global.u32 [rd+%d], t;", results[i], 80+8*i)
		} else {
			p("st.global.%s [rd+%d], %s;", ty, 80+8*i, results[i])
		}
	}
	p("ret; }")
	return sb.String()
}

// more is for instructions that no single form becomes in ptxas.
const more = `
.func (.reg .b32 d) lea(.reg .b32 a) { shr.u32 d, a, 31; add.u32 d, d, 0x7fffffff; ret; }
.func (.reg .b32 d) dot4uu(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp4a.u32.u32 d, a, b, c; ret; }
.func (.reg .b32 d) dot4us(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp4a.u32.s32 d, a, b, c; ret; }
.func (.reg .b32 d) dot4su(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp4a.s32.u32 d, a, b, c; ret; }
.func (.reg .b32 d) dot4ss(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp4a.s32.s32 d, a, b, c; ret; }
.func (.reg .b32 d) dot2uu(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp2a.lo.u32.u32 d, a, b, c; ret; }
.func (.reg .b32 d) dot2us(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp2a.lo.u32.s32 d, a, b, c; ret; }
.func (.reg .b32 d) dot2su(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp2a.lo.s32.u32 d, a, b, c; ret; }
.func (.reg .b32 d) dot2ss(.reg .b32 a, .reg .b32 b, .reg .b32 c) { dp2a.lo.s32.s32 d, a, b, c; ret; }
.func (.reg .b64 d) wide0(.reg .b32 a, .reg .b64 x) { .reg .b64 y; mul.wide.s32 y, a, -5; add.u64 d, y, x; ret; }
.func (.reg .b64 d) wide1(.reg .b32 a, .reg .b64 x) { .reg .b64 y; mul.wide.u32 y, a, 5; add.u64 d, y, x; ret; }
.func (.reg .b64 d) wide2(.reg .b32 a, .reg .b64 x) { .reg .b64 y; mul.wide.s32 y, a, 5; sub.u64 d, y, x; ret; }
.func (.reg .b64 d) wide3(.reg .b32 a, .reg .b32 b, .reg .b64 x) { .reg .b64 y; mul.wide.u32 y, a, b; sub.u64 d, y, x; ret; }
.func (.reg .b64 d) wide4(.reg .b32 a, .reg .b32 b, .reg .b64 x) { .reg .b64 y; mul.wide.s32 y, a, b; sub.u64 d, y, x; ret; }
.func (.reg .b64 d) wide5(.reg .b32 a, .reg .b32 b, .reg .b64 x) { .reg .b64 y; .reg .b32 t; add.cc.u32 t, a, b; mul.wide.s32 y, a, 5; addc.u64 d, y, x; ret; }
.func (.reg .b64 d) wide6(.reg .b32 a, .reg .b32 b, .reg .b64 x) { .reg .b64 y; .reg .b32 t; add.cc.u32 t, a, b; mul.wide.u32 y, a, 5; addc.u64 d, y, x; ret; }
.func (.reg .b64 d) wide7(.reg .b32 a, .reg .b32 b, .reg .b64 x) { .reg .b64 y; .reg .b32 t; add.cc.u32 t, a, b; mul.wide.u32 y, a, b; addc.cc.u64 y, y, x; addc.u32 t, 0, 0; cvt.u64.u32 d, t; xor.b64 d, d, y; ret; }
.func (.reg .b32 d) sum(.reg .b32 a, .reg .b32 b, .reg .b32 c) { add.u32 d, a, b; add.u32 d, d, c; ret; }
.func (.reg .b32 d) diff(.reg .b32 a, .reg .b32 b, .reg .b32 c) { add.u32 d, a, b; sub.u32 d, d, c; ret; }
.func (.reg .b32 d) scale0(.reg .b32 a, .reg .b32 c) { mad.lo.u32 d, a, 8, c; ret; }
.func (.reg .b32 d) scale1(.reg .b32 a, .reg .b32 c) { mad.hi.u32 d, a, 8, c; ret; }
.func (.reg .b32 d) scale2(.reg .b32 a, .reg .b32 c) { mad.hi.s32 d, a, 8, c; ret; }
.func (.reg .b64 d) scale3(.reg .b64 a, .reg .b64 c) { shl.b64 d, a, 3; add.u64 d, d, c; ret; }
.func (.reg .b32 d) scale4(.reg .b32 a, .reg .b32 c) { .reg .b32 t; mad.lo.cc.u32 t, a, 8, c; addc.u32 d, t, 0; ret; }
.func (.reg .b32 d) scale5(.reg .b32 a, .reg .b32 c) { .reg .b32 t; mad.hi.cc.u32 t, a, 8, c; addc.u32 d, t, 0; ret; }
.func (.reg .b32 d) scale6(.reg .b32 a, .reg .b32 c) { .reg .b32 t; mad.hi.cc.s32 t, a, 8, c; addc.u32 d, t, 0; ret; }
.func (.reg .b32 d) wide8(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .b32 x, y; mad.lo.cc.s32 x, a, b, c; madc.hi.cc.s32 y, a, b, a; addc.u32 d, y, x; ret; }
.func (.reg .b32 d) wide9(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .b32 x, y, z; add.cc.u32 z, a, c; madc.lo.cc.s32 x, a, b, c; madc.hi.cc.s32 y, a, b, a; addc.u32 d, y, x; xor.b32 d, d, z; ret; }
.func (.reg .b32 d) wide10(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .b32 x, y, z; add.cc.u32 z, a, c; madc.lo.cc.s32 x, a, b, c; madc.hi.s32 y, a, b, a; xor.b32 d, y, x; xor.b32 d, d, z; ret; }
.func (.reg .b32 d) mad5(.reg .b32 a, .reg .b32 b) { mad.lo.u32 d, a, b, 5; ret; }
.func (.reg .b32 d) above(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .pred p; setp.gt.u32 p, a, 5; selp.b32 d, b, c, p; ret; }
.func (.reg .b32 d) field(.reg .b32 a) { .reg .b32 t; bfe.s32 d, a, 3, 7; bfe.u32 t, a, 5, 9; xor.b32 d, d, t; ret; }
.func (.reg .b32 d) mad(.reg .b32 a, .reg .b32 b, .reg .b32 c) { mul.lo.u32 d, a, b; sub.u32 d, d, c; ret; }
.func (.reg .b64 d) neg(.reg .b64 a) { neg.s64 d, a; ret; }
.func (.reg .b32 d) insert(.reg .b32 a, .reg .b32 b) { bfi.b32 d, a, b, 5, 9; ret; }
.func (.reg .b32 d) less(.reg .b32 a) { .reg .pred p; setp.ge.s32 p, a, -5; selp.u32 d, 1, 0, p; ret; }
.func (.reg .b32 d) clamp(.reg .b32 a, .reg .b32 b) { .reg .pred p, q; setp.gt.u32 p, a, b; setp.gt.or.u32 q, b, 5, p; selp.u32 d, a, 0, q; ret; }
.func (.reg .b32 d) logic(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .pred p, q, r; setp.ge.s32 p, a, b; setp.ge.s32 q, b, c; setp.eq.s32 r, a, c; xor.pred p, p, q; and.pred q, p, r; or.pred p, q, p; selp.b32 d, a, b, p; @q add.s32 d, d, c; ret; }
.func (.reg .b32 d) loop(.reg .b32 a, .reg .b32 b, .reg .b32 c) { .reg .pred p; L: sub.s32 a, a, b; mul.lo.u32 a, a, a; setp.lt.s32 p, a, b; @p bra L; mov.u32 d, a; ret; }
.func (.reg .b32 d) stop(.reg .b32 a, .reg .b32 b) { .reg .pred p; setp.lt.s32 p, a, b; @p trap; mov.u32 d, 7; ret; }
`

// more72 is for instructions of sm_72 and later.
const more72 = `
.func (.reg .b32 d) high0(.reg .b32 a, .reg .b32 c) { mad.hi.s32 d, a, 5, c; ret; }
.func (.reg .b32 d) high1(.reg .b32 a, .reg .b32 c) { mad.hi.u32 d, a, 5, c; ret; }
.func (.reg .b32 d) limit0(.reg .b32 a) { min.s32 d, a, 5; ret; }
.func (.reg .b32 d) limit1(.reg .b32 a) { max.s32 d, a, 5; ret; }
.func (.reg .b32 d) limit2(.reg .b32 a) { min.u32 d, a, 5; ret; }
.func (.reg .b32 d) limit3(.reg .b32 a, .reg .b32 b) { max.u32 d, a, b; ret; }
.func (.reg .b64 d) limit4(.reg .b64 a) { min.s64 d, a, 5; max.s64 d, d, -5; ret; }
.func (.reg .b64 d) limit5(.reg .b64 a) { min.u64 d, a, 5; ret; }
.func (.reg .b32 d) plus(.reg .b32 a, .reg .b32 b) { .reg .pred p; setp.lt.s32 p, a, b; @p add.s32 d, a, 1; @!p add.s32 d, b, 32; ret; }
`

// tools are the assembler and the disassembler of an architecture.
func tools(arch string) (ptxas, nvdisasm, version string) {
	if arch < "sm_75" && len(arch) == 5 {
		return "ptxas-12.9", "nvdisasm-12.8", "8.0"
	}
	return "ptxas-13.5", "nvdisasm-13.5", "9.0"
}

// disassembled calls do for each line of what ptxas makes of a module.
func disassembled(t *testing.T, arch, module string, do func(line string), flags ...string) {
	for line := range strings.Lines(disassembly(t, arch, module, nil, flags...)) {
		if address.MatchString(line) {
			do(line)
		}
	}
}

// disassembly is what nvdisasm, with options, prints of what ptxas makes of a
// module.
func disassembly(t *testing.T, arch, module string, options []string, flags ...string) string {
	as, dis, version := tools(arch)
	ptxas, nvdisasm := judges.Need(t, as), judges.Need(t, dis)
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "x.ptx"), filepath.Join(dir, "x.cubin")
	text := ".version " + version + "\n.target " + arch + "\n.address_size 64\n" + module
	require.NoError(t, os.WriteFile(src, []byte(text), 0o600))
	msg, err := exec.Command(ptxas, append(flags, "-arch="+arch, "-c", src, "-o", bin)...).CombinedOutput()
	require.NoError(t, err, "%s", msg)
	list, err := exec.Command(nvdisasm, append(options, "-c", bin)...).Output()
	require.NoError(t, err)
	return string(list)
}

// seen are the shapes in what ptxas makes of the forms, each with a line that has
// it.
func seen(t *testing.T, arch string) map[string]string {
	out := map[string]string{}
	add := func(line string) {
		line = strings.TrimSpace(address.ReplaceAllString(line, ""))
		out[shape(line)] = strings.TrimSpace(strings.TrimSuffix(line, ";"))
	}
	for module, flags := range modules() {
		disassembled(t, arch, module, add, flags...)
	}
	return out
}

// modules are what ptxas gets, with its flags.
func modules() iter.Seq2[string, []string] {
	var kernels []string
	for i, f := range forms() {
		bytesInRegisters := f.Op == ptx.Mov && f.Pack != 0 && f.T.Bits() == 8*max(int(f.Pack), -int(f.Pack))
		fused := slices.Contains(ptx.Fused(), f)
		// These become what setp of 32 and 64 bits does.
		compares := f.Op == ptx.Set || f.Op == ptx.Setp && (f.Dual || f.T.Bits() == 16 || f.Cmp >= ptx.LoU)
		if f.Op == ptx.Vmad && i%31 != 0 || f.Op == ptx.Lop3 && f.Lut%37 != 0 || bytesInRegisters || fused || compares && i%13 != 0 {
			continue
		}
		kernels = append(kernels, kernel(fmt.Sprintf("k%d", i), f))
	}
	return func(yield func(string, []string) bool) {
		for chunk := range slices.Chunk(kernels, 300) {
			if !yield(strings.Join(chunk, ""), nil) {
				return
			}
		}
		_ = yield(more+more72, nil) && yield(more+more72, []string{"-O0"})
	}
}

func TestPtxasWritesEveryInstructionThatWePrint(t *testing.T) {
	seenFeatures := map[ir.Features]bool{}
	for _, tg := range modern() {
		again := seenFeatures[tg.Features] // the same table, printed alike
		seenFeatures[tg.Features] = true
		if again || !full() && !slices.Contains([]string{"sm_70", "sm_90", "sm_120"}, tg.Name) {
			continue
		}
		t.Run(tg.Name, func(t *testing.T) {
			theirs, ours := seen(t, tg.Name), printed(t, tg)
			for _, s := range slices.Sorted(maps.Keys(ours)) {
				if theirs[s] == "" {
					t.Errorf("%s\t(%s)", s, ours[s])
				}
			}
			t.Logf("%d shapes of ours, %d of ptxas'", len(ours), len(theirs))
		})
	}
}
