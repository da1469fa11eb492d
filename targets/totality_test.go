package targets_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

// forms are all that a target must have a rule for.
func forms() []ptx.Form { return append(ptx.Behaviours(), ptx.Neighbours()...) }

// size is how much is checked: under PTXLOWER_FULL each form on 10,000 vectors,
// else on 256 every stride-th, of each target others, so that all targets
// together take a few seconds.
func size() (stride, lanes int) {
	if os.Getenv("PTXLOWER_FULL") != "" {
		return 1, 10_000
	}
	return len(targets.Supported()), 256
}

// representatives are the targets that the matrices run over: all of them in samples;
// under PTXLOWER_FULL one of those with the same features, machine and rules.
func representatives() (ts []*isel.Target) {
	seen := map[string]bool{}
	for _, t := range targets.Supported() {
		class := fmt.Sprintf("%d %p %d", t.Features, t.Machine, len(t.Rules))
		if os.Getenv("PTXLOWER_FULL") == "" || !seen[class] {
			ts = append(ts, t)
		}
		seen[class] = true
	}
	return ts
}

var models = [...]ptx.Model{ptx.ISA, ptx.PTXAS}

// parameters are variables for the sources and the carry-in of a form.
func parameters(b *sem.Builder, f ptx.Form) (ps []*sem.Term) {
	for i, w := range ir.ArgWidths(f) {
		ps = append(ps, b.Var(fmt.Sprintf("p%d", i), w))
	}
	return ps
}

func TestEveryFormIsSelectedAllocatedAndRight(t *testing.T) {
	stride, lanes := size()
	for n, tg := range representatives() {
		t.Run(tg.Name, func(t *testing.T) {
			t.Parallel()
			lanes := lanes
			if !slices.Contains([]string{"sm_70", "gfx900", "generic"}, tg.Name) {
				lanes = min(lanes, 1000)
			}
			all := forms()
			for i := n % stride; i < len(all); i += stride {
				for _, m := range models {
					if m != ptx.ISA && all[i].Op != ptx.Vmad {
						continue // the models differ on vmad only
					}
					formIsRight(t, tg, all[i], m, lanes, uint64(i))
				}
			}
		})
	}
}

func formIsRight(t *testing.T, tg *isel.Target, f ptx.Form, m ptx.Model, lanes int, seed uint64) {
	nf, c, err := tg.SelectForm(f, m)
	require.NoError(t, err)
	require.Equal(t, f, c.Form)
	for k := range nf.Blocks[0].Insts {
		in := &nf.Blocks[0].Insts[k]
		require.NoError(t, in.Op.Legal(in.In), "%s: %s", tg.Name, f.Name())
	}
	require.NoError(t, nf.Allocate(tg.Machine), "%s: %s", tg.Name, f.Name())
	if _, done := checked.LoadOrStore(sequence{f, m, tg.Machine, code(nf)}, true); done {
		return
	}
	b := sem.NewBuilder()
	params := parameters(b, f)
	want := f.Meaning(b, params, m)
	got, err := eval.NativeTerms(nf, tg.Machine, b, params)
	require.NoError(t, err)
	for k := range want {
		want[k] = b.Zext(want[k], got[k].W)
	}
	for _, v := range sem.Vars(got...) {
		require.Contains(t, params, v, "%s: %s reads a register that nothing wrote", tg.Name, f.Name())
	}
	mm := eval.Compare(params, want, got, nil, lanes, seed)
	require.Nil(t, mm, "%s: %s (%s), rule %q: %s", tg.Name, f.Name(), m, c.Rule.Name, mm)
}

// checked are the sequences that were compared with their forms: targets of one
// family share most of theirs.
var checked sync.Map

type sequence struct {
	form    ptx.Form
	model   ptx.Model
	machine *mach.Machine
	code    [sha256.Size]byte
}

// code is what only equal code of a block has.
func code(f *mach.Func) [sha256.Size]byte {
	b := f.Blocks[0]
	text := fmt.Appendf(nil, "%v %v %v %v\n", f.Params, f.Classes, f.Phys, b.Ret)
	for i := range b.Insts {
		in := &b.Insts[i]
		text = fmt.Appendf(text, "%p %v %v", in.Op, in.Out, in.In)
		if in.Guard != nil {
			text = fmt.Appendf(text, " @%v", *in.Guard)
		}
		text = append(text, '\n')
	}
	return sha256.Sum256(text)
}

// within is a value of w bits for which the fact holds, made of any value.
func within(f isel.Fact, v sem.Val, w int) sem.Val {
	if f.Signed {
		n := 1
		for uint64(1)<<(n-1) <= f.Max && n < 64 {
			n++
		}
		return v.SignExtend(n).Cut(w)
	}
	if f.Max-f.Min == ^uint64(0) {
		return v.Cut(w)
	}
	return sem.U(f.Min + v.Lo%(f.Max-f.Min+1)).Cut(w)
}

