package lower

import (
	"encoding/binary"
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
)

// shape is what asm statements of the same text, constraints, types and
// constants become: real files repeat a few dozen statements thousands of times.
// They share their Frag, so that it can stand for what it computes.
type shape struct {
	first  *Site
	in     []Input
	out    []Output
	frag   *ir.Func
	pruned map[string]*ir.Func // frag with some of its results, by which
}

// shapeKey is all that decides what an asm statement becomes where no scope is
// open; it is valid until the next call.
func (lf *lifter) shapeKey(in *ll.Inst) []byte {
	k := lf.key[:0]
	put := func(s string) {
		k = binary.AppendUvarint(k, uint64(len(s)))
		k = append(k, s...)
	}
	a := in.Call.Asm
	put(lf.m.Text(a.Text.Span()))
	put(a.Cons.Text)
	put(in.Word)
	put(in.Type.String())
	for i := range in.Ops {
		o := &in.Ops[i]
		switch {
		case o.Type == nil:
			k = append(k, 0)
		case o.Kind == ll.ValInt:
			k = append(k, 1)
			k = binary.AppendUvarint(binary.AppendUvarint(k, o.Lo), o.Hi)
			put(o.Type.String())
		default:
			k = append(k, 2)
			put(o.Type.String())
		}
	}
	lf.key = k
	return k
}

// share lets later statements be like a site that was lifted without a word and
// has no state but the carry.
func (lf *lifter) share(key string, s *Site) {
	for i := range s.In {
		if v := s.In[i].v; v != nil && !v.CF {
			return
		}
	}
	for i := range s.Out {
		if v := s.Out[i].v; v != nil && !v.CF {
			return
		}
	}
	s.shape = &shape{first: s, in: slices.Clone(s.In), out: slices.Clone(s.Out), frag: s.Frag, pruned: map[string]*ir.Func{}}
	lf.shapes[key] = s.shape
}

// another is a site like one that is known.
func (lf *lifter) another(sh *shape, b *ll.Block, in *ll.Inst) *Site {
	s := &Site{Kind: SiteAsm, Func: lf.u.Func, Block: b, Inst: in, shape: sh, Frag: sh.frag,
		Insts: slices.Clone(sh.first.Insts), In: slices.Clone(sh.in), Out: slices.Clone(sh.out)}
	s.Moved = s.Span().Start - sh.first.Span().Start
	for i := range s.Insts {
		s.Insts[i].Span = s.Insts[i].Span.Move(s.Moved)
	}
	for i := range s.In {
		if x := &s.In[i]; x.v != nil {
			x.v, x.span = lf.cf, x.span.Move(s.Moved)
		}
	}
	for i := range s.Out {
		if x := &s.Out[i]; x.v != nil {
			x.v = lf.cf
		}
	}
	return s
}

// keepResults lets a site have some of its results only.
func (s *Site) keepResults(keep []bool) {
	f := s.Frag
	if s.shape != nil {
		key := make([]byte, len(keep))
		for i, k := range keep {
			if k {
				key[i] = 1
			}
		}
		if s.Frag = s.shape.pruned[string(key)]; s.Frag != nil {
			return
		}
		f = ir.Clone(f)
		s.Frag = f
		s.shape.pruned[string(key)] = f
	}
	ret := f.Blocks[0]
	n := 0
	for i, k := range keep {
		if k {
			ret.Args[n], f.Results[n] = ret.Args[i], f.Results[i]
			n++
		}
	}
	ret.Args, f.Results = ret.Args[:n], f.Results[:n]
	ir.RemoveDead(f)
}
