package lower

import (
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
)

// Lift finds the sites of a module and turns each into a fragment of IR, with
// CC.CF and the registers of shared scopes as SSA values of the function. What
// is wrong goes to l; a function with an error has no useful Unit.
func Lift(m *ll.Module, opt Options, l *diag.List) []*Unit {
	var units []*Unit
	shapes := map[string]*shape{}
	for _, f := range m.Funcs {
		lf := lifter{m: m, opt: opt, l: l, shapes: shapes, u: &Unit{Func: f, byInst: map[*ll.Inst]*Site{}}}
		lf.function()
		units = append(units, lf.u)
	}
	return units
}

type lifter struct {
	m       *ll.Module
	opt     Options
	l       *diag.List
	u       *Unit
	cf      *Var
	events  [][]event // by block
	reached []bool    // by block: the entry leads there
	shapes  map[string]*shape
	key     []byte
}

// event is something that matters to state values, in the order of a block.
type event struct {
	site *Site    // reads and writes state
	call *ll.Inst // a real call: loses CC.CF
}

func (lf *lifter) function() {
	f := lf.u.Func
	if !hasCalls(f) {
		return
	}
	lf.cf = &Var{Name: "CC.CF", W: 1, CF: true, typ: ptx.Pred}
	lf.events = make([][]event, len(f.Blocks))
	open := make([][]*shared, len(f.Blocks))
	lf.reached = make([]bool, len(f.Blocks))
	for _, b := range order(f) {
		var stack []*shared
		for _, p := range b.Preds {
			if lf.reached[p.Index] {
				stack = open[p.Index]
				break
			}
		}
		lf.reached[b.Index] = true
		open[b.Index] = lf.block(b, stack)
	}
	for _, b := range f.Blocks {
		if !lf.reached[b.Index] {
			lf.block(b, nil)
			continue
		}
		lf.scopes(b, open)
	}
	slices.SortFunc(lf.u.Sites, func(x, y *Site) int { return x.Inst.Span().Start - y.Inst.Span().Start })
	lf.resolve()
}

// scopes checks that the ways into a block agree on the scopes that are open,
// and that none is open where the function returns.
func (lf *lifter) scopes(b *ll.Block, open [][]*shared) {
	var first *ll.Block
	for _, p := range b.Preds {
		switch {
		case !lf.reached[p.Index]:
		case first == nil:
			first = p
		case !slices.Equal(open[p.Index], open[first.Index]):
			lf.l.Errorf("asm-scope", lf.m.File, b.Label(), "asm scopes { } that are open here differ between the ways into this block")
			return
		}
	}
	if t := b.Term(); t != nil && t.Op == ll.OpRet && len(open[b.Index]) > 0 {
		lf.l.Warnf("asm-scope", lf.m.File, open[b.Index][0].span, "this asm scope { is not closed before the function returns")
	}
}

func hasCalls(f *ll.Func) bool {
	for _, b := range f.Blocks {
		for i := range b.Insts {
			if b.Insts[i].Call != nil {
				return true
			}
		}
	}
	return false
}

// order is a reverse postorder of the blocks that the entry reaches, in which
// the first successor comes before the others.
func order(f *ll.Func) []*ll.Block {
	seen := make([]bool, len(f.Blocks))
	post := make([]*ll.Block, 0, len(f.Blocks))
	type frame struct {
		b *ll.Block
		i int
	}
	stack := []frame{{f.Blocks[0], 0}}
	seen[0] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if ss := top.b.Succs(); top.i < len(ss) {
			s := ss[len(ss)-1-top.i]
			top.i++
			if !seen[s.Index] {
				seen[s.Index] = true
				stack = append(stack, frame{s, 0})
			}
			continue
		}
		post = append(post, top.b)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(post)
	return post
}

// block lifts the sites of a block and gives the scopes open at its end.
func (lf *lifter) block(b *ll.Block, stack []*shared) []*shared {
	for i := range b.Insts {
		in := &b.Insts[i]
		if in.Call == nil {
			continue
		}
		var s *Site
		switch in.Call.Kind {
		case ll.CallAsm:
			s, stack = lf.asm(b, in, stack)
		case ll.CallDirect:
			s = lf.call(b, in)
			if s == nil && !strings.HasPrefix(in.Call.Callee, "llvm.") {
				lf.events[b.Index] = append(lf.events[b.Index], event{call: in})
			}
		default:
			lf.events[b.Index] = append(lf.events[b.Index], event{call: in})
		}
		if s != nil {
			lf.u.Sites = append(lf.u.Sites, s)
			lf.u.byInst[in] = s
			lf.events[b.Index] = append(lf.events[b.Index], event{site: s})
		}
	}
	return stack
}

