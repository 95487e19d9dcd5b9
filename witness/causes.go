package witness

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/ta"
)

// What an run.Explanation says beyond where formulas are true and false: steps that
// made them so, who waits and for what, parameters on the edge.

// because states which step made an atom true that is so at a position, what its guard saw, and the steps that this
// rests on.
func (e *explainer) because(at ta.Atom, pos int) {
	for pos > 0 && at.Eval(e.trace.Configs[pos-1].Value) {
		pos--
	}
	if pos == 0 { // it has been so from the start
		return
	}
	e.rests(e.trace.Places[pos-1].Steps)
}

// rests states a step, and those before it that let its guard be true or brought somebody to where its rule begins,
// each with what its guard saw. Who has come there without a guard could at any time.
func (e *explainer) rests(k int) {
	if e.named[k] {
		return
	}
	if e.named == nil {
		e.named = map[int]bool{}
	}
	e.named[k] = true
	r := &e.Automaton.Rules[e.Run.Steps[k].Rule]
	seen := "it has no guard"
	if !r.Guard.IsTrue() {
		before := e.Configs[k : k+1]
		seen = strings.Join(e.values(evidence(r.Guard, before), before), ", ")
	}
	e.out.Add(run.Reason{Kind: run.Because, Text: fmt.Sprintf("step %d takes rule %s: %s", k+1, e.rule(r), seen),
		Step: k + 1})
	for _, earlier := range e.sources(k) {
		e.rests(earlier)
	}
}

// sources lists the steps before one that its rule needs: those that have brought somebody to where it begins, if
// nobody was there at first, and those that have changed what its guard is true of since it was false.
func (e *explainer) sources(k int) (list []int) {
	r := &e.Automaton.Rules[e.Run.Steps[k].Rule]
	atoms := []ta.Atom{}
	if !r.Guard.IsTrue() {
		atoms = evidence(r.Guard, e.Configs[k:k+1])
	}
	atoms = slices.DeleteFunc(slices.Clone(atoms), func(at ta.Atom) bool { return at.Eval(e.Configs[0].Value) })
	for j := range k {
		step := &e.Automaton.Rules[e.Run.Steps[j].Rule]
		brings := step.To == r.From && !step.SelfLoop() && !step.Guard.IsTrue() &&
			e.Configs[0].Counters[r.From].Sign() == 0
		helps := slices.ContainsFunc(atoms, func(at ta.Atom) bool {
			change := at.Linear.Eval(e.Configs[j+1].Value).Cmp(at.Linear.Eval(e.Configs[j].Value))
			return change > 0 || change < 0 && at.Rel != ta.GE
		})
		if brings || helps {
			list = append(list, j)
		}
	}
	return list
}

func (e *explainer) rule(r *ta.Rule) string {
	return fmt.Sprintf("%s (%s)", e.Automaton.RuleName(r), e.Automaton.FormatMove(r))
}

// waiting states why nothing changes that would make the atoms false: who stays where they see too many, or else
// whoever stays where a rule leads out, and who goes round.
func (e *explainer) waiting(atoms []ta.Atom) {
	if e.Run.Loop == ta.Finite {
		return
	}
	var seen []ta.Symbol
	for _, at := range atoms {
		for _, t := range at.Linear.Terms() {
			if t.Var.Kind == ta.Counter && e.stays(t.Var) && e.tooMany(at, t.Coef) {
				seen = append(seen, t.Var)
				e.because(at, e.trace.Loop)
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
		e.out.Add(run.Reason{Kind: run.Waiting, Text: "the loop goes round for ever: " + strings.Join(round, ", "),
			Step: e.Run.Loop + 1})
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

// staying lists the locations of a kind where somebody is all through the loop.
func (e *explainer) staying(kind func(ta.Symbol) bool) []ta.Symbol {
	var list []ta.Symbol
	for i := range e.Automaton.Locations {
		if s := (ta.Symbol{Kind: ta.Counter, Index: i}); e.stays(s) && kind(s) {
			list = append(list, s)
		}
	}
	return list
}

// stays reports whether somebody is in a location all through the loop.
func (e *explainer) stays(s ta.Symbol) bool {
	for _, c := range e.Configs[e.Run.Loop:] {
		if c.Value(s).Sign() == 0 {
			return false
		}
	}
	return true
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

// stuck states why somebody stays in a location: rules out of it that cannot be taken, or need not be.
func (e *explainer) stuck(s ta.Symbol) {
	a, loop := e.Automaton, e.Configs[e.Run.Loop:]
	who := fmt.Sprintf("%s in %s: ", processes(loop[0].Value(s)), a.SymbolName(s))
	if !e.leads(s) {
		e.out.Add(run.Reason{Kind: run.Waiting, Text: who + "no rule leads out of it"})
		return
	}
	var whys []string
	rules := map[string][]string{}
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.From != s.Index || r.SelfLoop() {
			continue
		}
		why := e.untaken(r, loop)
		if rules[why] == nil {
			whys = append(whys, why)
		}
		rules[why] = append(rules[why], e.rule(r))
	}
	for _, why := range whys {
		noun := "rule "
		if len(rules[why]) > 1 {
			noun = "rules "
		}
		e.out.Add(run.Reason{Kind: run.Waiting, Text: who + noun + strings.Join(rules[why], ", ") + ": " + why})
	}
}

// untaken says why a rule is not taken in the loop.
func (e *explainer) untaken(r *ta.Rule, loop []*ta.Config) string {
	if r.Guard.IsTrue() {
		return "enabled, but nothing forces it to fire"
	}
	for i, c := range loop {
		if ta.Holds(r.Guard, c.Value) {
			return "enabled by " + strings.Join(e.values(evidence(r.Guard, loop[i:i+1]), loop[i:i+1]), ", ") +
				", but nothing forces it to fire"
		}
	}
	if seen := e.values(evidence(r.Guard.Negate(), loop), loop); len(seen) > 0 {
		return "not enabled, " + strings.Join(seen, ", ")
	}
	return "not enabled, needs " + e.Automaton.FormatCond(r.Guard)
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
	if len(tight) > 0 {
		e.out.Add(run.Reason{Kind: run.Edge, Text: "the parameters are at the limit of " + strings.Join(tight, ", ")})
	}
}

// processes counts processes in words.
func processes(n *big.Int) string {
	if n.IsInt64() && n.Int64() == 1 {
		return "1 process"
	}
	return n.String() + " processes"
}
