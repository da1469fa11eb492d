package ptxlower_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
)

// chainText is the text of a chain's kernel between its loads and its stores:
// inputs and outputs are registers by name, with their widths.
type chainText struct {
	name      string
	body      []string
	ins, outs []string
	bits      map[string]int
}

var (
	chainLoad  = regexp.MustCompile(`^ld\.global\.[bu](\d+) (\w+),\[P_\+`)
	chainStore = regexp.MustCompile(`^st\.global\.[bu](\d+) \[P_\+\d+\],\s*(\w+);`)
	chainReg   = regexp.MustCompile(`^\.reg \.[bu](\d+) (.*);`)
)

// readChain reads a kernel of the specification material.
func readChain(t testing.TB, folder, name string) *chainText {
	text, err := os.ReadFile(filepath.Join(testutil.Shared(t, folder), name+".ptx"))
	require.NoError(t, err)
	c := &chainText{name: name, bits: map[string]int{}}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		if m := chainReg.FindStringSubmatch(line); m != nil {
			for r := range strings.SplitSeq(m[2], ",") {
				n := 32
				if m[1] == "64" {
					n = 64
				}
				c.bits[strings.TrimSpace(r)] = n
			}
			continue
		}
		switch m := chainLoad.FindStringSubmatch(line); {
		case m != nil:
			c.ins = append(c.ins, m[2])
		case chainStore.MatchString(line):
			c.outs = append(c.outs, chainStore.FindStringSubmatch(line)[2])
		case line == "ret;", line == "", line == "}", len(c.ins) == 0:
		default:
			c.body = append(c.body, line)
		}
	}
	return c
}

// statements writes the chain as people do: one volatile asm statement for each
// instruction, the carry flowing from one to the next. in names the registers
// that are there; the map returned names what each register is in the end.
func (c *chainText) statements(t testing.TB, s *strings.Builder, numbered bool, in map[string]string, before func(is map[string]string)) map[string]string {
	is := map[string]string{}
	for r, v := range in {
		is[r] = v
	}
	n := 0
	for _, line := range c.body {
		if before != nil {
			before(is)
		}
		word, rest, ok := strings.Cut(strings.TrimSuffix(line, ";"), " ")
		require.True(t, ok, line)
		first, second, packs := rest, "", strings.Contains(rest, "{")
		if packs && strings.HasPrefix(rest, "{") { // mov.b64 {l,h}, x
			first, second, _ = strings.Cut(rest, "}")
			first = strings.Trim(first, "{ ")
			second = strings.Trim(second, ", ")
		} else {
			first, second, _ = strings.Cut(rest, ",")
		}
		var outs, args, cons, types []string
		text := map[string]string{}
		for o := range strings.SplitSeq(first, ",") {
			o = strings.TrimSpace(o)
			outs = append(outs, o)
			text[o] = fmt.Sprintf("$%d", len(outs)-1)
			cons = append(cons, map[int]string{32: "=r", 64: "=l"}[c.bits[o]])
			types = append(types, fmt.Sprintf("i%d", c.bits[o]))
		}
		left := strings.Join(mapped(outs, text), ", ")
		if len(outs) > 1 {
			left = "{" + left + "}"
		}
		var ops []string
		for o := range strings.SplitSeq(strings.Trim(strings.TrimSpace(second), "{}"), ",") {
			o = strings.TrimSpace(o)
			if v, ok := is[o]; ok {
				ops = append(ops, fmt.Sprintf("$%d", len(outs)+len(args)))
				args = append(args, fmt.Sprintf("i%d %s", c.bits[o], v))
				cons = append(cons, map[int]string{32: "r", 64: "l"}[c.bits[o]])
				continue
			}
			ops = append(ops, o)
		}
		right := strings.Join(ops, ", ")
		if packs && len(outs) == 1 {
			right = "{" + right + "}"
		}
		def := func() string {
			n++
			if numbered {
				return fmt.Sprintf("%%%d", n-1)
			}
			return fmt.Sprintf("%%v%d", n-1)
		}
		typ := types[0]
		if len(outs) > 1 {
			typ = "{ " + strings.Join(types, ", ") + " }"
		}
		d := def()
		fmt.Fprintf(s, "  %s = call %s asm sideeffect \"%s %s, %s;\", \"%s\"(%s)\n", d, typ, word, left, right, strings.Join(cons, ","), strings.Join(args, ", "))
		if len(outs) == 1 {
			is[outs[0]] = d
			continue
		}
		for i, o := range outs {
			e := def()
			fmt.Fprintf(s, "  %s = extractvalue %s %s, %d\n", e, typ, d, i)
			is[o] = e
		}
	}
	return is
}

