package nv_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

var (
	addCC  = ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}
	addc   = ptx.Form{Op: ptx.Addc, T: ptx.U32}
	addcCC = ptx.Form{Op: ptx.Addc, CC: true, T: ptx.U32}
	subcCC = ptx.Form{Op: ptx.Subc, CC: true, T: ptx.U64}
	madcHi = ptx.Form{Op: ptx.Madc, Mode: ptx.Hi, CC: true, T: ptx.S64}
	add64  = ptx.Form{Op: ptx.Add, T: ptx.U64}
	selp   = ptx.Form{Op: ptx.Selp, T: ptx.B32}
)

// carryFuncs are functions in which a carry goes where the one carry register
// does not.
var carryFuncs = map[string]func(f *ir.Func){
	"a carry that is overwritten before it is read": func(f *ir.Func) {
		a, b, x := f.Param("a", 32), f.Param("b", 32), f.Param("x", 64)
		bb := f.Blocks[0]
		s := bb.PTX(addCC, a, b)
		y := bb.PTX(add64, x, x)
		t := bb.PTX(addc, a, a, s[1])
		f.Results = []int{32, 64, 32}
		bb.Ret(s[0], y[0], t[0])
	},
	"a carry that two read": func(f *ir.Func) {
		a, b := f.Param("a", 32), f.Param("b", 32)
		bb := f.Blocks[0]
		s := bb.PTX(addCC, a, b)
		t := bb.PTX(addcCC, a, a, s[1])
		u := bb.PTX(addc, b, b, s[1])
		v := bb.PTX(addc, b, a, t[1])
		f.Results = []int{32, 32, 32}
		bb.Ret(t[0], u[0], v[0])
	},
	"two carries that are alive at once": func(f *ir.Func) {
		a, b := f.Param("a", 32), f.Param("b", 32)
		bb := f.Blocks[0]
		s, t := bb.PTX(addCC, a, b), bb.PTX(addCC, b, b)
		u, v := bb.PTX(addc, a, a, s[1]), bb.PTX(addc, b, a, t[1])
		f.Results = []int{32, 32}
		bb.Ret(u[0], v[0])
	},
	"a carry as a predicate": func(f *ir.Func) {
		a, b := f.Param("a", 32), f.Param("b", 32)
		bb := f.Blocks[0]
		s := bb.PTX(addCC, a, b)
		t := bb.PTX(addcCC, a, a, s[1])
		u := bb.PTX(selp, t[0], b, s[1])
		f.Results = []int{32}
		bb.Ret(u[0])
	},
	"a carry as a result": func(f *ir.Func) {
		a, b := f.Param("a", 32), f.Param("b", 32)
		bb := f.Blocks[0]
		s := bb.PTX(addCC, a, b)
		f.Results = []int{1, 32}
		bb.Ret(s[1], s[0])
	},
	"a parameter as a carry, then as a predicate": func(f *ir.Func) {
		p, a, b := f.Param("p", 1), f.Param("a", 32), f.Param("b", 32)
		bb := f.Blocks[0]
		s := bb.PTX(addcCC, a, b, p)
		t := bb.PTX(add64, f.Const(sem.U(1), 64), f.Const(sem.U(2), 64))
		u := bb.PTX(selp, a, b, p)
		v := bb.PTX(addc, u[0], b, p)
		f.Results = []int{32, 1, 64, 32}
		bb.Ret(v[0], s[1], t[0], u[0])
	},
	"a constant carry": func(f *ir.Func) {
		a, b := f.Param("a", 32), f.Param("b", 32)
		bb := f.Blocks[0]
		s := bb.PTX(addcCC, a, b, f.Const(sem.U(1), 1))
		t := bb.PTX(addc, a, b, f.Const(sem.U(0), 1))
		f.Results = []int{32, 1, 32}
		bb.Ret(s[0], s[1], t[0])
	},
	"a carry through forms that write the register themselves": func(f *ir.Func) {
		a, b, x := f.Param("a", 64), f.Param("b", 64), f.Param("x", 64)
		bb := f.Blocks[0]
		s := bb.PTX(subcCC, a, b, f.Const(sem.U(1), 1))
		t := bb.PTX(madcHi, a, b, x, s[1])
		u := bb.PTX(subcCC, x, a, t[1])
		f.Results = []int{64, 64, 64, 1}
		bb.Ret(s[0], t[0], u[0], u[1])
	},
	"a carry over a join": func(f *ir.Func) {
		p, a, b := f.Param("p", 1), f.Param("a", 32), f.Param("b", 32)
		entry, yes, no, end := f.Blocks[0], f.NewBlock("yes"), f.NewBlock("no"), f.NewBlock("end")
		entry.CondBr(p, yes, no)
		s := yes.PTX(addCC, a, b)
		yes.Br(end)
		t := no.PTX(addCC, b, b)
		no.Br(end)
		cf := end.Phi(1)
		cf.Args = []*ir.Value{s[1], t[1]}
		u := end.PTX(addc, a, a, cf)
		v := end.PTX(selp, u[0], a, cf)
		f.Results = []int{32, 1}
		end.Ret(v[0], cf)
	},
	"a branch on a carry": func(f *ir.Func) {
		a, b := f.Param("a", 32), f.Param("b", 32)
		entry, yes, no := f.Blocks[0], f.NewBlock("yes"), f.NewBlock("no")
		s := entry.PTX(addCC, a, b)
		entry.CondBr(s[1], yes, no)
		t := yes.PTX(addc, a, a, s[1])
		f.Results = []int{32}
		yes.Ret(t[0])
		no.Ret(s[0])
	},
	"a carry around a loop": func(f *ir.Func) {
		n, a := f.Param("n", 32), f.Param("a", 32)
		entry, loop, end := f.Blocks[0], f.NewBlock("loop"), f.NewBlock("end")
		s := entry.PTX(addCC, a, a)
		entry.Br(loop)
		cf, sum, i := loop.Phi(1), loop.Phi(32), loop.Phi(32)
		t := loop.PTX(addcCC, sum, a, cf)
		j := loop.PTX(ptx.Form{Op: ptx.Sub, T: ptx.U32}, i, f.Const(sem.U(1), 32))
		more := loop.PTX(ptx.Form{Op: ptx.Setp, Cmp: ptx.Gt, T: ptx.S32}, j[0], f.Const(sem.U(0), 32))
		loop.CondBr(more[0], loop, end)
		cf.Args = []*ir.Value{s[1], t[1]}
		sum.Args = []*ir.Value{s[0], t[0]}
		i.Args = []*ir.Value{n, j[0]}
		f.Results = []int{32, 1}
		end.Ret(t[0], t[1])
	},
}

