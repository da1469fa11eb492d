package ll

// opcodeTable finds opcodes by a hash of their words, with linear probing.
var opcodeTable = func() (table [256]Opcode) {
	for op := OpUnknown + 1; op < numOpcodes; op++ {
		h := wordHash(opcodeNames[op])
		for table[h] != OpUnknown {
			h++
		}
		table[h] = op
	}
	return table
}()

func wordHash(w string) uint8 {
	n := len(w)
	return w[0]*33 ^ w[n-1]*5 ^ w[n>>1]*17 + uint8(n)
}

// opcodeOf is the opcode that a word names, OpUnknown for another word.
func opcodeOf(w string) Opcode {
	for h := wordHash(w); ; h++ {
		op := opcodeTable[h]
		if op == OpUnknown || opcodeNames[op] == w {
			return op
		}
	}
}

// inst reads one instruction: by its grammar where that fits, else as raw text.
func (p *parser) inst() {
	in := p.insts.next()
	in.start, in.defEnd = p.t.start, p.t.start
	if p.t.kind == tLocal && p.u.kind == '=' {
		in.Def, in.defEnd = p.sigilName(), p.t.end
		p.advance()
		p.advance()
	}
	if p.t.kind != tWord {
		p.failHere("expected instruction opcode")
		return
	}
	start := p.mark()
	p.opcode(in)
	if tail := tailOf(in.Word); in.Op == OpUnknown && tail != 0 && p.t.kind == tWord {
		in.Flags = tail
		p.opcode(in)
	}
	if in.Op != OpUnknown && p.grammar(in) {
		in.Modelled = true
		in.Ops = p.ops.take()
		in.Targets = p.names.take()
		in.Indices = p.indices.take()
	} else {
		p.reset(start)
		p.ops.drop()
		p.extra.drop()
		p.names.drop()
		p.indices.drop()
		p.groups.drop()
		*in = Inst{Op: in.Op, Word: in.Word, Def: in.Def, start: in.start, defEnd: in.defEnd, word: in.word}
		p.raw(in)
	}
	in.end = p.prev
	if in.attach == 0 {
		in.attach = in.end
	}
	if in.Def != "" || in.hasResult() {
		in.Def = p.define(in.Def)
	}
}

// opcode reads the word of an instruction. A known word is one string for all
// instructions, which spares the garbage collector the way to the source.
func (p *parser) opcode(in *Inst) {
	in.word, in.Word = p.t.start, p.text()
	if in.Op = opcodeOf(in.Word); in.Op != OpUnknown {
		in.Word = opcodeNames[in.Op]
	}
	p.advance()
}

// tailOf is the marker that may stand before a call.
func tailOf(w string) Flags {
	switch w {
	case "tail":
		return Tail
	case "musttail":
		return MustTail
	case "notail":
		return NoTail
	}
	return 0
}

// hasResult reports whether an instruction without a written result name
// defines a value all the same, and so takes a number.
func (in *Inst) hasResult() bool {
	if in.Modelled {
		return in.Type != Void
	}
	switch in.Op {
	case OpUnknown, OpStore, OpFence, OpInvoke, OpCallBr, OpCall:
		return false
	}
	return !in.Op.IsTerm() || in.Op == OpCatchSwitch
}

// raw reads an instruction that is not understood. It ends where another one
// begins on a new line.
func (p *parser) raw(in *Inst) {
	open, depth := int32(0), 0
	for first := true; ; first = false {
		k := p.t.kind
		if k == tEOF {
			if depth > 0 {
				p.fail(open, "this bracket is not closed")
			}
			p.failHere("end of file in an instruction")
			return
		}
		if depth == 0 && !first && (k == '}' || p.t.nl && p.instEnd()) {
			break
		}
		if depth == 0 && k == ',' && p.u.kind == tMetaName {
			p.attachments(in)
			continue
		}
		switch {
		case opens(k):
			if depth == 0 {
				open = p.t.start
			}
			depth++
		case k == ')' || k == ']' || k == '}' || k == '>':
			if depth--; depth < 0 {
				p.failHere("this bracket closes nothing")
				return
			}
		case k == tWord && p.u.kind == tLocal && p.text() == "label":
			p.advance()
			p.names.push(p.sigilName())
		case k == tLocal && p.localIsValue():
			p.ops.push(Operand{Kind: ValLocal, Name: p.sigilName(), start: p.t.start, end: p.t.end, typ: p.t.start})
		}
		p.advance()
	}
	in.Ops = p.ops.take()
	in.Targets = p.names.take()
}

