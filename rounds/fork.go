package rounds

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/verify"
	"tacheck/witness"
)

// Attack is what an adversary can do that sees coins: a prefix, after which a coin is tossed, and two ways to go on. Each
// is a run of a round; both have been replayed.
type Attack struct {
	Either, Or *witness.Witness
	Prefix     int // how many steps both have in common
}

// binding shows that when the first coin of a round is seen, there is at most one value left with which processes
// can end the round for sure. An adversary that does not see coins need not be asked.
func (p *prover) binding(v values) (bool, error) {
	random := p.random(v)
	if p.spec.Against == ta.Unseen || len(random) == 0 {
		p.k.result.Because = append(p.k.result.Because, map[bool]string{
			true: "no coins: nothing to be seen", false: "against adversaries whose choices in a round do not depend on its coins"}[len(random) == 0])
		return true, nil
	}
	late := p.spec.Against == ta.Any
	nodes := p.nodes
	if late {
		// Who arrives late may come from another continuation of the rounds before.
		var all []int
		for _, n := range p.nodes {
			all = append(all, n.at...)
		}
		slices.Sort(all)
		nodes = []*node{{state: state{at: slices.Compact(all)}}}
	}
	text := "when a coin of a round is seen first, one value at most is left with which processes can end the round for sure"
	if late {
		text += ", whoever arrives later"
	}
	for _, n := range nodes {
		b := &builder{m: p.machine}
		for _, suffix := range []string{first, second} {
			b.round(suffix, start{at: n.at, late: late})
		}
		a, err := b.automaton(p.a.Name)
		if err != nil {
			return false, err
		}
		ok, err := p.pairs(v, func(x, y []int) (bool, error) {
			for _, seen := range p.seenFirst() {
				r, err := p.k.ask(a, p.forked(b, seen, x, y))
				if err != nil {
					return false, err
				}
				if r.Verdict == verify.Holds {
					continue
				}
				p.fails("binding", text, r)
				if r.Witness == nil {
					return false, nil
				}
				return false, p.attack(n, late, a, r)
			}
			return true, nil
		})
		if !ok || err != nil {
			return false, err
		}
	}
	p.note("binding", text)
	return true, nil
}

// seenFirst lists the conditions under which a coin of a round can be seen: somebody tosses, or so many are where the common coin
// decides as it takes to reveal it.
func (p *prover) seenFirst() (list []string) {
	kind := func(kind ta.SwitchKind) []int {
		return p.where(func(l int) bool { s := p.machine.ends[l]; return s != nil && s.Kind == kind && len(s.To) > 1 })
	}
	if l := kind(ta.Toss); len(l) > 0 {
		list = append(list, p.some(l, first))
	}
	if l := kind(ta.Coin); len(l) > 0 {
		list = append(list, fmt.Sprintf("%s >= %s", p.sum(l, first), p.a.FormatLinear(p.rs.Revealed)))
	}
	return list
}

// forked says that from no configuration that both copies come to, in which a coin can be seen, one goes on to some ends and
// the other one to others.
func (p *prover) forked(b *builder, seen string, x, y []int) *syntax.Expr {
	equal := []string{seen}
	half := func(list []string) {
		for i := range len(list) / 2 {
			equal = append(equal, fmt.Sprintf("%s == %s", list[i], list[i+len(list)/2]))
		}
	}
	half(b.locations)
	half(b.shared)
	return expr("!(<>(%s && <>%s && <>%s))", strings.Join(equal, " && "), p.some(x, first), p.some(y, second))
}

// attack makes two runs of a round of one of both copies.
func (p *prover) attack(n *node, late bool, both *ta.Automaton, r *verify.Result) error {
	one, err := p.one(start{at: n.at, late: late})
	if err != nil {
		return err
	}
	run := r.Witness.Run
	half := len(both.Rules) / 2
	fork := p.forkAt(both, r.Witness)
	if fork < 0 {
		return fmt.Errorf("internal error, please report: two continuations without a common prefix")
	}
	start := &ta.Config{Params: run.Start.Params, Counters: run.Start.Counters[:len(one.Locations)], Shared: run.Start.Shared[:len(one.Shared)]}
	steps := func(from, to int, second bool) (list []ta.Transition) {
		for _, t := range run.Steps[from:to] {
			if (t.Rule >= half) == second {
				t.Rule %= half
				list = append(list, t)
			}
		}
		return list
	}
	prefix := steps(0, fork, false)
	end := len(run.Steps)
	out := &Attack{Prefix: len(prefix)}
	if out.Either, err = check(one, &ta.Run{Start: start, Steps: append(slices.Clone(prefix), steps(fork, end, false)...), Loop: ta.Finite}); err != nil {
		return err
	}
	if out.Or, err = check(one, &ta.Run{Start: start, Steps: append(slices.Clone(prefix), steps(fork, end, true)...), Loop: ta.Finite}); err != nil {
		return err
	}
	p.out.Attack = out
	p.k.result.Because = append(p.k.result.Because, out.tell()...)
	return nil
}

// forkAt finds where both copies are in the same configuration and the coin can be seen: the last such place from which the rest
// of the run is what the formula asks for.
func (p *prover) forkAt(both *ta.Automaton, w *witness.Witness) int {
	for _, seen := range p.seenFirst() {
		c, err := both.Cond(expr("%s", seen))
		if err != nil {
			continue
		}
		for i := range w.Configs {
			config := w.Configs[i]
			if c.Eval(config.Value) && same(config) {
				return i
			}
		}
	}
	return -1
}

// same reports whether both halves of a configuration are equal.
func same(c *ta.Config) bool {
	for i := range len(c.Counters) / 2 {
		if c.Counters[i].Cmp(c.Counters[i+len(c.Counters)/2]) != 0 {
			return false
		}
	}
	for i := range len(c.Shared) / 2 {
		if c.Shared[i].Cmp(c.Shared[i+len(c.Shared)/2]) != 0 {
			return false
		}
	}
	return true
}

// tell says what the adversary does.
func (x *Attack) tell() []string {
	list := func(w *witness.Witness, from, to int) string {
		var parts []string
		for i, s := range w.Steps() {
			if i >= from && i < to {
				parts = append(parts, fmt.Sprintf("%s x %s", s.Times, s.Move))
			}
		}
		if parts == nil {
			return "nothing"
		}
		return strings.Join(parts, ", ")
	}
	return []string{
		fmt.Sprintf("an attack with %s (replayed): first %s; a coin is seen;", parameters(x.Either), list(x.Either, 0, x.Prefix)),
		"  either " + list(x.Either, x.Prefix, len(x.Either.Run.Steps)),
		"  or " + list(x.Or, x.Prefix, len(x.Or.Run.Steps)),
	}
}

// parameters says the values of a run's parameters.
func parameters(w *witness.Witness) string {
	var parts []string
	for i, p := range w.Automaton.Parameters {
		parts = append(parts, fmt.Sprintf("%s = %s", p.Name, w.Run.Start.Params[i]))
	}
	return strings.Join(parts, ", ")
}
