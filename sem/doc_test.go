package sem

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDocHasTheParenthesesThatReadersNeed(t *testing.T) {
	b := NewBuilder()
	x, y, z, c := b.Var("x", 32), b.Var("y", 32), b.Var("z", 32), b.Var("c", 1)
	k := func(v uint64) *Term { return b.U(v, 32) }
	for _, tt := range []struct {
		t    *Term
		want string
	}{
		{b.Add(b.Mul(x, y), z), "x * y + z"},
		{b.Mul(b.Add(x, y), z), "(x + y) * z"},
		{b.Sub(b.Sub(x, y), z), "x - y - z"},
		{b.Sub(x, b.Sub(y, z)), "x - (y - z)"},
		{b.Sub(x, b.Mul(y, z)), "x - y * z"},
		{b.Add(x, b.Add(y, z)), "x + y + z"},
		{b.Add(x, b.Sub(y, z)), "x + y - z"},
		{b.Mul(x, b.Mul(y, z)), "x * y * z"},
		{b.And(b.And(x, y), z), "x & y & z"},
		{b.Or(b.And(x, y), z), "(x & y) | z"},
		{b.Xor(x, b.Or(y, z)), "x ^ (y | z)"},
		{b.And(b.Add(x, k(1)), z), "(x + 1) & z"},
		{b.Add(b.Shl(x, y), z), "(x << y) + z"},
		{b.Shl(b.Add(x, y), z), "(x + y) << z"},
		{b.Lshr(b.Mul(x, y), k(7)), "(x * y) >>u 7"},
		{b.Ashr(b.Ashr(x, y), z), "(x >>s y) >>s z"},
		{b.Not(b.Add(x, y)), "~(x + y)"},
		{b.Add(b.Not(x), k(1)), "~x + 1"},
		{b.Neg(b.Not(x)), "-~x"},
		{b.Sub(x, b.Neg(y)), "x - -y"},
		{b.Eq(b.Add(x, y), b.Shl(z, k(1))), "x + y == z << 1"},
		{b.Eq(b.And(x, y), z), "(x & y) == z"},
		{b.Slt(x, y), "x <s y"},
		{b.Ult(x, k(0x1000)), "x <u 0x1000"},
		{b.Not(b.Eq(x, y)), "~(x == y)"},
		{b.Ite(b.Ult(x, y), b.Add(x, y), z), "x <u y ? x + y : z"},
		{b.Ite(c, x, b.Ite(b.Eq(x, y), y, z)), "c ? x : x == y ? y : z"},
		{b.Ite(c, b.Ite(b.Eq(x, y), y, z), x), "c ? (x == y ? y : z) : x"},
		{b.Add(b.Ite(c, x, y), z), "(c ? x : y) + z"},
		{b.Bits(x, 15, 8), "x<15..8>"},
		{b.Bit(b.Add(x, y), 31), "(x + y)<31>"},
		{b.Bit(b.Concat(x, c), 0), "c"},
		{b.Bits(b.Concat(x, y), 39, 8), "{x, y}<39..8>"},
		{b.Bits(b.Not(x), 7, 0), "(~x)<7..0>"},
		{b.Bits(b.Mul(b.Zext(x, 64), b.Sext(y, 64)), 63, 32), "(zext64(x) * sext64(y))<63..32>"},
		{b.Sext(b.Add(x, y), 65), "sext65(x + y)"},
		{b.Zext(b.Mul(b.Add(x, y), b.Add(y, z)), 33), "zext33((x + y) * (y + z))"},
		{b.Concat(b.Add(x, y), z), "{x + y, z}"},
		{b.Concat(x, b.U(0, 8)), "{x, 0x00}"},
		{b.Concat(x, b.U(2, 3)), "{x, 0b010}"},
		{b.Sext(b.Ite(c, b.U(1, 8), b.U(255, 8)), 32), "sext32(c ? 0x01 : 0xff)"},
		{b.Const(Val{1, 2}, 128), "0x10000000000000002"},
		{k(255), "255"},
		{k(256), "0x100"},
		{x, "x"},
	} {
		require.Equal(t, tt.want, Doc(tt.t))
		require.Equal(t, tt.want, tt.t.String())
	}
}

func TestDocNamesWhatATreeWouldRepeatTooOften(t *testing.T) {
	b := NewBuilder()
	x := b.Var("x", 32)
	s := x
	for range 100 {
		s = b.Mul(b.Add(s, b.LshrK(s, 3)), s)
	}
	d := Doc(s)
	require.Less(t, len(d), 8000)
	require.Regexp(t, `^let t1 = \(x \+ \(x >>u 3\)\) \* x, .* in \(t\d+ \+ \(t\d+ >>u 3\)\) \* t\d+$`, d)
}

