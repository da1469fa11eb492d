package llvm_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// module collects functions and what they declare.
type module struct {
	sb       strings.Builder
	declares map[string]string
}

func (m *module) add(t testing.TB, target *isel.Target, f *mach.Func) {
	require.NoError(t, target.Print(&m.sb, f))
	if m.declares == nil {
		m.declares = map[string]string{}
	}
	maps.Copy(m.declares, llvm.Declares(f))
}

func (m *module) String() string {
	out := m.sb.String()
	for _, name := range slices.Sorted(maps.Keys(m.declares)) {
		out += m.declares[name] + "\n"
	}
	return out
}

// tool runs an outside program on a text.
func tool(t testing.TB, input, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(judges.Need(t, name), args...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		p := filepath.Join(os.TempDir(), "failed.ll")
		_ = os.WriteFile(p, []byte(input), 0o644)
		require.NoError(t, err, "%s %s: %s", name, args, errs.String())
	}
	return out.String()
}

// fuzz makes a random function of u32 limbs: add, mad and sub chains whose
// terms are parameters, constants, earlier results, caught carries.
func fuzz(r *rand.Rand, name string, hidden bool) *ir.Func {
	f := ir.NewFunc(name)
	b := f.Blocks[0]
	var pool []*ir.Value
	for n := range 4 {
		pool = append(pool, f.Param(string(rune('a'+n)), 32))
	}
	var consts []*ir.Value
	for n, k := range []int64{0, 1, -1} {
		if hidden {
			consts = append(consts, f.Param(fmt.Sprintf("k%d", n), 32))
		} else {
			consts = append(consts, f.Const(sem.S(k), 32))
		}
	}
	zero := f.Const(sem.U(0), 32)
	var cf *ir.Value
	pick := func() *ir.Value {
		if r.IntN(3) == 0 {
			return consts[r.IntN(len(consts))]
		}
		return pool[max(0, len(pool)-1-r.IntN(6))]
	}
	forms := []string{"add", "add", "addcc", "addccc", "addccc", "addc", "sub", "subcc", "subccc", "subc", "madlocc", "madcloccc", "madchicc", "madhi", "catch"}
	for range 3 + r.IntN(8) {
		kind := forms[r.IntN(len(forms))]
		var fm ptx.Form
		switch kind {
		case "add":
			fm = ptx.Form{Op: ptx.Add}
		case "addcc":
			fm = ptx.Form{Op: ptx.Add, CC: true}
		case "addccc":
			fm = ptx.Form{Op: ptx.Addc, CC: true}
		case "addc", "catch":
			fm = ptx.Form{Op: ptx.Addc}
		case "sub":
			fm = ptx.Form{Op: ptx.Sub}
		case "subcc":
			fm = ptx.Form{Op: ptx.Sub, CC: true}
		case "subccc":
			fm = ptx.Form{Op: ptx.Subc, CC: true}
		case "subc":
			fm = ptx.Form{Op: ptx.Subc}
		case "madlocc":
			fm = ptx.Form{Op: ptx.Mad, CC: true, Mode: ptx.Lo}
		case "madcloccc":
			fm = ptx.Form{Op: ptx.Madc, CC: true, Mode: ptx.Lo}
		case "madchicc":
			fm = ptx.Form{Op: ptx.Madc, CC: true, Mode: ptx.Hi}
		case "madhi":
			fm = ptx.Form{Op: ptx.Mad, Mode: ptx.Hi}
		}
		fm.T = ptx.U32
		if fm.ReadsCF() && cf == nil {
			continue
		}
		var args []*ir.Value
		for n := range fm.Ins() {
			if mad := fm.Op == ptx.Mad || fm.Op == ptx.Madc; mad && n < 2 {
				args = append(args, pool[r.IntN(len(pool))])
				continue
			}
			args = append(args, pick())
		}
		if kind == "catch" {
			args[0], args[1] = zero, zero
		}
		if fm.ReadsCF() {
			args = append(args, cf)
		}
		out := b.PTX(fm, args...)
		pool = append(pool, out[0])
		if fm.WritesCF() {
			cf = out[1]
		}
	}
	if cf == nil {
		cf = b.PTX(ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}, pool[0], pool[1])[1]
	}
	c := b.PTX(ptx.Form{Op: ptx.Addc, T: ptx.U32}, zero, zero, cf)[0]
	b.Ret(pool[len(pool)-1], c)
	return f
}

