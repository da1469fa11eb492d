package ll

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
)

// read parses a text that must be right.
func read(t testing.TB, text string) *Module {
	t.Helper()
	var l diag.List
	m := Parse(diag.NewFile("t.ll", []byte(text)), &l)
	require.NoError(t, l.Err())
	requireTiling(t, m)
	return m
}

// readBody parses the body of a function of some parameters.
func readBody(t testing.TB, body string) *Func {
	t.Helper()
	return read(t, "define void @f(i32 %a, i32 %b, ptr %p) {\n"+body+"\n}\n").Funcs[0]
}

func defs(f *Func) []string {
	var all []string
	f.eachDef(func(name string, _ Value, _ diag.Span) { all = append(all, name) })
	return all
}

func noErrors(t testing.TB, f *Func) {
	t.Helper()
	var l diag.List
	f.Check(&l)
	require.NoError(t, l.Err())
}

func TestInstructionsSpanLines(t *testing.T) {
	f := readBody(t, `
  switch i32 %a, label %d [
    i32 1, label %x   ; one
    i32 -2,
      label %y
    i32 3, label %x
  ]
x:
  %r = invoke i32
      @g(i32 %a,
         i32 %b) nounwind
      to label %y
      unwind label %lp
y:
  callbr void asm sideeffect "# $0 ${1:l}", "r,!i"(i32 %a)
          to label %d [label %x]
lp:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr null]
  resume { ptr, i32 } %l
d:
  ret void`)
	noErrors(t, f)
	b := f.Blocks
	require.Equal(t, []string{"d", "x", "y", "x"}, b[0].Term().Targets)
	require.Equal(t, []*Block{b[4], b[1], b[2]}, b[0].Succs())
	require.Equal(t, uint64(0xFFFFFFFE), b[0].Term().Ops[2].Lo)
	require.Equal(t, []string{"y", "lp"}, b[1].Term().Targets)
	require.Equal(t, []string{"d", "x"}, b[2].Term().Targets)
	require.Equal(t, CallAsm, b[2].Term().Call.Kind)
	require.Equal(t, []*Block{b[0], b[2]}, b[1].Preds)
	require.Empty(t, b[0].Preds)
	require.Empty(t, b[4].Succs())
	require.Empty(t, b[3].Succs())
	for _, b := range b {
		for _, in := range b.Insts {
			require.True(t, in.Modelled, in.Word)
		}
	}
}

func TestEveryTerminatorHasItsSuccessors(t *testing.T) {
	f := readBody(t, `
  indirectbr ptr %p, [label %x, label %y, label %x]
x:
  %cs = catchswitch within none [label %h1, label %h2] unwind label %cl
h1:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  catchret from %cp to label %y
h2:
  %cp2 = catchpad within %cs [ptr null, i32 64, ptr null]
  newterm i32 %a, label %x, label %y
cl:
  %c = cleanuppad within none []
  cleanupret from %c unwind to caller
y:
  unreachable`)
	names := func(bs []*Block) (all []string) {
		for _, b := range bs {
			all = append(all, b.Name)
		}
		return all
	}
	want := [][]string{{"x", "y"}, {"h1", "h2", "cl"}, {"y"}, {"x", "y"}, nil, nil}
	for i, b := range f.Blocks {
		require.Equal(t, want[i], names(b.Succs()), b.Name)
	}
	require.Equal(t, []string{"0", "h1", "h2"}, names(f.Blocks[5].Preds))
	for o := range f.Blocks[2].Insts[1].Uses() {
		require.Equal(t, "cp", o.Name)
	}
	noErrors(t, f)
}

