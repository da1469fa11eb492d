package amd_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// lone is a function of one form; argument at is the constant k unless at is −1.
func lone(name string, f ptx.Form, m ptx.Model, at int, k sem.Val) *ir.Func {
	fn := ir.NewFunc(name)
	fn.Model = m
	var args []*ir.Value
	for i, w := range ir.ArgWidths(f) {
		if i == at {
			args = append(args, fn.Const(k, w))
		} else {
			args = append(args, fn.Param(string("abce"[i]), w))
		}
	}
	fn.Results = ir.ResultWidths(f)
	fn.Blocks[0].Ret(fn.Blocks[0].PTX(f, args...)...)
	return fn
}

// compiled is the function's allocated native code.
func compiled(t *testing.T, tg *isel.Target, fn *ir.Func) *mach.Func {
	t.Helper()
	nf, err := tg.Select(fn, nil)
	require.NoError(t, err, fn.Name)
	require.NoError(t, nf.Allocate(tg.Machine), fn.Name)
	return nf
}

// constants have something of each kind: inline, literal, both signs, and
// shift counts.
var constants = []sem.Val{sem.U(0), sem.U(1), sem.U(5), sem.U(31), sem.U(64), sem.U(65), sem.S(-1), sem.S(-16), sem.U(0x12345678), sem.U(0x80000000), sem.S(-0x123456789abcdef)}

// all calls f with every form alone, and with each of the constants in each
// place; of vmad's behaviours with constants a sample.
func all(forms []ptx.Form, f func(name string, form ptx.Form, fn *ir.Func)) {
	n := 0
	for i, form := range forms {
		for _, m := range models(form) {
			name := fmt.Sprintf("f%d_%v", n, m)
			f(name, form, lone(name, form, m, -1, sem.Val{}))
			n++
			if form.Op == ptx.Vmad && i%23 != 0 {
				continue
			}
			for at := range ir.ArgWidths(form) {
				for j, k := range constants {
					name := fmt.Sprintf("f%d_%v_%d_%d", n, m, at, j)
					f(name, form, lone(name, form, m, at, k))
					n++
				}
			}
		}
	}
}

func TestAllocatedCodeComputesWhatTheFormMeans(t *testing.T) {
	sampled(t, 31, func(t *testing.T, tg *isel.Target, forms []ptx.Form) {
		all(forms, func(_ string, form ptx.Form, fn *ir.Func) {
			x, err := eval.CheckLowering(fn, compiled(t, tg, fn), tg.Machine, 60, 4)
			require.NoError(t, err, form.Name())
			if x != nil {
				t.Errorf("%s %v, constants %v: %v", form.Name(), fn.Model, fn.Consts, x)
			}
		})
	})
}

// requireAssembles fails unless llvm-mc accepts a listing and each instruction
// disassembles to itself.
func requireAssembles(t *testing.T, target string, listing []byte) (instructions int) {
	t.Helper()
	n, err := judges.GFXRoundTrip(t, target, listing)
	require.NoError(t, err)
	return n
}

// What is printed is what was meant: read back by the rows alone it computes the
// same.
func TestListingsReadBack(t *testing.T) {
	sampled(t, 61, func(t *testing.T, tg *isel.Target, forms []ptx.Form) {
		reader := mach.NewReader(*tg.Dialect, tg.Machine)
		classes := func(ws []int) (out []mach.Class) {
			for _, w := range ws {
				c, _ := tg.Machine.ClassOf(max(w, 32))
				out = append(out, c)
			}
			return out
		}
		all(forms, func(_ string, form ptx.Form, fn *ir.Func) {
			var sb strings.Builder
			require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
			var params []int
			for _, p := range fn.Params {
				params = append(params, p.W)
			}
			lines := strings.Split(strings.TrimSpace(sb.String()), "\n")[1:]
			back, err := reader.Read(lines, classes(params), classes(fn.Results))
			require.NoError(t, err, sb.String())
			x, err := eval.CheckLowering(fn, back, tg.Machine, 60, 5)
			require.NoError(t, err, form.Name())
			if x != nil {
				t.Errorf("%s %v: %v\n%s", form.Name(), fn.Model, x, sb.String())
			}
		})
	})
}

func inline(k sem.Val) bool { n := int64(k.Lo); return -16 <= n && n <= 64 }

// Each row alone, with masks other than VCC and high registers, and with the
// constants that it says it takes.
func TestRowsAssemble(t *testing.T) {
	judges.Need(t, "llvm-mc-22")
	for _, tg := range leading() {
		var text bytes.Buffer
		for i, op := range amd.Ops() {
			if !tg.Features.Has(op.Needs) {
				continue
			}
			for j := -1; j < (len(op.In)+1)*len(constants)+len(op.In); j++ {
				shared := j - (len(op.In)+1)*len(constants) // an operand in a scalar register, −1 for as many as can be
				if shared >= 0 && !op.In[shared].Scalar {
					continue
				}
				room := tg.Machine.Bus
				f := &mach.Func{Name: fmt.Sprintf("row%d_%d", i, j+1), Blocks: []*mach.Block{{Term: mach.Ret}}}
				reg := func(c mach.Class, at int16) mach.Operand {
					if c.Bank == mach.Predicate {
						at = 4 + 2*at
					}
					if c.Bank == mach.Scalar {
						at += 4
					}
					if tg.Machine.Units(c) == 2 && (tg.Machine.PairAlign == 2 || c.Bank == mach.Scalar) {
						at += at & 1
					}
					r := f.NewReg(c, "")
					f.Phys = append(f.Phys, at)
					return f.R(r)
				}
				in := mach.Inst{Op: op}
				for n, c := range op.Out {
					in.Out = append(in.Out, reg(c, int16(2*n)))
				}
				for _, o := range in.Out { // is read, and so not null
					f.Blocks[0].Ret = append(f.Blocks[0].Ret, o)
				}
				legal := true
				for n, kind := range op.In {
					if kind.Class.Bank == mach.Predicate || j >= 0 && j/len(constants) == n && op.Accepts(n, constants[j%len(constants)].Cut(int(kind.Class.Bits))) && !inline(constants[j%len(constants)]) {
						room--
					}
				}
				for n, kind := range op.In {
					x := reg(kind.Class, int16(5+3*n))
					if kind.Scalar && room > 0 && (n == shared || shared == -1) {
						x = reg(mach.Class{Bank: mach.Scalar, Bits: kind.Class.Bits}, int16(5+3*n))
						room--
					}
					if j >= 0 && j/len(constants) == n || kind.ImmOnly {
						x = mach.Imm(constants[(j+len(constants))%len(constants)], int(kind.Class.Bits))
						legal = legal && op.Accepts(n, x.K)
					}
					in.In = append(in.In, x)
				}
				if !legal || op.Legal(in.In) != nil {
					continue
				}
				f.Blocks[0].Insts = []mach.Inst{in}
				require.NoError(t, tg.Print(&text, f))
			}
		}
		require.Greater(t, requireAssembles(t, tg.Name, text.Bytes()), 1000)
	}
}
