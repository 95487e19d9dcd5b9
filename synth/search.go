package synth

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"tacheck/internal/diag"
	"tacheck/review"
	"tacheck/smt"
	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/verify"
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
	Left, Candidates int
	Solutions        int
	Refutations      int
	Verified         int // assignments that were verified
}

// Solution is an assignment for which all specifications hold.
type Solution struct {
	Values   Values
	Warnings diag.List // why one of them says nothing, if it does: the solution is vacuous
	Idle     []string  // rules with unknowns in their guards that no run fires
	Distance int64     // from the values that are there now
}

// Vacuous reports whether some specification holds for a bad reason.
func (s *Solution) Vacuous() bool { return len(s.Warnings) > 0 }

// Found is the outcome of a search.
type Found struct {
	Solutions   []*Solution
	Vacuous     int  // solutions that were left out, because they hold for a bad reason
	Complete    bool // every other assignment is refuted
	Reason      string
	Candidates  int
	Refutations []*Refutation
	Refuted     []int32 // by assignment: the refutation that excludes it; -1 for none
	Verified    int
	Time        time.Duration

	t *Template
}

// outcome of a candidate.
const (
	alive    = -1
	solution = -2
	bare     = -3 // a solution that says nothing
	open     = -4 // not decided
	outside  = -5 // the bounds exclude it
)

// candidates numbers assignments.
type candidates struct {
	t    *Template
	size int
}

func (c candidates) values(n int) Values {
	v := make(Values, len(c.t.Unknowns))
	for i, u := range c.t.Unknowns {
		width := int(u.Max-u.Min) + 1
		v[i] = u.Min + int64(n%width)
		n /= width
	}
	return v
}

func (t *Template) candidates() candidates {
	size := 1
	for _, u := range t.Unknowns {
		size *= max(0, int(u.Max-u.Min)+1)
	}
	return candidates{t, size}
}

// Number returns the number of an assignment, as Found.Refuted has it.
func (t *Template) Number(v Values) int {
	n := 0
	for i := len(v) - 1; i >= 0; i-- {
		u := t.Unknowns[i]
		n = n*(int(u.Max-u.Min)+1) + int(v[i]-u.Min)
	}
	return n
}

// Search finds all assignments for which the specifications hold: it verifies
// one that has not been refuted, and excludes with each counterexample all
// assignments that the same run refutes. Errors are those of verify.Decide, but running
// out of time is a search that is not complete.
func (t *Template) Search(ctx context.Context, o Options) (*Found, error) {
	begin := time.Now()
	specs, err := t.Specs(slices.Clone(o.Specs))
	if err != nil {
		return nil, err
	}
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	all := t.candidates()
	d := t.decider(ctx, o)
	defer d.end()
	s := &search{t: t, ctx: ctx, o: o, specs: specs, all: all, decider: d, state: make([]int32, all.size), found: &Found{t: t}}
	for n := range s.state {
		if s.state[n] = alive; !t.within(all.values(n)) {
			s.state[n] = outside
			continue
		}
		s.queue = append(s.queue, int32(n))
	}
	s.found.Candidates = len(s.queue)
	s.order()
	err = s.run()
	s.found.Refuted, s.found.Time = s.state, time.Since(begin)
	return s.found, err
}

// within evaluates the assumptions on unknowns.
func (t *Template) within(v Values) bool {
	x := &evaluation{known: map[string]int{}, values: map[string]*big.Int{}}
	for i, u := range t.Unknowns {
		x.values[u.Name] = big.NewInt(v[i])
	}
	x.r = &Refutation{t: &Template{}} // names of unknowns are those of numbers here
	for _, b := range t.bounds {
		if x.cond(b) != yes {
			return false
		}
	}
	return true
}

type search struct {
	t       *Template
	ctx     context.Context
	o       Options
	specs   []string
	all     candidates
	state   []int32
	queue   []int32 // assignments that may be alive, in the order in which they are tried
	found   *Found
	nearest int64
	decider *decider
}

// order sorts assignments: those near to the present values first, if there are
// any; otherwise as if shuffled, so that neighbours, which the same runs refute, are
// not tried one after the other.
func (s *search) order() {
	if s.t.start != nil {
		slices.SortStableFunc(s.queue, func(a, b int32) int { return int(s.distance(s.all.values(int(a))) - s.distance(s.all.values(int(b)))) })
		return
	}
	state := uint64(1)
	for i := len(s.queue) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int(state>>33) % (i + 1)
		s.queue[i], s.queue[j] = s.queue[j], s.queue[i]
	}
}

func (s *search) distance(v Values) (d int64) {
	for i, x := range s.t.start {
		d += max(v[i]-x, x-v[i])
	}
	return d
}

