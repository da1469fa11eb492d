package sem

// prim is all that is known of a primitive. The texts are templates: $0 $1 $2
// are the operands, $r is the result's name, $w the term's width, $a and $b the
// widths of the first two operands, $h and $l the highest and lowest bit of an
// extract, $n the number of bits that an extension adds.
type prim struct {
	name  string
	arity uint8

	// eval is the meaning. Operands are cut to their widths; the caller cuts the
	// result to t.W.
	eval func(t *Term, a, b, c Val) Val
	// facts is eval on sets of values: what holds of every result when the
	// operands are as given. The caller tightens it.
	facts func(t *Term, a, b, c Facts) Facts

	smt  string   // SMT-LIB
	doc  string   // documentation
	bare [3]opset // operators that stand in doc's places without parentheses
	llvm string   // LLVM IR, an instruction a line
	// llvmShort replaces llvm for shifts whose count is known to be below the
	// width, and for extracts from bit 0.
	llvmShort string
}

func bool1(b bool) Val {
	if b {
		return Val{0, 1}
	}
	return Val{}
}

// opset is a set of primitives.
type opset uint32

func set(os ...Op) (s opset) {
	for _, o := range os {
		s |= 1 << o
	}
	return s
}

func (s opset) has(o Op) bool { return s>>o&1 != 0 }

// Precedence is not a total order here: an operator stands bare inside another
// only where every reader agrees on the grouping. That is so for products in
// sums, for arithmetic and shifts in comparisons, for anything in a choice, and
// for chains of one associative operator.
var (
	anyOp   = ^opset(0)
	unary   = set(OpNot, OpNeg)
	sums    = set(OpAdd, OpSub, OpMul) | unary
	numbers = sums | set(OpShl, OpLshr, OpAshr)
)

