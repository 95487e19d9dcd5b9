// Package boolean has Boolean combinations of atoms: comparisons in automata, in Promela, in TLA+.
//
// A Formula is in negation normal form: atoms, and conjunctions and disjunctions of formulas. It is generic over what
// its atoms are: anything that has a complement which is an atom again (Atom). It is immutable, a tree, and flat: what
// is joined by And has no conjunction among its parts, no constant, and at least two parts, and the same with Or.
// Nothing else is simplified: who writes a condition finds its parts again, in their order.
//
// What is decided (a comparison of two numbers) is True or False from the start, if who makes the atom wants that: the
// complement of what is undecided is undecided.
//
// Other things are no formulas in this sense:
//   - Circuits (protocol/encode, synth) are graphs. Nodes are shared, found again by what they say, and negations are
//     edges or nodes: as trees, they can be exponentially larger.
//   - What solvers are asked (smt.Formula) is such a graph too: a solver recognizes a part that it has seen by its
//     address, and boolean variables and equivalences are in it, which no linear condition has.
//   - Nodes of protocol/everysize have quantifiers, whose bodies are made when they are asked for.
//   - protocol/threshold has no formulas, but lists of cases from the start: what contradicts itself or says less than
//     another condition is left out as soon as two are joined (linear.Tidy), which keeps them few.
package boolean

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
)

// Op says what a formula is.
type Op uint8

// The operators.
const (
	OpAnd  Op = iota // all of Args; true if there are none
	OpOr             // one of Args; false if there are none
	OpAtom           // Atom
)

// String returns the operator of a conjunction or a disjunction.
func (o Op) String() string {
	if o == OpAnd {
		return "&&"
	}
	return "||"
}

// dual returns the operator of what is negated.
func (o Op) dual() Op {
	if o == OpAnd {
		return OpOr
	}
	return OpAnd
}

// Atom is what atoms can do.
type Atom[A any] interface {
	Negate() A // what is true where this is not
}

// Formula is a formula.
type Formula[A Atom[A]] struct {
	Op   Op
	Args []*Formula[A]
	Atom A
	Pos  diag.Pos // where it stands in a text, if it does
}

// True returns what is always so.
func True[A Atom[A]]() *Formula[A] { return &Formula[A]{Op: OpAnd} }

// False returns what is never so.
func False[A Atom[A]]() *Formula[A] { return &Formula[A]{Op: OpOr} }

// Of returns the formula that is an atom.
func Of[A Atom[A]](a A) *Formula[A] { return &Formula[A]{Op: OpAtom, Atom: a} }

// And returns the conjunction, flattened.
func And[A Atom[A]](list ...*Formula[A]) *Formula[A] { return Join(OpAnd, list) }

// Or returns the disjunction, flattened.
func Or[A Atom[A]](list ...*Formula[A]) *Formula[A] { return Join(OpOr, list) }

