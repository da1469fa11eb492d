package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

func (c *command) evalCommand() *cobra.Command {
	var batch bool
	cmd := &cobra.Command{
		Use:   "eval 'INSN; INSN' [a=VALUE …] [cf=0|1]  |  eval --batch FILE|-",
		Short: "run PTX on values: by its meaning, or with --target by the target's operations",
		Long: `eval runs PTX text on values, decimal, hexadecimal (0x) or binary (0b), given as name=value, and
prints each register written. Register widths follow from the instructions.

With --batch each input line is BODY<TAB>name=value,name=value; each gives one
JSON object on one line: the registers as zero-padded hexadecimal strings in the
order of first writing, "cf" as 0 or 1 where it was given or written; or
{"error":"id","col":n,"text":"…"}.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := c.rules()
			if err != nil {
				return err
			}
			e := &evaluator{model: c.vmad(), t: t, progs: map[string]*program{}}
			switch {
			case batch:
				if err := oneFile(cmd, args); err != nil {
					return err
				}
				return c.evalBatch(cmd, e, args)
			case len(args) == 0:
				return usagef("eval takes a text in quotes and values, such as 'add.u32 d, a, b' a=1 b=2")
			}
			return c.evalOne(e, args[0], args[1:])
		},
	}
	cmd.Flags().BoolVar(&batch, "batch", false, "read many bodies from FILE, or - for standard input")
	cmd.Flags().BoolVar(&c.json, "json", false, "print a JSON object")
	return cmd
}

// evaluator runs bodies; programs of bodies seen before are kept.
type evaluator struct {
	model ptx.Model
	t     *isel.Target // nil: by meaning
	progs map[string]*program
}

// program is a body ready to run, or what is wrong with it.
type program struct {
	flat  *lower.Flat
	prog  *sem.Prog
	bits  []int // of results
	diags diag.List
	err   error
}

// rules is the target of --target, which must have rules; nil without one.
func (c *command) rules() (*isel.Target, error) {
	if c.target == "" {
		return nil, nil
	}
	info, err := targets.Find(c.target)
	if err != nil {
		return nil, usagef("%v", err)
	}
	if info.Target == nil {
		return nil, usagef("target %s has no rules yet", info.Name)
	}
	if c.madClamp {
		if info = info.MadClamp(); info == nil {
			return nil, usagef("--amd-mad-clamp needs one of AMD's GPUs from gfx8 on as --target, not %s", c.target)
		}
	}
	return info.Target, nil
}

// allRules are the targets of --target=all.
func (c *command) allRules() []*isel.Target {
	ts := targets.Supported()
	for i, t := range ts {
		if info, err := targets.Find(t.Name); err == nil && c.madClamp {
			if with := info.MadClamp(); with != nil {
				ts[i] = with.Target
			}
		}
	}
	return ts
}

// compile makes a body's program.
func (e *evaluator) compile(text string) *program {
	if p := e.progs[text]; p != nil {
		return p
	}
	p := &program{}
	e.progs[text] = p
	p.flat = ptxlower.ParseBody("<expr>", text, e.model, &p.diags)
	if p.flat == nil {
		return p
	}
	f := p.flat.Func
	b := sem.NewBuilder()
	params := make([]*sem.Term, len(f.Params))
	for i, v := range f.Params {
		params[i] = b.Var(p.flat.Params[i], v.W)
	}
	var out []*sem.Term
	if e.t == nil {
		out, p.err = eval.Terms(f, b, params)
	} else {
		var nf *mach.Func
		f = lower.Run(f, true, e.t.Fuses, nil)
		if nf, p.err = e.t.Select(f, lower.Known(f)); p.err == nil {
			p.err = nf.Allocate(e.t.Machine)
		}
		if p.err == nil {
			out, p.err = eval.NativeTerms(nf, e.t.Machine, b, params)
		}
	}
	if p.err != nil {
		return p
	}
	for i, w := range f.Results {
		out[i] = b.Zext(out[i], w) // a register may be wider than the value in it
		p.bits = append(p.bits, w)
	}
	p.prog = sem.Compile(params, out...)
	return p
}

// value is one result.
type value struct {
	name string
	bits int
	v    sem.Val
}

// failure is what is wrong with one body or its values.
type failure struct {
	ID   string `json:"error"`
	Col  int    `json:"col"`
	Text string `json:"text"`
}

// run evaluates a body. cf, where given, is part of in.
func (e *evaluator) run(text string, in map[string]sem.Val) ([]value, *program, *failure) {
	p := e.compile(text)
	if p.flat == nil {
		for i := range p.diags.All {
			if d := &p.diags.All[i]; d.Severity == diag.Error {
				_, col := d.File.Line(d.Span.Start)
				return nil, p, &failure{d.ID, col, d.Text}
			}
		}
	}
	if slices.Contains(p.flat.Results, "error") {
		return nil, p, &failure{"eval-name", 1, "no register may be named error: its result could not be told from a failure"}
	}
	if p.err != nil {
		return nil, p, &failure{"not-selectable", 1, p.err.Error()}
	}
	vals := make([]sem.Val, len(p.flat.Params))
	for i, name := range p.flat.Params {
		v, ok := in[name]
		switch {
		case ok:
			vals[i] = v.Cut(p.flat.Func.Params[i].W)
		case name == "cf":
			return nil, p, &failure{"cc-undefined", 1, "CC.CF is read before it is written; give it with cf=0 or cf=1"}
		default:
			return nil, p, &failure{"eval-input", 1, name + " is read and has no value"}
		}
	}
	var out []value
	cf := false
	for i, v := range p.prog.Eval(vals...) {
		out = append(out, value{p.flat.Results[i], p.bits[i], v})
		cf = cf || p.flat.Results[i] == "cf"
	}
	if v, ok := in["cf"]; ok && !cf {
		out = append(out, value{"cf", 1, v})
	}
	return out, p, nil
}

// parseValues reads name=value words.
func parseValues(words []string) (map[string]sem.Val, *failure) {
	in := make(map[string]sem.Val, len(words))
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, &failure{"eval-value", 1, fmt.Sprintf("%q is not name=value", w)}
		}
		v, err := parseValue(strings.TrimSpace(text))
		if err != nil {
			return nil, &failure{"eval-value", 1, fmt.Sprintf("%s: %q is not a number of at most 64 bits", name, text)}
		}
		if name == "cf" && v.Lo > 1 {
			return nil, &failure{"eval-value", 1, "cf is 0 or 1"}
		}
		if _, twice := in[name]; twice {
			return nil, &failure{"eval-value", 1, name + " is given twice"}
		}
		in[name] = v
	}
	return in, nil
}

// parseValue reads a decimal number, a hexadecimal one behind 0x or a binary one
// behind 0b; behind a minus sign its negative modulo 2^64.
func parseValue(s string) (sem.Val, error) {
	digits, negative := strings.CutPrefix(s, "-")
	base := 10
	if len(digits) > 2 {
		switch digits[:2] {
		case "0x", "0X":
			digits, base = digits[2:], 16
		case "0b", "0B":
			digits, base = digits[2:], 2
		}
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if negative {
		v = -v
	}
	return sem.U(v), err
}

func (c *command) evalOne(e *evaluator, text string, values []string) error {
	in, bad := parseValues(values)
	if bad != nil {
		return usagef("%s", bad.Text)
	}
	out, p, bad := e.run(text, in)
	ds := slices.Clone(p.diags.All)
	if p.flat != nil {
		ds = append(ds, truncated(p.flat, in)...)
	}
	if err := c.report(ds); err != nil || p.flat == nil {
		return &exit{exitUsage, ""}
	}
	if bad != nil {
		return usagef("%s", bad.Text)
	}
	if c.json {
		c.out.Write(appendJSON(nil, out))
		return nil
	}
	for _, v := range out {
		if v.name == "cf" {
			fmt.Fprintf(&c.out, "cf = %d\n", v.v.Lo)
		} else {
			fmt.Fprintf(&c.out, "%s = 0x%s\n", v.name, v.v.Hex(v.bits))
		}
	}
	return nil
}

// truncated warns of values that their registers cannot hold, neither as
// unsigned nor as signed numbers.
func truncated(fl *lower.Flat, in map[string]sem.Val) []diag.Diagnostic {
	var l diag.List
	for i, name := range fl.Params {
		w := fl.Func.Params[i].W
		v := in[name]
		if cut := v.Cut(w); cut != v && uint64(int64(cut.Lo<<(64-w))>>(64-w)) != v.Lo {
			l.Warnf("eval-truncated", nil, diag.Span{}, "%s has %d bits: 0x%s is used", name, w, cut.Hex(w))
		}
	}
	return l.All
}

// appendJSON is the object of a batch line.
func appendJSON(b []byte, out []value) []byte {
	b = append(b, '{')
	for i, v := range out {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(v.name)
		b = append(append(b, name...), ':')
		if v.name == "cf" {
			b = strconv.AppendUint(b, v.v.Lo, 10)
			continue
		}
		b = append(b, `"0x`...)
		b = append(b, v.v.Hex(v.bits)...)
		b = append(b, '"')
	}
	return append(b, "}\n"...)
}

