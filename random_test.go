package ptxlower_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

// programs are random modules of one function @f of integers: LLVM's
// instructions between PTX in all its ways in, with carries from statement to
// statement, and where branches are wanted over joins and around loops.
func programs(branches bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		p := program{t: t, vals: map[string][]string{}, declares: map[string]bool{}, label: "entry"}
		var params []string
		for i := range 1 + p.below(5) {
			ty := rapid.SampledFrom([]string{"i32", "i64", "i32", "i64", "i16", "i1", "i8"}).Draw(t, "type")
			name := fmt.Sprintf("%%p%d", i)
			p.vals[ty] = append(p.vals[ty], name)
			params = append(params, ty+" "+name)
		}
		p.region(3+p.below(6), branches, 2)
		for _, ty := range []string{"i32", "i64"} { // so that nothing is dead
			if vs := p.vals[ty]; len(vs) > 1 && p.below(2) == 0 {
				sum := vs[0]
				for _, v := range vs[1:] {
					sum = p.def(ty, "xor %s %s, %s", ty, p.def("", "mul %s %s, 3", ty, sum), v)
				}
			}
		}
		var types, results []string
		for range 1 + p.below(3) {
			ty := rapid.SampledFrom([]string{"i32", "i64", "i16", "i1"}).Draw(t, "result")
			types, results = append(types, ty), append(results, p.use(ty))
		}
		st := "{ " + strings.Join(types, ", ") + " }"
		agg := "undef"
		for i, r := range results {
			agg = p.def("", "insertvalue %s %s, %s %s, %d", st, agg, types[i], r, i)
		}
		p.line("ret %s %s", st, agg)
		decls := slices.Sorted(maps.Keys(p.declares))
		return fmt.Sprintf("define %s @f(%s) {\nentry:\n%s}\n%s", st, strings.Join(params, ", "), p.sb.String(), strings.Join(decls, "\n"))
	})
}

type program struct {
	t        *rapid.T
	sb       strings.Builder
	vals     map[string][]string // what may be used, by type
	declares map[string]bool
	label    string // of the block that is being written
	n        int
	carry    bool // a carry is there
}

func (p *program) below(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "n") }

func (p *program) line(format string, args ...any) {
	fmt.Fprintf(&p.sb, "  "+format+"\n", args...)
}

// def writes an instruction that defines a value, of type ty if it is to be used.
func (p *program) def(ty, format string, args ...any) string {
	name := fmt.Sprintf("%%v%d", p.n)
	p.n++
	p.line("%s = %s", name, fmt.Sprintf(format, args...))
	if ty != "" {
		p.vals[ty] = append(p.vals[ty], name)
	}
	return name
}

// use is a value of a type, or a constant.
func (p *program) use(ty string) string {
	if vs := p.vals[ty]; len(vs) > 0 && p.below(6) > 0 {
		return vs[len(vs)-1-p.below(len(vs))]
	}
	if ty == "i1" {
		return rapid.SampledFrom([]string{"true", "false"}).Draw(p.t, "constant")
	}
	return fmt.Sprint(rapid.SampledFrom([]int{0, 1, -1, 5, 100, -128, 127}).Draw(p.t, "constant"))
}

func (p *program) region(n int, branches bool, depth int) {
	for range n {
		switch k := p.below(10); {
		case k >= 8 && branches && depth > 0:
			if k == 8 {
				p.choice(depth)
			} else {
				p.loop(depth)
			}
		case k >= 5:
			p.one()
		case k >= 3:
			p.several()
		case k == 2:
			p.call()
		default:
			p.llvm()
		}
	}
}

