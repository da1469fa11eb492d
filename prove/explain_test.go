package prove_test

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// formByName is the form of a name.
func formByName(t *testing.T, name string) ptx.Form {
	for _, f := range append(ptx.Behaviours(), ptx.Neighbours()...) {
		if f.Name() == name {
			return f
		}
	}
	t.Fatal("no form " + name)
	return ptx.Form{}
}

func TestCertificatesAreReadableAlgebra(t *testing.T) {
	var sb strings.Builder
	explain := func(g prove.Goal) {
		r := prove.Equal(g, prove.Options{})
		require.Equal(t, prove.Proved, r.Status, g.Name)
		sb.WriteString("# " + g.Name + "\n" + r.Certificate.String() + "\n")
	}
	for _, tr := range tricks {
		if !tr.wrong && len(tr.name) < 60 && !strings.Contains(tr.name, "limbs") {
			b := sem.NewBuilder()
			g := prove.Goal{Name: tr.name, Params: []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32), b.Var("cf", 1)}}
			g.Want, g.Got = tr.goal(b, g.Params[0], g.Params[1], g.Params[2], g.Params[3])
			explain(g)
		}
	}
	explain(absGoal(sem.NewBuilder(), "a", "b"))
	golden := filepath.Join("testdata", "certificates.txt")
	if os.Getenv("UPDATE") == "1" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(sb.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), sb.String()); diff != "" {
		t.Fatalf("UPDATE=1 writes %s\n%s", golden, diff)
	}
}

func TestPolynomialsAreOpenToOthers(t *testing.T) {
	b := sem.NewBuilder()
	x, y, c := b.Var("x", 32), b.Var("y", 32), b.Var("c", 32)
	s, carry := b.AddCarry(b.Mul(x, y), c, nil)
	k, ps := prove.Polynomials(s, carry)
	// The carry is the sum's quotient: together they are the exact sum.
	sum := k.Add(ps[0], k.Shl(ps[1], 32))
	text, where := k.Text(sum)
	require.Equal(t, "x*y + c - 2^32*floor(x*y / 2^32)", text)
	require.Empty(t, where)

	got := k.Summands(sum)
	require.Len(t, got, 3)
	for _, m := range got {
		switch {
		case len(m.Atoms) == 2:
			require.Equal(t, big.NewInt(1), m.Coef)
			require.Equal(t, prove.Atom{Kind: prove.Slice, Term: x, Bits: 32}, m.Atoms[0])
		case m.Atoms[0].Kind == prove.Floor:
			require.Equal(t, uint(32), m.Atoms[0].Shift)
			require.Same(t, k.Mul(k.Of(x), k.Of(y)), m.Atoms[0].Of)
			require.Equal(t, "-4294967296", m.Coef.String())
		default:
			require.Equal(t, c, m.Atoms[0].Term)
		}
	}
	lo, hi := k.Range(ps[1])
	require.Equal(t, "0 1", lo.String()+" "+hi.String())
	lo, hi = k.Range(sum)
	require.Equal(t, "0 8589934590", lo.String()+" "+hi.String())
	env := map[string]sem.Val{"x": sem.U(0xffffffff), "y": sem.U(3), "c": sem.U(7)}
	require.Equal(t, int64(0xfffffffd+7), k.Eval(sum, env).Int64())

	v, ok := k.Of(b.U(9, 8)).Const()
	require.True(t, ok)
	require.Equal(t, int64(9), v.Int64())
	_, ok = sum.Const()
	require.False(t, ok)
}

func TestKindsOfAtoms(t *testing.T) {
	b := sem.NewBuilder()
	x, y := b.Var("x", 8), b.Var("y", 8)
	for _, tt := range []struct {
		t    *sem.Term
		kind prove.AtomKind
		text string
	}{
		{b.Bits(x, 5, 2), prove.Slice, "x<5..2>"},
		{b.Bit(b.Add(x, y), 7), prove.Floor, ""},
		{b.Ult(x, y), prove.Floor, "[-x + y > 0]"},
		{b.Ite(b.Ult(x, y), x, b.Zext(b.Ult(y, x), 8)), prove.Negative, "[-x + y < 0] + x*[-x + y > 0] - [-x + y > 0]*[-x + y < 0]"},
		{b.Ult(b.U(5, 8), x), prove.Floor, "[x - 5 > 0]"},
		{b.Eq(x, y), prove.IsZero, "[-x + y = 0]"},
		{b.And(x, y), prove.Opaque, "(x & y)"},
	} {
		k, ps := prove.Polynomials(tt.t)
		kinds := map[prove.AtomKind]bool{}
		for _, m := range k.Summands(ps[0]) {
			for _, a := range m.Atoms {
				kinds[a.Kind] = true
			}
		}
		require.True(t, kinds[tt.kind], "%s", tt.t)
		if text, _ := k.Text(ps[0]); tt.text != "" {
			require.Equal(t, tt.text, text)
		}
	}
}

func TestExportsSayWhatTheyAre(t *testing.T) {
	s := formByName(t, "mad24.hi.u32")
	g := ptxlower.RuleGoal(sem.NewBuilder(), targets[0], choose(t, targets[0], s, ptx.ISA), ptx.ISA)
	bv, err := prove.SMT2(g)
	require.NoError(t, err)
	require.Contains(t, bv, "; sm_70 mad24.hi.u32 isa\n")
	require.Contains(t, bv, "(set-logic QF_BV)")
	require.Contains(t, bv, "; p1 = a<23..0> * b<23..0>")
	require.NotContains(t, bv, "bvmul")
	lia, err := prove.LIA(g)
	require.NoError(t, err)
	require.Contains(t, lia, "(set-logic QF_LIA)")
	for _, text := range []string{bv, lia} {
		require.Contains(t, text, "sat says nothing")
		require.True(t, strings.HasSuffix(text, "(check-sat)\n"))
		require.Equal(t, strings.Count(text, "("), strings.Count(text, ")"))
	}
}