// Join returns the conjunction or the disjunction, flattened.
func Join[A Atom[A]](op Op, list []*Formula[A]) *Formula[A] {
	args := make([]*Formula[A], 0, len(list))
	for _, c := range list {
		switch {
		case c.Op == op:
			args = append(args, c.Args...)
		case c.Op != OpAtom && len(c.Args) == 0: // the other constant absorbs
			return c
		default:
			args = append(args, c)
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return &Formula[A]{Op: op, Args: args}
}

// At returns c as what stands at a place: conditions without parts stand nowhere, and parts where they stood.
func (c *Formula[A]) At(pos diag.Pos) *Formula[A] {
	out := *c
	out.Pos = pos
	return &out
}

// IsTrue reports whether c is the constant true.
func (c *Formula[A]) IsTrue() bool { return c.Op == OpAnd && len(c.Args) == 0 }

// IsFalse reports whether c is the constant false.
func (c *Formula[A]) IsFalse() bool { return c.Op == OpOr && len(c.Args) == 0 }

// Negate returns the complement of c, where c stands.
func (c *Formula[A]) Negate() *Formula[A] {
	if c.Op == OpAtom {
		return &Formula[A]{Op: OpAtom, Atom: c.Atom.Negate(), Pos: c.Pos}
	}
	args := lists.Map(c.Args, (*Formula[A]).Negate)
	return Join(c.Op.dual(), args).At(c.Pos)
}

// Conjuncts returns the parts of a conjunction, or the one of anything else.
func (c *Formula[A]) Conjuncts() []*Formula[A] {
	if c.Op == OpAnd {
		return c.Args
	}
	return []*Formula[A]{c}
}

// Has reports whether a part of c, or c, is a conjunction or a disjunction with parts, or an atom, as asked.
func (c *Formula[A]) Has(op Op) bool {
	return c.Op == op || slices.ContainsFunc(c.Args, func(a *Formula[A]) bool { return a.Has(op) })
}

// Holds decides c, given which atoms are true.
func (c *Formula[A]) Holds(atom func(A) bool) bool {
	if c.Op == OpAtom {
		return atom(c.Atom)
	}
	for _, a := range c.Args {
		if a.Holds(atom) != (c.Op == OpAnd) {
			return c.Op == OpOr
		}
	}
	return c.Op == OpAnd
}

// Atoms appends the atoms of c to list, left to right.
func (c *Formula[A]) Atoms(list []A) []A {
	if c.Op == OpAtom {
		return append(list, c.Atom)
	}
	for _, a := range c.Args {
		list = a.Atoms(list)
	}
	return list
}

// Fold returns what is made of c from its atoms upwards.
func Fold[A Atom[A], R any](c *Formula[A], atom func(A) R, join func(Op, []R) R) R {
	if c.Op == OpAtom {
		return atom(c.Atom)
	}
	parts := lists.Map(c.Args, func(a *Formula[A]) R { return Fold(a, atom, join) })
	return join(c.Op, parts)
}

// Map returns c with a formula in the place of each atom.
func Map[A Atom[A], B Atom[B]](c *Formula[A], atom func(A) *Formula[B]) *Formula[B] {
	return Fold(c, atom, Join[B])
}

// Cases returns the disjunctive normal form, given that of each atom: one of the lists is true, and a list is if all in
// it are. It reports whether there are at most so many lists.
func Cases[A Atom[A], L any](c *Formula[A], most int, atom func(A) [][]L) ([][]L, bool) {
	if c.Op == OpAtom {
		return atom(c.Atom), true
	}
	var out [][]L
	if c.Op == OpAnd {
		out = [][]L{nil}
	}
	for _, a := range c.Args {
		list, ok := Cases(a, most, atom)
		if c.Op == OpOr {
			if out = append(out, list...); !ok || len(out) > most {
				return nil, false
			}
			continue
		}
		if !ok || len(out)*len(list) > most {
			return nil, false
		}
		var product [][]L
		for _, x := range out {
			for _, y := range list {
				product = append(product, append(x[:len(x):len(x)], y...))
			}
		}
		out = product
	}
	return out, true
}

// AppendKey appends a text that only equal formulas share, places aside, if atom does so for atoms.
func (c *Formula[A]) AppendKey(b []byte, atom func([]byte, A) []byte) []byte {
	if c.Op == OpAtom {
		return append(atom(b, c.Atom), ';')
	}
	b = append(append(b, c.Op.String()...), '(')
	for _, a := range c.Args {
		b = a.AppendKey(b, atom)
	}
	return append(b, ')')
}

// Text writes c.
func (c *Formula[A]) Text(atom func(A) string) string {
	switch {
	case c.IsTrue():
		return "true"
	case c.IsFalse():
		return "false"
	case c.Op == OpAtom:
		return atom(c.Atom)
	}
	list := lists.Map(c.Args, func(a *Formula[A]) string { return a.Inside(atom) })
	return strings.Join(list, " "+c.Op.String()+" ")
}

// Inside writes c as a part of something: in parentheses, unless it is an atom or a constant.
func (c *Formula[A]) Inside(atom func(A) string) string {
	if len(c.Args) == 0 {
		return c.Text(atom)
	}
	return "(" + c.Text(atom) + ")"
}
