package ptxlower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// chainText is a region of a block that is written again as one asm statement.
//
// The statements of the region go, but where something names their results
// there stays an undefined value of the name, since unnamed values have to be
// counted without a gap. LLVM's instructions of the region stay: nobody reads
// them any more. The new statement stands at one place, its results have new
// names, and what reads a value of the region is made to read those.
type chainText struct {
	rechain.Found
	facts   rechain.Facts // that it rests on, may be nil
	block   *ll.Block
	prefix  string     // of all names that it defines, without %
	at      int        // the instruction before which it stands
	body    string     // of the asm statement; else
	native  *mach.Func // portable IR
	texts   []string   // of the parameters, as the block names them
	lines   []string
	names   map[*ir.Value]string // of results, with %
	args    []string             // the parameters' names in the module, without %
	structs []structText         // results that are read as a struct
}

// structText is a struct of results: the name that it had, that which it has, with
// %, and its fields, nil for those that nothing defines.
type structText struct {
	old, name string
	typ       *ll.Type
	fields    []*ir.Value
	last      int // the last field that is there
}

// chains are those of a unit that are written again.
type chains struct {
	texts  []*chainText
	gone   map[*lower.Site]bool
	kept   map[*lower.Site]bool // those that carry and stay as they are
	dead   map[*ll.Inst]bool    // of regions; what they name does not matter
	needed map[string]bool      // names that dead instructions read
	rename map[string]string    // by local name, without % : what is to stand there, with %
}

// chainForm says how chains are written in LLVM IR: for ptxas as that fuses, one
// asm statement each; for others as portable IR. llc adds products up in
// v_mad_u64_u32 but does not use its carry (seen: llc 22): even and odd words
// have the fewest carries, 202 operations for a product of 256 bits on gfx900
// where rows of 64-bit words have 253, and rows of words, which stay, 201; gfx940
// and later like sums of 64 bits without carries, and so do CPUs.
func chainForm(target *targets.Info) (rechain.Class, rechain.Options) {
	class := target.Chains()
	switch {
	case target.Vendor == targets.NVIDIA:
		return class, rechain.Options{For: ptxasOf(target), Least: 2} // what stays is not LLVM's to optimise
	case class == rechain.GFX6:
		return rechain.Stay, rechain.Options{}
	case class == rechain.GFX7 && target.Family != "gfx94x":
		return rechain.Volta, rechain.Options{For: rechain.LLC, Least: worthTelling}
	}
	return rechain.Generic, rechain.Options{Least: worthTelling}
}

// ptxasOf is the class of ptxas that reads text for a target.
func ptxasOf(target *targets.Info) rechain.Reader {
	switch target.Chains() {
	case rechain.Geforce120:
		return rechain.Ptxas120
	case rechain.Volta:
		if f := target.Family; f == "ada" || f == "hopper" || f == "blackwell" {
			return rechain.Ptxas90
		}
		return rechain.Ptxas70
	}
	return rechain.Selection
}

// ofLimbs64 reports products of 64 by 64 bits, which a CPU has and portable sums
// of words have not.
func ofLimbs64(x *rechain.Found) bool {
	return slices.ContainsFunc(x.Vals, func(v *ir.Value) bool {
		return v.Op == ir.PTX && (v.Form.Op == ptx.Mul || v.Form.Op == ptx.Mad || v.Form.Op == ptx.Madc) && v.Form.T.Bits() == 64
	})
}

// findChains says what is to become of the carry chains of a unit; sites that
// become assembly keep theirs.
func (e *splicer) findChains(u *lower.Unit) *chains {
	c := &chains{gone: map[*lower.Site]bool{}, dead: map[*ll.Inst]bool{}, needed: map[string]bool{}, rename: map[string]string{}}
	if e.opt.O0 || e.opt.KeepChains || len(u.Sites) == 0 || e.opt.Sites == SitesAsm {
		return c
	}
	class, opt := chainForm(e.res.Target)
	for _, b := range u.Func.Blocks {
		if class != rechain.Stay && mayChain(u, b, opt.Least) {
			e.blockChains(u, b, c, class, opt)
		}
	}
	return c
}