// instEnd reports whether an instruction can end before the current token.
func (p *parser) instEnd() bool {
	switch p.t.kind {
	case tEOF:
		return !p.failed
	case tLabel, '#', '}':
		return true
	case tLocal:
		return p.u.kind == '='
	case tGlobal, tMetaID, tMetaName: // a brace is missing: body says so
		return p.t.nl && p.u.kind == '='
	case tWord:
		return p.startsInst()
	}
	return false
}

// startsInst reports whether a word begins an instruction or another item of a
// body. An unknown word does at the start of a line, unless it continues one.
func (p *parser) startsInst() bool {
	w := p.text()
	if opcodeOf(w) != OpUnknown || tailOf(w) != 0 {
		return true
	}
	switch w {
	case "uselistorder":
		return true
	case "to", "unwind", "cleanup", "catch", "filter", "from", "within", "align", "syncscope", "target":
		return false
	case "define", "declare", "attributes":
		return p.t.nl
	}
	return p.t.nl && !valueWord(w) && p.typeWord(w) == nil
}

// attachments reads ", !name !node" as often as it comes.
func (p *parser) attachments(in *Inst) {
	for p.t.kind == ',' && p.u.kind == tMetaName {
		comma := p.t.start
		if in.attach == 0 {
			in.attach = comma
		}
		p.advance()
		name := p.text()
		p.advance()
		start := p.t.start
		p.metadata()
		switch name {
		case "!dbg":
			in.dbg, in.dbgEnd = comma, p.prev
		case "!srcloc":
			in.loc, in.locEnd = start, p.prev
		}
	}
}

// flags reads the words between opcode and operands.
func (p *parser) flags(in *Inst) {
	for p.t.kind == tWord {
		f := flagOf(p.text())
		if f == 0 {
			return
		}
		in.Flags |= f
		p.advance()
	}
}

func flagOf(w string) Flags {
	switch w {
	case "nuw":
		return NUW
	case "nsw":
		return NSW
	case "exact":
		return Exact
	case "disjoint":
		return Disjoint
	case "nneg":
		return NNeg
	case "samesign":
		return SameSign
	case "inbounds":
		return InBounds
	case "nusw":
		return NUSW
	case "volatile":
		return Volatile
	case "atomic":
		return Atomic
	case "nnan", "ninf", "nsz", "arcp", "contract", "reassoc", "afn", "fast":
		return FastMath
	}
	return 0
}

// comma wants one.
func (p *parser) comma() { p.want(',', "expected ',' after operand") }

// grammar reads a modelled instruction after its opcode. It reports false
// where the text does not fit.
func (p *parser) grammar(in *Inst) bool {
	in.Type = Void
	switch op := in.Op; {
	case op.IsBinary() || OpFAdd <= op && op <= OpFRem:
		p.flags(in)
		in.Type = p.typedValue()
		p.comma()
		p.value(in.Type, -1)
	case op.IsCast():
		p.flags(in)
		p.typedValue()
		if !p.acceptWord("to") {
			return false
		}
		in.Type = p.typ()
	case op == OpCall:
		p.call(in)
	case op == OpICmp || op == OpFCmp:
		p.compare(in)
	case op == OpPhi:
		p.phi(in)
	case op.IsTerm():
		if !p.terminator(in) {
			return false
		}
	case op == OpFNeg || op == OpFreeze:
		p.flags(in)
		in.Type = p.typedValue()
	case op == OpSelect:
		p.flags(in)
		p.typedValue()
		p.comma()
		in.Type = p.typedValue()
		p.comma()
		p.typedValue()
	case op == OpVAArg:
		p.typedValue()
		p.comma()
		in.Type = p.typ()
	case op == OpExtractValue || op == OpInsertValue:
		p.aggregate(in)
	case OpExtractElement <= op && op <= OpShuffleVector:
		p.typedValue()
		p.comma()
		p.typedValue()
		if op != OpExtractElement {
			p.comma()
			p.typedValue()
		}
		in.Type = p.resultType(in, p.ops.open())
	default:
		if !p.memory(in) {
			return false
		}
	}
	p.attachments(in)
	return p.instEnd()
}

func (p *parser) compare(in *Inst) {
	p.flags(in)
	if p.t.kind != tWord {
		p.failHere("expected predicate")
		return
	}
	if in.Op == OpICmp {
		if in.Pred = predOf(p.text()); in.Pred == PredNone {
			p.failHere("expected icmp predicate")
			return
		}
	}
	p.advance()
	ty := p.typedValue()
	p.comma()
	p.value(ty, -1)
	in.Type = p.boolLike(ty)
}

