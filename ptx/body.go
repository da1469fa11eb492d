package ptx

import "github.com/ptxlower/ptxlower/diag"

// Body is a parsed asm body: the items in the order of the text. Spans are byte
// offsets into the text that was parsed; whoever has the text of an LLVM string
// maps them back to the file.
type Body struct {
	Items []Item
	Flat  bool // parsed by ParseFlat: names need no declaration
}

// ItemKind says which field of an Item is in use.
type ItemKind uint8

// The kinds of items.
const (
	ItemInst  ItemKind = iota
	ItemDecl           // .reg
	ItemOpen           // {
	ItemClose          // }
	ItemLabel          // name:
)

// Item is one thing in a body. Open and Close need not balance: a scope may be
// opened by one asm statement and closed by a later one.
type Item struct {
	Kind  ItemKind
	Span  diag.Span
	Inst  *Inst  // ItemInst
	Decl  *Decl  // ItemDecl
	Label string // ItemLabel
}

// Decl is a .reg declaration.
type Decl struct {
	Type  Type   // NoType for a type outside the integers and predicates (.f32, .b128, …)
	Word  string // the type as written, "f32"
	Names []DeclName
}

// DeclName is one declared name; with Count > 0 it stands for Name0 … Name(Count-1).
type DeclName struct {
	Name  string
	Count int
	Span  diag.Span
}

// Inst is one instruction.
type Inst struct {
	Span     diag.Span // with guard and semicolon
	NameSpan diag.Span // the mnemonic
	Name     string    // the mnemonic as written
	Guard    *Operand  // OperandReg or OperandAsm, Not for @!p; nil without a guard
	Opaque   bool      // an instruction that this package does not know: only Name, Span and Src (all operands) are set
	Form     Form
	Dst, Src []Operand // in the order of Form.Outs and Form.Ins; a sink has kind OperandSink
}

// OperandKind tells operands apart.
type OperandKind uint8

// The kinds of operands.
const (
	OperandReg     OperandKind = iota // a name declared in the body (or any name in flat text)
	OperandAsm                        // $n, ${n}, ${n:mod}
	OperandImm                        // a constant
	OperandSpecial                    // a special register: %laneid, %tid.x, …
	OperandSink                       // _
	OperandOther                      // of an opaque instruction: an address, a vector, a float …
)

// Operand is one operand. The selector and the negation of a vmad source are in
// the Form, not here.
type Operand struct {
	Span  diag.Span
	Name  string // OperandReg: several leading % are one, $$ is $; OperandSpecial; OperandOther: the text
	Imm   uint64 // OperandImm: the value modulo 2^64, 0 or 1 for a predicate
	Index int    // OperandAsm: n
	Kind  OperandKind
	Mod   byte // OperandAsm: the modifier letter, 0 for none
	Not   bool // !p
}

// Report receives what is wrong with a text; start and end are offsets into it.
type Report func(sev diag.Severity, id string, span diag.Span, format string, args ...any)
