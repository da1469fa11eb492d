package llvm

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Context is the text into which straight-line code is to be put.
type Context struct {
	Args    []string // the operand of each parameter, without its type: "%x", "7", "true", "undef"
	Results []string // the name that each result gets, with %; "" for one that is not wanted
	Prefix  string   // temporaries are %Prefix0, %Prefix1, …: nothing else has such names
	// Freeze stops undef and poison of arguments that are no constants, as the
	// inline assembly did that the code replaces. The constants undef and poison
	// are stopped in any case.
	Freeze bool
}

// Code is LLVM IR for a place inside a block.
type Code struct {
	Lines    []string          // instructions, without indentation
	Declares map[string]string // the declare line of each intrinsic called, by its name
}

// Lines is the text of a function of one block. Instructions whose results
// nobody wants are left out; a result that is an argument, a constant or another
// result is copied. The error says that the function is not of this target or
// not of one block, or that the context does not fit it.
func Lines(f *mach.Func, ctx Context) (Code, error) {
	if len(f.Blocks) != 1 || f.Blocks[0].Term != mach.Ret || len(f.Blocks[0].Phis) > 0 {
		return Code{}, fmt.Errorf("llvm: %s is not straight-line code", f.Name)
	}
	b := f.Blocks[0]
	if len(ctx.Args) != len(f.Params) || len(ctx.Results) != len(b.Ret) {
		return Code{}, fmt.Errorf("llvm: %s has %d parameters and %d results, not %d and %d",
			f.Name, len(f.Params), len(b.Ret), len(ctx.Args), len(ctx.Results))
	}
	w := newWriter(f, ctx.Prefix)
	for n, o := range b.Ret {
		if ctx.Results[n] != "" {
			w.use(o)
		}
	}
	w.live(b)
	for n, r := range f.Params {
		w.names[r] = ctx.Args[n]
		if w.used[r] && freezes(ctx.Args[n], ctx.Freeze) {
			w.names[r] = w.temp()
			w.line("%s = freeze i%d %s", w.names[r], f.Classes[r].Bits, ctx.Args[n])
		}
	}
	var copies []int // results that no instruction defines under their name
	for n, o := range b.Ret {
		switch name := ctx.Results[n]; {
		case name == "":
		case o.IsConst() || w.names[o.Reg] != "":
			copies = append(copies, n)
		default:
			w.names[o.Reg] = name
		}
	}
	for k := range b.Insts {
		if err := w.inst(&b.Insts[k]); err != nil {
			return Code{}, err
		}
	}
	for _, n := range copies {
		o := b.Ret[n]
		w.expand(copyOp(class(int(o.Bits))).Syntax, []string{ctx.Results[n]}, []string{w.operand(o)})
	}
	return Code{w.lines, w.declares}, nil
}

// freezes reports whether an argument is to be frozen.
func freezes(arg string, values bool) bool {
	switch {
	case arg == "undef" || arg == "poison":
		return true
	case arg == "true" || arg == "false" || arg == "" || strings.ContainsAny(arg[:1], "-0123456789"):
		return false
	}
	return values
}

// Declares is the declare line of each intrinsic that the function calls, by
// its name.
func Declares(f *mach.Func) map[string]string {
	w := newWriter(f, "")
	for _, b := range f.Blocks {
		for k := range b.Insts {
			w.declare(b.Insts[k].Op)
		}
	}
	return w.declares
}

// writer turns instructions into lines.
type writer struct {
	f        *mach.Func
	names    []string // of registers, with %
	used     []bool   // registers that somebody reads
	prefix   string
	temps    int
	lines    []string
	declares map[string]string
	buf      []byte
}

func newWriter(f *mach.Func, prefix string) *writer {
	return &writer{f: f, prefix: prefix, names: make([]string, len(f.Classes)), used: make([]bool, len(f.Classes))}
}

func (w *writer) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *writer) temp() string {
	w.temps++
	return "%" + w.prefix + strconv.Itoa(w.temps-1)
}

func (w *writer) use(o mach.Operand) {
	if !o.IsConst() {
		w.used[o.Reg] = true
	}
}

// live marks what the block's results need.
func (w *writer) live(b *mach.Block) {
	for k := len(b.Insts) - 1; k >= 0; k-- {
		if in := &b.Insts[k]; w.wanted(in) {
			for _, o := range in.In {
				w.use(o)
			}
		}
	}
}

func (w *writer) wanted(in *mach.Inst) bool {
	for _, o := range in.Out {
		if w.used[o.Reg] {
			return true
		}
	}
	return false
}

// operand is a constant or the name of a register.
func (w *writer) operand(o mach.Operand) string {
	if o.IsConst() {
		return constant(o.K, int(o.Bits))
	}
	return w.names[o.Reg]
}

// constant is a value of some bits as LLVM prints it: signed, and i1 as a word.
func constant(k sem.Val, bits int) string {
	if bits == 1 {
		return strconv.FormatBool(!k.IsZero())
	}
	k = k.SignExtend(bits)
	if s := int64(k.Lo); k == sem.S(s) {
		return strconv.FormatInt(s, 10)
	}
	v := new(big.Int).SetInt64(int64(k.Hi))
	return v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(k.Lo)).String()
}

// inst writes one instruction of the table if somebody reads a result of it.
func (w *writer) inst(in *mach.Inst) error {
	if !w.wanted(in) {
		return nil
	}
	op := in.Op
	if op.Syntax == "" || op.Out[0].Bank != mach.General || in.Guard != nil {
		return fmt.Errorf("llvm: %s is no instruction of LLVM IR", op.Name)
	}
	if sum := withoutOverflow(op); sum != nil && !w.used[in.Out[1].Reg] {
		op = sum
	}
	w.declare(op)
	var args, out [3]string
	for n, o := range in.In {
		args[n] = w.operand(o)
	}
	for n := range op.Out {
		if r := in.Out[n].Reg; w.used[r] {
			if w.names[r] == "" {
				w.names[r] = w.temp()
			}
			out[n] = w.names[r]
		}
	}
	w.expand(op.Syntax, out[:], args[:])
	return nil
}

func (w *writer) declare(op *mach.Op) {
	if !strings.Contains(op.Syntax, " = call ") || w.declares[op.Name] != "" {
		return
	}
	if w.declares == nil {
		w.declares = map[string]string{}
	}
	w.declares[op.Name] = declaration(op)
}

// expand fills in a row's syntax: $d and $e are the results, $t what holds both,
// $0 … the inputs. A line for a result that has no name is left out.
func (w *writer) expand(syntax string, out, args []string) {
	both := ""
	for more := true; more; {
		var line string
		line, syntax, more = strings.Cut(syntax, "\n")
		buf := w.buf[:0]
		for {
			at := strings.IndexByte(line, '$')
			if at < 0 {
				break
			}
			buf = append(buf, line[:at]...)
			switch x := line[at+1]; x {
			case 't':
				if both == "" {
					both = w.temp()
				}
				buf = append(buf, both...)
			case 'd', 'e':
				buf = append(buf, out[x-'d']...)
			default:
				buf = append(buf, args[x-'0']...)
			}
			line = line[at+2:]
		}
		w.buf = append(buf, line...)
		if buf = w.buf; buf[0] != ' ' { // else $d without a name
			w.lines = append(w.lines, string(buf))
		}
	}
}
