package ptx

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/diag"
)

// Class is what Lookup makes of a mnemonic.
type Class uint8

// The classes.
const (
	Exact   Class = iota // the canonical spelling
	Lenient              // accepted with a warning, as ptxas accepts it
	Opaque               // outside the family and its neighbours
	Refused              // an error
)

// Finding is what Lookup found. Where the class is Lenient or Refused, ID and
// Text say what is wrong and At is the part of the mnemonic that is to blame:
// the first modifier with which no legal spelling goes on, or the place where
// one is missing.
type Finding struct {
	Class Class
	Form  Form // Exact and Lenient; operands decide the rest of it
	ID    string
	Text  string
	At    diag.Span
}

// entry is a canonical mnemonic. Operands add to its form: selectors and
// negations, a pack, a second result, lop3's table.
type entry struct {
	name string
	form Form
	ins  []Type // form.Ins()
}

// table holds the mnemonics by name, and by opcode in the order of the manual.
type table struct {
	byName map[string]*entry
	byOp   [NumOps][]*entry
}

var mnemonics = sync.OnceValue(func() *table {
	t := &table{byName: map[string]*entry{}}
	for _, fs := range [...][]Form{familyForms(), neighbourForms()} {
		for _, f := range fs {
			e := &entry{f.String(), f, f.Ins()}
			t.byName[e.name] = e
			t.byOp[f.Op] = append(t.byOp[f.Op], e)
		}
	}
	return t
})

// Lookup finds the form of a mnemonic, which is written without blanks.
//
// A mode stands right after the opcode; other modifiers and the types may stand
// in any order, and .cc, .sat and .shiftamt more than once (seen: ptxas
// 11.8–13.5). Any other spelling is refused, except that floating-point and
// packed forms of shared opcodes, and modifiers of a neighbour that this package
// does not know, are Opaque.
func Lookup(mnemonic string) Finding {
	e, f := lookup(mnemonic)
	if e != nil {
		f.Form = e.form
	}
	return f
}

func lookup(mnemonic string) (*entry, Finding) {
	t := mnemonics()
	if e := t.byName[mnemonic]; e != nil {
		return e, Finding{}
	}
	name, _, _ := strings.Cut(mnemonic, ".")
	op, ok := opByName[name]
	if !ok {
		return nil, unknownOpcode(name)
	}
	r := reading{op: op, text: mnemonic, form: Form{Op: op}, left: t.byOp[op]}
	for at := len(name); at < len(mnemonic); {
		end := at + 1
		for end < len(mnemonic) && mnemonic[end] != '.' {
			end++
		}
		r.modifier(at, end)
		at = end
	}
	if r.bad == nil && (op != Shf || r.seen.has(kEdge)) {
		if e := t.byName[r.form.String()]; e != nil {
			return e, r.disordered(e.name)
		}
	}
	unknown := r.seen.has(kUnknown, kForeign, kRound)
	switch {
	case !op.Family() && (unknown || op == Lop3), r.foreign():
		return nil, Finding{Class: Opaque}
	case !unknown && undocumented()[r.form]:
		r.bad.ID, r.bad.Text = "ptx-undocumented", fmt.Sprintf("'%s' is not documented, though ptxas takes it", r.form)
		if r.form.Mode == Hi && r.form.Sat {
			r.bad.Text += " (for sm_90 it drops the .sat)"
		}
	case r.bad == nil:
		r.incomplete()
	}
	return nil, *r.bad
}

var opByName = func() map[string]Op {
	m := map[string]Op{}
	for o := BadOp + 1; o < NumOps; o++ {
		m[o.String()] = o
	}
	return m
}()

// undocumented are the forms that ptxas assembles and no manual describes
// (seen: ptxas 11.8, 12.9, 13.5).
var undocumented = sync.OnceValue(func() map[Form]bool {
	m := map[Form]bool{{Op: Madc, Mode: Hi, Sat: true, T: S32}: true}
	for _, op := range [...]Op{Addc, Subc} {
		m[Form{Op: op, Sat: true, T: S32}] = true
	}
	for _, t := range [...]Type{U16, S16} {
		m[Form{Op: Addc, T: t}], m[Form{Op: Subc, T: t}] = true, true
		m[Form{Op: Madc, Mode: Lo, T: t}], m[Form{Op: Madc, Mode: Hi, T: t}] = true, true
	}
	return m
})

// kind sorts modifiers.
type kind uint8

const (
	kUnknown kind = iota
	kType
	kMode
	kCC
	kSat
	kPO
	kScale
	kCmp
	kBool
	kEdge // shf.wrap, shf.clamp
	kShiftAmt
	kPerm
	kForeign // a type of floating-point or packed arithmetic
	kRound   // a modifier of floating-point arithmetic
)

// kinds is a set of kinds.
type kinds uint16

func (s kinds) has(ks ...kind) bool {
	for _, k := range ks {
		if s&(1<<k) != 0 {
			return true
		}
	}
	return false
}

