package nv_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// words is an instruction from sm_70 on, its low word first.
type words [2]uint64

// withB is the instruction with a literal for its second source, withC with one
// for its third, the second then standing where the third did: bits 11..9 say
// which, bits 63..32 hold the literal (seen: nvdisasm 12.8, 13.5).
func (w words) withB(k uint32) words {
	return words{w[0]&^(7<<9)&(1<<32-1) | 4<<9 | uint64(k)<<32, w[1]}
}

func (w words) withC(k uint32) words {
	return words{w[0]&^(7<<9)&(1<<32-1) | 2<<9 | uint64(k)<<32, w[1]&^0xff | w[0]>>32&0xff}
}

var encodedLine = regexp.MustCompile(`(?m)/\*[0-9a-f]{4,}\*/\s+(.*?;)\s*/\* 0x([0-9a-f]{16}) \*/\s*/\* 0x([0-9a-f]{16}) \*/`)

// encoded are the shapes in what ptxas makes of the forms, each with an encoding.
func encoded(t *testing.T, arch string) map[string]words {
	out := map[string]words{}
	for module, flags := range modules() {
		for _, m := range encodedLine.FindAllStringSubmatch(disassembly(t, arch, module, []string{"-hex"}, flags...), -1) {
			var w words
			for i := range w {
				v, err := strconv.ParseUint(m[2+i], 16, 64)
				require.NoError(t, err)
				w[i] = v
			}
			out[shape(m[1])] = w
		}
	}
	return out
}

// minusA is the instruction with its first source negated, or complemented.
func (w words) minusA() words { return words{w[0], w[1] | 1<<8} }

var noInstruction = regexp.MustCompile(`address 0x([0-9a-f]+)`)

// read are the shapes of what nvdisasm reads in encodings, "" where that is none.
func read(t *testing.T, arch string, code []words) []string {
	_, dis, _ := tools(arch)
	out := make([]string, len(code))
	at := make([]int, len(code))
	for i := range at {
		at[i] = i
	}
	for len(at) > 0 {
		var bin bytes.Buffer
		for _, i := range at {
			require.NoError(t, binary.Write(&bin, binary.LittleEndian, code[i]))
		}
		file := filepath.Join(t.TempDir(), "x.bin")
		require.NoError(t, os.WriteFile(file, bin.Bytes(), 0o600))
		list, err := exec.Command(judges.Need(t, dis), "-b", "SM"+strings.TrimPrefix(arch, "sm_"), file).CombinedOutput()
		if err != nil { // it names the first that is none
			m := noInstruction.FindSubmatch(list)
			require.NotNil(t, m, "%s", list)
			n, err := strconv.ParseUint(string(m[1]), 16, 32)
			require.NoError(t, err)
			at = slices.Delete(at, int(n/16), int(n/16)+1)
			continue
		}
		n := 0
		for line := range strings.Lines(string(list)) {
			if address.MatchString(line) {
				out[at[n]] = shape(line)
				n++
			}
		}
		require.Equal(t, len(at), n)
		break
	}
	return out
}

// literals are the shapes of the rows of a target with a literal in each place
// that can have one, each with a line that has it.
func literals(t *testing.T, tg *isel.Target) map[string]string {
	rows := map[*mach.Op]bool{}
	for _, f := range forms() {
		for _, m := range modelsOf(f) {
			c, err := tg.Choose(f, m, nil)
			require.NoError(t, err)
			use(t, rows, tg, c)
		}
	}
	for i := range tg.Rules {
		if r := &tg.Rules[i]; len(r.When) > 0 && tg.Features&r.Lacks == 0 {
			chosen(t, tg, r, 101, func(c *isel.Choice, _ ptx.Model) bool {
				use(t, rows, tg, c)
				return true
			})
		}
	}
	out := map[string]string{}
	for o := range rows {
		for at, kind := range o.In {
			if kind.Imm == nil || kind.ImmOnly || kind.Class.Bank != mach.General || !kind.Imm(sem.U(5)) {
				continue
			}
			c := code{&mach.Func{}}
			in := mach.Inst{Op: o}
			for j, cl := range o.Out {
				in.Out = append(in.Out, c.reg(cl.Bank, cl.Bits, int16(4+2*j)%7))
			}
			for j, k := range o.In {
				switch {
				case j == at:
					in.In = append(in.In, mach.Imm(sem.U(5), int(k.Class.Bits)))
				case k.ImmOnly:
					in.In = append(in.In, mach.Imm(sem.U(1), int(k.Class.Bits)))
				case k.Class.Bank == mach.General:
					in.In = append(in.In, c.reg(k.Class.Bank, k.Class.Bits, int16(10+2*j)))
				default:
					in.In = append(in.In, c.reg(k.Class.Bank, k.Class.Bits, int16(j%4)))
				}
			}
			if o.Legal(in.In) != nil {
				continue
			}
			c.f.Blocks = []*mach.Block{{Insts: []mach.Inst{in}, Term: mach.Ret}}
			for line := range instructions(listing(t, tg, c.f)) {
				out[shape(line)] = line
				break
			}
		}
	}
	return out
}

// A literal where a row has one is seen in what ptxas writes, or nvdisasm reads
// it in the encoding of the same instruction with a register there.
func TestLiteralsStandWhereEncodingsHaveThem(t *testing.T) {
	archs := []string{"sm_120"}
	if full() {
		archs = []string{"sm_70", "sm_75", "sm_90", "sm_100", "sm_110", "sm_120"}
	}
	for _, arch := range archs {
		theirs, ours := encoded(t, arch), literals(t, target(t, arch))
		require.Greater(t, len(theirs), 200)
		var missing []string
		for _, s := range slices.Sorted(maps.Keys(ours)) {
			if _, ok := theirs[s]; !ok {
				missing = append(missing, s)
			}
		}
		decoded := len(missing)
		for _, with := range [...]func(words, uint32) words{words.withB, words.withC} {
			var code []words
			for _, s := range missing {
				for _, w := range withRegister(theirs, s) {
					code = append(code, with(w, 5))
				}
			}
			shapes := read(t, arch, code)
			missing = slices.DeleteFunc(missing, func(s string) bool { return slices.Contains(shapes, s) })
		}
		for _, s := range missing {
			t.Errorf("%s: %s (%s) is neither written by ptxas nor read by nvdisasm", arch, s, ours[s])
		}
		t.Logf("%s: %d instructions with a literal: %d written by ptxas, %d read by nvdisasm", arch, len(ours), len(ours)-decoded, decoded)
	}
}

var negated = regexp.MustCompile(`[-~]R, R`)

// withRegister are encodings of an instruction with a register in the place of
// its literal.
func withRegister(theirs map[string]words, shape string) (out []words) {
	for i := range len(shape) {
		if shape[i] != 'I' || i == 0 || shape[i-1] != ' ' || i+1 < len(shape) && shape[i+1] != ',' {
			continue
		}
		with := shape[:i] + "R" + shape[i+1:]
		if w, ok := theirs[with]; ok {
			out = append(out, w)
		}
		if w, ok := theirs[negated.ReplaceAllString(with, "R, R")]; ok {
			out = append(out, w.minusA())
		}
	}
	return out
}