// mayChain reports a block with PTX and at least so many products; one of more
// than 32 bits may stand for several.
func mayChain(u *lower.Unit, b *ll.Block, least int) bool {
	products, sites := 0, false
	for i := range b.Insts {
		in := &b.Insts[i]
		if in.Op == ll.OpMul {
			products += productWords(in.Type.Bits)
		}
		s := u.Site(in)
		if s == nil {
			continue
		}
		sites = true
		for k := range s.Insts {
			if f := &s.Insts[k].Form; f.Op == ptx.Mul || f.Op == ptx.Mad || f.Op == ptx.Madc {
				products += productWords(f.T.Bits())
			}
		}
	}
	return sites && products >= least
}

// productWords bounds the products of words of one of some bits.
func productWords(bits int) int {
	if bits > 32 {
		return worthTelling
	}
	return 1
}

func (e *splicer) blockChains(u *lower.Unit, b *ll.Block, c *chains, class rechain.Class, opt rechain.Options) {
	s := u.StraightLine(e.m, b, e.opt.Model)
	w := blockText{splicer: e, u: u, b: b, s: s, users: map[*ir.Value][]int{}, made: make([][]*ir.Value, len(b.Insts)), readers: map[*ir.Value][]*ir.Value{}}
	for _, v := range s.Func.Blocks[0].Vals {
		w.made[s.Maker[v]] = append(w.made[s.Maker[v]], v)
		for _, a := range v.Args {
			w.readers[a] = append(w.readers[a], v)
		}
	}
	w.outside()
	opt.Facts = e.facts(u.Func.Name, s.Vals)
	if e.opt.Chain == nil {
		opt.Memo = e.memo
	}
	found := rechain.Find(s.Func.Blocks[0], class, opt)
	for i := range found { // small ones LLVM's optimiser may do better with
		x := &found[i]
		x.Changed = x.Code != nil && productsOf(x.Report) >= opt.Least && !(class == rechain.Generic && ofLimbs64(x)) &&
			!(e.res.Target.Vendor == targets.AMD && llcKeeps(x))
		if x.Code != nil && !x.Changed {
			x.Code, x.Reason = nil, "it is as good as it is"
		}
	}
	stay := func(x *rechain.Found, why string) { x.Changed, x.Code, x.Reason = false, nil, why }
	for again := true; again; { // until all that is to go can
		again = false
		region := map[*ir.Value]*rechain.Found{}
		for i := range found {
			if x := &found[i]; x.Changed {
				for _, v := range x.Vals {
					region[v] = x
				}
			}
		}
		for i, vs := range w.made { // a statement goes as a whole
			if u.Site(&b.Insts[i]) == nil {
				continue
			}
			for _, v := range vs {
				if x := region[v]; x != nil && x.Changed && slices.ContainsFunc(vs, func(o *ir.Value) bool { return region[o] == nil || !region[o].Changed }) {
					stay(x, "a statement has another part")
					again = true
				}
			}
		}
		if again {
			continue
		}
		texts, bad := w.place(found, region, len(c.texts))
		if bad != nil {
			stay(bad, w.why)
			again = true
			continue
		}
		for _, t := range texts {
			t.facts = opt.Facts
		}
		w.commit(c, texts, region)
	}
	for i := range found {
		e.show([]rechain.Report{found[i].Report})
		e.tellOf(found[i].Report, u.Func.NameSpan(), u.Func.Name)
	}
}

// blockText is a block whose chains are written again.
type blockText struct {
	*splicer
	u       *lower.Unit
	b       *ll.Block
	s       *lower.Straight
	made    [][]*ir.Value             // by instruction
	readers map[*ir.Value][]*ir.Value // in s
	users   map[*ir.Value][]int       // the instructions of the block that read a value and are not in s
	why     string                    // why place failed
}

