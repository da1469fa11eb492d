package prove

import "github.com/ptxlower/ptxlower/sem"

// Rebuild makes t's primitive in b from other operands of the same widths.
func Rebuild(b *sem.Builder, t, x, y, z *sem.Term) *sem.Term {
	switch t.Op {
	case sem.OpVar:
		return b.Var(t.Name, t.W)
	case sem.OpConst:
		return b.Const(t.K, t.W)
	case sem.OpAdd:
		return b.Add(x, y)
	case sem.OpSub:
		return b.Sub(x, y)
	case sem.OpMul:
		return b.Mul(x, y)
	case sem.OpAnd:
		return b.And(x, y)
	case sem.OpOr:
		return b.Or(x, y)
	case sem.OpXor:
		return b.Xor(x, y)
	case sem.OpNot:
		return b.Not(x)
	case sem.OpNeg:
		return b.Neg(x)
	case sem.OpShl:
		return b.Shl(x, y)
	case sem.OpLshr:
		return b.Lshr(x, y)
	case sem.OpAshr:
		return b.Ashr(x, y)
	case sem.OpConcat:
		return b.Concat(x, y)
	case sem.OpExtract:
		return b.Bits(x, int(t.K.Lo)+t.W-1, int(t.K.Lo))
	case sem.OpZext:
		return b.Zext(x, t.W)
	case sem.OpSext:
		return b.Sext(x, t.W)
	case sem.OpEq:
		return b.Eq(x, y)
	case sem.OpUlt:
		return b.Ult(x, y)
	case sem.OpSlt:
		return b.Slt(x, y)
	}
	return b.Ite(x, y, z)
}
