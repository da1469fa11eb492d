package sem

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
)

func TestQueryAsksWhetherTheGoalCanDiffer(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("a.h0", 32), b.Var("a b", 6)
	s := b.Add(b.Sext(y, 32), x)
	d := b.Mul(b.Bits(s, 15, 0), b.U(0xbeef, 16))
	require.Equal(t, `(set-logic QF_BV)
(declare-const a.h0 (_ BitVec 32))
(declare-const |a b| (_ BitVec 6))
(define-fun t1 () (_ BitVec 32) ((_ sign_extend 26) |a b|))
(define-fun t2 () (_ BitVec 32) (bvadd t1 a.h0))
(define-fun t3 () (_ BitVec 16) ((_ extract 15 0) t2))
(define-fun t4 () (_ BitVec 16) (bvmul t3 #xbeef))
(define-fun t5 () (_ BitVec 1) (ite (= |a b| #b000001) #b1 #b0))
(assert (= t5 #b1))
(assert (not (and true (= t4 #x0000) (= a.h0 a.h0))))
(check-sat)
`, Query([][2]*Term{{d, b.U(0, 16)}, {x, x}}, []*Term{b.Eq(y, b.U(1, 6))}))
}

func TestSMTDefinesSharedTermsOnceAndReportsWriteErrors(t *testing.T) {
	b := NewBuilder()
	x := b.Var("t7", 8)
	s := b.Add(x, x)
	var out bytes.Buffer
	require.NoError(t, SMT(&out, b.Mul(s, s), s))
	require.Equal(t, `(declare-const t7 (_ BitVec 8))
(define-fun t_1 () (_ BitVec 8) (bvadd t7 t7))
(define-fun t_2 () (_ BitVec 8) (bvmul t_1 t_1))
`, out.String())
	require.EqualError(t, SMT(failing{}, s), "full")
	require.PanicsWithValue(t, "sem: two variables t7, of 8 and 9 bits", func() { SMT(&out, b.Concat(x, b.Var("t7", 9))) })
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

// pinned asks whether t can differ from its value v, and whether it can differ
// from another value, when the variables are as given.
func pinned(b *Builder, t *Term, vars []*Term, vec []Val) (differs, other string) {
	env := map[string]Val{}
	var assume []*Term
	for i, v := range vars {
		env[v.Name] = vec[i]
		assume = append(assume, raw(b, OpEq, 1, Val{}, v, b.Const(vec[i], v.W)))
	}
	v := Eval(t, env)
	ask := func(v Val) string { return Query([][2]*Term{{t, b.Const(v, t.W)}}, assume) }
	return ask(v), ask(v.Xor(U(1)))
}

func TestZ3AgreesWithEveryPrimitive(t *testing.T) {
	z3 := judges.Need(t, "z3")
	r := rng(t)
	var script strings.Builder
	var want []string
	ask := func(b *Builder, x *Term, vars []*Term, n int) {
		for _, vec := range randomVecs(r, vars, n) {
			same, other := pinned(b, x, vars, vec)
			script.WriteString(same + "(reset)\n")
			want = append(want, "unsat")
			if len(want)%8 == 0 {
				script.WriteString(other + "(reset)\n")
				want = append(want, "sat")
			}
		}
	}
	for _, w := range []int{1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128} {
		each(r, w, w, func(vs []*Term, x *Term) { ask(builderOf(vs, x), x, vs, 2) })
		each(r, w, min(w+9, 128), func(vs []*Term, x *Term) { ask(builderOf(vs, x), x, vs, 1) })
	}
	for range 50 {
		z := newZoo(r, 70, []int{70, 64, 32, 32, 1}, raw, built)
		for m, x := range z.term(1+r.IntN(70), 4) {
			ask(z.builders[m], x, z.vars[m], 1)
		}
	}
	cmd := exec.Command(z3, "-in")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, want, strings.Fields(string(out)))
}

func TestZ3ReadsEveryName(t *testing.T) {
	z3 := judges.Need(t, "z3")
	b := NewBuilder()
	sum := b.U(0, 8)
	for _, name := range append(strings.Fields(`x and concat bvadd let true ite => _ a.h0 .x @y %0 $1 7 t1 a|b a\b`), "", "a b", "é") {
		sum = b.Xor(sum, b.Var(name, 8))
	}
	cmd := exec.Command(z3, "-in")
	cmd.Stdin = strings.NewReader(Query([][2]*Term{{sum, b.Not(b.Not(sum))}, {sum, sum}}, nil) +
		"(reset)\n" + Query([][2]*Term{{sum, b.Not(sum)}}, nil))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "unsat\nsat\n", string(out))
}

// builderOf is a Builder that goes on after the terms that are there.
func builderOf(vs []*Term, x *Term) *Builder {
	b := NewBuilder()
	for b.Len() < x.ID {
		b.Var(fmt.Sprint("unused", b.Len()), 1)
	}
	return b
}

func TestZ3FindsIdentitiesTrueForAllInputs(t *testing.T) {
	z3 := judges.Need(t, "z3")
	r := rand.New(rand.NewPCG(1, 1))
	var script strings.Builder
	n := 0
	for range 150 {
		z := newZoo(r, 12, []int{12, 7, 1}, raw, built)
		ts := z.term(1+r.IntN(12), 3)
		if ts[0].N == 0 || len(Order(ts[0])) > 25 {
			continue
		}
		// The same variables in both: the built term again, without identities.
		back := map[*Term]*Term{}
		for i, v := range z.vars[1] {
			back[v] = z.vars[0][i]
		}
		script.WriteString(Query([][2]*Term{{ts[0], copyInto(z.builders[0], ts[1], back)}}, nil) + "(reset)\n")
		n++
	}
	require.Greater(t, n, 50)
	cmd := exec.Command(z3, "-T:60", "-in")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, strings.Repeat("unsat\n", n), string(out))
}

func copyInto(b *Builder, t *Term, memo map[*Term]*Term) *Term {
	if c, ok := memo[t]; ok {
		return c
	}
	var c *Term
	if t.Op == OpConst {
		c = b.Const(t.K, t.W)
	} else {
		var xs []*Term
		for _, a := range t.Args() {
			xs = append(xs, copyInto(b, a, memo))
		}
		c = raw(b, t.Op, t.W, t.K, xs...)
	}
	memo[t] = c
	return c
}
