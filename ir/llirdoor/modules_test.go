package llirdoor_test

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// asm is a PTX statement whose carry others see.
func asm(b *llir.Block, ret types.Type, text, constraints string, args ...value.Value) *llir.InstCall {
	ts := make([]types.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	ia := llir.NewInlineAsm(types.NewPointer(types.NewFunc(ret, ts...)), text, constraints)
	ia.SideEffect = true
	return b.NewCall(ia, args...)
}

// extern declares a function, or finds it.
func extern(m *llir.Module, name string, ret types.Type, args ...types.Type) *llir.Func {
	for _, f := range m.Funcs {
		if f.Name() == name {
			return f
		}
	}
	ps := make([]*llir.Param, len(args))
	for i, t := range args {
		ps[i] = llir.NewParam("", t)
	}
	return m.NewFunc(name, ret, ps...)
}

func pair(ts ...types.Type) *types.StructType { return types.NewStruct(ts...) }

var (
	i1, i16, i32, i64 = types.I1, types.I16, types.I32, types.I64
	sum32             = pair(i32, i1)
)

func c32(x int64) *constant.Int { return constant.NewInt(i32, x) }

// modules are what toy compilers build: one for each kind of site, and for each
// thing around a site that must survive.
var modules = []struct {
	name   string
	build  func(m *llir.Module)
	opaque bool // not a function of integers alone: nothing to run
}{
	{"asm with one output", func(m *llir.Module) {
		a, b, c := llir.NewParam("a", i32), llir.NewParam("b", i32), llir.NewParam("c", i32)
		e := m.NewFunc("f", i32, a, b, c).NewBlock("entry")
		x := asm(e, i32, "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r", a, b, c)
		e.NewRet(e.NewXor(x, c32(5)))
	}, false},
	{"asm with several outputs", func(m *llir.Module) {
		a, b := llir.NewParam("", i32), llir.NewParam("", i64)
		e := m.NewFunc("f", i64, a, b).NewBlock("")
		x := asm(e, pair(i32, i64), "add.u32 $0, $2, $2;\n\tmad.wide.u32 $1, $2, $2, $3;", "=&r,=&l,r,l", a, b)
		e.NewRet(e.NewAdd(e.NewZExt(e.NewExtractValue(x, 0), i64), e.NewExtractValue(x, 1)))
	}, false},
	{"tied operands", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		f := m.NewFunc("f", pair(i32, i32), a, b)
		e := f.NewBlock("")
		e.NewRet(asm(e, pair(i32, i32), "mad.lo.cc.u32 $0, $2, $2, $0; madc.hi.u32 $1, $2, $2, $1;", "=&r,=&r,r,0,1", a, b, a))
	}, false},
	{"a carry across statements", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		e := m.NewFunc("f", i32, a, b).NewBlock("")
		lo := asm(e, i32, "add.cc.u32 $0, $1, $2;", "=r,r,r", a, b)
		between := e.NewMul(lo, a)
		hi := asm(e, i32, "addc.u32 $0, $1, 0;", "=r,r", between)
		e.NewRet(e.NewXor(lo, hi))
	}, false},
	{"a statement that only sets the carry", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		e := m.NewFunc("f", i32, a, b).NewBlock("")
		asm(e, types.Void, "{ .reg .u32 t; add.cc.u32 t, $0, $1; }", "r,r", a, b)
		e.NewRet(asm(e, i32, "addc.u32 $0, 0, 0;", "=r"))
	}, false},
	{"a carry that joins", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		f := m.NewFunc("f", i32, a, b)
		e, yes, no, join := f.NewBlock("entry"), f.NewBlock("yes"), f.NewBlock("no"), f.NewBlock("join")
		e.NewCondBr(e.NewICmp(enum.IPredULT, a, b), yes, no)
		x := asm(yes, i32, "add.cc.u32 $0, $1, $2;", "=r,r,r", a, b)
		yes.NewBr(join)
		y := asm(no, i32, "mad.lo.cc.u32 $0, $1, $2, $1;", "=r,r,r", a, b)
		no.NewBr(join)
		p := join.NewPhi(llir.NewIncoming(x, yes), llir.NewIncoming(y, no))
		join.NewRet(asm(join, i32, "addc.u32 $0, $1, $2;", "=r,r,r", p, a))
	}, false},
	{"a carry around a loop", func(m *llir.Module) { // a += 0xffffffff + carry, (b & 3) + 1 times
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		f := m.NewFunc("f", i32, a, b)
		e, loop, end := f.NewBlock(""), f.NewBlock(""), f.NewBlock("")
		n := e.NewAnd(b, c32(3))
		start := asm(e, i32, "add.cc.u32 $0, $1, $2;", "=r,r,r", a, b)
		e.NewBr(loop)
		acc, i := llir.NewPhi(llir.NewIncoming(start, e)), llir.NewPhi(llir.NewIncoming(n, e))
		loop.Insts = append(loop.Insts, acc, i)
		next := asm(loop, i32, "addc.cc.u32 $0, $1, -1;", "=r,r", acc)
		j := loop.NewSub(i, c32(1))
		acc.Incs = append(acc.Incs, llir.NewIncoming(next, loop))
		i.Incs = append(i.Incs, llir.NewIncoming(j, loop))
		loop.NewCondBr(loop.NewICmp(enum.IPredEQ, i, c32(0)), end, loop)
		end.NewRet(asm(end, i32, "addc.u32 $0, $1, 0;", "=r,r", next))
	}, false},
	{"a register that lives over statements", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		e := m.NewFunc("f", i32, a, b).NewBlock("")
		asm(e, types.Void, "{ .reg .u32 t; mul.lo.u32 t, $0, $1;", "r,r", a, b)
		e.NewRet(asm(e, i32, "add.u32 $0, t, $1; }", "=r,r", a))
	}, false},
	{"calls of @ptx functions", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		f := m.NewFunc("f", pair(i32, i32), a, b)
		e := f.NewBlock("")
		lo := e.NewCall(extern(m, "ptx.mad.lo.cc.u32", sum32, i32, i32, i32), a, b, a)
		hi := e.NewCall(extern(m, "ptx.madc.hi.cc.u32", sum32, i32, i32, i32, i1), a, b, b, e.NewExtractValue(lo, 1))
		v := e.NewCall(extern(m, "ptx.vmad.s32.s32.u32.sat.a.h0.b.neg.b3", i32, i32, i32, i32), e.NewExtractValue(lo, 0), b, a)
		r := e.NewInsertValue(constant.NewUndef(pair(i32, i32)), v, 0)
		e.NewRet(e.NewInsertValue(r, e.NewExtractValue(hi, 0), 1))
	}, false},
	{"a constant for a carry", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		x := e.NewCall(extern(m, "ptx.subc.cc.u32", sum32, i32, i32, i1), a, c32(-7), constant.True)
		e.NewRet(e.NewSelect(e.NewExtractValue(x, 1), a, e.NewExtractValue(x, 0)))
	}, false},
	{"the mul24 intrinsics", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		e := m.NewFunc("f", i32, a, b).NewBlock("")
		x := e.NewCall(extern(m, "llvm.nvvm.mul24.i", i32, i32, i32), a, b)
		e.NewRet(e.NewCall(extern(m, "llvm.nvvm.mul24.ui", i32, i32, i32), x, c32(0xabcdef)))
	}, false},
	{"half-words", func(m *llir.Module) {
		a, b := llir.NewParam("a", i16), llir.NewParam("b", i16)
		e := m.NewFunc("f", i16, a, b).NewBlock("")
		e.NewRet(asm(e, i16, "mad.lo.u16 $0, $1, $2, $1;", "=h,h,h", a, b))
	}, false},
	{"two functions, one of them without sites", func(m *llir.Module) {
		a := llir.NewParam("", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		x := asm(e, i32, "mul24.hi.s32 $0, $1, $1;", "=r,r", a)
		g := extern(m, "g", i32, i32)
		e.NewRet(e.NewCall(g, x))
		ge := g.NewBlock("")
		ge.NewRet(ge.NewAdd(g.Params[0], c32(1)))
	}, true},
	{"vectors", func(m *llir.Module) {
		v4 := types.NewVector(4, i32)
		a := llir.NewParam("a", v4)
		e := m.NewFunc("f", v4, a).NewBlock("")
		k := constant.NewVector(v4, c32(1), c32(2), c32(3), c32(-4))
		e.NewRet(e.NewCall(extern(m, "_Z5mad24Dv4_iS_S_", v4, v4, v4, v4), a, k, constant.NewZeroInitializer(v4)))
	}, true},
	{"pointers and memory", func(m *llir.Module) {
		g := m.NewGlobalDef("g", c32(3))
		p := llir.NewParam("p", types.NewPointer(i32))
		e := m.NewFunc("f", types.NewPointer(i32), p).NewBlock("")
		x := e.NewLoad(i32, p)
		y := asm(e, i32, "add.cc.u32 $0, $1, $1;", "=r,r", x)
		e.NewStore(y, g)
		q := asm(e, types.NewPointer(i32), "addc.u64 $0, $1, $2;", "=l,l,l", p, constant.NewPtrToInt(g, i64))
		e.NewStore(y, q)
		e.NewRet(q)
	}, true},
	{"a named structure", func(m *llir.Module) {
		t := m.NewTypeDef("two words", pair(i32, i32))
		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", t, a)
		e := f.NewBlock("")
		e.NewRet(asm(e, t, "add.cc.u32 $0, $2, $2; addc.u32 $1, 0, 0;", "=&r,=r,r", a))
	}, true},
	{"attributes, metadata and bundles", func(m *llir.Module) {
		file := &metadata.DIFile{MetadataID: -1, Filename: "f", Directory: "d"}
		unit := &metadata.DICompileUnit{MetadataID: -1, Distinct: true, Language: enum.DwarfLangC99, File: file, EmissionKind: enum.EmissionKindFullDebug}
		sub := &metadata.DISubroutineType{MetadataID: -1, Types: &metadata.Tuple{MetadataID: -1}}
		prog := &metadata.DISubprogram{MetadataID: -1, Distinct: true, Name: "f", Scope: file, File: file, Line: 1, Type: sub, Unit: unit, SPFlags: enum.DISPFlagDefinition}
		loc := &metadata.DILocation{MetadataID: -1, Line: 3, Column: 4, Scope: prog}
		variable := &metadata.DILocalVariable{MetadataID: -1, Name: "v", Scope: prog, File: file, Line: 3}
		version := &metadata.Tuple{MetadataID: -1, Fields: []metadata.Field{
			c32(2), &metadata.String{Value: "Debug Info Version"}, c32(3)}}
		m.MetadataDefs = append(m.MetadataDefs, file, unit, sub, prog, loc, variable, version)
		m.NamedMetadataDefs["llvm.dbg.cu"] = &metadata.NamedDef{Name: "llvm.dbg.cu", Nodes: []metadata.Node{unit}}
		m.NamedMetadataDefs["llvm.module.flags"] = &metadata.NamedDef{Name: "llvm.module.flags", Nodes: []metadata.Node{version}}
		at := llir.Metadata{{Name: "dbg", Node: loc}}
		attrs := &llir.AttrGroupDef{FuncAttrs: []llir.FuncAttribute{enum.FuncAttrNoUnwind}}
		m.AttrGroupDefs = append(m.AttrGroupDefs, attrs)

		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", i32, a)
		f.Metadata = llir.Metadata{{Name: "dbg", Node: prog}}
		e := f.NewBlock("")
		x := asm(e, i32, "add.cc.u32 $0, $1, $1;", "=r,r", llir.NewArg(a))
		x.FuncAttrs, x.Metadata = []llir.FuncAttribute{attrs}, at
		dbg := e.NewCall(extern(m, "llvm.dbg.value", types.Void, types.Metadata, types.Metadata, types.Metadata),
			&metadata.Value{Value: x}, &metadata.Value{Value: variable}, &metadata.Value{Value: &metadata.DIExpression{MetadataID: -1}})
		dbg.Metadata = at
		list := &metadata.DIArgList{Fields: []value.Value{x, a}}
		dbg = e.NewCall(dbg.Callee, &metadata.Value{Value: list}, &metadata.Value{Value: variable}, &metadata.Value{Value: &metadata.DIExpression{MetadataID: -1,
			Fields: []metadata.DIExpressionField{enum.DwarfOpLLVMArg, metadata.UintLit(0), enum.DwarfOpLLVMArg, metadata.UintLit(1), enum.DwarfOpPlus}}})
		dbg.Metadata = at
		assume := e.NewCall(extern(m, "llvm.assume", types.Void, i1), constant.True)
		assume.OperandBundles = []*llir.OperandBundle{llir.NewOperandBundle("align", constant.NewNull(types.I8Ptr), x)}
		g := extern(m, "g", types.Void, i32)
		e.NewCall(g, llir.NewArg(x, enum.ParamAttrNoUndef))
		y := asm(e, i32, "mul24.lo.u32 $0, $1, $1;", "=r,r", x)
		y.Metadata = at
		e.NewRet(y)
	}, true},
	{"exceptions", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", i32, a)
		f.Personality = m.NewFunc("__gxx_personality_v0", i32)
		f.Personality.(*llir.Func).Sig.Variadic = true
		e, ok, bad := f.NewBlock(""), f.NewBlock("ok"), f.NewBlock("bad")
		x := asm(e, i32, "mul24.lo.s32 $0, $1, $1;", "=r,r", a)
		y := e.NewInvoke(extern(m, "g", i32, i32), []value.Value{x}, ok, bad)
		y.OperandBundles = []*llir.OperandBundle{llir.NewOperandBundle("deopt", x)}
		ok.NewRet(asm(ok, i32, "mul24.lo.s32 $0, $1, $2;", "=r,r,r", y, x))
		pad := bad.NewLandingPad(pair(types.I8Ptr, i32))
		pad.Cleanup = true
		bad.NewResume(pad)
	}, true},
	{"undefined operands", func(m *llir.Module) {
		e := m.NewFunc("f", i32).NewBlock("")
		e.NewRet(asm(e, i32, "and.b32 $0, $1, 0;", "=r,r", constant.NewUndef(i32)))
	}, false},
	{"orders of uses", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", i32, a)
		e := f.NewBlock("")
		x := asm(e, i32, "mad.lo.u32 $0, $1, $1, $1;", "=r,r", a)
		e.NewRet(e.NewAdd(x, e.NewMul(a, a)))
		f.UseListOrders = []*llir.UseListOrder{{Value: a, Indices: []uint64{1, 2, 0}}}
	}, false},
	{"names that need quotes", func(m *llir.Module) {
		a := llir.NewParam("a b", i32)
		f := m.NewFunc("f g", i32, a)
		e := f.NewBlock("1")
		x := asm(e, i32, "mul24.lo.s32 $0, $1, $1;", "=r,r", a)
		x.SetName("7")
		y := asm(e, i32, "mul24.lo.s32 $0, $1, $1;", "=r,r", x)
		y.SetName(`\"é`)
		e.NewRet(e.NewSub(x, y))
	}, false},
	{"names like ours", func(m *llir.Module) {
		a := llir.NewParam("ptxl.0.0", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		x := asm(e, i32, "mad24.hi.s32 $0, $1, $1, $1;", "=r,r", a)
		x.SetName("ptxl.cf0")
		e.NewRet(x)
	}, false},
	{"blocks out of order", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", i32, a)
		e, late, early := f.NewBlock(""), f.NewBlock(""), f.NewBlock("")
		e.NewBr(early)
		x := asm(early, i32, "mul24.hi.u32 $0, $1, $1;", "=r,r", a)
		early.NewBr(late)
		late.NewRet(asm(late, i32, "mul24.hi.u32 $0, $1, $2;", "=r,r,r", x, a))
	}, false},
	{"a block that nothing reaches", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", i32, a)
		e, dead := f.NewBlock(""), f.NewBlock("dead")
		e.NewRet(asm(e, i32, "mul24.hi.u32 $0, $1, $1;", "=r,r", a))
		x := asm(dead, i32, "mul24.hi.u32 $0, $1, $1;", "=r,r", a)
		y := asm(dead, i32, "mul24.hi.u32 $0, $1, $1;", "=r,r", x)
		x.Args[0] = y
		dead.NewBr(dead)
	}, false},
	{"a switch with two edges to a block", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		f := m.NewFunc("f", i32, a)
		e, one, end := f.NewBlock("e"), f.NewBlock("one"), f.NewBlock("end")
		asm(e, types.Void, "{ .reg .u32 t; add.cc.u32 t, $0, $0; }", "r", a)
		e.NewSwitch(a, end, llir.NewCase(c32(1), one), llir.NewCase(c32(2), end))
		x := asm(one, i32, "subc.cc.u32 $0, $1, 3;", "=r,r", a)
		one.NewBr(end)
		p := end.NewPhi(llir.NewIncoming(a, e), llir.NewIncoming(a, e), llir.NewIncoming(x, one))
		end.NewRet(asm(end, i32, "addc.u32 $0, $1, 0;", "=r,r", p))
	}, false},
	{"no site", func(m *llir.Module) {
		a := llir.NewParam("", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		e.NewRet(e.NewAdd(a, c32(1)))
	}, false},
	{"no function", func(m *llir.Module) { m.NewGlobalDef("g", c32(3)) }, true},
}