// boolLike is i1, or the vector of i1 as long as t.
func (p *parser) boolLike(t *Type) *Type {
	if t.Kind == TyVector || t.Kind == TyScalable {
		return p.m.types.get(typeKey{kind: t.Kind, n: t.N, elem: &ints[1]})
	}
	return &ints[1]
}

func predOf(w string) Pred {
	for p := PredEQ; p <= PredSLE; p++ {
		if predNames[p] == w {
			return p
		}
	}
	return PredNone
}

func (p *parser) phi(in *Inst) {
	p.flags(in)
	in.Type = p.typ()
	for {
		p.want('[', "expected '[' in phi value list")
		p.value(in.Type, -1)
		p.comma()
		p.blockName()
		p.want(']', "expected ']' in phi value list")
		if p.t.kind != ',' || p.u.kind != '[' {
			return
		}
		p.advance()
	}
}

// blockName reads %x as the name of a block.
func (p *parser) blockName() {
	if p.t.kind != tLocal {
		p.failHere("expected basic block")
		return
	}
	p.names.push(p.sigilName())
	p.advance()
}

// blockRef reads "label %x".
func (p *parser) blockRef() {
	if !p.acceptWord("label") {
		p.failHere("expected 'label'")
		return
	}
	p.blockName()
}

func (p *parser) terminator(in *Inst) bool {
	switch in.Op {
	case OpRet:
		start := p.t.start
		if ty := p.typ(); ty != Void {
			p.value(ty, start)
		}
	case OpBr:
		if !p.is("label") {
			p.typedValue()
			p.comma()
			p.blockRef()
			p.comma()
		}
		p.blockRef()
	case OpSwitch:
		p.typedValue()
		p.comma()
		p.blockRef()
		p.want('[', "expected '[' with switch table")
		for p.t.kind != ']' && p.t.kind != tEOF {
			p.typedValue()
			p.comma()
			p.blockRef()
		}
		p.want(']', "expected ']' with switch table")
	case OpUnreachable:
	case OpResume:
		p.typedValue()
	case OpIndirectBr:
		p.typedValue()
		p.comma()
		p.blockList()
	case OpInvoke, OpCallBr:
		p.call(in)
		if !p.acceptWord("to") {
			return false
		}
		p.blockRef()
		if in.Op == OpCallBr {
			p.blockList()
			break
		}
		if !p.acceptWord("unwind") {
			return false
		}
		p.blockRef()
	default:
		return false
	}
	return true
}

// blockList reads [label %a, label %b].
func (p *parser) blockList() {
	p.want('[', "expected '['")
	for !p.accept(']') {
		p.blockRef()
		if !p.accept(',') {
			p.want(']', "expected ']'")
			return
		}
	}
}

// aggregate reads extractvalue and insertvalue.
func (p *parser) aggregate(in *Inst) {
	p.typedValue()
	if in.Op == OpInsertValue {
		p.comma()
		p.typedValue()
	}
	for p.t.kind == ',' && p.u.kind == tInt {
		p.advance()
		n := number(p.text())
		if n < 0 {
			p.failHere("expected index")
			return
		}
		p.indices.push(uint32(n))
		p.advance()
	}
	if len(p.indices.open()) == 0 {
		p.failHere("expected index")
		return
	}
	in.Indices = p.indices.open()
	in.Type = p.resultType(in, p.ops.open())
}

// resultType works out the type of a vector or aggregate operation from its
// operands. It is nil, and pending is set, where a named type has no body yet.
func (p *parser) resultType(in *Inst, ops []Operand) *Type {
	if p.failed {
		return nil
	}
	agg := ops[0].Type
	t := agg.Under()
	switch in.Op {
	case OpInsertValue, OpInsertElement:
		return agg
	case OpExtractElement:
		return agg.Scalar()
	case OpShuffleVector:
		mask := ops[2].Type
		return p.m.types.get(typeKey{kind: mask.Kind, n: mask.N, elem: agg.Scalar()})
	case OpExtractValue:
		for _, i := range in.Indices {
			switch {
			case t == nil:
			case t.Kind == TyArray:
				agg = t.Elem
			case (t.Kind == TyStruct || t.Kind == TyPacked) && int(i) < len(t.Fields):
				agg = t.Fields[i]
			default:
				t = nil
			}
			if t == nil {
				p.pending = true
				return nil
			}
			t = agg.Under()
		}
	}
	return agg
}
