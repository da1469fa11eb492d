package mach

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/sem"
)

// place is one register unit of a function.
type place struct {
	r Reg
	s Sub
}

// step runs a copy on what units hold.
func step(held map[place]uint64, d, s Operand) {
	v := s.K.Lo
	if !s.IsConst() {
		v = held[place{s.Reg, s.Sub}]
	}
	if s.Not {
		v ^= 1
	}
	held[place{d.Reg, d.Sub}] = v
}

func TestParallelCopiesAreDoneOneByOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		predicates := rapid.Bool().Draw(rt, "predicates")
		f := &Func{}
		var units []Operand
		c := word
		switch {
		case predicates:
			c = bit
			for range 4 {
				units = append(units, f.R(f.NewReg(bit, "")))
			}
		default:
			for range 3 {
				units = append(units, f.R(f.NewReg(word, "")))
				p := f.NewReg(words, "")
				units = append(units, part(f, p, Low), part(f, p, High))
			}
		}
		var cs []move
		for i, d := range rapid.Permutation(units).Draw(rt, "destinations") {
			s := units[rapid.IntRange(0, len(units)-1).Draw(rt, "source")]
			switch rapid.IntRange(0, 7).Draw(rt, "kind") {
			case 0:
				continue
			case 1:
				s = Imm(sem.U(uint64(i&1)), int(c.Bits))
			case 2, 3:
				s.Not = predicates
			}
			cs = append(cs, move{d, s, c})
		}
		before, want, got := map[place]uint64{}, map[place]uint64{}, map[place]uint64{}
		for i, u := range units {
			v := uint64(100 + i)
			if predicates {
				v = uint64(i >> 1 & 1)
			}
			p := place{u.Reg, u.Sub}
			before[p], want[p], got[p] = v, v, v
		}
		for _, m := range cs {
			now := map[place]uint64{}
			for k, v := range before {
				now[k] = v
			}
			step(now, m.d, m.s)
			want[place{m.d.Reg, m.d.Sub}] = now[place{m.d.Reg, m.d.Sub}]
		}
		n := len(cs)
		insts := f.sequence(toy, cs)
		for _, in := range insts {
			step(got, in.Out[0], in.In[0])
		}
		for p, v := range want {
			if got[p] != v {
				rt.Fatalf("unit %v holds %d, not %d", p, got[p], v)
			}
		}
		if len(insts) > n+n/2 {
			rt.Fatalf("%d instructions for %d copies", len(insts), n)
		}
	})
}

func TestACycleOfCopiesTakesOneMore(t *testing.T) {
	f := &Func{}
	a, b, c := f.NewReg(word, ""), f.NewReg(word, ""), f.NewReg(word, "")
	insts := f.sequence(toy, []move{{f.R(a), f.R(b), word}, {f.R(b), f.R(c), word}, {f.R(c), f.R(a), word}})
	require.Len(t, insts, 4)
	insts = f.sequence(toy, []move{{f.R(a), f.R(a), word}, {f.R(b), f.R(c), word}})
	require.Len(t, insts, 1, "a copy to itself is none")
}

func TestAPredicateThatIsComplementedRoundALoopIsNoCopyToItself(t *testing.T) {
	f := &Func{}
	p := f.R(f.NewReg(bit, ""))
	not := p
	not.Not = true
	insts := f.sequence(toy, []move{{p, not, bit}})
	require.Len(t, insts, 1)
	require.True(t, insts[0].In[0].Not)
}

func TestAnEdgeIsSplit(t *testing.T) {
	from, other, to := &Block{ID: 0, Term: CondJump}, &Block{ID: 1, Term: Jump}, &Block{ID: 2, Term: Ret}
	from.Succs, other.Succs = []*Block{other, to}, []*Block{to}
	other.Preds, to.Preds = []*Block{from}, []*Block{from, other}
	e := splitEdge(from, to, 7)
	require.Equal(t, 7, e.ID)
	require.Equal(t, []*Block{other, e}, from.Succs)
	require.Equal(t, []*Block{to}, e.Succs)
	require.Equal(t, []*Block{from}, e.Preds)
	require.Equal(t, Jump, e.Term)
}

func TestPhisAreCopiesWhereBlocksEnd(t *testing.T) {
	f, entry := function([]Class{word, word})
	a, b := f.R(f.Params[0]), f.R(f.Params[1])
	p, x := f.R(f.NewReg(bit, "")), f.NewReg(word, "")
	end := &Block{ID: 1, Term: Ret, Ret: []Operand{f.R(x)}, Preds: []*Block{entry, entry}, Phis: []Phi{{Out: x, In: []Operand{a, b}}}}
	entry.emit(zero, []Operand{p}, a)
	entry.Term, entry.Cond, entry.Succs = CondJump, p, []*Block{end, end}
	f.Blocks = append(f.Blocks, end)
	f.lowerPhis(toy)
	require.Len(t, f.Blocks, 4, "each of two edges between the same blocks has its block")
	require.Equal(t, []*Block{entry, entry.Succs[0], entry.Succs[1], end}, f.Blocks, "behind the branch")
	require.Equal(t, []int{0, 2, 3, 1}, []int{f.Blocks[0].ID, f.Blocks[1].ID, f.Blocks[2].ID, f.Blocks[3].ID})
	require.Empty(t, end.Phis)
	require.Equal(t, a, entry.Succs[0].Insts[0].In[0])
	require.Equal(t, b, entry.Succs[1].Insts[0].In[0])
	require.Len(t, entry.Insts, 1)
}

