package llirdoor

import (
	"fmt"
	"regexp"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/ptxlower/ptxlower/ir/ll"
)

// replace gives a module the instructions of its lowered text. The module is
// unchanged after an error.
func replace(m *llir.Module, old, lowered *ll.Module) error {
	if len(old.Funcs) != len(lowered.Funcs) {
		return fmt.Errorf("lowering has changed the number of functions from %d to %d", len(old.Funcs), len(lowered.Funcs))
	}
	callees, added, err := declare(m, lowered)
	if err != nil {
		return err
	}
	var changes []*change
	for i, f := range definitions(m) {
		if old.Text(old.Funcs[i].Body()) == lowered.Text(lowered.Funcs[i].Body()) {
			continue
		}
		c := &change{f: f, old: old.Funcs[i], new: lowered.Funcs[i], b: newBuilder(lowered, callees), with: map[value.Value]value.Value{}}
		if broken := guard(func() { err = c.plan() }); broken != nil {
			err = broken
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Ident(), err)
		}
		changes = append(changes, c)
	}
	for _, c := range changes {
		c.apply()
	}
	if len(changes) > 0 { // orders of uses that are no longer the same
		m.UseListOrders, m.UseListOrderBBs = nil, nil
	}
	m.Funcs = append(m.Funcs, added...)
	return nil
}

// declare gives the functions of a module by their canonical names, with those
// that only the lowered text declares, which are added as well.
func declare(m *llir.Module, lowered *ll.Module) (callees map[string]*llir.Func, added []*llir.Func, err error) {
	callees = map[string]*llir.Func{}
	for _, f := range m.Funcs {
		if !f.IsUnnamed() {
			callees[ll.Quote(f.GlobalName)] = f
		}
	}
	var b builder // that knows no types: intrinsics have integers only
	for _, d := range lowered.Decls {
		if callees[d.Name] != nil {
			continue
		}
		ret, err := b.typ(d.Ret)
		if err != nil {
			return nil, nil, err
		}
		var params []*llir.Param
		for i := range d.Params {
			t, err := b.typ(d.Params[i].Type)
			if err != nil {
				return nil, nil, err
			}
			params = append(params, llir.NewParam("", t))
		}
		f := llir.NewFunc(ll.Unquote(d.Name), ret, params...)
		f.Parent = m
		callees[d.Name] = f
		added = append(added, f)
	}
	return callees, added, nil
}

// change is what lowering does to one function.
type change struct {
	f        *llir.Func
	old, new *ll.Func
	b        *builder
	blocks   [][]llir.Instruction        // of the lowered function
	made     []made                      // those among them that are new
	with     map[value.Value]value.Value // what stands for each call that was a site
	reads    []reading                   // of instructions that stay
}

// reading is an instruction that stays and reads other values now: results of a
// chain that was written again.
type reading struct {
	user value.User // an instruction or a terminator
	now  map[value.Value]value.Value
}

// made is a new instruction. Its operands are filled in when all are there.
type made struct {
	inst llir.Instruction
	in   *ll.Inst
}

// plan makes the new instructions and changes nothing.
func (c *change) plan() error {
	if len(c.old.Blocks) != len(c.new.Blocks) {
		return fmt.Errorf("lowering has changed the number of blocks from %d to %d", len(c.old.Blocks), len(c.new.Blocks))
	}
	for i := range c.new.Params {
		c.b.vals[c.new.Params[i].Name] = c.f.Params[i]
	}
	from := make([][]int, len(c.new.Blocks))
	was := map[string]value.Value{}
	for i, b := range c.old.Blocks {
		for k, in := range c.f.Blocks[i].Insts {
			if v, ok := in.(value.Value); ok && b.Insts[k].Def != "" {
				was[b.Insts[k].Def] = v
			}
		}
	}
	names := map[string]string{} // what llir calls the results of sites
	sites := map[string]*llir.InstCall{}
	for i, b := range c.new.Blocks {
		c.b.blocks[b.Name] = c.f.Blocks[i]
		var gone []int
		var err error
		if from[i], gone, err = align(c.old.Blocks[i], b); err != nil {
			return err
		}
		for _, k := range gone {
			site := &c.old.Blocks[i].Insts[k]
			call, ok := c.f.Blocks[i].Insts[k].(*llir.InstCall)
			if !ok {
				continue // it took a part of a call that is gone
			}
			c.b.learn(c.old.Mod, site, call)
			names[site.Def], sites[site.Def] = call.LocalName, call
		}
	}
	for i, b := range c.new.Blocks {
		insts, err := c.block(b, c.f.Blocks[i], from[i], names)
		if err != nil {
			return err
		}
		c.blocks = append(c.blocks, insts)
	}
	for def, call := range sites {
		if v := c.b.vals[def]; v != nil {
			c.with[call] = v
		}
	}
	for _, n := range c.made {
		if err := c.b.operands(n.inst, n.in); err != nil {
			return err
		}
	}
	for i, b := range c.new.Blocks {
		for j, k := range from[i] {
			if k < 0 {
				continue
			}
			r := reading{now: map[value.Value]value.Value{}}
			if r.user = c.f.Blocks[i].Term; k < len(c.f.Blocks[i].Insts) {
				r.user = c.f.Blocks[i].Insts[k]
			}
			pairs, _ := renamed(text(c.old.Blocks[i], k), text(b, j))
			for old, now := range pairs {
				if was[old] == nil || c.b.vals[now] == nil {
					return fmt.Errorf("lowering has put %s for %s", now, old)
				}
				r.now[was[old]] = c.b.vals[now]
			}
			if len(pairs) > 0 {
				c.reads = append(c.reads, r)
			}
		}
	}
	return nil
}

