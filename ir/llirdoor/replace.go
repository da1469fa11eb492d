package llirdoor

import (
	"fmt"

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
			site, call := &c.old.Blocks[i].Insts[k], c.f.Blocks[i].Insts[k].(*llir.InstCall)
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
	return nil
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
	text := func(b *ll.Block, i int) string { return b.Func.Mod.Text(b.Insts[i].Span()) }
	next := 0 // in the old block
	for i := range lowered.Insts {
		def, t := lowered.Insts[i].Def, text(lowered, i)
		at, known := defs[def]
		if def == "" {
			for at = next; at < len(old.Insts) && (old.Insts[at].Def != "" || text(old, at) != t); at++ {
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
		if text(old, at) == t {
			from = append(from, at)
		} else {
			gone, from = append(gone, at), append(from, -1)
		}
	}
	for _, k := range gone {
		if in := &old.Insts[k]; in.Op != ll.OpCall {
			return nil, nil, fmt.Errorf("lowering has replaced %q", text(old, k))
		}
	}
	return from, gone, nil
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
