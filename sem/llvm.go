package sem

import (
	"fmt"
	"math/big"
	"strings"
)

// LLVM is an LLVM IR function of straight-line integer instructions, valid in
// all versions, that takes the parameters, which are variables, and returns the
// roots: one value, or a struct of several. No value is ever undefined or
// poison for defined arguments: a shift whose count may reach the width is
// guarded.
func LLVM(name string, params []*Term, roots ...*Term) string {
	var sb strings.Builder
	result := "void"
	var types []string
	for _, r := range roots {
		types = append(types, fmt.Sprintf("i%d", r.W))
	}
	switch len(roots) {
	case 0:
	case 1:
		result = types[0]
	default:
		result = "{ " + strings.Join(types, ", ") + " }"
	}
	var ps []string
	known := map[*Term]string{}
	for _, v := range params {
		known[v] = "%" + llvmName(v.Name)
		ps = append(ps, fmt.Sprintf("i%d %s", v.W, known[v]))
	}
	fmt.Fprintf(&sb, "define %s @%s(%s) {\n", result, llvmName(name), strings.Join(ps, ", "))
	prefix := freshPrefix("t", params)
	code, values := LLVMCode("%"+prefix, known, roots...)
	for _, line := range code {
		fmt.Fprintf(&sb, "  %s\n", line)
	}
	switch len(roots) {
	case 0:
		sb.WriteString("  ret void\n")
	case 1:
		fmt.Fprintf(&sb, "  ret %s %s\n", result, values[0])
	default:
		whole := "poison"
		for i, v := range values {
			next := fmt.Sprintf("%%%s.ret%d", prefix, i)
			fmt.Fprintf(&sb, "  %s = insertvalue %s %s, %s %s, %d\n", next, result, whole, types[i], v, i)
			whole = next
		}
		fmt.Fprintf(&sb, "  ret %s %s\n", result, whole)
	}
	sb.WriteString("}\n")
	return sb.String()
}

// LLVMCode is the instructions that compute the roots, one a line, and the
// roots' values. New values are named by prefix, such as "%t", and a number,
// steps towards them by a dotted suffix more; known are the values of terms that are there
// already, all free variables among them, such as "%a". It panics with the name
// of a variable that has none.
func LLVMCode(prefix string, known map[*Term]string, roots ...*Term) (code, values []string) {
	p := &llvmPrinter{prefix: prefix, name: map[*Term]string{}, facts: NewAnalysis(nil)}
	for t, s := range known {
		p.name[t] = s
	}
	for _, r := range roots {
		values = append(values, p.value(r))
	}
	return p.code, values
}

type llvmPrinter struct {
	prefix string
	name   map[*Term]string
	facts  *Analysis
	code   []string
	n      int
}

// value emits what t needs and is t's name.
func (p *llvmPrinter) value(t *Term) string {
	if s, ok := p.name[t]; ok {
		return s
	}
	switch t.Op {
	case OpVar:
		panic("sem: free variable " + t.Name + " has no value")
	case OpConst:
		return llvmConst(t)
	}
	for _, x := range t.Args() {
		p.value(x)
	}
	p.n++
	name := fmt.Sprint(p.prefix, p.n)
	p.name[t] = name
	template := prims[t.Op].llvm
	if s := prims[t.Op].llvmShort; s != "" && p.short(t) {
		template = s
	}
	text := fill(nil, template, t, name, func(dst []byte, i int) []byte {
		return append(dst, p.value(t.A[i])...)
	})
	p.code = append(p.code, strings.Split(string(text), "\n")...)
	return name
}

func (p *llvmPrinter) short(t *Term) bool {
	if t.Op == OpExtract {
		return t.K.Lo == 0
	}
	return p.facts.Of(t.A[1]).UMax.Less(U(uint64(t.W)))
}

// llvmConst is signed, as LLVM prints constants.
func llvmConst(t *Term) string {
	switch {
	case t.W == 1 && t.K.IsZero():
		return "false"
	case t.W == 1:
		return "true"
	}
	v := new(big.Int).SetUint64(t.K.Hi)
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(t.K.Lo))
	if t.K.Bit(t.W-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(t.W)))
	}
	return v.String()
}

// llvmName quotes a name that LLVM would not read as it is.
func llvmName(name string) string {
	if plain(name, "-$._") {
		return name
	}
	var sb strings.Builder
	sb.WriteByte('"')
	for _, c := range []byte(name) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&sb, `\%02X`, c)
		} else {
			sb.WriteByte(c)
		}
	}
	sb.WriteByte('"')
	return sb.String()
}
