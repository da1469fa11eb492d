package ptxlower

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/sem"
)

// assumption is an upper bound of a value that the user vouches for.
type assumption struct {
	fn   string // of functions of this name; "" for all
	name string // without %
	max  sem.Val
	text string // "%x < 2^31"
}

// parseAssume reads [@FUNCTION:]%NAME<BOUND or …<=BOUND; a bound is a number, in
// decimal or hexadecimal, or 2^N.
func parseAssume(s string) (assumption, error) {
	bad := func(why string) (assumption, error) {
		return assumption{}, &usage{fmt.Sprintf("--assume=%s: %s: write @FUNCTION:%%NAME<2^31, or another bound, or <=", s, why)}
	}
	var a assumption
	rest := s
	if strings.HasPrefix(s, "@") {
		var ok bool
		if a.fn, rest, ok = strings.Cut(s[1:], ":"); !ok || a.fn == "" {
			return bad("no value of the function is named")
		}
	}
	name, bound, ok := strings.Cut(rest, "<")
	if !ok {
		return bad("no <")
	}
	if a.name = strings.TrimPrefix(strings.TrimSpace(name), "%"); a.name == "" {
		return bad("no value is named")
	}
	bound, equal := strings.CutPrefix(bound, "=")
	bound = strings.TrimSpace(bound)
	n, ok := new(big.Int).SetString(bound, 0)
	if power, is := strings.CutPrefix(bound, "2^"); is {
		k, err := strconv.ParseUint(power, 10, 8)
		if err != nil || k > 128 {
			return bad("no bound")
		}
		n, ok = new(big.Int).Lsh(big.NewInt(1), uint(k)), true
	}
	if !ok {
		return bad("no bound")
	}
	a.text = fmt.Sprintf("%%%s < %s", a.name, bound)
	if equal {
		a.text = fmt.Sprintf("%%%s <= %s", a.name, bound)
	} else {
		n.Sub(n, big.NewInt(1))
	}
	if n.Sign() < 0 || n.BitLen() > 128 {
		return bad("no value can be that")
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0)))
	a.max = sem.Val{Hi: new(big.Int).Rsh(n, 64).Uint64(), Lo: low.Uint64()}
	return a, nil
}

// readAssumptions reads those of the options; each has to name a value of the
// module.
func (r *run) readAssumptions() error {
	for _, s := range r.opt.Assume {
		a, err := parseAssume(s)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(r.m.Funcs, func(f *ll.Func) bool { return (a.fn == "" || a.fn == f.Name) && names(f, a.name) }) {
			return &usage{fmt.Sprintf("--assume=%s: no function of the module has such a value", s)}
		}
		r.assumed = append(r.assumed, a)
	}
	return nil
}

// names reports a function with a value of a name.
func names(f *ll.Func, name string) bool {
	if slices.ContainsFunc(f.Params, func(p ll.Param) bool { return p.Name == name }) {
		return true
	}
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Insts, func(in ll.Inst) bool { return in.Def == name }) {
			return true
		}
	}
	return false
}

// facts are the bounds assumed of values of a function. vals may give the values
// that stand for a name besides the parameters of that name.
func (r *run) facts(fn string, vals map[string][]*ir.Value) rechain.Facts {
	bound := map[string]sem.Val{}
	of := map[*ir.Value]sem.Val{}
	for _, a := range r.assumed {
		if a.fn != "" && a.fn != fn {
			continue
		}
		if old, ok := bound[a.name]; !ok || a.max.Less(old) {
			bound[a.name] = a.max
		}
		if vs := vals[a.name]; len(vs) == 1 && vs[0] != nil {
			of[vs[0]] = bound[a.name]
		}
	}
	if len(bound) == 0 {
		return nil
	}
	return func(v *ir.Value) (sem.Val, bool) {
		if k, ok := of[v]; ok {
			return k, true
		}
		k, ok := bound[v.Name]
		return k, ok && v.Op == ir.Param
	}
}

// assuming says in words which assumptions a chain's text rests on.
func (r *run) assuming(rep rechain.Report, fn string) string {
	var out []string
	for _, a := range r.assumed {
		if (a.fn == "" || a.fn == fn) && (slices.Contains(rep.Assumed, a.name) || slices.Contains(rep.Assumed, "%"+a.name)) {
			out = append(out, a.text)
		}
	}
	if len(rep.Assumed) > 0 && out == nil {
		out = rep.Assumed
	}
	if len(out) == 0 {
		return ""
	}
	return ", assuming " + strings.Join(out, " and ")
}
