package tacheck

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"tacheck/internal/diag"
	"tacheck/internal/explore"
	"tacheck/ltl"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

// Lint looks for what is probably not meant: parameters that can have one value
// only, thresholds that never flip, rules that never fire, locations that
// nobody reaches, specifications that hold for
// no good reason, premises that are not needed. Every finding is a fact about
// all parameters, decided like a specification; the message begins with
// "warning: ", or with "note: " if it may well be meant.
//
// Its error is a diag.List as for Verify. Options.Timeout is for each question;
// those that are not decided in time are warnings of their own.
func Lint(ctx context.Context, a *ta.Automaton, o Options) (diag.List, error) {
	o.NoSanity, o.KeepFirst, o.DumpSMT = true, true, ""
	l := &linter{ctx: ctx, a: a, o: o}
	l.found = append(l.found, a.Warnings...)
	for _, check := range []func(){l.parameters, l.coverage, l.rules, l.unused, l.specs} {
		if check(); l.err != nil {
			return nil, l.err
		}
	}
	_ = l.found.Err() // sorts
	return l.found, ctx.Err()
}

type linter struct {
	ctx     context.Context
	a       *ta.Automaton
	o       Options
	seen    *explore.Coverage
	atoms   []*ta.Cond // of guards
	reached []bool     // locations
	found   diag.List
	err     error
}

func (l *linter) add(pos diag.Pos, width int, format string, args ...any) {
	l.found.Add(pos, width, format, args...)
}

// never decides whether no run satisfies the formula. A question that is not
// decided is reported at pos.
func (l *linter) never(pos diag.Pos, width int, format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	r := l.ask(text)
	if r == nil {
		return false
	}
	if r.Verdict == Unknown {
		l.add(pos, width, "warning: not decided: can `%s` happen? (%s)", text, r.Reason)
	}
	return r.Verdict == Holds
}

func (l *linter) ask(text string) *Result {
	if l.err != nil {
		return nil
	}
	e, err := syntax.ParseExpr("question", text)
	if err != nil {
		l.err = fmt.Errorf("internal error, please report: %w", err)
		return nil
	}
	r, err := possible(l.ctx, l.a, "question", e, l.o)
	l.err = err
	return r
}

// parameters looks for parameters that have one value only.
func (l *linter) parameters() {
	if len(l.a.Parameters) == 0 {
		return
	}
	first := l.a.Parameters[0].Name
	r := l.ask(first + " >= 0") // any initial configuration
	if r == nil || r.Witness == nil {
		return
	}
	for i, p := range l.a.Parameters {
		value := r.Witness.Run.Start.Params[i]
		if l.never(p.Pos, len(p.Name), "%s != %s", p.Name, value) {
			l.add(p.Pos, len(p.Name), "warning: the assumptions and initial conditions allow %s = %s only", p.Name, value)
		}
	}
}

// coverage explores small instances, so that the solver need not be asked for
// what obviously happens.
func (l *linter) coverage() {
	for i := range l.a.Rules {
		for _, atom := range l.a.Rules[i].Guard.Atoms(nil) {
			l.atoms = append(l.atoms, ta.AtomCond(atom))
		}
	}
	l.seen = explore.NewCoverage(l.a, l.atoms)
	const instances, configs = 12, 20_000
	left := instances
	for sum := int64(0); sum <= 16 && left > 0; sum++ {
		eachSum(len(l.a.Parameters), sum, func(params []*big.Int) {
			if left > 0 && l.err == nil && Admissible(l.a, params) {
				left--
				_, l.err = l.seen.Add(l.ctx, l.a, params, configs)
			}
		})
	}
}

// eachSum calls f with all lists of n natural numbers of the given sum.
func eachSum(n int, sum int64, f func([]*big.Int)) {
	list := make([]*big.Int, n)
	var assign func(i int, left int64)
	assign = func(i int, left int64) {
		if i == n-1 {
			list[i] = big.NewInt(left)
			f(append([]*big.Int(nil), list...))
			return
		}
		for v := left; v >= 0; v-- {
			list[i] = big.NewInt(v)
			assign(i+1, left-v)
		}
	}
	if n > 0 {
		assign(0, sum)
	}
}

