package ll

// memory reads the instructions that touch memory, and landingpad.
func (p *parser) memory(in *Inst) bool {
	switch in.Op {
	case OpLoad:
		p.flags(in)
		in.Type = p.typ()
		p.comma()
		p.typedValue()
		p.ordering()
	case OpStore:
		p.flags(in)
		p.typedValue()
		p.comma()
		p.typedValue()
		p.ordering()
	case OpGetElementPtr:
		p.elementPtr(in)
	case OpAlloca:
		p.alloca(in)
	case OpFence:
		p.ordering()
	case OpAtomicRMW:
		p.flags(in)
		if p.t.kind != tWord {
			return false
		}
		p.advance() // the operation
		p.typedValue()
		p.comma()
		in.Type = p.typedValue()
		p.ordering()
	case OpCmpXchg:
		p.acceptWord("weak")
		p.flags(in)
		p.typedValue()
		p.comma()
		ty := p.typedValue()
		p.comma()
		p.typedValue()
		p.ordering()
		list := p.m.types.add(p.m.types.add(nil, ty), &ints[1])
		in.Type = p.m.types.get(typeKey{kind: TyStruct, list: list})
	case OpLandingPad:
		in.Type = p.typ()
		p.acceptWord("cleanup")
		for p.is("catch") || p.is("filter") {
			p.advance()
			p.typedValue()
		}
	default:
		return false
	}
	return true
}

// ordering reads syncscope("…"), the memory orderings and the alignment.
func (p *parser) ordering() {
	for p.t.kind == tWord {
		switch p.text() {
		case "syncscope":
			p.advance()
			if p.t.kind == '(' {
				p.group()
			}
		case "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst":
			p.advance()
		default:
			return
		}
	}
	p.align()
}

// align reads ", align N".
func (p *parser) align() bool {
	if p.t.kind == ',' && p.u.kind == tWord && p.src[p.u.start:p.u.end] == "align" {
		p.advance()
		p.advance()
		p.want(tInt, "expected alignment")
		return true
	}
	return false
}

// elementPtr reads getelementptr. Its result is a pointer of the base's address
// space, or a vector of such where an operand is a vector.
func (p *parser) elementPtr(in *Inst) {
	p.flags(in)
	if p.is("inrange") && p.u.kind == '(' {
		p.advance()
		p.group()
	}
	in.ElemType = p.typ()
	p.comma()
	base := p.typedValue()
	vec := base
	for p.t.kind == ',' && p.u.kind != tMetaName {
		p.advance()
		p.acceptWord("inrange")
		if ty := p.typedValue(); ty.Kind == TyVector || ty.Kind == TyScalable {
			vec = ty
		}
	}
	in.Type = p.ptrIn(base.Scalar().AddrSpace)
	if vec.Kind == TyVector || vec.Kind == TyScalable {
		in.Type = p.m.types.get(typeKey{kind: vec.Kind, n: vec.N, elem: in.Type})
	}
}

func (p *parser) alloca(in *Inst) {
	p.acceptWord("inalloca")
	p.acceptWord("swifterror")
	in.ElemType = p.typ()
	var as uint32
	for p.t.kind == ',' && p.u.kind != tMetaName {
		if p.align() {
			continue
		}
		p.advance()
		if p.is("addrspace") {
			as = p.addrSpace()
		} else {
			p.typedValue()
		}
	}
	in.Type = p.ptrIn(as)
}
