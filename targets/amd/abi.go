package amd

import (
	"fmt"

	"github.com/ptxlower/ptxlower/mach"
)

// LLVM's C calling convention has parameters and results in v0, v1 …, pairs in
// the next two registers. Where pairs start at even registers the machine's
// layout has gaps, which the convention has not: what lies behind one is moved
// as the function begins and ends.

// passed ends the lines of those moves, which are not the function's own.
const passed = "; passed"

// words are the registers in which the layout has values, in order.
func (p *printing) words(cs []mach.Class) []int16 {
	var at []int16
	for i, place := range machineOf(p.features).Layout(cs) {
		if cs[i].Bank == mach.Scalar { // which lie where they are wanted
			continue
		}
		for u := range int16(cs[i].Bits / 32) {
			at = append(at, place+u)
		}
	}
	return at
}

func (p *printing) params() []mach.Class {
	cs := make([]mach.Class, len(p.f.Params))
	for i, r := range p.f.Params {
		cs[i] = p.f.Classes[r]
	}
	return cs
}

func results(b *mach.Block) []mach.Class {
	cs := make([]mach.Class, len(b.Ret))
	for i, o := range b.Ret {
		cs[i] = mach.Class{Bank: mach.General, Bits: max(o.Bits, 32)}
	}
	return cs
}

// onStack is the error of more parameters or results than registers carry.
func (p *printing) onStack() error {
	check := func(what string, cs []mach.Class) error {
		n := 0
		for _, c := range cs {
			if c.Bank == mach.General {
				n += int(c.Bits / 32)
			}
		}
		if n > argWords {
			return fmt.Errorf("%s has a %s beyond %d words: it would lie on the stack", p.f.Name, what, argWords)
		}
		return nil
	}
	if err := check("parameter", p.params()); err != nil {
		return err
	}
	for _, b := range p.f.Blocks {
		if err := check("result", results(b)); err != nil {
			return err
		}
	}
	return nil
}

// receive moves parameters up to their places, the last first.
func (p *printing) receive() {
	at := p.words(p.params())
	for i := len(at) - 1; i >= 0; i-- {
		p.pass(at[i], int16(i))
	}
}

// give moves results down from their places, the first first.
func (p *printing) give(b *mach.Block, h *hazards) {
	for i, at := range p.words(results(b)) {
		if int16(i) != at {
			p.line(h.before(event{half: -1, vgprs: []int16{at}}))
		}
		p.pass(int16(i), at)
	}
}

func (p *printing) pass(to, from int16) {
	if to != from {
		p.line(fmt.Sprintf("v_mov_b32 v%d, v%d %s", to, from, passed))
	}
}
