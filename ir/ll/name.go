package ll

import "strings"

// Quote is the canonical form of a name given as its bytes: bare where LLVM
// reads it without quotes, otherwise in quotes, with \HH for what cannot be
// printed.
func Quote(name string) string {
	if bare(name) {
		return name
	}
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(name)+2)
	b = append(b, '"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '\\':
			b = append(b, '\\', '\\')
		case c < ' ' || c > '~' || c == '"':
			b = append(b, '\\', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// Unquote is the bytes of a canonical name.
func Unquote(name string) string {
	if len(name) < 2 || name[0] != '"' {
		return name
	}
	return unescape(name[1 : len(name)-1])
}

// bare reports a name that needs no quotes: [-a-zA-Z$._][-a-zA-Z$._0-9]*
// (LLVM LangRef, Identifiers).
func bare(s string) bool {
	return s != "" && class[s[0]]&cDigit == 0 && while(s, 0, cLabel) == len(s)
}

// canonical is the canonical name of what is written after a sigil.
func canonical(s string) string {
	switch {
	case s == "":
		return s
	case s[0] == '"':
		s = s[1 : len(s)-1]
		if strings.IndexByte(s, '\\') >= 0 {
			s = unescape(s)
		}
		return Quote(s)
	case s[0] == '0' && len(s) > 1:
		if s = strings.TrimLeft(s, "0"); s == "" {
			s = "0"
		}
	}
	return s
}

// labelName is the canonical name of a label token, colon included. Unlike
// after a sigil, a bare label may begin with digits and go on with letters.
func labelName(s string) string {
	s = s[:len(s)-1]
	if s[0] == '"' || while(s, 0, cDigit) == len(s) {
		return canonical(s)
	}
	return Quote(s)
}

// number is the value of a canonical name that is a number, else -1.
func number(name string) int {
	if name == "" || len(name) > 9 {
		return -1
	}
	n := 0
	for i := range len(name) {
		if class[name[i]]&cDigit == 0 {
			return -1
		}
		n = n*10 + int(name[i]-'0')
	}
	return n
}

// unescape resolves \\ and \HH; any other backslash stands for itself
// (LLVM, UnEscapeLexed).
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, n := escape(s, i)
		b = append(b, c)
		i += n
	}
	return string(b)
}

// escape is the byte that stands at s[i], and how many bytes write it.
func escape(s string, i int) (c byte, n int) {
	if s[i] == '\\' {
		if i+1 < len(s) && s[i+1] == '\\' {
			return '\\', 2
		}
		if i+2 < len(s) && class[s[i+1]]&cHex != 0 && class[s[i+2]]&cHex != 0 {
			return hexDigit(s[i+1])<<4 | hexDigit(s[i+2]), 3
		}
	}
	return s[i], 1
}

func hexDigit(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}
