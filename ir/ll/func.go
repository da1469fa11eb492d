package ll

import (
	"strconv"
	"strings"
)

// callConv reports a word that names a calling convention. The test is by
// shape: new conventions follow the old names.
func callConv(w string) bool {
	if strings.HasSuffix(w, "cc") {
		return true
	}
	pre, _, ok := strings.Cut(w, "_")
	if !ok {
		return false
	}
	switch pre {
	case "ptx", "spir", "amdgpu", "x86", "arm", "aarch64", "msp430", "avr", "riscv", "win64", "hhvm", "m68k":
		return true
	}
	return false
}

// header skips what stands before a return type: linkage, attributes, calling
// convention. It returns the convention.
func (p *parser) header() (cc string) {
	for !p.typeStart() {
		switch p.t.kind {
		case tWord:
			w := p.text()
			start := p.t.start
			p.attrWord(w)
			if callConv(w) {
				cc = p.src[start:p.prev]
			}
		case tStr:
			p.attrString()
		case tMetaName: // declare !dbg !3 …
			p.advance()
			p.metadata()
		default:
			p.failHere("expected type")
			return cc
		}
	}
	return cc
}

// function reads a definition or a declaration; the keyword is read.
func (p *parser) function(start int32, define bool) *Func {
	f := &Func{Mod: p.m, start: start}
	p.f, p.num = f, 0
	f.CC = p.header()
	f.Ret = p.typ()
	if p.t.kind != tGlobal {
		p.failHere("expected function name")
		return f
	}
	f.Name, f.nameStart, f.nameEnd = p.sigilName(), p.t.start, p.t.end
	p.advance()
	p.paramList(f)
	f.Attrs.start = p.t.start
	f.Attrs.end = p.t.start
	for p.t.kind != '{' || !define {
		if !define && p.entityStart() || p.failed {
			break
		}
		p.functionTail()
		f.Attrs.end = p.prev
	}
	f.Attrs.Groups = p.groups.take()
	if p.failed {
		return f
	}
	if define {
		f.bodyStart = p.t.start
		p.advance()
		if p.body(f); p.failed {
			return f
		}
		p.m.Funcs = append(p.m.Funcs, f)
	} else {
		p.m.Decls = append(p.m.Decls, f)
	}
	f.end = p.prev
	if p.m.funcs[f.Name] == nil || define {
		p.m.funcs[f.Name] = f
	}
	return f
}

func (p *parser) paramList(f *Func) {
	p.want('(', "expected '(' in function argument list")
	for !p.accept(')') {
		if p.accept(tEllipsis) {
			f.VarArg = true
			p.want(')', "expected ')' at end of argument list")
			break
		}
		a := p.params.next()
		a.start = p.t.start
		a.Type = p.typ()
		a.InReg = p.paramAttrs()
		if p.t.kind == tLocal {
			a.Name = p.sigilName()
			p.advance()
		}
		a.Name = p.define(a.Name)
		a.end = p.prev
		if !p.accept(',') {
			p.want(')', "expected ')' at end of argument list")
			break
		}
	}
	f.Params = p.params.take()
}

// define gives a value or block its number where it has no name, and keeps
// count where it is written as a number. LLVM 16 and older want numbers without
// gaps; newer ones allow gaps.
func (p *parser) define(name string) string {
	if name == "" {
		name = strconv.Itoa(p.num)
		p.num++
	} else if c := name[0]; class[c]&cDigit != 0 {
		if n := number(name); n >= 0 {
			p.num = n + 1
		}
	}
	return name
}

// functionTail skips one item between parameter list and body.
func (p *parser) functionTail() {
	switch p.t.kind {
	case tWord:
		switch w := p.text(); w {
		case "prefix", "prologue", "personality":
			p.advance()
			p.typedValue()
			p.ops.drop()
		case "section", "partition", "gc":
			p.advance()
			p.want(tStr, "expected string")
		default:
			p.attrWord(w)
			if p.accept('=') { // align=8, in attribute groups and old text
				p.advance()
			}
		}
	case tStr:
		p.attrString()
	case tAttrGrp:
		p.attrGroupRef()
	case tMetaName:
		p.advance()
		p.metadata()
	case ',':
		p.advance()
	case tEOF:
		p.failHere("end of file in a function's header")
	default:
		p.failHere("expected '{' in function body")
	}
}