func TestWhatIsNotUnderstoodStaysRaw(t *testing.T) {
	f := readBody(t, `
  %v = frobnicate fancy i32 %a, <2 x i8> %q, !dbg !0
  newfence seq_cst "agent"
  call void @g()
  othervoid i32 %b
  %w = add quick i32 %a, %b, !foo !1, !dbg !2
  %z = load elementwise <2 x float>, ptr %p
  ret void`)
	in := f.Blocks[0].Insts
	require.Len(t, in, 7)
	require.Equal(t, OpUnknown, in[0].Op)
	require.Equal(t, "frobnicate", in[0].Word)
	require.Equal(t, "v", in[0].Def)
	require.Equal(t, ", !dbg !0", f.Mod.Text(in[0].Attachments()))
	require.Equal(t, ", !dbg !0", f.Mod.Text(in[0].Dbg()))
	names := []string{}
	for o := range in[0].Uses() {
		names = append(names, o.Name)
	}
	require.Equal(t, []string{"a", "q"}, names)
	require.Equal(t, "newfence", in[1].Word)
	require.Empty(t, in[1].Def)
	require.Equal(t, "call void @g()", f.Mod.Text(in[2].Span()))
	require.True(t, in[2].Modelled)
	require.Equal(t, "othervoid i32 %b", f.Mod.Text(in[3].Span()))
	require.Equal(t, OpAdd, in[4].Op)
	require.False(t, in[4].Modelled)
	require.Nil(t, in[4].Type)
	require.Equal(t, ", !dbg !2", f.Mod.Text(in[4].Dbg()))
	require.Equal(t, ", !foo !1, !dbg !2", f.Mod.Text(in[4].Attachments()))
	require.False(t, in[5].Modelled)
}

func TestTextAfterLLVM22IsKept(t *testing.T) {
	m := read(t, `
define b8 @f(ptr captures(address, read_provenance) dead_on_return(8) %p, <4 x b8> range(i8 0, 3) %q) prefalign(16) denormal_fpenv(preservesign) {
  %a = load atomic elementwise <2 x float>, ptr %p seq_cst, align 8
  %b = fadd float f0x3F800000, %c
  %c = fadd float +0x1.8p3, +inf
  %d = call i32 @g(i32 add (i32 1, i32 splat), <4 x i32> splat (i32 7), ptr ptrauth (ptr @h, i32 1)), !srcloc !{i64 1, i64 2}
  %e = icmp samesign ult i32 %d, u0x10
  ret b8 0
}
`)
	in := m.Funcs[0].Blocks[0].Insts
	require.Len(t, in, 6)
	require.True(t, in[3].Modelled)
	require.Equal(t, "!{i64 1, i64 2}", m.Text(in[3].SrcLoc()))
	require.Equal(t, SameSign, in[4].Flags)
	require.Equal(t, PredULT, in[4].Pred)
	require.Equal(t, "b8", in[5].Ops[0].Type.String())
}

func TestIntegersOfEveryWriting(t *testing.T) {
	f := readBody(t, `
  %1 = add i8 -1, 255
  %2 = add i32 u0xFFFFFFFF, s0x0F
  %3 = add i128 -1, 340282366920938463463374607431768211455
  %4 = add i128 18446744073709551616, -18446744073709551616
  %5 = xor i1 true, false
  %6 = xor i1 -1, -0
  %7 = add i200 1, 2
  %8 = add i64 -9223372036854775808, 9223372036854775807
  ret void`)
	type pair [2]uint64 // low, high
	want := [][2]pair{
		{{255, 0}, {255, 0}},
		{{0xFFFFFFFF, 0}, {0xFFFFFFFF, 0}},
		{{^uint64(0), ^uint64(0)}, {^uint64(0), ^uint64(0)}},
		{{0, 1}, {0, ^uint64(0)}},
		{{1, 0}, {0, 0}},
		{{1, 0}, {0, 0}},
		{},
		{{1 << 63, 0}, {1<<63 - 1, 0}},
	}
	for i, w := range want {
		ops := f.Blocks[0].Insts[i].Ops
		if i == 6 {
			require.Equal(t, ValInt, ops[0].Kind)
			continue
		}
		for k := range ops {
			require.Equal(t, ValInt, ops[k].Kind)
			require.Equal(t, w[k], pair{ops[k].Lo, ops[k].Hi}, "%s", f.Mod.Text(ops[k].Span()))
		}
	}
	v, ok := f.Blocks[0].Insts[0].Ops[0].Uint64()
	require.True(t, ok)
	require.Equal(t, uint64(255), v)
	_, ok = f.Blocks[0].Insts[2].Ops[0].Uint64()
	require.False(t, ok)
}

