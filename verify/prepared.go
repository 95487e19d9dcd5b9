package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/witness"
)

// Prepared is a search by shapes that another machine runs (Options.Elsewhere); its subtrees are explored here. Close
// it after use.
type Prepared struct {
	r       *run
	explore []func(context.Context, schedule.Part, func(string) bool) (schedule.Outcome, error)
	close   []func() error
	meters  []*smt.Meter
}

// prepare makes the problems of a search. Errors are those of Decide, or cutgraph.ErrUndecided if ctx was cancelled.
func prepare(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o Options) (*run, []*schedule.Problem, error) {
	m, err := o.resolve()
	if err == nil {
		err = monotone(a)
	}
	if err != nil {
		return nil, nil, err
	}
	formula, trees, err := negated(a, spec)
	if err != nil {
		return nil, nil, err
	}
	base, err := m.start()
	if err != nil {
		return nil, nil, err
	}
	r := &run{ctx: ctx, a: a, spec: spec, formula: formula, method: m, solver: &smt.Meter{Solver: base},
		result: &Result{}}
	list, err := r.problems(trees)
	if err == nil && r.result.Verdict == Unknown {
		err = cutgraph.ErrUndecided
	}
	return r, list, firstOf(err, base.Close())
}

// monotone refuses automata with rules that reset or decrease variables, as a diag.List.
func monotone(a *ta.Automaton) error {
	var list diag.List
	for i := range a.Rules {
		if r := &a.Rules[i]; !r.Monotone() {
			list.Add(r.Pos, r.Width, "rule %s resets or decreases variables (%s): runs have no lasso shapes then",
				a.RuleName(r), a.FormatUpdate(r))
			break
		}
	}
	return list.Err()
}

// Prepare makes everything ready. Errors are those of Decide, or cutgraph.ErrUndecided if ctx was cancelled.
func Prepare(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o Options) (*Prepared, error) {
	r, problems, err := prepare(ctx, a, spec, o)
	if err != nil {
		return nil, err
	}
	p := &Prepared{r: r}
	for _, problem := range problems {
		explore, end := schedule.Explore(p.start, problem, r.method.search, r.method.encode)
		p.explore, p.close = append(p.explore, explore), append(p.close, end)
	}
	return p, nil
}

// Explore explores a part of a subtree, if the subtree's name is the one that is
// expected. If there is a counterexample, it is replayed.
func (p *Prepared) Explore(ctx context.Context, disjunct int, part schedule.Part,
	named func(string) bool) (schedule.Outcome, *witness.Witness, error) {
	if disjunct < 0 || disjunct >= len(p.explore) {
		return schedule.Outcome{}, nil, fmt.Errorf("there is no disjunct %d", disjunct)
	}
	before, since := p.asked()
	out, err := p.explore[disjunct](ctx, part, named)
	out.Queries, out.Solving = p.asked()
	out.Queries, out.Solving = out.Queries-before, out.Solving-since
	if err != nil || out.Status != smt.Sat {
		return out, nil, err
	}
	w, err := witness.New(p.r.a, p.r.spec, out.Run)
	return out, w, err
}

// start starts a solver whose queries are counted.
func (p *Prepared) start() (smt.Solver, error) {
	s, err := p.r.method.start()
	if err != nil {
		return nil, err
	}
	m := &smt.Meter{Solver: s}
	p.meters = append(p.meters, m)
	return m, nil
}

func (p *Prepared) asked() (queries int, time time.Duration) {
	for _, m := range p.meters {
		queries, time = queries+m.Queries, time+m.Time
	}
	return queries, time
}

// Close ends the solvers.
func (p *Prepared) Close() (err error) {
	for _, end := range p.close {
		err = errors.Join(err, end())
	}
	return err
}

// Witnessed replays a counterexample that another machine has found, and accepts
// it only if it violates the specification.
func Witnessed(a *ta.Automaton, spec *ta.Spec, text []byte) (*witness.Witness, error) {
	w, err := witness.Read(a, text)
	if err != nil {
		return nil, err
	}
	// The specification may ask for more than the one of that name in the model.
	return witness.Check(a, spec, w.Run)
}
