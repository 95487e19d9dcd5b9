package synth

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Options say how to search.
type Options struct {
	verify.Options
	Specs    []string // that have to hold; all if nil
	Limit    int      // stop after so many solutions; 0 for no limit
	Vacuous  bool     // count solutions that hold for a bad reason
	Nearest  bool     // only solutions nearest to the values that are there now
	Solution func(*Solution)
	Progress func(Progress)
	// Ahead is how many questions are decided at once, some before it is known
	// whether they have to be. What is found does not depend on it.
	Ahead int
	// Decide decides in place of verify.Decide. It may be nil.
	Decide Deciding
}

// Progress says how far a search is.
type Progress struct {
	Candidates  *big.Int // how many assignments there are
	Solutions   int
	Refutations int
	Verified    int // assignments that were verified
}

// Solution is an assignment for which all specifications hold.
type Solution struct {
	Values   Values
	Warnings diag.List // why one of them says nothing, if it does: the solution is vacuous; or that this is not known
	Idle     []string  // rules with unknowns in their guards that no run fires
	Distance int64     // from the values that are there now
}

// Found is the outcome of a search.
type Found struct {
	Solutions   []*Solution
	Vacuous     int  // solutions that were left out, because they hold for a bad reason
	Complete    bool // every other assignment is refuted
	Reason      string
	Candidates  *big.Int // how many assignments are within the bounds, or at least within the ranges if there are many
	Refutations []*Refutation
	Verified    int
	Time        time.Duration
}

// outcome of an assignment.
type outcome uint8

const (
	refuted  outcome = iota
	solution         // all specifications hold
	bare             // they do, for a bad reason
	open             // not decided
)

// Search finds all assignments for which the specifications hold: it verifies one that has not been refuted, and
// excludes with each counterexample all assignments that the same run refutes. Errors are those of verify.Decide, but
// running out of time is a search that is not complete.
func (t *Template) Search(ctx context.Context, o Options) (_ *Found, err error) {
	begin := time.Now()
	specs, err := t.specs(slices.Clone(o.Specs))
	if err != nil {
		return nil, err
	}
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	d := t.decider(ctx, o)
	defer d.end()
	space, err := t.space(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, space.solver.Close()) }()
	s := &search{t: t, ctx: ctx, o: o, specs: specs, space: space, decider: d,
		found: &Found{Candidates: t.size()}}
	err = s.run()
	s.found.Time = time.Since(begin)
	return s.found, err
}

type search struct {
	t       *Template
	ctx     context.Context
	o       Options
	specs   []string
	space   *space
	queue   []Values // what was proposed and is not verified yet
	found   *Found
	nearest int64
	decider *decider
}

func (s *search) run() error {
	for {
		v, err := s.next()
		switch {
		case err != nil:
			return err
		case v == nil, s.o.Nearest && len(s.found.Solutions) > 0 && s.t.distance(v) > s.nearest:
			s.found.Complete = s.found.Reason == ""
			return nil
		}
		if s.o.Progress != nil {
			s.o.Progress(Progress{s.found.Candidates, len(s.found.Solutions), len(s.found.Refutations),
				s.found.Verified})
		}
		s.ahead(v)
		is, sol, err := s.verify(v)
		if err != nil {
			return err
		}
		if s.ctx.Err() != nil && is == open {
			s.found.Reason = smt.Interrupted(s.ctx)
			return nil
		}
		if is == refuted {
			continue
		}
		s.space.drop(v)
		if is == bare {
			s.found.Vacuous++
		}
		if is == open || is == bare && !s.o.Vacuous {
			continue
		}
		sol.Distance, s.nearest = s.t.distance(v), s.t.distance(v)
		s.found.Solutions = append(s.found.Solutions, sol)
		if s.o.Solution != nil {
			s.o.Solution(sol)
		}
		if s.o.Limit > 0 && len(s.found.Solutions) >= s.o.Limit {
			return s.stopped()
		}
	}
}

// stopped ends a search that has as many solutions as are wanted.
func (s *search) stopped() error {
	v, err := s.next()
	if err == nil && v == nil {
		s.found.Complete = s.found.Reason == ""
	} else if s.found.Reason == "" {
		s.found.Reason = fmt.Sprintf("stopped after %d", s.o.Limit)
	}
	return err
}

// batch is how many assignments are proposed at once: the search goes the same
// way however many of them are looked at ahead.
const batch = 8

// next returns an assignment that nothing excludes, nil if there is none, or if
// the time is up (which is the reason then).
func (s *search) next() (Values, error) {
	for {
		for len(s.queue) > 0 {
			v := s.queue[0]
			s.queue = s.queue[1:]
			if s.space.alive(v) {
				return v, nil
			}
			s.decider.drop(v, s.specs)
		}
		list, reason, err := s.space.propose(s.ctx, batch)
		if err != nil || len(list) == 0 {
			if s.found.Reason == "" {
				s.found.Reason = reason
			}
			return nil, err
		}
		s.queue = list
	}
}

// ahead begins what is likely to be asked next: of an assignment all specifications, of those after it the first.
func (s *search) ahead(v Values) {
	for i, v := range append([]Values{v}, s.queue...) {
		if !s.space.alive(v) {
			continue
		}
		specs := s.specs
		if i > 0 {
			specs = specs[:1]
		}
		for _, name := range specs {
			if !s.decider.ahead() {
				return
			}
			s.decider.begin(v, name)
		}
	}
}

