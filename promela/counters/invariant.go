package counters

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
)

// invariants are about one process at all times: expressions over its counters, shared variables and parameters that
// are at least 0. They are found by dropping from a list of guesses what does not follow from all of them (Flanagan and
// Leino, Houdini, FME 2001): a counter is at least 0, and at most what steps that set it compare it with.
func (t *translator) findInvariants() error {
	var guesses []amount
	guess := func(l amount) {
		if !slices.ContainsFunc(guesses, func(g amount) bool { return g.Equal(l) }) {
			guesses = append(guesses, l)
		}
	}
	for k, counting := range t.counting {
		if counting {
			guess(counter.Of(counter.Received, k))
		}
	}
	for _, s := range t.controlStates() {
		for i := range s.paths {
			p := &s.paths[i]
			for _, c := range p.when {
				for _, q := range c.Atoms(nil) {
					t.guessBound(q.lin, p, guess)
				}
			}
		}
	}
	for {
		kept, err := t.inductive(guesses)
		if err != nil {
			return err
		}
		if len(kept) == len(guesses) {
			t.invariant = kept
			return nil
		}
		guesses = kept
	}
}

// maxGuesses bounds the guesses that are checked.
const maxGuesses = 60

// guessBound guesses that what a path compares the new value of a counter with bounds it always.
func (t *translator) guessBound(l amount, p *path, guess func(amount)) {
	if !termsOf(l, counter.Sent).Rises() {
		return
	}
	compared := termsOf(l, counter.Received, counter.Drawn)
	if len(compared.Terms()) != 1 {
		return
	}
	v := compared.Vars()[0]
	if !compared.Coef(v).Is(-1) {
		return
	}
	bound := l.Add(of(v)) // v <= bound
	for k, counting := range t.counting {
		if final := p.locals[k]; counting && final.Coef(v).Is(1) && len(final.Terms()) == 1 {
			guess(bound.AddScaled(final.Const(), number(1)).Sub(counter.Of(counter.Received, k)))
		}
	}
}

// inductive returns the guesses that are so at the start, and after every step before which all of them are.
func (t *translator) inductive(guesses []amount) ([]amount, error) {
	if len(guesses) > maxGuesses {
		guesses = guesses[:maxGuesses]
	}
	dropped := make([]bool, len(guesses))
	starts, err := starts(t.Model, &t.known)
	if err != nil {
		return nil, err
	}
	for i, g := range guesses {
		for _, s := range starts {
			begins := after(g, s.locals, s.adds) // others only add
			for k, v := range t.Model.Shared {
				begins = begins.With(counter.Sent.Numbered(k), number(v.Init))
			}
			dropped[i] = dropped[i] || !t.known.Implies(begins)
		}
	}
	for _, s := range t.controlStates() {
		for n := range s.paths {
			p := &s.paths[n]
			for i, g := range guesses {
				dropped[i] = dropped[i] || !t.preserves(p, guesses, g)
			}
		}
	}
	var kept []amount
	for i, g := range guesses {
		if !dropped[i] {
			kept = append(kept, g)
		}
	}
	return kept, nil
}

// preserves reports whether a path leads from what satisfies all guesses to what satisfies one of them.
func (t *translator) preserves(p *path, guesses []amount, g amount) bool {
	goal := after(g, p.locals, p.adds)
	follows := func(from amount) bool { // what is left over is at least 0
		rest := goal.Sub(from)
		return rest.Const().Sign() >= 0 && rest.Rises() && len(termsOf(rest, counter.Received).Terms()) == 0
	}
	if follows(number(0)) || slices.ContainsFunc(guesses, follows) {
		return true
	}
	list := slices.Clone(guesses)
	isAtom := func(c *condition) bool { return c.Op == boolean.OpAtom }
	for _, c := range p.when {
		if isAtom(c) {
			if follows(c.Atom.lin) {
				return true
			}
			list = append(list, c.Atom.lin)
		}
	}
	rest := boolean.And(slices.DeleteFunc(slices.Clone(p.when), isAtom)...)
	return t.follows(list, rest, goal)
}

// eliminate returns what the constraints (each at least 0) say about the other variables: whether there are values of
// those that gone accepts, natural numbers unless a counter may be negative, that satisfy them (counter.Eliminate).
func (t *translator) eliminate(list []amount, gone func(counter.Quantity) bool) (out []amount, exact bool) {
	for _, v := range linear.VarsOf(list, gone) {
		if !t.signed(v) {
			list = append(list, of(v)) // v >= 0
		}
	}
	out, possible, exact := t.guards.Eliminate(list, gone)
	if !possible {
		out = []amount{number(-1)}
	}
	return out, exact
}
