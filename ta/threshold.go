package ta

import (
	"errors"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
)

// Threshold is a condition that can only go from false to true along a run: LHS >= Bound, where no rule decreases LHS.
// Every atom of a guard is a threshold or the negation of one: `x >= t + 1 - f` is a lower guard, and `x < 1` is the
// upper guard that negates the threshold `x >= 1`.
//
// Terms have no common divisor, so equal thresholds have equal parts.
type Threshold struct {
	LHS   Linear // shared variables (in a specification, counters too); no constant
	Bound Linear // parameters and a constant

	key string // see Key; "" if it is not known
}

// Literal is a threshold (a lower guard) or its negation (an upper guard).
type Literal struct {
	Threshold Threshold
	Negated   bool
}

// Rigid reports whether t compares parameters only, so that it never changes along a run.
func (t Threshold) Rigid() bool { return t.LHS.IsConst() }

// Atom returns t as a comparison.
func (t Threshold) Atom() Atom { return Atom{Linear: t.LHS.Sub(t.Bound), Rel: GE} }

// Cond returns the literal as a condition.
func (l Literal) Cond() *Cond {
	c := AtomCond(l.Threshold.Atom())
	if l.Negated {
		return c.Negate()
	}
	return c
}

// key appends a text that only equal conditions share, places aside.
func key(b []byte, c *Cond) []byte {
	return c.AppendKey(b, func(b []byte, a Atom) []byte {
		return append(append(b, byte(a.Rel)), Threshold{LHS: a.Linear}.Key()...)
	})
}

// risingThreshold returns the threshold state >= bound of an expression state - bound, where state holds the counters
// and shared variables: the normal form of `e >= 0` when no rule decreases e.
//
// Dividing by the common divisor g of all coefficients rounds the constant up:
// g*s >= g*b + c holds for integers iff s >= b + ceil(c/g).
func risingThreshold(e Linear) Threshold {
	e = e.Tight() // rounds the number down, which is the bound's with the other sign
	lhs := Part(e, Counter, Shared)
	t := Threshold{LHS: lhs, Bound: lhs.Sub(e)}
	t.key = t.Key()
	return t
}

// errMixedSigns says that an expression is not monotone: its shared variables have coefficients of both signs.
var errMixedSigns = errors.New("shared variables with both signs: the comparison can become true and false again")

// GuardLiteral returns the literal of the atom e >= 0 over shared variables and parameters, or ErrMixedSigns.
func GuardLiteral(e Linear) (Literal, error) {
	pos, neg := 0, 0
	for _, t := range Part(e, Shared).Terms() {
		if t.Coef.Sign() > 0 {
			pos++
		} else {
			neg++
		}
	}
	switch {
	case pos > 0 && neg > 0:
		return Literal{}, errMixedSigns
	case neg > 0:
		// e >= 0 iff not -e >= 1.
		return Literal{risingThreshold(e.Neg().Sub(Int(1))), true}, nil
	}
	return Literal{risingThreshold(e), false}, nil
}

// Direction says how an expression may change along a run.
type Direction uint8

// The directions; an expression that no rule changes is both Rising and Falling.
const (
	Neither Direction = 0
	Rising  Direction = 1
	Falling Direction = 2
	Fixed             = Rising | Falling
)

// DirectionUnder returns how e may change when the given rules fire. The cost
// is linear in the number of rules times the size of e.
func DirectionUnder(rules []*Rule, e Linear) Direction {
	d := Fixed
	for _, r := range rules {
		up, down := r.Effect(e).Sign() > 0, r.Effect(e).Sign() < 0
		for _, s := range r.Resets { // to zero, or to what may be more or less than before
			k := e.Coef(Symbol{Shared, s.Shared}).Sign()
			up = up || k < 0 || k > 0 && s.Value.Sign() > 0
			down = down || k > 0 || k < 0 && s.Value.Sign() > 0
		}
		if up {
			d &^= Falling
		}
		if down {
			d &^= Rising
		}
	}
	return d
}

// Effect returns by how much firing r once changes e, variables that it resets aside.
func (r *Rule) Effect(e Linear) (d linear.Int) {
	if r.From != r.To {
		d = e.Coef(Symbol{Counter, r.To}).Sub(e.Coef(Symbol{Counter, r.From}))
	}
	for _, t := range r.Update.Terms() {
		d = d.Add(t.Coef.Mul(e.Coef(t.Var)))
	}
	return d
}

// MonotoneLiteral returns the literal of the atom e >= 0 if no two of the
// given rules change e in opposite directions; ok is false otherwise.
func MonotoneLiteral(rules []*Rule, e Linear) (lit Literal, ok bool) {
	switch d := DirectionUnder(rules, e); {
	case d&Rising != 0:
		return Literal{risingThreshold(e), false}, true
	case d&Falling != 0:
		return Literal{risingThreshold(e.Neg().Sub(Int(1))), true}, true
	}
	return Literal{}, false
}

// maxCases bounds the disjunctive normal form of a guard.
const maxCases = 1000

// Cases returns the guard of r in disjunctive normal form: the rule may fire when all literals of one case hold. It
// fails if there are more than a thousand cases.
func (r *Rule) Cases() ([][]Literal, error) {
	if r.cases != nil {
		return r.cases, nil
	}
	cases, ok := dnf(r.Guard)
	if !ok {
		return nil, errors.New("the guard has more than a thousand cases in disjunctive normal form")
	}
	return cases, nil
}

func dnf(c *Cond) ([][]Literal, bool) { return boolean.Cases(c, maxCases, Atom.Cases) }

// Cases splits == into two literals and != into two cases. The atom has
// passed the monotonicity check, so literal errors cannot happen here.
func (a Atom) Cases() [][]Literal {
	lit := func(e Linear) Literal {
		l, err := GuardLiteral(e)
		if err != nil {
			panic("ta: guard was not checked: " + err.Error())
		}
		return l
	}
	e := a.Linear
	switch a.Rel {
	case GE:
		return [][]Literal{{lit(e)}}
	case EQ:
		return [][]Literal{{lit(e), lit(e.Neg())}}
	}
	return [][]Literal{{lit(e.Sub(Int(1)))}, {lit(e.Neg().Sub(Int(1)))}}
}

// Key returns a string that only equal thresholds share.
func (t Threshold) Key() string {
	if t.key != "" {
		return t.key
	}
	return t.LHS.Key() + ";" + t.Bound.Key()
}

// GuardThresholds lists the thresholds that guards speak of, each once, in the
// order of the rules; those that compare parameters only are left out.
func (a *Automaton) GuardThresholds() []Threshold {
	var list []Threshold
	seen := map[string]bool{}
	for i := range a.Rules {
		for _, at := range a.Rules[i].Guard.Atoms(nil) {
			for _, all := range at.Cases() {
				for _, l := range all {
					if key := l.Threshold.Key(); !seen[key] && !l.Threshold.Rigid() {
						seen[key] = true
						list = append(list, l.Threshold)
					}
				}
			}
		}
	}
	return list
}
