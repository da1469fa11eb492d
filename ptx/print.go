package ptx

import "strconv"

// Canonical text. Reading it back gives the same instruction.

// String is the instruction with guard and semicolon, as in an asm statement
// (names with a dollar have $$).
func (in *Inst) String() string { return string(in.append(nil, false)) }

// String is the operand alone, without the minus and the selector that are in a
// Form.
func (o Operand) String() string { return string(o.append(nil, false)) }

// String is ".reg .u32 a, b<4>;".
func (d *Decl) String() string { return string(d.append(nil, false)) }

// String has one line an item, indented by scope.
func (b *Body) String() string { return string(b.Append(nil)) }

// Append appends the text of String to t.
func (b *Body) Append(t []byte) []byte {
	depth := 0
	for i := range b.Items {
		it := &b.Items[i]
		if it.Kind == ItemClose {
			depth = max(0, depth-1)
		}
		for range depth {
			t = append(t, '\t')
		}
		switch it.Kind {
		case ItemInst:
			t = it.Inst.append(t, b.Flat)
		case ItemDecl:
			t = it.Decl.append(t, b.Flat)
		case ItemOpen:
			t = append(t, '{')
			depth++
		case ItemClose:
			t = append(t, '}')
		case ItemLabel:
			t = appendName(t, it.Label, b.Flat)
			t = append(t, ':')
		}
		t = append(t, '\n')
	}
	return t
}

func (d *Decl) append(t []byte, flat bool) []byte {
	t = append(t, ".reg ."...)
	t = append(t, d.Word...)
	for i, n := range d.Names {
		if i > 0 {
			t = append(t, ',')
		}
		t = append(t, ' ')
		t = appendName(t, n.Name, flat)
		if n.Count > 0 {
			t = append(t, '<')
			t = strconv.AppendInt(t, int64(n.Count), 10)
			t = append(t, '>')
		}
	}
	return append(t, ';')
}

// appendName writes $ as $$ in an asm statement, except in an escape.
func appendName(t []byte, name string, flat bool) []byte {
	for i := range len(name) {
		if name[i] == '$' && !flat && !(i+1 < len(name) && name[i+1] == '{') {
			t = append(t, '$')
		}
		t = append(t, name[i])
	}
	return t
}

func (in *Inst) append(t []byte, flat bool) []byte {
	if g := in.Guard; g != nil {
		t = append(t, '@')
		t = g.append(t, flat)
		t = append(t, ' ')
	}
	if in.Opaque {
		t = append(t, in.Name...)
		t = appendList(append(t, ' '), in.Src, flat, "", nil)
		if len(in.Src) == 0 {
			t = t[:len(t)-1]
		}
		return append(t, ';')
	}
	f := &in.Form
	t = append(f.append(t), ' ')
	switch {
	case f.Pack < 0:
		t = appendList(t, in.Dst, flat, "{}", nil)
	case f.Dual:
		t = in.Dst[0].append(t, flat)
		t = append(t, '|')
		t = in.Dst[1].append(t, flat)
	default:
		t = in.Dst[0].append(t, flat)
	}
	t = append(t, ',', ' ')
	if f.Pack > 0 {
		t = appendList(t, in.Src, flat, "{}", nil)
	} else {
		t = appendList(t, in.Src, flat, "", f)
	}
	if f.Op == Lop3 {
		t = append(t, ", 0x"...)
		t = strconv.AppendUint(t, uint64(f.Lut), 16)
	}
	return append(t, ';')
}

// appendList writes operands, with the signs and selectors of f if it is given.
func appendList(t []byte, ops []Operand, flat bool, braces string, f *Form) []byte {
	if braces != "" {
		t = append(t, braces[0])
	}
	for i, o := range ops {
		if i > 0 {
			t = append(t, ',', ' ')
		}
		if f != nil && (i == 0 && f.NegA || i == 1 && f.NegB || i == 2 && f.NegC) {
			t = append(t, '-')
		}
		t = o.append(t, flat)
		switch {
		case f == nil:
		case i == 0 && f.SelA != Word:
			t = append(append(t, '.'), selNames[f.SelA]...)
		case i == 1 && f.SelB != Word:
			t = append(append(t, '.'), selNames[f.SelB]...)
		}
	}
	if braces != "" {
		t = append(t, braces[1])
	}
	return t
}

func (o Operand) append(t []byte, flat bool) []byte {
	if o.Not {
		t = append(t, '!')
	}
	switch o.Kind {
	case OperandReg:
		return appendName(t, o.Name, flat)
	case OperandAsm:
		t = append(t, '$')
		if o.Mod != 0 {
			t = append(t, '{')
		}
		t = strconv.AppendInt(t, int64(o.Index), 10)
		if o.Mod != 0 {
			t = append(t, ':', o.Mod, '}')
		}
		return t
	case OperandImm:
		return appendConst(t, o.Imm)
	case OperandSink:
		return append(t, '_')
	}
	return append(t, o.Name...)
}

// appendConst writes small numbers in decimal, others in hexadecimal, and the
// last 2^31 as negative ones.
func appendConst(t []byte, v uint64) []byte {
	if -v <= 1<<31 && v != 0 {
		t, v = append(t, '-'), -v
	}
	if v < 10000 {
		return strconv.AppendUint(t, v, 10)
	}
	return strconv.AppendUint(append(t, '0', 'x'), v, 16)
}