func TestDocLinesNameSharedTermsAndRoots(t *testing.T) {
	b := NewBuilder()
	x, y, t1, cf := b.Var("a", 32), b.Var("b", 32), b.Var("t1", 32), b.Var("cf", 1)
	sum, carry := b.AddCarry(x, y, cf)
	require.Equal(t, []string{
		"t_1 = zext33(a) + zext33(b) + zext33(cf)",
		"d = t_1<31..0>",
		"cf' = t_1<32>",
		"e = t1",
		"f = 5",
	}, DocLines([]string{"d", "cf'", "e", "f"}, sum, carry, t1, b.U(5, 8)))

	p := b.Mul(b.Zext(x, 64), b.Zext(y, 64))
	require.Equal(t, []string{
		"p = zext64(a) * zext64(b)",
		"hi = p<63..32>",
		"q = p",
	}, DocLines([]string{"hi", "p", "q"}, b.Bits(p, 63, 32), p, p))

	short := b.Add(x, y)
	require.Equal(t, []string{"d = (a + b) * (a + b)"}, DocLines([]string{"d"}, b.Mul(short, short)))

	long := x
	for i := range 20 {
		long = b.Xor(b.Add(long, b.U(uint64(1000+i), 32)), b.Lshr(y, long))
	}
	for _, line := range DocLines([]string{"d"}, long) {
		require.LessOrEqual(t, len(line), 2*longText+20)
	}
}

// docNode is the text read back.
type docNode struct {
	op     string // an operator, "var", "const", "bits", "cat", "zext", "sext", "?"
	name   string
	hi, lo int // bits; of a constant, hi is the width that its digits tell
	v      *big.Int
	w      int // width where the text tells it, else 0
	a      []*docNode
}

type docParser struct {
	s     string
	level map[string]int
	width map[string]int
}

// Two languages' ideas of precedence: Doc's text must mean the same in both.
var (
	levelsOfC = map[string]int{"*": 10, "+": 9, "-": 9, "<<": 8, ">>u": 8, ">>s": 8, "<u": 7, "<s": 7, "==": 6, "&": 5, "^": 4, "|": 3}
	levelsGo  = map[string]int{"*": 5, "<<": 5, ">>u": 5, ">>s": 5, "&": 5, "+": 4, "-": 4, "|": 4, "^": 4, "<u": 3, "<s": 3, "==": 3}
)

func (p *docParser) eat(s string) bool {
	if strings.HasPrefix(p.s, s) {
		p.s = p.s[len(s):]
		return true
	}
	return false
}

func (p *docParser) must(s string) {
	if !p.eat(s) {
		panic(fmt.Sprintf("want %q at %q", s, p.s))
	}
}

func (p *docParser) number() int {
	n := 0
	for p.s != "" && p.s[0] >= '0' && p.s[0] <= '9' {
		n, p.s = n*10+int(p.s[0]-'0'), p.s[1:]
	}
	return n
}

func (p *docParser) choice() *docNode {
	c := p.binary(0)
	if !p.eat(" ? ") {
		return c
	}
	x := p.choice()
	p.must(" : ")
	y := p.choice()
	return &docNode{op: "?", a: []*docNode{c, x, y}, w: max(x.w, y.w)}
}

func (p *docParser) binary(min int) *docNode {
	x := p.unary()
next:
	for {
		for op, level := range p.level {
			if level > min && strings.HasPrefix(p.s, " "+op+" ") {
				p.eat(" " + op + " ")
				y := p.binary(level)
				n := &docNode{op: op, a: []*docNode{x, y}, w: max(x.w, y.w)}
				if op == "==" || op == "<u" || op == "<s" {
					n.hi, n.w = n.known(), 1
				}
				x = n
				continue next
			}
		}
		return x
	}
}

func (p *docParser) unary() *docNode {
	for _, op := range []string{"~", "-"} {
		if p.eat(op) {
			x := p.unary()
			return &docNode{op: op, a: []*docNode{x}, w: x.w, hi: 1}
		}
	}
	x := p.primary()
	for len(p.s) > 1 && p.s[0] == '<' && p.s[1] >= '0' && p.s[1] <= '9' {
		p.must("<")
		hi := p.number()
		lo := hi
		if p.eat("..") {
			lo = p.number()
		}
		p.must(">")
		x.known()
		x = &docNode{op: "bits", hi: hi, lo: lo, w: hi - lo + 1, a: []*docNode{x}}
	}
	return x
}

