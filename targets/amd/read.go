package amd

import (
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// dialect reads what Print writes for allocated functions on targets that have
// some features. A multiply-add is read as one with a pair, before it is read as
// one with a register of which the next one does not matter.
func dialect(f ir.Features) *mach.Dialect {
	rows := make([]*mach.Op, 0, len(ops))
	for _, single := range []bool{false, true} {
		for _, o := range ops {
			if f.Has(o.Needs) && strings.HasSuffix(o.Syntax, ":") == single {
				rows = append(rows, o)
			}
		}
	}
	return &mach.Dialect{Ops: rows, Split: splitLine, Register: readRegister, Constant: readConstant}
}

func splitLine(line string) (guard, mnemonic, operands string, end bool) {
	s := strings.TrimSpace(line)
	switch {
	case s == "s_endpgm", strings.HasPrefix(s, "s_setpc_b64"), strings.HasPrefix(s, "s_set_pc_i64"):
		return "", "", "", true
	case strings.HasSuffix(s, passed), strings.HasPrefix(s, "s_wait"), strings.HasPrefix(s, "s_nop"), strings.HasPrefix(s, "s_delay"):
		return "", "", "", false
	}
	mnemonic, operands, _ = strings.Cut(s, " ")
	return "", mnemonic, operands, false
}

// readRegister takes the first register of a range for an operand of its first
// register only, too: a row may print one register with its successor.
func readRegister(c mach.Class, text string) (phys int16, not, ok bool) {
	letter := "v"
	if c.Bank == mach.Predicate {
		switch text {
		case "vcc", "vcc_lo":
			return vcc, false, true
		case "null":
			return null, false, true
		}
		letter = "s"
	}
	if c.Bank == mach.Scalar {
		letter = "s"
	}
	rest, ok := strings.CutPrefix(text, letter)
	if !ok {
		return 0, false, false
	}
	first, ranged := strings.CutPrefix(rest, "[")
	if ranged {
		first, _, _ = strings.Cut(first, ":")
	}
	n, err := strconv.ParseUint(first, 10, 9)
	if err != nil {
		return 0, false, false
	}
	if c.Bank == mach.Scalar {
		return int16(n), false, ranged == (c.Bits > 32)
	}
	return int16(n), false, ranged || c.Bank == mach.Predicate || c.Bits <= 32
}

func readConstant(c mach.Class, text string, sign byte) (sem.Val, bool) {
	if sign == '-' {
		var ok bool
		if text, ok = strings.CutPrefix(text, "neg("); !ok {
			return sem.Val{}, false
		}
		text = strings.TrimSuffix(text, ")")
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(text, 0, 64)
		if n = int64(u); err != nil {
			return sem.Val{}, false
		}
	}
	if c.Bits == 1 {
		return sem.U(uint64(-n)), n == 0 || n == -1
	}
	return sem.S(n).Cut(int(c.Bits)), true
}