func TestOperandsOfEveryKind(t *testing.T) {
	m := read(t, `
@g = external global i32
define void @f(i32 %a) {
  call void @h(i32 %a, ptr @g, i32 7, i32 undef, i32 poison, ptr null, { i32 } zeroinitializer, float 0x3FF0000000000000, [2 x i8] c"a\00", i64 ptrtoint (ptr getelementptr inbounds nuw (i8, ptr @g, i64 4) to i64), metadata i32 %a, metadata !3, metadata !DIExpression(DW_OP_deref), metadata !DIArgList(i32 %a, i32 1), ptr inttoptr (i64 1 to ptr), ptr blockaddress(@f, %x), ptr no_cfi @f)
  br label %x
x:
  ret void
}
`)
	in := m.Funcs[0].Blocks[0].Insts[0]
	require.True(t, in.Modelled)
	var kinds []ValueKind
	for _, o := range in.Ops {
		kinds = append(kinds, o.Kind)
	}
	require.Equal(t, []ValueKind{ValLocal, ValGlobal, ValInt, ValUndef, ValPoison, ValNull, ValZero, ValFloat, ValConst, ValConst,
		ValMeta, ValMeta, ValMeta, ValMeta, ValConst, ValConst, ValConst}, kinds)
	uses := 0
	for o := range in.Uses() {
		require.Equal(t, "a", o.Name)
		uses++
	}
	require.Equal(t, 3, uses)
	require.Equal(t, "i32 %a", m.Text(in.Ops[0].TypedSpan()))
	require.Equal(t, `[2 x i8] c"a\00"`, m.Text(in.Ops[8].TypedSpan()))
}

func TestCallsCarryAttributesOfEveryShape(t *testing.T) {
	f := read(t, `
define i32 @f(i32 %a, ptr %q) {
  %1 = tail call fast noundef range(i32 0, 5) align 16 "x"="y" i32 @g(i32 noundef signext %a, ptr align 8 initializes((0, 4), (8, 12)) captures(none) byval({ i32, <2 x i8> }) "k" "k2"="v" %q) #3 nounwind memory(argmem: read) "a"="b" [ "deopt"(i32 %a), "x"() ], !dbg !1
  %2 = musttail call amdgpu_gfx addrspace(4) i32 (ptr, ...) %q(ptr %q, ...)
  %3 = notail call cc1023 i32 @h() #1
    cold
  %4 = call cc 10 i32 (i32, ...)* @v(i32 1)
  call void @none() ret i32 %1
}
`).Funcs[0]
	noErrors(t, f)
	in := f.Blocks[0].Insts
	require.Len(t, in, 6)
	m := f.Mod
	c := in[0].Call
	require.Equal(t, Tail|FastMath, in[0].Flags)
	require.Equal(t, CallDirect, c.Kind)
	require.Equal(t, "g", c.Callee)
	require.Equal(t, []int32{3}, c.Attrs.Groups)
	require.Len(t, c.Extra, 1)
	require.Equal(t, "a", c.Extra[0].Name)
	v, ok := m.Attr(c.Attrs, "memory")
	require.True(t, ok)
	require.Equal(t, "argmem: read", v)
	v, ok = m.Attr(c.Attrs, "a")
	require.True(t, ok)
	require.Equal(t, "b", v)
	_, ok = m.Attr(c.Attrs, "b")
	require.False(t, ok, "a value is no key")
	require.Equal(t, ", !dbg !1", m.Text(in[0].Dbg()))
	require.Equal(t, "%a", m.Text(in[0].Ops[0].Span()))
	require.Equal(t, "i32 noundef signext %a", m.Text(in[0].Ops[0].TypedSpan()))

	require.Equal(t, CallIndirect, in[1].Call.Kind)
	require.Equal(t, "amdgpu_gfx", in[1].Call.CC)
	require.Equal(t, "i32 (ptr, ...)", in[1].Call.FuncType.String())
	require.True(t, in[1].Type.IsInt(32))
	require.Equal(t, "q", in[1].Call.Target.Name)
	require.Equal(t, "cc1023", in[2].Call.CC)
	_, ok = m.Attr(in[2].Call.Attrs, "cold")
	require.True(t, ok, "an attribute on a line of its own")
	require.Equal(t, "cc 10", in[3].Call.CC)
	require.True(t, in[3].Call.FuncType.VarArg)
	require.Same(t, Void, in[4].Type)
	require.Equal(t, OpRet, in[5].Op)
}

