// Package isel selects native operations for PTX forms with rules that are data.
//
// A table is read from the top: the first rule whose form pattern, features and
// facts fit is used. Invariant, checked by tests for every target: for general
// operands exactly one rule answers each form, and every rule answers some form
// on some target.
package isel

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Rule says what a form becomes.
type Rule struct {
	Name  string      // unique in its table
	Forms string      // pattern over Form.Name(): "madc.lo.cc.{u,s}32", "vmad.*"; see Match
	Needs ir.Features // what the target must have
	Lacks ir.Features // what it must not have
	When  []Fact      // what must be known of the operands
	// Uniform says that operands and results lie in scalar registers.
	Uniform bool
	Out     []mach.Expr // one for each result, the carry-out last
	// Gen makes the results from the form where they depend on its modifiers;
	// a nil result means that the rule does not cover the form.
	Gen func(f ptx.Form, m ptx.Model) []mach.Expr
	// Fold makes the results from the operands that are constants too, at least one;
	// k has nil for the others.
	Fold func(f ptx.Form, m ptx.Model, k []*sem.Val) []mach.Expr
}

// R is a rule with fixed results, named by its pattern.
func R(forms string, needs ir.Features, out ...mach.Expr) Rule {
	return Rule{Name: forms, Forms: forms, Needs: needs, Out: out}
}

// G is a rule whose results are generated from the form.
func G(name, forms string, needs ir.Features, gen func(f ptx.Form, m ptx.Model) []mach.Expr) Rule {
	return Rule{Name: name, Forms: forms, Needs: needs, Gen: gen}
}

// F is a rule for operands that are constants, whose results follow from them.
func F(name, forms string, needs ir.Features, fold func(f ptx.Form, m ptx.Model, k []*sem.Val) []mach.Expr) Rule {
	return Rule{Name: name, Forms: forms, Needs: needs, Fold: fold}
}

// If adds facts: the rule applies only where they are known to hold.
func (r Rule) If(facts ...Fact) Rule {
	r.When = append(r.When[:len(r.When):len(r.When)], facts...)
	var sb strings.Builder
	sb.WriteString(r.Name)
	for _, f := range facts {
		sb.WriteString(" if " + f.String())
	}
	r.Name = sb.String()
	return r
}

// Without restricts the rule to targets that lack some features.
func (r Rule) Without(f ir.Features) Rule {
	r.Lacks |= f
	return r
}

// Named replaces the name.
func (r Rule) Named(n string) Rule {
	r.Name = n
	return r
}

// Fact is something known of a source operand: its unsigned value lies in
// Min … Max, or with Signed its signed value lies in −Max−1 … Max.
type Fact struct {
	Arg      int
	Min, Max uint64
	Signed   bool
}

// Below: operand i is less than n (unsigned).
func Below(i int, n uint64) Fact { return Fact{Arg: i, Max: n - 1} }

// FitsU: operand i fits n unsigned bits.
func FitsU(i, n int) Fact { return Below(i, 1<<n) }

// FitsS: operand i fits n signed bits.
func FitsS(i, n int) Fact { return Fact{Arg: i, Max: 1<<(n-1) - 1, Signed: true} }

// Is: operand i is the constant k.
func Is(i int, k uint64) Fact { return Fact{Arg: i, Min: k, Max: k} }

func (f Fact) String() string {
	name := string("abce"[f.Arg])
	switch {
	case f.Signed:
		return fmt.Sprintf("-0x%x <= %s <= 0x%x", f.Max+1, name, f.Max)
	case f.Min == f.Max:
		return fmt.Sprintf("%s = 0x%x", name, f.Min)
	case f.Min > 0:
		return fmt.Sprintf("0x%x <= %s <= 0x%x", f.Min, name, f.Max)
	}
	return fmt.Sprintf("%s <= 0x%x", name, f.Max)
}

// Holds decides the fact for what is known of the operand, of w bits.
func (f Fact) Holds(k sem.Facts, w int) bool {
	if f.Signed {
		lo, hi := k.SMin.SignExtend(w), k.SMax.SignExtend(w)
		return !lo.SLess(sem.S(-int64(f.Max)-1)) && !sem.S(int64(f.Max)).SLess(hi)
	}
	return !sem.U(f.Max).Less(k.UMax) && !k.UMin.Less(sem.U(f.Min))
}

// Term is the fact as a one-bit term over the operand.
func (f Fact) Term(b *sem.Builder, x *sem.Term) *sem.Term {
	lo, hi := b.U(f.Min, x.W), b.U(f.Max, x.W)
	if f.Signed {
		lo, hi = b.S(-int64(f.Max)-1, x.W), b.S(int64(f.Max), x.W)
		return b.And(b.Not(b.Slt(x, lo)), b.Not(b.Slt(hi, x)))
	}
	return b.And(b.Not(b.Ult(x, lo)), b.Not(b.Ult(hi, x)))
}

