package review

import (
	"context"
	"errors"
	"math/big"
	"math/rand"
	"slices"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Text speaks of the text that an automaton was made of.
type Text struct {
	// Never says what it means that some locations are never reached and some rules never fire; nothing is said then of
	// the parts of guards, of shared variables, and of locations in specifications, which no text has.
	Never func(seen *automata.Coverage) diag.List
	// NeverFires says that a rule, from 0, never fires.
	NeverFires func(rule int) string
}

// Lint looks for what is probably not meant: parameters that can have one value only, thresholds that never flip, rules
// that never fire, locations that are never reached, specifications that hold vacuously, premises that are not
// needed. Every finding is a fact about all parameters, decided like a specification: a warning, or a hint if it may
// well be meant.
//
// Its error is a diag.List as for verify.Decide, or ctx's: what was found by then is there, too. Options.Timeout is
// for each question; those that are not decided in time are warnings of their own.
// The text is what the automaton was made of; an empty one, if of nothing.
func Lint(ctx context.Context, a *ta.Automaton, o verify.Options, text Text) (diag.List, error) {
	o.KeepFirst, o.DumpSMT = true, ""
	l := newLinter(ctx, a, o)
	l.told, l.neverFires = text.Never, text.NeverFires
	if l.neverFires == nil {
		l.neverFires = func(rule int) string { return "rule " + a.RuleName(&a.Rules[rule]) + " never fires" }
	}
	l.found = append(l.found, a.Warnings...)
	for _, check := range []func(){l.coverage, l.parameters, l.rules, l.unused, l.specs} {
		check()
		if l.over() && ctx.Err() == nil {
			return nil, l.err
		} else if l.err != nil {
			break
		}
	}
	return l.found.Sorted(), l.err
}

// over reports whether there is nothing more to be asked.
func (l *linter) over() bool {
	if l.ctx.Err() != nil {
		l.err = context.Cause(l.ctx)
	}
	return l.err != nil
}

// Reached reports which locations some process reaches in some run; what is not decided counts as reached. Its error is
// a diag.List as for verify.Decide, or ctx's.
func Reached(ctx context.Context, a *ta.Automaton, o verify.Options) ([]bool, error) {
	o.KeepFirst, o.DumpSMT = true, ""
	l := newLinter(ctx, a, o)
	l.coverage()
	l.settle(l.places())
	l.over()
	return l.seen.Locations, l.err
}

func newLinter(ctx context.Context, a *ta.Automaton, o verify.Options) *linter {
	return &linter{ctx: ctx, a: a, o: o, atoms: map[string]int{}, random: rand.New(rand.NewSource(1))}
}

type linter struct {
	ctx   context.Context
	a     *ta.Automaton
	o     verify.Options
	seen  *automata.Coverage
	conds []*ta.Cond     // comparisons in guards, each once
	atoms map[string]int // their indices, by text

	instances [][]*big.Int // small ones that have runs
	random    *rand.Rand
	found     diag.List
	err       error
	told      func(seen *automata.Coverage) diag.List

	neverFires func(rule int) string
}

// never decides whether no run satisfies the formula. A question that is not decided is reported at pos.
func (l *linter) never(pos diag.Pos, width int, e *syntax.Expr) bool {
	is := l.ask(e)
	if is.why != "" {
		l.found.Warn(pos, width, "not decided: can `%s` happen? (%s)", e, is.why)
	}
	return is.never
}

// ask asks whether some run satisfies e; nothing is known if there is nothing more to be asked.
func (l *linter) ask(e *syntax.Expr) (is answer) {
	if l.over() {
		return answer{}
	}
	if is, l.err = possible(l.ctx, l.a, "question", e, l.o); l.over() {
		return answer{}
	}
	return is
}

// parameters looks for parameters that have one value only, other than those that small instances show to have several.
func (l *linter) parameters() {
	if len(l.instances) == 0 { // no small ones: any will do
		if len(l.a.Parameters) == 0 {
			return
		}
		is := l.ask(derived.Op(syntax.Ge, derived.Name(l.a.Parameters[0].Name), derived.Int(0)))
		if is.run == nil {
			return
		}
		l.instances = [][]*big.Int{is.run.Run.Start.Params}
	}
	first := l.instances[0]
	for i, p := range l.a.Parameters {
		several := slices.ContainsFunc(l.instances,
			func(params []*big.Int) bool { return params[i].Cmp(first[i]) != 0 })
		if !several && l.never(p.Pos, p.Width, derived.Op(syntax.Ne, derived.Name(p.Name),
			derived.Number(linear.Big(first[i])))) {
			l.found.Warn(p.Pos, p.Width, "the assumptions and initial conditions allow %s = %s only", p.Name, first[i])
		}
	}
}

// coverage explores small instances, and runs at random through larger ones, so
// that the solver need not be asked for what obviously happens.
func (l *linter) coverage() {
	seen := map[string]bool{}
	for i := range l.a.Rules {
		for _, atom := range l.a.Rules[i].Guard.Atoms(nil) {
			c := ta.AtomCond(atom)
			if text := l.a.FormatCond(c); !seen[text] {
				seen[text] = true
				l.atoms[text] = len(l.conds)
				l.conds = append(l.conds, c)
			}
		}
	}
	l.seen = automata.NewCoverage(l.a, l.conds)
	rules := max(1, len(l.a.Rules))
	const small, work = 12, 1_000_000 // firings to be tried
	left, configs := small, min(20_000, work/rules)
	var larger [][]*big.Int
	for sum, tried := int64(0), 0; sum <= 40 && tried < 200_000 && !l.over(); sum++ {
		eachSum(len(l.a.Parameters), sum, func(params []*big.Int) {
			if tried++; l.over() || !automata.Admissible(l.a, params) {
				return
			}
			if larger = append(larger, params); left > 0 && sum <= 16 {
				left--
				n := 0
				if n, l.err = l.seen.Add(l.ctx, l.a, params, configs); n > 0 {
					l.instances = append(l.instances, params)
				}
			}
		})
	}
	for left := min(5_000, 20*work/rules); left > 0 && !l.over() && len(larger) > 0 && !l.seen.Complete(); {
		n := 0
		n, l.err = l.seen.Walk(l.ctx, l.a, larger[l.random.Intn(len(larger))], l.random, min(left, 300))
		left -= 10 + n // those that have no initial configuration take time, too
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

// happening is something that happens in some configuration of some run, or never does.
type happening struct {
	cond *ta.Cond
	seen *bool
}

// settle asks the solver about everything that exploration has not seen to happen, all at once: as long as something of
// it can happen, the run that shows it shows more. What is not seen then never happens: all is, if that was not
// decided.
func (l *linter) settle(all []happening) {
	for l.settleSome(all) {
	}
}

// settleSome is a question of settle's; it reports whether there is another.
func (l *linter) settleSome(all []happening) bool {
	var left []happening
	var conds []*syntax.Expr
	for _, h := range all {
		if !*h.seen {
			left, conds = append(left, h), append(conds, l.a.CondExpr(derived, h.cond))
		}
	}
	if len(left) == 0 {
		return false
	}
	is := l.ask(derived.Op(syntax.Finally, derived.Or(conds...)))
	switch {
	case is.never:
		return false
	case is.happens:
		for _, c := range is.run.Configs {
			for _, h := range left {
				*h.seen = *h.seen || ta.Holds(h.cond, c.Value)
			}
			for i := 0; i < 10 && !l.over(); i++ {
				_, l.err = l.seen.WalkFrom(l.ctx, l.a, c, l.random, 100)
			}
		}
		return true
	case is.why != "" && l.told == nil:
		l.found.Warn(l.a.ResiliencePos, 1,
			"not decided (%s): can any of %d things happen that have not been seen to, such as %s?", is.why, len(left),
			conds[0])
	case is.why != "":
		l.found.Warn(l.a.ResiliencePos, 1,
			"not decided (%s): whether every rule can be taken, and every variable has each value at some time", is.why)
	}
	for _, h := range left { // nothing is said of them
		*h.seen = true
	}
	return false
}

// places lists what should happen in locations: a process gets there.
func (l *linter) places() []happening {
	return lists.Make(len(l.a.Locations), func(i int) happening { return happening{occupied(i), &l.seen.Locations[i]} })
}

func occupied(location int) *ta.Cond {
	return ta.AtomCond(ta.Atom{Linear: ta.Var(ta.Symbol{Kind: ta.Counter, Index: location}).Sub(ta.Int(1)), Rel: ta.GE})
}

// happenings lists what else should happen: every rule fires, every comparison in a guard is true, and false.
func (l *linter) happenings() []happening {
	a := l.a
	var list []happening
	for i := range a.Rules {
		r := &a.Rules[i]
		list = append(list, happening{ta.And(occupied(r.From), r.Guard), &l.seen.Rules[i]})
	}
	for i, c := range l.conds {
		list = append(list, happening{c, &l.seen.True[i]}, happening{c.Negate(), &l.seen.False[i]})
	}
	return list
}

// rules reports locations that are never reached, rules that never fire and parts of guards that never change.
func (l *linter) rules() {
	if l.told != nil { // parts of generated guards mean nothing to users
		l.conds = nil
	}
	l.settle(append(l.places(), l.happenings()...))
	a := l.a
	if l.told != nil {
		l.found = append(l.found, l.told(l.seen)...)
		return
	}
	for i, loc := range a.Locations {
		if !l.seen.Locations[i] {
			l.found.Warn(loc.Pos, loc.Width, "no process ever reaches %s", loc.Name)
		}
	}
	for i := range a.Rules {
		r := &a.Rules[i]
		if !l.seen.Rules[i] && l.seen.Locations[r.From] {
			l.found.Warn(r.Pos, r.Width, "%s", l.neverFires(i))
		}
		for _, at := range r.Guard.Atoms(nil) {
			text := a.FormatAtom(at)
			switch atom := l.atoms[text]; {
			case !l.seen.Rules[i]: // that says it all
			case !l.seen.True[atom]:
				l.found.Warn(at.Pos, at.Width, "%s is never true", text)
			case !l.seen.False[atom]:
				l.found.Warn(at.Pos, at.Width, "%s is always true", text)
			}
		}
	}
}

// unused looks for shared variables that nothing changes or nothing reads.
func (l *linter) unused() {
	if l.told != nil {
		return
	}
	a := l.a
	changed, read := make([]bool, len(a.Shared)), make([]bool, len(a.Shared))
	visit := func(list []bool, e ta.Linear) {
		for _, t := range e.Terms() {
			if t.Var.Kind == ta.Shared {
				list[t.Var.Index] = true
			}
		}
	}
	for i := range a.Rules {
		visit(changed, a.Rules[i].Update)
		for _, s := range a.Rules[i].Resets {
			changed[s.Shared] = true
		}
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
			l.found.Warn(x.Pos, x.Width, "no rule changes %s", x.Name)
		case !read[i]:
			l.found.Warn(x.Pos, x.Width, "nothing reads %s", x.Name)
		}
	}
}

// specs looks at each specification.
func (l *linter) specs() {
	for i := range l.a.Specs {
		spec := &l.a.Specs[i]
		found := ltl.Warnings(spec)
		mentioned(l.a, spec.Formula, map[int]bool{}, func(location int, at *syntax.Expr) {
			if !l.seen.Locations[location] && l.told == nil {
				found.Warn(at.Pos, at.Width, "%s speaks of %s, which no process ever reaches", spec.Name, at.Name)
			}
		})
		empty, err := Vacuous(l.ctx, l.a, spec, l.o)
		found = append(found, empty...)
		if err == nil && len(empty) == 0 {
			var extra diag.List
			extra, err = unneeded(l.ctx, l.a, spec, l.o)
			found = append(found, extra...)
		}
		var outside diag.List
		if l.over() {
			return
		}
		if err != nil && !errors.As(err, &outside) {
			l.err = err
			return
		}
		l.found = append(append(l.found, found...), outside...)
	}
}
