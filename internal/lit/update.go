package lit

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The scheme of -update. A file takes part if one of its lines is
//
//	; NOTE: CHECK lines are kept by -update
//
// ("//" or "#" may stand for ";"). Of its RUN lines, those of the shape
//
//	TOOL ARGUMENTS | FileCheck %s [--check-prefix=P | --check-prefixes=P,Q | other flags]
//
// are run without FileCheck. All lines with directives of their prefixes are
// removed and written anew from the output:
//
//   - A function starts with "define … @name(" and ends with "}", or starts
//     with a label "name:" at the start of a line and ends before the next, or
//     with the output. (A label that starts with "." or BB and a digit, with or
//     without L before it, is a block's.) Its first line becomes -LABEL, bound
//     to the start of the line, since a tool may print the file's comments too.
//     Each other line becomes -NEXT or, if it is blank, -EMPTY; one with "{{"
//     or "[[" is {LITERAL}. Blank lines at the end and what is in no function
//     are left out.
//   - Of several prefixes, the first is taken under which all RUN lines that
//     have it print the same for the function.
//   - A function's lines stand right before its definition in the file: a line
//     with "define … @name(", ".func … name" or ".entry name". If the file
//     lacks one of the functions, or some output has them in another order, all
//     lines stand at the top, behind the last RUN line.
//   - Output without functions is one unit, kept at the top: its first line
//     is plain.
var (
	noteLine  = regexp.MustCompile(`(?m)^(;|//|#) NOTE: CHECK lines are kept by -update\s*$`)
	defineRE  = regexp.MustCompile(`^define\b.*?@([\w$.-]+|"[^"]*")\(`)
	labelRE   = regexp.MustCompile(`^([A-Za-z_$][\w$.]*):\s*(?:$|;|//|#|@)`)
	blockRE   = regexp.MustCompile(`^L?BB\d`)
	ptxDefine = regexp.MustCompile(`^\s*(?:\.visible\s+|\.weak\s+|\.extern\s+)*(?:\.entry|\.func)\s*(?:\([^)]*\)\s*)?([\w$]+)`)
)

// A unit is what one function's checks are made of. It has no name if the
// output has no functions.
type unit struct {
	name  string
	lines []string
}

// An updated RUN line.
type updatedRun struct {
	prefixes []string
	units    []unit
}

// update is the text of the test file with its CHECK lines written anew.
func (sh *shell) update(text string) (string, error) {
	note := noteLine.FindStringSubmatch(text)
	if note == nil {
		return text, nil
	}
	script, err := parse(text)
	if err != nil {
		return "", err
	}
	var runs []updatedRun
	for _, line := range script.run {
		r, ok, err := sh.rerun(line)
		if err != nil {
			return "", fmt.Errorf("RUN: %s: %w", line, err)
		}
		if ok {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return "", errors.New("no RUN line has the shape TOOL … | FileCheck %s")
	}
	checks, order, err := generate(runs, note[1])
	if err != nil {
		return "", err
	}
	return place(text, runs, checks, order), nil
}

// rerun runs the tool of a RUN line; ok is false for a line of another shape.
func (sh *shell) rerun(line string) (r updatedRun, ok bool, err error) {
	tool, check, ok := strings.Cut(line, "| FileCheck %s")
	if !ok || strings.ContainsAny(tool, "|;&") || strings.ContainsAny(check, "|;&<>") {
		return r, false, nil
	}
	for flag := range strings.FieldsSeq(check) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name == "check-prefix" || name == "check-prefixes" {
			r.prefixes = append(r.prefixes, strings.Split(value, ",")...)
		}
	}
	if len(r.prefixes) == 0 {
		r.prefixes = []string{"CHECK"}
	}
	text, err := sh.expand(tool)
	if err != nil {
		return r, false, err
	}
	list, err := split(text)
	if err != nil {
		return r, false, err
	}
	var out, errs bytes.Buffer
	if status := sh.pipe(list[0].stages, &out, &errs); status != 0 {
		return r, false, fmt.Errorf("exit status %d\n%s", status, errs.String())
	}
	r.units = units(out.String())
	return r, true, nil
}

// units splits a tool's output into functions.
func units(text string) []unit {
	var list []unit
	open := false
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, line := range all {
		if m := defineRE.FindStringSubmatch(line); m != nil {
			list, open = append(list, unit{name: strings.Trim(m[1], `"`)}), true
		} else if m := labelRE.FindStringSubmatch(line); m != nil && !inDefine(list, open) && !blockRE.MatchString(line) {
			list, open = append(list, unit{name: m[1]}), true
		}
		if !open {
			continue
		}
		u := &list[len(list)-1]
		u.lines = append(u.lines, strings.TrimRight(line, " \t\r"))
		if line == "}" && inDefine(list, open) {
			open = false
		}
	}
	if list == nil {
		for i := range all {
			all[i] = strings.TrimRight(all[i], " \t\r")
		}
		list = []unit{{lines: all}}
	}
	for i := range list {
		u := &list[i]
		for len(u.lines) > 0 && u.lines[len(u.lines)-1] == "" {
			u.lines = u.lines[:len(u.lines)-1]
		}
	}
	return list
}

