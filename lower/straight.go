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
	loads := map[string]*ir.Value{} // what memory is known to hold, by type and address
	for i := range b.Insts {
		in := &b.Insts[i]
		if s := u.Site(in); s == nil || s.Frag == nil {
			w.memory(in, loads)
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

// memory lets a load be the value of an earlier one of the same type and address
// where nothing has been written in between: statements of PTX that is lowered
// touch no memory, though LLVM has to think they do.
func (w *whole) memory(in *ll.Inst, loads map[string]*ir.Value) {
	switch {
	case in.Op == ll.OpLoad && in.Modelled && in.Flags&(ll.Volatile|ll.Atomic) == 0:
		if !w.integer(in.Type) || in.Ops[0].Kind != ll.ValLocal {
			return
		}
		key := in.Type.String() + " " + in.Ops[0].Name
		if loads[key] == nil {
			loads[key] = w.leaf(in.Def, in.Def, in.Type.Bits)
		}
		w.vals[in.Def] = []*ir.Value{loads[key]}
	case in.Op == ll.OpCall && in.Call.Kind == ll.CallDirect && (strings.HasPrefix(in.Call.Target.Name, "llvm.dbg.") || strings.HasPrefix(in.Call.Target.Name, "llvm.nvvm.read.ptx.sreg.")):
	case in.Op == ll.OpLoad, in.Op == ll.OpStore, in.Op == ll.OpCall, !in.Modelled:
		clear(loads)
	}
}
