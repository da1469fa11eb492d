package ptx

import "github.com/ptxlower/ptxlower/diag"

// The static rules about operands (PTX ISA 6, 9.4, 9.7.18.1.3; seen: ptxas).

// fit checks the n operands in p.args against the mnemonic e, and completes in:
// what operands decide of the form, destinations, sources.
func (p *parser) fit(in *Inst, e *entry, n int, stop diag.Span) bool {
	f := e.form
	want := 1 + len(e.ins)
	if f.Op == Lop3 {
		want++
	}
	if n != want {
		at := stop
		if n > want {
			a := &p.args[min(want, maxArgs-1)]
			at = diag.Span{Start: a.Span.Start, End: a.end}
			if a.minus >= 0 {
				at.Start = a.minus
			}
		}
		p.errorf("ptx-operand-count", at.Start, at.End, "'%s' takes %d operands, not %d", e.name, want, n)
		return false
	}
	args := p.args[:n]
	if f.Op == Mov && !p.packed(&f, &args[0], &args[1]) {
		return false
	}
	if !p.destination(&f, &args[0]) {
		return false
	}
	for i := range e.ins {
		if !p.source(&f, &args[1+i], i, e.ins[i]) {
			return false
		}
	}
	switch f.Op {
	case Vmad:
		if !p.negations(&f, args) {
			return false
		}
	case Lop3:
		if !p.lut(&f, &args[4]) {
			return false
		}
	}
	in.Form = f
	p.fill(in, args, len(e.ins))
	return true
}

// fill copies the operands into the instruction.
func (p *parser) fill(in *Inst, args []arg, ins int) {
	f := &in.Form
	dst, src := 1, ins
	switch {
	case f.Pack < 0:
		dst = -int(f.Pack)
	case f.Pack > 0:
		src = int(f.Pack)
	case f.Dual:
		dst = 2
	}
	all := p.alloc(dst + src)
	in.Dst, in.Src = all[:dst:dst], all[dst:]
	switch {
	case f.Pack < 0:
		copy(in.Dst, p.elems[args[0].pack[0]:])
		in.Src[0] = args[1].Operand
		return
	case f.Pack > 0:
		in.Dst[0] = args[0].Operand
		copy(in.Src, p.elems[args[1].pack[0]:])
		return
	}
	in.Dst[0] = args[0].Operand
	if f.Dual {
		in.Dst[1] = p.second
	}
	for i := range in.Src {
		in.Src[i] = args[1+i].Operand
	}
}

// packed sees what a mov packs or unpacks.
func (p *parser) packed(f *Form, d, s *arg) bool {
	v := s
	switch {
	case d.pack[1] > 0 && s.pack[1] > 0:
		p.errorf("ptx-vector", s.Span.Start, s.Span.End, "mov packs into a register or unpacks one, not both")
		return false
	case d.pack[1] > 0:
		v = d
	case s.pack[1] == 0:
		return true
	}
	n := v.pack[1] - v.pack[0]
	if !packs(f.T, n) {
		p.errorf("ptx-vector", v.Span.Start, v.Span.End, "no 'mov.%s' of %d parts: .b16 has 2, .b32 and .b64 have 2 or 4", f.T, n)
		return false
	}
	f.Pack = int8(n)
	if v == d {
		f.Pack = -f.Pack
	}
	sinks := 0
	for i := v.pack[0]; i < v.pack[1]; i++ {
		switch o := &p.elems[i]; {
		case v == d && !p.writable(f, o):
			return false
		case o.Kind == OperandSink && v == s:
			p.errorf("ptx-sink", o.Span.Start, o.Span.End, "'_' is a destination only")
			return false
		case o.Kind == OperandSink:
			sinks++
		case o.Kind == OperandImm:
			p.fits(o, value{v: o.Imm}, f.T.Bits()/n)
		}
	}
	if sinks == n {
		p.errorf("ptx-sink", v.Span.Start, v.Span.End, "one part at least needs a register")
		return false
	}
	return true
}

// destination checks the first operand.
func (p *parser) destination(f *Form, a *arg) bool {
	switch {
	case a.minus >= 0:
		p.errorf("ptx-negation", a.minus, a.minus+1, "a destination takes no minus sign")
	case a.sel.End > 0:
		p.errorf("ptx-selector", a.sel.Start, a.sel.End, "a destination takes no selector")
	case a.Not:
		p.errorf("ptx-negation", a.bang, a.bang+1, "a destination takes no '!'")
	case f.Pack < 0:
		return true // packed has seen it
	case a.pack[1] > 0:
		p.errorf("ptx-vector", a.Span.Start, a.end, "'%s' has no pack as destination", f.Op)
	case a.pair && f.Op != Setp:
		p.errorf("ptx-syntax", p.second.Span.Start, p.second.Span.End, "only setp has two results")
	case a.pair:
		f.Dual = true
		if a.Kind == OperandSink && p.second.Kind == OperandSink {
			p.errorf("ptx-sink", p.second.Span.Start, p.second.Span.End, "one result at least needs a register")
			return false
		}
		return p.writable(f, &a.Operand) && p.writable(f, &p.second)
	default:
		return p.writable(f, &a.Operand)
	}
	return false
}

