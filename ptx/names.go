package ptx

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/diag"
)

// The opcodes of PTX outside this package, so that a misspelled family opcode
// can be told from an instruction that is only not modelled (PTX ISA 9.1,
// table 2).
var otherOpcodes = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(`
		activemask alloca applypriority atom bar barrier bmsk bra brkpt brx call
		clusterlaunchcontrol copysign cos cp createpolicy cvta discard div dp2a dp4a
		elect ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld
		ldmatrix ldu lg2 mapa match mbarrier membar mma movmatrix multimem nanosleep
		pmevent prefetch prefetchu rcp red redux rem ret rsqrt setmaxnreg shfl sin
		sqrt st stackrestore stacksave stmatrix suld suq sured sust szext tanh
		tcgen05 tensormap testp tex tld4 trap txq vote wgmma wmma`) {
		m[s] = true
	}
	for s := range videoSiblings {
		m[s] = true
	}
	return m
}()

var videoSiblings = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(`vadd vsub vabsdiff vmin vmax vshl vshr vset
		vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2
		vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4`) {
		m[s] = true
	}
	return m
}()

// VideoSibling reports the scalar and SIMD video instructions other than vmad
// (PTX ISA 9.7.18), by opcode or mnemonic. They parse as opaque instructions.
func VideoSibling(name string) bool {
	op, _, _ := strings.Cut(name, ".")
	return videoSiblings[op]
}

// otherAssemblers names family opcodes as other instruction sets do.
var otherAssemblers = map[string]Op{
	"adc": Addc, "adcs": Addc, "sbb": Subc, "subb": Subc, "sbc": Subc, "sbcs": Subc,
	"imad": Mad, "madd": Mad, "imul": Mul, "umul": Mul, "smul": Mul, "mla": Mad, "iadd": Add, "isub": Sub,
}

// unknownOpcode tells a misspelled family opcode, which is an error, from any
// other instruction.
func unknownOpcode(op string) Finding {
	f := Finding{Refused, Form{}, "ptx-unknown-opcode", fmt.Sprintf("PTX has no instruction '%s'", op), diag.Span{End: len(op)}}
	lower := strings.ToLower(op)
	if _, ours := opByName[lower]; lower != op && (ours || otherOpcodes[lower]) {
		f.ID, f.Text = "ptx-lower-case", fmt.Sprintf("PTX is lower case: '%s'", op)
		return f
	}
	if otherOpcodes[op] || !misspelled(lower) {
		return Finding{Class: Opaque}
	}
	return f
}

func misspelled(op string) bool {
	if _, ok := otherAssemblers[op]; ok {
		return true
	}
	for o := Mul24; o <= Vmad; o++ {
		if distance(op, o.String(), 1) <= 1 {
			return true
		}
	}
	return false
}

// Suggest is the legal mnemonic nearest to a wrong one, "" if none is near.
// One with the same modifiers comes first; of several equally near ones that
// which agrees with it longest, then the first in the manual. A known opcode is
// kept.
func Suggest(mnemonic string) string {
	s := strings.ToLower(mnemonic)
	name, rest, _ := strings.Cut(s, ".")
	if o, ok := otherAssemblers[name]; ok {
		name = o.String()
		s = name + "." + rest
	}
	if e := reordered()[sorted(s)]; e != "" && e != mnemonic {
		return e
	}
	_, known := opByName[name]
	best, least := "", 1+max(3, 2*len(s)/5)
	if known {
		least = 1 + len(".shiftamt.u32")
	}
	for _, e := range mnemonicList() {
		if op, _, _ := strings.Cut(e, "."); known && op != name {
			continue
		}
		if d := distance(s, e, least); d < least || d == least && best != "" && common(s, e) > common(s, best) {
			best, least = e, d
		}
	}
	if best == mnemonic {
		return ""
	}
	return best
}

// sorted is a mnemonic with its modifiers in alphabetical order behind its
// types, which keep their order.
func sorted(mnemonic string) string {
	op, rest, _ := strings.Cut(mnemonic, ".")
	mods := strings.Split(rest, ".")
	slices.SortStableFunc(mods, func(a, b string) int {
		ta, tb := words[a].kind == kType, words[b].kind == kType
		switch {
		case ta && tb:
			return 0
		case ta:
			return -1
		case tb:
			return 1
		}
		return strings.Compare(a, b)
	})
	return op + "." + strings.Join(mods, ".")
}

// reordered finds a mnemonic by its sorted form.
var reordered = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, e := range mnemonicList() {
		if k := sorted(e); m[k] == "" {
			m[k] = e
		}
	}
	return m
})

var mnemonicList = sync.OnceValue(func() []string {
	var l []string
	for _, es := range mnemonics().byOp {
		for _, e := range es {
			l = append(l, e.name)
		}
	}
	return l
})

// common is the length of the longest prefix that a and b share.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// distance is the number of bytes to insert, delete, replace or swap with their
// neighbour to make a into b; any number above limit stands for "more".
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	var rows [3][64]int
	if len(b) >= len(rows[0]) {
		return limit + 1
	}
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
