// Package chains has the carry chains of the specification material as modules,
// and counts what assemblers make of them: for tests, and for the table of
// internal/chaintable.
package chains

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Chain is the text of a chain's kernel between its loads and its stores:
// inputs and outputs are registers by name, with their widths.
type Chain struct {
	Name      string
	Body      []string // PTX, an instruction each
	Ins, Outs []string
	Bits      map[string]int
}

// Folders are those of the specification material that have chains.
var Folders = []string{"spec/nv/chains", "proto/rechain/in"}

// Files are the chains below the folder of the specification material.
func Files(shared string) (files []string) {
	for _, folder := range Folders {
		fs, _ := filepath.Glob(filepath.Join(shared, filepath.FromSlash(folder), "*.ptx")) // the pattern is well formed
		files = append(files, fs...)
	}
	return files
}

var (
	load  = regexp.MustCompile(`^ld\.global\.[bu](\d+) (\w+),\[P_\+`)
	store = regexp.MustCompile(`^st\.global\.[bu](\d+) \[P_\+\d+\],\s*(\w+);`)
	decl  = regexp.MustCompile(`^\.reg \.[bu](\d+) (.*);`)
)

// Read reads a kernel.
func Read(file string) (*Chain, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &Chain{Name: strings.TrimSuffix(filepath.Base(file), ".ptx"), Bits: map[string]int{}}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		if m := decl.FindStringSubmatch(line); m != nil {
			for r := range strings.SplitSeq(m[2], ",") {
				n := 32
				if m[1] == "64" {
					n = 64
				}
				c.Bits[strings.TrimSpace(r)] = n
			}
			continue
		}
		switch m := load.FindStringSubmatch(line); {
		case m != nil:
			c.Ins = append(c.Ins, m[2])
		case store.MatchString(line):
			c.Outs = append(c.Outs, store.FindStringSubmatch(line)[2])
		case line == "ret;", line == "", line == "}", len(c.Ins) == 0:
		case !strings.Contains(line, " "):
			return nil, fmt.Errorf("%s: no instruction: %s", file, line)
		default:
			c.Body = append(c.Body, line)
		}
	}
	return c, nil
}

// Products reports a chain with multiplications.
func (c *Chain) Products() bool {
	for _, line := range c.Body {
		if strings.HasPrefix(line, "m") && !strings.HasPrefix(line, "mov") {
			return true
		}
	}
	return false
}

// Empty is a kernel that copies a word: what it takes is no chain's.
var Empty = &Chain{Name: "empty", Ins: []string{"a"}, Outs: []string{"a"}, Bits: map[string]int{"a": 32}}

