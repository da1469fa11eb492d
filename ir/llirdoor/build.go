package llirdoor

import (
	"fmt"
	"math/big"
	"reflect"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/ptxlower/ptxlower/ir/ll"
)

// builder makes llir instructions from those that lowering writes. Types and
// constants other than integers come from the calls that they replace.
type builder struct {
	m       *ll.Module
	callees map[string]*llir.Func
	blocks  map[string]*llir.Block
	vals    map[string]value.Value // by local name
	types   map[string]types.Type  // by text
	consts  map[string]value.Value // by type and text
	dbg     map[string]*metadata.Attachment
}

func newBuilder(m *ll.Module, callees map[string]*llir.Func) *builder {
	return &builder{m: m, callees: callees, blocks: map[string]*llir.Block{}, vals: map[string]value.Value{},
		types: map[string]types.Type{}, consts: map[string]value.Value{}, dbg: map[string]*metadata.Attachment{}}
}

// learn takes the types, constants and debug location of a call.
func (b *builder) learn(m *ll.Module, in *ll.Inst, call *llir.InstCall) {
	b.types[in.Type.String()] = call.Type()
	if s, ok := call.Type().(*types.StructType); ok {
		for i, t := range in.Type.Under().Fields {
			b.types[t.String()] = s.Fields[i]
		}
	}
	for i := range in.Ops {
		o, x := &in.Ops[i], call.Args[i]
		if a, ok := x.(*llir.Arg); ok {
			x = a.Value
		}
		b.types[o.Type.String()] = x.Type()
		if v, ok := x.Type().(*types.VectorType); ok {
			b.types[o.Type.Elem.String()] = v.ElemType
		}
		if o.Kind != ll.ValLocal {
			b.consts[o.Type.String()+" "+m.Text(o.Span())] = x
		}
	}
	for _, a := range call.Metadata {
		if a.Name == "dbg" {
			b.dbg[m.Text(in.Dbg())] = a
		}
	}
}

// two and convert give the constructors of llir a common type.
func two[T llir.Instruction](f func(x, y value.Value) T) func(x, y value.Value) llir.Instruction {
	return func(x, y value.Value) llir.Instruction { return f(x, y) }
}

func convert[T llir.Instruction](f func(x value.Value, t types.Type) T) func(value.Value, types.Type) llir.Instruction {
	return func(x value.Value, t types.Type) llir.Instruction { return f(x, t) }
}

var binary = map[ll.Opcode]func(x, y value.Value) llir.Instruction{
	ll.OpAdd: two(llir.NewAdd), ll.OpSub: two(llir.NewSub), ll.OpMul: two(llir.NewMul),
	ll.OpAnd: two(llir.NewAnd), ll.OpOr: two(llir.NewOr), ll.OpXor: two(llir.NewXor),
	ll.OpShl: two(llir.NewShl), ll.OpLShr: two(llir.NewLShr), ll.OpAShr: two(llir.NewAShr),
}

var casts = map[ll.Opcode]func(x value.Value, t types.Type) llir.Instruction{
	ll.OpZExt: convert(llir.NewZExt), ll.OpSExt: convert(llir.NewSExt), ll.OpTrunc: convert(llir.NewTrunc),
	ll.OpPtrToInt: convert(llir.NewPtrToInt), ll.OpIntToPtr: convert(llir.NewIntToPtr), ll.OpBitCast: convert(llir.NewBitCast),
}

var predicates = map[ll.Pred]enum.IPred{
	ll.PredEQ: enum.IPredEQ, ll.PredNE: enum.IPredNE,
	ll.PredUGT: enum.IPredUGT, ll.PredUGE: enum.IPredUGE, ll.PredULT: enum.IPredULT, ll.PredULE: enum.IPredULE,
	ll.PredSGT: enum.IPredSGT, ll.PredSGE: enum.IPredSGE, ll.PredSLT: enum.IPredSLT, ll.PredSLE: enum.IPredSLE,
}

// inst is a new instruction with undefined operands of the right types: those
// it will have may not be made yet, as around a loop.
func (b *builder) inst(in *ll.Inst, name string) (llir.Instruction, error) {
	if !in.Modelled {
		return nil, fmt.Errorf("cannot read %q", b.m.Text(in.Span()))
	}
	x := make([]value.Value, len(in.Ops))
	for i := range in.Ops {
		t, err := b.typ(in.Ops[i].Type)
		if err != nil {
			return nil, err
		}
		x[i] = constant.NewUndef(t)
	}
	t, err := b.typ(in.Type)
	if err != nil {
		return nil, err
	}
	inst := b.opcode(in, x, t)
	if inst == nil || in.Flags&^(ll.Tail|ll.NoTail) != 0 {
		return nil, fmt.Errorf("no llir instruction for %q", b.m.Text(in.Span()))
	}
	inst.(value.Named).SetName(name)
	if dbg := b.m.Text(in.Dbg()); dbg != "" {
		a := b.dbg[dbg]
		if a == nil {
			return nil, fmt.Errorf("no call has the location %q", dbg)
		}
		setMetadata(inst, llir.Metadata{a})
	}
	return inst, nil
}

