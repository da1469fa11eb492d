package ll

import (
	"bytes"
	"math"
	"strconv"

	"github.com/ptxlower/ptxlower/diag"
)

// parser reads a module with one token of lookahead. A failure turns the
// current token into tEOF, which ends every loop, until reset undoes it.
type parser struct {
	lexer
	m    *Module
	t, u token // the current token and the one after it
	prev int32 // end of the token before t

	failed  bool
	failOff int32
	failMsg string

	f       *Func
	depth   int               // of the type being read
	num     int               // the number of the next unnamed value or block of f
	pending bool              // an instruction's type waits for a type that is defined later
	blocks  map[string]*Block // of f, by name
	preds   []int32           // scratch of endBlocks
	lost    []lostLabel

	insts   slab[Inst]
	ops     slab[Operand]
	extra   slab[Operand]
	dbg     slab[Operand]
	names   slab[string]
	indices slab[uint32]
	groups  slab[int32]
	calls   slab[Call]
	asms    slab[Asm]
	params  slab[Param]
	blks    slab[Block]
	edges   slab[*Block]
	marks   slab[asmMark]
}

// Parse reads a module. It never returns nil; where the text cannot be read it
// adds one error, at the first place that is wrong, and the module holds what
// came before.
//
//	ll-bitcode  the file is LLVM bitcode
//	ll-binary   the file is no text
//	ll-empty    the file has no content
//	ll-syntax   brackets, strings or the shape of a construct are wrong
//	ll-label    a terminator names a block that does not exist
func Parse(f *diag.File, l *diag.List) *Module {
	m := &Module{File: f, AttrGroups: map[int]diag.Span{}, NamedTypes: map[string]*Type{},
		funcs: map[string]*Func{}, types: newInterner()}
	if !isText(f, l) {
		return m
	}
	m.src = string(f.Text)
	p := newParser(m)
	for !p.failed && p.t.kind != tEOF {
		p.entity()
	}
	if !p.failed && p.errMsg != "" {
		p.fail(p.errOff, p.errMsg)
	}
	if p.failed {
		off, msg := p.failOff, p.failMsg
		if p.errMsg != "" && p.errOff <= off {
			off, msg = p.errOff, p.errMsg
		}
		l.Errorf("ll-syntax", f, diag.Span{Start: int(off), End: min(int(off)+1, len(m.src))}, "%s", msg)
		return m
	}
	p.finish(l)
	return m
}

func newParser(m *Module) *parser {
	p := &parser{lexer: lexer{src: m.src}, m: m, blocks: map[string]*Block{}}
	n := len(m.src)
	p.insts.chunk = min(n/64, 1024) + 8
	p.ops.chunk = min(n/32, 2048) + 8
	p.names.chunk = min(n/256, 1024) + 8
	p.calls.chunk = min(n/512, 512) + 4
	p.asms.chunk = min(n/512, 512) + 4
	p.indices.chunk, p.groups.chunk, p.marks.chunk, p.params.chunk = 256, 256, 256, 64
	p.blks.chunk, p.edges.chunk, p.extra.chunk, p.dbg.chunk = 64, 256, 32, 32
	p.t, p.u = p.next(), p.next()
	return p
}

// isText refuses what is no LLVM IR text.
func isText(f *diag.File, l *diag.List) bool {
	t := f.Text
	at := func(i int) diag.Span { return diag.Span{Start: i, End: min(i+1, len(t))} }
	if bytes.HasPrefix(t, []byte("BC\xC0\xDE")) || bytes.HasPrefix(t, []byte("\xDE\xC0\x17\x0B")) {
		l.Errorf("ll-bitcode", f, at(0), "this is LLVM bitcode, not text: turn it into text with llvm-dis first")
		return false
	}
	if len(bytes.TrimSpace(t)) == 0 {
		l.Errorf("ll-empty", f, at(0), "the file is empty: LLVM IR text expected")
		return false
	}
	if i := bytes.IndexByte(t, 0); i >= 0 {
		l.Errorf("ll-binary", f, at(i), "NUL byte: this is no LLVM IR text")
		return false
	}
	if len(t) > math.MaxInt32-16 {
		l.Errorf("ll-binary", f, at(0), "the file is too large: at most 2 GiB")
		return false
	}
	return true
}

