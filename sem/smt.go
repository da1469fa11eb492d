package sem

import (
	"fmt"
	"io"
	"strings"
)

// SMT writes the roots as SMT-LIB 2 in the logic QF_BV: a declaration of each
// free variable, a definition of each node after its operands, so that shared
// terms are written once. It returns the writer's error. What the roots are
// called is for Query to know.
func SMT(w io.Writer, roots ...*Term) error {
	_, err := w.Write(newSMT(roots).dst)
	return err
}

// Query is the SMT-LIB 2 question whether, for some values of the variables for
// which all of assume are 1, a pair of the goal differs: unsat is equality for
// all inputs.
func Query(goal [][2]*Term, assume []*Term) string {
	var roots []*Term
	for _, g := range goal {
		roots = append(roots, g[0], g[1])
	}
	p := newSMT(append(roots, assume...))
	var sb strings.Builder
	sb.WriteString("(set-logic QF_BV)\n")
	sb.Write(p.dst)
	for _, a := range assume {
		fmt.Fprintf(&sb, "(assert (= %s #b1))\n", p.name[a])
	}
	sb.WriteString("(assert (not (and true")
	for _, g := range goal {
		fmt.Fprintf(&sb, " (= %s %s)", p.name[g[0]], p.name[g[1]])
	}
	sb.WriteString(")))\n(check-sat)\n")
	return sb.String()
}

type smtPrinter struct {
	dst  []byte
	name map[*Term]string
}

func newSMT(roots []*Term) *smtPrinter {
	order := Order(roots...)
	vars := Vars(roots...)
	p := &smtPrinter{name: map[*Term]string{}}
	seen := map[string]*Term{}
	for _, v := range vars {
		if o := seen[v.Name]; o != nil {
			panic(fmt.Sprintf("sem: two variables %s, of %d and %d bits", v.Name, o.W, v.W))
		}
		seen[v.Name] = v
	}
	prefix := freshPrefix("t", vars)
	n := 0
	for _, t := range order {
		switch t.Op {
		case OpVar:
			p.name[t] = smtName(t.Name)
			p.dst = fmt.Appendf(p.dst, "(declare-const %s (_ BitVec %d))\n", p.name[t], t.W)
		case OpConst:
			p.name[t] = smtConst(t)
		default:
			n++
			p.name[t] = fmt.Sprint(prefix, n)
			p.dst = fmt.Appendf(p.dst, "(define-fun %s () (_ BitVec %d) ", p.name[t], t.W)
			p.dst = fill(p.dst, prims[t.Op].smt, t, "", func(dst []byte, i int) []byte {
				return append(dst, p.name[t.A[i]]...)
			})
			p.dst = append(p.dst, ")\n"...)
		}
	}
	return p
}

// smtName quotes a name that is no simple symbol. One that SMT-LIB itself or
// the theory uses, as LLVM's names of values often do, gets a prime, which no
// name of PTX or LLVM has unquoted; so do | and \, which cannot be quoted.
func smtName(name string) string {
	if strings.Contains(smtReserved, " "+name+" ") || strings.HasPrefix(name, "bv") {
		return "|" + name + "'|"
	}
	if plain(name, "_.$%&~^!?-+*/<>=@") && name[0] != '.' && name[0] != '@' {
		return name
	}
	return "|" + strings.NewReplacer("|", "'", `\`, "''").Replace(name) + "|"
}

const smtReserved = ` ! _ as let par forall exists match true false not and or xor ite distinct iff if ` +
	`implies => = + - * / < <= > >= ~ abs div mod concat extract repeat select store ` +
	`zero_extend sign_extend rotate_left rotate_right `

// smtConst is #x… where the width is a multiple of 4, else #b….
func smtConst(t *Term) string {
	return "#" + strings.TrimPrefix(docConst(t, true), "0")
}
