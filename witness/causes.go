package witness

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// What an run.Explanation says beyond where formulas are true and false: steps that
// made them so, who waits and for what, parameters on the edge.

// place is that a number becomes greater, or smaller.
type place struct {
	of   ta.Symbol
	down bool
}

// places are those that an atom rests on: a step helps that raises its sum, or changes it.
func places(at ta.Atom) run.Places[place] {
	out := run.Places[place]{}
	for _, t := range at.Linear.Terms() {
		down := t.Coef.Sign() < 0
		out[place{t.Var, down}] = true
		if at.Rel != ta.GE {
			out[place{t.Var, !down}] = true
		}
	}
	return out
}

// became looks at where an atom has become true that is so at a position; nowhere if it has been from the start.
func (e *explainer) became(at ta.Atom, pos int, look func(int, run.Places[place])) {
	for pos > 0 && at.Eval(e.trace.Configs[pos-1].Value) {
		pos--
	}
	if pos == 0 {
		return
	}
	for e.trace.Places[pos].Times.Sign() > 0 { // a step that is taken several times
		pos++
	}
	look(pos, places(at))
}

// effects are what the steps do. A step needs a process where its rule begins, and its guard, as far as that
// was not so at first.
func (e *explainer) effects() []run.Effect[place] {
	list := make([]run.Effect[place], len(e.Run.Steps)+1)
	for k, t := range e.Run.Steps {
		f := run.Effect[place]{Needs: run.Places[place]{}, Writes: map[place]run.Places[place]{}}
		r := &e.Automaton.Rules[t.Rule]
		for _, at := range e.guard(r, e.Configs[k:k+1]) {
			if !at.Eval(e.Configs[0].Value) {
				f.Needs.Add(places(at))
			}
		}
		if e.Configs[0].Counters[r.From].Cmp(t.Factor) < 0 {
			f.Needs[place{of: ta.Symbol{Kind: ta.Counter, Index: r.From}}] = true
		}
		write := func(kind ta.Kind, before, now []*big.Int) {
			for i := range now {
				if change := now[i].Cmp(before[i]); change != 0 {
					at := place{ta.Symbol{Kind: kind, Index: i}, change < 0}
					f.Writes[at] = run.Places[place]{at: true}
				}
			}
		}
		write(ta.Counter, e.Configs[k].Counters, e.Configs[k+1].Counters)
		write(ta.Shared, e.Configs[k].Shared, e.Configs[k+1].Shared)
		list[k+1] = f
	}
	return list
}

// because tells a step with what its guard saw.
func (e *explainer) because(k int, after []int) {
	r := &e.Automaton.Rules[e.Run.Steps[k-1].Rule]
	before := e.Configs[k-1 : k]
	seen := strings.Join(e.values(e.guard(r, before), before), ", ")
	e.x.Out.Add(run.Taken(k, fmt.Sprintf("step %d takes rule %s", k, e.rule(r)), seen, after))
}

func (e *explainer) rule(r *ta.Rule) string {
	return fmt.Sprintf("%s (%s)", e.Automaton.RuleName(r), e.Automaton.FormatMove(r))
}

// Waiting states why nothing changes that would make a claim false: processes that stay where it sees too many, or else
// those that stay where a rule leads out, and those that go round.
func (e *explainer) Waiting(c claim, pos int) {
	if e.Run.Loop == ta.Finite {
		return
	}
	atoms := e.evidence(c, e.trace.Configs[pos:])
	var seen []ta.Symbol
	for _, at := range atoms {
		for _, t := range at.Linear.Terms() {
			if t.Var.Kind == ta.Counter && e.stays(t.Var) && e.tooMany(at, t.Coef) {
				seen = append(seen, t.Var)
			}
		}
	}
	var round []string
	for _, t := range e.Run.Steps[e.Run.Loop:] {
		if r := &e.Automaton.Rules[t.Rule]; !r.SelfLoop() {
			round = append(round, e.Automaton.FormatMove(r))
		}
	}
	if len(seen) == 0 {
		seen = e.staying(e.leads)
	}
	if len(seen) == 0 && len(round) == 0 { // everybody is where no rule leads out
		seen = e.staying(func(ta.Symbol) bool { return true })
	}
	for _, s := range seen {
		if !e.left(s) {
			e.stuck(s)
		}
	}
	if len(round) > 0 {
		why := run.Waits("the loop goes round for ever", strings.Join(round, ", "))
		why.Step = e.Run.Loop + 1
		e.x.Out.Add(why)
	}
}