// localName is a local name, as text has it.
var localName = regexp.MustCompile(`%(?:"[^"]*"|[-a-zA-Z$._0-9]+)`)

// renamed gives what stands in an instruction for each local name that has
// changed; ok is false where more has.
func renamed(old, now string) (pairs map[string]string, ok bool) {
	if old == now {
		return nil, true
	}
	a, b := localName.FindAllString(old, -1), localName.FindAllString(now, -1)
	if len(a) != len(b) || localName.ReplaceAllString(old, "%") != localName.ReplaceAllString(now, "%") {
		return nil, false
	}
	pairs = map[string]string{}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		old, now := a[i][1:], b[i][1:]
		if was, seen := pairs[old]; seen && was != now {
			return nil, false
		}
		pairs[old] = now
	}
	return pairs, true
}

// align says which instruction of the old block each one of the lowered block
// is, -1 for the new ones, and which calls of the old block are gone. A site's
// result keeps its name, and everything else its text; so an instruction is new
// where its result has a name that the old block lacks, or another text there.
func align(old, lowered *ll.Block) (from, gone []int, err error) {
	defs := map[string]int{}
	for i := range old.Insts {
		if d := old.Insts[i].Def; d != "" {
			defs[d] = i
		}
	}
	next := 0 // in the old block
	for i := range lowered.Insts {
		def, t := lowered.Insts[i].Def, text(lowered, i)
		at, known := defs[def]
		if def == "" {
			for at = next; at < len(old.Insts) && (old.Insts[at].Def != "" || !stays(text(old, at), t)); at++ {
			}
			if known = at < len(old.Insts); !known {
				return nil, nil, fmt.Errorf("lowering has added %q", t)
			}
		}
		if !known {
			from = append(from, -1)
			continue
		}
		if at < next {
			return nil, nil, fmt.Errorf("lowering has moved %q", t)
		}
		for ; next < at; next++ {
			gone = append(gone, next)
		}
		next++
		if stays(text(old, at), t) {
			from = append(from, at)
		} else {
			gone, from = append(gone, at), append(from, -1)
		}
	}
	left := map[string]bool{}
	for i := range lowered.Insts {
		left[lowered.Insts[i].Def] = true
	}
	for _, k := range gone {
		if in := &old.Insts[k]; in.Op != ll.OpCall && (in.Def == "" || left[in.Def]) {
			return nil, nil, fmt.Errorf("lowering has replaced %q", text(old, k))
		}
	}
	return from, gone, nil
}

// text is that of an instruction.
func text(b *ll.Block, i int) string { return b.Func.Mod.Text(b.Insts[i].Span()) }

// stays reports that an instruction is the same but for the names that it reads.
func stays(old, now string) bool {
	_, ok := renamed(old, now)
	return ok
}

// block lists the instructions of a lowered block, without the terminator.
func (c *change) block(b *ll.Block, old *llir.Block, from []int, names map[string]string) ([]llir.Instruction, error) {
	var insts []llir.Instruction
	for i := range b.Insts {
		in := &b.Insts[i]
		var x any
		switch k := from[i]; {
		case k == len(old.Insts):
			x = old.Term
		case k >= 0:
			x = old.Insts[k]
			insts = append(insts, old.Insts[k])
		default:
			name, ok := names[in.Def]
			if !ok {
				name = ll.Unquote(in.Def)
			}
			inst, err := c.b.inst(in, name)
			if err != nil {
				return nil, err
			}
			x = inst
			c.made = append(c.made, made{inst, in})
			insts = append(insts, inst)
		}
		if v, ok := x.(value.Value); ok && in.Def != "" {
			c.b.vals[in.Def] = v
		}
	}
	return insts, nil
}

// apply puts the new instructions in place.
func (c *change) apply() {
	for _, r := range c.reads {
		uses(r.user, func(p *value.Value) {
			if v := r.now[*p]; v != nil {
				*p = v
			}
		})
	}
	for i, b := range c.f.Blocks {
		b.Insts = c.blocks[i]
		for _, in := range b.Insts {
			uses(in, c.replaceUse)
		}
		uses(b.Term, c.replaceUse)
	}
	c.f.UseListOrders = nil
	forgetNumbers(c.f)
}

func (c *change) replaceUse(p *value.Value) {
	if v := c.with[*p]; v != nil {
		*p = v
	}
}
