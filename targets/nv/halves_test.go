package nv_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// How 16-bit forms are compared with ptxas. Its counts are of kernels that load
// the operands extended (LDG.U16, LDG.S16; ours are zero-extended) and store the result
// with STG.U16 or STG.S16, which read bits 15..0 of a register. Ours leaves a result that is
// zero-extended, for any reader. Let r be our result and x an operand of the
// instruction that makes it. Where
//
//	r mod 2^16 = x mod 2^16
//
// for all values, that store gets the same from x: the instruction serves the
// convention and not the form, and ptxas' count has none such.

// costStored is the cost of a form of which bits 15..0 are stored, where the
// result has 16 bits; of other forms the cost.
func costStored(t testing.TB, tg *isel.Target, f ptx.Form, m ptx.Model) (ops, moves int) {
	nf, _, err := tg.SelectForm(f, m)
	require.NoError(t, err, f.Name())
	withoutExtension(nf, f)
	return nf.Count()
}

// withoutExtension removes an instruction that only extends the result of a
// 16-bit form, and reports whether there was one.
func withoutExtension(nf *mach.Func, f ptx.Form) bool {
	outs := f.Outs()
	ret := nf.Blocks[0].Ret
	if len(outs) != 1 || outs[0].Bits() != 16 || len(ret) != 1 || ret[0].IsConst() {
		return false
	}
	for _, in := range nf.Blocks[0].Insts {
		if in.Guard != nil || len(in.Out) != 1 || in.Out[0].Reg != ret[0].Reg {
			continue
		}
		if i := keepsHalf(&in); i >= 0 {
			ret[0] = in.In[i]
			nf.RemoveDead()
			return true
		}
	}
	return false
}

// keepsHalf is the operand whose bits 15..0 are those of the result, or -1.
func keepsHalf(in *mach.Inst) int {
	b := sem.NewBuilder()
	var args, vars []*sem.Term
	for i, o := range in.In {
		if o.IsConst() {
			args = append(args, b.Const(o.K, int(in.Op.In[i].Class.Bits)))
		} else {
			args = append(args, b.Var(string(rune('a'+i)), int(in.Op.In[i].Class.Bits)))
			vars = append(vars, args[i])
		}
	}
	low := b.Bits(in.Op.Meaning(b, args)[0], 15, 0)
	for i, x := range args {
		if in.In[i].IsConst() || x.W != 32 {
			continue
		}
		g := prove.Goal{Params: vars, Want: []*sem.Term{b.Bits(x, 15, 0)}, Got: []*sem.Term{low}}
		if prove.Equal(g, prove.Options{}).Status == prove.Proved {
			return i
		}
	}
	return -1
}

func TestOnlyMasksOf16BitResultsAreLeftToTheStore(t *testing.T) {
	for _, c := range []struct{ target, form, last string }{
		{"sm_70", "mul.lo.u16", "LOP3.LUT"}, {"sm_120", "add.s16", "LOP3.LUT"}, {"sm_90", "mad.hi.s16", "LOP3.LUT"},
		{"sm_50", "mad.hi.u16", "LOP.AND"}, {"sm_10", "mul.lo.u16", "I2I.U32.U16"},
		{"sm_70", "mul.hi.u16", ""}, {"sm_70", "mul.wide.s16", ""}, {"sm_60", "mad.hi.s16", ""}, {"sm_70", "add.u32", ""},
	} {
		tg := target(t, c.target)
		f := formOf(t, c.form)
		nf, _, err := tg.SelectForm(f, ptx.ISA)
		require.NoError(t, err)
		insts := nf.Blocks[0].Insts
		last := insts[len(insts)-1].Op.Name
		before, _ := nf.Count()
		removed := withoutExtension(nf, f)
		after, _ := nf.Count()
		require.Equal(t, c.last != "", removed, "%s on %s", c.form, c.target)
		if removed {
			require.Equal(t, c.last, last)
			require.Equal(t, before-1, after)
		}
	}
}

var halfAccess = regexp.MustCompile(`\b(LD|ST)G\S*\.[US]16\b`)

func TestPtxasStoresHalvesWithoutMasks(t *testing.T) {
	var module strings.Builder
	n, operands := 0, 0
	for i, f := range ptx.Behaviours() {
		if f.Outs()[0].Bits() == 16 {
			module.WriteString(kernel(fmt.Sprintf("k%d", i), f))
			n++
			operands += len(f.Ins())
		}
	}
	require.Equal(t, 12, n)
	for _, arch := range []string{"sm_50", "sm_60", "sm_70", "sm_90", "sm_120"} {
		loads, stores := 0, 0
		disassembled(t, arch, module.String(), func(line string) {
			if m := halfAccess.FindStringSubmatch(line); m != nil {
				if m[1] == "LD" {
					loads++
				} else {
					stores++
				}
			}
			require.NotRegexp(t, `\b0xffff\b`, line, arch)
		})
		require.Equal(t, operands, loads, arch)
		require.Equal(t, n, stores, arch)
	}
}
