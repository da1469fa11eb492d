package ll

import (
	"math/big"
	"math/bits"
	"strings"
)

// typeWord is the type that a word names by itself.
func (p *parser) typeWord(w string) *Type {
	switch w {
	case "ptr":
		return Ptr
	case "void":
		return Void
	case "label":
		return Label
	case "metadata":
		return Metadata
	case "token":
		return Token
	case "opaque":
		return Opaque
	case "x86_mmx", "x86_amx":
		return p.m.types.get(typeKey{kind: TyOther, name: w})
	case "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128":
		return floats[w]
	}
	if w[0] == 'b' && len(w) > 1 && while(w, 1, cDigit) == len(w) { // byte types, after LLVM 22
		return p.m.types.get(typeKey{kind: TyOther, name: w})
	}
	return nil
}

// typeStart reports whether a type begins at the token.
func (p *parser) typeStart() bool {
	switch p.t.kind {
	case tIntType, tLocal, '{', '[', '<':
		return true
	case tWord:
		w := p.text()
		if w == "target" {
			return p.u.kind == '('
		}
		return p.typeWord(w) != nil
	}
	return false
}

// named is the type %name.
func (p *parser) named(name string) *Type {
	t := p.m.NamedTypes[name]
	if t == nil {
		t = &Type{Kind: TyNamed, Name: name, text: "%" + name}
		p.m.NamedTypes[name] = t
	}
	return t
}

// addrSpace reads addrspace(N). A symbolic one ("A", "G", "P") counts as 0.
func (p *parser) addrSpace() uint32 {
	p.advance()
	p.want('(', "expected '(' in address space")
	n := number(p.text())
	p.advance()
	p.want(')', "expected ')' in address space")
	return uint32(max(n, 0))
}

// maxTypeDepth bounds how deep types nest, and with it the stack.
const maxTypeDepth = 1000

// typ reads a type. It is Void after a failure.
func (p *parser) typ() *Type {
	if p.depth++; p.depth > maxTypeDepth {
		p.failHere("type is nested too deeply")
	}
	t := p.prefixType()
	if t == nil {
		p.failHere("expected type")
		t = Void
	}
	for n := 0; !p.failed; n++ {
		suffixed := p.suffixType(t)
		if suffixed == t {
			break
		}
		if t = suffixed; n > maxTypeDepth {
			p.failHere("type is nested too deeply")
		}
	}
	p.depth--
	return t
}

// suffixType reads one suffix that makes t a typed pointer or a function type;
// without one it is t.
func (p *parser) suffixType(t *Type) *Type {
	switch {
	case p.t.kind == '*':
		p.advance()
		return p.m.types.get(typeKey{kind: TyPtr, elem: t})
	case p.t.kind == '(':
		return p.funcType(t)
	case p.t.kind == tWord && p.u.kind == '(' && p.text() == "addrspace":
		as := p.addrSpace()
		p.want('*', "expected '*' in pointer type")
		return p.m.types.get(typeKey{kind: TyPtr, n: uint64(as), elem: t})
	}
	return t
}

// prefixType reads a type up to its suffixes; nil where none begins.
func (p *parser) prefixType() *Type {
	var t *Type
	switch p.t.kind {
	case tIntType:
		t = p.intType()
	case tLocal:
		t = p.named(p.sigilName())
		p.advance()
	case tWord:
		w := p.text()
		if t = p.typeWord(w); t != nil {
			p.advance()
			if t == Ptr && p.is("addrspace") {
				if as := p.addrSpace(); as != 0 {
					t = p.ptrIn(as)
				}
			}
		} else if w == "target" && p.u.kind == '(' {
			start := p.t.start
			p.advance()
			p.group()
			t = p.m.types.get(typeKey{kind: TyOther, name: p.src[start:p.prev]})
		}
	case '{':
		t = p.structType(TyStruct)
	case '[':
		t = p.arrayType(TyArray, ']')
	case '<':
		if p.u.kind == '{' {
			p.advance()
			t = p.structType(TyPacked)
			p.want('>', "expected '>' at end of packed struct")
		} else {
			t = p.arrayType(TyVector, '>')
		}
	}
	return t
}

// ptrIn is the pointer type of an address space.
func (p *parser) ptrIn(as uint32) *Type {
	if as == 0 {
		return Ptr
	}
	return p.m.types.get(typeKey{kind: TyPtr, n: uint64(as)})
}