var prims = [NumOps]prim{
	OpVar:   {name: "var"},
	OpConst: {name: "const"},
	OpAdd: {
		name: "add", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return a.Add(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return addFacts(a, b, t.W) },
		smt:   "(bvadd $0 $1)",
		doc:   "$0 + $1", bare: [3]opset{sums, sums},
		llvm: "$r = add i$w $0, $1",
	},
	OpSub: {
		name: "sub", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return a.Sub(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return subFacts(a, b, t.W) },
		smt:   "(bvsub $0 $1)",
		doc:   "$0 - $1", bare: [3]opset{sums, set(OpMul) | unary},
		llvm: "$r = sub i$w $0, $1",
	},
	OpMul: {
		name: "mul", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return a.Mul(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return mulFacts(a, b, t.W) },
		smt:   "(bvmul $0 $1)",
		doc:   "$0 * $1", bare: [3]opset{set(OpMul) | unary, set(OpMul) | unary},
		llvm: "$r = mul i$w $0, $1",
	},
	OpAnd: {
		name: "and", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return a.And(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return andFacts(a, b, t.W) },
		smt:   "(bvand $0 $1)",
		doc:   "$0 & $1", bare: [3]opset{set(OpAnd) | unary, set(OpAnd) | unary},
		llvm: "$r = and i$w $0, $1",
	},
	OpOr: {
		name: "or", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return a.Or(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return orFacts(a, b, t.W) },
		smt:   "(bvor $0 $1)",
		doc:   "$0 | $1", bare: [3]opset{set(OpOr) | unary, set(OpOr) | unary},
		llvm: "$r = or i$w $0, $1",
	},
	OpXor: {
		name: "xor", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return a.Xor(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return xorFacts(a, b, t.W) },
		smt:   "(bvxor $0 $1)",
		doc:   "$0 ^ $1", bare: [3]opset{set(OpXor) | unary, set(OpXor) | unary},
		llvm: "$r = xor i$w $0, $1",
	},
	OpNot: {
		name: "not", arity: 1,
		eval:  func(_ *Term, a, _, _ Val) Val { return a.Not() },
		facts: func(t *Term, a, _, _ Facts) Facts { return notFacts(a, t.W) },
		smt:   "(bvnot $0)",
		doc:   "~$0", bare: [3]opset{set(OpNeg)},
		llvm: "$r = xor i$w $0, -1",
	},
	OpNeg: {
		name: "neg", arity: 1,
		eval:  func(_ *Term, a, _, _ Val) Val { return Val{}.Sub(a) },
		facts: func(t *Term, a, _, _ Facts) Facts { return subFacts(Exactly(Val{}, t.W), a, t.W) },
		smt:   "(bvneg $0)",
		doc:   "-$0", bare: [3]opset{set(OpNot)},
		llvm: "$r = sub i$w 0, $0",
	},
	OpShl: {
		name: "shl", arity: 2,
		eval:  func(t *Term, a, b, _ Val) Val { return a.Shl(count(b, t.W)) },
		facts: func(t *Term, a, b, _ Facts) Facts { return shiftFacts(shlFacts, a, b, t.W) },
		smt:   "(bvshl $0 $1)",
		doc:   "$0 << $1", bare: [3]opset{unary, unary},
		llvm:      "$r.in = icmp ult i$w $1, $w\n$r.s = shl i$w $0, $1\n$r = select i1 $r.in, i$w $r.s, i$w 0",
		llvmShort: "$r = shl i$w $0, $1",
	},
	OpLshr: {
		name: "lshr", arity: 2,
		eval:  func(t *Term, a, b, _ Val) Val { return a.Shr(count(b, t.W)) },
		facts: func(t *Term, a, b, _ Facts) Facts { return shiftFacts(lshrFacts, a, b, t.W) },
		smt:   "(bvlshr $0 $1)",
		doc:   "$0 >>u $1", bare: [3]opset{unary, unary},
		llvm:      "$r.in = icmp ult i$w $1, $w\n$r.s = lshr i$w $0, $1\n$r = select i1 $r.in, i$w $r.s, i$w 0",
		llvmShort: "$r = lshr i$w $0, $1",
	},
	OpAshr: {
		name: "ashr", arity: 2,
		eval:  func(t *Term, a, b, _ Val) Val { return a.SignExtend(t.W).Sar(count(b, t.W)) },
		facts: func(t *Term, a, b, _ Facts) Facts { return shiftFacts(ashrFacts, a, b, t.W) },
		smt:   "(bvashr $0 $1)",
		doc:   "$0 >>s $1", bare: [3]opset{unary, unary},
		llvm:      "$r.in = icmp ult i$w $1, $w\n$r.n = select i1 $r.in, i$w $1, i$w $m\n$r = ashr i$w $0, $r.n",
		llvmShort: "$r = ashr i$w $0, $1",
	},
	OpConcat: {
		name: "concat", arity: 2,
		eval:  func(t *Term, a, b, _ Val) Val { return a.Shl(uint64(t.A[1].W)).Or(b) },
		facts: func(t *Term, a, b, _ Facts) Facts { return concatFacts(a, b, t.A[1].W) },
		smt:   "(concat $0 $1)",
		doc:   "{$0, $1}", bare: [3]opset{anyOp, anyOp},
		llvm: "$r.h = zext i$a $0 to i$w\n$r.s = shl i$w $r.h, $b\n$r.l = zext i$b $1 to i$w\n$r = or i$w $r.s, $r.l",
	},
	OpExtract: {
		name: "extract", arity: 1,
		eval:      func(t *Term, a, _, _ Val) Val { return a.Shr(t.K.Lo) },
		facts:     func(t *Term, a, _, _ Facts) Facts { return extractFacts(a, t.K.Lo, t.W) },
		smt:       "((_ extract $h $l) $0)",
		doc:       "$0<$h..$l>",
		llvm:      "$r.s = lshr i$a $0, $l\n$r = trunc i$a $r.s to i$w",
		llvmShort: "$r = trunc i$a $0 to i$w",
	},
	OpZext: {
		name: "zext", arity: 1,
		eval:  func(_ *Term, a, _, _ Val) Val { return a },
		facts: func(t *Term, a, _, _ Facts) Facts { return zextFacts(a, t.A[0].W, t.W) },
		smt:   "((_ zero_extend $n) $0)",
		doc:   "zext$w($0)", bare: [3]opset{anyOp},
		llvm: "$r = zext i$a $0 to i$w",
	},
	OpSext: {
		name: "sext", arity: 1,
		eval:  func(t *Term, a, _, _ Val) Val { return a.SignExtend(t.A[0].W) },
		facts: func(t *Term, a, _, _ Facts) Facts { return sextFacts(a, t.A[0].W, t.W) },
		smt:   "((_ sign_extend $n) $0)",
		doc:   "sext$w($0)", bare: [3]opset{anyOp},
		llvm: "$r = sext i$a $0 to i$w",
	},
	OpEq: {
		name: "eq", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return bool1(a == b) },
		facts: func(_ *Term, a, b, _ Facts) Facts { return eqFacts(a, b) },
		smt:   "(ite (= $0 $1) #b1 #b0)",
		doc:   "$0 == $1", bare: [3]opset{numbers, numbers},
		llvm: "$r = icmp eq i$a $0, $1",
	},
	OpUlt: {
		name: "ult", arity: 2,
		eval:  func(_ *Term, a, b, _ Val) Val { return bool1(a.Less(b)) },
		facts: func(_ *Term, a, b, _ Facts) Facts { return ultFacts(a, b) },
		smt:   "(ite (bvult $0 $1) #b1 #b0)",
		doc:   "$0 <u $1", bare: [3]opset{numbers, numbers},
		llvm: "$r = icmp ult i$a $0, $1",
	},
	OpSlt: {
		name: "slt", arity: 2,
		eval: func(t *Term, a, b, _ Val) Val {
			w := t.A[0].W
			return bool1(a.SignExtend(w).SLess(b.SignExtend(w)))
		},
		facts: func(_ *Term, a, b, _ Facts) Facts { return sltFacts(a, b) },
		smt:   "(ite (bvslt $0 $1) #b1 #b0)",
		doc:   "$0 <s $1", bare: [3]opset{numbers, numbers},
		llvm: "$r = icmp slt i$a $0, $1",
	},
	OpIte: {
		name: "ite", arity: 3,
		eval: func(_ *Term, a, b, c Val) Val {
			if a.Lo != 0 {
				return b
			}
			return c
		},
		facts: func(_ *Term, c, a, b Facts) Facts { return iteFacts(c, a, b) },
		smt:   "(ite (= $0 #b1) $1 $2)",
		doc:   "$0 ? $1 : $2", bare: [3]opset{anyOp &^ set(OpIte), anyOp &^ set(OpIte), anyOp},
		llvm: "$r = select i1 $0, i$w $1, i$w $2",
	},
}

// count limits a shift count: whatever is a width or more shifts all bits out.
func count(n Val, w int) uint64 {
	if n.Hi != 0 || n.Lo >= uint64(w) {
		return 128
	}
	return n.Lo
}