func mapped(xs []string, m map[string]string) (out []string) {
	for _, x := range xs {
		out = append(out, m[x])
	}
	return out
}

// function is the chain as a function of integers.
func (c *chainText) function(t testing.TB, triple string) string {
	var s strings.Builder
	var params, types []string
	in := map[string]string{}
	for _, r := range c.ins {
		params = append(params, fmt.Sprintf("i%d %%%s", c.bits[r], r))
		in[r] = "%" + r
	}
	for _, r := range c.outs {
		types = append(types, fmt.Sprintf("i%d", c.bits[r]))
	}
	typ := "{ " + strings.Join(types, ", ") + " }"
	fmt.Fprintf(&s, "target triple = %q\n\ndefine %s @f(%s) {\nentry:\n", triple, typ, strings.Join(params, ", "))
	is := c.statements(t, &s, false, in, nil)
	agg := "undef"
	for i, r := range c.outs {
		fmt.Fprintf(&s, "  %%agg%d = insertvalue %s %s, %s %s, %d\n", i, typ, agg, types[i], is[r], i)
		agg = fmt.Sprintf("%%agg%d", i)
	}
	fmt.Fprintf(&s, "  ret %s %s\n}\n", typ, agg)
	return s.String()
}

// kernel is the chain as a kernel that loads its inputs and stores its results,
// each 8 bytes from the one before, the results from byte 4096 on. Its values
// are numbered, as clang's are.
func (c *chainText) kernel(t testing.TB, triple string) string {
	var s strings.Builder
	s.WriteString("target triple = \"" + triple + "\"\n\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\ndefine ptx_kernel void @f(ptr addrspace(1) %all) {\nentry:\n" +
		"  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %at = getelementptr i64, ptr addrspace(1) %all, i32 %tid\n" +
		"  %p = load ptr addrspace(1), ptr addrspace(1) %at, align 8\n")
	in := map[string]string{}
	for i, r := range c.ins {
		fmt.Fprintf(&s, "  %%in%d = getelementptr i64, ptr addrspace(1) %%p, i64 %d\n  %%%s = load i%d, ptr addrspace(1) %%in%d, align 8\n", i, i, r, c.bits[r], i)
		in[r] = "%" + r
	}
	is := c.statements(t, &s, true, in, nil)
	for i, r := range c.outs {
		fmt.Fprintf(&s, "  %%out%d = getelementptr i64, ptr addrspace(1) %%p, i64 %d\n  store i%d %s, ptr addrspace(1) %%out%d, align 8\n", i, 512+i, c.bits[r], is[r], i)
	}
	s.WriteString("  ret void\n}\n")
	return s.String()
}

// ops counts the operations of a listing: moves, directives and what ends it left out.
func ops(listing string) (n int) {
	for line := range strings.Lines(listing) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "MOV", "v_mov_b32", "RET.ABS.NODEC", "RET", "s_waitcnt", "s_setpc_b64", "":
		default:
			n += btoi(!strings.HasSuffix(word, ":") && word[0] != '.')
		}
	}
	return n
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Listings of our own: what the best layout takes, however the source is laid
// out. The listing is proved, line by line, as it is printed.
func TestListingsOfChainsAreAsShortAsTheBestLayout(t *testing.T) {
	for _, tt := range []struct {
		folder, chains string
		most           map[string]int
	}{
		{"spec/nv/chains", "mul256_rowlohi mul256_u64row mul256_column mul256_evenodd mul256_wide64", map[string]int{"sm_52": 302, "sm_70": 86, "sm_120": 86, "gfx900": 125}},
		{"proto/rechain/in", "rows8x32 mul4x64", map[string]int{"sm_80": 86, "gfx900": 125}},
		{"spec/nv/chains", "mul128_rowlohi mul128_u64row", map[string]int{"sm_90": 26, "gfx1100": 29}},
		{"spec/nv/chains", "sqr256_rowlohi sqr256_dbl", map[string]int{"sm_62": 231, "sm_100": 66, "gfx906": 89}},
		{"spec/nv/chains", "mont256_rowlohi", map[string]int{"sm_70": 184, "sm_120": 184}},
		{"proto/rechain/in", "mul4x64_fold", map[string]int{"sm_70": 120, "sm_120": 120}},
	} {
		for chain := range strings.FieldsSeq(tt.chains) {
			c := readChain(t, tt.folder, chain)
			for target, most := range tt.most {
				res, err := ptxlower.Lower(t.Context(), chain, []byte(c.function(t, "nvptx64-nvidia-cuda")), ptxlower.Options{
					Target: target, Emit: ptxlower.EmitAsm, Verify: ptxlower.VerifyProve})
				require.NoError(t, err, "%s %s: %v", chain, target, res.Diags)
				require.LessOrEqual(t, ops(string(res.Output)), most, "%s %s", chain, target)
			}
		}
	}
}

