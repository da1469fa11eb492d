package sem

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"
)

// vmadTerm is vmad.s32.s32.s32.sat.shr7 d, a, b, -c as the manual has it: the
// exact sum a·b + ~c + 1 in 65 bits, shifted and clamped.
func vmadTerm(b *Builder) (params []*Term, d *Term) {
	x, y, z := b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)
	p := b.Mul(b.Sext(x, 65), b.Sext(y, 65))
	t := b.Add(b.Add(p, b.Sext(b.Not(z), 65)), b.U(1, 65))
	r := b.Clamp(b.AshrK(t, 7), b.S(-1<<31, 65), b.S(1<<31-1, 65))
	return []*Term{x, y, z}, b.Bits(r, 31, 0)
}

func vmadSpec(a, b, c uint32) uint32 {
	t := (int64(int32(a))*int64(int32(b)) - int64(int32(c))) >> 7
	return uint32(min(max(t, -1<<31), 1<<31-1))
}

func vmadColumns(n int) (p *Prog, in []Col, want []uint64) {
	params, d := vmadTerm(NewBuilder())
	p = Compile(params, d)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		c := Col{Lo: make([]uint64, n)}
		for i := range c.Lo {
			c.Lo[i] = edge(r, 32).Lo
		}
		in = append(in, c)
	}
	want = make([]uint64, n)
	for i := range want {
		want[i] = uint64(vmadSpec(uint32(in[0].Lo[i]), uint32(in[1].Lo[i]), uint32(in[2].Lo[i])))
	}
	return p, in, want
}

// The baseline: a switch over 32-bit operations, a vector at a time, with the
// two-limb code that a GPU runs for the same instruction.
type (
	simpleOp   uint8
	simpleInst struct {
		op      simpleOp
		d, a, b uint8
		k       uint32
	}
	simpleState struct {
		r           [16]uint32
		carry, pred uint32
	}
)

const (
	sLoad   simpleOp = iota // d = k
	sMulLo                  // d = lo(a · b)
	sMulHi                  // d = hi(a · b), signed
	sAddCC                  // d, carry = a + b + k
	sAddC                   // d, carry = a + b + carry
	sNot                    // d = ~a
	sXor                    // d = a ^ b
	sSar                    // d = a >> k, signed
	sFunnel                 // d = a:b >> k
	sSetEq                  // pred = a == b
	sSelect                 // d = pred ? a : b
)

func (s *simpleState) run(code []simpleInst) {
	r := &s.r
	for i := range code {
		in := &code[i]
		a, b := r[in.a&15], r[in.b&15]
		d := &r[in.d&15]
		switch in.op {
		case sLoad:
			*d = in.k
		case sMulLo:
			*d = a * b
		case sMulHi:
			*d = uint32(int64(int32(a)) * int64(int32(b)) >> 32)
		case sAddCC:
			*d, s.carry = bits.Add32(a, b, in.k)
		case sAddC:
			*d, s.carry = bits.Add32(a, b, s.carry)
		case sNot:
			*d = ^a
		case sXor:
			*d = a ^ b
		case sSar:
			*d = uint32(int32(a) >> (in.k & 31))
		case sFunnel:
			*d = uint32((uint64(a)<<32 | uint64(b)) >> (in.k & 63))
		case sSetEq:
			s.pred = 0
			if a == b {
				s.pred = 1
			}
		case sSelect:
			if s.pred != 0 {
				*d = a
			} else {
				*d = b
			}
		}
	}
}

// a b c in r0 r1 r2, d in r10.
var simpleVmad = []simpleInst{
	{op: sLoad, d: 15},
	{op: sMulLo, d: 3, a: 0, b: 1},
	{op: sMulHi, d: 4, a: 0, b: 1},
	{op: sNot, d: 5, a: 2},
	{op: sSar, d: 6, a: 5, k: 31},
	{op: sAddCC, d: 3, a: 3, b: 5, k: 1},
	{op: sAddC, d: 4, a: 4, b: 6},
	{op: sFunnel, d: 7, a: 4, b: 3, k: 7},
	{op: sSar, d: 8, a: 4, k: 7},
	{op: sSar, d: 9, a: 7, k: 31},
	{op: sSetEq, a: 9, b: 8},
	{op: sSar, d: 11, a: 8, k: 31},
	{op: sLoad, d: 12, k: 0x7fffffff},
	{op: sXor, d: 11, a: 11, b: 12},
	{op: sSelect, d: 10, a: 7, b: 11},
}