// outside finds what reads values of the block from outside s, and makes it the
// results of the function.
func (w *blockText) outside() {
	blk := w.s.Func.Blocks[0]
	wanted := map[*ir.Value]bool{}
	for _, other := range w.u.Func.Blocks {
		for i := range other.Insts {
			in := &other.Insts[i]
			if other == w.b && w.s.Read[i] || debugCall(in) {
				continue
			}
			for o := range in.Uses() {
				for _, v := range w.s.Vals[o.Name] {
					if v == nil || v.Block != blk {
						continue
					}
					wanted[v] = true
					if other == w.b && in.Op != ll.OpPhi {
						w.users[v] = append(w.users[v], i)
					}
				}
			}
		}
	}
	state := func(s *lower.State) {
		if v := w.s.States[s.Resolve()]; v != nil && v.Block == blk {
			wanted[v] = true
		}
	}
	for _, site := range w.u.Sites {
		i := w.index(site.Inst)
		if site.Block == w.b && w.s.Read[i] {
			continue
		}
		for _, in := range site.In {
			if in.Arg < 0 {
				state(in.State)
				if v := w.s.States[in.State.Resolve()]; v != nil && site.Block == w.b {
					w.users[v] = append(w.users[v], i)
				}
			}
		}
	}
	for _, p := range w.u.Phis {
		for _, in := range p.In {
			state(in)
		}
	}
	for _, v := range blk.Vals {
		if wanted[v] {
			blk.Args, w.s.Func.Results = append(blk.Args, v), append(w.s.Func.Results, v.W)
		}
	}
}

func debugCall(in *ll.Inst) bool {
	return in.Call != nil && in.Call.Kind == ll.CallDirect && strings.HasPrefix(in.Call.Target.Name, "llvm.dbg.")
}

func (w *blockText) index(in *ll.Inst) int {
	for i := range w.b.Insts {
		if &w.b.Insts[i] == in {
			return i
		}
	}
	return -1
}

// place finds a place for each region that is changed and writes it; bad is one
// for which there is none.
func (w *blockText) place(found []rechain.Found, region map[*ir.Value]*rechain.Found, first int) (texts []*chainText, bad *rechain.Found) {
	of := map[*rechain.Found]*chainText{}
	state := map[*rechain.Found]int{}
	var put func(x *rechain.Found) bool
	put = func(x *rechain.Found) bool {
		if state[x] != 0 {
			return state[x] == 2
		}
		state[x] = 1
		c := &chainText{Found: *x, block: w.b, names: map[*ir.Value]string{}}
		early, last := 0, 0
		for _, v := range x.Vals {
			last = max(last, w.s.Maker[v]+1)
		}
		for _, p := range x.Params {
			if y := region[p]; y != nil {
				if !put(y) {
					return false
				}
				early = max(early, of[y].at)
			} else {
				_, _, after := w.text(p)
				early = max(early, after)
			}
		}
		late := len(w.b.Insts) - 1
		for _, v := range x.Wanted {
			for _, i := range w.users[v] {
				late = min(late, i)
			}
			for _, o := range w.readers[v] { // those of other regions and of none
				if region[o] != x {
					late = min(late, w.s.Maker[o])
				}
			}
		}
		c.at = min(max(last, early), late)
		if c.at < early {
			w.why = "something in between needs a part of it"
			return false
		}
		c.prefix = fmt.Sprintf("%sc%d.", w.prefix, first+len(texts))
		if !w.write(c, of, region) {
			return false
		}
		texts, of[x], state[x] = append(texts, c), c, 2
		return true
	}
	for i := range found {
		if x := &found[i]; x.Changed && !put(x) {
			return nil, x
		}
	}
	return texts, nil
}

// text is how the module names a value that is not of a region, and the name
// alone, "" if it does not; the name is there from instruction after on.
func (w *blockText) text(v *ir.Value) (text, name string, after int) {
	if v.Op == ir.Param && v.Name != "" {
		for i := range w.b.Insts {
			in := &w.b.Insts[i]
			if in.Def == v.Name {
				after = i + 1
			}
			for o := range in.Uses() {
				if o.Name == v.Name && o.Kind == ll.ValLocal && name == "" {
					text, name = w.m.Text(o.Span()), o.Name
				}
			}
		}
		return text, name, after
	}
	for i := range w.b.Insts {
		in := &w.b.Insts[i]
		if vs := w.s.Vals[in.Def]; in.Def != "" && len(vs) == 1 && vs[0] == v && in.Type != nil && in.Type.IsInt(v.W) {
			if text = w.m.Text(in.DefSpan()); text == "" {
				text = "%" + in.Def
			}
			return text, in.Def, i + 1
		}
	}
	if s := w.stateOf(v); s != nil {
		text = w.state(s)
		return text, strings.TrimPrefix(text, "%"), w.madeState(s)
	}
	return "", "", 0
}

// madeState is the instruction from which on a state value is there.
func (w *blockText) madeState(s *lower.State) int {
	for i := range w.b.Insts {
		if x := w.u.Site(&w.b.Insts[i]); x != nil && slices.ContainsFunc(x.Out, func(o lower.Output) bool { return o.Field < 0 && o.State == s }) {
			return i + 1
		}
	}
	return 0
}