func TestTypesPrintAsTheModuleWritesThem(t *testing.T) {
	texts := []string{"i32", "i1", "i129", "ptr", "ptr addrspace(3)", "i32*", "i8 addrspace(1)**", "<4 x i32>", "<vscale x 2 x i64>",
		"[3 x [2 x i8]]", "{ i32, i64 }", "<{ i8, ptr }>", "{}", "%T", `%"a b"`, "void (i32, ...)*", "i32 ()*", "i8* (i8*, i64) addrspace(2)*",
		"half", "fp128", "x86_mmx", "token", "metadata", "label", `target("spirv.Image", void, 1, 0)`, "void (...)*"}
	p := newParser(&Module{src: strings.Join(texts, " , "), NamedTypes: map[string]*Type{}, types: newInterner()})
	for _, want := range texts {
		got := p.typ()
		require.False(t, p.failed, want)
		require.Equal(t, want, got.String())
		p.accept(',')
	}
	a := newParser(&Module{src: "{ i32,i64} , {i32, i64 }", NamedTypes: map[string]*Type{}, types: newInterner()})
	first := a.typ()
	a.accept(',')
	require.Same(t, first, a.typ(), "equal types are equal pointers")
	require.Same(t, Int(32), first.Fields[0])
}

func TestTypedPointersOfLLVM14AreRead(t *testing.T) {
	m := read(t, `
define void @f(i32 addrspace(1)* noalias nocapture align 4 %p, i32 (i32)* %fn) {
  %1 = getelementptr inbounds i32, i32 addrspace(1)* %p, i64 2
  %2 = load volatile i32, i32 addrspace(1)* %1, align 4, !tbaa !2
  %3 = bitcast i32 addrspace(1)* %1 to i8 addrspace(1)*
  %4 = call i32 %fn(i32 %2)
  %5 = alloca { i32 }, i32 4, align 8, addrspace(5)
  store atomic i32 %4, i32 addrspace(1)* %p syncscope("agent") release, align 4
  %6 = select i1 true, i32 %2, i32 %4
  %7 = extractelement <2 x i32> <i32 1, i32 2>, i32 %6
  %8 = icmp ne <2 x i32> zeroinitializer, <i32 1, i32 2>
  %9 = shufflevector <2 x i32> undef, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %10 = getelementptr i8, <2 x ptr> zeroinitializer, i64 1
  %11 = cmpxchg weak volatile i32 addrspace(1)* %p, i32 1, i32 2 acq_rel monotonic, align 4
  ret void
}
`)
	in := m.Funcs[0].Blocks[0].Insts
	want := []string{"ptr addrspace(1)", "i32", "i8 addrspace(1)*", "i32", "ptr addrspace(5)", "void", "i32", "i32", "<2 x i1>", "<4 x i32>",
		"<2 x ptr>", "{ i32, i1 }", "void"}
	for i, w := range want {
		require.True(t, in[i].Modelled, in[i].Word)
		require.Equal(t, w, in[i].Type.String(), in[i].Word)
	}
	require.Equal(t, Volatile, in[1].Flags)
	require.Equal(t, Atomic, in[5].Flags)
	require.Equal(t, "{ i32 }", in[4].ElemType.String())
	require.Equal(t, uint32(1), m.Funcs[0].Params[0].Type.AddrSpace)
	require.Equal(t, "i32 addrspace(1)* noalias nocapture align 4 %p", m.Text(m.Funcs[0].Params[0].Span()))
}

func TestFlagsOfEveryVersionAreRead(t *testing.T) {
	f := readBody(t, `
  %1 = add nuw nsw i32 %a, %b
  %2 = udiv exact i32 %a, %b
  %3 = or disjoint i32 %a, %b
  %4 = zext nneg i32 %a to i64
  %5 = trunc nuw nsw i32 %a to i8
  %6 = icmp samesign sge i32 %a, %b
  %7 = getelementptr inbounds nuw i8, ptr %p, i64 8
  %8 = getelementptr nusw nuw inrange(-4, 8) i8, ptr %p, i64 8
  %9 = fmul nnan contract float 1.0, 0x7FF0000000000000
  ret void`)
	want := []Flags{NUW | NSW, Exact, Disjoint, NNeg, NUW | NSW, SameSign, InBounds | NUW, NUSW | NUW, FastMath, 0}
	for i, in := range f.Blocks[0].Insts {
		require.True(t, in.Modelled, in.Word)
		require.Equal(t, want[i], in.Flags, in.Word)
	}
}