const benchVectors = 1 << 14

func simpleRun(in []Col, out []uint64) {
	var s simpleState
	for i := range out {
		s.r[0], s.r[1], s.r[2] = uint32(in[0].Lo[i]), uint32(in[1].Lo[i]), uint32(in[2].Lo[i])
		s.run(simpleVmad)
		out[i] = uint64(s.r[10])
	}
}

func TestBatchEvaluationIsTwiceAsFastAsAnInterpreter(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector slows both")
	}
	p, in, want := vmadColumns(benchVectors)
	out := make([]uint64, benchVectors)
	cols := []Col{{Lo: out}}
	// The best of many short runs of both, taken in turn, is what the machine
	// can do, whatever else it has to.
	best := [2]time.Duration{1 << 62, 1 << 62}
	for range 200 {
		for i, run := range []func(){func() { simpleRun(in, out) }, func() { p.Run(in, cols) }} {
			clear(out)
			start := time.Now()
			run()
			best[i] = min(best[i], time.Since(start))
			for l := range out {
				if out[l] != want[l] {
					t.Fatalf("way %d, vector %d: %#x, want %#x", i, l, out[l], want[l])
				}
			}
		}
		if best[0] >= 3*best[1] {
			break
		}
	}
	ratio := float64(best[0]) / float64(best[1])
	t.Logf("interpreter %.1f, batch %.1f M vectors/s: %.1f times", rate(best[0]), rate(best[1]), ratio)
	if ratio < 2 {
		t.Errorf("only %.2f times as fast", ratio)
	}
}

func rate(d time.Duration) float64 { return benchVectors / d.Seconds() / 1e6 }

func BenchmarkVmad(b *testing.B) {
	p, in, _ := vmadColumns(benchVectors)
	out := make([]uint64, benchVectors)
	cols := []Col{{Lo: out}}
	for b.Loop() {
		p.Run(in, cols)
	}
	report(b)
}

func BenchmarkVmadInterpreter(b *testing.B) {
	_, in, _ := vmadColumns(benchVectors)
	out := make([]uint64, benchVectors)
	for b.Loop() {
		simpleRun(in, out)
	}
	report(b)
}

func report(b *testing.B) {
	b.ReportMetric(float64(b.N)*benchVectors/b.Elapsed().Seconds()/1e6, "Mvec/s")
}

// BenchmarkVmadRatio reports both in one line.
func BenchmarkVmadRatio(b *testing.B) {
	p, in, _ := vmadColumns(benchVectors)
	out := make([]uint64, benchVectors)
	cols := []Col{{Lo: out}}
	var took [2]time.Duration
	for b.Loop() {
		t0 := time.Now()
		simpleRun(in, out)
		t1 := time.Now()
		p.Run(in, cols)
		took[0] += t1.Sub(t0)
		took[1] += time.Since(t1)
	}
	n := time.Duration(b.N)
	b.ReportMetric(rate(took[0]/n), "interp-Mvec/s")
	b.ReportMetric(rate(took[1]/n), "batch-Mvec/s")
	b.ReportMetric(float64(took[0])/float64(took[1]), "ratio")
}

// BenchmarkCompile is what a form costs before its first vector.
func BenchmarkCompile(b *testing.B) {
	params, d := vmadTerm(NewBuilder())
	b.ReportAllocs()
	for b.Loop() {
		Compile(params, d)
	}
}

func BenchmarkProgEval(b *testing.B) {
	params, d := vmadTerm(NewBuilder())
	p := Compile(params, d)
	b.ReportAllocs()
	for b.Loop() {
		p.Eval(U(3), U(5), U(7))
	}
}
