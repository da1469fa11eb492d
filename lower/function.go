package lower

import (
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Refusal says why a function cannot be selected as a whole.
type Refusal struct {
	Span diag.Span
	What string // "load is not an integer operation"
}

// Function turns a whole function into IR, its sites in their places. It is
// refused where it has something besides integers of at most 64 bits, or is
// nothing that LLVM would accept.
func (u *Unit) Function(m *ll.Module, model ptx.Model) (*ir.Func, *Refusal) {
	return u.function(m, model, 64)
}

// WideFunction is Function with integers of up to 128 bits, as portable IR has
// them. It can be evaluated; Canon and selection do not take it.
func (u *Unit) WideFunction(m *ll.Module, model ptx.Model) (*ir.Func, *Refusal) {
	return u.function(m, model, 128)
}

func (u *Unit) function(m *ll.Module, model ptx.Model, bits int) (*ir.Func, *Refusal) {
	w := whole{u: u, m: m, f: ir.NewFunc(u.Func.Name), bits: bits, vals: map[string][]*ir.Value{},
		blocks: map[string]*ir.Block{}, state: map[*State]*ir.Value{}}
	w.f.Model = model
	if err := w.run(); err != nil {
		return nil, err
	}
	ir.RemoveDead(w.f)
	if err := ir.Verify(w.f); err != nil { // the reader takes more than LLVM does
		return nil, refuse(u.Func.NameSpan(), "it is not valid LLVM IR: %v", err)
	}
	return w.f, nil
}

type whole struct {
	u      *Unit
	m      *ll.Module
	f      *ir.Func
	b      *ir.Block
	bits   int                    // of the widest integer
	vals   map[string][]*ir.Value // by local name; several for a struct
	blocks map[string]*ir.Block
	ends   map[*ll.Block]*ir.Block // where a block's terminator ended up
	state  map[*State]*ir.Value
	phis   map[*ll.Block][]*State // those of each block
	open   bool                   // names that are not defined become parameters
}

func refuse(sp diag.Span, format string, args ...any) *Refusal {
	return &Refusal{sp, fmt.Sprintf(format, args...)}
}

// integer reports an integer type that is not too wide.
func (w *whole) integer(t *ll.Type) bool { return t != nil && t.Kind == ll.TyInt && t.Bits <= w.bits }

// fieldsOf are the widths of an integer or a struct of integers.
func (w *whole) fieldsOf(t *ll.Type) ([]int, bool) {
	if t == nil {
		return nil, false
	}
	if t.Kind == ll.TyInt {
		return []int{t.Bits}, w.integer(t)
	}
	t = t.Under()
	if t == nil || t.Kind != ll.TyStruct {
		return nil, false
	}
	var ws []int
	for _, f := range t.Fields {
		if !w.integer(f) {
			return nil, false
		}
		ws = append(ws, f.Bits)
	}
	return ws, true
}

func (w *whole) run() *Refusal {
	f := w.u.Func
	if f.VarArg {
		return refuse(f.NameSpan(), "a variadic function is not selectable")
	}
	for i := range f.Params {
		p := &f.Params[i]
		switch {
		case w.integer(p.Type):
			v := w.f.Param(p.Name, p.Type.Bits)
			v.Uniform = f.Kernel || p.InReg
			w.vals[p.Name] = []*ir.Value{v}
		case p.Type != nil && p.Type.Kind == ll.TyPtr: // refused at its first use
			w.f.Param(p.Name, 64).Uniform = f.Kernel || p.InReg
		default:
			return refuse(p.Span(), "a parameter of type %s is not selectable", p.Type)
		}
	}
	if f.Ret != nil && f.Ret.Kind != ll.TyVoid {
		ws, ok := w.fieldsOf(f.Ret)
		if !ok {
			return refuse(f.NameSpan(), "a result of type %s is not selectable", f.Ret)
		}
		w.f.Results = ws
	}
	blocks := order(f)
	for i, b := range blocks {
		if i == 0 {
			w.blocks[b.Name] = w.f.Blocks[0]
			w.f.Blocks[0].Name = b.Name
		} else {
			w.blocks[b.Name] = w.f.NewBlock(b.Name)
		}
	}
	w.ends = map[*ll.Block]*ir.Block{}
	w.phis = map[*ll.Block][]*State{}
	for _, p := range w.u.Phis {
		w.phis[p.Block] = append(w.phis[p.Block], p)
	}
	for _, b := range blocks {
		w.b = w.blocks[b.Name]
		w.statePhis(b)
		for i := range b.Insts {
			if err := w.inst(b, &b.Insts[i]); err != nil {
				return err
			}
		}
		w.ends[b] = w.b
	}
	for _, b := range blocks {
		if err := w.phiArgs(b); err != nil {
			return err
		}
	}
	return nil
}

func (w *whole) statePhis(b *ll.Block) {
	for _, p := range w.phis[b] {
		w.state[p] = w.b.Phi(p.Var.W)
	}
}

// stateValue is a state value that is already there; undefined on some path
// reads as 0.
func (w *whole) stateValue(s *State) *ir.Value {
	s = s.Resolve()
	if v := w.state[s]; v != nil {
		return v
	}
	if w.open && (s.Kind == StateOut || s.Kind == StatePhi) { // of another block
		w.state[s] = w.f.Param("", s.Var.W)
		return w.state[s]
	}
	return w.f.Const(sem.Val{}, s.Var.W)
}

// phiArgs fills in the phis of a block, in the order of its IR predecessors.
func (w *whole) phiArgs(b *ll.Block) *Refusal {
	nb := w.blocks[b.Name]
	fill := func(phi *ir.Value, from map[*ir.Block]*ir.Value) {
		for _, p := range nb.Preds {
			v := from[p]
			if v == nil {
				v = w.f.Undef(phi.W)
			}
			phi.Args = append(phi.Args, v)
		}
	}
	for _, p := range w.phis[b] {
		from := map[*ir.Block]*ir.Value{}
		for i, pred := range b.Preds {
			if w.ends[pred] == nil {
				continue // the entry does not lead there
			}
			for _, q := range w.edges(pred, nb) {
				from[q] = w.stateValue(p.In[i])
			}
		}
		fill(w.state[p], from)
	}
	for i := range b.Insts {
		in := &b.Insts[i]
		if in.Op != ll.OpPhi {
			break
		}
		from := map[*ir.Block]*ir.Value{}
		for j := range in.Ops {
			pred := w.pred(b, in.Targets[j])
			if pred == nil || w.ends[pred] == nil {
				continue
			}
			v, err := w.operand(in, &in.Ops[j])
			if err != nil {
				return err
			}
			for _, q := range w.edges(pred, nb) {
				from[q] = v
			}
		}
		fill(w.vals[in.Def][0], from)
	}
	return nil
}

func (w *whole) pred(b *ll.Block, name string) *ll.Block {
	for _, p := range b.Preds {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// edges are the IR blocks that go to nb on behalf of an LLVM block: the block
// that its terminator ended in, and those that a switch became.
func (w *whole) edges(pred *ll.Block, nb *ir.Block) []*ir.Block {
	var out []*ir.Block
	for b := w.blocks[pred.Name]; ; {
		for _, s := range b.Succs {
			if s == nb {
				out = append(out, b)
				break
			}
		}
		if b == w.ends[pred] {
			return out
		}
		b = b.Succs[1] // a switch goes on in its "no" branch
	}
}

// operand is a scalar integer operand.
func (w *whole) operand(in *ll.Inst, o *ll.Operand) (*ir.Value, *Refusal) {
	if !w.integer(o.Type) {
		return nil, refuse(in.Span(), "%s of type %s is not selectable", in.Word, typeName(o.Type))
	}
	switch o.Kind {
	case ll.ValLocal:
		if v := w.vals[o.Name]; len(v) == 1 && v[0] != nil && v[0].W == o.Type.Bits {
			return v[0], nil
		}
		if w.open {
			return w.leaf(o.Name, o.Name, o.Type.Bits), nil
		}
	case ll.ValInt:
		return w.f.Const(sem.Val{Hi: o.Hi, Lo: o.Lo}, o.Type.Bits), nil
	case ll.ValZero, ll.ValNull:
		return w.f.Const(sem.Val{}, o.Type.Bits), nil
	case ll.ValUndef, ll.ValPoison:
		return w.f.Undef(o.Type.Bits), nil
	}
	return nil, refuse(in.Span(), "operand %s of %s is not selectable", w.m.Text(o.Span()), in.Word)
}

func typeName(t *ll.Type) string {
	if t == nil {
		return "unknown"
	}
	return t.String()
}

// fields are the values of a struct operand.
func (w *whole) fields(in *ll.Inst, o *ll.Operand) ([]*ir.Value, *Refusal) {
	ws, ok := w.fieldsOf(o.Type)
	if !ok {
		return nil, refuse(in.Span(), "%s of type %s is not selectable", in.Word, typeName(o.Type))
	}
	switch o.Kind {
	case ll.ValLocal:
		if v := w.vals[o.Name]; len(v) == len(ws) {
			return v, nil
		}
	case ll.ValUndef, ll.ValPoison, ll.ValZero:
		var out []*ir.Value
		for _, n := range ws {
			if o.Kind == ll.ValZero {
				out = append(out, w.f.Const(sem.Val{}, n))
			} else {
				out = append(out, w.f.Undef(n))
			}
		}
		return out, nil
	case ll.ValConst:
		if elems, ok := w.m.Elements(o); ok && len(elems) == len(ws) {
			var out []*ir.Value
			for i := range elems {
				v, err := w.operand(in, &elems[i])
				if err != nil {
					return nil, err
				}
				out = append(out, v)
			}
			return out, nil
		}
	}
	return nil, refuse(in.Span(), "operand %s of %s is not selectable", w.m.Text(o.Span()), in.Word)
}

var binaryOps = map[ll.Opcode]ir.Op{
	ll.OpAdd: ir.Add, ll.OpSub: ir.Sub, ll.OpMul: ir.Mul, ll.OpAnd: ir.And, ll.OpOr: ir.Or, ll.OpXor: ir.Xor,
	ll.OpShl: ir.Shl, ll.OpLShr: ir.LShr, ll.OpAShr: ir.AShr,
	ll.OpZExt: ir.ZExt, ll.OpSExt: ir.SExt, ll.OpTrunc: ir.Trunc, ll.OpSelect: ir.Select, ll.OpICmp: ir.ICmp,
}

func (w *whole) inst(b *ll.Block, in *ll.Inst) *Refusal {
	if w.open && w.conversion(in) {
		return nil
	}
	if s := w.u.Site(in); s != nil {
		return w.site(s)
	}
	if !in.Modelled {
		return refuse(in.Span(), "%s is not an integer operation", in.Word)
	}
	if op, ok := binaryOps[in.Op]; ok {
		return w.simple(in, op)
	}
	switch in.Op {
	case ll.OpPhi:
		if !w.integer(in.Type) {
			return refuse(in.Span(), "phi of type %s is not selectable", typeName(in.Type))
		}
		w.define(in, w.b.Phi(in.Type.Bits))
		return nil
	case ll.OpFreeze:
		v, err := w.operand(in, &in.Ops[0])
		if err == nil {
			w.vals[in.Def] = []*ir.Value{v}
		}
		return err
	case ll.OpExtractValue, ll.OpInsertValue:
		return w.aggregate(in)
	case ll.OpBr, ll.OpSwitch, ll.OpRet, ll.OpUnreachable:
		return w.terminator(b, in)
	case ll.OpCall:
		if a := in.Call.Asm; a != nil && in.Def == "" && strings.TrimSpace(a.Text.Text) == "" {
			return nil // a barrier for the optimiser
		}
		return w.intrinsic(in)
	}
	return refuse(in.Span(), "%s is not an integer operation", in.Word)
}

func (w *whole) define(in *ll.Inst, vs ...*ir.Value) {
	for _, v := range vs {
		if v.Block != nil && v.Off < 0 {
			v.Off = in.WordSpan().Start
		}
	}
	w.vals[in.Def] = vs
}

func (w *whole) simple(in *ll.Inst, op ir.Op) *Refusal {
	if !w.integer(in.Type) {
		return refuse(in.Span(), "%s of type %s is not selectable", in.Word, typeName(in.Type))
	}
	var args []*ir.Value
	for i := range in.Ops {
		v, err := w.operand(in, &in.Ops[i])
		if err != nil {
			return err
		}
		args = append(args, v)
	}
	v := w.b.New(op, in.Type.Bits, args...)
	if op == ir.ICmp {
		v.Pred = ir.PredNamed(in.Pred.String())
	}
	w.define(in, v)
	return nil
}

func (w *whole) aggregate(in *ll.Inst) *Refusal {
	fs, err := w.fields(in, &in.Ops[0])
	if err != nil {
		return err
	}
	if len(in.Indices) != 1 || int(in.Indices[0]) >= len(fs) {
		return refuse(in.Span(), "nested %s is not selectable", in.Word)
	}
	if in.Op == ll.OpExtractValue {
		w.vals[in.Def] = fs[in.Indices[0] : in.Indices[0]+1]
		return nil
	}
	v, err := w.operand(in, &in.Ops[1])
	if err != nil {
		return err
	}
	fs = append([]*ir.Value(nil), fs...)
	fs[in.Indices[0]] = v
	w.vals[in.Def] = fs
	return nil
}

func (w *whole) terminator(b *ll.Block, in *ll.Inst) *Refusal {
	to := func(i int) *ir.Block { return w.blocks[in.Targets[i]] }
	switch in.Op {
	case ll.OpUnreachable:
		w.b.Term = ir.Unreachable
	case ll.OpRet:
		if len(in.Ops) == 0 {
			w.b.Ret()
			return nil
		}
		fs, err := w.fields(in, &in.Ops[0])
		if len(w.f.Results) == 1 && in.Ops[0].Type.Kind == ll.TyInt {
			var v *ir.Value
			v, err = w.operand(in, &in.Ops[0])
			fs = []*ir.Value{v}
		}
		if err != nil {
			return err
		}
		w.b.Ret(fs...)
	case ll.OpBr:
		if len(in.Targets) == 1 {
			w.b.Br(to(0))
			return nil
		}
		c, err := w.operand(in, &in.Ops[0])
		if err != nil {
			return err
		}
		if in.Targets[0] == in.Targets[1] {
			w.b.Br(to(0))
			return nil
		}
		w.b.CondBr(c, to(0), to(1))
	case ll.OpSwitch: // a chain of comparisons
		v, err := w.operand(in, &in.Ops[0])
		if err != nil {
			return err
		}
		for i := 1; i < len(in.Ops); i++ {
			k, err := w.operand(in, &in.Ops[i])
			if err != nil {
				return err
			}
			if in.Targets[i] == in.Targets[0] {
				continue
			}
			next := w.f.NewBlock("")
			w.b.CondBr(w.b.ICmp(ir.EQ, v, k), to(i), next)
			w.b = next
		}
		w.b.Br(to(0))
	}
	return nil
}

// site copies a site's fragment into the function.
func (w *whole) site(s *Site) *Refusal {
	if s.Frag == nil {
		return refuse(s.KeptSpan, "%s is not an instruction that ptxlower lowers", s.Kept)
	}
	if s.Lanes > 0 {
		return refuse(s.Span(), "a vector call is not selectable")
	}
	args := make([]*ir.Value, len(s.In))
	for i, in := range s.In {
		want := s.Frag.Params[i].W
		if in.Arg < 0 {
			args[i] = w.stateValue(in.State)
			continue
		}
		v, err := w.operand(s.Inst, &s.Inst.Ops[in.Arg])
		if err != nil {
			return err
		}
		if v.W < want {
			v = w.b.New(ir.ZExt, want, v)
		}
		args[i] = v
	}
	out := w.inline(s.Frag, args, s.Moved)
	fields, _ := w.fieldsOf(s.Inst.Type)
	if s.Inst.Type != nil && s.Inst.Type.Kind != ll.TyVoid && fields == nil {
		return refuse(s.Span(), "an asm result of type %s is not selectable", s.Inst.Type)
	}
	vals := make([]*ir.Value, len(fields))
	for i, o := range s.Out {
		switch {
		case o.Field < 0:
			w.state[o.State] = out[i]
		case o.Field < len(fields):
			v := out[i]
			if v.W > fields[o.Field] {
				v = w.b.New(ir.Trunc, fields[o.Field], v)
			}
			vals[o.Field] = v
		}
	}
	if s.Inst.Def != "" {
		w.vals[s.Inst.Def] = vals
	}
	return nil
}

// inline copies a straight-line function's values into the current block; their
// places in the file are so many bytes on.
func (w *whole) inline(f *ir.Func, args []*ir.Value, moved int) []*ir.Value {
	to := make([]*ir.Value, f.NumValues())
	for i, p := range f.Params {
		to[p.ID] = args[i]
	}
	for _, c := range f.Consts {
		if c.Op == ir.Undef {
			to[c.ID] = w.f.Undef(c.W)
		} else {
			to[c.ID] = w.f.Const(c.K, c.W)
		}
	}
	for _, v := range f.Blocks[0].Vals {
		in := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			in[i] = to[a.ID]
		}
		n := w.b.New(v.Op, v.W, in...)
		n.Form, n.Pred, n.Index, n.Off = v.Form, v.Pred, v.Index, v.Off
		if v.Off >= 0 {
			n.Off += moved
		}
		to[v.ID] = n
	}
	out := make([]*ir.Value, len(f.Blocks[0].Args))
	for i, a := range f.Blocks[0].Args {
		out[i] = to[a.ID]
	}
	return out
}
