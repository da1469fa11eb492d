package ptxlower

import (
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// floors warns of each form that PTX has only from a later target on; it is
// lowered all the same.
func (r *run) floors(sites []*lower.Site) {
	if r.res.Target.Vendor != targets.NVIDIA {
		return
	}
	sm, err := strconv.Atoi(strings.TrimPrefix(r.res.Target.Name, "sm_"))
	if err != nil {
		return
	}
	told := map[ptx.Form]bool{}
	for _, s := range sites {
		for _, in := range s.Insts {
			version, floor := ptx.Floor(in.Form)
			if floor <= sm || told[in.Form] {
				continue
			}
			told[in.Form] = true
			rule := ""
			if t := r.res.Target.Target; t != nil {
				if c, err := t.Choose(in.Form, r.opt.Model, nil); err == nil {
					rule = " by rule " + c.Rule.Name
				}
			}
			r.diags.Warnf("ptx-floor", r.file, in.Span, "%s needs PTX %s and sm_%d, which %s is below: it is lowered%s all the same",
				in.Form, version, floor, r.res.Target.Name, rule)
		}
	}
}

// assumptions remarks once on each form for which a rule takes an instruction to do
// what was not seen.
func (r *run) assumptions(sites []*lower.Site) {
	if !r.opt.AMDMadClamp {
		return
	}
	t, told := r.res.Target.Target, map[ptx.Form]bool{}
	for _, s := range sites {
		for _, in := range s.Insts {
			if told[in.Form] {
				continue
			}
			told[in.Form] = true
			c, err := t.Choose(in.Form, r.opt.Model, nil)
			if err != nil {
				continue
			}
			for _, o := range mach.Ops(c.Out) {
				if o.Conf == mach.Assumed {
					r.diags.Add(diag.Remark, "mad-clamp", r.file, in.Span,
						"%s: that %s with clamp limits the exact sum of its operands is assumed, not seen on hardware (--amd-mad-clamp)", in.Form, o.Name)
				}
			}
		}
	}
}

// siteCosts remarks on what each site costs on the target by itself, with its
// rules.
func (r *run) siteCosts() error {
	if !r.opt.Remarks || r.res.Target.Target == nil {
		return nil
	}
	reps := r.reports()
	n := 0
	for _, u := range r.units {
		for _, s := range u.Sites {
			rep := &reps[n]
			n++
			if s.Frag == nil {
				continue
			}
			if err := r.costs(rep, s, nil); err != nil {
				return err
			}
			r.diags.Add(diag.Remark, "site-cost", r.file, s.Span(), "%s: %s (%s)",
				strings.Join(rep.Forms, "; "), rep.Cost, strings.Join(rep.Rules, "; "))
		}
	}
	return nil
}
