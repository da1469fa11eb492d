package llvm

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
)

// Print writes a function as a definition; the intrinsics that it calls are in
// Declares. Several results are returned as a structure.
func Print(out io.Writer, f *mach.Func) error {
	w := newWriter(f, "t")
	for _, b := range f.Blocks {
		for k := range b.Insts {
			for _, o := range b.Insts[k].In {
				w.use(o)
			}
		}
		for _, p := range b.Phis {
			for _, o := range p.In {
				w.use(o)
			}
		}
		if b.Term == mach.CondJump {
			w.use(b.Cond)
		}
		for _, o := range b.Ret {
			w.use(o)
		}
	}
	w.nameAll()
	params := make([]string, len(f.Params))
	for n, r := range f.Params {
		params[n] = fmt.Sprintf("i%d %s", f.Classes[r].Bits, w.names[r])
	}
	labels := labelsOf(f)
	w.line("define %s @%s(%s) {", resultType(f), Quoted(f.Name), strings.Join(params, ", "))
	for n, b := range f.Blocks {
		if n > 0 || len(f.Blocks) > 1 {
			w.line("%s:", labels[b])
		}
		if err := w.block(b, labels); err != nil {
			return err
		}
	}
	w.line("}")
	_, err := io.WriteString(out, strings.Join(w.lines, "\n")+"\n")
	return err
}

// nameAll names what must have a name before it is defined: parameters, phis
// and what phis read. Names for people are kept as far as they are not taken.
func (w *writer) nameAll() {
	taken := map[string]bool{}
	name := func(r mach.Reg, s string) {
		base := s
		for n := 0; taken[s] || isTemp(s); n++ {
			s = base + "." + strconv.Itoa(n)
		}
		taken[s] = true
		w.names[r] = "%" + Quoted(s)
	}
	for r, s := range w.f.Names {
		if s != "" {
			name(mach.Reg(r), s)
		}
	}
	for _, r := range w.f.Params {
		if w.names[r] == "" {
			name(r, "p")
		}
	}
	for _, b := range w.f.Blocks {
		for _, p := range b.Phis {
			for _, o := range append([]mach.Operand{{Reg: p.Out}}, p.In...) {
				if !o.IsConst() && w.names[o.Reg] == "" {
					w.names[o.Reg] = w.temp()
				}
			}
		}
	}
}

// isTemp reports t0, t1, …
func isTemp(s string) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(s, "t"))
	return err == nil
}

func labelsOf(f *mach.Func) map[*mach.Block]string {
	labels, taken := map[*mach.Block]string{}, map[string]bool{}
	for n, b := range f.Blocks {
		s := b.Name
		for k := n; s == "" || taken[s]; k++ {
			s = "bb" + strconv.Itoa(k)
		}
		taken[s] = true
		labels[b] = Quoted(s)
	}
	return labels
}

// Quoted is an identifier as LLVM wants it.
func Quoted(s string) string {
	plain := s != "" && (s[0] < '0' || s[0] > '9')
	var sb strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '$', c == '.', c == '_':
			sb.WriteByte(c)
		case c >= ' ' && c < 0x7f && c != '"' && c != '\\':
			plain = false
			sb.WriteByte(c)
		default:
			plain = false
			fmt.Fprintf(&sb, "\\%02X", c)
		}
	}
	if plain {
		return s
	}
	return `"` + sb.String() + `"`
}

// resultType is that of the first return; a function that never returns is void.
func resultType(f *mach.Func) string {
	for _, b := range f.Blocks {
		if b.Term == mach.Ret {
			return structure(b.Ret)
		}
	}
	return "void"
}

func structure(ret []mach.Operand) string {
	types := make([]string, len(ret))
	for n, o := range ret {
		types[n] = fmt.Sprintf("i%d", o.Bits)
	}
	switch len(ret) {
	case 0:
		return "void"
	case 1:
		return types[0]
	}
	return "{ " + strings.Join(types, ", ") + " }"
}

func (w *writer) block(b *mach.Block, labels map[*mach.Block]string) error {
	start := len(w.lines)
	for _, p := range b.Phis {
		var in []string
		for n, o := range p.In {
			in = append(in, fmt.Sprintf("[ %s, %%%s ]", w.operand(o), labels[b.Preds[n]]))
		}
		w.line("%s = phi i%d %s", w.names[p.Out], w.f.Classes[p.Out].Bits, strings.Join(in, ", "))
	}
	for k := range b.Insts {
		if err := w.inst(&b.Insts[k]); err != nil {
			return err
		}
	}
	switch b.Term {
	case mach.Ret:
		w.ret(b.Ret)
	case mach.Jump:
		w.line("br label %%%s", labels[b.Succs[0]])
	case mach.CondJump:
		w.line("br i1 %s, label %%%s, label %%%s", w.operand(b.Cond), labels[b.Succs[0]], labels[b.Succs[1]])
	default:
		w.line("unreachable")
	}
	for n := start; n < len(w.lines); n++ {
		w.lines[n] = "  " + w.lines[n]
	}
	return nil
}

func (w *writer) ret(ret []mach.Operand) {
	switch len(ret) {
	case 0:
		w.line("ret void")
		return
	case 1:
		w.line("ret i%d %s", ret[0].Bits, w.operand(ret[0]))
		return
	}
	ty, agg := structure(ret), "poison"
	for n, o := range ret {
		next := w.temp()
		w.line("%s = insertvalue %s %s, i%d %s, %d", next, ty, agg, o.Bits, w.operand(o), n)
		agg = next
	}
	w.line("ret %s %s", ty, agg)
}