// stateOf is the state value that is v and that is read somewhere.
func (w *blockText) stateOf(v *ir.Value) (s *lower.State) {
	for x, y := range w.s.States {
		if y == v && x.Used && (s == nil || x.ID < s.ID) {
			s = x
		}
	}
	return s
}

// commit records what is to go, what is to come, and what is to be named anew.
func (w *blockText) commit(c *chains, texts []*chainText, region map[*ir.Value]*rechain.Found) {
	names := map[*ir.Value]string{}
	for _, t := range texts {
		for v, n := range t.names {
			names[v] = n
		}
		for _, s := range t.structs {
			c.rename[s.old] = s.name
		}
	}
	c.texts = append(c.texts, texts...)
	for i := range w.b.Insts {
		in := &w.b.Insts[i]
		vs := w.s.Vals[in.Def]
		if !w.s.Read[i] {
			continue
		}
		mine := false
		for _, v := range w.made[i] {
			mine = mine || region[v] != nil
		}
		if in.Op == ll.OpExtractValue && len(vs) == 1 {
			mine = region[vs[0]] != nil
		}
		if !mine {
			continue
		}
		c.dead[in] = true
		if s := w.u.Site(in); s != nil {
			c.gone[s] = true
		}
		if len(vs) == 1 && names[vs[0]] != "" && in.Type.Kind == ll.TyInt {
			c.rename[in.Def] = names[vs[0]]
		}
	}
}

// remains is what stands for a statement that has gone: an undefined value where
// its name or number is still needed, else nothing.
func (c *chains) remains(m *ll.Module, s *lower.Site) string {
	in := s.Inst
	if in.Def == "" || !c.needed[in.Def] && in.Def[0] > '9' {
		return ""
	}
	def := m.Text(in.DefSpan())
	if def == "" {
		def = "%" + in.Def
	}
	if in.Type.Kind == ll.TyInt {
		return fmt.Sprintf("%s = add %s undef, 0", def, in.Type)
	}
	return fmt.Sprintf("%s = insertvalue %s undef, %s undef, 0", def, in.Type, in.Type.Under().Fields[0])
}

// go lets a statement go.
func (e *splicer) remove(c *chains, s *lower.Site) {
	text := c.remains(e.m, s)
	if text == "" {
		(&siteText{splicer: e, s: s}).replace()
		return
	}
	e.edits = append(e.edits, ll.Edit{Span: s.Inst.Span(), Text: text})
}

// renamed are the edits that make an instruction that stays read the new names.
func (c *chains) renamed(in *ll.Inst) (edits []ll.Edit) {
	if c.dead[in] || debugCall(in) {
		return nil
	}
	for o := range in.Uses() {
		if n := c.rename[o.Name]; n != "" && o.Kind == ll.ValLocal {
			edits = append(edits, ll.Edit{Span: o.Span(), Text: n})
		}
	}
	return edits
}

// spliceChains removes, inserts and renames what the chains of a unit need.
func (e *splicer) spliceChains(u *lower.Unit, c *chains) error {
	for in := range c.dead { // what is left of a region reads what is left of it
		if u.Site(in) == nil {
			for o := range in.Uses() {
				c.needed[o.Name] = true
			}
		}
	}
	for _, t := range c.texts {
		if err := t.lay(c.rename, e.declares); err != nil {
			return err
		}
		in := &t.block.Insts[t.at]
		indent, at := e.m.Indent(in), in.Span().Start
		text := strings.Join(t.lines, "\n"+indent) + "\n"
		if start := e.m.LineStart(in); strings.TrimSpace(e.m.Text(diag.Span{Start: start, End: at})) == "" {
			at, text = start, indent+text
		} else {
			text += indent
		}
		e.edits = append(e.edits, ll.Edit{Span: diag.Span{Start: at, End: at}, Text: text})
	}
	for _, b := range u.Func.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			switch s := u.Site(in); {
			case c.gone[s] && s != nil:
				e.remove(c, s)
			case s == nil || s.Frag == nil || c.kept[s]: // others are written anew as a whole
				e.edits = append(e.edits, c.renamed(in)...)
			}
		}
	}
	return nil
}
