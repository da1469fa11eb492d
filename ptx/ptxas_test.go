package ptx

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
)

// NVIDIA's own assembler as the judge of what is legal.

// assemble runs ptxas on a kernel of the given lines; the error is its output.
func assemble(t testing.TB, ptxas string, lines []string) error {
	text := `.version 8.5
.target sm_90
.address_size 64
.entry k() {
.reg .pred p<8>;
.reg .b8 c<8>;
.reg .b16 h<8>;
.reg .b32 w<8>;
.reg .b64 x<8>;
` + strings.Join(lines, "\n") + "\nret;\n}\n"
	file := filepath.Join(t.TempDir(), "k.ptx")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, err := exec.Command(ptxas, "-arch=sm_90", "-O0", "-c", file, "-o", file+".cubin").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// register is a register of the kernel with the width of t.
func register(t Type, i int) Operand {
	class := map[int]string{1: "p", 8: "c", 16: "h", 32: "w", 64: "x"}[t.Bits()]
	return Operand{Name: class + string(rune('0'+i))}
}

func withRegisters(f Form) *Inst {
	in := &Inst{Form: f}
	for i, t := range f.Outs() {
		in.Dst = append(in.Dst, register(t, i))
	}
	for i, t := range f.Ins() {
		in.Src = append(in.Src, register(t, 4+i))
	}
	return in
}

func TestPtxasTakesEveryForm(t *testing.T) {
	ptxas := judges.Need(t, "ptxas-12.9")
	var lines []string
	for _, fs := range [][]Form{Forms(), Neighbours()} {
		for _, f := range fs {
			lines = append(lines, withRegisters(f).String())
		}
	}
	for i, f := range VmadForms() {
		if i%11 == 0 {
			lines = append(lines, withRegisters(f).String())
		}
	}
	require.NoError(t, assemble(t, ptxas, lines))
}

func TestPtxasRefusesWhatIsRefusedExceptTheUndocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("one run of ptxas for each spelling")
	}
	ptxas := judges.Need(t, "ptxas-12.9")
	for _, r := range refusals {
		width := "w"
		switch {
		case strings.Contains(r.insn, "16"):
			width = "h"
		case strings.Contains(r.insn, "64"):
			width = "x"
		}
		_, operands, _ := strings.Cut(r.insn, " ")
		mnemonic := strings.TrimSuffix(r.insn, operands)
		for i, name := range []string{"d", "a", "b", "c", "e"} {
			operands = replaceName(operands, name, fmt.Sprint(width, i))
		}
		err := assemble(t, ptxas, []string{mnemonic + operands})
		if r.id == "ptx-undocumented" {
			require.NoError(t, err, r.insn)
		} else {
			require.Error(t, err, r.insn)
		}
	}
}

// replaceName replaces a whole word that no dot precedes.
func replaceName(s, name, by string) string {
	var sb strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && class[s[j]]&cWord != 0 {
			j++
		}
		switch {
		case j == i:
			sb.WriteByte(s[i])
			j++
		case s[i:j] == name && (i == 0 || s[i-1] != '.'):
			sb.WriteString(by)
		default:
			sb.WriteString(s[i:j])
		}
		i = j
	}
	return sb.String()
}

// Spellings made by moving, repeating, dropping and changing modifiers: what
// Lookup takes ptxas takes, what it refuses ptxas refuses. (Not with .pred, which
// ptxas skips wherever it stands: it assembles add.pred.u32.)
func TestPtxasAgreesOnDisturbedMnemonics(t *testing.T) {
	if testing.Short() {
		t.Skip("one run of ptxas for each spelling")
	}
	ptxas := judges.Need(t, "ptxas-12.9")
	rnd := rand.New(rand.NewPCG(1, 1))
	all := append(Forms(), neighbourForms()...)
	words := []string{"u16", "u32", "s32", "b32", "u64", "s16", "sat", "cc", "po", "shr7", "lo", "hi", "wide", "wrap", "eq", "and", "shiftamt", "f4e"}
	var taken []string
	refused := 0
	for refused < 150 {
		f := all[rnd.IntN(len(all))]
		mods := strings.Split(f.String(), ".")
		i := 1 + rnd.IntN(len(mods)-1)
		switch rnd.IntN(4) {
		case 0:
			j := 1 + rnd.IntN(len(mods)-1)
			mods[i], mods[j] = mods[j], mods[i]
		case 1:
			mods = append(mods[:i:i], append([]string{mods[1+rnd.IntN(len(mods)-1)]}, mods[i:]...)...)
		case 2:
			mods = append(mods[:i:i], append([]string{words[rnd.IntN(len(words))]}, mods[i:]...)...)
		case 3:
			mods[i] = words[rnd.IntN(len(words))]
		}
		s := strings.Join(mods, ".")
		found := Lookup(s)
		in := withRegisters(f)
		if found.Form.Op != BadOp {
			in = withRegisters(found.Form)
		}
		line := s + strings.TrimPrefix(in.String(), in.Form.String())
		switch {
		case found.Class == Exact || found.Class == Lenient:
			taken = append(taken, line)
		case found.Class == Refused && found.ID != "ptx-undocumented":
			refused++
			require.Error(t, assemble(t, ptxas, []string{line}), "%s is refused here: %s", line, found.Text)
		}
	}
	require.Greater(t, len(taken), 40)
	require.NoError(t, assemble(t, ptxas, taken))
}