func (p *program) llvm() {
	ty := rapid.SampledFrom([]string{"i32", "i64", "i16", "i8"}).Draw(p.t, "type")
	switch p.below(6) {
	case 0:
		op := rapid.SampledFrom([]string{"zext", "sext", "trunc"}).Draw(p.t, "cast")
		widths := []string{"i1", "i8", "i16", "i32", "i64"}
		from := p.below(4)
		to := from + 1 + p.below(4-from)
		if op == "trunc" {
			from, to = to, from
		}
		p.def(widths[to], "%s %s %s to %s", op, widths[from], p.use(widths[from]), widths[to])
	case 1:
		pred := rapid.SampledFrom([]string{"eq", "ne", "ugt", "ule", "slt", "sge"}).Draw(p.t, "predicate")
		p.def("i1", "icmp %s %s %s, %s", pred, ty, p.use(ty), p.use(ty))
	case 2:
		p.def(ty, "select i1 %s, %s %s, %s %s", p.use("i1"), ty, p.use(ty), ty, p.use(ty))
	case 3:
		op := rapid.SampledFrom([]string{"shl", "lshr", "ashr"}).Draw(p.t, "shift")
		p.def(ty, "%s %s %s, %d", op, ty, p.use(ty), p.below(8))
	default:
		op := rapid.SampledFrom([]string{"add", "sub", "mul", "and", "or", "xor"}).Draw(p.t, "op")
		p.def(ty, "%s %s %s, %s", op, ty, p.use(ty), p.use(ty))
	}
}

var constraint = map[string]string{"i16": "h", "i32": "r", "i64": "l"}

// singles are the forms of which one instruction is a statement: integers of 16
// bits and more, one result.
var singles = sync.OnceValue(func() [][]ptx.Form {
	var by [ptx.NumOps][]ptx.Form
	for _, fs := range [][]ptx.Form{ptx.Forms(), ptx.VmadForms(), ptx.Neighbours()} {
	next:
		for _, f := range fs {
			for _, ty := range append(f.Ins(), f.Outs()...) {
				if ty.Bits() < 16 || f.Dual || f.Pack != 0 {
					continue next
				}
			}
			by[f.Op] = append(by[f.Op], f)
		}
	}
	return slices.DeleteFunc(by[:], func(fs []ptx.Form) bool { return len(fs) == 0 })
})

// one is a statement of one instruction; those that carry are the most frequent.
func (p *program) one() {
	f := rapid.SampledFrom(rapid.SampledFrom(singles()).Draw(p.t, "opcode")).Draw(p.t, "form")
	if p.below(2) == 0 {
		carrying := rapid.SampledFrom([]ptx.Op{ptx.Add, ptx.Addc, ptx.Sub, ptx.Subc, ptx.Mad, ptx.Madc}).Draw(p.t, "carry")
		f = ptx.Form{Op: carrying, CC: p.below(4) > 0, T: rapid.SampledFrom([]ptx.Type{ptx.U32, ptx.S32, ptx.U64, ptx.S64}).Draw(p.t, "type")}
		if f.Op == ptx.Mad || f.Op == ptx.Madc {
			f.Mode = rapid.SampledFrom([]ptx.Mode{ptx.Lo, ptx.Hi}).Draw(p.t, "half")
		}
	}
	if f.ReadsCF() && !p.carry {
		return
	}
	out := fmt.Sprintf("i%d", f.Outs()[0].Bits())
	cons, operands, args := "="+constraint[out], f.Operands(), []string(nil)
	operands = strings.Replace(operands, "immLut", fmt.Sprint(f.Lut), 1)
	words := strings.Split(operands, ", ")
	words[0] = "$0"
	for i, ty := range f.Ins() {
		in := fmt.Sprintf("i%d", ty.Bits())
		v := p.use(in)
		args = append(args, in+" "+v)
		c := constraint[in]
		if p.below(5) == 0 && !strings.HasPrefix(v, "%") {
			c = "n"
		}
		cons += "," + c
		words[i+1] = strings.Replace(words[i+1], string("abce"[i]), fmt.Sprintf("$%d", i+1), 1)
		if p.below(8) == 0 && len(words[i+1]) == 2 {
			words[i+1] = fmt.Sprint(p.below(300))
		}
	}
	p.carry = p.carry || f.CC
	p.def(out, `call %s asm sideeffect "%s %s;", "%s"(%s)`, out, f, strings.Join(words, ", "), cons, strings.Join(args, ", "))
}