func (p *parser) attrGroupRef() {
	if n := number(p.src[p.t.start+1 : p.t.end]); n >= 0 {
		p.groups.push(int32(n))
	}
	p.advance()
}

// body reads the blocks of a function; the brace is read.
func (p *parser) body(f *Func) {
	var b *Block
	for {
		switch p.t.kind {
		case '}':
			p.endBlock(b)
			if b == nil {
				p.failHere("function body requires at least one basic block")
			}
			p.advance()
			f.DbgUses = p.dbg.take()
			p.endBlocks(f)
			return
		case tEOF:
			if p.errMsg == "" {
				p.fail(f.bodyStart, "expected '}' at end of function: this brace is not closed")
			}
			p.failHere(p.errMsg)
			return
		case tLabel:
			p.endBlock(b)
			b = p.newBlock(f, labelName(p.text()))
			p.advance()
			continue
		case '#':
			p.debugRecord()
			continue
		case tWord:
			switch p.text() {
			case "uselistorder":
				start := p.t.start
				p.useListOrder()
				f.useList = append(f.useList, span(start, p.prev))
				continue
			case "define", "declare", "attributes", "source_filename", "target", "module":
				p.failHere("expected '}' at end of function before this")
				continue
			}
		case tGlobal, tMetaID, tMetaName, tAttrGrp:
			p.failHere("expected '}' at end of function before this")
			continue
		}
		if n := len(p.insts.open()); b == nil || n > 0 && ends(&p.insts.open()[n-1]) {
			p.endBlock(b)
			b = p.newBlock(f, "")
		}
		if len(p.insts.open()) == 0 {
			b.first = int32(lineStart(p.src, int(p.t.start)))
		}
		p.inst()
	}
}

// ends reports whether an instruction ends its block. A word that is not known
// does, where it names labels.
func ends(in *Inst) bool {
	return in.Op.IsTerm() || in.Op == OpUnknown && len(in.Targets) > 0
}

// lineStart is the start of the line where only white space is before off, else off.
func lineStart(src string, off int) int {
	i := off
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	if i == 0 || src[i-1] == '\n' || src[i-1] == '\r' {
		return i
	}
	return off
}

func (p *parser) newBlock(f *Func, name string) *Block {
	b := p.blks.next()
	b.Func, b.Index, b.Name = f, len(p.blks.open())-1, p.define(name)
	if name != "" {
		b.labelStart, b.labelEnd = p.t.start, p.t.end
	}
	return b
}

// endBlock closes the block that is open, if any.
func (p *parser) endBlock(b *Block) {
	if b == nil || p.failed {
		return
	}
	b.Insts = p.insts.take()
	if t := b.Term(); t == nil || !ends(t) && t.Op != OpUnknown {
		p.failHere("expected terminator instruction at end of block %" + b.Name)
	}
}

// debugRecord skips #dbg_value(…) and the like, but notes the values named.
func (p *parser) debugRecord() {
	p.advance()
	p.advance()
	if p.t.kind != '(' {
		p.failHere("expected '(' in debug record")
		return
	}
	p.collect(&p.dbg)
}

// collect reads a group for the local values named in it.
func (p *parser) collect(to *slab[Operand]) {
	open := p.t.start
	for depth := 0; ; {
		switch k := p.t.kind; {
		case k == tEOF:
			p.fail(open, "this bracket is not closed")
			return
		case opens(k):
			depth++
		case k == ')' || k == ']' || k == '}' || k == '>':
			depth--
		case k == tLocal && p.localIsValue():
			to.push(Operand{Kind: ValLocal, Name: p.sigilName(), start: p.t.start, end: p.t.end, typ: p.t.start})
		}
		p.advance()
		if depth == 0 {
			return
		}
	}
}

// localIsValue tells a value %x from a named type %T in text that is not
// understood: a value follows a type.
func (p *parser) localIsValue() bool {
	switch p.u.kind {
	case tLocal, tGlobal, tInt, tNum, tStr, '*', '(', '{', '[', '<':
		return false
	case tWord:
		switch p.src[p.u.start:p.u.end] {
		case "null", "undef", "poison", "zeroinitializer", "true", "false", "splat", "addrspace":
			return false
		}
	}
	return true
}