// Match reports whether a pattern covers a name. In a pattern * stands for any
// text, {u,s} for one of the alternatives; the rest stands for itself.
func Match(pattern, name string) bool {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			for j := i; j <= len(name); j++ {
				if Match(pattern[i+1:], name[j:]) {
					return true
				}
			}
			return false
		case '{':
			end := strings.IndexByte(pattern[i:], '}')
			if end < 0 {
				return false
			}
			for alt := range strings.SplitSeq(pattern[i+1:i+end], ",") {
				if strings.HasPrefix(name[i:], alt) && Match(pattern[i+end+1:], name[i+len(alt):]) {
					return true
				}
			}
			return false
		default:
			if i >= len(name) || name[i] != c {
				return false
			}
		}
	}
	return len(name) == len(pattern)
}

// Table is a list of rules; the first that fits is used.
type Table []Rule

// Target is everything that a target is, as data.
type Target struct {
	Name     string // "sm_70"
	Family   string // "volta"
	Aliases  []string
	Features ir.Features
	Machine  *mach.Machine
	Rules    Table
	// Others are rules that are not chosen: what a form can become too, in no fewer
	// issue slots.
	Others Table
	// Costs are what the pipes cost here, for rows that have no cost of their own
	// because generations share them; CostSrc is where they are from.
	Costs    map[string]mach.Cost
	CostSrc  string
	Uniform  Table  // for operands and results in scalar registers; nil where there are none
	PTXFloor string // the lowest PTX version that has the target, "" where PTX has it not
	// Symbol gives the directives before and after a function in a listing, for its
	// object to have the symbol: header is what stands before the function's name in
	// LLVM IR, n the number of the function in the listing. CodeEnd ends the code of
	// a module. Nil and "" where listings are no files of an assembler.
	Symbol  func(name, header string, n int) (before, after string)
	CodeEnd string
	// Print writes the listing of an allocated function, or with names where
	// Func.Phys is nil the sequence over names.
	Print func(w io.Writer, f *mach.Func) error
	// Line is the text of one instruction, without indentation; where nil, it is
	// what Print makes of a function with that instruction only.
	Line func(f *mach.Func, in *mach.Inst) string

	// Dialect reads listings back; nil where there are none.
	Dialect *mach.Dialect

	mu    sync.Mutex
	cache map[choiceKey]*Choice
}

type choiceKey struct {
	form  ptx.Form
	model ptx.Model
	rule  *Rule
}

// Choice is a rule applied to a form.
type Choice struct {
	Rule *Rule
	Form ptx.Form
	Out  []mach.Expr
	When []Fact // the rule's, and the constants that it folded
}

// Choose gives the first rule that covers the form and whose facts hold; known
// may be nil for general operands.
func (t *Target) Choose(f ptx.Form, m ptx.Model, known func(arg int) sem.Facts) (*Choice, error) {
	return t.from(t.Rules, f, m, known)
}

