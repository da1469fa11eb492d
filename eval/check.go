// Package eval runs programs on concrete values: IR, native code, rules. It
// decides on vectors whether a lowering computes what its source does.
package eval

import (
	"fmt"
	"math/rand/v2"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Mismatch is one vector on which two programs differ.
type Mismatch struct {
	Names     []string // of the inputs
	In        []sem.Val
	Widths    []int // of the inputs
	Result    int   // which result differs
	Want, Got sem.Val
	Bits      int // of the result
}

// String is the operands, what was expected and what came, in one line.
func (m *Mismatch) String() string {
	s := ""
	for i, v := range m.In {
		s += fmt.Sprintf("%s=0x%s ", m.Names[i], v.Hex(m.Widths[i]))
	}
	return fmt.Sprintf("%sresult %d: want 0x%s, got 0x%s", s, m.Result, m.Want.Hex(m.Bits), m.Got.Hex(m.Bits))
}

// Vectors fills columns of the given widths with edge-biased random values: a
// third are small, all ones, powers of two and their neighbours, the rest
// uniform. The same seed gives the same values.
func Vectors(widths []int, lanes int, seed uint64) []sem.Col {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	cols := make([]sem.Col, len(widths))
	for i, w := range widths {
		cols[i].Lo = make([]uint64, lanes)
		if w > 64 {
			cols[i].Hi = make([]uint64, lanes)
		}
		for l := range lanes {
			v := vector(r, w)
			cols[i].Lo[l] = v.Lo
			if w > 64 {
				cols[i].Hi[l] = v.Hi
			}
		}
	}
	return cols
}

func vector(r *rand.Rand, w int) sem.Val {
	v := sem.Val{Hi: r.Uint64(), Lo: r.Uint64()}
	if k := r.IntN(12); k < 4 {
		p := sem.U(1).Shl(uint64(r.IntN(w)))
		switch k {
		case 0:
			v = sem.S(int64(r.IntN(5) - 2))
		case 1:
			v = p
		case 2:
			v = p.Sub(sem.U(1))
		case 3:
			v = sem.Val{}.Sub(p).Add(sem.S(int64(r.IntN(3) - 1)))
		}
	}
	return v.Cut(w)
}

// Compare evaluates two lists of terms over the same variables on vectors and
// gives the first difference, nil if there is none. assume, where not nil, is a
// one-bit term; vectors that make it 0 are left out.
func Compare(params, want, got []*sem.Term, assume *sem.Term, lanes int, seed uint64) *Mismatch {
	roots := append(append([]*sem.Term{}, want...), got...)
	if assume != nil {
		roots = append(roots, assume)
	}
	same := true
	for i := range want {
		same = same && want[i] == got[i]
	}
	if same {
		return nil
	}
	widths := make([]int, len(params))
	for i, p := range params {
		widths[i] = p.W
	}
	in := Vectors(widths, lanes, seed)
	out := make([]sem.Col, len(roots))
	for i, t := range roots {
		out[i].Lo = make([]uint64, lanes)
		if t.W > 64 {
			out[i].Hi = make([]uint64, lanes)
		}
	}
	sem.Compile(params, roots...).Run(in, out)
	at := func(c sem.Col, l int) sem.Val {
		if c.Hi == nil {
			return sem.U(c.Lo[l])
		}
		return sem.Val{Hi: c.Hi[l], Lo: c.Lo[l]}
	}
	for l := range lanes {
		if assume != nil && out[len(roots)-1].Lo[l] == 0 {
			continue
		}
		for i := range want {
			x, y := at(out[i], l), at(out[len(want)+i], l)
			if x == y {
				continue
			}
			m := &Mismatch{Result: i, Want: x, Got: y, Widths: widths, Bits: want[i].W}
			for j, p := range params {
				m.Names = append(m.Names, p.Name)
				m.In = append(m.In, at(in[j], l))
			}
			return m
		}
	}
	return nil
}

// CheckForm compares what a target's rule for a form computes with what the
// form means, for general operands, on vectors. The error says that there is no
// rule; a mismatch is a wrong rule.
func CheckForm(t *isel.Target, f ptx.Form, m ptx.Model, lanes int, seed uint64) (*Mismatch, error) {
	c, err := t.Choose(f, m, nil)
	if err != nil {
		return nil, err
	}
	return CheckChoice(t, c, m, lanes, seed), nil
}

// CheckChoice is CheckForm for a rule that was chosen under facts; vectors on
// which the facts do not hold are left out.
func CheckChoice(t *isel.Target, c *isel.Choice, m ptx.Model, lanes int, seed uint64) *Mismatch {
	b := sem.NewBuilder()
	var params []*sem.Term
	for i, w := range ir.ArgWidths(c.Form) {
		params = append(params, b.Var(argName(c.Form, i), w))
	}
	want := c.Form.Meaning(b, params, m)
	got := c.Meaning(b, t, params)
	for i := range want {
		want[i] = b.Zext(want[i], got[i].W)
	}
	var assume *sem.Term
	for _, f := range c.When {
		x := f.Term(b, params[f.Arg])
		if assume == nil {
			assume = x
		} else {
			assume = b.And(assume, x)
		}
	}
	return Compare(params, want, got, assume, lanes, seed)
}

func argName(f ptx.Form, i int) string {
	if f.ReadsCF() && i == len(f.Ins()) {
		return "cf"
	}
	return string("abce"[i])
}
