package lit

import (
	"fmt"
	"slices"
	"strings"
)

// eval computes a Boolean expression over feature names.
func eval(text string, features []string) (bool, error) {
	e := &evaluator{text: text, features: features}
	v := e.or()
	if e.blanks(); e.err == nil && e.text != "" {
		e.fail()
	}
	if e.err != nil {
		return false, fmt.Errorf("%w in %q", e.err, text)
	}
	return v, nil
}

type evaluator struct {
	text     string
	features []string
	depth    int
	err      error
}

func (e *evaluator) fail() bool {
	if e.err == nil {
		e.err = fmt.Errorf("expected a feature, !, &&, || or parentheses before %q", e.text)
	}
	return false
}

func (e *evaluator) blanks() { e.text = strings.TrimLeft(e.text, " \t") }

func (e *evaluator) eat(op string) bool {
	e.blanks()
	rest, ok := strings.CutPrefix(e.text, op)
	e.text = rest
	return ok
}

func (e *evaluator) or() bool {
	v := e.and()
	for e.err == nil && e.eat("||") {
		w := e.and()
		v = v || w
	}
	return v
}

func (e *evaluator) and() bool {
	v := e.not()
	for e.err == nil && e.eat("&&") {
		w := e.not()
		v = v && w
	}
	return v
}

func (e *evaluator) not() bool {
	if e.depth++; e.depth > 100 {
		return e.fail()
	}
	defer func() { e.depth-- }()
	switch {
	case e.eat("!"):
		return !e.not()
	case e.eat("("):
		v := e.or()
		if !e.eat(")") {
			return e.fail()
		}
		return v
	}
	rest := strings.TrimLeft(e.text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+=._")
	name := e.text[:len(e.text)-len(rest)]
	if name == "" {
		return e.fail()
	}
	e.text = rest
	return name == "true" || name != "false" && slices.Contains(e.features, name)
}
