// Package ptxlower lowers LLVM IR that contains PTX's integer multiply-add
// family — mul24 mad24, mul mad, add.cc addc sub.cc subc mad.cc madc, vmad —
// to what a given GPU really has, or to portable LLVM IR.
//
// Lower is what the command calls: text in, text out, and diagnostics that
// point into the asm strings.
package ptxlower

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// Emit says what is printed.
type Emit string

// The outputs.
const (
	EmitDefault Emit = ""     // asm; llvm for modules that are not for a GPU
	EmitAsm     Emit = "asm"  // a listing of every function
	EmitLLVM    Emit = "llvm" // the same module with the sites replaced
	EmitIR      Emit = "ir"   // every function as package ir prints it
	EmitJSON    Emit = "json" // the sites, and what each becomes
	EmitNone    Emit = "none" // nothing: check only
)

// Emits lists the outputs that can be asked for.
var Emits = []Emit{EmitAsm, EmitLLVM, EmitIR, EmitJSON, EmitNone}

// Verify says how each lowering is checked.
type Verify string

// The checks.
const (
	VerifyRun   Verify = "run" // on vectors, the default
	VerifyOff   Verify = "off"
	VerifyProve Verify = "prove" // for all inputs, on the text that is printed
)

// SiteCode says what --emit=llvm puts in the place of a site.
type SiteCode string

// What a site becomes.
const (
	SitesLLVM SiteCode = "llvm" // portable IR, the default
	SitesAsm  SiteCode = "asm"  // inline assembly of the target, one of AMD's GPUs
)

// Options steer Lower. The zero value is the default.
type Options struct {
	Target string // a name or alias; "" takes the module's
	Emit   Emit
	Sites  SiteCode
	Verify Verify
	Model  ptx.Model // which meaning vmad has
	O0     bool      // no pass that is not needed

	// AMDMadClamp takes the clamp modifier of AMD's integer multiply-adds to limit
	// the sum as documented, which was not seen to run.
	AMDMadClamp bool
	// KeepChains lets carry chains stay as they are written.
	KeepChains bool
	// Assume has upper bounds of values that the caller vouches for, such as
	// "@f:%a7<2^31" (of any function without "@f:"). Carry chains that take them
	// in are written for values within the bounds; for others they may compute
	// something else.
	Assume []string
	// KeepCCOverCalls lets CC.CF live over calls, with a warning where it does.
	KeepCCOverCalls bool
	// Remarks asks for a remark on each site: what it costs by itself.
	Remarks bool
	// After, where not nil, sees each function after each pass.
	After func(pass *lower.Pass, f *ir.Func)
	// Chain, where not nil, sees what the pass rechain read and what becomes of
	// it, before After sees the function.
	Chain func(rechain.Report)
}

// Result is what Lower made. Without an error Output is complete.
type Result struct {
	Output  []byte
	Emit    Emit
	Target  *targets.Info
	Diags   []diag.Diagnostic
	Sites   int // found
	Checked int // functions and sites checked
	Vectors int // for each of them, with VerifyRun
	Proved  int // of those checked, with VerifyProve
	Lanes   int // of the waves in which listings with branches were run; AMD
}

// The kinds of errors; use errors.Is.
var (
	ErrInput          = errors.New("the input is wrong")    // Result.Diags says where
	ErrUsage          = errors.New("the options are wrong") // no such target, no such output for it
	ErrCounterexample = errors.New("a lowering is wrong")   // Result.Diags has the vector
	ErrUndecided      = errors.New("not all is proved")     // with VerifyProve; Result.Diags names what is not
)

// usage is an error of the options.
type usage struct{ text string }

func (u *usage) Error() string        { return u.text }
func (u *usage) Is(target error) bool { return target == ErrUsage }

// Lower reads a module and lowers it. An error is one of the kinds above, or
// the context's.
func Lower(ctx context.Context, name string, src []byte, opt Options) (*Result, error) {
	r := &run{ctx: ctx, opt: opt, file: diag.NewFile(name, src), prover: prover{cache: prove.NewCache()}}
	err := r.lower()
	r.diags.Sort()
	r.res.Diags = r.diags.All
	if err == nil && r.diags.Errors() > 0 {
		err = ErrInput
	}
	if err != nil {
		r.res.Output = nil
	}
	return &r.res, err
}

// run is one call of Lower.
type run struct {
	ctx   context.Context
	opt   Options
	file  *diag.File
	diags diag.List
	m     *ll.Module
	units []*lower.Unit
	res   Result
	wrong bool // a counterexample was found

	assumed []assumption // of the options
	rests   bool         // the function at hand rests on an assumption
	open    bool         // something is not proved

	prover   prover
	listings *mach.Reader
	simple   map[*ir.Func]*ir.Func       // of fragments, simplified
	byText   map[string]*ir.Func         // the same
	spoil    func(listing string) string // by tests of what finds wrong listings
}

