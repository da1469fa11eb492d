package ir

import (
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ptx"
)

// String is the function in the text form, which Parse reads:
//
//	func @f(%a: i32, %b: i32, %cf: i1) -> (i32, i1) {
//	entry:
//	  %3, %4 = madc.hi.cc.u32 %a, %b, 5, %cf
//	  %5 = "vmad.s32.s32.u32.sat a.h0, -b, c" %a, %b, %3
//	  %6: i1 = icmp ult %a, %b
//	  condbr %6, yes, no
//	yes:
//	  …
//
// A PTX form is named by Form.Name, in quotes where that has an operand pattern;
// its results follow in order, _ for one that nothing reads. A constant takes
// its width from its place; where that does not tell, it is written 5: i32.
// A parameter that is the same in all lanes of a wave is uniform.
// Names that are not unique give way to numbers, those that are not plain words
// are quoted. vmad=ptxas after the results chooses that model. A comment starts
// with ;.
func (f *Func) String() string {
	p := newPrinter(f)
	p.str("func @")
	p.name(f.Name, true)
	p.str("(")
	for i, v := range f.Params {
		p.sep(i, "")
		p.def(v)
		p.typ(v.W)
		if v.Uniform {
			p.str(" uniform")
		}
	}
	p.str(")")
	for i, w := range f.Results {
		p.sep(i, " -> (")
		p.num("i", w)
	}
	if len(f.Results) > 0 {
		p.str(")")
	}
	if f.Model != ptx.ISA {
		p.str(" vmad=" + f.Model.String())
	}
	p.str(" {\n")
	for _, b := range f.Blocks {
		p.block(b)
	}
	p.str("}\n")
	return string(p.out)
}

// String is the block in the text form.
func (b *Block) String() string {
	p := newPrinter(b.Func)
	p.block(b)
	return string(p.out)
}

// String is the line of an operation without its indentation, and for a
// parameter or a constant what stands for it in operand lists.
func (v *Value) String() string {
	p := &printer{}
	if v.Block == nil {
		p.arg(v, v.Op == Const || v.Op == Undef)
	} else {
		p.op([]*Value{v})
	}
	return string(p.out)
}

type printer struct {
	out    []byte
	vals   map[string]int // how many values have the name
	blocks map[string]int
}

func newPrinter(f *Func) *printer {
	p := &printer{vals: map[string]int{}, blocks: map[string]int{}}
	if f == nil {
		return p
	}
	for _, v := range f.Params {
		p.vals[v.Name]++
	}
	for _, b := range f.Blocks {
		p.blocks[b.Name]++
		for _, v := range b.Vals {
			p.vals[v.Name]++
		}
	}
	return p
}

func (p *printer) str(s string) { p.out = append(p.out, s...) }

func (p *printer) num(prefix string, n int) {
	p.out = strconv.AppendInt(append(p.out, prefix...), int64(n), 10)
}

func (p *printer) typ(w int) { p.num(": i", w) }

// sep goes before item i of a list.
func (p *printer) sep(i int, first string) {
	if i > 0 {
		first = ", "
	}
	p.str(first)
}

func (p *printer) name(s string, digits bool) {
	if plain(s) && (digits || s[0] > '9' || s[0] < '0') {
		p.str(s)
	} else {
		p.out = strconv.AppendQuote(p.out, s)
	}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

func plain(s string) bool {
	for i := range len(s) {
		if !wordByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// numeral reports a name that reads as a number, the empty one included.
func numeral(s string) bool { return strings.Trim(s, "0123456789") == "" }

func (p *printer) def(v *Value) {
	p.str("%")
	if numeral(v.Name) || p.vals[v.Name] > 1 {
		p.num("", v.ID)
	} else {
		p.name(v.Name, true)
	}
}

// arg is an operand; a constant with its width if typed.
func (p *printer) arg(v *Value, typed bool) {
	switch {
	case v == nil:
		p.str("<nil>")
		return
	case v.Op == Undef:
		p.str("undef")
	case v.Op == Const && v.K.Hi == 0 && v.K.Lo < 1000:
		p.num("", int(v.K.Lo))
	case v.Op == Const:
		p.str(v.K.String())
	default:
		p.def(v)
		return
	}
	if typed {
		p.typ(v.W)
	}
}

func (p *printer) label(b *Block) {
	if numeral(b.Name) || p.blocks[b.Name] > 1 {
		p.num("", b.ID)
	} else {
		p.name(b.Name, false)
	}
}

func (p *printer) block(b *Block) {
	p.label(b)
	p.str(":\n")
	for i := 0; i < len(b.Vals); {
		n := resultsFrom(b.Vals[i:])
		p.str("  ")
		p.op(b.Vals[i : i+n])
		p.str("\n")
		i += n
	}
	p.str("  ")
	switch b.Term {
	case Ret:
		p.str("ret")
	case Br:
		p.str("br")
	case CondBr:
		p.str("condbr")
	case Unreachable:
		p.str("unreachable")
	default:
		p.str("; no terminator")
	}
	for i, a := range b.Args {
		p.sep(i, " ")
		p.arg(a, false)
	}
	for i, s := range b.Succs {
		p.sep(i+len(b.Args), " ")
		p.label(s)
	}
	p.str("\n")
}

// resultsFrom is the number of values that the first line of vs defines: a PTX
// form and those of its results that follow in order, or one.
func resultsFrom(vs []*Value) int {
	n := 1
	if vs[0].Op == PTX {
		for last := 0; n < len(vs) && vs[n].Op == Result && vs[n].Args[0] == vs[0] && vs[n].Index > last; n++ {
			last = vs[n].Index
		}
	}
	return n
}

// op prints the line that defines vs; see resultsFrom.
func (p *printer) op(vs []*Value) {
	v := vs[0]
	p.def(v)
	if v.Op == PTX {
		at := 0
		for _, r := range vs[1:] {
			for at++; at < r.Index; at++ {
				p.str(", _")
			}
			p.str(", ")
			p.def(r)
		}
		p.str(" = ")
		if n := v.Form.Name(); plain(n) {
			p.str(n)
		} else {
			p.out = strconv.AppendQuote(p.out, n)
		}
	} else {
		p.typ(v.W)
		p.str(" = " + v.Op.String())
	}
	switch v.Op {
	case ICmp:
		p.str(" " + v.Pred.String())
	case Result:
		p.num(" ", v.Index)
		p.str(",")
	}
	for i, a := range v.Args {
		p.sep(i, " ")
		if v.Op == Phi {
			p.str("[")
		}
		p.arg(a, untyped(v, i))
		if v.Op == Phi {
			p.str(", ")
			if v.Block != nil && i < len(v.Block.Preds) {
				p.label(v.Block.Preds[i])
			} else {
				p.str("?")
			}
			p.str("]")
		}
	}
}

// untyped reports an operand whose width neither the operation nor, in a
// comparison, the other operand tells.
func untyped(v *Value, i int) bool {
	switch v.Op {
	case ZExt, SExt, Trunc:
		return true
	case ICmp:
		other := v.Args[len(v.Args)-1]
		return i == 0 && other != nil && (other.Op == Const || other.Op == Undef)
	}
	return false
}