// tooMany reports whether fewer processes in a location would help to make an atom false that is true in the loop; coef
// is what the atom multiplies their number with. Who has arrived where all should be is not to blame.
func (e *explainer) tooMany(at ta.Atom, coef linear.Int) bool {
	switch at.Rel {
	case ta.GE:
		return coef.Sign() > 0
	case ta.NE:
		return coef.Sign() == at.Linear.Eval(e.Configs[e.Run.Loop].Value).Sign()
	}
	return true
}

// staying lists the locations of a kind that are occupied all through the loop.
func (e *explainer) staying(kind func(ta.Symbol) bool) []ta.Symbol {
	var list []ta.Symbol
	for i := range e.Automaton.Locations {
		if s := (ta.Symbol{Kind: ta.Counter, Index: i}); e.stays(s) && kind(s) {
			list = append(list, s)
		}
	}
	return list
}

// stays reports whether a location is occupied all through the loop.
func (e *explainer) stays(s ta.Symbol) bool {
	return !slices.ContainsFunc(e.Configs[e.Run.Loop:], func(c *ta.Config) bool { return c.Value(s).Sign() == 0 })
}

// left reports whether the loop takes a rule out of a location: who is there comes and goes.
func (e *explainer) left(s ta.Symbol) bool {
	return slices.ContainsFunc(e.Run.Steps[e.Run.Loop:], func(t ta.Transition) bool {
		r := &e.Automaton.Rules[t.Rule]
		return r.From == s.Index && !r.SelfLoop()
	})
}

// leads reports whether a rule leads out of a location.
func (e *explainer) leads(s ta.Symbol) bool {
	return slices.ContainsFunc(e.Automaton.Rules, func(r ta.Rule) bool { return r.From == s.Index && !r.SelfLoop() })
}

// stuck states why a process stays in a location: rules out of it that cannot be taken, or need not be.
func (e *explainer) stuck(s ta.Symbol) {
	a, loop := e.Automaton, e.Configs[e.Run.Loop:]
	who := fmt.Sprintf("%s in %s", processes(loop[0].Value(s)), a.SymbolName(s))
	if !e.leads(s) {
		e.x.Out.Add(run.Waits(who, "no rule leads out of it"))
		return
	}
	var rules partition.Groups[string, string]
	for i := range a.Rules {
		if r := &a.Rules[i]; r.From == s.Index && !r.SelfLoop() {
			rules.Add(e.untaken(r, loop), e.rule(r))
		}
	}
	for why, list := range rules.All() {
		e.x.Out.Add(run.Waits(who, spell.Rules(list)+": "+why))
	}
}

// untaken says why a rule is not taken in the loop.
func (e *explainer) untaken(r *ta.Rule, loop []*ta.Config) string {
	if r.Guard.IsTrue() {
		return "enabled" + e.unforced()
	}
	for i, c := range loop {
		if ta.Holds(r.Guard, c.Value) {
			return "enabled by " + strings.Join(e.values(e.guard(r, loop[i:i+1]), loop[i:i+1]), ", ") +
				e.unforced()
		}
	}
	refused := e.evidence(claim{Part: part{cond: r.Guard.Negate()}, Want: true}, loop)
	if seen := e.values(refused, loop); len(seen) > 0 {
		return "not enabled, " + strings.Join(seen, ", ")
	}
	return "not enabled, needs " + e.Automaton.FormatCond(r.Guard)
}

// unforced says that a rule need not fire, and how it would have to where no premise says anything of all time.
func (e *explainer) unforced() string {
	const text = ", but nothing forces it to fire"
	if slices.ContainsFunc(e.premises, lasting) {
		return text
	}
	return text + " (see --fair)"
}

// lasting reports whether an expression speaks of all time.
func lasting(x *syntax.Expr) bool {
	return x.Op == syntax.Globally || slices.ContainsFunc(x.Args, lasting)
}

// edge states assumptions that these parameters only just satisfy.
func (e *explainer) edge() {
	start := e.Run.Start
	var tight []string
	for _, c := range e.Automaton.Resilience.Conjuncts() {
		if c.Op == boolean.OpAtom && c.Atom.Rel == ta.GE && len(c.Atom.Linear.Terms()) > 1 &&
			c.Atom.Linear.Eval(start.Value).Sign() == 0 {
			tight = append(tight, e.Automaton.FormatAtom(c.Atom))
		}
	}
	e.x.Out.AtLimit(tight)
}

// processes counts processes in words.
func processes(n *big.Int) string {
	if n.IsInt64() && n.Int64() == 1 {
		return "1 process"
	}
	return n.String() + " processes"
}
