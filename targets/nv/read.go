package nv

import (
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// dialect reads what print writes for allocated functions.
func (n notation) dialect() *mach.Dialect {
	var ops []*mach.Op
	for _, o := range table {
		if !ir.Features(n).Has(o.Needs) {
			continue
		}
		if _, count := n.unused(o); count > 0 {
			listed := *o
			listed.Syntax = strings.Join(n.spell(o).fields, ", ")
			o = &listed
		}
		ops = append(ops, o)
	}
	return &mach.Dialect{Ops: ops, Split: splitLine, Orders: addOrders, Register: readRegister, Constant: readConstant}
}

func splitLine(line string) (guard, mnemonic, operands string, end bool) {
	s := strings.TrimSpace(line)
	s = strings.TrimSpace(strings.TrimSuffix(s, ";"))
	if strings.HasPrefix(s, "RET") {
		return "", "", "", true
	}
	if strings.HasPrefix(s, "@") {
		guard, s, _ = strings.Cut(s[1:], " ")
	}
	mnemonic, operands, _ = strings.Cut(s, " ")
	switch mnemonic {
	case "IMAD.MOV.U32", "IMAD.IADD", "IMAD.SHL.U32":
		mnemonic = "IMAD"
	}
	return guard, mnemonic, operands, false
}

// addOrders exchanges the summands of additions, which print moves so that a
// literal stands second; a − b counts as a + ~b + 1, whose carries no order
// changes.
func addOrders(mnemonic, operands string) []string {
	fields := strings.Split(operands, ", ")
	at := 1
	for at < len(fields) && strings.HasPrefix(fields[at], "P") {
		at++
	}
	var orders [][]int
	switch {
	case strings.HasPrefix(mnemonic, "IADD3") && at+3 <= len(fields):
		orders = [][]int{{1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}}
	case (strings.HasPrefix(mnemonic, "IADD") || strings.HasPrefix(mnemonic, "VIADD")) && at+2 <= len(fields):
		orders = [][]int{{1, 0}}
	}
	var out []string
	for _, p := range orders {
		other := append([]string(nil), fields...)
		for i, j := range p {
			other[at+i] = fields[at+j]
		}
		out = append(out, strings.Join(other, ", "))
	}
	return out
}

// sink is the number of RZ and, among the predicates, PT as results.
const sink = 255

func readRegister(c mach.Class, text string) (phys int16, not, ok bool) {
	letter, zero := "R", "RZ"
	if c.Bank == mach.Predicate {
		letter, zero = "P", "PT"
		text, not = strings.CutPrefix(text, "!")
	}
	if text == zero {
		return sink, not, true
	}
	digits, ok := strings.CutPrefix(text, letter)
	n, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil || n >= sink {
		return 0, false, false
	}
	return int16(n), not, true
}

func readConstant(c mach.Class, text string, sign byte) (sem.Val, bool) {
	switch {
	case text == "RZ" && sign == 0, sign != 0 && text == string(sign)+"RZ":
		return sem.Val{}, c.Bank == mach.General
	case text == "PT":
		return sem.U(1), c.Bank == mach.Predicate
	case text == "!PT":
		return sem.Val{}, c.Bank == mach.Predicate
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || c.Bank != mach.General {
		return sem.Val{}, false
	}
	v := sem.S(n).Cut(int(c.Bits))
	switch sign {
	case '-':
		v = sem.Val{}.Sub(v).Cut(int(c.Bits))
	case '~':
		v = v.Not().Cut(int(c.Bits))
	}
	return v, true
}
