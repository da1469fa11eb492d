package lower_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// number is a value as a big integer.
func number(v sem.Val) *big.Int {
	n := new(big.Int).SetUint64(v.Hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v.Lo))
}

// signed is a value of w bits in two's complement.
func signed(n *big.Int, w int) *big.Int {
	if n.Bit(w-1) == 1 {
		return new(big.Int).Sub(n, power(w))
	}
	return n
}

func power(w int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(w)) }

// cut is a number modulo 2^w.
func cut(n *big.Int, w int) *big.Int { return new(big.Int).Mod(n, power(w)) }

func between(lo, n, hi *big.Int) *big.Int {
	switch {
	case n.Cmp(lo) < 0:
		return lo
	case n.Cmp(hi) > 0:
		return hi
	}
	return n
}

// oracle is what LLVM's Language Reference says of an intrinsic, in integers.
func oracle(name string, w int, in []*big.Int) []*big.Int {
	op := func(f func(z, x, y *big.Int) *big.Int, x, y *big.Int) *big.Int { return f(new(big.Int), x, y) }
	add, sub := (*big.Int).Add, (*big.Int).Sub
	x, y := in[0], in[len(in)-1]
	sx, sy := signed(x, w), signed(y, w)
	top := op(sub, power(w), big.NewInt(1))
	smax := op(sub, power(w-1), big.NewInt(1))
	smin := new(big.Int).Neg(power(w - 1))
	bit := func(p bool) *big.Int {
		if p {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	if1 := func(p bool, a, b *big.Int) []*big.Int {
		if p {
			return []*big.Int{a}
		}
		return []*big.Int{b}
	}
	switch name {
	case "umin":
		return if1(x.Cmp(y) < 0, x, y)
	case "umax":
		return if1(x.Cmp(y) > 0, x, y)
	case "smin":
		return if1(sx.Cmp(sy) < 0, x, y)
	case "smax":
		return if1(sx.Cmp(sy) > 0, x, y)
	case "abs":
		return []*big.Int{cut(new(big.Int).Abs(sx), w)}
	case "uadd.with.overflow":
		s := op(add, x, y)
		return []*big.Int{cut(s, w), bit(s.Cmp(top) > 0)}
	case "usub.with.overflow":
		return []*big.Int{cut(op(sub, x, y), w), bit(x.Cmp(y) < 0)}
	case "uadd.sat":
		return []*big.Int{between(new(big.Int), op(add, x, y), top)}
	case "usub.sat":
		return []*big.Int{between(new(big.Int), op(sub, x, y), top)}
	case "sadd.sat":
		return []*big.Int{cut(between(smin, op(add, sx, sy), smax), w)}
	case "ssub.sat":
		return []*big.Int{cut(between(smin, op(sub, sx, sy), smax), w)}
	case "fshl", "fshr":
		n := uint(new(big.Int).Mod(in[2], big.NewInt(int64(w))).Uint64())
		both := new(big.Int).Or(new(big.Int).Lsh(in[0], uint(w)), in[1])
		if name == "fshr" {
			return []*big.Int{cut(new(big.Int).Rsh(both, n), w)}
		}
		return []*big.Int{cut(new(big.Int).Rsh(new(big.Int).Lsh(both, n), uint(w)), w)}
	case "ctpop":
		return []*big.Int{big.NewInt(int64(strings.Count(x.Text(2), "1")))}
	case "ctlz":
		return []*big.Int{cut(big.NewInt(int64(w-x.BitLen())), w)}
	case "bitreverse":
		r := new(big.Int)
		for i := range w {
			r.SetBit(r, w-1-i, x.Bit(i))
		}
		return []*big.Int{r}
	case "bswap":
		r := new(big.Int)
		for at := 0; at < w; at += 8 {
			b := new(big.Int).Rsh(x, uint(at))
			r.Or(r, b.And(b, big.NewInt(0xff)).Lsh(b, uint(w-8-at)))
		}
		return []*big.Int{r}
	case "is.constant":
		return []*big.Int{new(big.Int)}
	}
	return nil
}

func TestIntrinsicsComputeWhatTheLanguageReferenceSays(t *testing.T) {
	for name, n := range map[string]int{"umin": 2, "umax": 2, "smin": 2, "smax": 2, "abs": 1, "uadd.with.overflow": 2,
		"usub.with.overflow": 2, "uadd.sat": 2, "usub.sat": 2, "sadd.sat": 2, "ssub.sat": 2, "fshl": 3, "fshr": 3,
		"ctpop": 1, "ctlz": 1, "bitreverse": 1, "bswap": 1, "is.constant": 1} {
		for _, w := range []int{2, 7, 8, 16, 24, 31, 32, 33, 63, 64, 65, 128} {
			funnel, counted := n == 3, name == "ctpop" || name == "ctlz" || name == "bitreverse"
			if funnel && (w < 8 || w&(w-1) != 0) || counted && w > 64 || name == "bswap" && w%16 != 0 {
				continue
			}
			f := intrinsic(t, name, n, w)
			widths := make([]int, n)
			for i := range widths {
				widths[i] = w
			}
			prog := eval.CompileIR(f)
			cols := eval.Vectors(widths, 300, uint64(w))
			for l := range 300 {
				in, big := make([]sem.Val, n), make([]*big.Int, n)
				for i, c := range cols {
					in[i].Lo = c.Lo[l]
					if c.Hi != nil {
						in[i].Hi = c.Hi[l]
					}
					big[i] = number(in[i])
				}
				got, err := prog.Run(in, 10)
				require.NoError(t, err)
				for i, want := range oracle(name, w, big) {
					require.Zero(t, want.Cmp(number(got[i])), "llvm.%s.i%d %v: result %d is %v, not %v", name, w, in, i, number(got[i]), want)
				}
			}
		}
	}
}

// intrinsic is a function that calls one of n operands of w bits.
func intrinsic(t *testing.T, name string, n, w int) *ir.Func {
	ty, ret := fmt.Sprintf("i%d", w), fmt.Sprintf("i%d", w)
	switch {
	case strings.HasSuffix(name, "overflow"):
		ret = fmt.Sprintf("{ i%d, i1 }", w)
	case name == "is.constant":
		ret = "i1"
	}
	var params []string
	for i := range n {
		params = append(params, fmt.Sprintf("%s %%a%d", ty, i))
	}
	args := strings.Join(params, ", ")
	if name == "abs" || name == "ctlz" {
		args += ", i1 false"
	}
	m, units, ds := lift(t, fmt.Sprintf("define %s @f(%s) {\n  %%r = call %s @llvm.%s.%s(%s)\n  ret %s %%r\n}\n",
		ret, strings.Join(params, ", "), ret, name, ty, args, ret), isa)
	require.Empty(t, ds)
	f, refusal := units[0].WideFunction(m, ptx.ISA)
	require.Nil(t, refusal, "llvm.%s.%s", name, ty)
	narrow, refusal := units[0].Function(m, ptx.ISA)
	require.Equal(t, w > 64, refusal != nil, "llvm.%s.%s", name, ty)
	if narrow != nil {
		require.Equal(t, f.String(), narrow.String())
	}
	return f
}

func TestIntrinsicsThatAreRefused(t *testing.T) {
	for _, call := range []string{
		"%r = call i32 @llvm.cttz.i32(i32 %a, i1 false)",
		"%r = call i32 @llvm.fshl.i32(i32 %a, i32 %a)",
		"%r = call i24 @llvm.fshl.i24(i24 0, i24 0, i24 0)",
		"%r = call i64 @llvm.umin.i32(i32 %a, i32 %a)",
		"%r = call i32 @llvm.umin.i32(i32 %a, i64 0)",
		"%r = call <2 x i32> @llvm.umin.v2i32(<2 x i32> zeroinitializer, <2 x i32> zeroinitializer)",
		"%r = call i32 @llvm.sadd.sat.i32(i32 %a, float 0.0)",
		"%r = call float @llvm.sqrt.f32(float 0.0)",
		"%r = call i32 @g(i32 %a)",
	} {
		m, units, ds := lift(t, "define i32 @f(i32 %a) {\n  "+call+"\n  ret i32 %a\n}\n", isa)
		require.Empty(t, ds, call)
		_, refusal := units[0].WideFunction(m, ptx.ISA)
		require.NotNil(t, refusal, call)
	}
}

func TestCallsThatComputeNothingAreLeftOut(t *testing.T) {
	f := function(t, `
define i32 @f(i32 %a) {
  call void @llvm.lifetime.start.p0(i64 4, ptr null)
  call void @llvm.dbg.value(metadata i32 %a, metadata !0, metadata !DIExpression())
  call void @llvm.assume(i1 true)
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
    #dbg_value(i32 %a, !0, !DIExpression(), !0)
  ret i32 %a
}
!0 = !{}`, isa)
	require.Empty(t, f.Blocks[0].Vals)
}