// verify decides all specifications for an assignment. If one is violated, all
// assignments that the run refutes are excluded.
func (s *search) verify(v Values) (is outcome, sol *Solution, err error) {
	s.found.Verified++
	undecided := ""
	sol = &Solution{Values: v}
	for i, name := range s.specs {
		x, err := s.decider.decide(v, name)
		var none *verify.NoRuns
		if errors.As(err, &none) { // whatever is asked of it
			return bare, &Solution{Values: v, Warnings: none.List}, nil
		}
		if ended(s.ctx, err) {
			return open, nil, nil
		}
		if err != nil {
			return open, nil, s.explain(v, err)
		}
		switch x.r.Verdict {
		case verify.Violated:
			// What was violated once will be again: ask that first.
			copy(s.specs[1:i+1], s.specs[:i])
			s.specs[0] = name
			return refuted, nil, s.exclude(s.t.refutation(name, x, v))
		case verify.Unknown:
			undecided = fmt.Sprintf("%s is undecided with %s: %s", name, s.t.Format(v), x.r.Reason)
		}
		if s.t.family != nil {
			sol.Warnings = append(sol.Warnings, x.r.Warnings...)
		}
	}
	if undecided != "" {
		s.found.Reason = undecided
		return open, nil, nil
	}
	if err := s.review(sol); err != nil {
		return open, nil, err
	}
	if s.ctx.Err() != nil { // so whether it holds for a good reason is not known
		return open, nil, nil
	}
	if slices.ContainsFunc(sol.Warnings, func(e *diag.Error) bool { return !e.Open }) {
		return bare, sol, nil
	}
	return solution, sol, nil
}

// ended reports whether an error says that time was up, as it may be while a model is made.
func ended(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// review asks of an automaton why it is a solution. A family has said so.
func (s *search) review(sol *Solution) error {
	if s.t.family != nil {
		return nil
	}
	a, err := s.t.automaton(sol.Values)
	if err != nil {
		return err
	}
	for _, name := range s.specs {
		found, err := review.Vacuous(s.ctx, a, a.SpecNamed(name), s.o.Options)
		if err != nil {
			return err
		}
		sol.Warnings = append(sol.Warnings, found...)
	}
	return s.idle(a, sol)
}

// idle finds the rules that a solution keeps from ever firing.
func (s *search) idle(a *ta.Automaton, sol *Solution) error {
	before, after := s.t.tree.Sections, s.t.instance(sol.Values).Sections
	for i, k := 0, 0; i < len(before); i++ {
		if before[i].Unknowns != nil {
			continue
		}
		k++
		if before[i].Rules == nil {
			continue
		}
		for j, rule := range before[i].Rules.List {
			if rule.Guard == nil || !s.t.depends(rule.Guard) {
				continue
			}
			idle, err := review.NeverFires(s.ctx, a, rule.From.Name, after[k-1].Rules.List[j].Guard, s.o.Options)
			if err != nil {
				return err
			}
			if idle {
				sol.Idle = append(sol.Idle, rule.ID)
			}
		}
	}
	return nil
}

// depends reports whether unknowns are in an expression, or in the definitions that it uses.
func (t *Template) depends(e *syntax.Expr) bool {
	found := false
	walk(e, func(e *syntax.Expr) {
		if e.Op != syntax.Name || found {
			return
		}
		found = t.index(e.Name) >= 0
		for _, s := range t.tree.Sections {
			if s.Define != nil && s.Define.Name.Name == e.Name {
				found = found || t.depends(s.Define.Value)
			}
		}
	})
	return found
}

// explain adds the assignment to an error that it causes.
func (s *search) explain(v Values, err error) error {
	var list diag.List
	if !errors.As(err, &list) {
		return err
	}
	for _, e := range list {
		e.Msg += fmt.Sprintf(" (with %s)", s.t.Format(v))
	}
	return list
}

// exclude drops what a run refutes.
func (s *search) exclude(r *Refutation) error {
	if !r.Refutes(r.Values) {
		return fmt.Errorf("internal error, please report: %s, found with %s, does not refute that", r,
			s.t.Format(r.Values))
	}
	s.found.Refutations = append(s.found.Refutations, r)
	s.space.exclude(r)
	s.decider.drop(r.Values, s.specs)
	return nil
}

// Excluded returns the first run that excludes an assignment; nil if none does.
func (f *Found) Excluded(v Values) *Refutation {
	for _, r := range f.Refutations {
		if r.Refutes(v) {
			return r
		}
	}
	return nil
}

// Format prints values: a = 1, b = -2.
func (t *Template) Format(v Values) string {
	text := ""
	for i, u := range t.Unknowns {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s = %d", u.Name, v[i])
	}
	return text
}

// Effects lists the definitions and conditions that have unknowns, as they are with values for them; short leaves out
// what rules become where definitions say it as well.
func (t *Template) Effects(v Values) (all, short []string) {
	if t.family != nil {
		all = t.family.Effects(v)
		short = slices.Clone(all)
	}
	add := func(text string) { all, short = append(all, text), append(short, text) }
	has := func(e *syntax.Expr) bool { return t.put(e, v) != e }
	for _, s := range t.tree.Sections {
		switch {
		case s.Define != nil && has(s.Define.Value):
			add(s.Define.Name.Name + " == " + t.put(s.Define.Value, v).String())
		case s.Assumptions != nil:
			for _, c := range s.Assumptions.List {
				if has(c.Expr) {
					add(t.put(c.Expr, v).String())
				}
			}
		case s.Rules != nil:
			for _, r := range s.Rules.List {
				if r.Guard != nil && has(r.Guard) {
					all = append(all, "rule "+r.ID+": "+t.put(r.Guard, v).String())
				}
			}
		}
	}
	if short == nil {
		short = all
	}
	return all, short
}

// refutation makes a refutation of what has violated a specification.
func (t *Template) refutation(spec string, x *answer, v Values) *Refutation {
	if t.family != nil {
		return &Refutation{Spec: spec, Values: v, t: t, run: x.run}
	}
	return t.refute(spec, x.r.Witness, v)
}