// What the prover does not reach as a whole is checked on vectors: on sm_50 to
// sm_62 the products modulo 2^32 of Montgomery's steps are made of halves.
func TestListingsOfMontgomeryInHalvesAreAsShortAsPtxas(t *testing.T) {
	for _, tt := range []struct {
		folder, chain string
		most          int
	}{{"spec/nv/chains", "mont256_rowlohi", 691}, {"proto/rechain/in", "mul4x64_fold", 386}, {"spec/nv/chains", "mul512_u64row", 1118}} {
		c := readChain(t, tt.folder, tt.chain)
		res := lowered(t, c.function(t, "nvptx64-nvidia-cuda"), ptxlower.Options{Target: "sm_52", Emit: ptxlower.EmitAsm})
		require.NotZero(t, res.Checked, tt.chain)
		require.LessOrEqual(t, ops(string(res.Output)), tt.most, tt.chain)
	}
}

// mixed is the chain as a function in which other things happen on the way: some
// of the values in between are results, too, or change an input; and some
// statements stand in blocks of their own.
func (c *chainText) mixed(t testing.TB, rnd *rand.Rand) string {
	var body strings.Builder
	var params, types, results []string
	in := map[string]string{}
	for _, r := range c.ins {
		params = append(params, fmt.Sprintf("i%d %%%s", c.bits[r], r))
		in[r] = "%" + r
	}
	result := func(bits int, v string) {
		types, results = append(types, fmt.Sprintf("i%d", bits)), append(results, v)
	}
	n := 0
	each := 3 + rnd.IntN(40)
	numbered := rnd.IntN(2) == 0
	is := c.statements(t, &body, numbered, in, func(is map[string]string) {
		if n++; rnd.IntN(each) > 0 {
			return
		}
		var have []string // what is computed by now
		for r, v := range is {
			if in[r] == "" && c.bits[r] == 32 {
				have = append(have, v)
			}
		}
		slices.Sort(have)
		if len(have) == 0 {
			return
		}
		v := have[rnd.IntN(len(have))]
		switch rnd.IntN(4) {
		case 0, 1:
			result(32, v)
		case 2:
			r := c.ins[rnd.IntN(len(c.ins))]
			if c.bits[r] == 32 {
				fmt.Fprintf(&body, "  %%x%d = xor i32 %s, %s\n", n, is[r], v)
				is[r] = fmt.Sprintf("%%x%d", n)
			}
		case 3:
			fmt.Fprintf(&body, "  br label %%at%d\n\nat%d:\n", n, n)
		}
	})
	for _, r := range c.outs {
		result(c.bits[r], is[r])
	}
	typ := "{ " + strings.Join(types, ", ") + " }"
	var s strings.Builder
	fmt.Fprintf(&s, "target triple = \"nvptx64-nvidia-cuda\"\n\ndefine %s @f(%s) {\nentry:\n%s", typ, strings.Join(params, ", "), &body)
	agg := "undef"
	for i, v := range results {
		fmt.Fprintf(&s, "  %%agg%d = insertvalue %s %s, %s %s, %d\n", i, typ, agg, types[i], v, i)
		agg = fmt.Sprintf("%%agg%d", i)
	}
	fmt.Fprintf(&s, "  ret %s %s\n}\n", typ, agg)
	return s.String()
}

// Whatever happens around them, and whatever is wanted of their inside, chains
// compute what they did, in listings and as text.
func TestChainsAmongOtherThingsComputeWhatTheyDid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 26))
	rewritten := 0
	for _, name := range []string{"mul128_rowlohi", "mul128_u64row", "mul128_wide64", "mul128_evenodd", "sqr128_dbl", "montstep256_rowlohi"} {
		c := readChain(t, "spec/nv/chains", name)
		for range 10 {
			text := c.mixed(t, rnd)
			want, _ := whole(t, text, ptx.ISA)
			for _, target := range []string{"sm_52", "sm_80", "sm_120", "gfx900", "gfx942", "generic"} {
				out := string(lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM}).Output)
				rewritten += strings.Count(out, "ptxl.c0.r0 =") + strings.Count(out, "ptxl.c1.r0 =")
				got, _ := whole(t, out, ptx.ISA)
				require.NoError(t, differs(want, got, 60), "%s\n%s", text, out)
			}
			for _, target := range []string{"sm_80", "gfx900"} { // checked on vectors
				if target == "sm_80" || want.StraightLine() {
					lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
				}
			}
		}
	}
	t.Logf("%d chains", rewritten)
	require.Greater(t, rewritten, 100)
}