func TestCommentsEndAtCarriageReturnsAndBlockCommentsDoNotNest(t *testing.T) {
	m := read(t, "; } \"\r\ndefine void @f() { ; {\r  ret void /* } /* \" ; */ ; x\n}\n; end")
	require.Len(t, m.Funcs[0].Blocks[0].Insts, 1)
}

func TestWordsSplitAsLLVMSplitsThem(t *testing.T) {
	x := &lexer{src: `i32x cc10 foo:bar -1: 12: 12 4foo: %4foo "a":"b" !12 !x.y\ !{ #1 #dbg 0x1F 1.5e-3 1.e 1e5 -2 ... .a: $c $d: u0xF c"x" ^3 %"q r" @-1 +`}
	var got []string
	for t := x.next(); t.kind != tEOF; t = x.next() {
		got = append(got, x.src[t.start:t.end])
	}
	want := strings.Split("i32 x cc 10 foo: bar -1: 12: 12 4foo: %4 foo \"a\": \"b\" !12 !x.y\\ ! { # #", " ")
	want = append(want[:len(want)-2], "#1", "#", "dbg", "0x1F", "1.5e-3", "1.", "e", "1", "e5", "-2", "...", ".a:", "$c", "$d:", "u0xF", "c", `"x"`,
		"^3", `%"q r"`, "@-1", "+")
	require.Empty(t, cmp.Diff(want, got))
}

func TestModuleFactsAreRead(t *testing.T) {
	m := read(t, `source_filename = "a\22b.cu"
target datalayout = "e-i64:64"
target triple = "nvptx64-nvidia-cuda"
module asm "x { ; "
$f = comdat any
@a = internal addrspace(3) global [4 x i32] undef, align 4
@b = constant i32 1 @c = alias i32, ptr @b
@d = weird_new_linkage whatever("x") i32 1
define ptx_kernel void @k(ptr %0) #0 comdat($f) personality ptr @p !dbg !5 { ret void }
define void @old() #1 { ret void }
define spir_kernel void @o() section "s" align 8 { ret void }
define internal amdgpu_kernel void @am() "target-cpu"="gfx900" prefix i32 5 { ret void }
define dso_local noundef i32 @no(...) { ret i32 0 }
declare !dbg !3 void @dd(i32, ...) local_unnamed_addr #0
declare i32 @e(ptr nocapture)
attributes #0 = { nounwind "target-cpu"="sm_70" "f"="+x,-y" }
attributes #1 = { convergent memory(none) "target-cpu"="sm_61" }
!nvvm.annotations = !{!0, !1, !2}
!0 = !{void ()* @old, !"kernel", i32 1}
!1 = !{ptr @no, !"kernel", i32 0}
!2 = !{ptr @dd, !"maxntidx", i32 1}
!3 = distinct !{!"a } b", null}
uselistorder ptr @a, { 1, 0 }
^0 = module: (path: "x", hash: (0, 1))
`)
	require.Equal(t, `a"b.cu`, m.SourceFilename)
	require.Equal(t, "e-i64:64", m.DataLayout)
	require.Equal(t, "nvptx64-nvidia-cuda", m.Triple)
	var kinds []EntityKind
	var names []string
	for _, e := range m.Entities {
		kinds = append(kinds, e.Kind)
		names = append(names, e.Name)
	}
	require.Equal(t, []EntityKind{EntSource, EntTarget, EntTarget, EntModuleAsm, EntComdat, EntGlobal, EntGlobal, EntGlobal, EntGlobal,
		EntDefine, EntDefine, EntDefine, EntDefine, EntDefine, EntDeclare, EntDeclare, EntAttrs, EntAttrs,
		EntMetadata, EntMetadata, EntMetadata, EntMetadata, EntMetadata, EntUseListOrder, EntSummary}, kinds)
	require.Equal(t, []string{"a", "b", "c", "d", "k", "old", "o", "am", "no", "dd", "e", "0", "1", "nvvm.annotations", "0"}, names[5:20])
	kernels := map[string]bool{}
	cpus := map[string]string{}
	for _, f := range m.Funcs {
		kernels[f.Name] = f.Kernel
		cpus[f.Name] = m.TargetCPU(f)
	}
	require.Equal(t, map[string]bool{"k": true, "old": true, "o": true, "am": true, "no": false}, kernels)
	require.Equal(t, map[string]string{"k": "sm_70", "old": "sm_61", "o": "", "am": "gfx900", "no": ""}, cpus)
	require.True(t, m.Funcs[4].VarArg && m.Decls[0].VarArg && m.Decls[0].IsDecl())
	require.Equal(t, "[4 x i32]", m.Globals[0].Type.String())
	require.Equal(t, uint32(3), m.Globals[0].AddrSpace)
	require.True(t, m.Globals[1].Constant)
	require.Nil(t, m.Globals[3].Type)
	require.Same(t, m.Funcs[0], m.Func("k"))
	require.Nil(t, m.Func("nobody"))
	v, ok := m.Attr(m.Funcs[1].Attrs, "memory")
	require.True(t, ok)
	require.Equal(t, "none", v)
	_, ok = m.Attr(m.Funcs[0].Attrs, "convergent")
	require.False(t, ok)
	require.Equal(t, ` nounwind "target-cpu"="sm_70" "f"="+x,-y" `, m.Text(m.AttrGroups[0]))
	require.Equal(t, "define ptx_kernel void @k(ptr %0) #0 comdat($f) personality ptr @p !dbg !5 ", m.Text(m.Funcs[0].HeaderSpan()))
	require.Equal(t, "@k", m.Text(m.Funcs[0].NameSpan()))
}