// rules looks for locations that nobody reaches, for rules that never fire and
// for parts of guards that never change.
func (l *linter) rules() {
	a := l.a
	l.reached = make([]bool, len(a.Locations))
	for i, loc := range a.Locations {
		l.reached[i] = l.seen.Locations[i] || !l.never(loc.Pos, len(loc.Name), "<>(%s >= 1)", loc.Name)
		if !l.reached[i] {
			l.add(loc.Pos, len(loc.Name), "warning: no process ever reaches %s", loc.Name)
		}
	}
	atom := 0
	for i := range a.Rules {
		r := &a.Rules[i]
		atoms := r.Guard.Atoms(nil)
		fires := l.seen.Rules[i] || l.reached[r.From] &&
			!l.never(r.Pos, len(r.ID), "<>(%s >= 1 && (%s))", a.Locations[r.From].Name, a.FormatCond(r.Guard))
		if !fires && l.reached[r.From] {
			l.add(r.Pos, len(r.ID), "warning: rule %s never fires", a.RuleName(r))
		}
		for _, at := range atoms {
			if fires {
				l.guard(at, atom)
			}
			atom++
		}
	}
}

// guard looks at one comparison in the guard of a rule that does fire.
func (l *linter) guard(at ta.Atom, index int) {
	text := l.a.FormatAtom(at)
	switch {
	case !l.seen.True[index] && l.never(at.Pos, at.Width, "<>(%s)", text):
		l.add(at.Pos, at.Width, "warning: %s is never true", text)
	case !l.seen.False[index] && l.never(at.Pos, at.Width, "<>(%s)", l.a.FormatAtom(at.Negate())):
		l.add(at.Pos, at.Width, "warning: %s is always true", text)
	}
}

// unused looks for shared variables that nothing changes or nothing reads.
func (l *linter) unused() {
	a := l.a
	changed, read := make([]bool, len(a.Shared)), make([]bool, len(a.Shared))
	visit := func(list []bool, e ta.Linear) {
		for _, t := range e.Terms() {
			if t.Symbol.Kind == ta.Shared {
				list[t.Symbol.Index] = true
			}
		}
	}
	for i := range a.Rules {
		visit(changed, a.Rules[i].Update)
		for _, at := range a.Rules[i].Guard.Atoms(nil) {
			visit(read, at.Linear)
		}
	}
	for i := range a.Specs {
		if f, err := ltl.Parse(a, &a.Specs[i]); err == nil {
			for _, at := range ltl.Atoms(f) {
				visit(read, at.Linear)
			}
		}
	}
	for i, x := range a.Shared {
		switch {
		case !changed[i] && read[i]:
			l.add(x.Pos, len(x.Name), "warning: no rule increments %s", x.Name)
		case !read[i]:
			l.add(x.Pos, len(x.Name), "warning: nothing reads %s", x.Name)
		}
	}
}

// specs looks at each specification.
func (l *linter) specs() {
	for i := range l.a.Specs {
		spec := &l.a.Specs[i]
		found := ltl.Warnings(spec)
		mentioned(l.a, spec.Formula, map[int]bool{}, func(location int, at *syntax.Expr) {
			if !l.reached[location] {
				found.Add(at.Pos, at.Width, "warning: %s speaks of %s, which no process ever reaches", spec.Name, at.Name)
			}
		})
		empty, err := vacuous(l.ctx, l.a, spec, l.o)
		found = append(found, empty...)
		if err == nil && len(empty) == 0 {
			var extra diag.List
			extra, err = unneeded(l.ctx, l.a, spec, l.o)
			found = append(found, extra...)
		}
		var outside diag.List
		if err != nil && !errors.As(err, &outside) {
			l.err = err
			return
		}
		l.found = append(append(l.found, found...), outside...)
	}
}