func (p *parser) intType() *Type {
	n := number(p.src[p.t.start+1 : p.t.end])
	if n < 1 || n > 1<<23 { // LLVM's own limit is 2^23
		p.failHere("bitwidth for integer type out of range")
		return Void
	}
	p.advance()
	if n < len(ints) {
		return &ints[n]
	}
	return p.m.types.get(typeKey{kind: TyInt, n: uint64(n)})
}

// arrayType reads [N x T], <N x T> and <vscale x N x T>.
func (p *parser) arrayType(k TypeKind, closer kind) *Type {
	p.advance()
	if k == TyVector && p.acceptWord("vscale") {
		k = TyScalable
		p.times()
	}
	var n uint64
	if p.t.kind == tInt {
		for _, c := range p.text() {
			n = n*10 + uint64(c-'0')
		}
	}
	p.want(tInt, "expected number of elements")
	p.times()
	elem := p.typ()
	p.want(closer, "expected end of sequential type")
	if p.failed {
		return nil
	}
	return p.m.types.get(typeKey{kind: k, n: n, elem: elem})
}

func (p *parser) times() {
	if !p.acceptWord("x") {
		p.failHere("expected 'x' after element count")
	}
}

func (p *parser) structType(k TypeKind) *Type {
	p.advance()
	var list *fieldList
	for !p.accept('}') {
		list = p.m.types.add(list, p.typ())
		if !p.accept(',') {
			p.want('}', "expected '}' at end of struct")
			break
		}
	}
	if p.failed {
		return nil
	}
	return p.m.types.get(typeKey{kind: k, list: list})
}

// funcType reads the parameter list that makes RET a function type.
func (p *parser) funcType(ret *Type) *Type {
	p.advance()
	var list *fieldList
	var variadic uint64
	for !p.accept(')') {
		if p.accept(tEllipsis) {
			variadic = 1
			p.want(')', "expected ')' at end of argument list")
			break
		}
		list = p.m.types.add(list, p.typ())
		p.paramAttrs()
		p.accept(tLocal)
		if !p.accept(',') {
			p.want(')', "expected ')' at end of argument list")
			break
		}
	}
	return p.m.types.get(typeKey{kind: TyFunc, n: variadic, elem: ret, list: list})
}

// valueWord reports a word that begins a value, not an attribute.
func valueWord(w string) bool {
	switch w {
	case "true", "false", "null", "undef", "poison", "zeroinitializer", "none", "splat", "blockaddress",
		"dso_local_equivalent", "no_cfi", "ptrauth", "asm", "c", "to",
		"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
		"fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "icmp", "fcmp", "select",
		"trunc", "zext", "sext", "fptrunc", "fpext", "uitofp", "sitofp", "fptoui", "fptosi",
		"ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "getelementptr",
		"extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue":
		return true
	}
	return hexInt(w)
}

// hexInt reports u0x… and s0x….
func hexInt(w string) bool {
	return len(w) > 3 && (w[0] == 'u' || w[0] == 's') && w[1] == '0' && w[2] == 'x'
}

// paramAttrs skips attributes by shape: a word with or without a group,
// align N, "key"="value". It reports whether one is inreg.
func (p *parser) paramAttrs() (inreg bool) {
	for {
		switch p.t.kind {
		case tWord:
			w := p.text()
			if valueWord(w) {
				return inreg
			}
			inreg = inreg || w == "inreg"
			p.attrWord(w)
		case tStr:
			p.attrString()
		default:
			return inreg
		}
	}
}

func (p *parser) attrWord(w string) {
	p.advance()
	if p.t.kind == '(' {
		p.group()
	} else if p.t.kind == tInt && (w == "align" || w == "alignstack" || w == "cc") {
		p.advance()
	}
}

func (p *parser) attrString() {
	p.advance()
	if p.accept('=') {
		p.advance()
	}
}

// typedValue reads TYPE VALUE into the open operands.
func (p *parser) typedValue() *Type {
	start := p.t.start
	ty := p.typ()
	p.value(ty, start)
	return ty
}