func (s *search) run() error {
	for {
		next := slices.IndexFunc(s.queue, func(n int32) bool { return s.state[n] == alive })
		if next < 0 {
			s.found.Complete = s.found.Reason == ""
			return nil
		}
		s.queue = s.queue[next:]
		n := s.queue[0]
		v := s.all.values(int(n))
		if s.o.Nearest && len(s.found.Solutions) > 0 && s.distance(v) > s.nearest {
			s.found.Complete = s.found.Reason == ""
			return nil
		}
		if s.o.Progress != nil {
			s.o.Progress(Progress{len(s.queue), s.found.Candidates, len(s.found.Solutions), len(s.found.Refutations), s.found.Verified})
		}
		s.ahead()
		state, sol, err := s.verify(v)
		if err != nil {
			return err
		}
		if s.ctx.Err() != nil && state == open {
			s.found.Reason = smt.Interrupted(s.ctx)
			return nil
		}
		if state == alive {
			continue // refuted by a run that was found just now
		}
		s.state[n] = state
		switch state {
		case bare:
			s.found.Vacuous++
			if !s.o.Vacuous {
				continue
			}
			fallthrough
		case solution:
			sol.Distance, s.nearest = s.distance(v), s.distance(v)
			s.found.Solutions = append(s.found.Solutions, sol)
			if s.o.Solution != nil {
				s.o.Solution(sol)
			}
			if s.o.Limit > 0 && len(s.found.Solutions) >= s.o.Limit {
				s.found.Complete = !slices.ContainsFunc(s.queue, func(n int32) bool { return s.state[n] == alive }) && s.found.Reason == ""
				if !s.found.Complete && s.found.Reason == "" {
					s.found.Reason = fmt.Sprintf("stopped after %d", s.o.Limit)
				}
				return nil
			}
		}
	}
}

// ahead begins what is likely to be asked next: of the first assignment all
// specifications, of others the first.
func (s *search) ahead() {
	for i, n := range s.queue {
		if s.state[n] != alive {
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
			s.decider.begin(s.all.values(int(n)), name)
		}
	}
}

// verify decides all specifications for an assignment. If one is violated, all
// assignments that the run refutes are excluded.
func (s *search) verify(v Values) (state int32, sol *Solution, err error) {
	a, err := s.t.Instance(v)
	if err != nil {
		return open, nil, err
	}
	s.found.Verified++
	undecided := ""
	for i, name := range s.specs {
		r, err := s.decider.decide(v, name)
		var none *verify.NoRuns
		if errors.As(err, &none) { // whatever is asked of it
			return bare, &Solution{Values: v, Warnings: none.List}, nil
		}
		if err != nil {
			return open, nil, s.explain(v, err)
		}
		switch r.Verdict {
		case verify.Violated:
			// What was violated once will be again: ask that first.
			copy(s.specs[1:i+1], s.specs[:i])
			s.specs[0] = name
			return alive, nil, s.exclude(s.t.refute(name, r.Witness, v))
		case verify.Unknown:
			undecided = fmt.Sprintf("%s is undecided with %s: %s", name, s.t.Format(v), r.Reason)
		}
	}
	if undecided != "" {
		s.found.Reason = undecided
		return open, nil, nil
	}
	sol = &Solution{Values: v}
	for _, name := range s.specs {
		found, err := review.Vacuous(s.ctx, a, a.SpecNamed(name), s.o.Options)
		if err != nil {
			return open, nil, err
		}
		sol.Warnings = append(sol.Warnings, found...)
	}
	if err := s.idle(a, sol); err != nil {
		return open, nil, err
	}
	if sol.Vacuous() {
		return bare, sol, nil
	}
	return solution, sol, nil
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
			r, err := review.Fires(s.ctx, a, rule.From.Name, after[k-1].Rules.List[j].Guard, s.o.Options)
			if err != nil {
				return err
			}
			if r.Verdict == verify.Holds {
				sol.Idle = append(sol.Idle, rule.ID)
			}
		}
	}
	return nil
}

// depends reports whether unknowns are in an expression, or in the definitions
// that it uses.
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
	number := int32(len(s.found.Refutations))
	s.found.Refutations = append(s.found.Refutations, r)
	any := false
	for _, n := range s.queue {
		if s.state[n] != alive {
			continue
		}
		if v := s.all.values(int(n)); r.Refutes(v) {
			s.state[n] = number
			s.decider.drop(v, s.specs)
			any = true
		}
	}
	if !any {
		return fmt.Errorf("internal error, please report: %s, found with %s, does not refute that", r, s.t.Format(r.Values))
	}
	s.queue = slices.DeleteFunc(s.queue, func(n int32) bool { return s.state[n] != alive })
	return nil
}

// Excluded returns the run that excludes an assignment; nil if none does.
func (f *Found) Excluded(v Values) *Refutation {
	if n := f.Refuted[f.t.Number(v)]; n >= 0 {
		return f.Refutations[n]
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

// Effects lists the definitions and conditions that have unknowns, as they are
// with values for them.
func (t *Template) Effects(v Values) []string {
	var list []string
	has := func(e *syntax.Expr) bool { return t.put(e, v) != e }
	for _, s := range t.tree.Sections {
		switch {
		case s.Define != nil && has(s.Define.Value):
			list = append(list, s.Define.Name.Name+" == "+t.put(s.Define.Value, v).String())
		case s.Assumptions != nil:
			for _, c := range s.Assumptions.List {
				if has(c.Expr) {
					list = append(list, t.put(c.Expr, v).String())
				}
			}
		case s.Rules != nil:
			for _, r := range s.Rules.List {
				if r.Guard != nil && has(r.Guard) {
					list = append(list, "rule "+r.ID+": "+t.put(r.Guard, v).String())
				}
			}
		}
	}
	return list
}