func TestHalvesAreWrittenWhereTheirPairIs(t *testing.T) {
	build := func(change func(f *Func, b *Block, x, y Reg)) (*Func, *Block) {
		f, b := function([]Class{word, word})
		x, y, d := f.NewReg(word, "x"), f.NewReg(word, "y"), f.NewReg(words, "d")
		b.emit(add, []Operand{f.R(x)}, f.R(f.Params[0]), f.R(f.Params[1]))
		b.emit(add, []Operand{f.R(y)}, f.R(f.Params[1]), f.R(x))
		b.emit(mov, []Operand{part(f, d, Low)}, f.R(x))
		b.emit(mov, []Operand{part(f, d, High)}, f.R(y))
		b.Ret = []Operand{f.R(d), f.R(y)}
		if change != nil {
			change(f, b, x, y)
		}
		f.coalesceHalves(toy)
		return f, b
	}
	moves := func(b *Block) (n int) {
		for _, in := range b.Insts {
			if in.Move {
				n++
			}
		}
		return n
	}
	f, b := build(nil)
	require.Zero(t, moves(b))
	d := Reg(4)
	require.Equal(t, part(f, d, Low), b.Insts[0].Out[0])
	require.Equal(t, part(f, d, High), b.Insts[1].Out[0])
	require.Equal(t, part(f, d, Low), b.Insts[1].In[1])
	require.Equal(t, part(f, d, High), b.Ret[1], "other uses follow")

	_, b = build(func(f *Func, b *Block, x, y Reg) { b.emit(movK, []Operand{f.R(x)}, Imm(sem.U(1), 32)) })
	require.Equal(t, 1, moves(b), "x has two definitions")
	_, b = build(func(f *Func, b *Block, x, y Reg) { b.emit(movK, []Operand{part(f, d, Low)}, Imm(sem.U(1), 32)) })
	require.Equal(t, 1, moves(b), "the half has two definitions")
	_, b = build(func(f *Func, b *Block, x, y Reg) { b.emit(addw, []Operand{f.R(d)}, f.R(d), f.R(d)) })
	require.Equal(t, 2, moves(b), "the pair has another definition")
	_, b = build(func(f *Func, b *Block, x, y Reg) {
		e := f.NewReg(words, "e")
		b.emit(mov, []Operand{part(f, e, Low)}, f.R(x))
		b.emit(mov, []Operand{part(f, e, High)}, f.R(x))
	})
	require.Equal(t, 2, moves(b), "x can be in one pair only")

	f, b = function([]Class{word, word})
	e := f.NewReg(words, "")
	b.emit(mov, []Operand{part(f, e, Low)}, f.R(f.Params[0]))
	b.emit(mov, []Operand{part(f, e, High)}, f.R(f.Params[1]))
	b.Ret = []Operand{f.R(e)}
	f.coalesceHalves(toy)
	require.Equal(t, 2, moves(b), "parameters have places of their own")
}

func TestAHalfAndAGuardDoNotEndWhatWasLiveBefore(t *testing.T) {
	f, entry := function([]Class{word, word})
	d, x, p := f.NewReg(words, ""), f.NewReg(word, ""), f.NewReg(bit, "")
	entry.emit(mov, []Operand{part(f, d, Low)}, f.R(f.Params[0]))
	entry.emit(movK, []Operand{f.R(x)}, Imm(sem.U(1), 32))
	entry.emit(zero, []Operand{f.R(p)}, f.R(f.Params[1]))
	next := &Block{ID: 1, Term: Ret, Preds: []*Block{entry}}
	next.emit(mov, []Operand{part(f, d, High)}, f.R(f.Params[1]))
	next.emit(movK, []Operand{f.R(x)}, Imm(sem.U(2), 32))
	guard := f.R(p)
	next.Insts[1].Guard = &guard
	next.Ret = []Operand{f.R(d), f.R(x)}
	entry.Term, entry.Succs = Jump, []*Block{next}
	f.Blocks = append(f.Blocks, next)
	_, copies := f.placeResults(toy)
	l := f.liveness(copies)
	for r, name := range map[Reg]string{d: "the pair", x: "what is written under a guard", p: "the guard", f.Params[1]: "a parameter"} {
		require.True(t, l.in[1].has(int(r)), "%s is live", name)
		require.True(t, l.out[0].has(int(r)), "%s is live", name)
	}
	require.False(t, l.in[1].has(int(f.Params[0])))
	require.False(t, l.in[0].has(int(p)))
}
