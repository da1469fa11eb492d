// Command chaintable counts what becomes of carry chains, every one of the
// specification material on every class of targets: as written, and as
// ptxlower writes it again.
//
//	go run ./internal/chaintable [-chain REGEXP] [-target REGEXP] [-reader REGEXP]
//	go run ./internal/chaintable -w
//
// Each row is a chain on a target, by what reads the text: ptxas (through
// --emit=llvm and llc 22), llc (the same, for AMD), or none, a listing of our
// own (--emit=asm). It says how many operations and registers there are before
// and after. -w counts all, some 15 minutes on two cores, and writes
// docs/rechaining.csv, docs/chains.md and the figures of docs/rechaining.md;
// -pages makes the pages from the table that is there. The programs are those that scripts/judges fetches.
package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/chains"
)

func main() {
	chain := flag.String("chain", ".", "chains whose name this matches")
	target := flag.String("target", ".", "targets whose name this matches")
	reader := flag.String("reader", ".", "rows of ptxas, llc or listing")
	write := flag.Bool("w", false, "write the table and the pages of docs/")
	pages := flag.Bool("pages", false, "make the pages of the table in docs/")
	flag.Parse()
	var err error
	switch {
	case *pages:
		err = writePages()
	case *write:
		if err = toFile(); err == nil {
			err = writePages()
		}
	default:
		err = run(*chain, *target, *reader, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const table = "docs/rechaining.csv"

// toFile counts everything.
func toFile() error {
	var b bytes.Buffer
	if err := run(".", ".", ".", &b); err != nil {
		return err
	}
	return os.WriteFile(table, b.Bytes(), 0o666)
}

// writePages makes the pages that show the table.
func writePages() error {
	f, err := os.Open(table)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := readRows(f)
	if err != nil {
		return err
	}
	const prose = "docs/rechaining.md"
	text, err := os.ReadFile(prose)
	if err != nil {
		return err
	}
	with, err := withFigures(string(text), figures(rows))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(prose, []byte(with), 0o666), os.WriteFile("docs/chains.md", []byte(page(rows)), 0o666))
}

// row is a chain on a target.
type row struct {
	chain, target, reader string
	before, after         chains.Cost
	text                  string // the source
}

func (r *row) fields() []string {
	n := strconv.Itoa
	return []string{r.chain, r.target, r.reader, n(r.before.Ops), n(r.after.Ops), n(r.before.Regs), n(r.after.Regs)}
}

var head = []string{"chain", "target", "reader", "ops_before", "ops_after", "regs_before", "regs_after"}

// Targets of llc and of listings of our own, one of each class.
var (
	amd  = []string{"gfx600", "gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200"}
	ours = append([]string{"sm_35", "sm_52", "sm_70", "sm_80", "sm_90", "sm_120"}, amd...)
)

// run counts the rows that match.
func run(chain, target, reader string, w io.Writer) error {
	res := [3]*regexp.Regexp{}
	for i, s := range []string{chain, target, reader} {
		var err error
		if res[i], err = regexp.Compile(s); err != nil {
			return err
		}
	}
	shared := filepath.Join("..", "shared")
	files := chains.Files(shared)
	if len(files) == 0 {
		return fmt.Errorf("no chains below %s: run this in the folder of go.mod, with the specification material beside it", shared)
	}
	var rows []*row
	add := func(c *chains.Chain, target, reader, text string) {
		if res[0].MatchString(c.Name) && res[1].MatchString(target) && res[2].MatchString(reader) {
			rows = append(rows, &row{chain: c.Name, target: target, reader: reader, text: text})
		}
	}
	for _, f := range files {
		c, err := chains.Read(f)
		if err != nil {
			return err
		}
		for _, n := range chains.Archs {
			add(c, "sm_"+n.Arch, "ptxas", c.Kernel())
		}
		for _, cpu := range amd {
			add(c, cpu, "llc", c.Function("amdgcn-amd-amdhsa"))
		}
		for _, t := range ours {
			add(c, t, "listing", c.Function("nvptx64-nvidia-cuda"))
		}
	}
	errs := make([]error, len(rows))
	var wg sync.WaitGroup
	slots := make(chan bool, runtime.GOMAXPROCS(0))
	for i, r := range rows {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- true
			defer func() { <-slots }()
			if err := r.count(); err != nil {
				errs[i] = fmt.Errorf("%s on %s: %w", r.chain, r.target, err)
			}
		}()
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t := csv.NewWriter(w)
	t.Write(head) // Error gives what went wrong
	for _, r := range rows {
		t.Write(r.fields())
	}
	t.Flush()
	return t.Error()
}

// count lowers the chain with chains left and written again, and counts both.
func (r *row) count() error {
	opt := ptxlower.Options{Target: r.target, Emit: ptxlower.EmitLLVM}
	if r.reader == "listing" {
		opt.Emit = ptxlower.EmitAsm
	}
	lower := func(keep bool) (string, error) {
		opt.KeepChains = keep
		res, err := ptxlower.Lower(context.Background(), r.chain+".ll", []byte(r.text), opt)
		if err != nil {
			return "", err
		}
		return string(res.Output), nil
	}
	was, err := r.text, error(nil)
	if r.reader != "ptxas" { // which takes the source as it is
		was, err = lower(true)
	}
	if err != nil {
		return err
	}
	is, err := lower(false)
	if err != nil {
		return err
	}
	if r.before, err = r.cost(was); err != nil || is == was {
		r.after = r.before
		return err
	}
	r.after, err = r.cost(is)
	return err
}

// empties are the operations of kernels that copy a word, by architecture.
var empties sync.Map

func (r *row) cost(text string) (chains.Cost, error) {
	switch r.reader {
	case "llc":
		return chains.CountAMD(tool, text, r.target)
	case "listing":
		return chains.Listing(text), nil
	}
	n := chains.Arch(strings.TrimPrefix(r.target, "sm_"))
	once, _ := empties.LoadOrStore(n.Arch, sync.OnceValues(func() (chains.Cost, error) { return n.Count(tool, chains.Empty.Kernel()) }))
	empty, err := once.(func() (chains.Cost, error))()
	if err != nil {
		return empty, err
	}
	c, err := n.Count(tool, text)
	c.Ops -= empty.Ops
	return c, err
}

// tool is the path of a program: on PATH, or where scripts/judges puts it.
func tool(name string) (string, error) {
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	p := filepath.Join(".cache", "judges", "bin", name)
	if _, err := os.Stat(p); err != nil {
		return "", fmt.Errorf("%s is missing: run scripts/judges", name)
	}
	return filepath.Abs(p)
}