// facts is what is known of an operand for which the fact holds.
func facts(f isel.Fact, w int) sem.Facts {
	k := sem.Any(w)
	if f.Signed {
		k.SMin, k.SMax = sem.S(-int64(f.Max)-1).Cut(w), sem.U(f.Max)
		return k
	}
	if f.Min == f.Max {
		return sem.Exactly(sem.U(f.Min), w)
	}
	k.UMin, k.UMax = sem.U(f.Min), sem.U(f.Max)
	return k
}

// known is what the facts of a rule say of the operands of a form.
func known(r *isel.Rule, f ptx.Form) func(int) sem.Facts {
	ws := ir.ArgWidths(f)
	return func(i int) sem.Facts {
		for _, fact := range r.When {
			if fact.Arg == i {
				return facts(fact, ws[i])
			}
		}
		if r.Fold != nil && i > 0 {
			return sem.Exactly(sem.U(uint64(5*i)), ws[i])
		}
		return sem.Any(ws[i])
	}
}

// matching are the forms that a pattern covers.
var matching = func() func(pattern string) []ptx.Form {
	all := slices.Concat(forms(), ptx.Fused(), ptx.Halved())
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Name()
	}
	memo := map[string][]ptx.Form{}
	return func(pattern string) []ptx.Form {
		fs, ok := memo[pattern]
		for i := 0; !ok && i < len(all); i++ {
			if isel.Match(pattern, names[i]) {
				fs = append(fs, all[i])
			}
		}
		memo[pattern] = fs
		return fs
	}
}()

// lives reports whether a rule is chosen for one of at most n of its forms: for
// general operands, or where what it asks of them is known and nothing more. In
// the second case it is compared with check forms on operands for which its
// facts hold.
func lives(t *testing.T, tg *isel.Target, r *isel.Rule, n, check, lanes int) bool {
	fs := matching(r.Forms)
	checked := 0
	for i := 0; i < len(fs); i += 1 + len(fs)/n {
		f := fs[i]
		if slices.ContainsFunc(r.When, func(x isel.Fact) bool { return x.Arg >= len(ir.ArgWidths(f)) }) {
			continue
		}
		for _, m := range models {
			c, err := tg.Choose(f, m, known(r, f))
			if err != nil && f.OfHalves() {
				continue // only some targets multiply halves
			}
			require.NoError(t, err)
			if c.Rule != r {
				continue
			}
			if len(c.When) == 0 {
				return true // checked as the rule of its forms
			}
			factIsRight(t, tg, c, m, lanes, uint64(i))
			if checked++; checked >= check {
				return true
			}
		}
	}
	return checked > 0
}

func factIsRight(t *testing.T, tg *isel.Target, c *isel.Choice, m ptx.Model, lanes int, seed uint64) {
	b := sem.NewBuilder()
	params := parameters(b, c.Form)
	ws := ir.ArgWidths(c.Form)
	want, got := c.Form.Meaning(b, params, m), c.Meaning(b, tg, params)
	in := eval.Vectors(ws, lanes, seed)
	for _, f := range c.When {
		for l := range in[f.Arg].Lo {
			in[f.Arg].Lo[l] = within(f, sem.U(in[f.Arg].Lo[l]), ws[f.Arg]).Lo
		}
	}
	column := func(t *sem.Term) sem.Col { return sem.Col{Lo: make([]uint64, lanes)} }
	out := make([]sem.Col, 2*len(want))
	for k := range want {
		want[k] = b.Zext(want[k], got[k].W)
		out[k], out[len(want)+k] = column(want[k]), column(got[k])
	}
	sem.Compile(params, append(slices.Clone(want), got...)...).Run(in, out)
	for k := range want {
		for l := range lanes {
			if out[k].Lo[l] != out[len(want)+k].Lo[l] {
				var ops []string
				for i := range in {
					ops = append(ops, fmt.Sprintf("%#x", in[i].Lo[l]))
				}
				t.Fatalf("%s: %s (%s), rule %q: result %d of %v is %#x, not %#x", tg.Name, c.Form.Name(), m, c.Rule.Name, k, ops, out[len(want)+k].Lo[l], out[k].Lo[l])
			}
		}
	}
}

func TestNoRuleIsDead(t *testing.T) {
	_, lanes := size()
	full := os.Getenv("PTXLOWER_FULL") != ""
	alive, every := map[string]bool{}, map[string]bool{}
	// A few forms of each rule show most of them alive; all forms of the rest.
	for _, n := range []int{50, 1 << 20} {
		for _, tg := range targets.Supported() {
			seen := map[string]bool{}
			for i := range tg.Rules {
				r := &tg.Rules[i]
				require.False(t, seen[r.Name], "%s has two rules %q", tg.Name, r.Name)
				seen[r.Name], every[r.Name] = true, true
				if !tg.Features.Has(r.Needs) || tg.Features&r.Lacks != 0 {
					continue // some other target must have it
				}
				switch {
				case full && n == 50 && len(r.When) > 0:
					alive[r.Name] = lives(t, tg, r, n, 50, lanes) || alive[r.Name]
				case !alive[r.Name]:
					alive[r.Name] = lives(t, tg, r, n, 4, lanes)
				}
			}
		}
	}
	for name := range every {
		if !alive[name] {
			t.Errorf("no form chooses rule %q", name)
		}
	}
}
