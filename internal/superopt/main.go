// Command superopt looks for short sequences of a target's operations that
// compute a form, by hand: what it finds becomes a rule.
//
//	go run ./internal/superopt -target gfx900 -ops 2 mad.hi.u32
//
// It enumerates chains of operations over the form's operands and some constants,
// drops those that compute on vectors what a shorter one does, and proves those
// that compute the form there. It knows operations from words to a word, no pairs
// and no carries.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// common are the constants that sequences may use.
var common = []uint64{0, 1, 8, 16, 24, 31, 0xff, 0xffff, 0xffffff, 0xffffffff}

func main() {
	target := flag.String("target", "sm_70", "a GPU")
	ops := flag.Int("ops", 2, "the most operations")
	model := flag.String("vmad", "isa", "what vmad means: isa or ptxas")
	more := flag.String("k", "", "more constants than 0, 1, counts and masks, such as PRMT's selectors: 0x7177,0x7710")
	flag.Parse()
	constants := slices.Clone(common)
	for _, text := range strings.FieldsFunc(*more, func(r rune) bool { return r == ',' }) {
		k, err := strconv.ParseUint(text, 0, 32)
		if err != nil {
			fmt.Fprintln(os.Stderr, "superopt:", err)
			os.Exit(2)
		}
		constants = append(constants, k)
	}
	if err := find(*target, *model, *ops, constants, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "superopt:", err)
		os.Exit(1)
	}
}

func find(target, model string, ops int, constants []uint64, forms []string) error {
	info, err := targets.Find(target)
	if err != nil {
		return err
	}
	if info.Target == nil || info.Target.Machine.SSA {
		return fmt.Errorf("%s has no operations of its own", target)
	}
	m := ptx.ISA
	if model == "ptxas" {
		m = ptx.PTXAS
	}
	for _, text := range forms {
		f, err := form(text, m)
		if err != nil {
			return err
		}
		s, err := newSearch(info.Target, f, m, constants)
		if err != nil {
			return err
		}
		s.run(ops)
		rep, err := ptxlower.Describe(f, m, info.Target)
		if err != nil {
			return err
		}
		fmt.Printf("%s on %s: %d sequences tried, %d proved; its rule %s takes %s\n", f.Name(), info.Name, s.Tried, len(s.Found), rep.Rule, rep.Cost)
		slices.SortStableFunc(s.Found, func(x, y Sequence) int { return x.Cost - y.Cost })
		for _, q := range s.Found {
			fmt.Printf("  %d ops, %d issue slots: %s\n", q.Ops, q.Cost, q.Text)
		}
	}
	return nil
}

// form is the form of a mnemonic or an instruction.
func form(text string, m ptx.Model) (ptx.Form, error) {
	if found := ptx.Lookup(text); found.Class == ptx.Exact {
		return found.Form, nil
	}
	var l diag.List
	fl := ptxlower.ParseBody("form", text, m, &l)
	if fl == nil || len(fl.Insts) != 1 {
		return ptx.Form{}, fmt.Errorf("%q is not one instruction", text)
	}
	return fl.Insts[0].Form, nil
}