// bodies are statements of several instructions: the text, the constraints, the
// results and the operands. A body that begins with ! asks for a carry.
var bodies = [][4]string{
	{"{ .reg .pred p; setp.lt.u32 p, $1, $2; @p add.u32 $0, $1, 1; @!p sub.u32 $0, $2, 1; }", "=r,r,r", "i32", "i32 i32"},
	{"mad.lo.cc.u32 $0, $2, $3, $0; madc.hi.u32 $1, $2, $3, $1;", "=r,=r,r,r,0,1", "i32 i32", "i32 i32 i32 i32"},
	{"mul.lo.u64 $0, $2, $3; mul.hi.u64 $1, $2, $3;", "=&l,=l,l,l", "i64 i64", "i64 i64"},
	{"{ .reg .u32 lo, hi; mov.b64 {lo, hi}, $1; add.cc.u32 lo, lo, $2; addc.u32 hi, hi, 0; mov.b64 $0, {lo, hi}; }", "=l,l,r", "i64", "i64 i32"},
	{"!{ .reg .pred %p; setp.ne.u32 %p, $1, 0; @%p add.cc.u32 $1, $1, $2; mov.u32 $0, $1; }", "=r,r,r", "i32", "i32 i32"},
	{"!{ .reg .pred %p; setp.gt.s64 %p, $1, 5; @!%p subc.cc.u64 $1, $1, $2; add.u64 $0, $1, $2; }", "=l,l,l", "i64", "i64 i64"},
	{"{ .reg .u16 l, h; mov.b32 {l, h}, $1; mad.wide.u16 $0, l, h, $1; }", "=r,r", "i32", "i32"},
	{"add.u32 $1, $1, $1; { .reg .u32 t; mov.u32 t, $1; add.u32 $1, t, 1; } mov.u32 $0, $1;", "=r,r", "i32", "i32"},
	{"cvt.u32.s16 $0, $1; // a comment\\0Aadd.u32 $0, $0, ${1:x};", "=r,r", "i32", "i32"},
	{"{ .reg .pred p, q; setp.eq.u32 p|q, $2, $3; selp.u64 $0, $4, 7, p; @q mov.u64 $0, 9; mov.u32 $1, $3; }", "=l,=r,r,r,l", "i64 i32", "i32 i32 i64"},
	{"{ .reg .u32 t; mul24.lo.u32 t, $2, $3; mad24.hi.s32 $0, t, $2, $3; vmad.s32.u32.s32.sat.shr7 $1, t.b1, $2.h1, $3; }", "=&r,=r,r,r", "i32 i32", "i32 i32"},
}

func (p *program) several() {
	if p.below(6) == 0 {
		p.scope()
		return
	}
	b := rapid.SampledFrom(bodies).Draw(p.t, "body")
	text, needs := strings.CutPrefix(b[0], "!")
	if needs && !p.carry {
		return
	}
	p.carry = p.carry || strings.Contains(text, ".cc.")
	var args []string
	for ty := range strings.FieldsSeq(b[3]) {
		args = append(args, ty+" "+p.use(ty))
	}
	results := strings.Fields(b[2])
	ret := results[0]
	if len(results) > 1 {
		ret = "{ " + strings.Join(results, ", ") + " }"
	}
	r := p.def("", `call %s asm sideeffect "%s", "%s"(%s)`, ret, text, b[1], strings.Join(args, ", "))
	if len(results) == 1 {
		p.vals[ret] = append(p.vals[ret], r)
		return
	}
	for i, ty := range results {
		p.def(ty, "extractvalue %s %s, %d", ret, r, i)
	}
}

// scope is a scope that one statement opens and another closes.
func (p *program) scope() {
	p.line(`call void asm sideeffect "{ .reg .u32 %%t; .reg .pred %%top; add.u32 %%t, $0, 1; setp.lt.s32 %%top, %%t, $1;", "r,r"(i32 %s, i32 %s)`, p.use("i32"), p.use("i32"))
	p.region(p.below(3), false, 0)
	p.def("i32", `call i32 asm sideeffect "@%%top add.u32 %%t, %%t, $1; mov.u32 $0, %%t;", "=r,r"(i32 %s)`, p.use("i32"))
	p.line(`call void asm sideeffect "}", ""()`)
}

