// Package llvm is portable LLVM IR as one more target: its operations are
// LLVM's integer instructions and intrinsics of any width, its registers are
// names. What it writes is valid for LLVM 14 to 22, with typed and with opaque
// pointers alike.
//
// No row carries nuw, nsw, exact or disjoint, and no shift of a rule has a
// count that can reach the width: nothing becomes poison that was not.
package llvm

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// shape says how an instruction is written and what its operands are; w is its
// width, v the other width of a conversion.
type shape uint8

const (
	binary   shape = iota // add iw x, y
	compare               // icmp eq iw x, y
	choice                // select i1 c, iw x, iw y
	convert               // zext iv x to iw
	call                  // @llvm.name.iw(iw x, …)
	flagged               // @llvm.name.iw(iw x, i1 false)
	overflow              // {iw, i1} @llvm.name.iw(iw x, iw y)
	query                 // i1 @llvm.name.iw(iw x)
	moved                 // add iw x, 0
	frozen                // freeze iw x
)

type meaning func(b *sem.Builder, in []*sem.Term, w int) []*sem.Term

func unary(f func(*sem.Builder, *sem.Term) *sem.Term) meaning {
	return func(b *sem.Builder, in []*sem.Term, _ int) []*sem.Term { return []*sem.Term{f(b, in[0])} }
}

func two(f func(b *sem.Builder, x, y *sem.Term) *sem.Term) meaning {
	return func(b *sem.Builder, in []*sem.Term, _ int) []*sem.Term { return []*sem.Term{f(b, in[0], in[1])} }
}

func three(f func(b *sem.Builder, x, y, z *sem.Term) *sem.Term) meaning {
	return func(b *sem.Builder, in []*sem.Term, _ int) []*sem.Term {
		return []*sem.Term{f(b, in[0], in[1], in[2])}
	}
}

func resized(f func(b *sem.Builder, x *sem.Term, w int) *sem.Term) meaning {
	return func(b *sem.Builder, in []*sem.Term, w int) []*sem.Term { return []*sem.Term{f(b, in[0], w)} }
}

// not is the complement of a test: the predicates that sem has not.
func not(f func(b *sem.Builder, x, y *sem.Term) *sem.Term) meaning {
	return two(func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Not(f(b, x, y)) })
}

type opcode uint8

const (
	opAdd opcode = iota
	opSub
	opMul
	opAnd
	opOr
	opXor
	opShl
	opLshr
	opAshr
	opEq
	opNe
	opUlt
	opUge
	opSlt
	opSge
	opSelect
	opZext
	opSext
	opTrunc
	opUaddo
	opUsubo
	opUaddSat
	opSaddSat
	opSsubSat
	opUmin
	opUmax
	opSmin
	opSmax
	opAbs
	opFshl
	opFshr
	opCtpop
	opCtlz
	opBitreverse
	opBswap
	opIsConstant
	opCopy
	opFreeze
	numOpcodes
)

var (
	add = (*sem.Builder).Add
	ult = (*sem.Builder).Ult
	slt = (*sem.Builder).Slt
)