func TestCarriesGoWhereTheCarryRegisterDoesNot(t *testing.T) {
	for _, name := range [...]string{"sm_10", "sm_20", "sm_35", "sm_50", "sm_60"} {
		tg := older(t, name)
		for what, build := range carryFuncs {
			f := ir.NewFunc("f")
			build(f)
			require.NoError(t, ir.Verify(f), what)
			nf, err := tg.Select(f, nil)
			require.NoError(t, err, "%s on %s", what, name)
			require.NoError(t, nf.Allocate(tg.Machine), "%s on %s", what, name)
			mm, err := eval.CheckLowering(f, nf, tg.Machine, 300, 7)
			require.NoError(t, err, "%s on %s", what, name)
			require.Nil(t, mm, "%s on %s: %s", what, name, mm)
		}
	}
}

func TestACarryChainStaysInTheCarryRegister(t *testing.T) {
	const limbs = 8
	for _, name := range [...]string{"sm_10", "sm_20", "sm_50"} {
		tg := older(t, name)
		f := ir.NewFunc("f")
		bb := f.Blocks[0]
		var out []*ir.Value
		var cf *ir.Value
		for range limbs {
			x, y := f.Param("x", 32), f.Param("y", 32)
			var s []*ir.Value
			if cf == nil {
				s = bb.PTX(addCC, x, y)
			} else {
				s = bb.PTX(addcCC, x, y, cf)
			}
			out, cf = append(out, s[0]), s[1]
			f.Results = append(f.Results, 32)
		}
		bb.Ret(out...)
		nf, err := tg.Select(f, nil)
		require.NoError(t, err)
		ops, _ := nf.Count()
		require.Equal(t, limbs, ops, name)
	}
}
