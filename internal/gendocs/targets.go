package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

const targetsHead = `# Targets and what the family costs on them

Targets with the same instructions and rules are one line. Ops are those of all 4,808 behaviours, each alone: constants that must be made in registers count, moves do not.
vmad has two meanings: the manual's (isa) and what NVIDIA's assembler computes from sm_60 on (ptxas); a mean is over its 4,704 behaviours. ` + "`ptxlower forms --json --target=T`" + ` has
the sequence and the cost of each. [performance.md](performance.md) compares these figures with what ptxas and llc need.
With ` + "`--amd-mad-clamp`" + ` limited sums of two parts are cheaper from gfx8 on: [using.md](using.md#the-clamp-of-amds-multiply-adds).

| targets | family | ops | other than vmad | vmad, mean (isa) | vmad, mean (ptxas) |
|---|---|---|---|---|---|
`

// targetsPage lists what has rules, with totals.
func targetsPage() string {
	var sb strings.Builder
	sb.WriteString(made + targetsHead)
	family := map[string]string{}
	for _, i := range targets.All() {
		family[i.Name] = i.Family
	}
	for _, c := range classes(slices.Concat(nvidia(), amdgpu())) {
		var families []string
		for _, n := range c.names {
			if !slices.Contains(families, family[n]) {
				families = append(families, family[n])
			}
		}
		plain, isa := ops(c.t, ptx.ISA)
		_, byPtxas := ops(c.t, ptx.PTXAS)
		fmt.Fprintf(&sb, "| %s | %s | %d | %d | %.3f | %.3f |\n", strings.Join(c.names, " "), strings.Join(families, " "),
			plain+isa, plain, float64(isa)/vmads, float64(byPtxas)/vmads)
	}
	return sb.String()
}

const vmads = 4704

// ops counts those of all behaviours, vmad's apart.
func ops(t *isel.Target, m ptx.Model) (plain, vmad int) {
	for _, f := range ptx.Behaviours() {
		nf, _, err := t.SelectForm(f, m)
		if err != nil {
			panic(err) // every form has a rule
		}
		n, _ := nf.Count()
		if f.Op == ptx.Vmad {
			vmad += n
		} else {
			plain += n
		}
	}
	return plain, vmad
}
