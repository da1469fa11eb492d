package filecheck

import (
	"fmt"
	"slices"
	"strings"
)

// run matches the groups; false means that the input does not match and c.out
// says why. A -LABEL is found first and bounds the region of what stands before
// it, so that one failure does not hide those of other regions.
func (c *checker) run() bool {
	ok, done := true, 0
	at, text := 0, string(c.input.Text)
	for next := 0; ; next++ {
		region, last := text[at:], next == len(c.groups)
		start := at
		if !last {
			g := &c.groups[next]
			if g.main.kind != kindLabel {
				continue
			}
			m := c.match(g.main, region)
			if m.start < 0 {
				c.missing(g.main, 1, at, m)
				return false
			}
			at += m.end
			region = region[:m.end]
		}
		if done > 0 && c.opts.VarScope {
			c.vars.leaveScope()
		}
		for end := min(next+1, len(c.groups)); done < end; done++ {
			n, matched := c.group(&c.groups[done], region, start)
			if !matched {
				ok, done = false, end
				break
			}
			region, start = region[n:], start+n
		}
		if last {
			return ok
		}
	}
}

// group checks one group in a region of the input that starts at offset at, and
// gives the length up to the end of its match.
func (c *checker) group(g *group, region string, at int) (int, bool) {
	from, nots, ok := c.dags(g.before, region, at)
	if !ok {
		return 0, false
	}
	first, end := 0, from
	for i := 1; i <= g.main.count; i++ {
		m := c.match(g.main, region[end:])
		if m.start < 0 {
			c.missing(g.main, i, at+end, m)
			return 0, false
		}
		if i == 1 {
			first = end + m.start
		}
		end += m.end
		if m.end == 0 { // the same empty match for ever
			break
		}
	}
	skipped := region[from:first]
	if !c.line(g.main, skipped, at+from) || !c.absent(nots, skipped, at+from) {
		return 0, false
	}
	return end, true
}

// line verifies what -NEXT, -EMPTY and -SAME say about the lines between two
// matches.
func (c *checker) line(p *pattern, skipped string, at int) bool {
	newlines := strings.Count(skipped, "\n")
	problem := ""
	switch {
	case (p.kind == kindNext || p.kind == kindEmpty) && newlines == 0:
		problem = "is on the same line as previous match"
	case (p.kind == kindNext || p.kind == kindEmpty) && newlines > 1:
		problem = "is not on the line after the previous match"
	case p.kind == kindSame && newlines > 0:
		problem = "is not on the same line as the previous match"
	default:
		return true
	}
	c.say(p.file, p.off, 0, "error: "+p.name()+": "+problem)
	c.say(c.input, at+len(skipped), 0, "note: 'next' match was here")
	c.say(c.input, at, 0, "note: previous match ended here")
	if p.kind != kindSame && newlines > 1 {
		c.say(c.input, at+strings.IndexByte(skipped, '\n')+1, 0, "note: non-matching line after previous match is here")
	}
	return false
}

// absent verifies that no -NOT pattern matches in a region, and reports all
// that do.
func (c *checker) absent(nots []*pattern, region string, at int) bool {
	ok := true
	for _, p := range nots {
		m := c.match(p, region)
		switch {
		case len(m.problems) > 0:
			c.missing(p, 1, at, m)
			ok = false
		case m.start >= 0:
			c.say(p.file, p.off, 0, "error: "+p.name()+": excluded string found in input")
			c.say(c.input, at+m.start, m.end-m.start, "note: found here")
			c.values(p, at+m.start)
			ok = false
		}
	}
	return ok
}

// dags matches the -DAG directives of a group, in any order and without
// overlap, and the -NOT directives between them. It gives where the search for
// the main directive starts and the -NOT directives that are left for it.
func (c *checker) dags(list []*pattern, region string, at int) (from int, nots []*pattern, ok bool) {
	type span struct{ start, end int }
	var taken []span // sorted
	for i, p := range list {
		if p.kind == kindNot {
			nots = append(nots, p)
			continue
		}
		for pos, k := from, 0; ; {
			m := c.match(p, region[pos:])
			if m.start < 0 {
				c.missing(p, 1, at+pos, m)
				return 0, nil, false
			}
			s := span{pos + m.start, pos + m.end}
			for k < len(taken) && s.start >= taken[k].end {
				k++
			}
			if k == len(taken) || s.end <= taken[k].start {
				taken = slices.Insert(taken, k, s)
				break
			}
			pos = taken[k].end
			k++
		}
		if i+1 < len(list) && list[i+1].kind != kindNot {
			continue
		}
		if !c.absent(nots, region[from:max(from, taken[0].start)], at+from) {
			return 0, nil, false
		}
		from, nots = taken[len(taken)-1].end, nil
		taken = taken[:0]
	}
	return from, nots, true
}

// missing reports that a pattern's i-th match was not found from offset at on.
func (c *checker) missing(p *pattern, i, at int, m match) {
	for _, problem := range m.problems {
		c.say(p.file, problem.off, 0, "error: "+problem.text)
	}
	if len(m.problems) > 0 {
		return
	}
	count := ""
	if p.count > 1 {
		count = fmt.Sprintf(" (%d out of %d)", i, p.count)
	}
	c.say(p.file, p.off, 0, "error: "+p.name()+": expected string not found in input"+count)
	c.say(c.input, at, 0, "note: scanning from here")
	c.values(p, at)
}

// values lists what was substituted in a pattern.
func (c *checker) values(p *pattern, at int) {
	for _, x := range p.pieces {
		if x.name != "" {
			c.say(c.input, at, 0, fmt.Sprintf("note: with %q equal to %q", x.name, c.vars.strings[x.name]))
		} else if x.number != nil {
			if v, err := x.number.text(); err == nil {
				c.say(c.input, at, 0, fmt.Sprintf("note: with %q equal to %q", x.source, v))
			}
		}
	}
}
