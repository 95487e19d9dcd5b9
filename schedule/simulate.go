package schedule

import (
	"errors"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// simulation is what became of a model of the loose query.
type simulation struct {
	run *ta.Run // all of it could be fired

	// Otherwise it got stuck in a stretch. Either moves start where no process gets to:
	stretch     int
	unsupported []int

	// or this is where it came to:
	config *ta.Config
	left   []*big.Int // by move: how often it was still to be made
}

// simulate fires what the model says, stretch by stretch, in an order that it finds by itself.
func (z *loose) simulate() (*simulation, error) {
	model, err := z.t.model()
	if err != nil {
		return nil, err
	}
	met, err := z.metIn()
	if err != nil {
		return nil, err
	}
	a := z.t.p.automaton
	f := &firing{p: z.t.p, config: z.t.first(model), run: &ta.Run{Loop: ta.Finite}}
	f.run.Start = f.config
	for i := range z.stretches {
		st := &z.stretches[i]
		if !f.event(st.event, model) {
			return &simulation{}, nil
		}
		f.left = make([]*big.Int, len(st.counts))
		for k, v := range st.counts {
			f.left[k] = new(big.Int).Set(model[v])
		}
		rules := f.rules()
		if nobody := unsupported(a, z.t.p.growing, f.config, rules, f.left); nobody != nil {
			return &simulation{stretch: i, unsupported: nobody}, nil
		}
		removeIdleCycles(a, z.t.p.growing, f.config, rules, f.left)
		f.clauses = active(z.t.p, met[i])
		f.last = lastRules(len(a.Locations), f.config, rules, f.left)
		if !f.all() {
			return &simulation{stretch: i, config: f.config, left: f.left}, nil
		}
	}
	c := f.config
	for i := range z.t.pieces {
		if z.t.loopPiece == noLoop || i < z.t.loopPiece {
			continue
		}
		if i == z.t.loopPiece {
			f.run.Loop = len(f.run.Steps)
		}
		steps, err := z.t.pieces[i].schedule(z.t.p, c, model)
		if errors.Is(err, errTooLong) {
			return &simulation{}, nil // the exact search looks for a shorter one
		}
		if err != nil {
			return nil, err
		}
		for _, s := range steps {
			c = c.After(z.t.p.rule(s.Rule), s.Factor)
		}
		f.run.Steps = append(f.run.Steps, steps...)
	}
	return &simulation{run: f.run, stretch: len(z.stretches) - 1, config: f.config, left: f.left}, nil
}

// event makes the step before a stretch of a rule that is not monotone, if the model has one. It reports false
// if that is not enabled.
func (f *firing) event(p *piece, model values) bool {
	if p == nil {
		return true
	}
	for i, r := range p.rules {
		if k := model[p.factors[i]]; k.Sign() > 0 {
			if f.p.automaton.Enabled(f.config, r, k) != nil {
				return false
			}
			f.config = f.config.After(r, k)
			f.run.Steps = append(f.run.Steps, ta.Transition{Rule: r.Index, Factor: k})
		}
	}
	return true
}

// metIn returns, for each stretch, which cut points lie before it in the model.
func (z *loose) metIn() ([][]bool, error) {
	var vars []*smt.Var
	for _, st := range z.stretches {
		for _, f := range st.met {
			if f.Op == smt.OpVar {
				vars = append(vars, f.Var)
			}
		}
	}
	got, err := z.t.s.Values(vars)
	if err != nil {
		return nil, err
	}
	out := make([][]bool, len(z.stretches))
	for i, st := range z.stretches {
		for _, f := range st.met {
			now := f.IsTrue()
			if f.Op == smt.OpVar {
				now = got[0].Sign() > 0
				got = got[1:]
			}
			out[i] = append(out[i], now)
		}
	}
	return out, nil
}

// active lists the clauses that hold from the root or from cut points on.
func active(p *Problem, met []bool) []*clause {
	var list []*clause
	add := func(o *obligation) {
		for i := range o.clauses {
			list = append(list, &o.clauses[i])
		}
	}
	add(&p.root)
	for j := range p.cuts {
		if met[j] {
			add(&p.cuts[j])
		}
	}
	return list
}

// holdsIn evaluates the clause in a configuration.
func (c *clause) holdsIn(at *ta.Config) bool {
	truth := func(t ta.Threshold) bool { return t.Atom().Eval(at.Value) }
	switch {
	case slices.ContainsFunc(c.rising, truth):
		return true
	case slices.ContainsFunc(c.falling, func(t ta.Threshold) bool { return !truth(t) }):
		return true
	case slices.ContainsFunc(c.rigid, func(l ta.Literal) bool { return ta.Holds(l.Cond(), at.Value) }):
		return true
	case slices.ContainsFunc(c.some, func(l int) bool { return at.Counters[l].Sign() > 0 }):
		return true
	}
	return c.none >= 0 && at.Counters[c.none].Sign() == 0
}

// firing fires a flow in some order.
type firing struct {
	p       *Problem
	config  *ta.Config
	left    []*big.Int // by move
	clauses []*clause
	last    []int // by location: the move out of it that is to be made last, or -1
	run     *ta.Run
}

func (f *firing) rules() []*ta.Rule {
	return lists.Make(len(f.p.moves), func(k int) *ta.Rule { return f.p.moves[k].rule })
}

// all fires everything that is left, if it can: whatever is enabled, as often as possible, but what would flip a
// threshold that something else still needs false comes last.
func (f *firing) all() bool {
	for patient := true; len(f.run.Steps) <= maxSteps; {
		progress, flips := false, -1
		for k := range f.left {
			if f.left[k].Sign() == 0 || patient && f.premature(k) {
				continue
			}
			most := f.most(k)
			if most.Sign() == 0 {
				continue
			}
			if safe := f.safe(k); safe.Cmp(most) < 0 {
				most = safe
			}
			if most.Sign() == 0 {
				if flips < 0 {
					flips = k
				}
				continue
			}
			f.fire(k, most)
			progress = true
		}
		switch {
		case progress:
			patient = true
		case flips >= 0:
			f.fire(flips, big.NewInt(1))
			patient = true
		case patient:
			patient = false
		default:
			return !slices.ContainsFunc(f.left, func(n *big.Int) bool { return n.Sign() > 0 })
		}
	}
	return false // it takes too long
}

// premature reports whether move k leads away from a growing cycle, for good, while something is left to be done there.
func (f *firing) premature(k int) bool {
	from := f.p.moves[k].rule.From
	if !f.p.growing[from] || f.last[from] != k {
		return false
	}
	for j := range f.left {
		if j != k && f.left[j].Sign() > 0 && f.p.moves[j].rule.From == from {
			return true
		}
	}
	return false
}

func (f *firing) fire(k int, times *big.Int) {
	r := f.p.moves[k].rule
	f.run.Steps = append(f.run.Steps, ta.Transition{Rule: r.Index, Factor: times})
	f.config = f.config.After(r, times)
	f.left[k].Sub(f.left[k], times)
}

// most returns how often move k can be made in a row: processes, guard and clauses allowing. What can be done so often
// can be done less often, but for clauses that become true again, which do not matter here.
func (f *firing) most(k int) *big.Int {
	r := f.p.moves[k].rule
	high := new(big.Int).Set(f.left[k])
	if n := f.config.Counters[r.From]; n.Cmp(high) < 0 && !r.SelfLoop() {
		high.Set(n)
	}
	possible := func(n *big.Int) bool {
		if f.p.automaton.Enabled(f.config, r, n) != nil {
			return false
		}
		after := f.config.After(r, n)
		return !slices.ContainsFunc(f.clauses, func(c *clause) bool { return !c.holdsIn(after) })
	}
	return largest(high, possible)
}

// largest returns the largest number from 1 to high that is possible, or 0,
// for a property of numbers that smaller ones share.
func largest(high *big.Int, possible func(*big.Int) bool) *big.Int {
	one := big.NewInt(1)
	low := new(big.Int)
	if high.Sign() > 0 && possible(high) {
		return high
	}
	for {
		// low is possible (or 0), high is not (or 0).
		if gap := new(big.Int).Sub(high, low); gap.Cmp(one) <= 0 {
			return low
		}
		middle := new(big.Int).Add(low, high)
		middle.Rsh(middle, 1)
		if possible(middle) {
			low = middle
		} else {
			high = middle
		}
	}
}

// safe returns how often move k can be made before it flips a threshold that another move still needs false.
func (f *firing) safe(k int) *big.Int {
	r := f.p.moves[k].rule
	out := new(big.Int).Set(f.left[k])
	for i := range f.p.thresholds {
		th := f.p.thresholds[i].Threshold
		by := r.Effect(th.LHS)
		if by.Sign() <= 0 || !f.needed(i, k) {
			continue
		}
		room := th.Bound.Sub(th.LHS).Plus(-1).Eval(f.config.Value)
		if room.Sign() < 0 {
			continue // it has flipped already
		}
		if n := room.Div(room, by.Big()); n.Cmp(out) < 0 {
			out = n
		}
	}
	return out
}

// needed reports whether a move other than k still needs threshold i false.
func (f *firing) needed(i, k int) bool {
	for j := range f.left {
		if j != k && f.left[j].Sign() > 0 && slices.Contains(f.p.moves[j].upper, i) {
			return true
		}
	}
	return false
}
