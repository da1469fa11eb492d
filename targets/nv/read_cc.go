package nv

import (
	"regexp"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// fermiDialect reads the listings of sm_20 to sm_62.
func fermiDialect(f ir.Features) *mach.Dialect {
	return &mach.Dialect{Ops: rowsOf(FermiOps(), f), Split: splitFermi, Register: readRegister, Constant: readConstant}
}

// teslaDialect reads those of sm_10 to sm_13. A comparison's result is part of its
// mnemonic, ISET.C1; Split makes an operand of it.
func teslaDialect() *mach.Dialect {
	rows := TeslaOps()
	for i, o := range rows {
		if len(o.Out) == 1 && o.Out[0] == p1 {
			listed := *o
			listed.Syntax = strings.Replace(o.Syntax, noRegister, "$d", 1)
			rows[i] = &listed
		}
	}
	return &mach.Dialect{Ops: rows, Split: splitTesla, Register: readTeslaRegister, Constant: readTeslaConstant}
}

func rowsOf(table []*mach.Op, f ir.Features) []*mach.Op {
	var rows []*mach.Op
	for _, o := range table {
		if f.Has(o.Needs) {
			rows = append(rows, o)
		}
	}
	return rows
}

// splitFermi gives IADD32I and LOP32I, which are IADD and LOP with a literal of 32
// bits, the names of their rows.
func splitFermi(line string) (guard, mnemonic, operands string, end bool) {
	guard, mnemonic, operands, end = splitLine(line)
	for _, base := range [...]string{"IADD", "LOP"} {
		if rest, ok := strings.CutPrefix(mnemonic, base+"32I"); ok {
			mnemonic = base + rest
		}
	}
	return guard, mnemonic, operands, end
}

// noRegister stands where a result would, for instructions that write none.
const noRegister = "o [0x7f]"

var comparisonName = regexp.MustCompile(`^(ISET(?:\.S32)?)\.(C[1-3])$`)

func splitTesla(line string) (guard, mnemonic, operands string, end bool) {
	guard, mnemonic, operands, end = splitFermi(line)
	if m := comparisonName.FindStringSubmatch(mnemonic); m != nil {
		mnemonic = m[1]
		operands = strings.Replace(operands, noRegister, m[2], 1)
	}
	return guard, mnemonic, operands, end
}

// readTeslaRegister reads R5, and the conditions C1.NE and C1.EQ as a predicate
// and its complement.
func readTeslaRegister(c mach.Class, text string) (phys int16, not, ok bool) {
	if c.Bank != mach.Predicate {
		return readRegister(c, text)
	}
	name, test, found := strings.Cut(text, ".")
	if found && test != "EQ" && test != "NE" || len(name) != 2 || name[0] != 'C' || name[1] < '1' || name[1] > '3' {
		return 0, false, false
	}
	return int16(name[1] - '0'), test == "EQ", true
}

// readTeslaConstant reads literals and R124, which is 0.
func readTeslaConstant(c mach.Class, text string, sign byte) (sem.Val, bool) {
	if strings.TrimPrefix(text, string(sign)) == "R124" {
		return sem.Val{}, c.Bank == mach.General
	}
	return readConstant(c, text, sign)
}
