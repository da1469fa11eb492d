package ptx

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/sem"
)

// runner evaluates a form's meaning on columns of vectors.
type runner struct {
	form Form
	prog *sem.Prog
	ins  []Type
	outs []Type
}

func newRunner(f Form, m Model) *runner {
	b := sem.NewBuilder()
	r := &runner{form: f, ins: f.Ins(), outs: f.Outs()}
	if f.ReadsCF() {
		r.ins = append(r.ins, Pred)
	}
	if f.WritesCF() {
		r.outs = append(r.outs, Pred)
	}
	var vars []*sem.Term
	for i, t := range r.ins {
		vars = append(vars, b.Var("in"+strconv.Itoa(i), t.Bits()))
	}
	r.prog = sem.Compile(vars, f.Meaning(b, vars, m)...)
	return r
}

func (r *runner) eval(in ...uint64) []uint64 {
	vs := make([]sem.Val, len(in))
	for i, v := range in {
		vs[i] = sem.U(v).Cut(r.ins[i].Bits())
	}
	var out []uint64
	for _, v := range r.prog.Eval(vs...) {
		out = append(out, v.Lo)
	}
	return out
}

func TestMeaningGivesATermOfEachResultsWidth(t *testing.T) {
	for _, f := range append(append(Forms(), VmadForms()...), Neighbours()...) {
		b := sem.NewBuilder()
		ins, outs := f.Ins(), f.Outs()
		if f.ReadsCF() {
			ins = append(ins, Pred)
		}
		if f.WritesCF() {
			outs = append(outs, Pred)
		}
		var vars []*sem.Term
		for i, ty := range ins {
			vars = append(vars, b.Var("in"+strconv.Itoa(i), ty.Bits()))
		}
		for _, m := range []Model{ISA, PTXAS} {
			got := f.Meaning(b, vars, m)
			require.Equal(t, len(outs), len(got), f.Name())
			for i, d := range got {
				require.Equal(t, outs[i].Bits(), d.W, f.Name())
			}
		}
	}
}

func TestTheVectorsHold(t *testing.T) {
	num := func(s string) uint64 {
		v, err := strconv.ParseUint(s, 0, 64)
		require.NoError(t, err)
		return v
	}
	rows := testutil.CSV(t, "spec/vectors.csv")
	require.Equal(t, 325, len(rows))
	for _, row := range rows {
		in := parseOne(t, row["insn"])
		cf := func(col string) []uint64 {
			if row[col] == "" {
				return nil
			}
			return []uint64{num(row[col])}
		}
		var args []uint64
		values := map[string]uint64{"a": num(row["a"]), "b": num(row["b"])}
		if row["c"] != "" {
			values["c"] = num(row["c"])
		}
		for _, o := range in.Src {
			if o.Kind == OperandImm {
				args = append(args, o.Imm)
			} else {
				v, ok := values[o.Name]
				require.True(t, ok, row["insn"])
				args = append(args, v)
			}
		}
		args = append(args, cf("cf_in_hw")...)
		want := append([]uint64{num(row["d"])}, cf("cf_out_hw")...)
		require.Equal(t, want, newRunner(in.Form, ISA).eval(args...), "vector %s: %s", row["id"], row["insn"])
	}
}

func TestTheSequencesHold(t *testing.T) {
	rows := testutil.CSV(t, "spec/sequences.csv")
	require.Equal(t, 26, len(rows))
	for _, row := range rows {
		regs := map[string]uint64{}
		values := func(s string, each func(name string, v uint64)) {
			for _, f := range strings.Fields(s) {
				name, text, _ := strings.Cut(f, "=")
				v, err := strconv.ParseUint(text, 0, 64)
				require.NoError(t, err)
				each(name, v)
			}
		}
		values(row["inputs"], func(name string, v uint64) { regs[name] = v })
		text := strings.ReplaceAll(row["program"], "|", "\n")
		var fs []finding
		body := ParseFlat([]byte(text), listen(t, text, &fs))
		for _, f := range fs {
			require.Equal(t, "ptx-truncated", f.ID, row["name"])
		}
		cf := uint64(0)
		for _, it := range body.Items {
			in := it.Inst
			if g := in.Guard; g != nil && (regs[g.Name] == 0) != g.Not {
				continue
			}
			var args []uint64
			for _, o := range in.Src {
				if o.Kind == OperandImm {
					args = append(args, o.Imm)
				} else {
					args = append(args, regs[o.Name])
				}
			}
			if in.Form.ReadsCF() {
				args = append(args, cf)
			}
			out := newRunner(in.Form, ISA).eval(args...)
			regs[in.Dst[0].Name] = out[0]
			if in.Form.WritesCF() {
				cf = out[1]
			}
		}
		values(row["outputs_hw"], func(name string, v uint64) {
			require.Equal(t, fmt.Sprintf("%#x", v), fmt.Sprintf("%#x", regs[name]), "%s: %s", row["name"], name)
		})
	}
}