// asm lifts an asm statement; the site is nil where it is not PTX of ours.
func (lf *lifter) asm(b *ll.Block, in *ll.Inst, stack []*shared) (*Site, []*shared) {
	var key string
	if len(stack) == 0 {
		k := lf.shapeKey(in)
		if sh := lf.shapes[string(k)]; sh != nil {
			return lf.another(sh, b, in), stack
		}
		key = string(k)
	}
	said := len(lf.l.All)
	a := in.Call.Asm
	text := a.Text.Text
	pos := func(sp diag.Span) diag.Span { return a.Text.SourceSpan(sp.Start, sp.End) }
	var own diag.List
	body := ptx.ParseBody([]byte(text), func(sev diag.Severity, id string, sp diag.Span, format string, args ...any) {
		own.Add(sev, id, lf.m.File, pos(sp), format, args...)
	})
	s := &Site{Kind: SiteAsm, Func: lf.u.Func, Block: b, Inst: in}
	var opaque *ptx.Inst
	known := 0
	for i := range body.Items {
		it := &body.Items[i]
		if it.Kind != ptx.ItemInst {
			continue
		}
		if it.Inst.Opaque || special(it.Inst) {
			if opaque == nil {
				opaque = it.Inst
			}
			continue
		}
		known++
		s.Insts = append(s.Insts, SiteInst{Name: it.Inst.Name, Form: it.Inst.Form, Span: pos(it.Inst.NameSpan)})
	}
	mine := known > 0 || mentionsFamily(text)
	if len(body.Items) == 0 && own.Errors() == 0 || !mine && (opaque != nil || own.Errors() > 0) || !mine && !scopeOnly(body) {
		switch ptxText := lf.m.Triple == "" || strings.HasPrefix(lf.m.Triple, "nvptx"); {
		case lf.opt.KeepUnknown || !ptxText:
		case opaque != nil:
			lf.unknown(s, opaque, pos)
		case !mine:
			for _, d := range own.All { // "addd.u32" is meant to be PTX, "nop" is not
				if d.ID == "ptx-unknown-opcode" || d.ID == "ptx-lower-case" {
					lf.l.All = append(lf.l.All, d)
				}
			}
		}
		return nil, stack
	}
	lf.l.All = append(lf.l.All, own.All...)
	if own.Errors() > 0 {
		return nil, stack
	}
	if in.Op != ll.OpCall {
		lf.l.Errorf("asm-branch", lf.m.File, in.WordSpan(), "PTX in %s is not supported", in.Word)
		return nil, stack
	}
	if opaque != nil {
		return lf.keep(s, body, opaque, pos, stack), stack
	}
	ops, ok := in.AsmOperands(lf.m.File, lf.l)
	if !ok {
		return nil, stack
	}
	g := &fragment{l: lf.l, file: lf.m.File, site: s, pos: pos, cfIn: -1, f: ir.NewFunc("site")}
	g.f.Model = lf.opt.Model
	g.b = g.f.Blocks[0]
	g.cf = g.stateCell(lf.cf)
	g.operands(ops)
	for _, sh := range stack {
		g.scopes = append(g.scopes, &scope{names: map[string]*cell{}, shared: sh})
	}
	if len(stack) == 0 {
		g.scopes = append(g.scopes, &scope{names: map[string]*cell{}})
	}
	base := len(g.scopes)
	stack = stack[:len(stack):len(stack)]
	for i := range body.Items {
		it := &body.Items[i]
		switch it.Kind {
		case ptx.ItemInst:
			g.inst(it.Inst)
		case ptx.ItemDecl:
			g.declare(it.Decl)
		case ptx.ItemOpen:
			g.scopes = append(g.scopes, &scope{names: map[string]*cell{}})
		case ptx.ItemClose:
			switch {
			case len(g.scopes) > base:
			case len(stack) > 0:
				stack = stack[:len(stack)-1]
				base--
				if base == 0 {
					base = 1
					g.scopes = append([]*scope{{names: map[string]*cell{}}}, g.scopes...)
				}
			default:
				g.errorf("asm-scope", it.Span, "} without {")
				continue
			}
			g.scopes = g.scopes[:len(g.scopes)-1]
		}
	}
	if g.bad {
		return nil, stack
	}
	if g.finish(ops); g.bad {
		return nil, stack
	}
	for i, sc := range g.scopes { // what outlives the statement
		switch {
		case sc.shared != nil:
			g.share(sc)
		case i >= base:
			sc.shared = &shared{vars: map[string]*Var{}, span: a.Text.Span()}
			g.share(sc)
			stack = append(stack, sc.shared)
		}
	}
	if g.cf.wrote {
		g.output(g.cf, lf.cf)
	}
	for _, v := range g.rets {
		g.f.Results = append(g.f.Results, v.W)
	}
	g.b.Ret(g.rets...)
	s.Frag = g.f
	if key != "" && len(stack) == 0 && len(lf.l.All) == said {
		lf.share(key, s)
	}
	return s, stack
}

