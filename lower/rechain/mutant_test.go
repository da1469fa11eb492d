package rechain

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// planned is a function's first region, read and written again in one way.
func planned(t testing.TB, f *ir.Func, class Class, how variant) (*rewrite, *region) {
	t.Helper()
	b := f.Blocks[0]
	g := newGraph()
	r := newReader(g, f, nil)
	r.block(b.Vals)
	xs := regions(r, b, usedOutside(f))
	require.NotEmpty(t, xs)
	x := xs[0]
	w, err := plan(g, r, x, len(g.nodes), nil)
	require.NoError(t, err)
	require.True(t, w.write(x, class, how))
	return w, x
}

// mutate changes one operation of a text in one of the ways in which texts of
// this kind go wrong, and gives what undoes that; nil if it found nothing to
// change.
func mutate(rnd *rand.Rand, c *code) (undo func()) {
	vals := c.b.Vals
	i := rnd.IntN(len(vals))
	v := vals[i]
	if v.Op != ir.PTX {
		return nil
	}
	old := *v
	old.Args = append([]*ir.Value(nil), v.Args...)
	undo = func() { v.Form, v.Args = old.Form, old.Args }
	v.Args = append([]*ir.Value(nil), v.Args...)
	switch rnd.IntN(7) {
	case 0: // a carry is lost
		if !v.Form.ReadsCF() {
			return nil
		}
		v.Args[len(v.Args)-1] = c.f.Const(sem.Val{}, 1)
	case 1: // another operand of the width
		j := rnd.IntN(len(v.Args))
		var from []*ir.Value
		for _, u := range append(append([]*ir.Value(nil), c.f.Params...), vals[:i]...) {
			if u.W == v.Args[j].W && u != v.Args[j] {
				from = append(from, u)
			}
		}
		if len(from) == 0 {
			return nil
		}
		v.Args[j] = from[rnd.IntN(len(from))]
	case 2: // the other half of a product
		switch v.Form.Mode {
		case ptx.Lo:
			v.Form.Mode = ptx.Hi
		case ptx.Hi:
			v.Form.Mode = ptx.Lo
		default:
			return nil
		}
	case 3: // the sum for the difference
		switch v.Form.Op {
		case ptx.Add:
			v.Form.Op = ptx.Sub
		case ptx.Addc:
			v.Form.Op = ptx.Subc
		case ptx.Sub:
			v.Form.Op = ptx.Add
		case ptx.Subc:
			v.Form.Op = ptx.Addc
		default:
			return nil
		}
	case 4: // operands change places
		if len(v.Args) < 2 {
			return nil
		}
		j := rnd.IntN(len(v.Args) - 1)
		if v.Args[j].W != v.Args[j+1].W {
			return nil
		}
		v.Args[j], v.Args[j+1] = v.Args[j+1], v.Args[j]
	case 5: // another number
		j := rnd.IntN(len(v.Args))
		if a := v.Args[j]; a.Op != ir.Const {
			return nil
		} else {
			v.Args[j] = c.f.Const(a.K.Xor(sem.U(1).Shl(uint64(rnd.IntN(a.W)))), a.W)
		}
	case 6: // an addend is lost
		if len(v.Args) < 3 || v.Args[2].W == 1 {
			return nil
		}
		v.Args[2] = c.f.Const(sem.Val{}, v.Args[2].W)
	}
	return undo
}

func TestNoWrongTextIsProved(t *testing.T) {
	type way struct {
		name  string
		class Class
		how   variant
	}
	ways := []way{
		{"pairs", Volta, variant{first: -1}}, {"rows", Volta, variant{first: 1, rows: true, later: true}},
		{"wide64", Volta, variant{first: -1, form: wide64}}, {"maxwell", Maxwell, variant{}},
		{"kepler", Kepler, variant{}}, {"gfx7", GFX7, variant{}}, {"generic", Generic, variant{}},
	}
	inputs := kernels(t, "spec/nv/chains", "mul128_*")
	for _, more := range []map[string]*ir.Func{kernels(t, "spec/nv/chains", "sqr128_*"), kernels(t, "proto/rechain/in", "*3x32"),
		kernels(t, "proto/rechain/in", "*4x64_fold"), kernels(t, "spec/nv/chains", "mont256_rowlohi")} {
		for n, f := range more {
			inputs[n] = f
		}
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	wrong, same, sameProved := 0, 0, 0
	for _, n := range names(inputs) {
		for _, way := range ways {
			if n == "mont256_rowlohi" && way.how.form == wide64 {
				continue // the largest: a few ways will do
			}
			trials := 20
			if n == "mont256_rowlohi" {
				trials = 5
			}
			w, x := planned(t, inputs[n], way.class, way.how)
			require.NoError(t, w.prove(), "%s %s", n, way.name)
			require.NoError(t, w.vectors(x, tried), "%s %s", n, way.name)
			for trials > 0 {
				undo := mutate(rnd, w.code)
				if undo == nil {
					continue
				}
				trials--
				differs := w.vectors(x, 512) != nil
				w.g.budget()
				err := w.prove()
				require.True(t, err == nil || errors.Is(err, errProof))
				switch {
				case differs:
					wrong++
					require.Error(t, err, "%s %s: %s", n, way.name, w.code.f)
				default:
					same++
					sameProved += btoi(err == nil)
				}
				undo()
			}
		}
	}
	t.Logf("%d wrong texts, none proved; %d without a difference on vectors, %d of them proved", wrong, same, sameProved)
	require.Greater(t, wrong, 1000)
}

// Random regions written in random ways: what is proved is right, and its wrong
// mutants are not proved.
func TestNothingWrongIsProvedOfRandomChains(t *testing.T) {
	rnd := rand.New(rand.NewPCG(99, 3))
	proved, wrong := 0, 0
	for range 2000 {
		f := randomChain(rnd, 4+rnd.IntN(30))
		b := f.Blocks[0]
		g := newGraph()
		r := newReader(g, f, nil)
		r.block(b.Vals)
		read := len(g.nodes)
		for _, x := range regions(r, b, usedOutside(f)) {
			w, err := plan(g, r, x, read, nil)
			if err != nil {
				continue
			}
			class := Generic + Class(rnd.IntN(int(NumClasses-Generic)))
			hows := variants(class, 8, wideForm(rnd.IntN(int(fused))))
			if !w.write(x, class, hows[rnd.IntN(len(hows))]) || w.prove() != nil {
				continue
			}
			proved++
			require.NoError(t, w.vectors(x, 512), "%s\n%s", f, w.code.f)
			for range 4 {
				if len(w.code.b.Vals) == 0 {
					break
				}
				undo := mutate(rnd, w.code)
				if undo == nil {
					continue
				}
				if w.vectors(x, 512) != nil {
					wrong++
					g.budget()
					require.Error(t, w.prove(), "%s\n%s", f, w.code.f)
				}
				undo()
			}
		}
	}
	t.Logf("%d texts proved, %d wrong mutants of them not", proved, wrong)
	require.Greater(t, proved, 300)
	require.Greater(t, wrong, 300)
}

// write writes the groups in one way.
func (w *rewrite) write(x *region, class Class, how variant) bool {
	var widths []int
	for _, v := range x.wanted {
		widths = append(widths, v.W)
	}
	s := newSynth(w.g, class, how)
	if s.write(w.groups) != nil || s.results(w.wanted, widths) != nil {
		return false
	}
	w.code, w.marks = s.code, s.have
	w.g.budget()
	return true
}