func (p *parser) advance() {
	p.prev = p.t.end
	p.t = p.u
	p.u = p.next()
}

// seek continues after offset end.
func (p *parser) seek(end int) {
	p.prev, p.pos = int32(end), end
	p.t = p.next()
	p.u = p.next()
}

func (p *parser) fail(off int32, msg string) {
	if !p.failed {
		p.failed, p.failOff, p.failMsg = true, off, msg
	}
	p.pos = len(p.src)
	p.t.kind, p.u.kind = tEOF, tEOF
}

func (p *parser) failHere(msg string) { p.fail(p.t.start, msg) }

type mark struct {
	t, u token
	pos  int
	prev int32
}

func (p *parser) mark() mark { return mark{p.t, p.u, p.pos, p.prev} }

func (p *parser) reset(k mark) {
	p.t, p.u, p.pos, p.prev = k.t, k.u, k.pos, k.prev
	p.failed = false
}

func (p *parser) text() string { return p.src[p.t.start:p.t.end] }

func (p *parser) is(word string) bool { return p.t.kind == tWord && p.text() == word }

func (p *parser) accept(k kind) bool {
	if p.t.kind == k {
		p.advance()
		return true
	}
	return false
}

func (p *parser) acceptWord(word string) bool {
	if p.is(word) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) want(k kind, msg string) {
	if !p.accept(k) {
		p.failHere(msg)
	}
}

// group skips from an opening bracket to after the one that closes it.
func (p *parser) group() {
	end, ok := p.skipGroup(int(p.t.end))
	if !ok {
		p.failHere("this bracket is not closed")
		return
	}
	p.seek(end)
}

func opens(k kind) bool { return k == '(' || k == '[' || k == '{' || k == '<' }

// entityStart reports whether a top-level construct begins at the token.
func (p *parser) entityStart() bool {
	switch p.t.kind {
	case tEOF:
		return true
	case tWord:
		switch p.text() {
		case "define", "declare", "source_filename", "attributes", "uselistorder", "uselistorder_bb":
			return true
		case "target":
			return p.u.kind == tWord
		case "module":
			return p.src[p.u.start:p.u.end] == "asm"
		}
	case tLocal, tGlobal, tComdat, tSummary, tMetaName, tMetaID:
		return p.u.kind == '='
	case '!':
		return p.u.kind == tInt
	}
	return false
}

// entity reads one top-level construct.
func (p *parser) entity() {
	e := Entity{start: p.t.start}
	switch p.t.kind {
	case tWord:
		e.Kind = p.wordEntity(&e)
	case tGlobal:
		e.Kind, e.Name = EntGlobal, p.sigilName()
		p.global(e)
	case tLocal:
		e.Kind, e.Name = EntType, p.sigilName()
		p.typeDef(e.Name)
	case tComdat, tSummary:
		e.Kind = EntComdat
		if p.t.kind == tSummary {
			e.Kind = EntSummary
		}
		e.Name = p.sigilName()
		p.skipEntity()
	case tMetaName, tMetaID:
		e.Kind, e.Name = EntMetadata, p.sigilName()
		p.skipEntity()
	case '!':
		p.advance()
		e.Kind, e.Name = EntMetadata, canonical(p.text())
		p.skipEntity()
	default:
		p.failHere("expected top-level entity")
	}
	if p.failed {
		return
	}
	e.end = p.prev
	p.m.Entities = append(p.m.Entities, e)
}

// sigilName is the canonical name of the current token.
func (p *parser) sigilName() string { return canonical(p.src[p.t.start+1 : p.t.end]) }