// call is a call of @ptx.<form> or of a built-in.
func (p *program) call() {
	if p.below(4) == 0 {
		name := rapid.SampledFrom([]string{"llvm.nvvm.mul24.i", "llvm.nvvm.mul24.ui", "__nv_mul24", "__nv_umul24", "_Z5mul24ii"}).Draw(p.t, "built-in")
		p.declares["declare i32 @"+name+"(i32, i32)"] = true
		p.def("i32", "call i32 @%s(i32 %s, i32 %s)", name, p.use("i32"), p.use("i32"))
		return
	}
	f := rapid.SampledFrom(rapid.SampledFrom(singles()).Draw(p.t, "opcode")).Draw(p.t, "form")
	if f.Op == ptx.Lop3 {
		return
	}
	var types, args []string
	for _, w := range ir.ArgWidths(f) {
		ty := fmt.Sprintf("i%d", w)
		types, args = append(types, ty), append(args, ty+" "+p.use(ty))
	}
	out := fmt.Sprintf("i%d", f.Outs()[0].Bits())
	ret := out
	if f.WritesCF() {
		ret = "{ " + out + ", i1 }"
	}
	name := lower.CallName(f)
	p.declares[fmt.Sprintf("declare %s @%s(%s)", ret, name, strings.Join(types, ", "))] = true
	r := p.def("", "call %s @%s(%s)", ret, name, strings.Join(args, ", "))
	if f.WritesCF() {
		p.def(out, "extractvalue %s %s, 0", ret, r)
		p.def("i1", "extractvalue %s %s, 1", ret, r)
	} else {
		p.vals[out] = append(p.vals[out], r)
	}
}

// block starts a block.
func (p *program) block(label string) {
	fmt.Fprintf(&p.sb, "%s:\n", label)
	p.label = label
}

func (p *program) labels(names ...string) []string {
	p.n++
	for i := range names {
		names[i] += fmt.Sprint(p.n)
	}
	return names
}

// inside writes a region whose values are not seen outside, and gives one of
// type ty and the block it ends in.
func (p *program) inside(ty string, branches bool, depth int) (value, end string) {
	outer := map[string][]string{}
	for t, vs := range p.vals {
		outer[t] = slices.Clone(vs)
	}
	p.region(1+p.below(4), branches, depth)
	value, end = p.use(ty), p.label
	p.vals = outer
	return value, end
}

func (p *program) choice(depth int) {
	l := p.labels("yes", "no", "end")
	ty := rapid.SampledFrom([]string{"i32", "i64", "i1"}).Draw(p.t, "type")
	p.line("br i1 %s, label %%%s, label %%%s", p.use("i1"), l[0], l[1])
	carry := p.carry
	p.block(l[0])
	x, from := p.inside(ty, true, depth-1)
	p.line("br label %%%s", l[2])
	after := p.carry
	p.carry = carry
	p.block(l[1])
	y, other := p.inside(ty, true, depth-1)
	p.line("br label %%%s", l[2])
	p.carry = p.carry && after
	p.block(l[2])
	p.def(ty, "phi %s [ %s, %%%s ], [ %s, %%%s ]", ty, x, from, y, other)
}

func (p *program) loop(depth int) {
	l := p.labels("head", "body", "exit")
	ty := rapid.SampledFrom([]string{"i32", "i64", "i1"}).Draw(p.t, "type")
	first, from := p.use(ty), p.label
	count, value := fmt.Sprintf("%%c%d", p.n), fmt.Sprintf("%%x%d", p.n)
	next := fmt.Sprintf("%%d%d", p.n)
	p.line("br label %%%s", l[0])
	p.block(l[0])
	// The phis need the names of what the body computes: it is written first.
	head := p.sb.String()
	p.sb.Reset()
	bound := p.below(4)
	p.line("%s.more = icmp ult i32 %s, %d", count, count, bound)
	p.line("br i1 %s.more, label %%%s, label %%%s", count, l[1], l[2])
	carry := p.carry
	p.vals[ty] = append(p.vals[ty], value)
	p.block(l[1])
	last, end := p.inside(ty, true, depth-1)
	p.line("%s = add i32 %s, 1", next, count)
	p.line("br label %%%s", l[0])
	body := p.sb.String()
	p.sb.Reset()
	p.sb.WriteString(head)
	p.line("%s = phi i32 [ 0, %%%s ], [ %s, %%%s ]", count, from, next, end)
	p.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s ]", value, ty, first, from, last, end)
	p.sb.WriteString(body)
	p.carry = carry // the body may not run
	p.block(l[2])
}
