package ptxlower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

// own reports an instruction of the output that is of a chain's text.
func (t *chainText) own(in *ll.Inst) bool {
	if strings.HasPrefix(in.Def, t.prefix) {
		return true
	}
	for _, n := range t.names {
		if "%"+in.Def == n {
			return true
		}
	}
	return false
}

// read turns the printed instructions of a chain into a function with the
// results of its Code, and its parameters and perhaps more, on which nothing
// must depend.
func (t *chainText) read(m *ll.Module, u *lower.Unit, insts []*ll.Inst) (*ir.Func, error) {
	f, vals, refusal := u.Sequence(m, insts)
	if refusal != nil {
		return nil, fmt.Errorf("reading a chain back: %s", refusal.What)
	}
	var out []*ir.Value
	f.Results = nil
	for _, v := range t.Wanted {
		vs := vals[t.names[v][1:]]
		if len(vs) != 1 || vs[0].W != v.W {
			return nil, fmt.Errorf("reading a chain back: nothing defines %s", t.names[v])
		}
		out, f.Results = append(out, vs[0]), append(f.Results, v.W)
	}
	f.Blocks[0].Ret(out...)
	for _, s := range t.structs {
		vs := vals[s.name[1:]]
		for k, v := range s.fields {
			if v != nil && (k >= len(vs) || vs[k] != vals[t.names[v][1:]][0]) {
				return nil, fmt.Errorf("reading a chain back: field %d of %s is another value", k, s.name)
			}
		}
	}
	by := map[string]*ir.Value{}
	for _, p := range f.Params {
		by[p.Name] = p
	}
	var params []*ir.Value
	for i, name := range t.args {
		p := by[name]
		switch {
		case p == nil:
			p = f.Param("", t.Params[i].W)
		case p.W != t.Params[i].W:
			return nil, fmt.Errorf("reading a chain back: %%%s has another width", name)
		}
		delete(by, name)
		params = append(params, p)
	}
	for _, p := range f.Params { // llvm.is.constant may give either answer
		switch {
		case by[p.Name] == nil:
		case !strings.HasPrefix(p.Name, "llvm.is.constant "):
			return nil, fmt.Errorf("reading a chain back: it reads %%%s", p.Name)
		default:
			params = append(params, p)
		}
	}
	for i, p := range params {
		p.Index = i
	}
	f.Params = params
	return f, nil
}

// checkChains reads the chains of the output back and compares them with the
// regions that they stand for, on vectors, or by proof with what was proved to
// be equal to those.
func (e *splicer) checkChains() error {
	if e.opt.Verify == VerifyOff || !slices.ContainsFunc(e.chains, func(c *chains) bool { return len(c.texts) > 0 }) {
		return nil
	}
	var own diag.List
	m := ll.Parse(diag.NewFile(e.file.Name+" (output)", e.res.Output), &own)
	if err := own.Err(); err != nil {
		return fmt.Errorf("the output is no LLVM IR: %w", err)
	}
	units := lower.Lift(m, lower.Options{KeepUnknown: true, KeepCCOverCalls: e.opt.KeepCCOverCalls, Model: e.opt.Model}, &diag.List{})
	for i, c := range e.chains {
		for _, t := range c.texts {
			var insts []*ll.Inst
			b := units[i].Func.Blocks[t.block.Index]
			for j := range b.Insts {
				if in := &b.Insts[j]; t.own(in) {
					insts = append(insts, in)
				}
			}
			f, err := t.read(m, units[i], insts)
			if err == nil {
				err = e.checkChain(t, f)
			}
			if err != nil {
				return fmt.Errorf("@%s: %w", units[i].Func.Name, err)
			}
		}
	}
	return nil
}

func (e *splicer) checkChain(t *chainText, f *ir.Func) error {
	at := diag.Span{Start: t.Off, End: t.Off}
	line, _ := e.file.Line(t.Off)
	what := fmt.Sprintf("the chain that starts in line %d", line)
	basis := t.Code // which is proved to be as the source
	if e.opt.Verify != VerifyProve {
		basis = t.Source()
	}
	b := sem.NewBuilder()
	g := prove.Goal{Name: what}
	for i, p := range f.Params {
		g.Params = append(g.Params, b.Var(fmt.Sprintf("p%d", i), p.W))
	}
	in := slices.Clone(g.Params)
	if t.facts != nil && e.opt.Verify != VerifyProve { // what is above its bound is of no interest
		for i, v := range t.Params {
			if k, ok := t.facts(v); ok {
				most := b.Const(k, v.W)
				in[i] = b.Ite(b.Ult(most, in[i]), most, in[i])
			}
		}
	}
	var err error
	if g.Want, err = eval.Terms(basis, b, in[:len(t.Params)]); err != nil {
		return err
	}
	if g.Got, err = eval.Terms(f, b, in); err != nil {
		return err
	}
	if e.opt.Verify == VerifyProve {
		e.proves(at, what, g)
		return nil
	}
	e.ran(at, what, eval.Compare(g.Params, g.Want, g.Got, nil, verifyLanes, 1))
	return nil
}