// simplified is a fragment as it is selected, one for all that read alike.
func (r *run) simplified(f *ir.Func) *ir.Func {
	if g := r.simple[f]; g != nil {
		return g
	}
	if r.simple == nil {
		r.simple, r.byText = map[*ir.Func]*ir.Func{}, map[string]*ir.Func{}
	}
	text := f.String()
	g := r.byText[text]
	if g == nil {
		if g = f; !r.opt.O0 {
			g = ir.Clone(f)
			lower.Simplify(g)
		}
		r.byText[text] = g
	}
	r.simple[f] = g
	return g
}

func (r *run) lower() error {
	r.m = ll.Parse(r.file, &r.diags)
	if r.diags.Errors() > 0 {
		return ErrInput
	}
	if err := r.target(); err != nil {
		return err
	}
	if err := r.readAssumptions(); err != nil {
		return err
	}
	for _, f := range r.m.Funcs {
		f.Check(&r.diags)
	}
	if r.diags.Errors() > 0 {
		return ErrInput
	}
	r.units = lower.Lift(r.m, lower.Options{
		KeepUnknown:     r.res.Target.Vendor == targets.NVIDIA,
		KeepCCOverCalls: r.opt.KeepCCOverCalls,
		Model:           r.opt.Model,
	}, &r.diags)
	var sites []*lower.Site
	for _, u := range r.units {
		sites = append(sites, u.Sites...)
	}
	r.res.Sites = len(sites)
	if r.diags.Errors() > 0 {
		return ErrInput
	}
	r.floors(sites)
	r.assumptions(sites)
	err := r.siteCosts()
	if err != nil {
		return err
	}
	switch r.res.Emit {
	case EmitLLVM:
		err = r.emitLLVM()
	case EmitAsm:
		err = r.emitAsm()
	case EmitIR:
		err = r.emitIR()
	case EmitJSON:
		err = r.emitJSON()
	case EmitNone:
		if r.res.Target.Target == nil || r.res.Target.Target.Machine.SSA || r.opt.Sites == SitesAsm {
			err = r.emitLLVM()
		} else {
			err = r.emitAsm()
		}
		r.res.Output = nil
	}
	return r.verdict(err)
}

// verdict adds what verification found to an error.
func (r *run) verdict(err error) error {
	switch {
	case err != nil:
	case r.wrong:
		return ErrCounterexample
	case r.open:
		return ErrUndecided
	}
	return err
}

// target decides the target and the output.
func (r *run) target() error {
	emit := r.opt.Emit
	if emit != EmitDefault && !contains(Emits, emit) {
		return &usage{fmt.Sprintf("unknown output %q: asm, llvm, ir, json or none", emit)}
	}
	if v := r.opt.Verify; v != "" && v != VerifyRun && v != VerifyOff && v != VerifyProve {
		return &usage{fmt.Sprintf("unknown check %q: run, prove or off", v)}
	}
	name := r.opt.Target
	if name == "" {
		name = ModuleTarget(r.m)
	}
	info, err := targets.Find(name)
	if err != nil {
		if r.opt.Target != "" {
			return &usage{err.Error()}
		}
		info, _ = targets.Find("generic") // a processor that is too new for us
	}
	r.res.Target = info
	native := info.Target != nil && !info.Target.Machine.SSA
	if emit == EmitDefault {
		emit = EmitAsm
		if info.Vendor == targets.None {
			emit = EmitLLVM
		}
	}
	r.res.Emit = emit
	if emit == EmitAsm && !native {
		what := "has no native rules yet"
		if info.Vendor == targets.None {
			what = "is portable LLVM IR and has no assembly"
		}
		return &usage{fmt.Sprintf("target %s %s: use --emit=llvm, or --target with one of %s", info.Name, what, nativeNames())}
	}
	if r.opt.AMDMadClamp {
		if err := r.madClamp(); err != nil {
			return err
		}
	}
	return r.checkSites()
}

// madClamp takes the target on which the clamp of multiply-adds is trusted.
func (r *run) madClamp() error {
	with := r.res.Target.MadClamp()
	switch {
	case with == nil:
		return &usage{fmt.Sprintf("--amd-mad-clamp needs one of AMD's GPUs from gfx8 on as --target, not %s", r.res.Target.Name)}
	case r.res.Emit == EmitLLVM && r.opt.Sites != SitesAsm:
		return &usage{"--amd-mad-clamp needs --emit=asm or --sites=asm: portable IR has no clamp"}
	}
	r.res.Target = with
	return nil
}

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

func nativeNames() string {
	var names []string
	for _, t := range targets.Supported() {
		if !t.Machine.SSA {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, ", ")
}

// ModuleTarget is the name of the target that a module is for: the target-cpu
// of its first function that states one, sm_70 for nvptx modules without; and
// generic for modules that are not for a GPU.
func ModuleTarget(m *ll.Module) string {
	gpu := strings.HasPrefix(m.Triple, "nvptx") || strings.HasPrefix(m.Triple, "amdgcn")
	if gpu {
		for _, f := range m.Funcs {
			if cpu := m.TargetCPU(f); cpu != "" {
				return cpu
			}
		}
	}
	if strings.HasPrefix(m.Triple, "nvptx") {
		return "sm_70"
	}
	return "generic"
}
