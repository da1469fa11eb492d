package ll

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
)

// mutantSource has a bit of everything, and llvm-as 22 accepts it.
const mutantSource = `target triple = "nvptx64-nvidia-cuda"
%T = type { i32, [2 x i8] }
@g = addrspace(3) global %T zeroinitializer, align 4
define ptx_kernel void @k(ptr noundef captures(none) %p, i32 %0, i1 %c) #0 {
  %x = add nuw nsw i32 %0, -1
  %"a b" = getelementptr inbounds nuw i8, ptr %p, i64 8
  %3 = load volatile i32, ptr %"a b", align 4
  %s = tail call { i32, i32 } asm sideeffect "add.cc.u32 $0, $2, $3;\0A\09addc.u32 $1, $2, 0;", "=r,=&r,r,r,~{memory}"(i32 %3, i32 7) #1
  %hi = extractvalue { i32, i32 } %s, 1
  br i1 %c, label %then, label %else, !prof !0
then: ; preds = %1
  %v = insertelement <2 x i32> <i32 1, i32 2>, i32 %hi, i32 0
  %w = shufflevector <2 x i32> %v, <2 x i32> splat (i32 3), <2 x i32> <i32 0, i32 3>
  %z = zext nneg i32 %x to i64
  switch i64 %z, label %else [
    i64 1, label %done
    i64 u0xFF, label %done
  ]
else:
  %q = phi i32 [ %x, %1 ], [ %3, %then ]
  %m = icmp samesign ult i32 %q, 5
  %n = select i1 %m, i32 %q, i32 poison
  %f = call i32 @llvm.fshl.i32(i32 noundef range(i32 0, 5) %n, i32 undef, i32 3) nounwind [ "x"(i32 %q) ]
  store i32 %f, ptr %p, align 4
  br label %done
done: /* here */
  %o = atomicrmw add ptr %p, i32 1 syncscope("agent") monotonic
  %e = fadd fast float 1.0, 0x3FF0000000000000
  fence seq_cst
  ret void
}
declare i32 @llvm.fshl.i32(i32, i32, i32)
attributes #0 = { convergent "target-cpu"="sm_70" }
attributes #1 = { nounwind memory(none) }
!0 = !{!"branch_weights", i32 1, i32 2}
`

func tokens(m *Module) []token {
	var all []token
	for x, t := m.lex(diag.Span{End: len(m.src)}); t.kind != tEOF; t = x.next() {
		all = append(all, t)
	}
	return all
}

// mutant changes a few tokens of a text: drops, doubles, swaps or replaces them.
func mutant(m *Module, rnd *rand.Rand) string {
	var texts []string
	for _, t := range tokens(m) {
		texts = append(texts, m.src[t.start:t.end])
	}
	for range 1 + rnd.IntN(2) {
		i, j := rnd.IntN(len(texts)), rnd.IntN(len(texts))
		switch rnd.IntN(4) {
		case 0:
			texts[i] = ""
		case 1:
			texts[i] += " " + texts[i]
		case 2:
			texts[i], texts[j] = texts[j], texts[i]
		case 3:
			texts[i] = texts[j]
		}
	}
	return strings.Join(texts, " ")
}

func TestMutantsNeverPanic(t *testing.T) {
	m := read(t, mutantSource)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		checkAnyText(t, []byte(mutant(m, rnd)))
	}
}

// TestWhatLLVMAcceptsIsRead leaves out one word after another. Where llvm-as
// accepts the rest, the reader must accept it too, and see the same opcodes.
func TestWhatLLVMAcceptsIsRead(t *testing.T) {
	as, dis := judges.Need(t, "llvm-as-22"), judges.Need(t, "llvm-dis-22")
	m := read(t, mutantSource)
	accepted := 0
	for _, tok := range tokens(m) {
		if tok.kind != tWord {
			continue
		}
		text := m.src[:tok.start] + m.src[tok.end:]
		cmd := exec.Command(as, "-o", "-")
		cmd.Stdin = strings.NewReader(text)
		bc, err := cmd.Output()
		if err != nil {
			continue
		}
		accepted++
		got := read(t, text)
		cmd = exec.Command(dis, "-o", "-")
		cmd.Stdin = bytes.NewReader(bc)
		out, err := cmd.Output()
		require.NoError(t, err)
		require.Equal(t, plainHistogram(out), histogram(got), text)
		got.eachInst(func(in *Inst) { require.True(t, in.Modelled, text) })
	}
	require.Greater(t, accepted, 15)
}
