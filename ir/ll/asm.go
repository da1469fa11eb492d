package ll

import (
	"fmt"
	"sort"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// Asm is an inline asm callee.
type Asm struct {
	Text  AsmString // the template
	Cons  AsmString // the constraint string
	Flags AsmFlags
}

// AsmFlags are the words between asm and the template.
type AsmFlags uint8

// The flags of inline asm. PTX written "asm volatile" has SideEffect.
const (
	SideEffect AsmFlags = 1 << iota
	AlignStack
	IntelDialect
	Unwind
)

// AsmString is the content of a string literal of the module: unescaped, with
// the way back from each byte to the source.
type AsmString struct {
	Text string // unescaped

	start, end int32     // between the quotes
	marks      []asmMark // where the distance between Text and source grows, ascending
}

// asmMark: bytes of Text from index at on lie at source offset off + (i - at).
type asmMark struct{ at, off int32 }

// Span is the literal's source between its quotes.
func (s *AsmString) Span() diag.Span { return span(s.start, s.end) }

// Source is the offset in the file of byte i of Text: of the backslash, where
// the byte was written as an escape. Source(len(Text)) is the closing quote.
func (s *AsmString) Source(i int) int {
	if i >= len(s.Text) {
		return int(s.end)
	}
	k := sort.Search(len(s.marks), func(k int) bool { return int(s.marks[k].at) > i })
	if k == 0 {
		return int(s.start) + i
	}
	m := s.marks[k-1]
	return int(m.off) + i - int(m.at)
}

// SourceSpan is the source of bytes [i, j) of Text.
func (s *AsmString) SourceSpan(i, j int) diag.Span {
	return diag.Span{Start: s.Source(i), End: s.Source(j)}
}

// ConstraintKind says what a constraint is for.
type ConstraintKind uint8

// The kinds of constraints.
const (
	ConstraintInput   ConstraintKind = iota
	ConstraintOutput                 // "="
	ConstraintClobber                // "~{…}"
	ConstraintLabel                  // "!", of callbr
)

// Constraint is one item of a constraint string.
type Constraint struct {
	Kind         ConstraintKind
	Code         string // "r", "h", "l", "n", "{v5}", "~{memory}"; for a tied input its digits
	Tied         int    // number of the output whose register this input starts in; -1
	TiedBy       int    // number of the input that starts in this output's register; -1
	EarlyClobber bool   // "&"
	Indirect     bool   // "*": the operand is a pointer to the value
	Commutative  bool   // "%"
	Span         diag.Span
}

// AsmOperand is what $N of a template stands for. Operand N has constraint N:
// outputs first, then inputs in argument order (clang writes those that are
// tied by "+r" last), then labels. Clobbers have no number.
type AsmOperand struct {
	Constraint
	Arg    int   // index in Inst.Ops; -1 for an output in a register and for a label
	Result int   // output in a register: index of the field of the result, 0 for a scalar; else -1
	Type   *Type // of the output or argument; nil for a label
}

// Constraints reads the constraint string by the rules of LLVM's
// InlineAsm::ConstraintInfo::Parse and InlineAsm::verify, clobbers included.
// It reports false after a diagnostic:
//
//	ll-asm-constraint  an item is malformed, tied to no output, or out of order
func (a *Asm) Constraints(f *diag.File, l *diag.List) ([]Constraint, bool) {
	s := a.Cons.Text
	if s == "" {
		return nil, true
	}
	all := make([]Constraint, 0, 1+strings.Count(s, ","))
	fail := func(i, j int, format string, args ...any) ([]Constraint, bool) {
		l.Errorf("ll-asm-constraint", f, a.Cons.SourceSpan(i, j), format, args...)
		return nil, false
	}
	order := ConstraintOutput // the latest kind seen: output, input or label, clobber
	for i := 0; ; {
		end := len(s)
		if i >= end {
			return fail(end-1, end, "constraint string ends in a comma")
		}
		if k := strings.IndexByte(s[i:], ','); k >= 0 {
			end = i + k
		}
		if end == i {
			return fail(i, i+1, "constraint expected before ','")
		}
		c, bad := parseConstraint(s[i:end], all)
		if bad != "" {
			return fail(i, end, "constraint %q: %s", s[i:end], bad)
		}
		c.Span = a.Cons.SourceSpan(i, end)
		switch {
		case c.Kind == ConstraintOutput && order != ConstraintOutput:
			return fail(i, end, "output constraint occurs after input, clobber or label constraint")
		case c.Kind != ConstraintClobber && order == ConstraintClobber:
			return fail(i, end, "%s constraint occurs after clobber constraint", constraintNames[c.Kind])
		}
		if order = c.Kind; order == ConstraintLabel {
			order = ConstraintInput
		}
		if c.Tied >= 0 {
			all[c.Tied].TiedBy = len(all)
		}
		all = append(all, c)
		if end == len(s) {
			return all, true
		}
		i = end + 1
	}
}

var constraintNames = [...]string{"input", "output", "clobber", "label"}

// parseConstraint reads one item; all are those before it. bad says what is
// wrong with it.
func parseConstraint(s string, all []Constraint) (c Constraint, bad string) {
	c = Constraint{Tied: -1, TiedBy: -1}
	i := 0
	at := func(k int) byte {
		if k < len(s) {
			return s[k]
		}
		return 0
	}
	switch at(0) {
	case '~':
		if at(1) != '{' {
			return c, "'{' expected after '~'"
		}
		c.Kind = ConstraintClobber
	case '=':
		c.Kind, i = ConstraintOutput, 1
	case '!':
		c.Kind, i = ConstraintLabel, 1
	}
	if at(i) == '*' {
		c.Indirect = true
		i++
	}
modifiers:
	for ; ; i++ {
		switch at(i) {
		case '&':
			if c.Kind != ConstraintOutput || c.EarlyClobber {
				return c, "'&' belongs once to an output"
			}
			c.EarlyClobber = true
		case '%':
			if c.Commutative {
				return c, "'%' twice"
			}
			c.Commutative = true
		case '#', '*':
			return c, fmt.Sprintf("modifier '%c' is not supported", s[i])
		default:
			break modifiers
		}
	}
	c.Code = s[i:]
	if c.Code == "" {
		return c, "a code is expected"
	}
	if c.Kind == ConstraintClobber {
		i++
	}
	return c, c.codes(s, i, all)
}

// codes reads the codes from s[i] on and sets Tied.
func (c *Constraint) codes(s string, i int, all []Constraint) (bad string) {
	for i < len(s) {
		switch d := s[i]; {
		case d == '{':
			k := strings.IndexByte(s[i:], '}')
			if k < 0 {
				return "'}' expected"
			}
			i += k + 1
		case class[d]&cDigit != 0:
			end := while(s, i, cDigit)
			n := number(s[i:end])
			switch {
			case c.Kind != ConstraintInput:
				return "only an input can be tied"
			case n < 0 || n >= len(all) || all[n].Kind != ConstraintOutput:
				return "tied to operand " + s[i:end] + ", which is no output"
			case all[n].TiedBy >= 0:
				return "tied to output " + s[i:end] + ", which another input is tied to"
			}
			c.Tied = n
			i = end
		case d == '^':
			i += 3
		case d == '@':
			if i+1 >= len(s) || class[s[i+1]]&cDigit == 0 {
				return "a length is expected after '@'"
			}
			i += 2 + int(s[i+1]-'0')
		default: // a letter, or '|' between alternatives
			i++
		}
	}
	if i > len(s) {
		return "the code is cut short"
	}
	return ""
}

// AsmOperands pairs each $N of an asm call with its constraint, its argument
// and the field of the result. It reports false after a diagnostic:
//
//	ll-asm-constraint  the constraint string is wrong
//	ll-asm-args        as many arguments are needed as there are inputs and indirect outputs
//	ll-asm-result      the result type does not fit the outputs
func (in *Inst) AsmOperands(f *diag.File, l *diag.List) ([]AsmOperand, bool) {
	a := in.Call.Asm
	cons, ok := a.Constraints(f, l)
	if !ok {
		return nil, false
	}
	ops := make([]AsmOperand, 0, len(cons))
	args, results := 0, 0
	for _, c := range cons {
		o := AsmOperand{Constraint: c, Arg: -1, Result: -1}
		switch {
		case c.Kind == ConstraintClobber:
			continue
		case c.Kind == ConstraintOutput && !c.Indirect:
			o.Result = results
			results++
		case c.Kind != ConstraintLabel:
			o.Arg = args
			if args < len(in.Ops) {
				o.Type = in.Ops[args].Type
			}
			args++
		}
		ops = append(ops, o)
	}
	if args != len(in.Ops) {
		l.Errorf("ll-asm-args", f, a.Cons.Span(), "asm has %d arguments, its constraints need %d", len(in.Ops), args)
		return nil, false
	}
	fields, bad := outputTypes(in.Type, results)
	if bad != "" {
		l.Errorf("ll-asm-result", f, a.Cons.Span(), "asm returns %s, %s", in.Type, bad)
		return nil, false
	}
	for i := range ops {
		if r := ops[i].Result; r >= 0 {
			ops[i].Type = fields[r]
		}
	}
	return ops, true
}

// outputTypes are the types of n outputs of an asm that returns t: void for
// none, a type that is no struct for one, a struct of n fields for more.
func outputTypes(t *Type, n int) (fields []*Type, bad string) {
	s := t.Under()
	isStruct := s != nil && (s.Kind == TyStruct || s.Kind == TyPacked)
	switch {
	case n == 0 && t != Void:
		return nil, "but has no output"
	case n == 1 && (t == Void || isStruct):
		return nil, "but has one output"
	case n > 1 && (!isStruct || len(s.Fields) != n):
		return nil, fmt.Sprintf("but has %d outputs", n)
	case n == 1:
		return []*Type{t}, ""
	case n > 1:
		return s.Fields, ""
	}
	return nil, ""
}