// word is a modifier: its kind and the form that has nothing but it.
type word struct {
	kind kind
	form Form
}

var words = func() map[string]word {
	m := map[string]word{
		"cc":       {kCC, Form{CC: true}},
		"sat":      {kSat, Form{Sat: true}},
		"po":       {kPO, Form{PO: true}},
		"shr7":     {kScale, Form{Shr: 7}},
		"shr15":    {kScale, Form{Shr: 15}},
		"wrap":     {kEdge, Form{Wrap: true}},
		"clamp":    {kEdge, Form{}},
		"shiftamt": {kShiftAmt, Form{ShiftAmt: true}},
	}
	for _, w := range strings.Fields("f16 f16x2 bf16 bf16x2 f32 f32x2 f64 u16x2 s16x2 u8x4 s8x4") {
		m[w] = word{kind: kForeign}
	}
	for _, w := range strings.Fields("rn rz rm rp ftz") {
		m[w] = word{kind: kRound}
	}
	for t := NoType + 1; t < numTypes; t++ {
		m[t.String()] = word{kType, Form{T: t}}
	}
	for v := Eq; v <= HsU; v++ {
		m[v.String()] = word{kCmp, Form{Cmp: v}}
	}
	for v := Lo; v <= Right; v++ {
		m[v.String()] = word{kMode, Form{Mode: v}} // over .lo and .hi of setp
	}
	for v := BoolAnd; v <= BoolXor; v++ {
		m[v.String()] = word{kBool, Form{Bool: v}}
	}
	for v := F4E; v <= RC16; v++ {
		m[v.String()] = word{kPerm, Form{Perm: v}}
	}
	return m
}()

func wordOf(op Op, s string) word {
	if op == Set || op == Setp {
		switch s {
		case "lo":
			return word{kCmp, Form{Cmp: LoU}}
		case "hi":
			return word{kCmp, Form{Cmp: HiU}}
		}
	}
	return words[s]
}

// reading is a mnemonic of a known opcode being read, modifier by modifier.
type reading struct {
	op    Op
	text  string
	form  Form     // what was read
	left  []*entry // the legal mnemonics that have all of it
	types int
	seen  kinds
	bad   *Finding
}

// modifier reads text[at:end]; the first one that leaves nothing of left, or
// that may not be repeated, is the offence.
func (r *reading) modifier(at, end int) {
	s := r.text[at+1 : end]
	w := wordOf(r.op, s)
	again := r.seen.has(w.kind)
	r.seen |= 1 << w.kind
	first := at == len(r.op.String())

	f := r.form
	switch {
	case w.kind != kType:
		f = merge(f, w.form)
	case r.types == 0:
		f.T = w.form.T
	case r.types == 1:
		f.A = w.form.T
	case r.types == 2:
		f.B = w.form.T
	}
	if w.kind == kType || w.kind == kForeign {
		r.types++
	}
	var left []*entry
	if w.kind != kUnknown && w.kind != kForeign && w.kind != kRound && r.types <= 3 && (w.kind != kEdge || r.op == Shf) {
		for _, e := range r.left {
			if merge(e.form, f) == e.form {
				left = append(left, e)
			}
		}
	}
	repeats := again && w.kind != kType && w.kind != kCC && w.kind != kSat && w.kind != kShiftAmt
	if r.bad == nil && (left == nil || repeats || w.kind == kMode && !first) {
		r.bad = &Finding{Class: Refused, At: diag.Span{Start: at, End: end}}
		r.bad.ID, r.bad.Text = r.offence(w.kind, at, s, repeats)
	}
	if left != nil {
		r.left = left
	}
	r.form = f
}

// foreign reports floating-point and packed add, sub, mul and mad.
func (r *reading) foreign() bool {
	return (r.op == Add || r.op == Sub || r.op == Mul || r.op == Mad) && !r.seen.has(kMode, kCC) &&
		(r.seen.has(kForeign) || r.seen.has(kRound) && !r.seen.has(kType))
}

// merge is f with whatever g has set.
func merge(f, g Form) Form {
	if g.Mode != NoMode {
		f.Mode = g.Mode
	}
	if g.T != NoType {
		f.T = g.T
	}
	if g.A != NoType {
		f.A = g.A
	}
	if g.B != NoType {
		f.B = g.B
	}
	if g.Shr != 0 {
		f.Shr = g.Shr
	}
	if g.Cmp != NoCmp {
		f.Cmp = g.Cmp
	}
	if g.Bool != NoBool {
		f.Bool = g.Bool
	}
	if g.Perm != NoPerm {
		f.Perm = g.Perm
	}
	f.CC, f.Sat, f.PO = f.CC || g.CC, f.Sat || g.Sat, f.PO || g.PO
	f.Wrap, f.ShiftAmt = f.Wrap || g.Wrap, f.ShiftAmt || g.ShiftAmt
	return f
}

