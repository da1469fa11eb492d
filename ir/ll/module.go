// Package ll reads LLVM IR text of any version from 14 to 22, and the text of
// later ones as far as it has the same shape, without losing a byte, and
// rewrites it by span.
//
// Everything has a span (level 0). Every instruction has its result name, its
// opcode word, its uses and its attachments (level 1). Instructions that the
// package models have typed operands, flags and targets too (level 2). What is
// not understood is kept as it is: a new attribute, flag, type or instruction
// costs its own instruction's model, nothing else.
//
// The reader does not validate: it takes what llvm-as refuses as long as the
// shape is clear. Two things it does check, because later work stands on them:
// brackets and strings close, and the labels of terminators exist.
//
// Names are canonical: written without sigil, bare where LLVM needs no quotes
// and in quotes with escapes where it does, so that "%"+name is always text
// that LLVM reads as the same value, and %"4" (a name) differs from %4 (a
// number). Unnamed values and blocks have the number that LLVM gives them.
//
// A module does not change once it is read: any number of goroutines may use it.
package ll

import (
	"sync"

	"github.com/ptxlower/ptxlower/diag"
)

// Module is one file of LLVM IR text.
type Module struct {
	File     *diag.File
	Entities []Entity // every top-level construct, in order
	Funcs    []*Func  // definitions, in order
	Decls    []*Func  // declarations, in order; without blocks
	Globals  []*Global

	Triple         string // "nvptx64-nvidia-cuda"; "" when not stated
	DataLayout     string // as written, unescaped; "" when not stated
	SourceFilename string

	AttrGroups map[int]diag.Span // what stands between the braces of "attributes #N = { … }"
	NamedTypes map[string]*Type  // %T by canonical name; Kind TyNamed, the body in Elem

	src   string
	funcs map[string]*Func // definitions and declarations
	types interner
}

// EntityKind says what a top-level construct is.
type EntityKind uint8

// The top-level constructs.
const (
	EntDefine EntityKind = iota
	EntDeclare
	EntGlobal   // variable, alias or ifunc
	EntType     // %T = type …
	EntAttrs    // attributes #N = { … }
	EntMetadata // !N = … and !name = …
	EntComdat
	EntTarget       // target triple, target datalayout
	EntSource       // source_filename
	EntModuleAsm    // module asm "…"
	EntUseListOrder // uselistorder and uselistorder_bb outside a function
	EntSummary      // ^N = … of ThinLTO
)

// Entity is one top-level construct.
type Entity struct {
	Kind       EntityKind
	start, end int32
	Name       string // canonical name or number; "triple" and "datalayout" for targets; "" where there is none
	Func       *Func  // of EntDefine and EntDeclare
}

// Span reaches from the first to the last token of the construct.
func (e *Entity) Span() diag.Span { return span(e.start, e.end) }

// Global is a global variable, an alias or an ifunc.
type Global struct {
	Name       string
	Type       *Type // of the value, not of the pointer to it; nil where it was not understood
	AddrSpace  uint32
	Constant   bool // a "constant", not a "global"
	start, end int32
}

// Span is the whole definition.
func (g *Global) Span() diag.Span { return span(g.start, g.end) }

// Func is a function definition or declaration.
type Func struct {
	Mod    *Module
	Name   string // canonical, without @
	CC     string // calling convention as written: "ptx_kernel", "spir_func", "cc 10"; "" for C
	Kernel bool   // by calling convention, or by !nvvm.annotations (clang 19 and older)
	Ret    *Type
	Params []Param
	VarArg bool
	Attrs  AttrSet  // function attributes after the parameter list
	Blocks []*Block // nil for a declaration; Blocks[0] is the entry

	// DbgUses are the local values that debug records (#dbg_value and the
	// like, LLVM 19 and newer) name. The records are not instructions and
	// consume no number, but a value that one names must keep its name.
	DbgUses []Operand

	start, end, nameStart, nameEnd, bodyStart int32
	useList                                   []diag.Span
	defs                                      map[string]Value
	defsOnce                                  sync.Once
}

// Span is the whole construct, from "define" to its brace.
func (f *Func) Span() diag.Span { return span(f.start, f.end) }

// HeaderSpan is the part before the opening brace; all of a declaration.
func (f *Func) HeaderSpan() diag.Span {
	if f.IsDecl() {
		return f.Span()
	}
	return span(f.start, f.bodyStart)
}

// NameSpan is the name with its @.
func (f *Func) NameSpan() diag.Span { return span(f.nameStart, f.nameEnd) }

// Body is what a definition's braces enclose, braces included.
func (f *Func) Body() diag.Span { return span(f.bodyStart, f.end) }

// IsDecl reports a declaration.
func (f *Func) IsDecl() bool { return f.Blocks == nil }

// Param is one parameter.
type Param struct {
	Name       string // canonical; a number when unnamed
	Type       *Type
	InReg      bool // has the attribute inreg: of AMD's GPUs, the same in all lanes
	start, end int32
}

// Span is type, attributes and name.
func (p *Param) Span() diag.Span { return span(p.start, p.end) }

// AttrSet is a list of function attributes as written at a function or a call.
type AttrSet struct {
	Groups     []int32 // the N of each #N
	start, end int32
}

// Span is the text of the attributes: groups, words and strings.
func (a AttrSet) Span() diag.Span { return span(a.start, a.end) }

// Block is a basic block. Its last instruction is its terminator.
type Block struct {
	Func  *Func
	Index int    // in Func.Blocks
	Name  string // canonical; a number when unnamed
	Insts []Inst
	Preds []*Block // without duplicates, in block order

	succs                []*Block
	labelStart, labelEnd int32
	first                int32
}

