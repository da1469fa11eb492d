package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func nvidia() []*isel.Target { return nv.Targets() }
func amdgpu() []*isel.Target { return amd.Targets() }

// class is some targets with the same rules and the same features.
type class struct {
	names []string
	t     *isel.Target
}

func classes(ts []*isel.Target) []*class {
	type key struct {
		features ir.Features
		rules    *isel.Rule
		machine  *mach.Machine
	}
	var out []*class
	at := map[key]*class{}
	for _, t := range ts {
		k := key{t.Features, &t.Rules[0], t.Machine}
		if at[k] == nil {
			at[k] = &class{t: t}
			out = append(out, at[k])
		}
		at[k].names = append(at[k].names, t.Name)
	}
	return out
}

// used are the rows that the rules of a target use, those with facts included.
func used(t *isel.Target) map[*mach.Op]bool {
	rows := map[*mach.Op]bool{}
	add := func(out []mach.Expr) {
		for _, o := range mach.Ops(out) {
			rows[o] = true
		}
	}
	for _, m := range []ptx.Model{ptx.ISA, ptx.PTXAS} {
		for _, f := range slices.Concat(ptx.Behaviours(), ptx.Neighbours(), ptx.Fused(), ptx.Halved()) {
			for _, c := range t.Alternatives(f, m) {
				add(c.Out)
			}
			name := f.Name()
			for _, rules := range []isel.Table{t.Uniform, t.Rules} {
				if f.Op == ptx.Vmad && len(rules) > 0 && rules[0].Uniform { // none is of all lanes
					continue
				}
				for i := range rules {
					r := &rules[i]
					if !t.Features.Has(r.Needs) || t.Features&r.Lacks != 0 || !isel.Match(r.Forms, name) {
						continue
					}
					out := r.Out
					if r.Gen != nil {
						out = r.Gen(f, m)
					}
					if out == nil {
						continue
					}
					add(out)
					if len(r.When) == 0 {
						break
					}
				}
			}
		}
	}
	return rows
}

const operationsHead = `# The %[1]s instructions that rules use

Each row is one instruction as its assembler spells it, with what it computes: d and e are results, a, b, c, … inputs in the order of the text, a result of one bit is a predicate or a carry. What a text does not name is the carry register, CC or AMD's SCC.
A row's meaning is trusted: proofs say that a rule's rows together compute what PTX means, if each row computes what this page says. So each row names its source, and how sure it is:

| confidence | rows |
|---|---|
%[2]s
Targets with the same instructions are one class:

| class | targets |
|---|---|
%[3]s
`

// operations lists the rows of some targets; assuming are those of them with rows
// that are used only where that is asked for.
func operations(maker string, ts, assuming []*isel.Target) string {
	var table strings.Builder
	in := map[*mach.Op][]string{}
	for _, c := range classes(ts) {
		fmt.Fprintf(&table, "| %s | %s |\n", c.names[0], strings.Join(c.names, " "))
		for o := range used(c.t) {
			in[o] = append(in[o], c.names[0])
		}
	}
	for _, c := range classes(assuming) { // the rest is as without
		for o := range used(c.t) {
			if o.Conf == mach.Assumed {
				in[o] = append(in[o], c.names[0])
			}
		}
	}
	conf := map[mach.Conf]int{}
	variants := 0
	entries := map[entry][]string{} // rows of equal text are one
	for o, names := range in {
		if variant(o) {
			variants++
			continue
		}
		conf[o.Conf]++
		e := newEntry(o)
		entries[e] = append(entries[e], names...)
	}
	var degrees strings.Builder
	for _, d := range []struct {
		c    mach.Conf
		what string
	}{{mach.Documented, "the maker's manual says so"}, {mach.Disassembled, "seen in what the maker's tools write"}, {mach.Inferred, "follows from other facts"},
		{mach.Assumed, "described by LLVM and not seen to run, so used with `--amd-mad-clamp` only"}} {
		if d.c == mach.Assumed && conf[d.c] == 0 {
			continue
		}
		fmt.Fprintf(&degrees, "| %s: %s | %d |\n", d.c, d.what, conf[d.c])
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, made+operationsHead, maker, degrees.String(), table.String()+pipes(ts))
	sb.WriteString("```\n")
	for i, e := range slices.SortedFunc(maps.Keys(entries), compare) {
		if i > 0 {
			sb.WriteString("\n")
		}
		names := entries[e]
		slices.SortFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
		fmt.Fprintf(&sb, "%s\n%s  on %s%s\n", e.head, e.means, strings.Join(slices.Compact(names), " "), e.rest)
	}
	sb.WriteString("```\n")
	if variants > 0 {
		fmt.Fprintf(&sb, "\nNot shown: %d rows of VMAD with other parts of a word, `.PO`, `.SHR_7`, `.SHR_15`, `.SAT` or a negation.\n", variants)
	}
	return sb.String()
}