// What operands, guards, labels and declarations may look like.
func TestPtxasAgreesOnTheTextOfOperands(t *testing.T) {
	if testing.Short() {
		t.Skip("one run of ptxas for each refused line")
	}
	ptxas := judges.Need(t, "ptxas-12.9")
	var taken []string
	for line := range strings.Lines(`mov.pred p0, 2;
mov.pred p0, !p1;
mov.u32 w0, {h0,h1};
mov.b64 x0, {w0,%laneid};
mov.b16 h0, {c0,c1};
mov.b64 {w0,_}, x0;
mov.b64 {h0,_,_,h1}, x0;
mov.b64 {_,_}, x0;
mov.b64 {w0,w1}, 5;
mov.b64 {w0,w1}, %clock64;
mov.b64 {w0,w1}, {w2,w3};
mov.b64 {w0,5}, x0;
mov.b64 x0, {w0,_};
mov.b64 x0, {WARP_SZ,2+3};
mov.b64 x0, {w0 w1};
mov.b64 x0, {w0,w1,};
mov.u32 w0, {w1};
mov.b32 w0, 0f3F800000;
mov.u32 w0, 0f3F800000;
mov.u32 w0, 1.5;
mov.u32 w0, -%laneid;
mov.u32 w0, _;
mov.u32 _, w0;
mov.u32 %tid.x, 5;
mov.u32 w0, %envreg5;
add.u32 w0, %tid.x, 5;
and.pred p0, !p1, 1;
not.pred p0, !p1;
lop3.b32 w0,w1,w2,w3,256;
lop3.b32 w0,w1,w2,w3,-1;
lop3.b32 w0,w1,w2,w3,w4;
lop3.b32 w0,1,w2,w3,3;
lop3.b32 w0,w1,w2,w3;
setp.eq.and.u32 p0,w0,w1,!p1;
setp.eq.and.u32 p0,w0,w1;
setp.eq.u32 p0,w0,w1,p1;
setp.eq.u32 p0|_,w0,w1;
setp.eq.u32 _ | p0 ,w0,w1;
setp.eq.u32 _|_,w0,w1;
setp.eq.u32 _,w0,w1;
setp.eq.u32 p0|!p1,w0,w1;
setp.eq.u32 !p0,w0,w1;
selp.b32 w0,w1,w2,!p0;
selp.b32 w0,w1,w2,!1;
add.u32 w0,w1,-w2;
add.u32 w0,w1,+5;
add.u32 w0,w1,+w2;
add.u32 w0,w1,(w2);
add.u32 w0,w1,5|3;
add.u32 w0,w1,1?2:3;
add.u32 w0,w1,(.s64)5;
add.u32 w0,w1,( .u64 ) 5;
add.u32 w0,w1,5 .b0;
add.u32 w0,w1,12u;
add.u32 w0,w1,08;
add.u32 w0,w1,0x;
add.u32 w0,w1,1/0;
add.u32 w0,w1,4294967296;
add.u32 w0,w1,;
add.u32 w0,w1,w2,;
add.u32 w0 w1,w2;
add.u32 w0,w1,w2
add.u32 {w0},w1,w2;
add.u32 w0|w1,w1,w2;
add.u32 w0,w1,[w2];
add .u32 w0,w1,w2;
add.u32w0,w1,w2;
add. u32 w0,w1,w2;
add/**/.u32 w0,w1,w2;
;
@ p0 add.u32 w0,w1,w2;
@ ! p0 add.u32 w0,w1,w2;
@p0 @p1 add.u32 w0,w1,w2;
@1 add.u32 w0,w1,w2;
@p0 { add.u32 w0,w1,w2; }
@p0 L0: add.u32 w0,w1,w2;
L1: L2 : @p0 add.u32 w0,w1,w2;
L3:;
{ L4: }
{ .reg.u32 a,b; mov.u32 a, b; }
{ .reg .u32 a < 3 >, b; mov.u32 a0,a2; }
{ .reg .v2 .u32 v; mov.u32 w0, v.x; mov.b64 x0, {v.x,v.y}; }
{ .reg .u32 .v2 v; }
{ .reg .align 4 .u32 a; }
{ .reg .u32 a=5; }
{ .reg .u32 a[4]; }
{ .reg .u32 5a; }
{ .reg .u32 a<3> mov.u32 a0,a2; }
{ .reg .u32 add; mov.u32 add, 4; }
{ .reg .u32 _a, $b, c$, %d; mov.u32 _a, c$; }
vmad.s32.s32.s32 w0, w1 .b0, - w2 /**/ .h1, w3;
vmad.s32.s32.s32 w0, w1. b0, w2, w3;
vmad.s32.s32.s32 w0, -5, w2, -w3;
vmad.s32.s32.s32 w0, -WARP_SZ, w2, -w3;
vmad.s32.s32.s32 w0, -(5), w2, -w3;
vmad.s32.s32.s32 w0, -w1, w2, -(-5);
vmad.s32.s32.s32 w0, %laneid, w2, w3;
vmad.s32.s32.s32 w0, +w1, w2, w3;
vmad.s32.s32.s32 w0, !w1, w2, w3;
vmad.s32.s32.s32 w0, w1.b0.b1, w2, w3;
vmad.s32.s32.s32 w0, w1, w2, !5;
vmad.s32.s32.s32.po w0, -w1, -w2, -w3;
vmad.s32.s32.s32.sat w0, -w1, -w2, -w3;
vmad.s32.s32.s32 w0, 1, 2, 3;
`) {
		line = strings.TrimSuffix(line, "\n")
		errors := 0
		ParseFlat([]byte(line), func(sev diag.Severity, _ string, _ diag.Span, _ string, _ ...any) {
			if sev == diag.Error {
				errors++
			}
		})
		if errors == 0 {
			taken = append(taken, line)
		} else {
			require.Error(t, assemble(t, ptxas, []string{line}), line)
		}
	}
	require.Greater(t, len(taken), 40)
	require.NoError(t, assemble(t, ptxas, taken))
}