func (p *parser) writable(f *Form, o *Operand) bool {
	switch {
	case o.Kind == OperandImm:
		p.errorf("ptx-immediate-dest", o.Span.Start, o.Span.End, "a constant as destination")
	case o.Kind == OperandSpecial:
		p.errorf("ptx-special", o.Span.Start, o.Span.End, "'%s' is read-only", o.Name)
	case o.Kind == OperandSink && f.Pack >= 0 && f.Op != Setp:
		p.errorf("ptx-sink", o.Span.Start, o.Span.End, "'_' stands only where mov unpacks and for a result of setp")
	default:
		return true
	}
	return false
}

// source checks source i, of type t, and moves selector and minus to the form.
func (p *parser) source(f *Form, a *arg, i int, t Type) bool {
	switch {
	case a.pair:
		p.errorf("ptx-syntax", p.second.Span.Start, p.second.Span.End, "only destinations of setp are joined by '|'")
		return false
	case a.pack[1] > 0:
		if f.Pack > 0 {
			return true
		}
		p.errorf("ptx-vector", a.Span.Start, a.end, "'%s' takes no pack; mov packs and unpacks", f.Op)
		return false
	case a.Kind == OperandSink:
		p.errorf("ptx-sink", a.Span.Start, a.Span.End, "'_' is a destination only")
		return false
	case a.minus >= 0 && f.Op != Vmad:
		p.errorf("ptx-negation", a.minus, a.minus+1, "only operands of vmad may be negated")
		return false
	case a.Not && t != Pred:
		p.errorf("ptx-negation", a.bang, a.bang+1, "'!' negates predicates only")
		return false
	case a.Kind == OperandSpecial && f.Op != Mov:
		p.errorf("ptx-special", a.Span.Start, a.Span.End, "only mov reads a special register such as '%s'", a.Name)
		return false
	}
	if a.Kind == OperandImm {
		if t == Pred { // as in C
			if a.Imm != 0 {
				a.Imm = 1
			}
		} else {
			p.fits(&a.Operand, value{a.Imm, a.unsigned, a.literal}, t.Bits())
		}
	}
	if f.Op == Vmad && a.minus >= 0 {
		switch i {
		case 0:
			f.NegA = true
		case 1:
			f.NegB = true
		case 2:
			f.NegC = true
		}
	}
	return a.sel.End == 0 || p.selector(f, a, i)
}

// selector reads the .b0 … .h1 of a vmad source.
func (p *parser) selector(f *Form, a *arg, i int) bool {
	w := p.src[a.sel.Start+1 : a.sel.End]
	text := ""
	switch {
	case f.Op != Vmad:
		text = "only operands of vmad have selectors"
	case i == 2:
		text = "c takes no selector, only a and b do"
	default:
		for s := B0; s < NumSels; s++ {
			if w == selNames[s] {
				if i == 0 {
					f.SelA = s
				} else {
					f.SelB = s
				}
				return true
			}
		}
		p.errorf("ptx-selector", a.sel.Start, a.sel.End, "the selectors are .b0 to .b3, .h0 and .h1, not '.%s'", w)
		return false
	}
	p.errorf("ptx-selector", a.sel.Start, a.sel.End, "%s", text)
	return false
}

// negations: one of a and b or c may be negated; both a and b with or without
// c, since the signs of the product cancel; nothing with .po, where ptxas takes
// two signs that cancel.
func (p *parser) negations(f *Form, args []arg) bool {
	a, b, c := args[1].minus, args[2].minus, args[3].minus
	switch {
	case f.PO && f.NegC:
		p.errorf("ptx-negation", c, c+1, "'.po' allows no negated operand")
		return false
	case f.PO && f.NegA != f.NegB:
		at := max(a, b)
		p.errorf("ptx-negation", at, at+1, "'.po' allows no negated operand")
		return false
	case f.PO && f.NegA:
		p.report(diag.Warning, "ptx-po", diag.Span{Start: b, End: b + 1}, "'.po' allows no negated operand; these two cancel")
		f.NegA, f.NegB = false, false
	case f.NegC && f.NegA != f.NegB:
		p.errorf("ptx-negation", c, c+1, "the product is negated already: either it or c may be")
		return false
	}
	return true
}

// lut reads lop3's table, a constant of 8 bits.
func (p *parser) lut(f *Form, a *arg) bool {
	if a.Kind != OperandImm {
		p.errorf("ptx-syntax", a.Span.Start, a.end, "lop3's table is a constant")
		return false
	}
	p.fits(&a.Operand, value{a.Imm, a.unsigned, a.literal}, 8)
	f.Lut = uint8(a.Imm)
	return true
}

// fits warns about a constant that loses bits.
func (p *parser) fits(o *Operand, v value, w int) {
	if v.lossy(w) {
		p.report(diag.Warning, "ptx-truncated", o.Span, "the constant does not fit in %d bits; 0x%x is used", w, o.Imm&(1<<w-1))
	}
}