// value reads a value of a known type into the open operands. start is where
// its type is written; a negative one means nowhere.
func (p *parser) value(ty *Type, start int32) {
	o := p.ops.next()
	o.Type, o.start, o.end, o.typ = ty, p.t.start, p.t.end, start
	if start < 0 {
		o.typ = o.start
	}
	switch p.t.kind {
	case tLocal:
		o.Kind, o.Name = ValLocal, p.sigilName()
	case tInt:
		o.intLit(p.text())
	case tGlobal:
		o.Kind, o.Name = ValGlobal, p.sigilName()
	case tNum:
		o.Kind = ValFloat
	case '{', '[', '<':
		p.group()
		o.Kind, o.end = ValConst, p.prev
		return
	case tWord:
		p.valueOfWord(o)
		return
	case tMetaName, tMetaID, '!':
		o.Kind = ValMeta
		p.metadata()
		o.end = p.prev
		return
	default:
		p.failHere("expected value token")
		return
	}
	p.advance()
}

// valueOfWord reads a value that begins with a word.
func (p *parser) valueOfWord(o *Operand) {
	w := p.text()
	p.advance()
	o.Kind = ValConst
	switch w {
	case "true":
		o.Kind, o.Lo = ValInt, 1
	case "false":
		o.Kind = ValInt
	case "null", "none":
		o.Kind = ValNull
	case "undef":
		o.Kind = ValUndef
	case "poison":
		o.Kind = ValPoison
	case "zeroinitializer":
		o.Kind = ValZero
	case "c":
		p.want(tStr, "expected string")
		o.end = p.prev
	case "dso_local_equivalent", "no_cfi":
		p.want(tGlobal, "expected global name")
		o.end = p.prev
	default:
		switch {
		case hexInt(w):
			o.intLit(w)
		case strings.HasPrefix(w, "f0x"): // floating point by bits, after LLVM 22
			o.Kind = ValFloat
		default:
			p.constExpr()
			o.end = p.prev
		}
	}
}

// constExpr reads what follows the word of a constant expression: flags, then
// a group.
func (p *parser) constExpr() {
	for p.t.kind == tWord {
		inRange := p.is("inrange")
		p.advance()
		if inRange && p.t.kind == '(' {
			p.group()
		}
	}
	if p.t.kind != '(' {
		p.failHere("expected value token")
		return
	}
	p.group()
}

// metadata reads !N, !"…", !{…}, !DIName(…).
func (p *parser) metadata() {
	switch p.t.kind {
	case tMetaID:
		p.advance()
	case tMetaName:
		p.advance()
		if p.t.kind == '(' {
			p.group()
		}
	case '!':
		p.advance()
		switch p.t.kind {
		case tInt, tStr:
			p.advance()
		case '{':
			p.group()
		default:
			p.failHere("expected metadata")
		}
	default:
		p.failHere("expected metadata")
	}
}

// intLit sets the operand to an integer literal: decimal with or without sign,
// u0x… or s0x…. A value that 128 bits do not hold is left as ValConst.
func (o *Operand) intLit(s string) {
	o.Kind = ValInt
	width := 64
	if o.Type != nil && o.Type.Kind == TyInt {
		width = o.Type.Bits
	}
	if len(s) <= 18 && s[0] != 'u' && s[0] != 's' {
		digits, neg := s, s[0] == '-'
		if neg || s[0] == '+' {
			digits = s[1:]
		}
		var v uint64
		for i := range len(digits) {
			v = v*10 + uint64(digits[i]-'0')
		}
		if neg {
			v = -v
			o.Hi = -uint64(min(v, 1))
		}
		o.Lo = v
		o.mask(width)
		return
	}
	v := new(big.Int)
	if s[0] == 'u' || s[0] == 's' {
		v.SetString(s[3:], 16)
		if s[0] == 's' && v.Sign() != 0 { // the highest 1 is the sign (LLVM, LexIdentifier)
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(v.BitLen())))
		}
	} else {
		v.SetString(s, 10)
	}
	if width > 128 || v.BitLen() > 128 {
		o.Kind = ValConst
		return
	}
	if v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	var words [2]uint64
	for i, w := range v.Bits() {
		words[i*bits.UintSize/64] |= uint64(w) << (i * bits.UintSize % 64)
	}
	o.Lo, o.Hi = words[0], words[1]
	o.mask(width)
}

func (o *Operand) mask(width int) {
	if width < 64 {
		o.Lo &= 1<<width - 1
		o.Hi = 0
	} else if width < 128 {
		o.Hi &= 1<<(width-64) - 1
	}
}
