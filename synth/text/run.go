package text

import (
	"context"
	"fmt"
	"sync"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// decide decides a specification. The warnings of the result are why what holds says nothing.
func decide(ctx context.Context, m model.ForAll, spec string, o verify.Options) (*verify.Result, *model.Result, error) {
	q, err := m.Ask(ctx, []string{spec}, nil)
	if err != nil {
		return nil, nil, err
	}
	r, err := q.One(ctx, spec, o, func(ctx context.Context, a *ta.Automaton, s *ta.Spec,
		o verify.Options) (*verify.Result, error) {
		r, err := verify.Decide(ctx, a, s, o)
		if err != nil {
			return nil, err
		}
		if r.Warnings = nil; r.Verdict == verify.Holds {
			r.Warnings, err = review.Vacuous(ctx, a, s, o)
		}
		return r, err
	})
	if err != nil {
		return nil, nil, err
	}
	search := *r.Search
	search.Spec, search.Verdict, search.Reason, search.Warnings = spec, r.Verdict, r.Reason, r.Warnings
	return &search, r, nil
}

// run is a counterexample of one of the models.
type run struct {
	x    model.Counterexample
	in   *replays
	open func(synth.Values) (model.ForAll, error)
}

// Refutes replays the run in another model.
func (r *run) Refutes(v synth.Values) bool {
	m, err := r.in.of(v, r.open)
	return err == nil && model.Again(m, r.x) == nil
}

func (r *run) Parameters() (list []synth.Parameter) {
	for _, p := range r.x.Told().Values {
		list = append(list, synth.Parameter{Name: p.Name, Value: p.Value.String()})
	}
	return list
}

// lacking is what does not show that something happens with probability one: runs in which conditions fail. As long as
// their parameters are admitted, they fail.
type lacking struct {
	list []rounds.Lack
	at   func(synth.Values) *syntax.Expr // the condition
}

func (l *lacking) Refutes(v synth.Values) bool {
	for _, lack := range l.list {
		if lack.Run == nil {
			continue
		}
		c, err := lack.Run.Automaton.Cond(l.at(v))
		if err != nil || !ta.Holds(c, lack.Run.Configs[0].Value) {
			return false
		}
	}
	return true
}

// Lacks names the condition that fails.
func (l *lacking) Lacks() string { return l.list[0].Condition }

func (l *lacking) Parameters() (list []synth.Parameter) {
	w := l.list[0].Run
	if w == nil {
		return nil
	}
	for i, p := range w.Automaton.Parameters {
		list = append(list, synth.Parameter{Name: p.Name, Value: w.Run.Start.Params[i].String()})
	}
	return list
}

// replays has models in which runs are replayed, and nothing else is done.
type replays struct {
	mu    sync.Mutex
	known map[string]model.ForAll
}

// mostKept is how many models are kept.
const mostKept = 1000

func (r *replays) of(v synth.Values, open func(synth.Values) (model.ForAll, error)) (model.ForAll, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := fmt.Sprint(v)
	if m := r.known[key]; m != nil {
		return m, nil
	}
	m, err := open(v)
	if err != nil {
		return nil, err
	}
	if r.known == nil || len(r.known) >= mostKept {
		r.known = map[string]model.ForAll{}
	}
	r.known[key] = m
	return m, nil
}