func TestDebugRecordsAreNoInstructions(t *testing.T) {
	f := readBody(t, `
    #dbg_value(i32 %a, !5, !DIExpression(DW_OP_plus_uconst, 1), !7)
  %1 = add i32 %a, %b, !dbg !7
    #dbg_value(!DIArgList(i32 %1, i32 %b), !5, !DIExpression(), !7)
    #dbg_declare(ptr %p, !5, !DIExpression(), !7)
    #dbg_label(!5, !7)
  ret void, !dbg !7`)
	require.Len(t, f.Blocks, 1)
	require.Len(t, f.Blocks[0].Insts, 2)
	var names []string
	for _, o := range f.DbgUses {
		names = append(names, o.Name)
	}
	require.Equal(t, []string{"a", "1", "b", "p"}, names)
	require.Equal(t, ", !dbg !7", f.Mod.Text(f.Blocks[0].Insts[0].Dbg()))
}

func TestPlacesForNewTextAreLineStarts(t *testing.T) {
	f := readBody(t, "\n\t%x = add i32 %a, 1\n  %y = add i32 %x, 1 %z = add i32 %y, 2\n br label %l\nl:    ret void")
	m := f.Mod
	in := f.Blocks[0].Insts
	require.Equal(t, "\t%x", m.src[f.Blocks[0].First():][:3])
	require.Equal(t, "\t", m.Indent(&in[0]))
	require.Equal(t, "  ", m.Indent(&in[1]))
	require.Equal(t, int(in[2].start), m.LineStart(&in[2]), "behind another instruction")
	require.Equal(t, "  ", m.Indent(&in[2]))
	require.Equal(t, "ret void", m.src[f.Blocks[1].First():][:8], "behind a label")
	require.Equal(t, "l:", m.Text(f.Blocks[1].Label()))
	require.Empty(t, m.Text(f.Blocks[0].Label()))
}

func TestElementsOfConstantVectors(t *testing.T) {
	f := readBody(t, `
  call void @g(<2 x i32> <i32 1, i32 -1>, <3 x i32> splat (i32 7), <2 x i32> zeroinitializer, <2 x i8> undef, { i32, ptr } { i32 3, ptr null }, <2 x i32> %v, i32 4, <4096000 x i8> zeroinitializer)
  ret void`)
	want := [][]uint64{{1, 0xFFFFFFFF}, {7, 7, 7}, {0, 0}, {0, 0}, {3, 0}}
	for i, o := range f.Blocks[0].Insts[0].Ops {
		all, ok := f.Mod.Elements(&o)
		if i >= len(want) {
			require.False(t, ok)
			continue
		}
		require.True(t, ok, i)
		var got []uint64
		for _, e := range all {
			got = append(got, e.Lo)
		}
		require.Equal(t, want[i], got)
	}
	undef, _ := f.Mod.Elements(&f.Blocks[0].Insts[0].Ops[3])
	require.Equal(t, ValUndef, undef[1].Kind)
	require.Same(t, Int(8), undef[1].Type)
}
