package ptx

// Constant expressions (PTX ISA 4.5.4–6): 64 bits, each subexpression .s64 or
// .u64. Shift counts are taken modulo 64, and a ?: has the type of the operand
// that it chooses (seen: ptxas 12.9).

const maxDepth = 100 // nested operators, so that no text can exhaust the stack

// binary operators by precedence, weakest first.
const (
	opNone = iota
	opOrOr
	opAndAnd
	opOr
	opXor
	opAnd
	opEq
	opNe
	opLt
	opGt
	opLe
	opGe
	opShl
	opShr
	opAdd
	opSub
	opMul
	opDiv
	opRem
)

var precedence = [...]int{opOrOr: 2, opAndAnd: 3, opOr: 4, opXor: 5, opAnd: 6, opEq: 7, opNe: 7,
	opLt: 8, opGt: 8, opLe: 8, opGe: 8, opShl: 9, opShr: 9, opAdd: 10, opSub: 10, opMul: 11, opDiv: 11, opRem: 11}

// operator is the binary operator at pos, which is c, and its length.
func (p *parser) operator(c byte) (op, n int) {
	next := p.at(p.pos + p.wide)
	switch c {
	case '+':
		return opAdd, 1
	case '-':
		return opSub, 1
	case '*':
		return opMul, 1
	case '/':
		return opDiv, 1
	case '%':
		return opRem, 1
	case '^':
		return opXor, 1
	case '&':
		if next == '&' {
			return opAndAnd, 2
		}
		return opAnd, 1
	case '|':
		if p.wide == 1 && next == '|' {
			return opOrOr, 2
		}
		return opOr, p.wide
	case '=':
		if next == '=' {
			return opEq, 2
		}
	case '!':
		if next == '=' {
			return opNe, 2
		}
	case '<':
		switch next {
		case '<':
			return opShl, 2
		case '=':
			return opLe, 2
		}
		return opLt, 1
	case '>':
		switch next {
		case '>':
			return opShr, 2
		case '=':
			return opGe, 2
		}
		return opGt, 1
	}
	return opNone, 0
}

// constant reads a constant expression. width is as for number.
func (p *parser) constant(width, depth int) (value, bool) {
	v, ok := p.binary(1, width, depth)
	if !ok || p.space() != '?' {
		return v, ok
	}
	p.pos++
	x, ok := p.constant(0, depth+1)
	if !ok {
		return v, false
	}
	if p.space() != ':' {
		p.errorf("ptx-syntax", p.pos, min(p.pos+1, len(p.src)), "expected ':' of '?:'")
		return v, false
	}
	p.pos++
	y, ok := p.constant(0, depth+1)
	if v.v == 0 {
		x = y
	}
	x.exact = false
	return x, ok
}

// binary reads operators of precedence least and above.
func (p *parser) binary(least, width, depth int) (value, bool) {
	x, ok := p.unary(width, depth)
	for ok {
		op, n := p.operator(p.space())
		if op == opNone || precedence[op] < least {
			break
		}
		at := p.pos
		p.pos += n
		var y value
		if y, ok = p.binary(precedence[op]+1, 0, depth+1); !ok {
			break
		}
		if (op == opDiv || op == opRem) && y.v == 0 {
			p.errorf("ptx-literal", at, at+1, "division by zero")
			return x, false
		}
		x = apply(op, x, y)
	}
	return x, ok
}

// apply computes x op y.
func apply(op int, x, y value) value {
	u := x.unsigned || y.unsigned
	num := func(v uint64) value { return value{v: v, unsigned: u} }
	truth := func(b bool) value {
		if b {
			return value{v: 1}
		}
		return value{}
	}
	less := func(x, y value) bool {
		if u {
			return x.v < y.v
		}
		return int64(x.v) < int64(y.v)
	}
	switch op {
	case opOrOr:
		return truth(x.v != 0 || y.v != 0)
	case opAndAnd:
		return truth(x.v != 0 && y.v != 0)
	case opOr:
		return num(x.v | y.v)
	case opXor:
		return num(x.v ^ y.v)
	case opAnd:
		return num(x.v & y.v)
	case opEq:
		return truth(x.v == y.v)
	case opNe:
		return truth(x.v != y.v)
	case opLt:
		return truth(less(x, y))
	case opGt:
		return truth(less(y, x))
	case opLe:
		return truth(!less(y, x))
	case opGe:
		return truth(!less(x, y))
	case opShl:
		return value{v: x.v << (y.v & 63), unsigned: x.unsigned}
	case opShr:
		if x.unsigned {
			return value{v: x.v >> (y.v & 63), unsigned: true}
		}
		return value{v: uint64(int64(x.v) >> (y.v & 63))}
	case opAdd:
		return num(x.v + y.v)
	case opSub:
		return num(x.v - y.v)
	case opMul:
		return num(x.v * y.v)
	case opDiv:
		if u {
			return num(x.v / y.v)
		}
		return num(uint64(int64(x.v) / int64(y.v)))
	}
	return value{v: x.v % y.v} // as unsigned, whatever the types
}

// unary reads signs, ! and ~, casts, parentheses and literals.
func (p *parser) unary(width, depth int) (value, bool) {
	c := p.space()
	start := p.pos
	if depth > maxDepth {
		p.errorf("ptx-literal", start, start, "a constant expression nested more than %d deep", maxDepth)
		return value{}, false
	}
	switch c {
	case '-', '+', '!', '~':
		p.pos++
		v, ok := p.unary(0, depth+1)
		switch c {
		case '-':
			v.v = -v.v
		case '!':
			v = apply(opEq, v, value{})
		case '~':
			v = value{v: ^v.v, unsigned: true}
		}
		return v, ok
	case '(':
		return p.paren(depth)
	}
	if class[c] == cDigit {
		return p.number(width)
	}
	if c != 0 && p.startsName(c) {
		switch s := p.name(); s {
		case "WARP_SZ":
			return value{v: 32, exact: true}, true
		default:
			p.errorf("ptx-syntax", start, max(p.pos, start+1), "a constant expression has constants only, not '%s'", p.src[start:max(p.pos, start+1)])
			return value{}, false
		}
	}
	p.errorf("ptx-syntax", start, min(start+1, len(p.src)), "expected a constant")
	return value{}, false
}

// paren reads ( expression ), or the cast (.s64) or (.u64) with its operand.
func (p *parser) paren(depth int) (value, bool) {
	start := p.pos
	p.pos++
	if p.space() == '.' {
		at := p.pos
		p.pos++
		cast := p.name()
		if (cast != "s64" && cast != "u64") || p.space() != ')' {
			p.errorf("ptx-syntax", at, max(p.pos, at+1), "the casts are (.s64) and (.u64)")
			return value{}, false
		}
		p.pos++
		v, ok := p.unary(0, depth+1)
		return value{v: v.v, unsigned: cast == "u64"}, ok
	}
	v, ok := p.constant(0, depth+1)
	if ok && p.space() != ')' {
		p.errorf("ptx-syntax", start, start+1, "'(' without ')'")
		return v, false
	}
	p.pos++
	v.exact = false
	return v, ok
}