// mentions reports whether a body uses a name of the scopes that are open.
func mentions(text string, stack []*shared) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && strings.ContainsRune(" \t\r\n;,.{}()[]+-*/<>=!@|&:", r) }) {
		if t := strings.TrimLeft(w, "%"); t != w {
			w = "%" + t
		}
		for _, s := range stack {
			if s.vars[w] != nil {
				return true
			}
		}
	}
	return false
}

// special reports an instruction that reads a special register.
func special(in *ptx.Inst) bool {
	for i := range in.Src {
		if in.Src[i].Kind == ptx.OperandSpecial {
			return true
		}
	}
	return false
}

// scopeOnly reports a body of braces, declarations and labels, but not of labels
// alone, which other assemblers have too.
func scopeOnly(b *ptx.Body) bool {
	scopes := false
	for i := range b.Items {
		switch b.Items[i].Kind {
		case ptx.ItemInst:
			return false
		case ptx.ItemOpen, ptx.ItemClose, ptx.ItemDecl:
			scopes = true
		}
	}
	return scopes
}

// mentionsFamily reports whether a text that may be no PTX at all names an
// opcode of the family; where other assemblers have it too, with a modifier
// that is PTX's.
func mentionsFamily(text string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n;{}", r) }) {
		words := strings.Split(w, ".")
		switch words[0] {
		case "mul24", "mad24", "addc", "subc", "madc", "vmad":
			return true
		case "add", "sub", "mul", "mad":
			for _, m := range words[1:] {
				switch m {
				case "lo", "hi", "wide", "cc", "sat", "u16", "u32", "u64", "s16", "s32", "s64":
					return true
				}
			}
		}
	}
	return false
}

// unknown reports an instruction that only NVIDIA's assembler understands.
func (lf *lifter) unknown(s *Site, in *ptx.Inst, pos func(diag.Span) diag.Span) {
	name, at := in.Name, in.NameSpan
	what := "is not an instruction that ptxlower lowers"
	if ptx.VideoSibling(in.Name) {
		what = "is a video instruction that ptxlower does not lower yet"
	}
	for i := range in.Src {
		if o := &in.Src[i]; !in.Opaque && o.Kind == ptx.OperandSpecial {
			name, at, what = o.Name, o.Span, "is a special register, which only NVIDIA GPUs have"
		}
	}
	lf.l.Errorf("asm-unknown", lf.m.File, pos(at), "%s %s", name, what).
		Notef(nil, diag.Span{}, "on NVIDIA targets the statement can stay as it is (--emit=llvm)")
}

// keep makes a site that stays as it is for an unknown instruction.
func (lf *lifter) keep(s *Site, body *ptx.Body, opaque *ptx.Inst, pos func(diag.Span) diag.Span, stack []*shared) *Site {
	if !lf.opt.KeepUnknown {
		lf.unknown(s, opaque, pos)
		return nil
	}
	s.Kept, s.KeptSpan = opaque.Name, pos(opaque.NameSpan)
	depth := 0
	wrote, certain := false, false // CC.CF, perhaps only under a guard
	for i := range body.Items {
		it := &body.Items[i]
		switch it.Kind {
		case ptx.ItemOpen:
			depth++
		case ptx.ItemClose:
			depth--
		case ptx.ItemInst:
			if it.Inst.Opaque {
				continue
			}
			if f := it.Inst.Form; f.ReadsCF() && !certain {
				lf.l.Errorf("cc-opaque", lf.m.File, pos(it.Inst.NameSpan),
					"%s reads a carry from outside a statement that stays as it is because of %s", it.Inst.Name, opaque.Name)
				return nil
			} else if f.WritesCF() {
				wrote, certain = true, certain || it.Inst.Guard == nil
			}
		}
	}
	if depth != 0 || mentions(s.Inst.Call.Asm.Text.Text, stack) {
		lf.l.Errorf("asm-scope", lf.m.File, s.KeptSpan, "a statement with %s cannot share its { } with other statements", opaque.Name)
		return nil
	}
	if wrote {
		s.Out = append(s.Out, Output{Field: -1, v: lf.cf})
	}
	return s
}