// Statements writes the chain as people do: one volatile asm statement for each
// instruction, the carry flowing from one to the next. in names the registers
// that are there; before, which may be nil, is called ahead of each instruction
// with what each register is by then. The map returned is that in the end.
func (c *Chain) Statements(s *strings.Builder, numbered bool, in map[string]string, before func(is map[string]string)) map[string]string {
	is := map[string]string{}
	for r, v := range in {
		is[r] = v
	}
	n := 0
	constraint := map[int]string{32: "r", 64: "l"}
	for _, line := range c.Body {
		if before != nil {
			before(is)
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, ";"), " ")
		first, second, packs := rest, "", strings.Contains(rest, "{")
		if packs && strings.HasPrefix(rest, "{") { // mov.b64 {l,h}, x
			first, second, _ = strings.Cut(rest, "}")
			first = strings.Trim(first, "{ ")
			second = strings.Trim(second, ", ")
		} else {
			first, second, _ = strings.Cut(rest, ",")
		}
		var outs, left, args, cons, types []string
		for o := range strings.SplitSeq(first, ",") {
			o = strings.TrimSpace(o)
			left = append(left, fmt.Sprintf("$%d", len(outs)))
			outs = append(outs, o)
			cons = append(cons, "="+constraint[c.Bits[o]])
			types = append(types, fmt.Sprintf("i%d", c.Bits[o]))
		}
		result := strings.Join(left, ", ")
		if len(outs) > 1 {
			result = "{" + result + "}"
		}
		var ops []string
		for o := range strings.SplitSeq(strings.Trim(strings.TrimSpace(second), "{}"), ",") {
			o = strings.TrimSpace(o)
			if v, ok := is[o]; ok {
				ops = append(ops, fmt.Sprintf("$%d", len(outs)+len(args)))
				args = append(args, fmt.Sprintf("i%d %s", c.Bits[o], v))
				cons = append(cons, constraint[c.Bits[o]])
				continue
			}
			ops = append(ops, o)
		}
		right := strings.Join(ops, ", ")
		if packs && len(outs) == 1 {
			right = "{" + right + "}"
		}
		def := func() string {
			n++
			if numbered {
				return fmt.Sprintf("%%%d", n-1)
			}
			return fmt.Sprintf("%%v%d", n-1)
		}
		typ := types[0]
		if len(outs) > 1 {
			typ = "{ " + strings.Join(types, ", ") + " }"
		}
		d := def()
		fmt.Fprintf(s, "  %s = call %s asm sideeffect \"%s %s, %s;\", \"%s\"(%s)\n", d, typ, word, result, right, strings.Join(cons, ","), strings.Join(args, ", "))
		if len(outs) == 1 {
			is[outs[0]] = d
			continue
		}
		for i, o := range outs {
			e := def()
			fmt.Fprintf(s, "  %s = extractvalue %s %s, %d\n", e, typ, d, i)
			is[o] = e
		}
	}
	return is
}

// Function is the chain as a function @f of integers.
func (c *Chain) Function(triple string) string {
	var s strings.Builder
	var params, types []string
	in := map[string]string{}
	for _, r := range c.Ins {
		params = append(params, fmt.Sprintf("i%d %%%s", c.Bits[r], r))
		in[r] = "%" + r
	}
	for _, r := range c.Outs {
		types = append(types, fmt.Sprintf("i%d", c.Bits[r]))
	}
	typ := "{ " + strings.Join(types, ", ") + " }"
	fmt.Fprintf(&s, "target triple = %q\n\ndefine %s @f(%s) {\nentry:\n", triple, typ, strings.Join(params, ", "))
	is := c.Statements(&s, false, in, nil)
	agg := "undef"
	for i, r := range c.Outs {
		fmt.Fprintf(&s, "  %%agg%d = insertvalue %s %s, %s %s, %d\n", i, typ, agg, types[i], is[r], i)
		agg = fmt.Sprintf("%%agg%d", i)
	}
	fmt.Fprintf(&s, "  ret %s %s\n}\n", typ, agg)
	return s.String()
}

// Kernel is the chain as a kernel for an NVIDIA GPU that loads its inputs and
// stores its results, each 8 bytes from the one before, the results from byte
// 4096 on. Its values are numbered, as clang's are.
func (c *Chain) Kernel() string {
	var s strings.Builder
	s.WriteString("target triple = \"nvptx64-nvidia-cuda\"\n\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\ndefine ptx_kernel void @f(ptr addrspace(1) %all) {\nentry:\n" +
		"  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %at = getelementptr i64, ptr addrspace(1) %all, i32 %tid\n" +
		"  %p = load ptr addrspace(1), ptr addrspace(1) %at, align 8\n")
	in := map[string]string{}
	for i, r := range c.Ins {
		fmt.Fprintf(&s, "  %%in%d = getelementptr i64, ptr addrspace(1) %%p, i64 %d\n  %%%s = load i%d, ptr addrspace(1) %%in%d, align 8\n", i, i, r, c.Bits[r], i)
		in[r] = "%" + r
	}
	is := c.Statements(&s, true, in, nil)
	for i, r := range c.Outs {
		fmt.Fprintf(&s, "  %%out%d = getelementptr i64, ptr addrspace(1) %%p, i64 %d\n  store i%d %s, ptr addrspace(1) %%out%d, align 8\n", i, 512+i, c.Bits[r], is[r], i)
	}
	s.WriteString("  ret void\n}\n")
	return s.String()
}
