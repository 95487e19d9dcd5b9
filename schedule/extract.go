package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// take turns the model of a satisfiable query into the outcome's run. If that
// would be too long, it asks for another one, with few firings.
func (t *timeline) take(ctx context.Context, out *Outcome) error {
	run, err := t.extract()
	if errors.Is(err, errTooLong) {
		run, err = t.shorter(ctx)
	}
	if errors.Is(err, errTooLong) {
		out.Status, out.Reason = smt.Unknown, err.Error()
		return nil
	}
	out.Run = run
	return err
}

// shorter asks for a run in which rules on growing cycles fire so seldom that it cannot be too long.
func (t *timeline) shorter(ctx context.Context) (*ta.Run, error) {
	t.s.Push()
	defer t.s.Pop()
	var fired smt.Linear
	for _, p := range t.pieces {
		for i, r := range p.rules {
			if t.p.needsSupport(r) && !r.SelfLoop() {
				fired = fired.Add(smt.V(p.factors[i]))
			}
		}
	}
	t.s.Assert(smt.LE(fired, smt.N(maxSteps/2)))
	answer, err := t.s.Check(ctx)
	switch {
	case err != nil:
		return nil, err
	case answer.Status != smt.Sat:
		return nil, errTooLong
	}
	return t.extract()
}

// extract turns the solver's model of a timeline into a run. It fails only if
// the encoding is wrong, or the solver; the run is still to be replayed.
func (t *timeline) extract() (*ta.Run, error) {
	model, err := t.model()
	if err != nil {
		return nil, err
	}
	c := t.first(model)
	run := &ta.Run{Start: c, Loop: ta.Finite}
	for i := range t.pieces {
		p := &t.pieces[i]
		if i == t.loopPiece {
			run.Loop = len(run.Steps)
		}
		steps, err := p.schedule(t.p, c, model)
		if errors.Is(err, errTooLong) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("internal error, please report: the model from %s is no run: %w", t.s.Name(), err)
		}
		for _, s := range steps {
			c = c.After(t.p.rule(s.Rule), s.Factor)
		}
		run.Steps = append(run.Steps, steps...)
	}
	return run, nil
}

// values are the values of variables in a model.
type values map[*smt.Var]*big.Int

// model asks for the values of everything that extract needs.
func (t *timeline) model() (values, error) {
	var vars []*smt.Var
	linears := func(lists ...[]smt.Linear) {
		for _, list := range lists {
			for _, l := range list {
				vars = append(vars, l.Terms()[0].Var)
			}
		}
	}
	first := t.start
	linears(first.Counters, first.Shared, first.Params)
	for _, p := range t.pieces {
		vars = append(vars, p.factors...)
		for _, a := range p.anchors {
			vars = append(vars, a.starts...)
			for _, v := range a.path {
				if v != nil {
					vars = append(vars, v)
				}
			}
		}
	}
	got, err := t.s.Values(vars)
	if err != nil {
		return nil, err
	}
	model := values{}
	for i, v := range vars {
		model[v] = got[i]
	}
	return model, nil
}

// first returns the initial configuration.
func (t *timeline) first(model values) *ta.Config {
	read := func(list []smt.Linear) []*big.Int {
		return lists.Map(list, func(l smt.Linear) *big.Int { return model[l.Terms()[0].Var] })
	}
	return &ta.Config{Counters: read(t.start.Counters), Shared: read(t.start.Shared), Params: read(t.start.Params)}
}

// schedule returns the transitions of a piece, starting in c.
func (p *piece) schedule(of *Problem, c *ta.Config, model values) ([]ta.Transition, error) {
	if p.ordered {
		var steps []ta.Transition
		for i, r := range p.rules {
			steps = appendStep(steps, r, model[p.factors[i]])
		}
		return steps, nil
	}
	flow := make([]*big.Int, len(p.rules))
	for i, v := range p.factors {
		flow[i] = new(big.Int).Set(model[v])
	}
	var moving []ta.Transition
	rest := c
	if of.grows() {
		rest, moving = p.takeAnchors(of.automaton, c, flow, model)
	} else {
		for _, r := range p.anchorPath(c, flow, model) {
			moving = appendStep(moving, r, big.NewInt(1))
		}
	}
	steps, err := realise(of.automaton, of.growing, rest, p.rules, flow)
	return append(steps, moving...), err
}

// takeAnchors takes the anchors out of a configuration, and what a moving one
// does out of the flow; it returns who is left, and the anchor's way.
func (p *piece) takeAnchors(a *ta.Automaton, c *ta.Config, flow []*big.Int,
	model values) (*ta.Config, []ta.Transition) {
	rest := &ta.Config{Counters: slices.Clone(c.Counters), Shared: c.Shared, Params: c.Params}
	var way []ta.Transition
	for _, anchor := range p.anchors {
		alone := &ta.Config{Counters: ta.Ints(make([]int64, len(a.Locations))...), Shared: c.Shared, Params: c.Params}
		for i, v := range anchor.starts {
			if l := anchor.set[i]; model[v].Sign() > 0 {
				alone.Counters[l] = big.NewInt(1)
				if rest.Counters[l].Cmp(c.Counters[l]) == 0 { // one process may be the anchor of several sets
					rest.Counters[l] = new(big.Int).Sub(c.Counters[l], big.NewInt(1))
				}
			}
		}
		path := make([]*big.Int, len(flow))
		for k, v := range anchor.path {
			path[k] = new(big.Int)
			if v != nil {
				path[k].Set(model[v])
			}
		}
		w := newWalk(a, alone, p.rules, path)
		for len(w.steps) <= maxSteps && w.step() {
		}
		for k := range flow {
			flow[k].Sub(flow[k], path[k]).Add(flow[k], w.left[k])
		}
		way = append(way, w.steps...)
	}
	return rest, way
}

// anchorPath takes the moving anchor out of the flow, if the model has one, and returns its rules in order.
func (p *piece) anchorPath(c *ta.Config, flow []*big.Int, model values) []*ta.Rule {
	if len(p.anchors) == 0 {
		return nil
	}
	anchor := p.anchors[0]
	at, starts := -1, 0
	for i, v := range anchor.starts {
		if model[v].Sign() > 0 {
			at = anchor.set[i]
			starts++
		}
	}
	if starts != 1 || c.Counters[at].Sign() <= 0 {
		return nil // the model did without a moving anchor
	}
	left := map[int]bool{} // moves that the anchor still makes
	for k, v := range anchor.path {
		if v != nil && model[v].Sign() > 0 {
			if flow[k].Sign() <= 0 {
				return nil
			}
			left[k] = true
		}
	}
	var rules []*ta.Rule
	var taken []int
	for moved := true; moved; {
		moved = false
		for k, r := range p.rules {
			if left[k] && r.From == at {
				delete(left, k)
				rules, taken, at, moved = append(rules, r), append(taken, k), r.To, true
				break
			}
		}
	}
	stays := new(big.Int).Set(c.Counters[at]) // who is there at the end
	for k, r := range p.rules {
		if r.To == at {
			stays.Add(stays, flow[k])
		}
		if r.From == at {
			stays.Sub(stays, flow[k])
		}
	}
	if stays.Sign() <= 0 {
		return nil // nothing asks for this anchor: its variables have any values
	}
	for _, k := range taken {
		flow[k].Sub(flow[k], big.NewInt(1))
	}
	return rules
}