// Label is the label with its colon; empty where the block has none.
func (b *Block) Label() diag.Span { return span(b.labelStart, b.labelEnd) }

// First is the offset where text for new leading instructions can be
// inserted: the start of the first instruction's line, or of the instruction
// itself where something else stands before it on the line. PHI nodes must
// stay first: insert after them with LineStart of the instruction that follows.
func (b *Block) First() int { return int(b.first) }

// Term is the last instruction, the terminator; nil in an empty block.
func (b *Block) Term() *Inst {
	if len(b.Insts) == 0 {
		return nil
	}
	return &b.Insts[len(b.Insts)-1]
}

// Succs are the blocks that the terminator, of any kind, can go to: without
// duplicates, in the order written.
func (b *Block) Succs() []*Block { return b.succs }

// Inst is one instruction.
//
// The result of alloca and getelementptr has an opaque pointer type, also in a
// module with typed pointers; its uses have the type that is written there.
type Inst struct {
	Op       Opcode
	Pred     Pred // of icmp
	Modelled bool // read by its grammar: Type, Ops, Flags, Targets and the rest are exact
	Flags    Flags
	Word     string // the opcode as written
	Def      string // canonical name of the result; its number when unnamed; "" when there is none
	Type     *Type  // of the result, Void when there is none; nil where the instruction is not modelled
	ElemType *Type  // getelementptr: source element; alloca: what is allocated; else nil

	// Ops are the value operands in the order written:
	//
	//	br, ret        the condition, the value, or none
	//	switch         the value, then the value of each case
	//	phi            the value of each incoming edge
	//	store          value, pointer
	//	call           the arguments (the callee is in Call)
	//	not modelled   the local values named (a superset: a named type can look like one); no types
	Ops []Operand

	// Targets are the canonical names of blocks:
	//
	//	br             true, false; or the only one
	//	switch         default, then the target of each case
	//	phi            the block of each incoming edge
	//	invoke, callbr normal, then the others
	//	other          each "label %x" in order
	Targets []string

	Indices []uint32 // of extractvalue and insertvalue
	Call    *Call    // of call, invoke and callbr

	start, end, word, defEnd         int32
	attach, dbg, dbgEnd, loc, locEnd int32
}

// Span reaches from the result name to the last attachment.
func (in *Inst) Span() diag.Span { return span(in.start, in.end) }

// DefSpan is the result name as written, with its %; empty where none is written.
func (in *Inst) DefSpan() diag.Span { return span(in.start, in.defEnd) }

// WordSpan is the opcode word.
func (in *Inst) WordSpan() diag.Span { return span(in.word, in.word+int32(len(in.Word))) }

// Attachments is the text ", !dbg !5, !srcloc !6" from the first comma on;
// empty where there is none.
func (in *Inst) Attachments() diag.Span { return span(in.attach, in.end) }

// Dbg is the text ", !dbg !N", comma included, to copy to what replaces the
// instruction; empty where there is none.
func (in *Inst) Dbg() diag.Span { return span(in.dbg, in.dbgEnd) }

// SrcLoc is the "!N" of ", !srcloc !N", which leads to the place in the source
// file that an asm statement came from; empty where there is none.
func (in *Inst) SrcLoc() diag.Span { return span(in.loc, in.locEnd) }

// ValueKind says what an operand is.
type ValueKind uint8

// The kinds of operands.
const (
	ValLocal  ValueKind = iota // %x; Name
	ValGlobal                  // @x; Name
	ValInt                     // an integer of at most 128 bits, true and false included; Lo, Hi
	ValUndef
	ValPoison
	ValNull
	ValZero  // zeroinitializer
	ValFloat // a floating-point literal
	ValConst // any other constant: an aggregate, a vector, a constant expression, a wider integer
	ValMeta  // metadata; Name is the local value that it wraps, or ""
	ValAsm   // the callee of an asm call
	ValOther // not understood: the span only
)

// Operand is a use of a value.
type Operand struct {
	Type   *Type
	Name   string // canonical, of ValLocal, ValGlobal and ValMeta
	Lo, Hi uint64 // ValInt: the value modulo 2^bits of its type, low and high word
	Kind   ValueKind
	typ    int32 // start of the type in front of the value; start where none is written
	start  int32
	end    int32
}

// Span is the value without its type.
func (o *Operand) Span() diag.Span { return span(o.start, o.end) }

// TypedSpan is the value with the type and the parameter attributes written in
// front of it; the value alone where no type is written (the second operand of
// add).
func (o *Operand) TypedSpan() diag.Span { return span(o.typ, o.end) }

// CallKind says what a call calls.
type CallKind uint8

// The kinds of calls.
const (
	CallDirect   CallKind = iota // a function by name
	CallIndirect                 // a value or a constant expression
	CallAsm                      // inline asm
)

// Call is what a call, invoke or callbr has beyond the other instructions.
// The arguments are the instruction's Ops; its result type is the
// instruction's Type.
type Call struct {
	Kind     CallKind
	Callee   string  // CallDirect: canonical name without @
	Target   Operand // what is called
	FuncType *Type   // where the call states the whole function type, as for variadic callees; else nil
	Asm      *Asm    // of CallAsm
	Attrs    AttrSet // function attributes at the call
	CC       string  // calling convention as written, "" for C

	// Extra are local values used outside the argument list proper: in operand
	// bundles and inside metadata arguments.
	Extra []Operand
}

// Value is what a local name stands for: exactly one field is set, except that
// an instruction comes with its block.
type Value struct {
	Param *Param
	Inst  *Inst
	Block *Block
}

func span(start, end int32) diag.Span { return diag.Span{Start: int(start), End: int(end)} }
