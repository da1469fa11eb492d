package ptxlower

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

var errNoText = errors.New("it cannot be written as one asm statement")

// asmBody writes a function of PTX forms as the body of an asm statement: its
// results are the operands $0 …, its parameters those behind them. A carry is
// read from CC, so that each has to be the last that was written. Operands of
// one bit are words of 0 or 1.
func asmBody(f *ir.Func) (string, error) {
	w := ptxText{f: f, name: map[*ir.Value]string{}, count: map[string]int{}}
	return w.body()
}

type ptxText struct {
	f     *ir.Func
	lines []string
	name  map[*ir.Value]string
	count map[string]int // of registers, by their letter
	cc    *ir.Value      // what CC.CF holds
}

func (w *ptxText) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...)+";")
}

// reg is a new register of a width.
func (w *ptxText) reg(bits int) string {
	letter := map[int]string{1: "p", 16: "h", 32: "r", 64: "d"}[bits]
	w.count[letter]++
	return fmt.Sprintf("%s%d", letter, w.count[letter]-1)
}

// of is a value as an operand.
func (w *ptxText) of(v *ir.Value) string {
	if v.Op == ir.Const || v.Op == ir.Undef {
		return fmt.Sprint(v.K.Lo)
	}
	n, ok := w.name[v]
	if !ok {
		n = w.reg(v.W)
		w.name[v] = n
	}
	return n
}

func (w *ptxText) body() (string, error) {
	b := w.f.Blocks[0]
	word := map[*ir.Value]string{} // parameters of one bit, as words
	for i, p := range w.f.Params {
		operand := fmt.Sprintf("$%d", len(b.Args)+i)
		switch p.W {
		case 1:
			word[p] = operand
		case 16, 32, 64:
			w.name[p] = operand
		default:
			return "", errNoText
		}
	}
	bits := map[*ir.Value][]int{} // results of one bit
	late := map[int]*ir.Value{}   // results that are there under another name
	for i, v := range b.Args {
		operand := fmt.Sprintf("$%d", i)
		_, named := w.name[v]
		switch {
		case v.W == 1:
			bits[v] = append(bits[v], i)
		case v.W != 16 && v.W != 32 && v.W != 64:
			return "", errNoText
		case v.Op == ir.Const || v.Op == ir.Undef || named:
			late[i] = v
		default:
			w.name[v] = operand
		}
	}
	results := map[*ir.Value][]*ir.Value{}
	for _, v := range b.Vals {
		if v.Op == ir.Result {
			results[v.Args[0]] = append(results[v.Args[0]], v)
		}
	}
	for _, v := range b.Vals {
		if v.Op == ir.Result {
			continue
		}
		if v.Op != ir.PTX {
			return "", errNoText
		}
		if err := w.form(v, results[v], word); err != nil {
			return "", err
		}
		for _, u := range append([]*ir.Value{v}, results[v]...) {
			for _, i := range bits[u] {
				if u == w.cc {
					w.line("addc.u32 $%d, 0, 0", i)
				} else {
					w.line("selp.u32 $%d, 1, 0, %s", i, w.of(u))
				}
			}
			delete(bits, u)
		}
	}
	for i, v := range b.Args { // of one bit, and no operation gives them
		switch {
		case bits[v] == nil:
		case v.Op == ir.Const || v.Op == ir.Undef:
			w.line("mov.u32 $%d, %d", i, v.K.Lo)
		case v.Op == ir.Param:
			w.line("mov.u32 $%d, $%d", i, len(b.Args)+v.Index)
		}
	}
	for i, v := range b.Args {
		if late[i] != nil {
			w.line("mov.b%d $%d, %s", v.W, i, w.of(v))
		}
	}
	var decls []string
	for _, k := range [...]struct{ letter, typ string }{{"p", "pred"}, {"h", "b16"}, {"r", "b32"}, {"d", "b64"}} {
		if n := w.count[k.letter]; n > 0 {
			decls = append(decls, fmt.Sprintf(".reg .%s %s<%d>;", k.typ, k.letter, n))
		}
	}
	return "{\n" + strings.Join(append(decls, w.lines...), "\n") + "\n}", nil
}

// form writes one operation.
func (w *ptxText) form(v *ir.Value, results []*ir.Value, word map[*ir.Value]string) error {
	f, in := v.Form, v.Args
	if f.ReadsCF() {
		if in[len(in)-1] != w.cc {
			return errNoText
		}
		in = in[:len(in)-1]
	}
	if f.Op == ptx.Selp && word[in[2]] != "" && in[0].K.Lo == 1 && in[1].Op == ir.Const && in[1].K.Lo == 0 && in[0].Op == ir.Const {
		w.line("mov.b%d %s, %s", v.W, w.of(v), word[in[2]])
		return nil
	}
	args := make([]string, len(in))
	for i, a := range in {
		if s := word[a]; s != "" { // a predicate, once
			w.line("setp.ne.u32 %s, %s, 0", w.of(a), s)
			delete(word, a)
		}
		args[i] = w.of(a)
	}
	switch list := strings.Join(args, ", "); {
	case f.Op == ptx.Mov && f.Pack > 0:
		for i, a := range in {
			if a.Op == ir.Const || a.Op == ir.Undef {
				r := w.reg(a.W)
				w.line("mov.b%d %s, %s", a.W, r, args[i])
				args[i] = r
			}
		}
		w.line("mov.b%d %s, {%s}", v.W, w.of(v), strings.Join(args, ", "))
	case f.Op == ptx.Mov && f.Pack < 0:
		parts := make([]string, -f.Pack)
		parts[0] = w.of(v)
		for _, u := range results {
			parts[u.Index] = w.of(u)
		}
		for i := range parts {
			if parts[i] == "" {
				parts[i] = w.reg(v.W)
			}
		}
		w.line("mov.b%d {%s}, %s", v.W*len(parts), strings.Join(parts, ", "), list)
	default:
		w.line("%s %s, %s", f, w.of(v), list)
	}
	if f.CC {
		w.cc = nil
		for _, u := range results {
			if u.W == 1 {
				w.cc = u
			}
		}
	}
	return nil
}