// edges are bit patterns where carries, signs and selected parts change.
var edges = []uint64{0, 1, 2, 3, 0x40, 0x7f, 0x80, 0x81, 0xff, 0x100, 0x4000, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000,
	0x7fffff, 0x800000, 0x800001, 0xffffff, 0x1000000, 0x01000003, 0x40000000, 0x7fffffff, 0x80000000, 0x80000001,
	0x80ff7f01, 0x807f80ff, 0xff800000, 0xffff7fff, 0xffff8000, 0xffffff7f, 0xffffff80, 0xfffffffe, 0xffffffff,
	0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffff00000000, 0xffffffffffffffff,
	5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 63, 64, 65, 127, 128, 254, 255, 256}

func draw(r *rand.Rand, t Type) uint64 {
	var v uint64
	switch r.IntN(4) {
	case 0, 1:
		v = edges[r.IntN(len(edges))]
	case 2:
		v = r.Uint64() >> r.IntN(64)
	default:
		v = r.Uint64()
	}
	if w := t.Bits(); w < 64 {
		v &= 1<<w - 1
	}
	return v
}

// compareWithOracle runs the meaning of f against the oracle on n vectors.
func compareWithOracle(t *testing.T, f Form, m Model, n int, seed uint64) {
	r := newRunner(f, m)
	rnd := rand.New(rand.NewPCG(seed, 1))
	ins := make([]sem.Col, len(r.ins))
	for i, ty := range r.ins {
		ins[i].Lo = make([]uint64, n)
		for j := range n {
			ins[i].Lo[j] = draw(rnd, ty)
		}
	}
	outs := make([]sem.Col, len(r.outs))
	for i := range outs {
		outs[i].Lo = make([]uint64, n)
	}
	r.prog.Run(ins, outs)
	in, got := make([]uint64, len(ins)), make([]uint64, len(outs))
	for j := range n {
		for i := range ins {
			in[i] = ins[i].Lo[j]
		}
		for i := range outs {
			got[i] = outs[i].Lo[j]
		}
		want := oracle(f, in, m)
		for i := range want {
			if len(want) != len(got) || want[i] != got[i] {
				t.Fatalf("%s, %s: %#x gives %#x, the oracle says %#x", f.Name(), m, in, got, want)
			}
		}
	}
}

// vectors is n, or an eighth of it in a short run.
func vectors(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

func TestTheFamilyMeansWhatTheOracleSays(t *testing.T) {
	for i, f := range Behaviours() {
		for _, m := range []Model{ISA, PTXAS} {
			compareWithOracle(t, f, m, vectors(320), uint64(2*i)+uint64(m))
		}
	}
}

func TestTheNeighboursMeanWhatTheOracleSays(t *testing.T) {
	for i, f := range Neighbours() {
		n := 1000
		if f.Op == Lop3 {
			n = 100
		}
		compareWithOracle(t, f, ISA, vectors(n), uint64(i))
	}
}

func TestFormsMeanWhatTheirBehaviourMeans(t *testing.T) {
	for i, f := range VmadForms() {
		if i%5 != 0 { // prime to the 49 selectors and the 6 signs
			continue
		}
		x, y := newRunner(f, PTXAS), newRunner(f.Behaviour(), PTXAS)
		rnd := rand.New(rand.NewPCG(uint64(i), 2))
		for range 20 {
			in := []uint64{draw(rnd, U32), draw(rnd, U32), draw(rnd, U32)}
			require.Equal(t, y.eval(in...), x.eval(in...), f.Name())
		}
	}
}

func TestTheModelsDifferOnNineHundredBehaviours(t *testing.T) {
	differ := 0
	for i, f := range Behaviours() {
		if f.Op != Vmad {
			continue
		}
		x, y := newRunner(f, ISA), newRunner(f, PTXAS)
		rnd := rand.New(rand.NewPCG(uint64(i), 3))
		for range 400 {
			in := []uint64{draw(rnd, U32), draw(rnd, U32), draw(rnd, U32)}
			if x.eval(in...)[0] != y.eval(in...)[0] {
				require.True(t, f.Sat || f.Shr > 0, f.Name())
				differ++
				break
			}
		}
	}
	require.Equal(t, 900, differ)
}
