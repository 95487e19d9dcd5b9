package automata

import (
	"sort"
	"strings"
)

// A formula in which negations stand at propositions only. Kind is "p" (a proposition, which has no
// temporal operators), "and", "or", "F" or "G".
type formula struct {
	kind        string
	proposition *Node
	left, right *formula
	id          int
}

// A tableau numbers the formulas that a negated specification can come to ask for.
type tableau struct {
	byText   map[string]*formula
	formulas []*formula
}

func newTableau() *tableau { return &tableau{byText: map[string]*formula{}} }

func (t *tableau) intern(f formula, text string) *formula {
	if known, ok := t.byText[text]; ok {
		return known
	}
	f.id = len(t.formulas)
	t.byText[text] = &f
	t.formulas = append(t.formulas, &f)
	return &f
}

// push pushes negations in: the result says what n says, or the opposite if negated.
func (t *tableau) push(n *Node, negated bool) *formula {
	if !n.temporal() {
		if negated {
			n = &Node{Op: "!", Left: n}
		}
		return t.intern(formula{kind: "p", proposition: n}, n.String())
	}
	switch n.Op {
	case "!":
		return t.push(n.Left, !negated)
	case "->":
		return t.pair("or", t.push(n.Left, !negated), t.push(n.Right, negated), negated)
	case "||":
		return t.pair("or", t.push(n.Left, negated), t.push(n.Right, negated), negated)
	case "&&":
		return t.pair("and", t.push(n.Left, negated), t.push(n.Right, negated), negated)
	}
	kind := "F"
	if (n.Op == "[]") != negated {
		kind = "G"
	}
	inner := t.push(n.Left, negated)
	return t.intern(formula{kind: kind, left: inner}, kind+" "+itoa(inner.id))
}

// pair joins formulas from which a negation has been pushed in already: then "and" is "or", and back.
func (t *tableau) pair(kind string, left, right *formula, negated bool) *formula {
	if negated {
		kind = map[string]string{"and": "or", "or": "and"}[kind]
	}
	return t.intern(formula{kind: kind, left: left, right: right}, kind+" "+itoa(left.id)+" "+itoa(right.id))
}

// A demand is a set of formulas that have to be true of a run from a configuration on.
type demand map[int]bool

func (d demand) key() string {
	var ids []int
	for id := range d {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(itoa(id))
		b.WriteByte(' ')
	}
	return b.String()
}

// with is the demand and one formula more.
func (d demand) with(id int) demand {
	more := demand{id: true}
	for other := range d {
		more[other] = true
	}
	return more
}

// A choice is one way to do what is demanded at a configuration: what is demanded of the rest of the
// run, and which formulas F p were put off.
type choice struct {
	next     demand
	postpone demand
}

// choices are all ways to do what is demanded where propositions are as holds says.
func (t *tableau) choices(demanded demand, holds func(*formula) bool) []choice {
	var todo []*formula
	for id := range t.formulas {
		if demanded[id] {
			todo = append(todo, t.formulas[id])
		}
	}
	found := map[string]choice{}
	t.expand(todo, choice{}, holds, found)
	var keys []string
	for key := range found {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var all []choice
	for _, key := range keys {
		all = append(all, found[key])
	}
	return all
}

func (t *tableau) expand(todo []*formula, c choice, holds func(*formula) bool, found map[string]choice) {
	if len(todo) == 0 {
		found[c.next.key()+"/"+c.postpone.key()] = c
		return
	}
	f, rest := todo[0], todo[1:]
	also := func(more ...*formula) []*formula { return append(append([]*formula{}, rest...), more...) }
	switch f.kind {
	case "p":
		if holds(f) {
			t.expand(rest, c, holds, found)
		}
	case "and":
		t.expand(also(f.left, f.right), c, holds, found)
	case "or":
		t.expand(also(f.left), c, holds, found)
		t.expand(also(f.right), c, holds, found)
	case "F":
		t.expand(also(f.left), c, holds, found)
		t.expand(rest, choice{c.next.with(f.id), c.postpone.with(f.id)}, holds, found)
	case "G":
		t.expand(also(f.left), choice{c.next.with(f.id), c.postpone}, holds, found)
	}
}
