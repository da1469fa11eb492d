// Package lower turns the PTX of a module into IR and makes that IR ready for
// selection: lifting of asm statements and calls, the carry and shared scopes
// as SSA values, and the passes over ir.
package lower

import (
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
)

// SiteKind says what kind of call a site is.
type SiteKind uint8

// The kinds of sites.
const (
	SiteAsm     SiteKind = iota // inline asm with PTX in it
	SitePTX                     // call of @ptx.<form>
	SiteBuiltin                 // llvm.nvvm.mul24.*, __nv_mul24, OpenCL's mul24 and mad24
)

func (k SiteKind) String() string { return [...]string{"asm", "ptx", "builtin"}[k] }

// Site is one call of a module that means PTX.
type Site struct {
	Kind  SiteKind
	Func  *ll.Func
	Block *ll.Block
	Inst  *ll.Inst
	Insts []SiteInst // the PTX instructions, in order

	// Frag computes the site: a function of one block whose parameters and
	// results are described by In and Out. It is nil for a site that is kept.
	// Statements that read alike share it, and nobody changes it; its places are
	// those of the first, of which this one is Moved bytes away.
	Frag  *ir.Func
	In    []Input
	Out   []Output
	Moved int
	shape *shape

	// Lanes is the length of the vectors on whose elements Frag works, 0 for
	// scalars (OpenCL's vector built-ins).
	Lanes int

	// Kept names the first instruction for which the site stays as it is.
	Kept     string
	KeptSpan diag.Span
}

// SiteInst is one PTX instruction of a site.
type SiteInst struct {
	Name string // the mnemonic as written
	Form ptx.Form
	Span diag.Span // in the module's file
}

// Family reports a site with an instruction of the multiply-add family.
func (s *Site) Family() bool {
	for i := range s.Insts {
		if s.Insts[i].Form.Op.Family() {
			return true
		}
	}
	return false
}

// Span is the place to point at: the asm text or the call.
func (s *Site) Span() diag.Span {
	if s.Kind == SiteAsm {
		return s.Inst.Call.Asm.Text.Span()
	}
	return s.Inst.Call.Target.Span()
}

// Input says where a parameter of a Frag comes from: argument Arg of the call,
// or a state value.
type Input struct {
	Arg   int // index in Inst.Ops, −1 for a state value
	State *State
	v     *Var
	soft  bool // only kept where a guard is false: may be undefined
	span  diag.Span
	sub   bool // read by subc
	add   bool // read by addc or madc
}

// Output says where a result of a Frag goes: field Field of the call's result
// (0 for a scalar), or a state value.
type Output struct {
	Field int // −1 for a state value
	State *State
	v     *Var
	sub   bool // CF: may have been written by the sub family
	add   bool
}

// Var is something that lives from one asm statement to another: CC.CF, or a
// register of a scope that one statement opens and a later one closes.
type Var struct {
	Name string // "CC.CF", or the register's name
	W    int
	CF   bool
	typ  ptx.Type
}

// StateKind says what a state value is.
type StateKind uint8

// The kinds of state values.
const (
	StateUndef StateKind = iota // nothing was written on this path
	StateOut                    // result Index of Site's Frag
	StatePhi                    // at the start of Block, one operand for each of Block.Preds
	StateCall                   // lost in a call
)

// State is one SSA value of a Var.
type State struct {
	Kind  StateKind
	Var   *Var
	Site  *Site
	Index int
	Block *ll.Block
	In    []*State
	Call  *ll.Inst
	Used  bool
	same  *State // what a trivial phi stands for
	ID    int    // number within its function, of those that are used

	sources sources // of a phi: what reaches it
	phi     int     // of a phi: its number among all
}

// sources are the kinds of values that reach a state value.
type sources uint8

const (
	fromNothing     sources = 1 << iota // nothing was written
	fromSite                            // a site
	fromCall                            // lost in a call, or kept over one
	fromKept                            // a site that stays as it is
	fromAddition                        // CC.CF of the add family
	fromSubtraction                     // CC.CF of the sub family
)

// Resolve follows trivial phis.
func (s *State) Resolve() *State {
	for s.same != nil {
		s = s.same
	}
	return s
}

// Unit is a function of a module with its sites and the state that connects them.
type Unit struct {
	Func   *ll.Func
	Sites  []*Site
	Phis   []*State // used ones, by block
	byInst map[*ll.Inst]*Site
}

// Site gives the site of an instruction, nil if it is none.
func (u *Unit) Site(in *ll.Inst) *Site { return u.byInst[in] }

// Options steer lifting.
type Options struct {
	// KeepUnknown lets a site with an unknown instruction stay as it is, as
	// NVIDIA targets can; elsewhere it is an error.
	KeepUnknown bool
	// KeepCCOverCalls makes a carry that is read after a call a warning.
	KeepCCOverCalls bool
	Model           ptx.Model
}
