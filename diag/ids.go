package diag

import "slices"

// Kind is a kind of diagnostic: all with one ID.
type Kind struct {
	ID       string
	Severity Severity // the mildest with which it is given; -W flags steer Warning
	Text     string   // what it is about
}

// Kinds lists every kind, sorted by ID.
func Kinds() []Kind { return kinds }

// Find gives the kind of an ID.
func Find(id string) (Kind, bool) {
	i, ok := slices.BinarySearchFunc(kinds, id, func(k Kind, id string) int {
		switch {
		case k.ID < id:
			return -1
		case k.ID > id:
			return 1
		}
		return 0
	})
	if !ok {
		return Kind{}, false
	}
	return kinds[i], true
}

var kinds = []Kind{
	{"asm-branch", Error, "PTX in an invoke or callbr"},
	{"asm-operand", Error, "an operand $n that the constraints do not give"},
	{"asm-scope", Warning, "braces { } that do not match, within a body or from one statement to the next"},
	{"asm-unknown", Error, "an instruction that is not lowered, on a target that cannot keep it"},
	{"asm-unwritten-output", Warning, "an output that is never written (a warning) or read before it is written (an error)"},
	{"asm-unwritten-register", Warning, "a register of the body is read before it is written: it holds 0"},
	{"body-registers", Error, "text that stands alone and needs more registers than the target has"},
	{"cc-call", Warning, "CC.CF is used over a call, which need not preserve it (with -Wno-error=cc-call)"},
	{"cc-maybe-undefined", Warning, "CC.CF is read where only some ways through the function have written it: on the others it is taken as 0"},
	{"cc-mixed", Warning, "a subtraction takes the carry of an addition, or the other way round: CC.CF is NOT borrow"},
	{"cc-opaque", Error, "a carry passes into or out of a statement that stays as it is"},
	{"cc-undefined", Error, "CC.CF is read where nothing wrote it"},
	{"eval-input", Error, "eval: a register is read that has no value"},
	{"eval-name", Error, "eval: a register is named error"},
	{"eval-truncated", Warning, "eval: a value has more bits than its register"},
	{"eval-value", Error, "eval: not name=value, or not a number"},
	{"ir-name", Error, "a name is undefined or defined twice"},
	{"ir-syntax", Error, "the text does not parse"},
	{"ir-verify", Error, "the function is not well formed"},
	{"ll-asm-args", Error, "an asm call has more or fewer arguments than its constraints"},
	{"ll-asm-constraint", Error, "a constraint string that does not parse"},
	{"ll-asm-result", Error, "an asm call has another result than its constraints"},
	{"ll-binary", Error, "the file is not text"},
	{"ll-bitcode", Error, "the file is LLVM bitcode: llvm-dis turns it into text"},
	{"ll-empty", Error, "the file is empty"},
	{"ll-label", Error, "a branch to a label that is not there"},
	{"ll-number", Error, "an unnamed value is out of sequence"},
	{"ll-redefined", Error, "a local value is defined twice"},
	{"ll-syntax", Error, "the text is not LLVM IR"},
	{"ll-undefined", Error, "a local value is not defined"},
	{"llir-inexact", Warning, "llir/llvm prints something else than the module holds"},
	{"llir-module", Error, "a module of llir/llvm that cannot be printed or read back"},
	{"llir-operand", Error, "a value of llir/llvm is used outside its function"},
	{"llir-type", Error, "a type of llir/llvm that has no text"},
	{"mad-clamp", Remark, "with --amd-mad-clamp: an instruction whose clamp is assumed to limit the exact sum"},
	{"not-proved", Warning, "with --verify=prove: a site or function that is not proved, and why"},
	{"not-selectable", Warning, "a function is listed site by site, since it has more than integers"},
	{"ptx-bad-modifier", Error, "a modifier that the instruction does not have, or not beside the others"},
	{"ptx-bad-type", Error, "a type that the instruction does not have"},
	{"ptx-call", Error, "a call of @ptx.… whose name or type is wrong"},
	{"ptx-empty", Error, "a text without an instruction"},
	{"ptx-escape", Error, "a $ that is neither an operand nor an escape"},
	{"ptx-floor", Warning, "an instruction that PTX has only from a later target on; it is lowered all the same"},
	{"ptx-immediate-dest", Error, "a constant as destination"},
	{"ptx-literal", Error, "a number that is no integer or has too many bits"},
	{"ptx-lower-case", Error, "PTX is lower case"},
	{"ptx-misplaced-mode", Error, ".lo, .hi or .wide not right behind the opcode"},
	{"ptx-missing-mode", Error, ".lo, .hi or .wide is missing"},
	{"ptx-missing-modifier", Error, "another modifier is missing"},
	{"ptx-missing-semicolon", Error, "a ; is missing"},
	{"ptx-missing-type", Error, "a type is missing"},
	{"ptx-negation", Error, "a minus sign or ! where none may stand"},
	{"ptx-operand", Error, "an operand of a kind that the instruction does not take"},
	{"ptx-operand-count", Error, "too many operands or too few"},
	{"ptx-operand-type", Error, "an operand of another width than the instruction's"},
	{"ptx-order", Warning, "modifiers out of order or repeated, as ptxas takes them"},
	{"ptx-po", Warning, ".po beside two negations that cancel, as ptxas takes it"},
	{"ptx-redeclared", Error, "a register is declared twice in one scope"},
	{"ptx-selector", Error, "a selector where none may stand, or no selector"},
	{"ptx-sink", Error, "_ where a register is needed"},
	{"ptx-special", Error, "a special register as destination, or outside mov"},
	{"ptx-special-register", Error, "a special register whose value is not known here"},
	{"ptx-syntax", Error, "the body does not parse"},
	{"ptx-truncated", Warning, "a constant has more bits than its operand"},
	{"ptx-undeclared", Error, "a register that is not declared"},
	{"ptx-undocumented", Error, "a form that ptxas takes and no manual has"},
	{"ptx-unknown-opcode", Error, "PTX has no such instruction"},
	{"ptx-vector", Error, "a pack { } where none may stand"},
	{"rechain", Remark, "what a carry chain computes, and whether it is written again"},
	{"site-cost", Remark, "with --remarks: what a site costs by itself, and its rules"},
	{"site-kept", Remark, "a statement stays as it is, because of the instruction named"},
	{"site-wave", Warning, "with --sites=asm: the sites of a function stay portable IR, since its waves have another size"},
	{"verify", Error, "a lowering computes something else than its source: a bug of ptxlower"},
}