// inDefine reports whether the last function is LLVM IR and still open: its
// labels are blocks.
func inDefine(list []unit, open bool) bool {
	return open && strings.HasPrefix(list[len(list)-1].lines0(), "define")
}

func (u *unit) lines0() string {
	if len(u.lines) == 0 {
		return ""
	}
	return u.lines[0]
}

// generate gives each function's check lines, and the functions in order of
// first appearance; order is nil if the outputs disagree about it.
func generate(runs []updatedRun, comment string) (checks map[string][]string, order []string, err error) {
	checks = map[string][]string{}
	for _, r := range runs {
		for _, u := range r.units {
			if !slices.Contains(order, u.name) {
				order = append(order, u.name)
			}
		}
	}
	for _, name := range order {
		var done []string
		for _, r := range runs {
			i := slices.IndexFunc(r.units, func(u unit) bool { return u.name == name })
			if i < 0 || slices.ContainsFunc(r.prefixes, func(p string) bool { return slices.Contains(done, p) }) {
				continue
			}
			u := r.units[i]
			p := slices.IndexFunc(r.prefixes, func(p string) bool { return agree(runs, p, u) })
			if p < 0 {
				return nil, nil, fmt.Errorf("RUN lines print %q in different ways: one needs a prefix of its own beside %v", name, r.prefixes)
			}
			done = append(done, r.prefixes[p])
			checks[name] = append(checks[name], directives(comment+" "+r.prefixes[p], u)...)
		}
	}
	return checks, order, nil
}

// agree reports whether all RUN lines with a prefix print the same unit.
func agree(runs []updatedRun, prefix string, u unit) bool {
	for _, r := range runs {
		if !slices.Contains(r.prefixes, prefix) {
			continue
		}
		if !slices.ContainsFunc(r.units, func(v unit) bool { return v.name == u.name && slices.Equal(v.lines, u.lines) }) {
			return false
		}
	}
	return true
}

func directives(head string, u unit) []string {
	var out []string
	for i, line := range u.lines {
		suffix, text := "-NEXT", strings.TrimSpace(line)
		switch {
		case text == "":
			out = append(out, head+"-EMPTY:")
			continue
		case i == 0 && u.name != "":
			suffix = "-LABEL"
		case len(out) == 0:
			suffix = ""
		}
		if strings.Contains(text, "{{") || strings.Contains(text, "[[") {
			suffix += "{LITERAL}"
		} else if suffix == "-LABEL" {
			text = "{{^}}" + text
		}
		out = append(out, head+suffix+": "+text)
	}
	return out
}

// place takes the old check lines out of the text and puts the new ones in.
func place(text string, runs []updatedRun, checks map[string][]string, order []string) string {
	var prefixes []string
	for _, r := range runs {
		for _, p := range r.prefixes {
			prefixes = append(prefixes, regexp.QuoteMeta(p))
		}
	}
	old := regexp.MustCompile(`^\s*(?:;|//|#)\s*(?:` + strings.Join(prefixes, "|") + `)(?:-[A-Z]+(?:-\d+)?)?(?:\{LITERAL\})?:`)
	var lines []string
	top := 0 // behind the last RUN or NOTE line
	at := map[string]int{}
	for line := range strings.Lines(text) {
		if old.MatchString(line) {
			continue
		}
		for _, re := range []*regexp.Regexp{defineRE, ptxDefine} {
			if m := re.FindStringSubmatch(line); m != nil {
				if name := strings.Trim(m[1], `"`); at[name] == 0 {
					at[name] = len(lines)
				}
			}
		}
		lines = append(lines, line)
		if strings.Contains(line, "RUN:") || noteLine.MatchString(line) {
			top = len(lines)
		}
	}
	before := map[int][]string{}
	inOrder := !slices.ContainsFunc(runs, func(r updatedRun) bool {
		return !slices.IsSortedFunc(r.units, func(a, b unit) int { return at[a.name] - at[b.name] })
	})
	for _, name := range order {
		where := top
		if inOrder && !slices.ContainsFunc(order, func(n string) bool { return at[n] == 0 }) {
			where = at[name]
		}
		before[where] = append(before[where], checks[name]...)
	}
	var b strings.Builder
	for i := 0; i <= len(lines); i++ {
		if n := len(before[i]); n > 0 {
			if i > 0 && !strings.HasSuffix(lines[i-1], "\n") {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Join(before[i], "\n") + "\n")
		}
		if i < len(lines) {
			b.WriteString(lines[i])
		}
	}
	return b.String()
}
