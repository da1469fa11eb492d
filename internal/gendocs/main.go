// Command gendocs writes the pages of docs/ that are made from the tables of the
// program: go run ./internal/gendocs. A test fails where one is out of date.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

func main() {
	for name, text := range pages() {
		if err := os.WriteFile(filepath.Join("docs", name), []byte(text), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// pages are the texts by file name.
func pages() map[string]string {
	return map[string]string{
		"semantics.md":  semantics(),
		"targets.md":    targetsPage(),
		"ops-nvidia.md": operations("NVIDIA", nvidia(), nil),
		"ops-amd.md":    operations("AMD", amdgpu(), targets.WithMadClamp()),
	}
}

const made = "<!-- Made by go run ./internal/gendocs: do not edit. -->\n\n"

const semanticsHead = `# What each instruction means

One definition serves the evaluator, the prover, constant folding and the portable IR; this page prints it for every mnemonic of the family. ` + "`ptxlower explain 'INSTRUCTION'`" + `
prints it for an instruction with its operand modifiers, and says what it becomes on a target.

Sources are a, b, c; results are d; cf is the carry flag CC.CF, before on the right and after on the left. Of a subtraction it is the carry out of a + ~b + 1: NOT borrow.
Operators are as in C, ` + "`>>u >>s <u <s`" + ` by signedness; ` + "`x<hi..lo>`" + ` is bits of x, ` + "`{x, y}`" + ` puts x above y, ` + "`zextN` and `sextN`" + ` extend to N bits.
Mnemonics on one line compute the same. vmad is shown without operand selectors and negations, as the manual has it (` + "`--vmad=isa`" + `).
`

// semantics has the meaning of every mnemonic of the family, those with the same
// meaning together.
func semantics() string {
	type entry struct {
		operands string
		lines    string
		names    []string
		since    string
	}
	var sb strings.Builder
	sb.WriteString(made + semanticsHead)
	var group ptx.Op
	var entries []*entry
	flush := func() {
		if entries == nil {
			return
		}
		fmt.Fprintf(&sb, "\n## %s\n\n```\n", group)
		for i, e := range entries {
			if i > 0 {
				sb.WriteString("\n")
			}
			fmt.Fprintf(&sb, "%s\n  operands %s; since %s\n%s", fold(e.names), e.operands, e.since, e.lines)
		}
		sb.WriteString("```\n")
		entries = nil
	}
	seen := map[string]bool{}
	for _, f := range ptx.Forms() {
		if seen[f.String()] {
			continue
		}
		seen[f.String()] = true
		if f.Op != group {
			flush()
			group = f.Op
		}
		version, sm := ptx.Floor(f)
		e := &entry{operands: f.Operands(), since: fmt.Sprintf("PTX %s, sm_%d", version, sm)}
		for _, s := range ptxlower.Meaning(f, ptx.ISA) {
			e.lines += "    " + s + "\n"
		}
		for _, old := range entries {
			if old.lines == e.lines && old.operands == e.operands && old.since == e.since {
				e = old
				break
			}
		}
		if e.names == nil {
			entries = append(entries, e)
		}
		e.names = append(e.names, f.String())
	}
	flush()
	return sb.String()
}

// fold puts names on lines of up to 120 characters.
func fold(names []string) string {
	var sb strings.Builder
	width := 0
	for i, n := range names {
		switch {
		case i == 0:
		case width+len(n) > 118:
			sb.WriteString(",\n")
			width = 0
		default:
			sb.WriteString(", ")
			width += 2
		}
		sb.WriteString(n)
		width += len(n)
	}
	return sb.String()
}
