package ptxlower

import (
	"bytes"
	"fmt"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
)

// emitAsm lists every function: as a whole where it has only integers, else
// site by site.
func (r *run) emitAsm() error {
	var out bytes.Buffer
	t := r.res.Target.Target
	symbols := 0
	for i, u := range r.units {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		src, nf, refusal, err := r.native(u)
		if err != nil {
			return err
		}
		before, after := "", ""
		if t.Symbol != nil {
			header := r.m.Text(diag.Span{Start: u.Func.Span().Start, End: u.Func.NameSpan().Start})
			before, after = t.Symbol(u.Func.Name, header, symbols)
		}
		start := out.Len()
		if refusal == nil {
			out.WriteString(before)
			if err := t.Print(&out, nf); err != nil { // parameters that would lie on the stack
				out.Truncate(start)
				refusal = &lower.Refusal{Span: u.Func.NameSpan(), What: err.Error()}
			}
		}
		if refusal == nil {
			listing := out.String()[start+len(before):]
			if r.spoil != nil {
				listing = r.spoil(listing)
			}
			if err := r.waves(u.Func.NameSpan(), u.Func.Name, src, listing); err != nil {
				return err
			}
			if r.opt.Verify == VerifyProve {
				if err := r.validateAsm(u, src, listing); err != nil {
					return err
				}
			}
			out.WriteString(after)
			symbols++
			continue
		}
		r.diags.Warnf("not-selectable", r.file, refusal.Span, "@%s is listed site by site: %s", u.Func.Name, refusal.What)
		if err := r.siteBySite(&out, u); err != nil {
			return err
		}
	}
	if symbols > 0 {
		out.WriteString(t.CodeEnd)
	}
	r.res.Output = out.Bytes()
	return nil
}

// native selects and allocates a whole function, and gives the function with
// which the code is compared.
func (r *run) native(u *lower.Unit) (*ir.Func, *mach.Func, *lower.Refusal, error) {
	t := r.res.Target.Target
	src, refusal := u.Function(r.m, r.opt.Model)
	if refusal != nil {
		return nil, nil, refusal, nil
	}
	if u.Func.Kernel && t.Uniform != nil && !src.StraightLine() {
		return nil, nil, &lower.Refusal{Span: u.Func.NameSpan(), What: "a kernel's parameters lie in memory"}, nil
	}
	nf, same, err := r.selected(src, u.Func.NameSpan(), t)
	if err != nil {
		return nil, nil, &lower.Refusal{Span: u.Func.NameSpan(), What: err.Error()}, nil
	}
	nf.Kernel = u.Func.Kernel
	src = r.basis(src, same)
	return src, nf, nil, r.check(u.Func.NameSpan(), "@"+u.Func.Name, src, nf, t.Machine)
}

// siteBySite lists the native sequence of each site over its operands' names.
func (r *run) siteBySite(out *bytes.Buffer, u *lower.Unit) error {
	t := r.res.Target.Target
	if len(u.Sites) == 0 {
		fmt.Fprintf(out, "%s: // no PTX that is lowered\n", u.Func.Name)
	}
	common := commonValues(t, u)
	for i, s := range u.Sites {
		line, _ := r.file.Line(s.Inst.Span().Start)
		if s.Frag == nil {
			fmt.Fprintf(out, "%s.%d: // line %d: %s, which is not lowered\n", u.Func.Name, i, line, s.Kept)
			continue
		}
		f := r.simplified(s.Frag)
		if t.Uniform != nil {
			f = ir.Clone(f)
			for j := range s.In {
				f.Params[j].Uniform = common.input(s, &s.In[j])
			}
		}
		nf, err := t.SelectPart(f, r.known(f))
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := r.check(s.Span(), fmt.Sprintf("the site in line %d", line), s.Frag, nf, t.Machine); err != nil {
			return err
		}
		r.nameOperands(nf, s, t.Machine, common.sites[s])
		nf.Name = fmt.Sprintf("%s.%d", u.Func.Name, i)
		nf.Note = fmt.Sprintf("line %d", line)
		if err := t.Print(out, nf); err != nil {
			return err
		}
	}
	return nil
}

// nameOperands names the registers of a site by the module's operands and ends
// it with its results in registers of their names, those of all lanes if scalar.
func (r *run) nameOperands(f *mach.Func, s *lower.Site, m *mach.Machine, scalar bool) {
	for i, in := range s.In {
		p := f.Params[i]
		if in.Arg >= 0 {
			f.Names[p] = r.m.Text(operandSpan(s, in.Arg))
		} else {
			f.Names[p] = stateName(in.State)
		}
	}
	b := f.Blocks[0]
	taken := map[mach.Reg]bool{}
	for _, p := range f.Params {
		taken[p] = true
	}
	for i, o := range s.Out {
		name := stateName(o.State)
		if o.Field >= 0 {
			name = "%" + s.Inst.Def
			if s.Inst.Type != nil && s.Inst.Type.Under().Kind == ll.TyStruct {
				name = fmt.Sprintf("%%%s.%d", s.Inst.Def, o.Field)
			}
		}
		ret := b.Ret[i]
		if !ret.IsConst() && ret.Sub == mach.Whole && !taken[ret.Reg] && f.IsScalar(ret) == scalar {
			f.Names[ret.Reg] = name
			taken[ret.Reg] = true
			continue
		}
		c, _ := m.ClassOf(int(ret.Bits))
		if scalar {
			c, _ = m.ScalarOf(int(ret.Bits))
		}
		d := f.NewReg(c, name)
		b.Insts = append(b.Insts, m.MoveInsts(f.R(d), ret, c, -1)...)
	}
	b.Term = mach.Fallthrough
	n := 0
	for i := range b.Insts {
		for _, o := range b.Insts[i].Out {
			if f.Names[o.Reg] == "" {
				f.Names[o.Reg] = fmt.Sprintf("t%d", n)
				n++
			}
		}
	}
}

func operandSpan(s *lower.Site, arg int) diag.Span { return s.Inst.Ops[arg].Span() }

// stateName is the name under which a carry or a shared register appears.
func stateName(s *lower.State) string {
	if s == nil {
		return ""
	}
	kind := "r"
	if s.Var.CF {
		kind = "cf"
	}
	return fmt.Sprintf("%%ptxl.%s%d", kind, s.ID)
}

// verifyLanes is how many vectors --verify=run takes for each function and site.
const verifyLanes = 1000

// check compares a lowering with its source on vectors and reports the first
// difference.
func (r *run) check(at diag.Span, what string, src *ir.Func, nf *mach.Func, m *mach.Machine) error {
	switch r.opt.Verify {
	case VerifyOff:
		return nil
	case VerifyProve: // what is printed is proved where it is printed
		if m.SSA || nf.Phys != nil && src.StraightLine() {
			return nil
		}
		if src.StraightLine() {
			g, err := loweringGoal(src, nf, m)
			if err == nil {
				r.proves(at, what, g)
			}
			return err
		}
	}
	mm, err := eval.CheckLowering(src, nf, m, verifyLanes, 1)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	r.ran(at, what, mm)
	return nil
}

// ran records what running something on vectors showed.
func (r *run) ran(at diag.Span, what string, mm *eval.Mismatch) {
	r.res.Checked++
	r.res.Vectors = verifyLanes
	if mm != nil {
		r.wrong = true
		r.diags.Errorf("verify", r.file, at, "%s is lowered wrongly for %s\n%s", what, r.res.Target.Name, mm.Table())
	}
}