func (p *parser) wordEntity(e *Entity) EntityKind {
	switch p.text() {
	case "define":
		p.advance()
		e.Func = p.function(e.start, true)
		e.Name = e.Func.Name
		return EntDefine
	case "declare":
		p.advance()
		e.Func = p.function(e.start, false)
		e.Name = e.Func.Name
		return EntDeclare
	case "target":
		p.advance()
		e.Name = p.text()
		if s, ok := p.setting(); ok && e.Name == "triple" {
			p.m.Triple = s
		} else if ok && e.Name == "datalayout" {
			p.m.DataLayout = s
		}
		return EntTarget
	case "source_filename":
		p.m.SourceFilename, _ = p.setting()
		return EntSource
	case "module":
		p.skipEntity()
		return EntModuleAsm
	case "attributes":
		p.attrGroup(e)
		return EntAttrs
	case "uselistorder", "uselistorder_bb":
		p.useListOrder()
		return EntUseListOrder
	}
	p.failHere("expected top-level entity")
	return 0
}

// skipEntity goes from the first token of a construct to the next construct.
func (p *parser) skipEntity() {
	p.advance()
	p.skipRest()
}

// skipRest goes to the start of the next construct.
func (p *parser) skipRest() {
	for !p.entityStart() {
		if opens(p.t.kind) {
			p.group()
			continue
		}
		switch p.t.kind {
		case ')', ']', '}', '>', tBad:
			p.failHere("expected top-level entity")
		}
		p.advance()
	}
}

// setting reads NAME = "…".
func (p *parser) setting() (string, bool) {
	p.advance()
	p.want('=', "expected '='")
	if p.t.kind != tStr {
		p.failHere("expected string")
		return "", false
	}
	s := unescape(p.src[p.t.start+1 : p.t.end-1])
	p.advance()
	return s, true
}

// attrGroup reads attributes #N = { … }.
func (p *parser) attrGroup(e *Entity) {
	p.advance()
	if p.t.kind != tAttrGrp {
		p.failHere("expected attribute group id")
		return
	}
	e.Name = p.sigilName()
	p.advance()
	p.want('=', "expected '='")
	if p.t.kind != '{' {
		p.failHere("expected '{'")
		return
	}
	start := p.t.end
	p.group()
	if n, err := strconv.Atoi(e.Name); err == nil && !p.failed {
		p.m.AttrGroups[n] = span(start, p.prev-1)
	}
}

// useListOrder reads uselistorder TYPE VALUE, { … } and
// uselistorder_bb @F, %B, { … }: the group after a comma ends it.
func (p *parser) useListOrder() {
	p.advance()
	for p.t.kind != tEOF {
		last := p.t.kind == ',' && p.u.kind == '{'
		if last {
			p.advance()
		}
		if opens(p.t.kind) {
			p.group()
		} else {
			p.advance()
		}
		if last {
			return
		}
	}
	p.failHere("expected ', { … }' in use-list order")
}

// typeDef reads %T = type BODY.
func (p *parser) typeDef(name string) {
	p.advance()
	p.want('=', "expected '='")
	if !p.acceptWord("type") {
		p.failHere("expected 'type' after name")
		return
	}
	t := p.named(name)
	k := p.mark()
	if body := p.typ(); p.failed {
		p.reset(k)
	} else if body.Kind != TyOpaque {
		t.Elem = body
	}
	p.skipRest()
}

// global reads what it can of a variable, alias or ifunc.
func (p *parser) global(e Entity) {
	p.advance()
	p.want('=', "expected '=' in global variable")
	k := p.mark()
	g := &Global{Name: e.Name, start: e.start}
	for p.t.kind != tEOF && g.Type == nil {
		switch {
		case p.t.kind != tWord:
			p.failHere("expected type")
		case p.is("addrspace"):
			g.AddrSpace = p.addrSpace()
		case p.is("global"), p.is("constant"), p.is("alias"), p.is("ifunc"):
			g.Constant = p.is("constant")
			p.advance()
			g.Type = p.typ()
		default:
			p.advance()
			if p.t.kind == '(' {
				p.group()
			}
		}
	}
	if p.failed {
		g.Type = nil
		p.reset(k)
	}
	p.skipRest()
	g.end = p.prev
	p.m.Globals = append(p.m.Globals, g)
}
