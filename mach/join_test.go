package mach

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/internal/testutil"
)

// anywhere is the toy machine with many registers, where pairs lie anywhere.
func anywhere(align int16) *Machine {
	m := *toy
	m.PairAlign = align
	m.Banks[General].Order = nil
	for r := range int16(64) {
		m.Banks[General].Order = append(m.Banks[General].Order, r)
	}
	return &m
}

// column adds n products, so to say: each step adds a pair, and the high half of
// the sum, with a word above it, is the low half of the next sum. The low halves
// are the results; the parameters lie behind where those go.
func column(n int) *Func {
	cs := []Class{words, word}
	for range n + 2 + n&1 {
		cs = append([]Class{word}, cs...)
	}
	f, b := function(cs)
	x, y := f.R(f.Params[len(cs)-2]), f.R(f.Params[len(cs)-1])
	acc := x
	for range n {
		d := f.R(f.NewReg(words, ""))
		b.emit(addw, []Operand{d}, acc, x)
		b.Ret = append(b.Ret, part(f, d.Reg, Low))
		t := f.R(f.NewReg(word, ""))
		b.emit(add, []Operand{t}, y, y)
		next := f.NewReg(words, "")
		b.emit(mov, []Operand{part(f, next, Low)}, part(f, d.Reg, High))
		b.emit(mov, []Operand{part(f, next, High)}, t)
		acc = f.R(next)
	}
	return f
}

func TestTheHighHalfOfAPairIsTheLowHalfOfTheNext(t *testing.T) {
	for n := 6; n < 20; n++ {
		f := column(n)
		require.NoError(t, f.Allocate(anywhere(1)))
		_, moves := f.Count()
		require.Zero(t, moves, "%d", n)
		f = column(n)
		require.NoError(t, f.Allocate(anywhere(2)))
		_, moves = f.Count()
		require.GreaterOrEqual(t, moves, n-1) // pairs start at even registers
	}
}

// A word that is joined with the high half of a pair still lets the pair start at
// an even register.
func TestAPairThatJoinsAWordBelowItStaysAligned(t *testing.T) {
	f, b := function([]Class{word, word})
	x, y := f.R(f.Params[0]), f.R(f.Params[1])
	high, pair := f.NewReg(word, ""), f.NewReg(words, "")
	b.emit(add, []Operand{f.R(high)}, x, y)
	b.emit(mov, []Operand{part(f, pair, Low)}, y)
	b.emit(mov, []Operand{part(f, pair, High)}, f.R(high))
	d := f.R(f.NewReg(words, ""))
	b.emit(addw, []Operand{d}, f.R(pair), f.R(pair))
	b.Ret = []Operand{d}
	a := allocation{f: f, m: anywhere(2), fixed: map[Reg]int16{}}
	a.build()
	g := &a.groups[a.groups[pair].first]
	require.Len(t, g.members, 2)
	for _, m := range g.members {
		if m.r == pair {
			require.Equal(t, m.at, g.aligned)
		}
	}
}

// A function 16 times as long takes about 16 times as long, not 256 times.
func TestAllocationTakesAboutLinearTime(t *testing.T) {
	took := func(n int) time.Duration {
		best := time.Hour
		for range 3 {
			f := column(n)
			b := f.Blocks[0]
			b.Ret = b.Ret[n-1:]
			f.Params = f.Params[len(f.Params)-2:]
			start := testutil.ProcessorTime(t)
			require.NoError(t, f.Allocate(anywhere(1)))
			best = min(best, testutil.ProcessorTime(t)-start)
		}
		return best
	}
	short, long := took(1000), took(16000)
	t.Logf("%v, %v", short, long)
	require.Less(t, long, 80*short)
}

// machineState is what units of registers hold.
type machineState map[string]uint64

