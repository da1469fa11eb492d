package ptxlower

import (
	"errors"
	"fmt"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// Bounds of a wave's run: steps of one lane in the source, and lines of the listing.
const (
	waveSteps = 256
	waveLines = 1 << 17
)

// waves runs the listing of a function with branches as a wave of AMD's GPUs, whose
// lanes go different ways at once, and compares each lane with the source: masks
// that are wrong show only so.
func (r *run) waves(at diag.Span, name string, src *ir.Func, listing string) error {
	if r.opt.Verify == VerifyOff || r.res.Target.Vendor != targets.AMD || src.StraightLine() {
		return nil
	}
	t := r.res.Target.Target
	lanes := amd.WaveBits(t.Features)
	widths, params := make([]int, len(src.Params)), make([]amd.Passed, len(src.Params))
	for i, p := range src.Params {
		widths[i], params[i] = p.W, amd.Passed{Bits: p.W, Uniform: p.Uniform}
	}
	cols := eval.Vectors(widths, 4*lanes, 1)
	prog := eval.CompileIR(src)
	var in, want [][]sem.Val
	for _, common := range []uint64{^uint64(0), 7} { // small values keep loops short
		for l := 0; l < 4*lanes && len(in) < lanes; l++ {
			args := make([]sem.Val, len(widths))
			for i, p := range params {
				k := cols[i].Lo[l]
				switch {
				case p.Uniform:
					k = cols[i].Lo[0] & common
				case l%2 == 1:
					k &= 7
				}
				args[i] = sem.U(k).Cut(p.Bits)
			}
			switch out, err := prog.Run(args, waveSteps); {
			case err == nil:
				in, want = append(in, args), append(want, out)
			case !errors.Is(err, eval.ErrSteps) && !errors.Is(err, eval.ErrUnreachable):
				return err
			}
		}
		if len(in) > 0 {
			break
		}
	}
	if len(in) == 0 { // it loops for long, whatever the parameters
		return nil
	}
	wrong := func(what string) {
		r.wrong = true
		r.diags.Errorf("verify", r.file, at, "@%s is lowered wrongly for %s: in a wave of %d lanes %s", name, r.res.Target.Name, len(in), what)
	}
	got, err := amd.RunWave(t, listing, params, in, src.Results, waveLines)
	if err != nil {
		wrong(err.Error())
		return nil
	}
	r.res.Lanes = max(r.res.Lanes, len(in))
	for l := range in {
		for i := range want[l] {
			if want[l][i] != got[l][i] {
				wrong(fmt.Sprintf("lane %d, of the parameters %v, has %v as result %d, not %v", l, in[l], got[l][i], i, want[l][i]))
				return nil
			}
		}
	}
	return nil
}
