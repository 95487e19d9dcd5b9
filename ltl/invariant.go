package ltl

import (
	"sort"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ta"
)

// Clause is a disjunction that must hold in every configuration of a part of a run: monotone literals, or some process
// in one of Some, or no process in None.
//
// This is Table 1's gform || cform, read a little more widely: a literal may be about counters, as long as the rules at
// hand change its sides in one direction only. "No process has left yet" is monotone like a threshold.
type Clause struct {
	Literals []ta.Literal
	Some     []int // locations, sorted; the sum of their counters is not 0
	None     int   // a location whose counter is 0, or NoLocation
	pos      diag.Pos
}

// NoLocation says that a clause has no None part.
const NoLocation = -1

// maxClauses bounds the conjunctive normal form of an invariant.
const maxClauses = 20000

// Clauses returns clauses whose conjunction is equivalent to c in every run in which only the given rules fire. Its
// error is a diag.List that points at what the fragment does not have: an atom that is neither monotone nor about
// locations being empty, or two locations being empty as alternatives.
func Clauses(c *ta.Cond, rules []*ta.Rule) ([]Clause, error) {
	b := clauseBuilder{rules: rules}
	list := b.cnf(c)
	for i := range list {
		b.settle(&list[i])
	}
	if err := b.errs.Err(); err != nil {
		return nil, err
	}
	return list, nil
}

type clauseBuilder struct {
	rules []*ta.Rule
	errs  diag.List
}

// settle makes a literal of a clause's Some part if it is monotone as a whole:
// "not everybody has decided yet" is, though none of its locations need be.
func (b *clauseBuilder) settle(c *Clause) {
	if len(c.Some) == 0 {
		return
	}
	sum := ta.Int(-1)
	for _, l := range c.Some {
		sum = sum.Add(ta.Var(ta.Symbol{Kind: ta.Counter, Index: l}))
	}
	if lit, ok := ta.MonotoneLiteral(b.rules, sum); ok {
		c.Literals, c.Some = append(c.Literals[:len(c.Literals):len(c.Literals)], lit), nil
	} else if c.None != NoLocation {
		b.errs.Add(c.pos, 1,
			"outside the fragment: `one location is empty or another is not` cannot be required throughout")
	}
}

// cnf returns the clauses of c; none means true.
func (b *clauseBuilder) cnf(c *ta.Cond) []Clause {
	switch {
	case c.Op == boolean.OpAtom:
		return b.atom(c.Atom)
	case c.Op == boolean.OpAnd:
		var out []Clause
		for _, a := range c.Args {
			if out = append(out, b.cnf(a)...); len(out) > maxClauses {
				return b.tooMany(c.Pos)
			}
		}
		return out
	}
	out := []Clause{{None: NoLocation}}
	for _, a := range c.Args {
		var product []Clause
		right := b.cnf(a)
		if len(out)*len(right) > maxClauses {
			return b.tooMany(c.Pos)
		}
		for _, l := range out {
			for _, r := range right {
				product = append(product, b.join(l, r, c.Pos))
			}
		}
		out = product
	}
	return out
}

func (b *clauseBuilder) tooMany(pos diag.Pos) []Clause {
	if len(b.errs) == 0 {
		b.errs.Add(pos, 1, "what must hold throughout has more than %d clauses in conjunctive normal form", maxClauses)
	}
	return nil
}

// join returns l || r.
func (b *clauseBuilder) join(l, r Clause, pos diag.Pos) Clause {
	out := Clause{Literals: append(l.Literals[:len(l.Literals):len(l.Literals)], r.Literals...),
		Some: union(l.Some, r.Some), None: l.None}
	if out.None == NoLocation {
		out.None = r.None
	} else if r.None != NoLocation && r.None != out.None {
		b.errs.Add(pos, 1, "outside the fragment: `one location is empty or another is` cannot be required throughout")
	}
	out.pos = pos
	return out
}

// atom returns the clauses of one comparison.
func (b *clauseBuilder) atom(a ta.Atom) []Clause {
	e := a.Linear
	if a.Rel == ta.GE {
		return b.atLeast(e, a)
	}
	// e == 0 is e >= 0 && -e >= 0; the complement is e >= 1 || -e >= 1. Where e
	// cannot be negative, one half says it all.
	if sign := fixedSign(e); sign != 0 {
		if sign < 0 {
			e = e.Neg()
		}
		if a.Rel == ta.EQ {
			return b.atLeast(e.Neg(), a)
		}
		return b.atLeast(e.Sub(ta.Int(1)), a)
	}
	if a.Rel == ta.EQ {
		return append(b.atLeast(e, a), b.atLeast(e.Neg(), a)...)
	}
	up, down := b.atLeast(e.Sub(ta.Int(1)), a), b.atLeast(e.Neg().Sub(ta.Int(1)), a)
	var out []Clause
	for _, l := range up {
		for _, r := range down {
			out = append(out, b.join(l, r, a.Pos))
		}
	}
	return out
}

// fixedSign returns 1 if e is never negative because all its parts are
// natural numbers, -1 if it is never positive, 0 if neither is plain.
func fixedSign(e ta.Linear) int {
	sign := e.Const().Sign()
	for _, t := range e.Terms() {
		switch s := t.Coef.Sign(); {
		case sign == 0:
			sign = s
		case s != sign:
			return 0
		}
	}
	return sign
}

// atLeast returns the clauses of e >= 0.
func (b *clauseBuilder) atLeast(e ta.Linear, a ta.Atom) []Clause {
	if e.IsConst() {
		if e.Const().Sign() >= 0 {
			return nil
		}
		return []Clause{{None: NoLocation}}
	}
	if set := occupied(e); set != nil {
		return []Clause{{Some: set, None: NoLocation}}
	}
	if lit, ok := ta.MonotoneLiteral(b.rules, e); ok {
		return []Clause{{Literals: []ta.Literal{lit}, None: NoLocation}}
	}
	if set := occupied(e.Neg().Sub(ta.Int(1))); set != nil { // e >= 0 iff not -e-1 >= 0
		var out []Clause
		for _, loc := range set {
			one := ta.Var(ta.Symbol{Kind: ta.Counter, Index: loc}).Neg()
			if lit, ok := ta.MonotoneLiteral(b.rules, one); ok {
				out = append(out, Clause{Literals: []ta.Literal{lit}, None: NoLocation})
			} else {
				out = append(out, Clause{None: loc})
			}
		}
		return out
	}
	b.errs.Add(a.Pos, a.Width,
		"outside the fragment: this can become true and false again, and is required throughout; only conditions "+
			"like `loc == 0`, `loc1 + loc2 != 0` and thresholds can be")
	return []Clause{{None: NoLocation}}
}

// occupied returns the locations X if e >= 0 says that some process is in X: e is a sum of counters with positive
// coefficients, minus a constant of at least 1 and at most the smallest coefficient. Otherwise it returns nil.
func occupied(e ta.Linear) []int {
	need := e.Const().Neg()
	if need.Sign() <= 0 || e.IsConst() {
		return nil
	}
	var set []int
	for _, t := range e.Terms() {
		if t.Var.Kind != ta.Counter || t.Coef.Cmp(need) < 0 {
			return nil
		}
		set = append(set, t.Var.Index)
	}
	return set
}

func union(a, b []int) []int {
	if len(a) == 0 {
		return b
	}
	out := append([]int(nil), a...)
	for _, x := range b {
		i := sort.SearchInts(out, x)
		if i == len(out) || out[i] != x {
			out = append(out, 0)
			copy(out[i+1:], out[i:])
			out[i] = x
		}
	}
	return out
}