func caught(v *ir.Value) (sem.Facts, bool) {
	if v.Op == ir.PTX && v.Form.Op == ptx.Addc && v.Args[0].Op == ir.Const && v.Args[1].Op == ir.Const && v.Args[0].K.IsZero() && v.Args[1].K.IsZero() {
		return sem.Between(sem.U(0), sem.U(1), 32), true
	}
	return sem.Facts{}, false
}

// reference compiles the forms' meanings.
func reference(f *ir.Func) *sem.Prog {
	b := sem.NewBuilder()
	vals := map[*ir.Value]*sem.Term{}
	term := func(v *ir.Value) *sem.Term {
		if v.Op == ir.Const {
			return b.Const(v.K, v.W)
		}
		return vals[v]
	}
	var params, results []*sem.Term
	for _, p := range f.Params {
		vals[p] = b.Var(p.Name, p.W)
		params = append(params, vals[p])
	}
	var last []*sem.Term
	for _, v := range f.Blocks[0].Vals {
		if v.Op == ir.Result {
			vals[v] = last[v.Index]
			continue
		}
		var args []*sem.Term
		for _, a := range v.Args {
			args = append(args, term(a))
		}
		last = v.Meaning(b, args, f.Model)
		vals[v] = last[0]
	}
	for _, v := range f.Blocks[0].Args {
		results = append(results, term(v))
	}
	return sem.Compile(params, results...)
}

func TestFuzzAMD(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	target := llvm.Targets()[0]
	for round := range 16 {
		hidden := round%2 == 1
		var m module
		var fs []*ir.Func
		var refs []*sem.Prog
		for n := range 200 {
			f := fuzz(r, fmt.Sprintf("f%d", n), hidden)
			fs = append(fs, f)
			refs = append(refs, reference(f))
			mf, err := target.Select(f, caught)
			require.NoError(t, err)
			m.add(t, target, mf)
			m.sb.WriteString(fmt.Sprintf("define { i32, i32 } @g%d(i32 %%a, i32 %%b, i32 %%c, i32 %%d) {\n", n))
			args := "i32 %a, i32 %b, i32 %c, i32 %d"
			if hidden {
				args += ", i32 0, i32 1, i32 -1"
			}
			m.sb.WriteString(fmt.Sprintf("  %%r = call { i32, i32 } @f%d(%s)\n  ret { i32, i32 } %%r\n}\n", n, args))
		}
		text := "target triple = \"amdgcn-amd-amdhsa\"\n" + strings.ReplaceAll(m.String(), ") {\n", ") alwaysinline {\n")
		for _, v := range []string{"22"} {
			for _, cpu := range []string{"gfx900", "gfx1100"} {
				for _, passes := range []string{"-passes=always-inline", "-O2"} {
					opt := tool(t, text, "opt-"+v, passes, "-mcpu="+cpu, "-S")
					code := gcnFuncs(tool(t, opt, "llc-"+v, "-mcpu="+cpu, "-o", "-"))
					for n, f := range fs {
						for range 30 {
							in := make([]uint32, 4)
							for k := range in {
								in[k] = []uint32{0, 1, 0xffffffff, 0xfffffffe, r.Uint32(), r.Uint32(), 1 << 31}[r.IntN(7)]
							}
							full := append(append([]uint32{}, in...), 0, 1, 0xffffffff)
							full64 := make([]sem.Val, len(f.Params))
							for k := range full64 {
								full64[k] = sem.U(uint64(full[k]))
							}
							var want []uint32
							for _, v := range refs[n].Eval(full64...) {
								want = append(want, uint32(v.Lo))
							}
							got, err := new(gcn).run(code[fmt.Sprintf("g%d", n)], in, 2)
							if err != nil {
								fmt.Println("UNK", err)
								break
							}
							if !slices.Equal(want, got) {
								var sb strings.Builder
								mf, _ := target.Select(f, caught)
								_ = target.Print(&sb, mf)
								t.Errorf("%v %s %s %s f%d in %x want %x got %x\n%s\n%s", hidden, v, cpu, passes, n, in, want, got, sb.String(), strings.Join(code[fmt.Sprintf("g%d", n)], "\n"))
								break
							}
						}
					}
				}
			}
		}
	}
}