func run(f *Func, name func(o Operand) (lo, hi string), s machineState) []uint64 {
	get := func(o Operand) uint64 {
		if o.IsConst() {
			return o.K.Lo
		}
		lo, hi := name(o)
		if o.Sub == Whole && f.Classes[o.Reg].Bits == 64 {
			return s[lo] | s[hi]<<32
		}
		return s[lo]
	}
	var out []uint64
	for _, b := range f.Blocks {
		for _, in := range b.Insts {
			v := get(in.In[0])
			if len(in.In) > 1 {
				v += get(in.In[1])
			}
			lo, hi := name(in.Out[0])
			s[lo] = v & 0xffffffff
			if in.Out[0].Sub == Whole && f.Classes[in.Out[0].Reg].Bits == 64 {
				s[hi] = v >> 32
			}
		}
		for _, o := range b.Ret {
			out = append(out, get(o))
		}
	}
	return out
}

// Words and pairs that are made of each other's halves in any way: what is
// joined never holds two values at once.
func TestPairsThatShareRegistersHoldTheirValues(t *testing.T) {
	joined := 0
	rapid.Check(t, func(rt *rapid.T) {
		m := anywhere(int16(rapid.IntRange(1, 2).Draw(rt, "align")))
		f, b := function([]Class{words, word, words, word})
		var pairs, ws []Operand // what there is
		for _, p := range f.Params {
			if f.Classes[p] == words {
				pairs = append(pairs, f.R(p))
				ws = append(ws, part(f, p, Low), part(f, p, High))
			} else {
				ws = append(ws, f.R(p))
			}
		}
		pick := func(of []Operand) Operand { // often what came last
			n := len(of) - 1
			return of[n-min(n, rapid.IntRange(0, 6).Draw(rt, "which"))]
		}
		for range rapid.IntRange(3, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				d := f.R(f.NewReg(word, ""))
				b.emit(add, []Operand{d}, pick(ws), pick(ws))
				ws = append(ws, d)
			case 1:
				d := f.R(f.NewReg(words, ""))
				b.emit(addw, []Operand{d}, pick(pairs), pick(pairs))
				pairs = append(pairs, d)
				ws = append(ws, part(f, d.Reg, Low), part(f, d.Reg, High))
			case 2:
				d := f.R(f.NewReg(words, ""))
				lo, hi := pick(ws), pick(ws)
				b.emit(mov, []Operand{part(f, d.Reg, Low)}, lo)
				if rapid.Bool().Draw(rt, "between") {
					w := f.R(f.NewReg(word, ""))
					b.emit(add, []Operand{w}, lo, hi)
					ws = append(ws, w)
				}
				b.emit(mov, []Operand{part(f, d.Reg, High)}, hi)
				pairs = append(pairs, d)
				ws = append(ws, part(f, d.Reg, Low), part(f, d.Reg, High))
			case 3:
				d := f.R(f.NewReg(word, ""))
				b.emit(mov, []Operand{d}, pick(ws))
				ws = append(ws, d)
			}
		}
		for range rapid.IntRange(1, 9).Draw(rt, "results") {
			b.Ret = append(b.Ret, pick(ws))
		}
		virtual := func(o Operand) (string, string) {
			lo, hi := fmt.Sprintf("%d.lo", o.Reg), fmt.Sprintf("%d.hi", o.Reg)
			if o.Sub == High {
				return hi, ""
			}
			return lo, hi
		}
		want := run(f, virtual, machineState{"0.lo": 3, "0.hi": 5, "1.lo": 7, "2.lo": 1 << 31, "2.hi": 1<<32 - 1, "3.lo": 1 << 20})
		_, before := f.Count()
		require.NoError(rt, f.Allocate(m))
		_, after := f.Count()
		joined += max(0, before-after)
		physical := func(o Operand) (string, string) {
			p := f.unit(o)
			return fmt.Sprint(p), fmt.Sprint(p + 1)
		}
		s := machineState{}
		for i, x := range []uint64{3, 5, 7, 1 << 31, 1<<32 - 1, 1 << 20} {
			at := m.Layout([]Class{words, word, words, word})
			s[fmt.Sprint([]int16{at[0], at[0] + 1, at[1], at[2], at[2] + 1, at[3]}[i])] = x
		}
		require.Equal(rt, want, run(f, physical, s))
	})
	require.Greater(t, joined, 50)
}
