package amd

import (
	"sync"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// The clamp modifier of v_mad_i32_i24, v_mad_i32_i16, v_mad_u32_u16,
// v_dot4_i32_iu8 and v_dot4_u32_u8. LLVM's description of modifiers
// says that the result is "clamped to the largest and smallest representable
// value"; the rows here take the sum in full and limit it to a signed or unsigned
// word, as the op is. No compiler is known to emit it and it was not seen to run,
// so only a target from MadClamp has these rows.

// assumed is where the meaning of such a row is from.
const assumed = "LLVM, AMDGPU modifiers: clamp; not seen to run"

// MadClamp is a target that limits multiply-adds by their clamp modifier, too; nil
// for one that has no such modifier: gfx6 and gfx7.
func MadClamp(t *isel.Target) *isel.Target {
	if !t.Features.Has(CLAMPU) {
		return nil
	}
	f := t.Features | MADCLAMP
	madClampers.Lock()
	defer madClampers.Unlock()
	like := madClampers.made[f]
	if like == nil {
		like = newKind(f)
		madClampers.made[f] = like
	}
	return named(like, t.Name, t.Family, t.Aliases)
}

var madClampers = struct {
	sync.Mutex
	made map[ir.Features]*isel.Target
}{made: map[ir.Features]*isel.Target{}}

var v_mad_i32_i24_clamp = madClamp("v_mad_i32_i24", CLAMPU, "", inline, true, func(b *sem.Builder, x *sem.Term) []*sem.Term {
	return []*sem.Term{b.Sext(b.Bits(x, 23, 0), 64)}
})

// madClamp is a multiply-add that limits the sum of the products of the parts of
// its first two operands and of the third.
func madClamp(name string, needs ir.Features, modifiers string, factors mach.Kind, signed bool, parts ...func(b *sem.Builder, x *sem.Term) []*sem.Term) *op {
	return fast(literals(mach.Op{Name: name, Syntax: "$d, $0, $1, $2" + modifiers + " clamp",
		Out: []mach.Class{r32}, In: []mach.Kind{factors, factors, inline}, Needs: MADCLAMP | needs,
		Meaning: nary(func(b *sem.Builder, in []*sem.Term) *sem.Term {
			x, y := parts[0](b, in[0]), parts[len(parts)-1](b, in[1])
			t := b.Ext(in[2], 64, signed)
			for i := range x {
				t = b.Add(t, b.Mul(x[i], y[i]))
			}
			if signed {
				return clampTo(b, t, 32)
			}
			return b.Ite(b.Ult(b.U(1<<32-1, 64), t), b.S(-1, 32), b.Bits(t, 31, 0))
		}).one}))
}

// wideParts are parts of a register, each extended to 64 bits.
func wideParts(ps ...part) func(b *sem.Builder, x *sem.Term) []*sem.Term {
	return func(b *sem.Builder, x *sem.Term) []*sem.Term {
		var out []*sem.Term
		for _, p := range ps {
			out = append(out, b.Ext(p.of(b, x), 64, p.signed))
		}
		return out
	}
}

// bytesOf are the four bytes.
func bytesOf(signed bool) func(b *sem.Builder, x *sem.Term) []*sem.Term {
	var ps []part
	for _, s := range sels[:4] {
		ps = append(ps, part{s, signed})
	}
	return wideParts(ps...)
}

// clampHalves and clampDots are halves and dots, limited.
var (
	clampHalves = partPairs(func(p, q part) *op {
		if halves[[2]part{p, q}] == nil {
			return nil
		}
		name, sel := halvesText(p, q)
		return madClamp(name, MAD16, sel, vgpr, p.signed, wideParts(p), wideParts(q))
	})
	clampDots = dotPairs(func(x, y bool) *op {
		name, neg := dotText(x, y)
		return madClamp(name, DOT, neg, vgpr, x || y, bytesOf(x), bytesOf(y))
	})
)

// clampSums are the products of two parts plus a word, limited to a word that is
// signed if one of the parts is. Two ops that are known to do it are preferred to
// as many that are not: an SDWA product and a saturating add.
var clampSums = partPairs(func(p, q part) *op {
	o, signed := &op{}, p.signed || q.signed
	if m := clampHalves[[2]part{p, q}]; m != nil {
		o = either(m)
	}
	known, add := SDWA, v_add_u32_clamp
	if signed {
		known, add = SDWA|CLAMPS, v_add_i32_clamp
	}
	o.or(known, func(x []expr) []expr {
		return []expr{add.Of(products[[2]part{p, q}].Of(x[0], x[1]), x[2])}
	})
	o.ways = append(o.ways, short(p, q, clampHalves, clampDots)...)
	return o.as(func(x []expr) expr { // unsigned parts have ways above
		return v_mad_i32_i24_clamp.Of(p.value(x[0]), q.value(x[1]), x[2])
	})
})

// vmadClamp: the product of two parts plus c is limited as the op limits its sum.
func vmadClamp(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.Sat || v.Shr != 0 || !v.parts() || v.negp || v.NegC || v.PO || !v.signed && v.signedC {
		return nil
	}
	return []expr{clampSums[[2]part{v.a.part, v.b.part}].Of(a, b, c)}
}
