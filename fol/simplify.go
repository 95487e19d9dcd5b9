package fol

import (
	"fmt"
	"slices"
	"strings"
)

// Simplify makes a formula shorter that says the same: in a conjunction what is said once is true in all other parts,
// in a disjunction false, and so are parts of parts.
func (t *Term) Simplify() *Term { return t.simplify(map[string]bool{}) }

// simplify takes formulas for what they are known to be.
func (t *Term) simplify(known map[string]bool) *Term {
	if !t.IsFormula() {
		return t.simpler(known)
	}
	key := t.String()
	if is, given := known[key]; given {
		return truth(is)
	}
	switch t.Op {
	case Not:
		return Neg(t.Args[0].simplify(known))
	case And, Or:
		return t.junction(known)
	case Implies:
		return Any(Neg(t.Args[0]), t.Args[1]).simplify(known)
	case Equal:
		a, b := t.Args[0].simpler(known), t.Args[1].simpler(known)
		out := Eq(a, b)
		if a.String() == b.String() {
			return True
		}
		for _, e := range []*Term{out, Eq(b, a)} {
			if is, given := known[e.String()]; given {
				return truth(is)
			}
		}
		return out
	case Forall, Exists:
		body := t.Args[0].simplify(known)
		free := body.Free()
		vars := slices.DeleteFunc(slices.Clone(t.Vars), func(v *Var) bool { return !slices.Contains(free, v) })
		return Quantify(t.Op, vars, body)
	case Iff:
		a, b := t.Args[0].simplify(known), t.Args[1].simplify(known)
		switch {
		case a.IsTrue():
			return b
		case b.IsTrue():
			return a
		case a.IsFalse():
			return Neg(b)
		case b.IsFalse():
			return Neg(a)
		}
		out := *t
		out.Args = []*Term{a, b}
		return &out
	}
	return t.simpler(known)
}

// simpler simplifies the parts of a term; of a choice that is known it takes the one.
func (t *Term) simpler(known map[string]bool) *Term {
	if t.Op == If {
		switch c := t.Args[0].simplify(known); {
		case c.IsTrue():
			return t.Args[1].simplify(known)
		case c.IsFalse():
			return t.Args[2].simplify(known)
		default:
			yes := t.Args[1].simplify(with(known, c, true))
			no := t.Args[2].simplify(with(known, c, false))
			if yes.String() == no.String() {
				return yes
			}
			out := *t
			out.Args = []*Term{c, yes, no}
			return &out
		}
	}
	out, same := *t, true
	out.Args = nil
	for _, a := range t.Args {
		b := a.simplify(known)
		out.Args, same = append(out.Args, b), same && a == b
	}
	if same {
		return t
	}
	return &out
}

// junction simplifies each part as if all others were true; of a disjunction, false.
func (t *Term) junction(known map[string]bool) *Term {
	is := t.Op == And
	list := slices.Clone(t.Args)
	// What is short is simplified first, and known in what is longer.
	slices.SortStableFunc(list, func(a, b *Term) int { return a.size() - b.size() })
	for again := true; again; {
		again = false
		for i := range list {
			inner := known
			for k, other := range list {
				if k != i && (k < i || other.literal()) {
					inner = with(inner, other, is)
				}
			}
			before := list[i].String()
			list[i] = list[i].simplify(inner)
			if list[i].String() != before {
				again = true
			}
		}
		joined := join(t.Op, list)
		if joined.Op != t.Op {
			return joined.simplify(known)
		}
		list = slices.Clone(joined.Args)
	}
	return join(t.Op, list)
}

func (t *Term) literal() bool {
	return t.Op == Apply || t.Op == Equal || t.Op == Not && t.Args[0].literal()
}

// size is how many parts a term has.
func (t *Term) size() int {
	n := 1
	for _, a := range t.Args {
		n += a.size()
	}
	return n
}

// with adds to what is known that a formula is true, or false, and what follows for its parts.
func with(known map[string]bool, t *Term, is bool) map[string]bool {
	out := make(map[string]bool, len(known)+1)
	for k, v := range known {
		out[k] = v
	}
	var note func(t *Term, is bool)
	note = func(t *Term, is bool) {
		switch {
		case t.Op == Not:
			note(t.Args[0], !is)
			return
		case t.Op == And && is, t.Op == Or && !is:
			for _, a := range t.Args {
				note(a, is)
			}
		}
		out[t.String()] = is
	}
	note(t, is)
	return out
}

func truth(is bool) *Term {
	if is {
		return True
	}
	return False
}

// Key is a text that formulas share which differ by the names of what they bind.
func (t *Term) Key() string {
	var b strings.Builder
	bound := map[*Var]int{}
	var write func(t *Term)
	write = func(t *Term) {
		b.WriteByte(byte('a' + t.Op))
		switch t.Op {
		case Use:
			if k, is := bound[t.Vars[0]]; is {
				fmt.Fprint(&b, k)
			} else {
				b.WriteString(t.Vars[0].Name)
			}
		case Apply:
			fmt.Fprint(&b, t.Symbol.Name, t.New)
		case Forall, Exists:
			for _, v := range t.Vars {
				bound[v] = len(bound)
				b.WriteString(v.Sort.Name)
			}
		}
		b.WriteByte('(')
		for _, a := range t.Args {
			write(a)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	}
	write(t)
	return b.String()
}
