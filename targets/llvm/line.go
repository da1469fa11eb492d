package llvm

import (
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
)

// Line is the text of one instruction, several lines where it has several
// results; registers without a name are %r and their number.
func Line(f *mach.Func, in *mach.Inst) string {
	w := newWriter(f, "t")
	for r, name := range f.Names {
		w.used[r] = true
		if name == "" {
			name = "%r" + strconv.Itoa(r)
		} else if !strings.HasPrefix(name, "%") {
			name = "%" + Quoted(name)
		}
		w.names[r] = name
	}
	if err := w.inst(in); err != nil {
		return err.Error()
	}
	return strings.Join(w.lines, "\n")
}
