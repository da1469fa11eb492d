package amd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
)

// directives are those before and after a function in a listing, such as llc
// writes: the header says its linkage and visibility.
func directives(name, header string, n int) (before, after string) {
	s, binding, seen := symbol(name), "globl", ""
	for w := range strings.FieldsSeq(header) {
		switch w {
		case "internal", "private":
			binding = ""
		case "weak", "weak_odr", "linkonce", "linkonce_odr":
			binding = "weak"
		case "hidden", "protected":
			seen = w
		}
	}
	var sb strings.Builder
	for _, d := range []string{seen, binding} {
		if d != "" {
			fmt.Fprintf(&sb, "\t.%s\t%s\n", d, s)
		}
	}
	fmt.Fprintf(&sb, "\t.p2align\t2\n\t.type\t%s,@function\n", s)
	return sb.String(), fmt.Sprintf(".Lfunc_end%d:\n\t.size\t%s, .Lfunc_end%[1]d-%[2]s\n", n, s)
}

// codeEnd is what ends the code of a module: instructions that nothing comes to,
// for caches that fetch ahead of the last one (seen: llc 22).
func codeEnd(f ir.Features) string {
	const end, nop = "0xbf9f0000", "0xbf800000" // s_code_end, s_nop 0
	switch {
	case f.Has(W64 | ALIGNED):
		return "\t.p2alignl 6, " + nop + "\n\t.fill 256, 4, " + nop + "\n"
	case f.Has(W64):
		return ""
	case f.Has(OLD):
		return "\t.p2alignl 6, " + end + "\n\t.fill 48, 4, " + end + "\n"
	}
	return "\t.p2alignl 7, " + end + "\n\t.fill 96, 4, " + end + "\n"
}

// symbol is a name of LLVM IR as the assembler takes it: quoted where it would not
// take it as it is.
func symbol(s string) string {
	s = unquoted(s)
	for i, c := range s {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '.', c == '$':
		case '0' <= c && c <= '9' && i > 0:
		default:
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
		}
	}
	return s
}

// unquoted is a name without LLVM's quotes and escapes, \22 for a quote.
func unquoted(s string) string {
	s, quoted := strings.CutPrefix(s, `"`)
	if !quoted {
		return s
	}
	s = strings.TrimSuffix(s, `"`)
	var sb strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				sb.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		sb.WriteByte(s[i])
	}
	return sb.String()
}
