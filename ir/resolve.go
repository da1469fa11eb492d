package ir

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// The second half of the parser: names become values, blocks and forms.

// formNamed is the form whose Name it is.
func formNamed(name string) (ptx.Form, bool) {
	mnemonic, pattern, _ := strings.Cut(name, " ")
	f := ptx.Lookup(mnemonic).Form
	parts := strings.Split(pattern, ", ")
	switch f.Op {
	case ptx.Vmad:
		neg, sel := [...]*bool{&f.NegA, &f.NegB, &f.NegC}, [...]*ptx.Sel{&f.SelA, &f.SelB}
		for i, s := range parts[:min(len(parts), 3)] {
			*neg[i] = strings.HasPrefix(s, "-")
			for k := ptx.B0; i < 2 && k < ptx.NumSels; k++ {
				if strings.HasSuffix(s, k.String()) {
					*sel[i] = k
				}
			}
		}
	case ptx.Setp:
		f.Dual = pattern != ""
	case ptx.Mov:
		if n := int8(min(len(parts)-1, 4)); strings.HasPrefix(pattern, "{") {
			f.Pack = -n
		} else if pattern != "" {
			f.Pack = n
		}
	case ptx.Lop3:
		lut, _ := strconv.ParseUint(pattern, 0, 8)
		f.Lut = uint8(lut)
	}
	return f, known(f) && f.Name() == name
}

// resolve gives the lines their operands and blocks: first the terminators, for
// a phi needs to know its predecessors.
func (p *parser) resolve() {
	for _, l := range p.lines {
		if l.v == nil {
			for _, t := range l.blocks {
				if s := p.blockNamed(t); s != nil {
					l.b.Succs = append(l.b.Succs, s)
					s.Preds = append(s.Preds, l.b)
				}
			}
		}
	}
	for _, l := range p.lines {
		args := make([]*Value, len(l.args))
		for i, o := range l.args {
			args[i] = p.value(o, p.widthFor(l, i))
		}
		switch {
		case p.bad:
		case l.v == nil:
			l.b.Args = args
		case l.v.Op == Phi:
			p.phi(l, args)
		default:
			l.v.Args = args
		}
	}
}

// phi puts the operands in the order of the predecessors; the first phi of a
// block decides that order.
func (p *parser) phi(l line, args []*Value) {
	from := make([]*Block, len(args))
	edges, by := map[*Block]int{}, map[*Block]*Value{}
	for _, b := range l.b.Preds {
		edges[b]++
	}
	for i, t := range l.blocks {
		b := p.blockNamed(t)
		if edges[b]--; edges[b] < 0 || by[b] != nil && by[b] != args[i] {
			p.report("ir-verify", t.span, "each edge into the block wants one operand, two edges from one block the same")
			return
		}
		from[i], by[b] = b, args[i]
	}
	if len(from) != len(l.b.Preds) {
		p.report("ir-verify", p.spanOf(l.v), "%d operands for %d edges into the block", len(from), len(l.b.Preds))
		return
	}
	if l.b.Vals[0] == l.v {
		l.b.Preds = from
	}
	for _, b := range l.b.Preds {
		l.v.Args = append(l.v.Args, by[b])
	}
}

func (p *parser) blockNamed(t token) *Block {
	b := p.blocks[t.text]
	if b == nil {
		p.report("ir-name", t.span, "no block has the label %s", t.text)
	}
	return b
}

// widthFor is the width that operand i of a line must have, 0 if that is open.
// The operands of a comparison look at each other.
func (p *parser) widthFor(l line, i int) int {
	var ws []int
	switch {
	case l.v == nil && l.b.Term == Ret:
		ws = p.f.Results
	case l.v == nil:
		ws = []int{1}
	case l.v.Op == ICmp && len(l.args) == 2:
		o := l.args[1-i]
		if v := p.vals[o.text]; o.kind == tValue && v != nil {
			return v.W
		}
		return o.w
	default:
		ws = argWidths(l.v)
	}
	if i < len(ws) {
		return ws[i]
	}
	return 128 // one operand too many; Verify says so
}

// value is the operand in w bits.
func (p *parser) value(o operand, w int) *Value {
	if o.w != 0 {
		w = o.w
	}
	switch {
	case o.kind == tValue:
		v := p.vals[o.text]
		if v == nil {
			p.report("ir-name", o.span, "%%%s is not defined", o.text)
		}
		return v
	case w == 0:
		p.report("ir-syntax", o.span, "the width is open here: write %s: i32", o.text)
		return nil
	case o.kind == tWord:
		return p.f.Undef(w)
	}
	k, ok := literal(o.text, w)
	if !ok {
		p.report("ir-syntax", o.span, "%s is no number of %d bits", o.text, w)
	}
	return p.f.Const(k, w)
}

// literal reads a number that w bits hold, as unsigned or as signed.
func literal(s string, w int) (k sem.Val, ok bool) {
	if len(s) > len("-0b")+128 {
		return k, false
	}
	n, ok := new(big.Int).SetString(s, 0)
	if !ok || n.Sign() >= 0 && n.BitLen() > w || n.Sign() < 0 && new(big.Int).Not(n).BitLen() > w-1 {
		return k, false
	}
	word := new(big.Int).SetUint64(math.MaxUint64)
	k.Lo = new(big.Int).And(n, word).Uint64()
	k.Hi = n.And(n.Rsh(n, 64), word).Uint64()
	return k, true
}

// number gives each value the identifier that its name says, and the free ones
// in order to those with words for names and to constants.
func (p *parser) number() {
	taken := make(map[int]bool, len(p.numbers))
	for _, n := range p.numbers {
		taken[n] = true
	}
	next := 0
	number := func(vs []*Value) {
		for _, v := range vs {
			n, ok := p.numbers[v]
			for !ok && taken[next] {
				next++
			}
			if !ok {
				n, next = next, next+1
			}
			v.ID = n
			p.f.values = max(p.f.values, n+1)
		}
	}
	number(p.f.Params)
	for _, b := range p.f.Blocks {
		number(b.Vals)
	}
	number(p.f.Consts)
}

// refused receives what Verify has to say.
func (p *parser) refused(b *Block, v *Value, text string) {
	at := p.ends[b]
	if v != nil {
		at = p.spanOf(v)
	}
	p.report("ir-verify", at, "%s", text)
}

// spanOf is where a value is defined.
func (p *parser) spanOf(v *Value) diag.Span {
	i := slices.IndexFunc(p.toks, func(t token) bool { return t.span.Start == v.Off })
	return p.toks[max(i, 0)].span
}
