package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/internal/chains"
)

// readRows reads a table that this command wrote.
func readRows(r io.Reader) (rows []*row, err error) {
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || !slices.Equal(all[0], head) {
		return nil, fmt.Errorf("the first line is not %s", strings.Join(head, ","))
	}
	for _, f := range all[1:] {
		var n [4]int
		for i := range n {
			if n[i], err = strconv.Atoi(f[3+i]); err != nil {
				return nil, err
			}
		}
		rows = append(rows, &row{chain: f[0], target: f[1], reader: f[2], before: chains.Cost{Ops: n[0], Regs: n[2]}, after: chains.Cost{Ops: n[1], Regs: n[3]}})
	}
	return rows, nil
}

const pageHead = `<!-- Made by go run ./internal/chaintable -w: do not edit. -->

# Every chain, before and after

What becomes of each carry chain of the specification material, as written and as ptxlower writes it again ([rechaining.md](rechaining.md) says how). A cell is operations before → after; registers before → after.
One number each: the chain stays as it is. The names say what it is (` + "`mul256`" + ` multiplies 256 by 256 bits, ` + "`mont`" + ` is Montgomery's multiplication, ` + "`montstep`" + ` one step of it) and how it is laid out.
`

// page is docs/chains.md.
func page(rows []*row) string {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, t := range []struct{ reader, title, text string }{
		{"ptxas", "NVIDIA, through ptxas", "`--emit=llvm`, llc 22, ptxas 12.9 (sm_52, sm_70) and 13.5; without loads, stores and what passes operands."},
		{"llc", "AMD, through llc", "`--emit=llvm`, llc 22: all instructions of the function, and vector registers. Before is each statement by itself as portable IR."},
		{"listing", "Listings", "`--emit=asm`, without moves and what ends the function; before is each statement by itself."},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", t.title, t.text)
		var names, targets []string
		of := map[[2]string]*row{}
		for _, r := range rows {
			if r.reader != t.reader {
				continue
			}
			if !slices.Contains(names, r.chain) {
				names = append(names, r.chain)
			}
			if !slices.Contains(targets, r.target) {
				targets = append(targets, r.target)
			}
			of[[2]string{r.chain, r.target}] = r
		}
		fmt.Fprintf(&b, "| chain | %s |\n|---%s|\n", strings.Join(targets, " | "), strings.Repeat("|---", len(targets)))
		for _, n := range names {
			fmt.Fprintf(&b, "| %s ", n)
			for _, target := range targets {
				fmt.Fprintf(&b, "| %s ", of[[2]string{n, target}].cell())
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

func (r *row) cell() string {
	switch {
	case r == nil:
		return ""
	case r.before == r.after:
		return fmt.Sprintf("%d; %d", r.before.Ops, r.before.Regs)
	}
	return fmt.Sprintf("%d → %d; %d → %d", r.before.Ops, r.after.Ops, r.before.Regs, r.after.Regs)
}

// The table of figures in docs/rechaining.md stands between these lines.
const (
	figuresFrom = "<!-- figures: go run ./internal/chaintable -w -->\n"
	figuresTo   = "<!-- end of figures -->\n"
)

// figures is a table of the chains most asked for.
func figures(rows []*row) string {
	var b strings.Builder
	targets := []string{"sm_52", "sm_70", "sm_80", "sm_90", "sm_120"}
	fmt.Fprintf(&b, "| | %s |\n|---%s|\n", strings.Join(targets, " | "), strings.Repeat("|---", len(targets)))
	for _, c := range [][2]string{
		{"mul256_rowlohi", "256×256, rows"}, {"mul256_u64row", "256×256, limbs of 64 bits"}, {"mul256_column", "256×256, columns"},
		{"mul256_evenodd", "256×256, even and odd"}, {"sqr256_rowlohi", "square of 256 bits, rows"}, {"mont256_rowlohi", "Montgomery 256, rows"},
		{"montstep256_rowlohi", "one step of Montgomery"}, {"mul4x64_fold", "4×64 limbs, two folds"},
		{"mul512_rowlohi", "512×512, rows"}, {"mul512_u64row", "512×512, limbs of 64 bits"}, {"sqr512_rowlohi", "square of 512 bits, rows"},
		{"add512_u64", "sum of 512 bits, limbs of 64"},
	} {
		fmt.Fprintf(&b, "| %s ", c[1])
		for _, target := range targets {
			i := slices.IndexFunc(rows, func(r *row) bool { return r.chain == c[0] && r.target == target && r.reader == "ptxas" })
			switch {
			case i < 0:
				b.WriteString("| ")
			case rows[i].before == rows[i].after:
				fmt.Fprintf(&b, "| %d ", rows[i].before.Ops)
			default:
				fmt.Fprintf(&b, "| %d → %d ", rows[i].before.Ops, rows[i].after.Ops)
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// withFigures is docs/rechaining.md with the table in it.
func withFigures(text, table string) (string, error) {
	before, rest, ok := strings.Cut(text, figuresFrom)
	_, after, ok2 := strings.Cut(rest, figuresTo)
	if !ok || !ok2 {
		return "", fmt.Errorf("docs/rechaining.md has no place for the figures: %s", strings.TrimSpace(figuresFrom))
	}
	return before + figuresFrom + table + figuresTo + after, nil
}
