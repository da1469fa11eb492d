package sem

import "strconv"

// fill appends a template of the prims table with its operands, results of arg,
// and the numbers of t put in; see prim for what stands after the $.
func fill(dst []byte, template string, t *Term, name string, arg func(dst []byte, i int) []byte) []byte {
	for i := 0; i < len(template); i++ {
		c := template[i]
		if c != '$' {
			dst = append(dst, c)
			continue
		}
		i++
		var n int
		switch c := template[i]; c {
		case '0', '1', '2':
			dst = arg(dst, int(c-'0'))
			continue
		case 'r':
			dst = append(dst, name...)
			continue
		case 'w':
			n = t.W
		case 'm':
			n = t.W - 1
		case 'a':
			n = t.A[0].W
		case 'b':
			n = t.A[1].W
		case 'l':
			n = int(t.K.Lo)
		case 'h':
			n = int(t.K.Lo) + t.W - 1
		case 'n':
			n = t.W - t.A[0].W
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

// freshPrefix is prefix, lengthened by underscores until no variable is named
// by it and a number.
func freshPrefix(prefix string, vars []*Term) string {
	for {
		taken := false
		for _, v := range vars {
			if len(v.Name) > len(prefix) && v.Name[:len(prefix)] == prefix {
				if _, err := strconv.ParseUint(v.Name[len(prefix):], 10, 64); err == nil {
					taken = true
				}
			}
		}
		if !taken {
			return prefix
		}
		prefix += "_"
	}
}

// plain reports that a name consists of letters, digits and the given marks and
// does not start with a digit.
func plain(name, marks string) bool {
	for i, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case c >= '0' && c <= '9':
			if i == 0 {
				return false
			}
		default:
			found := false
			for _, m := range []byte(marks) {
				found = found || c == m
			}
			if !found {
				return false
			}
		}
	}
	return name != ""
}