// The rows, each for all widths. Source: LLVM Language Reference 14 to 22,
// except is.constant, where it is said.
var table = [numOpcodes]struct {
	name     string
	shape    shape
	commutes bool
	meaning  meaning
}{
	opAdd:        {"add", binary, true, two(add)},
	opSub:        {"sub", binary, false, two((*sem.Builder).Sub)},
	opMul:        {"mul", binary, true, two((*sem.Builder).Mul)},
	opAnd:        {"and", binary, true, two((*sem.Builder).And)},
	opOr:         {"or", binary, true, two((*sem.Builder).Or)},
	opXor:        {"xor", binary, true, two((*sem.Builder).Xor)},
	opShl:        {"shl", binary, false, two((*sem.Builder).Shl)},
	opLshr:       {"lshr", binary, false, two((*sem.Builder).Lshr)},
	opAshr:       {"ashr", binary, false, two((*sem.Builder).Ashr)},
	opEq:         {"icmp eq", compare, true, two((*sem.Builder).Eq)},
	opNe:         {"icmp ne", compare, true, not((*sem.Builder).Eq)},
	opUlt:        {"icmp ult", compare, false, two(ult)},
	opUge:        {"icmp uge", compare, false, not(ult)},
	opSlt:        {"icmp slt", compare, false, two(slt)},
	opSge:        {"icmp sge", compare, false, not(slt)},
	opSelect:     {"select", choice, false, three((*sem.Builder).Ite)},
	opZext:       {"zext", convert, false, resized((*sem.Builder).Zext)},
	opSext:       {"sext", convert, false, resized((*sem.Builder).Sext)},
	opTrunc:      {"trunc", convert, false, resized((*sem.Builder).Zext)},
	opUaddo:      {"uadd.with.overflow", overflow, true, uaddo},
	opUsubo:      {"usub.with.overflow", overflow, false, usubo},
	opUaddSat:    {"uadd.sat", call, true, two(uaddSat)},
	opSaddSat:    {"sadd.sat", call, true, signedSat(add)},
	opSsubSat:    {"ssub.sat", call, false, signedSat((*sem.Builder).Sub)},
	opUmin:       {"umin", call, true, pick(ult, false)},
	opUmax:       {"umax", call, true, pick(ult, true)},
	opSmin:       {"smin", call, true, pick(slt, false)},
	opSmax:       {"smax", call, true, pick(slt, true)},
	opAbs:        {"abs", flagged, false, unary(abs)},
	opFshl:       {"fshl", call, false, funnel(true)},
	opFshr:       {"fshr", call, false, funnel(false)},
	opCtpop:      {"ctpop", call, false, unary(popcount)},
	opCtlz:       {"ctlz", flagged, false, unary(leadingZeros)},
	opBitreverse: {"bitreverse", call, false, unary(func(b *sem.Builder, x *sem.Term) *sem.Term { return reverse(b, x, 1) })},
	opBswap:      {"bswap", call, false, unary(func(b *sem.Builder, x *sem.Term) *sem.Term { return reverse(b, x, 8) })},
	// The answer is the optimiser's to choose, and may change with every pass.
	// It is modelled as a bit of the operand, so that a rule that needs one
	// answer or the other does not pass its check.
	opIsConstant: {"is.constant", query, false, unary(func(b *sem.Builder, x *sem.Term) *sem.Term { return b.Bit(x, 0) })},
	opCopy:       {"copy", moved, false, unary(func(_ *sem.Builder, x *sem.Term) *sem.Term { return x })},
	// Of a value that is no poison.
	opFreeze: {"freeze", frozen, false, unary(func(_ *sem.Builder, x *sem.Term) *sem.Term { return x })},
}

// operands is how many operands the meaning of a call takes.
func (o opcode) operands() int {
	switch o {
	case opFshl, opFshr:
		return 3
	case opCtpop, opBitreverse, opBswap:
		return 1
	}
	return 2
}

type rowKey struct {
	op   opcode
	w, v uint8
}

var rows = struct {
	sync.RWMutex
	m   map[rowKey]*mach.Op
	sum map[*mach.Op]*mach.Op
}{m: map[rowKey]*mach.Op{}, sum: map[*mach.Op]*mach.Op{}}

// row is the instruction of width w; v is the other width of a conversion.
func row(o opcode, w, v int) *mach.Op {
	k := rowKey{o, uint8(w), uint8(v)}
	rows.RLock()
	op := rows.m[k]
	rows.RUnlock()
	if op != nil {
		return op
	}
	op = makeRow(o, w, v)
	var sum *mach.Op
	switch o {
	case opUaddo:
		sum = row(opAdd, w, 0)
	case opUsubo:
		sum = row(opSub, w, 0)
	}
	rows.Lock()
	defer rows.Unlock()
	if first := rows.m[k]; first != nil {
		return first
	}
	rows.m[k] = op
	if sum != nil {
		rows.sum[op] = sum
	}
	return op
}

// copyOp copies a value of a class, or makes a constant.
func copyOp(c mach.Class) *mach.Op { return row(opCopy, int(c.Bits), 0) }