// setMetadata sets the field that all instructions of llir have and no
// interface gives.
func setMetadata(inst llir.Instruction, md llir.Metadata) {
	reflect.ValueOf(inst).Elem().FieldByName("Metadata").Set(reflect.ValueOf(md))
}

// opcode is an instruction with operands x and a result of type t, nil where
// there is none.
func (b *builder) opcode(in *ll.Inst, x []value.Value, t types.Type) llir.Instruction {
	if f := binary[in.Op]; f != nil {
		return f(x[0], x[1])
	}
	if f := casts[in.Op]; f != nil {
		return f(x[0], t)
	}
	switch in.Op {
	case ll.OpICmp:
		return llir.NewICmp(predicates[in.Pred], x[0], x[1])
	case ll.OpSelect:
		return llir.NewSelect(x[0], x[1], x[2])
	case ll.OpFreeze:
		return llir.NewInstFreeze(x[0])
	case ll.OpExtractValue:
		return llir.NewExtractValue(x[0], indices(in)...)
	case ll.OpInsertValue:
		return llir.NewInsertValue(x[0], x[1], indices(in)...)
	case ll.OpExtractElement:
		return llir.NewExtractElement(x[0], x[1])
	case ll.OpInsertElement:
		return llir.NewInsertElement(x[0], x[1], x[2])
	case ll.OpPhi:
		incs := make([]*llir.Incoming, len(x))
		for i := range x {
			incs[i] = llir.NewIncoming(x[i], b.blocks[in.Targets[i]])
		}
		return llir.NewPhi(incs...)
	case ll.OpCall:
		if f := b.callees[in.Call.Callee]; f != nil && in.Call.Kind == ll.CallDirect {
			return llir.NewCall(f, x...)
		}
	}
	return nil
}

func indices(in *ll.Inst) []uint64 {
	out := make([]uint64, len(in.Indices))
	for i, n := range in.Indices {
		out[i] = uint64(n)
	}
	return out
}

// operands gives an instruction the operands that the text says.
func (b *builder) operands(inst llir.Instruction, in *ll.Inst) error {
	at, step := inst.Operands(), 1
	switch in.Op {
	case ll.OpPhi: // value, block, value, block …
		step = 2
	case ll.OpCall: // the callee comes first
		at = at[1:]
	}
	for i := range in.Ops {
		v, err := b.operand(&in.Ops[i])
		if err != nil {
			return err
		}
		*at[i*step] = v
	}
	return nil
}

func (b *builder) operand(o *ll.Operand) (value.Value, error) {
	text := b.m.Text(o.Span())
	if o.Kind == ll.ValLocal {
		if v := b.vals[o.Name]; v != nil {
			return v, nil
		}
		return nil, fmt.Errorf("no value %s", text)
	}
	if v := b.consts[o.Type.String()+" "+text]; v != nil {
		return v, nil
	}
	t, err := b.typ(o.Type)
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case ll.ValUndef:
		return constant.NewUndef(t), nil
	case ll.ValPoison:
		return constant.NewPoison(t), nil
	case ll.ValInt:
		return integer(t.(*types.IntType), o.Hi, o.Lo), nil
	}
	return nil, fmt.Errorf("no constant %s %s", o.Type, text)
}

// integer is a constant as LLVM prints it: signed, and i1 as true and false.
func integer(t *types.IntType, hi, lo uint64) *constant.Int {
	if t.BitSize == 1 {
		return constant.NewBool(lo != 0)
	}
	x := new(big.Int).SetUint64(hi)
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(lo))
	if x.Bit(int(t.BitSize)-1) == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(t.BitSize)))
	}
	return &constant.Int{Typ: t, X: x}
}

// typ is a type that one of the replaced calls has, an integer, a structure of
// such, or void.
func (b *builder) typ(t *ll.Type) (types.Type, error) {
	if known := b.types[t.String()]; known != nil {
		return known, nil
	}
	switch t.Kind {
	case ll.TyVoid:
		return types.Void, nil
	case ll.TyInt:
		return types.NewInt(uint64(t.Bits)), nil
	case ll.TyStruct:
		fields := make([]types.Type, len(t.Fields))
		for i, f := range t.Fields {
			var err error
			if fields[i], err = b.typ(f); err != nil {
				return nil, err
			}
		}
		return types.NewStruct(fields...), nil
	}
	return nil, fmt.Errorf("no type %s", t)
}
