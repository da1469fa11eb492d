package ptxlower

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

var (
	listedReg  = regexp.MustCompile(`\b(R\d+|P\d|v\d+|v\[\d+:\d+\])(\.H[01])?\b`)
	listedWord = regexp.MustCompile(`\.(X|CC|H1|HI|U32|PSL|WIDE|MRG|CBCC)\b`)
)

// altered is a listing with one thing changed: a line gone or exchanged with the
// next, another register, a modifier gone or moved, a constant.
func altered(rnd *rand.Rand, listing string) string {
	lines := strings.Split(strings.TrimSpace(listing), "\n")
	at := 1 + rnd.IntN(len(lines)-2)
	pick := func(re *regexp.Regexp, s string) []int {
		found := re.FindAllStringIndex(s, -1)
		if len(found) == 0 {
			return nil
		}
		return found[rnd.IntN(len(found))]
	}
	line := lines[at]
	switch rnd.IntN(6) {
	case 0:
		lines = slices.Delete(lines, at, at+1)
	case 1:
		if at+1 < len(lines)-1 {
			lines[at], lines[at+1] = lines[at+1], line
		}
	case 2, 3: // a register of another line
		other := lines[1+rnd.IntN(len(lines)-2)]
		if x, y := pick(listedReg, line), pick(listedReg, other); x != nil && y != nil {
			lines[at] = line[:x[0]] + other[y[0]:y[1]] + line[x[1]:]
		}
	case 4:
		if x := pick(listedWord, line); x != nil {
			lines[at] = line[:x[0]] + line[x[1]:]
		} else {
			lines[at] = strings.NewReplacer("vcc, 0, 0, vcc", "vcc, 0, 0, 0", "hi_u32", "lo_u32", "v_addc_co", "v_add_co").Replace(line)
		}
	case 5:
		lines[at] = strings.NewReplacer("RZ", "R4", ", 0", ", 1", "0x1,", "0x2,", "P0", "P1", "!PT", "PT", "H1", "H0").Replace(line)
	}
	return strings.Join(lines, "\n")
}

// back reads a listing of a function back.
func (r *run) back(src *ir.Func, listing string) (*mach.Func, error) {
	m := r.res.Target.Target.Machine
	var params, results []mach.Class
	for _, p := range src.Params {
		c, _ := m.ClassOf(max(p.W, 32))
		params = append(params, c)
	}
	for _, w := range src.Results {
		c, _ := m.ClassOf(max(w, 32))
		results = append(results, c)
	}
	return r.reader().Read(strings.Split(strings.TrimSpace(listing), "\n")[1:], params, results)
}

// No listing of a chain that computes something else is proved: of every shape,
// on a target of every class.
func TestNoWrongListingOfAChainIsAccepted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 14))
	wrong, unread, same := 0, 0, 0
	for _, file := range []string{"shape-rows", "shape-columns", "shape-u64-limbs", "shape-doubled-square", "shape-montgomery", "shape-high-half", "product-in-rows"} {
		text, err := os.ReadFile("testdata/lit/rechain/" + file + ".ll")
		require.NoError(t, err)
		for _, target := range strings.Fields("sm_35 sm_52 sm_70 sm_120 gfx600 gfx900 gfx1100") {
			r := &run{ctx: context.Background(), opt: Options{Target: target, Emit: EmitAsm, Verify: VerifyProve},
				file: diag.NewFile("m.ll", text), prover: prover{cache: prove.NewCache()}}
			r.m = ll.Parse(r.file, &r.diags)
			require.NoError(t, r.target())
			r.units = lower.Lift(r.m, lower.Options{}, &r.diags)
			src, refusal := r.units[0].Function(r.m, r.opt.Model)
			require.Nil(t, refusal)
			tg := r.res.Target.Target
			nf, equal, err := r.selected(src, diag.Span{}, tg)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, tg.Print(&out, nf))
			for range 36 {
				listing := altered(rnd, out.String())
				bad, err := r.back(src, listing)
				if err != nil {
					unread++
					continue
				}
				b := sem.NewBuilder()
				g, err := goalIn(b, equal, bad, tg.Machine)
				if err != nil {
					unread++
					continue
				}
				mm, err := eval.CheckLowering(src, bad, tg.Machine, 300, 9)
				if err != nil {
					unread++
					continue
				}
				if mm == nil {
					same++
					continue
				}
				wrong++
				require.NotEqual(t, prove.Proved, prove.Equal(r.meet(b, g), prove.Options{Conflicts: -1, Lanes: 1}).Status, "%s %s\n%s", file, target, listing)
			}
		}
	}
	t.Logf("%d wrong, none accepted; %d more that cannot be read; %d as right as before", wrong, unread, same)
	require.GreaterOrEqual(t, wrong, 1000)
}
