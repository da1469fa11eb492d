package llirdoor

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/ptxlower/ptxlower/diag"
)

// verify reports what the text of a module would not show, or would end the
// program while it is printed: values of other functions, which print as the
// number of another value, and types that contain themselves.
func verify(m *llir.Module, l *diag.List) bool {
	v := verifier{l: l, done: map[types.Type]bool{}, path: map[types.Type]bool{}}
	if err := guard(func() { v.module(m) }); err != nil {
		l.Errorf("llir-module", nil, diag.Span{}, "%sllir cannot tell the type of a value: %v", v.where, err)
	}
	return l.Errors() == 0
}

type verifier struct {
	l     *diag.List
	where string              // "@f: ", for messages
	done  map[types.Type]bool // types that end
	path  map[types.Type]bool // types without a name around the current one
}

func (v *verifier) errorf(id, format string, args ...any) {
	v.l.Errorf(id, nil, diag.Span{}, "%s%s", v.where, fmt.Sprintf(format, args...))
}

func (v *verifier) module(m *llir.Module) {
	for _, t := range m.TypeDefs {
		v.parts(t)
	}
	for _, g := range m.Globals {
		v.where = g.Ident() + ": "
		v.typ(g.ContentType)
	}
	for _, f := range m.Funcs {
		v.where = f.Ident() + ": "
		v.typ(f.Sig)
		v.function(f)
	}
	v.where = ""
}

func (v *verifier) function(f *llir.Func) {
	own := map[value.Value]bool{}
	for _, p := range f.Params {
		own[p] = true
	}
	for _, b := range f.Blocks {
		own[b] = true
		if b.Term == nil {
			v.errorf("llir-module", "a block has no terminator")
			return
		}
		for _, in := range b.Insts {
			if x, ok := in.(value.Value); ok {
				own[x] = true
			}
		}
		if x, ok := b.Term.(value.Value); ok {
			own[x] = true
		}
	}
	check := func(p *value.Value) {
		x := *p
		if x == nil {
			return // a hole, found when it is printed
		}
		v.typ(x.Type())
		if local(x) && !own[x] {
			v.errorf("llir-operand", "%s is used here and is not in a block of this function", describe(x))
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Insts {
			if x, ok := in.(value.Value); ok {
				v.typ(x.Type())
			}
			uses(in, check)
		}
		uses(b.Term, check)
	}
}

// local reports a value that belongs to a function.
func local(x value.Value) bool {
	switch x.(type) {
	case *llir.Param, *llir.Block, llir.Instruction, llir.Terminator:
		return true
	}
	return false
}

// describe is a local value for people: its number says nothing where it is
// not in the function.
func describe(x value.Value) string {
	n, ok := x.(interface {
		IsUnnamed() bool
		Name() string
	})
	if ok && !n.IsUnnamed() {
		return "%" + n.Name()
	}
	return fmt.Sprintf("an unnamed value (%T)", x)
}

// uses visits the operands of an instruction or terminator where they are
// stored, also those inside attributes' wrappers, metadata and bundles.
func uses(u value.User, do func(*value.Value)) {
	for _, p := range u.Operands() {
		switch x := (*p).(type) {
		case *llir.Arg:
			do(&x.Value)
		case *metadata.Value:
			switch inner := x.Value.(type) {
			case value.Value:
				do(&inner)
				x.Value = inner
			case *metadata.DIArgList:
				for i := range inner.Fields {
					do(&inner.Fields[i])
				}
			}
		default:
			do(p)
		}
	}
	var bundles []*llir.OperandBundle
	switch u := u.(type) {
	case *llir.InstCall:
		bundles = u.OperandBundles
	case *llir.TermInvoke:
		bundles = u.OperandBundles
	case *llir.TermCallBr:
		bundles = u.OperandBundles
	}
	for _, b := range bundles {
		for i := range b.Inputs {
			do(&b.Inputs[i])
		}
	}
}

// typ reports a type that has no end when it is printed. A named type ends
// with its name.
func (v *verifier) typ(t types.Type) {
	if t == nil || t.Name() != "" || v.done[t] {
		return
	}
	if v.path[t] {
		v.errorf("llir-type", "a type contains itself and has no name; Module.NewTypeDef gives it one")
		v.done[t] = true
		return
	}
	v.path[t] = true
	v.parts(t)
	delete(v.path, t)
	v.done[t] = true
}

func (v *verifier) parts(t types.Type) {
	switch t := t.(type) {
	case *types.PointerType:
		v.typ(t.ElemType)
	case *types.VectorType:
		v.typ(t.ElemType)
	case *types.ArrayType:
		v.typ(t.ElemType)
	case *types.StructType:
		for _, f := range t.Fields {
			v.typ(f)
		}
	case *types.FuncType:
		v.typ(t.RetType)
		for _, p := range t.Params {
			v.typ(p)
		}
	}
}