// pipes are tables of what the pipes cost on targets whose rows have no cost of
// their own, by targets where they cost the same.
func pipes(ts []*isel.Target) string {
	var sb strings.Builder
	for i := 0; i < len(ts); {
		t, names := ts[i], []string(nil)
		for ; i < len(ts) && maps.Equal(ts[i].Costs, t.Costs); i++ {
			names = append(names, ts[i].Name)
		}
		if t.Costs == nil {
			continue
		}
		if sb.Len() == 0 {
			sb.WriteString("\nWhere generations share rows, instructions cost what their pipe does: issue slots, and cycles until a result can be used (of a carry or predicate, where another figure is given).\n" +
				"\n| targets | pipe: issue slots/cycles | from |\n|---|---|---|\n")
		}
		var costs []string
		for _, pipe := range slices.Sorted(maps.Keys(t.Costs)) {
			c := t.Costs[pipe]
			s := fmt.Sprintf("%s: %d/%d", pipe, c.Slots, c.Latency)
			if c.Latency == 0 {
				s = fmt.Sprintf("%s: %d/varies", pipe, c.Slots)
			}
			if c.Flags > 0 {
				s += fmt.Sprintf(" (%d)", c.Flags)
			}
			costs = append(costs, s)
		}
		fmt.Fprintf(&sb, "| %s | %s | %s |\n", strings.Join(names, " "), strings.Join(costs, ", "), t.CostSrc)
	}
	return sb.String()
}

// variant reports rows of VMAD that differ from one that is shown in modifiers.
func variant(o *mach.Op) bool {
	return strings.HasPrefix(o.Name, "VMAD") && (strings.Contains(o.Name, ".SAT") || strings.Contains(o.Name, ".SHR") ||
		strings.Contains(o.Name, ".PO") || strings.ContainsAny(o.Syntax, ".-"))
}

// entry is the text of a row, without the targets that have it.
type entry struct{ head, means, rest string }

func compare(x, y entry) int {
	return cmp.Or(cmp.Compare(x.head, y.head), cmp.Compare(x.means, y.means), cmp.Compare(x.rest, y.rest))
}

func newEntry(o *mach.Op) entry {
	e := entry{head: strings.TrimSpace(o.Name + " " + operands(o))}
	b := sem.NewBuilder()
	var in []*sem.Term
	for i, k := range o.In {
		in = append(in, b.Var(letter(i), int(k.Class.Bits)))
	}
	for _, l := range sem.DocLines([]string{"d", "e", "f"}[:len(o.Out)], o.Meaning(b, in)...) {
		e.means += "    " + l + "\n"
	}
	if o.Pipe != "" {
		e.rest += "; pipe " + o.Pipe
	}
	if o.Slots > 1 {
		e.rest += fmt.Sprintf("; %d issue slots", o.Slots)
	}
	if o.Latency > 0 {
		e.rest += fmt.Sprintf("; %d cycles", o.Latency)
	}
	e.rest += fmt.Sprintf("; %s: %s", o.Conf, o.Src)
	return e
}

func letter(i int) string { return "abcghijk"[i : i+1] }

// operands is a row's syntax with letters.
func operands(o *mach.Op) string {
	s := o.Syntax
	for i := range o.In {
		s = strings.ReplaceAll(s, fmt.Sprint("$", i), letter(i))
	}
	return strings.NewReplacer("$d", "d", "$e", "e", "$f", "f").Replace(s)
}