// offence words what is wrong with the modifier s at offset at.
func (r *reading) offence(k kind, at int, s string, repeats bool) (id, text string) {
	so := r.text[:at]
	switch {
	case k == kUnknown && words[strings.ToLower(s)].kind != kUnknown:
		return "ptx-lower-case", fmt.Sprintf("PTX is lower case: '.%s'", s)
	case k == kUnknown:
		return "ptx-bad-modifier", fmt.Sprintf("'%s' has no modifier '.%s'", r.op, s)
	case k == kType, k == kForeign:
		if ts := r.typesHere(); ts != "" {
			return "ptx-bad-type", fmt.Sprintf("'%s' is for %s, not '.%s'", so, ts, s)
		}
		return "ptx-bad-type", fmt.Sprintf("'%s' takes no more types", so)
	case repeats && k == kScale:
		return "ptx-bad-modifier", "one scale is allowed, .shr7 or .shr15"
	case repeats:
		return "ptx-bad-modifier", fmt.Sprintf("'.%s' after '%s'", s, so)
	}
	var having []string
	w := wordOf(r.op, s)
	for _, e := range mnemonics().byOp[r.op] {
		if k != kEdge && k != kRound && merge(e.form, w.form) == e.form {
			having = append(having, e.name)
		}
	}
	switch {
	case len(having) == 0 && k == kMode && len(r.modes()) > 0:
		return "ptx-bad-modifier", fmt.Sprintf("'%s' has the modes %s, not '.%s'", r.op, join(r.modes(), "and"), s)
	case len(having) == 0:
		return "ptx-bad-modifier", fmt.Sprintf("'%s' has no '.%s'", r.op, s)
	case k == kMode:
		return "ptx-misplaced-mode", fmt.Sprintf("'.%s' stands right after '%s'", s, r.op)
	case len(having) == 1:
		return "ptx-bad-modifier", fmt.Sprintf("'.%s' does not go with '%s', only '%s' has it", s, so, having[0])
	}
	return "ptx-bad-modifier", fmt.Sprintf("'.%s' does not go with '%s'", s, so)
}

// typesHere lists the types that may come next, in words.
func (r *reading) typesHere() string {
	var ts []string
	for _, e := range r.left {
		t := [...]Type{e.form.T, e.form.A, e.form.B, NoType}[min(r.types-1, 3)]
		if s := "." + t.String(); t != NoType && !slices.Contains(ts, s) {
			ts = append(ts, s)
		}
	}
	return join(ts, "and")
}

// modes lists the modes that may stand after the opcode, given the rest.
func (r *reading) modes() (ms []string) {
	for _, e := range r.left {
		if s := "." + e.form.Mode.String(); e.form.Mode != NoMode && !slices.Contains(ms, s) {
			ms = append(ms, s)
		}
	}
	return ms
}

// join is "a, b and c".
func join(s []string, and string) string {
	if n := len(s); n > 1 {
		return strings.Join(s[:n-1], ", ") + " " + and + " " + s[n-1]
	}
	return strings.Join(s, "")
}

// incomplete reports what a mnemonic without a wrong modifier still needs, at
// the place where it should stand.
func (r *reading) incomplete() {
	n := len(r.text)
	r.bad = &Finding{Class: Refused, At: diag.Span{Start: n, End: n}}
	need := func(id, format string, args ...any) {
		r.bad.ID, r.bad.Text = id, fmt.Sprintf("'%s' needs ", r.op)+fmt.Sprintf(format, args...)
	}
	some := &r.left[0].form
	switch {
	case some.Mode != NoMode && r.form.Mode == NoMode:
		op := len(r.op.String())
		end := op + 1
		for end < n && r.text[end] != '.' {
			end++
		}
		r.bad.At = diag.Span{Start: op, End: min(end, n)}
		need("ptx-missing-mode", "%s", join(r.modes(), "or"))
	case some.Cmp != NoCmp && r.form.Cmp == NoCmp:
		need("ptx-missing-modifier", "a comparison such as .eq or .lt")
	case some.B != NoType && r.form.B == NoType:
		need("ptx-missing-type", "three types: of d, a and b")
	case some.A != NoType && r.form.A == NoType:
		need("ptx-missing-type", "two types: of the destination and of what it comes from")
	case some.T != NoType && r.form.T == NoType:
		need("ptx-missing-type", "a type")
	default:
		need("ptx-missing-modifier", ".clamp or .wrap")
	}
}

// disordered is the warning about a mnemonic that is not spelled as canonical;
// it points at the first modifier that differs.
func (r *reading) disordered(canonical string) Finding {
	at, end := 0, 0
	for i := 0; i < len(r.text); i++ {
		if r.text[i] == '.' {
			at = i
		}
		if i >= len(canonical) || r.text[i] != canonical[i] {
			break
		}
	}
	for end = at + 1; end < len(r.text) && r.text[end] != '.'; end++ {
	}
	return Finding{Lenient, Form{}, "ptx-order",
		fmt.Sprintf("modifiers out of order or repeated: the manual's spelling is '%s'", canonical), diag.Span{Start: at, End: end}}
}