// evalBatch answers each line; a bad one does not stop the run.
func (c *command) evalBatch(cmd *cobra.Command, e *evaluator, args []string) error {
	name, src, err := c.read(cmd, args)
	if err != nil {
		return err
	}
	c.keep = true
	var failed, warned error
	seen := map[*program]bool{}
	enc := c.encoder()
	file := diag.NewFile(name, src)
	for len(src) > 0 {
		start := len(file.Text) - len(src)
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		out, p, bad := e.line(strings.TrimSuffix(string(line), "\r"))
		if p != nil && !seen[p] {
			seen[p] = true
			if err := c.warnInLine(file, start, p.diags.All); err != nil {
				warned = err
			}
		}
		if bad != nil {
			failed = &exit{exitInput, ""}
			if err := enc.Encode(bad); err != nil {
				return err
			}
		} else {
			c.out.Write(appendJSON(nil, out))
		}
		if c.out.Len() > 1<<16 {
			if _, err := c.out.WriteTo(c.stdout); err != nil {
				return writeError(err)
			}
		}
	}
	if failed == nil {
		failed = warned
	}
	return failed
}

// line evaluates BODY<TAB>name=value,name=value.
func (e *evaluator) line(text string) ([]value, *program, *failure) {
	body, list, _ := strings.Cut(text, "\t")
	var words []string
	if strings.TrimSpace(list) != "" {
		words = strings.Split(list, ",")
	}
	in, bad := parseValues(words)
	if bad != nil {
		return nil, nil, bad
	}
	if t := strings.TrimSpace(body); t != "" && !strings.HasSuffix(t, ";") && !strings.HasSuffix(t, "}") {
		return nil, nil, &failure{"ptx-missing-semicolon", len(body) + 1, "missing ;"}
	}
	return e.run(body, in)
}

// warnInLine prints the warnings about the body that starts at a byte of a
// batch, a line for each; the error says that -Werror makes one an error.
func (c *command) warnInLine(file *diag.File, start int, ds []diag.Diagnostic) error {
	ds = slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Severity != diag.Warning })
	for i := range ds {
		sp := ds[i].Span
		ds[i].File, ds[i].Span = file, diag.Span{Start: start + sp.Start, End: start + sp.End}
	}
	ds, err := c.warnings(ds)
	format := diag.Short
	if c.diagFormat == string(diag.JSON) {
		format = diag.JSON
	}
	diag.Render(c.err, ds, format, 0)
	return err
}
