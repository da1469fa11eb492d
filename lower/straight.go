package lower

import (
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
)

// Straight is what a block of a module computes with integers: a function of one
// block. What other instructions give is a parameter of it.
type Straight struct {
	Func   *ir.Func
	Vals   map[string][]*ir.Value // by local name: one, or the fields of a struct
	States map[*State]*ir.Value
	Maker  map[*ir.Value]int // the instruction of the block that a value is from
	Read   []bool            // by instruction: it is in Func
}

// StraightLine reads a block.
func (u *Unit) StraightLine(m *ll.Module, b *ll.Block, model ptx.Model) *Straight {
	w := whole{u: u, m: m, f: ir.NewFunc(u.Func.Name), bits: 64, open: true, vals: map[string][]*ir.Value{}, state: map[*State]*ir.Value{}}
	w.f.Model = model
	w.b = w.f.Blocks[0]
	s := &Straight{Func: w.f, Vals: w.vals, States: w.state, Maker: map[*ir.Value]int{}, Read: make([]bool, len(b.Insts))}
	mem := memory{holds: map[place]*ir.Value{}, at: map[string]place{}}
	for i := range b.Insts {
		in := &b.Insts[i]
		if s := u.Site(in); s == nil || s.Frag == nil {
			w.memory(in, &mem)
		}
		if _, op := binaryOps[in.Op]; u.Site(in) == nil && (!in.Modelled || !op && in.Op != ll.OpExtractValue) {
			continue
		}
		n := len(w.b.Vals)
		if err := w.inst(b, in); err != nil {
			for _, v := range w.b.Vals[n:] {
				delete(s.Maker, v)
			}
			w.b.Vals = w.b.Vals[:n]
			continue
		}
		s.Read[i] = true
		for _, v := range w.b.Vals[n:] {
			s.Maker[v] = i
			if v.Off < 0 {
				v.Off = in.WordSpan().Start
			}
		}
	}
	w.b.Ret()
	return s
}

// place is an address as a constant distance in bytes from a value.
type place struct {
	base string
	off  int64
	bits int // of the integer there
}

// memory is what memory is known to hold, in the order of a block.
type memory struct {
	holds map[place]*ir.Value
	at    map[string]place // addresses that are another one and a distance
}

func (m *memory) place(name string, bits int) place {
	p, ok := m.at[name]
	if !ok {
		p.base = name
	}
	p.bits = bits
	return p
}

// memory lets a load be the value that was stored or loaded last at the same
// address, where nothing else can have been written there since: statements of
// PTX that is lowered touch no memory, though LLVM has to think they do, and what
// is stored at another distance from the same value is elsewhere.
func (w *whole) memory(in *ll.Inst, m *memory) {
	plain := in.Modelled && in.Flags&(ll.Volatile|ll.Atomic) == 0
	switch {
	case in.Op == ll.OpGetElementPtr && plain:
		if n, ok := distance(in); ok && in.Ops[0].Kind == ll.ValLocal {
			p := m.place(in.Ops[0].Name, 0)
			if p.off += n; p.off == int64(int32(p.off)) { // pointers may have 32 bits only
				m.at[in.Def] = p
			}
		}
	case in.Op == ll.OpLoad && plain:
		if !w.integer(in.Type) || in.Ops[0].Kind != ll.ValLocal {
			return
		}
		p := m.place(in.Ops[0].Name, in.Type.Bits)
		if m.holds[p] == nil {
			m.holds[p] = w.leaf(in.Def, in.Def, in.Type.Bits)
		}
		w.vals[in.Def] = []*ir.Value{m.holds[p]}
	case in.Op == ll.OpStore && plain && w.integer(in.Ops[0].Type) && in.Ops[1].Kind == ll.ValLocal:
		p := m.place(in.Ops[1].Name, in.Ops[0].Type.Bits)
		for q := range m.holds {
			if q.base != p.base || q.off < p.off+int64(p.bits+7)/8 && p.off < q.off+int64(q.bits+7)/8 {
				delete(m.holds, q)
			}
		}
		if v, err := w.operand(in, &in.Ops[0]); err == nil && p.bits%8 == 0 {
			m.holds[p] = v
		}
	case in.Op == ll.OpCall && in.Call.Kind == ll.CallDirect &&
		(strings.HasPrefix(in.Call.Target.Name, "llvm.dbg.") || strings.HasPrefix(in.Call.Target.Name, "llvm.nvvm.read.ptx.sreg.")):
	case in.Op == ll.OpLoad, in.Op == ll.OpStore, in.Op == ll.OpCall, in.Op == ll.OpFence, in.Op == ll.OpCmpXchg,
		in.Op == ll.OpAtomicRMW, in.Op == ll.OpVAArg, !in.Modelled:
		clear(m.holds)
	}
}

// distance is that of a getelementptr in bytes, where it goes over integers, or
// arrays of them, by constants.
func distance(in *ll.Inst) (n int64, ok bool) {
	t := in.ElemType
	for i, o := range in.Ops[1:] {
		if i > 0 && t != nil && t.Kind == ll.TyArray {
			t = t.Elem
		} else if i > 0 {
			return 0, false
		}
		size, ok := int64(1), false
		switch {
		case t == nil:
		case t.Kind == ll.TyInt && (t.Bits == 8 || t.Bits == 16 || t.Bits == 32 || t.Bits == 64):
			size, ok = int64(t.Bits/8), true
		case t.Kind == ll.TyArray && t.Elem.Kind == ll.TyInt && (t.Elem.Bits == 8 || t.Elem.Bits == 32 || t.Elem.Bits == 64):
			size, ok = int64(t.N)*int64(t.Elem.Bits/8), true
		}
		if !ok || o.Kind != ll.ValInt || o.Type == nil || !o.Type.IsInt(64) {
			return 0, false
		}
		n += int64(o.Lo) * size
	}
	return n, true
}
