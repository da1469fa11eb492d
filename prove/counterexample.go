package prove

import (
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/sem"
)

// Counterexample is values of the parameters for which the assumptions hold and
// a result differs.
type Counterexample struct {
	Params    []*sem.Term // as in the goal
	In        []sem.Val   // a value for each
	Result    int         // the first result that differs
	Want, Got sem.Val     // of Bits bits
	Bits      int
}

func (c *Counterexample) String() string {
	var sb strings.Builder
	for i, p := range c.Params {
		fmt.Fprintf(&sb, "%s=0x%s ", p.Name, c.In[i].Hex(p.W))
	}
	fmt.Fprintf(&sb, "result %d: want 0x%s, got 0x%s", c.Result, c.Want.Hex(c.Bits), c.Got.Hex(c.Bits))
	return sb.String()
}

// Table is the counterexample for readers, a line each for the inputs, what was
// expected and what was computed, all as hexadecimal numbers.
func (c *Counterexample) Table() string {
	expected, got := "expected", "got"
	if c.Result > 0 { // of several
		expected, got = fmt.Sprintf("expected, result %d", c.Result), fmt.Sprintf("got, result %d", c.Result)
	}
	n := len(expected)
	for _, p := range c.Params {
		n = max(n, len(p.Name))
	}
	var sb strings.Builder
	for i, p := range c.Params {
		fmt.Fprintf(&sb, "  %-*s  0x%s\n", n, p.Name, c.In[i].Hex(p.W))
	}
	fmt.Fprintf(&sb, "  %-*s  0x%s\n  %-*s  0x%s\n", n, expected, c.Want.Hex(c.Bits), n, got, c.Got.Hex(c.Bits))
	return sb.String()
}

// replay evaluates the goal, node by node. It gives nil where the assumptions
// do not hold or nothing differs.
func (g *Goal) replay(env map[string]sem.Val) *Counterexample {
	for _, p := range g.Params {
		if _, ok := env[p.Name]; !ok { // nothing reads it
			env[p.Name] = sem.Val{}
		}
	}
	for _, t := range g.Assume {
		if sem.Eval(t, env).IsZero() {
			return nil
		}
	}
	for i, t := range g.Want {
		want, got := sem.Eval(t, env), sem.Eval(g.Got[i], env)
		if want == got {
			continue
		}
		c := &Counterexample{Params: g.Params, Result: i, Want: want, Got: got, Bits: t.W}
		for _, p := range g.Params {
			c.In = append(c.In, env[p.Name].Cut(p.W))
		}
		return c
	}
	return nil
}

// shrink looks for a counterexample that is easier to read: values that are 0,
// 1 or the least signed one, or that have fewer bits set.
func (g *Goal) shrink(c *Counterexample) *Counterexample {
	env := map[string]sem.Val{}
	for i, p := range c.Params {
		env[p.Name] = c.In[i]
	}
	take := func(name string, v sem.Val) bool {
		old := env[name]
		if old == v {
			return true
		}
		env[name] = v
		if d := g.replay(env); d != nil {
			c = d
			return true
		}
		env[name] = old
		return false
	}
	for _, p := range c.Params {
		done := false
		for _, v := range [3]sem.Val{{}, sem.U(1), sem.U(1).Shl(uint64(p.W - 1))} {
			if done = take(p.Name, v); done {
				break
			}
		}
		for i := p.W - 1; i >= 0 && !done; i-- {
			if b := sem.U(1).Shl(uint64(i)); !env[p.Name].And(b).IsZero() {
				take(p.Name, env[p.Name].Xor(b))
			}
		}
	}
	return c
}
