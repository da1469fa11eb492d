package amd

import (
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
)

// Hazards: reads of lane masks that come too soon. What software has to do about
// them depends on the generation; where it is nothing, hazards does nothing.
//
// gfx94x: between a VALU that writes a mask and one that reads it there are two
// other instructions or idle states; after a VALU that writes a half of a
// register there is one before a VALU reads it (LLVM: GCNHazardRecognizer,
// VALUWriteSGPRVALURead and DstSelForwarding).
//
// gfx1200, gfx1201: a mask that was written is waited for before it is read, but
// by SALUs only if one wrote it, and before the function returns (LLVM:
// AMDGPUWaitSGPRHazards).
type hazards struct {
	step func(s state, e event) (state, string)
	in   map[*mach.Block]state
	turn map[*mach.Block]state // where loops come back to, behind what precedes them
	now  state
}

// laneSet is a set of masks: bit n for those that begin with SGPR n, the last for VCC.
type laneSet uint64

const vccBit laneSet = 1 << 63

func maskBit(n int16) laneSet {
	if n == vcc {
		return vccBit
	}
	return 1 << n
}

// unit is what executes an instruction; leaves is the return.
type unit uint8

const (
	valu unit = iota
	salu
	leaves
)

// event is what an instruction does with masks, and with halves of registers.
type event struct {
	unit          unit
	reads, writes laneSet
	half          int16   // the register of which it writes a half, −1 for none
	vgprs         []int16 // that it reads
}

// state is what was written and may be read too soon.
type state struct {
	fresh, stale laneSet // by a VALU just now, and one instruction before
	half         int16   // the register of which a half was written, plus 1
	byVALU       laneSet
	bySALU       laneSet
}

func (s state) merge(t state) state {
	s.fresh |= t.fresh
	s.stale |= t.stale
	s.byVALU |= t.byVALU
	s.bySALU |= t.bySALU
	s.half = max(s.half, t.half)
	return s
}

// hazards finds what is pending where blocks begin.
func (p *printing) hazards() hazards {
	h := hazards{in: map[*mach.Block]state{}, turn: map[*mach.Block]state{}}
	switch {
	case p.features.Has(NOPS):
		h.step = idle
	case p.features.Has(WAITALU):
		h.step = waitALU
	default:
		return h
	}
	for changed := true; changed; {
		changed = false
		for n, b := range p.f.Blocks {
			to := func(next *mach.Block) {
				if s := h.in[next].merge(h.now); s != h.in[next] {
					h.in[next], changed = s, true
				}
			}
			h.enter(b)
			if p.flow.skip[b] {
				to(p.f.Blocks[n+1])
			}
			for _, s := range p.flow.enter[b] {
				h.before(s.event)
			}
			h.again(b)
			for i := range b.Insts {
				h.before(p.event(&b.Insts[i]))
			}
			for _, s := range p.flow.leave[b] {
				h.before(s.event)
			}
			for _, next := range b.Succs {
				if slices.Index(p.f.Blocks, next) > n && !p.flow.jumped[next] {
					continue
				}
				if s := h.turn[next].merge(h.now); s != h.turn[next] { // around a loop
					h.turn[next], changed = s, true
				}
			}
			if n+1 < len(p.f.Blocks) {
				to(p.f.Blocks[n+1])
			}
		}
	}
	return h
}

func (h *hazards) enter(b *mach.Block) { h.now = h.in[b] }

// again is where the turns of a loop that begins with a block start.
func (h *hazards) again(b *mach.Block) { h.now = h.now.merge(h.turn[b]) }

// before is the line that goes before an instruction, "" if it needs none.
func (h *hazards) before(e event) string {
	if h.step == nil {
		return ""
	}
	var fix string
	h.now, fix = h.step(h.now, e)
	return fix
}

func (p *printing) event(in *mach.Inst) event {
	e := event{half: -1}
	if p.f.Phys == nil {
		return e
	}
	if strings.HasPrefix(in.Op.Name, "s_") {
		e.unit = salu
	}
	for _, o := range in.In {
		switch {
		case o.IsConst():
		case p.f.Classes[o.Reg].Bank == mach.Predicate:
			e.reads |= maskBit(p.f.Phys[o.Reg])
		case p.f.Classes[o.Reg].Bank == mach.Scalar:
			e.reads |= p.words32(o)
		case p.f.Classes[o.Reg].Bank == mach.Carry:
		default:
			n := p.f.Phys[o.Reg]
			e.vgprs = append(e.vgprs, n, n+1) // a pair, or one register more than it is
		}
	}
	for _, o := range in.Out {
		if p.f.Classes[o.Reg].Bank == mach.Predicate && (p.unread == nil || !p.unread[o.Reg]) {
			e.writes |= maskBit(p.f.Phys[o.Reg])
		}
		if p.f.Classes[o.Reg].Bank == mach.Scalar {
			e.writes |= p.words32(o)
		}
	}
	if strings.Contains(in.Op.Syntax, "dst_sel:WORD") {
		e.half = p.f.Phys[in.Out[0].Reg]
	}
	return e
}

// words32 are the SGPRs of a scalar operand.
func (p *printing) words32(o mach.Operand) laneSet {
	n, c := p.f.Phys[o.Reg], p.f.Classes[o.Reg]
	switch {
	case c.Bits == 64 && o.Sub == mach.Whole:
		return maskBit(n) | maskBit(n+1)
	case o.Sub == mach.High:
		n++
	}
	return maskBit(n)
}

// idle is the step of gfx94x.
func idle(s state, e event) (state, string) {
	states := 0
	if e.unit == valu {
		for _, n := range e.vgprs {
			if n+1 == s.half {
				states = 1
			}
		}
		switch {
		case e.reads&s.fresh != 0:
			states = 2
		case e.reads&s.stale != 0:
			states = 1
		}
	}
	fix := ""
	if states > 0 {
		fix = "s_nop " + decimal(states-1)
	}
	for range states + 1 {
		s = state{stale: s.fresh}
	}
	if e.unit == valu {
		s.fresh, s.half = e.writes, e.half+1
	}
	return s, fix
}

// waitALU is the step of gfx12. A SALU that reads VCC waits for the VALU that
// wrote it, one that reads other masks for all that VALUs wrote.
func waitALU(s state, e event) (state, string) {
	if e.unit == salu {
		if e.reads&^vccBit != 0 {
			s.byVALU &= vccBit
		}
		s.byVALU &^= e.reads & vccBit
	}
	reads := e.reads
	if e.unit == leaves {
		reads = ^laneSet(0)
	}
	fix := ""
	if reads&s.bySALU != 0 {
		fix += " depctr_sa_sdst(0)"
		s.bySALU = 0
	}
	if reads&s.byVALU&^vccBit != 0 {
		fix += " depctr_va_sdst(0)"
		s.byVALU &= vccBit
	}
	if reads&s.byVALU&vccBit != 0 {
		fix += " depctr_va_vcc(0)"
		s.byVALU &^= vccBit
	}
	if fix != "" {
		fix = "s_wait_alu" + fix
	}
	vccNow := e.writes & vccBit
	if e.unit == salu {
		s.bySALU |= e.writes
		s.byVALU &^= vccNow
	} else {
		s.byVALU |= e.writes
		s.bySALU &^= vccNow
	}
	return s, fix
}
