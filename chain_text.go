package ptxlower

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/targets"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// write says what the statement is; with what names, lay does once they are known.
func (w *blockText) write(c *chainText, of map[*rechain.Found]*chainText, region map[*ir.Value]*rechain.Found) bool {
	var err error
	if w.res.Target.Vendor == targets.NVIDIA {
		c.body, err = asmBody(c.Code)
	} else {
		c.native, err = w.portable(c.Code)
	}
	if err != nil {
		w.why = err.Error()
		return false
	}
	w.why = "a value that it reads has no name"
	for _, p := range c.Params {
		text, name := "", ""
		if y := region[p]; y != nil {
			text = of[y].names[p]
			name = text[1:]
		} else {
			text, name, _ = w.text(p)
		}
		if text == "" {
			return false
		}
		c.args, c.texts = append(c.args, name), append(c.texts, text)
	}
	for i, v := range c.Wanted {
		c.names[v] = fmt.Sprintf("%%%sr%d", c.prefix, i)
		if s := w.stateOf(v); s != nil {
			c.names[v] = w.state(s)
		}
	}
	return w.structs(c, region)
}

// portable selects portable IR; where all has to be proved, only such that is.
func (w *blockText) portable(f *ir.Func) (*mach.Func, error) {
	nf, err := w.t.Select(ir.Clone(f), nil)
	if err != nil || w.opt.Verify != VerifyProve {
		return nf, err
	}
	g, err := loweringGoal(f, nf, w.t.Machine)
	if err != nil {
		return nil, err
	}
	if r := prove.Equal(g, prove.Options{Conflicts: -1, Cache: w.prover.cache}); r.Status != prove.Proved {
		return nil, errors.New("its portable form is not proved")
	}
	return nf, nil
}

// lay writes the lines, values of chains under the names that they now have.
func (c *chainText) lay(rename map[string]string, declares map[string]string) error {
	for i, name := range c.args {
		if n := rename[name]; n != "" { // a result of a chain of another block
			c.texts[i], c.args[i] = n, n[1:]
		}
	}
	if c.native != nil {
		ctx := llvm.Context{Prefix: c.prefix, Args: c.texts}
		for _, v := range c.Wanted {
			ctx.Results = append(ctx.Results, c.names[v])
		}
		code, err := llvm.Lines(c.native, ctx)
		if err != nil {
			return err
		}
		c.lines = code.Lines
		maps.Copy(declares, code.Declares)
	} else {
		c.layAsm()
	}
	c.layStructs()
	return nil
}

// layAsm writes an asm statement and gives its results their names.
func (c *chainText) layAsm() {
	line := func(format string, args ...any) { c.lines = append(c.lines, fmt.Sprintf(format, args...)) }
	letter := map[int]string{1: "r", 16: "h", 32: "r", 64: "l"}
	width := func(v *ir.Value) int {
		if v.W == 1 {
			return 32
		}
		return v.W
	}
	var cons, types, args []string
	for _, v := range c.Wanted {
		cons, types = append(cons, "="+letter[v.W]), append(types, fmt.Sprintf("i%d", width(v)))
	}
	for i, p := range c.Params {
		text := c.texts[i]
		if p.W == 1 {
			d := fmt.Sprintf("%%%sx%d", c.prefix, i)
			line("%s = zext i1 %s to i32", d, text)
			text = d
		}
		cons, args = append(cons, letter[p.W]), append(args, fmt.Sprintf("i%d %s", width(p), text))
	}
	call, typ := "%"+c.prefix+"v", "{ "+strings.Join(types, ", ")+" }"
	if len(types) == 1 {
		typ = types[0]
	}
	line("%s = call %s asm sideeffect \"%s\", \"%s\"(%s)", call, typ, strings.ReplaceAll(c.body, "\n", "\\0A\\09"),
		strings.Join(cons, ","), strings.Join(args, ", "))
	for i, v := range c.Wanted {
		field := c.names[v]
		if v.W == 1 {
			field = fmt.Sprintf("%%%sy%d", c.prefix, i)
		}
		if len(types) == 1 {
			line("%s = or %s %s, 0", field, typ, call)
		} else {
			line("%s = extractvalue %s %s, %d", field, typ, call, i)
		}
		if v.W == 1 {
			line("%s = trunc i32 %s to i1", c.names[v], field)
		}
	}
}

func (c *chainText) layStructs() {
	for _, s := range c.structs {
		last := "undef"
		for k, v := range s.fields {
			if v == nil {
				continue
			}
			d := fmt.Sprintf("%s.%d", s.name, k)
			if k == s.last {
				d = s.name
			}
			c.lines = append(c.lines, fmt.Sprintf("%s = insertvalue %s %s, i%d %s, %d", d, s.typ, last, v.W, c.names[v], k))
			last = d
		}
	}
}

// structs builds the results of statements that are read as a struct.
func (w *blockText) structs(c *chainText, region map[*ir.Value]*rechain.Found) bool {
	mine := map[*ir.Value]bool{}
	for _, v := range c.Vals {
		mine[v] = true
	}
	for i := range w.b.Insts {
		in := &w.b.Insts[i]
		vs := w.s.Vals[in.Def]
		if !w.s.Read[i] || in.Def == "" || in.Type.Kind == ll.TyInt || !w.readOutside(in.Def) {
			continue
		}
		all, some := true, false
		for _, v := range vs {
			all, some = all && (v == nil || mine[v]), some || v != nil && mine[v]
		}
		switch {
		case !some:
			continue
		case !all || region == nil:
			return false
		}
		last := 0
		for k, v := range vs {
			if v != nil {
				last = k
			}
		}
		c.structs = append(c.structs, structText{in.Def, fmt.Sprintf("%%%ss%d", c.prefix, i), in.Type, vs, last})
	}
	return true
}

// readOutside reports a name that something besides extractvalue reads.
func (w *blockText) readOutside(name string) bool {
	for _, b := range w.u.Func.Blocks {
		for i := range b.Insts {
			if in := &b.Insts[i]; !(b == w.b && w.s.Read[i]) && !debugCall(in) {
				for o := range in.Uses() {
					if o.Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}
