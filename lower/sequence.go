package lower

import (
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
)

// Sequence turns consecutive instructions of a block into IR: a function of one
// block without results, whose parameters are the values that the instructions
// read and do not define, under their names; and what each name stands for,
// several values for a struct or vector. An integer that is made of a pointer,
// a float or a vector element is a parameter under the text of the conversion,
// "ptrtoint ptr %p to i64", and a conversion back is the integer itself.
func Sequence(m *ll.Module, insts []*ll.Inst) (*ir.Func, map[string][]*ir.Value, *Refusal) {
	return (&Unit{}).Sequence(m, insts)
}

// Sequence is the same with the sites of a unit in their places.
func (u *Unit) Sequence(m *ll.Module, insts []*ll.Inst) (*ir.Func, map[string][]*ir.Value, *Refusal) {
	w := whole{u: u, m: m, state: map[*State]*ir.Value{}, f: ir.NewFunc("sequence"), vals: map[string][]*ir.Value{}, open: true, bits: 128}
	w.f.Model = ptx.ISA
	w.b = w.f.Blocks[0]
	for _, in := range insts {
		if err := w.inst(nil, in); err != nil {
			return nil, nil, err
		}
	}
	w.b.Ret()
	return w.f, w.vals, nil
}

// leaf is a parameter for a value from outside.
func (w *whole) leaf(key, name string, bits int) *ir.Value {
	v := w.f.Param(name, bits)
	w.vals[key] = []*ir.Value{v}
	return v
}

// conversion takes the casts between integers and other types, and vector
// elements; it reports whether the instruction is one.
func (w *whole) conversion(in *ll.Inst) bool {
	toInt := in.Type != nil && in.Type.Kind == ll.TyInt && in.Type.Bits <= 64
	switch in.Op {
	case ll.OpPtrToInt, ll.OpBitCast, ll.OpExtractElement:
		if toInt {
			text := w.m.Text(in.Span())
			text = text[strings.Index(text, in.Word):]
			text = strings.TrimSuffix(text, w.m.Text(in.Attachments()))
			w.leaf(in.Def, text, in.Type.Bits)
			return true
		}
	}
	switch in.Op {
	case ll.OpIntToPtr, ll.OpBitCast:
		if v, err := w.operand(in, &in.Ops[0]); err == nil {
			w.vals[in.Def] = []*ir.Value{v}
			return true
		}
	case ll.OpInsertElement:
		base, index := &in.Ops[0], in.Ops[2]
		t := base.Type
		if t == nil || t.Kind != ll.TyVector || t.Elem.Kind != ll.TyInt || index.Kind != ll.ValInt || index.Lo >= t.N {
			return false
		}
		lanes := append([]*ir.Value(nil), w.vals[base.Name]...)
		for len(lanes) < int(t.N) {
			lanes = append(lanes, w.f.Undef(t.Elem.Bits))
		}
		v, err := w.operand(in, &in.Ops[1])
		if err != nil {
			return false
		}
		lanes[index.Lo] = v
		w.vals[in.Def] = lanes
		return true
	}
	return false
}