func (p *docParser) primary() *docNode {
	switch {
	case p.eat("("):
		x := p.choice()
		p.must(")")
		return x
	case p.eat("{"):
		x := p.choice()
		for p.eat(", ") {
			y := p.choice()
			x = &docNode{op: "cat", w: x.known() + y.known(), a: []*docNode{x, y}}
		}
		p.must("}")
		return x
	case p.s[0] >= '0' && p.s[0] <= '9':
		end := 0
		for end < len(p.s) && strings.ContainsRune("0123456789abcdefx", rune(p.s[end])) {
			end++
		}
		text := p.s[:end]
		p.s = p.s[end:]
		v, ok := new(big.Int).SetString(text, 0)
		if !ok {
			panic("number " + text)
		}
		n := &docNode{op: "const", v: v}
		switch {
		case strings.HasPrefix(text, "0b"):
			n.hi = len(text) - 2
		case strings.HasPrefix(text, "0x"):
			n.hi = 4 * (len(text) - 2)
		}
		return n
	}
	for _, op := range []string{"zext", "sext"} {
		if p.eat(op) {
			w := p.number()
			p.must("(")
			x := p.choice()
			p.must(")")
			x.known()
			return &docNode{op: op, w: w, a: []*docNode{x}}
		}
	}
	name := p.s[:1]
	p.s = p.s[1:]
	return &docNode{op: "var", name: name, w: p.width[name]}
}

// known is the node's width, by its digits if nothing else tells it.
func (n *docNode) known() int {
	if n.w == 0 && n.op == "const" {
		n.w = n.hi
	}
	for _, x := range n.a {
		if n.w == 0 && (n.op != "?" || x != n.a[0]) {
			n.w = x.known()
		}
	}
	if n.w == 0 {
		panic("a constant whose width nothing tells")
	}
	return n.w
}

// term builds the node at the width that its surroundings want.
func (n *docNode) term(b *Builder, want int) *Term {
	w := n.w
	if w == 0 {
		w = want
	}
	arg := func(i, w int) *Term { return n.a[i].term(b, w) }
	both := func(op Op, rw, w int) *Term { return raw(b, op, rw, Val{}, arg(0, w), arg(1, w)) }
	switch n.op {
	case "var":
		return b.Var(n.name, n.w)
	case "const":
		hi := new(big.Int).Rsh(n.v, 64)
		return b.Const(Val{hi.Uint64(), new(big.Int).And(n.v, new(big.Int).SetUint64(1<<64-1)).Uint64()}, w)
	case "bits":
		return raw(b, OpExtract, n.w, U(uint64(n.lo)), arg(0, n.a[0].w))
	case "cat":
		return raw(b, OpConcat, n.w, Val{}, arg(0, n.a[0].w), arg(1, n.a[1].w))
	case "zext":
		return b.Zext(arg(0, n.a[0].w), n.w)
	case "sext":
		return b.Sext(arg(0, n.a[0].w), n.w)
	case "?":
		return raw(b, OpIte, w, Val{}, arg(0, 1), arg(1, w), arg(2, w))
	case "~":
		return raw(b, OpNot, w, Val{}, arg(0, w))
	case "==":
		return both(OpEq, 1, n.hi)
	case "<u":
		return both(OpUlt, 1, n.hi)
	case "<s":
		return both(OpSlt, 1, n.hi)
	}
	if n.op == "-" && n.hi == 1 {
		return raw(b, OpNeg, w, Val{}, arg(0, w))
	}
	op := map[string]Op{"+": OpAdd, "-": OpSub, "*": OpMul, "&": OpAnd, "|": OpOr, "^": OpXor, "<<": OpShl, ">>u": OpLshr, ">>s": OpAshr}[n.op]
	return both(op, w, w)
}

func TestDocReadBackByTwoPrecedencesHasTheSameValue(t *testing.T) {
	r := rng(t)
	for range 4000 {
		maxW := 2 + r.IntN(39)
		z := newZoo(r, maxW, []int{maxW, maxW, 1 + r.IntN(maxW), 1}, built)
		x := z.term(1+r.IntN(maxW), 4)[0]
		if x.N == 0 || treeSize(x, map[*Term]int{}) > maxTree {
			continue
		}
		width := map[string]int{}
		for _, v := range z.vars[0] {
			width[v.Name] = v.W
		}
		text := Doc(x)
		for _, level := range []map[string]int{levelsOfC, levelsGo} {
			p := &docParser{text, level, width}
			var n *docNode
			require.NotPanics(t, func() { n = p.choice() }, "%s", text)
			require.Empty(t, p.s, "%s", text)
			back := n.term(z.builders[0], x.W)
			for range 10 {
				env := map[string]Val{}
				for _, v := range z.vars[0] {
					env[v.Name] = edge(r, v.W)
				}
				require.Equal(t, Eval(x, env), Eval(back, env), "%s at %v", text, env)
			}
		}
	}
}