// from is Choose among the rules of a table.
func (t *Target) from(rules Table, f ptx.Form, m ptx.Model, known func(arg int) sem.Facts) (*Choice, error) {
	name, ins := f.Name(), ir.ArgWidths(f)
next:
	for i := range rules {
		r := &rules[i]
		if !t.allows(r) || !Match(r.Forms, name) {
			continue
		}
		for _, fact := range r.When {
			if known == nil || fact.Arg >= len(ins) || !fact.Holds(known(fact.Arg), ins[fact.Arg]) {
				continue next
			}
		}
		if r.Fold != nil {
			if c := folded(r, f, m, known, ins); c != nil {
				return c, nil
			}
			continue
		}
		c := t.choice(choiceKey{f, m, r}, r)
		if c.Out != nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s has no rule for %s", t.Name, name)
}

// folded is the choice of a rule that folds constants, nil if it does not apply.
func folded(r *Rule, f ptx.Form, m ptx.Model, known func(arg int) sem.Facts, ws []int) *Choice {
	if known == nil {
		return nil
	}
	c := &Choice{Rule: r, Form: f, When: slices.Clone(r.When)}
	k := make([]*sem.Val, len(ws))
	for i := range ws {
		if v, ok := known(i).Const(); ok {
			k[i] = &v
			c.When = append(c.When, Is(i, v.Lo))
		}
	}
	if len(c.When) == len(r.When) {
		return nil
	}
	if c.Out = r.Fold(f, m, k); c.Out == nil {
		return nil
	}
	return c
}

// Candidates are the choices that ChooseUniform and Choose may make for a form:
// of each the rules with facts that come before the one for general operands, and
// that one, last. Rules that fold constants are left out: they have a choice for
// every constant.
func (t *Target) Candidates(f ptx.Form, m ptx.Model) []*Choice {
	return append(t.candidates(t.Uniform, f, m), t.candidates(t.Rules, f, m)...)
}

func (t *Target) candidates(rules Table, f ptx.Form, m ptx.Model) []*Choice {
	var out []*Choice
	name, ins := f.Name(), len(ir.ArgWidths(f))
	for i := range rules {
		r := &rules[i]
		if !t.allows(r) || !Match(r.Forms, name) || slices.ContainsFunc(r.When, func(f Fact) bool { return f.Arg >= ins }) {
			continue
		}
		if c := t.choice(choiceKey{f, m, r}, r); c.Out != nil {
			if out = append(out, c); len(r.When) == 0 {
				break
			}
		}
	}
	return out
}

// Alternatives are what the form can become besides what Choose gives for general
// operands.
func (t *Target) Alternatives(f ptx.Form, m ptx.Model) []*Choice {
	var out []*Choice
	for i := range t.Others {
		r := &t.Others[i]
		if t.allows(r) && Match(r.Forms, f.Name()) {
			c := &Choice{Rule: r, Form: f, Out: r.Out}
			if r.Gen != nil {
				c.Out = r.Gen(f, m)
			}
			if c.Out != nil {
				out = append(out, c)
			}
		}
	}
	return out
}

// CostOf is what an instruction costs on the target.
func (t *Target) CostOf(o *mach.Op) mach.Cost {
	c := o.Cost
	if c == (mach.Cost{}) {
		c = t.Costs[o.Pipe]
	}
	c.Slots = max(c.Slots, 1)
	return c
}

// allows reports that the target has the features that a rule is for.
func (t *Target) allows(r *Rule) bool { return t.Features.Has(r.Needs) && t.Features&r.Lacks == 0 }

// SameRules reports that both targets have the same registers and rules, so
// that what is proved of one holds for the other.
func (t *Target) SameRules(u *Target) bool {
	return t.Machine == u.Machine && slices.Equal(t.allowed(), u.allowed())
}

// allowed are the rules that the target has the features for, those not chosen
// included.
func (t *Target) allowed() []*Rule {
	var out []*Rule
	for _, table := range [...]Table{t.Rules, t.Others} {
		for i := range table {
			if r := &table[i]; t.allows(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// Has reports whether the target has a rule for a form.
func (t *Target) Has(f ptx.Form) bool {
	_, err := t.Choose(f, ptx.ISA, nil)
	return err == nil
}

// Fuses is Has for passes that make one form of two: a wide multiply-add with a
// carry has to take fewer operations than the halves of which it is made. Two
// halves that each take one, and leave the carry in its register, are better.
func (t *Target) Fuses(f ptx.Form) bool {
	n, ok := t.ops(f)
	if !ok || f.Mode != ptx.Wide || f.T.Bits() != 32 || !f.CC && f.Op != ptx.Madc {
		return ok
	}
	low, _ := t.ops(ptx.Form{Op: f.Op, Mode: ptx.Lo, CC: true, T: f.T})
	high, _ := t.ops(ptx.Form{Op: ptx.Madc, Mode: ptx.Hi, CC: f.CC, T: f.T})
	return n < low+high
}

// ops is how many operations a form takes for general operands.
func (t *Target) ops(f ptx.Form) (n int, ok bool) {
	c, err := t.Choose(f, ptx.ISA, nil)
	if err != nil {
		return 0, false
	}
	return len(mach.Ops(c.Out)), true
}

func (t *Target) choice(k choiceKey, r *Rule) *Choice {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, ok := t.cache[k]; ok {
		return c
	}
	c := &Choice{Rule: r, Form: k.form, Out: r.Out, When: r.When}
	if r.Gen != nil {
		c.Out = r.Gen(k.form, k.model)
	}
	if t.cache == nil {
		t.cache = map[choiceKey]*Choice{}
	}
	t.cache[k] = c
	return c
}

// Meaning gives the terms that the choice's operations compute, each of the
// width of its result, from the form's operands.
func (c *Choice) Meaning(b *sem.Builder, t *Target, in []*sem.Term) []*sem.Term {
	ws := ir.ResultWidths(c.Form)
	regs := make([]int, len(ws))
	for i, w := range ws {
		cl, _ := t.Machine.ClassOf(w)
		if c.Rule.Uniform {
			cl, _ = t.Machine.ScalarOf(w)
		}
		regs[i] = int(cl.Bits)
	}
	return mach.Meaning(b, c.Out, regs, in)
}

// Text is one instruction of a function as the target's listing shows it,
// without indentation and without what ends a line.
func (t *Target) Text(f *mach.Func, in *mach.Inst) string {
	if t.Line != nil {
		return t.Line(f, in)
	}
	print := func(insts ...mach.Inst) (string, error) {
		var sb strings.Builder
		alone := *f
		alone.Blocks = []*mach.Block{{Insts: insts, Term: mach.Fallthrough}}
		err := t.Print(&sb, &alone)
		return sb.String(), err
	}
	head, err := print()
	if err != nil {
		return err.Error()
	}
	all, err := print(*in)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(all, head)), ";"))
}