// withoutOverflow is what an instruction is where its overflow bit is not read.
func withoutOverflow(op *mach.Op) *mach.Op {
	if len(op.Out) < 2 {
		return nil
	}
	rows.RLock()
	defer rows.RUnlock()
	return rows.sum[op]
}

func class(w int) mach.Class { return mach.Class{Bank: mach.General, Bits: uint8(w)} }

func makeRow(o opcode, w, v int) *mach.Op {
	t := &table[o]
	op := &mach.Op{Commutes: t.commutes, Literals: 3, Mul: o == opMul, Src: "LLVM Language Reference", Out: []mach.Class{class(w)}}
	ty := fmt.Sprintf("i%d", w)
	arg := func(w int) { op.In = append(op.In, mach.Kind{Class: class(w), Imm: mach.Any}) }
	switch t.shape {
	case binary, compare:
		arg(w)
		arg(w)
		op.Name = t.name + " " + ty
		op.Syntax = fmt.Sprintf("$d = %s %s $0, $1", t.name, ty)
	case choice:
		arg(1)
		arg(w)
		arg(w)
		op.Name = t.name + " " + ty
		op.Syntax = fmt.Sprintf("$d = select i1 $0, %s $1, %s $2", ty, ty)
	case convert:
		arg(v)
		op.Name = fmt.Sprintf("%s i%d to %s", t.name, v, ty)
		op.Syntax = fmt.Sprintf("$d = %s i%d $0 to %s", t.name, v, ty)
	case frozen:
		arg(w)
		op.Name, op.Syntax = "freeze "+ty, fmt.Sprintf("$d = freeze %s $0", ty)
	case moved:
		arg(w)
		op.Name, op.Syntax = "copy "+ty, fmt.Sprintf("$d = add %s $0, 0", ty)
		if w == 1 {
			op.Syntax = "$d = or i1 $0, false"
		}
	default:
		callRow(op, o, w)
	}
	if t.shape == compare || t.shape == query {
		op.Out[0] = class(1)
	}
	if t.shape == query {
		op.Src, op.Conf = "seen: llc 14, 16, 19, 22", mach.Disassembled
	}
	op.Meaning = func(b *sem.Builder, in []*sem.Term) []*sem.Term { return t.meaning(b, in, w) }
	return op
}

// callRow fills in the row of an intrinsic. One with two results is three
// instructions of text, of which those that nobody reads are left out.
func callRow(op *mach.Op, o opcode, w int) {
	t := &table[o]
	ty := fmt.Sprintf("i%d", w)
	n := o.operands()
	if t.shape == query || t.shape == flagged {
		n = 1
	}
	op.Name = "llvm." + t.name + "." + ty
	args := make([]string, n)
	for i := range n {
		op.In = append(op.In, mach.Kind{Class: class(w), Imm: mach.Any})
		args[i] = fmt.Sprintf("%s $%d", ty, i)
	}
	if t.shape == flagged {
		args = append(args, "i1 false")
	}
	list := strings.Join(args, ", ")
	switch t.shape {
	case query:
		op.Syntax = fmt.Sprintf("$d = call i1 @%s(%s)", op.Name, list)
	case overflow:
		op.Out = append(op.Out, class(1))
		agg := fmt.Sprintf("{ %s, i1 }", ty)
		op.Syntax = fmt.Sprintf("$t = call %s @%s(%s)\n$d = extractvalue %s $t, 0\n$e = extractvalue %s $t, 1", agg, op.Name, list, agg, agg)
	default:
		op.Syntax = fmt.Sprintf("$d = call %s @%s(%s)", ty, op.Name, list)
	}
}

// declaration is the declare line of the intrinsic that an instruction calls,
// "" for one that calls none.
func declaration(op *mach.Op) string {
	_, sig, ok := strings.Cut(op.Syntax, " = call ")
	if !ok {
		return ""
	}
	sig, _, _ = strings.Cut(sig, "\n")
	head, list, _ := strings.Cut(strings.TrimSuffix(sig, ")"), "(")
	args := strings.Split(list, ", ")
	for i, a := range args {
		args[i], _, _ = strings.Cut(a, " ")
	}
	return "declare " + head + "(" + strings.Join(args, ", ") + ")"
}
