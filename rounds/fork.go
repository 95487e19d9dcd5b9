package rounds

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// binding shows that when the first coin of a round is seen, there is at most one value left with which processes
// can end the round for sure. An adversary that does not see coins need not be asked.
func (p *prover) binding(v values) (bool, error) {
	random := p.random(v)
	if p.spec.Against == ta.Unseen || len(random) == 0 {
		p.k.result.Because = append(p.k.result.Because, map[bool]string{
			true:  "no coins: nothing to be seen",
			false: "against adversaries whose choices in a round do not depend on its coins"}[len(random) == 0])
		return true, nil
	}
	if p.spec.Against == ta.Any {
		// An attack in which no process arrives late is one, too, and easier to find.
		if p.k.given == nil {
			before := *p.k.result
			ok, err := p.bound(v, false)
			if err != nil || p.out.Attack != nil {
				return false, err
			}
			if !ok { // not decided
				*p.k.result, p.k.why, p.open = before, "", false
			}
		}
		return p.bound(v, true)
	}
	return p.bound(v, false)
}

// bound shows binding for rounds that all begin before any step, or at which processes arrive late.
func (p *prover) bound(v values, late bool) (bool, error) {
	nodes := p.nodes
	text := "when a coin of a round is seen first, one value at most is left with which processes can end the round " +
		"for sure"
	if late {
		nodes = []*node{{state: state{at: p.anywhere()}}}
		text += ", whichever process arrives later"
	}
	for _, n := range nodes {
		ok, err := p.apart(v, func(kinds [][]int) (bool, error) { return p.forkless(n, late, text, kinds) })
		if !ok || err != nil {
			return false, err
		}
	}
	if p.spec.Against != ta.Any || late {
		p.note("binding", text)
	}
	return true, nil
}

// forkless shows that no configuration in which a coin is seen first can be left for ends of different kinds.
func (p *prover) forkless(n *node, late bool, text string, kinds [][]int) (bool, error) {
	b := &builder{m: p.machine, assume: slices.Clone(p.only)}
	for i := range kinds {
		b.round(copyOf(i), start{at: n.at, late: late})
	}
	a, err := b.automaton(p.a.Name)
	if err != nil {
		return false, err
	}
	for _, seen := range p.seenFirst(copyOf(0)) {
		p.k.small = true // an attack is for people to read
		r, err := p.k.ask(a, p.forked(b, seen, kinds))
		p.k.small = false
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
		return false, p.attack(n, late, kinds, a, r)
	}
	return true, nil
}

// anywhere lists all borders that can be: a process that arrives late may come from another continuation of the rounds
// before.
func (p *prover) anywhere() (all []int) {
	for _, n := range p.nodes {
		all = append(all, n.at...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// seenFirst lists the conditions under which a coin of a round can be seen, in a copy: some process tosses, or so many
// are where the common coin decides as it takes to reveal it.
func (p *prover) seenFirst(suffix string) (list []*syntax.Expr) {
	kind := func(kind ta.SwitchKind) []int {
		return p.where(func(l int) bool { s := p.machine.ends[l]; return s != nil && s.Kind == kind && len(s.To) > 1 })
	}
	if l := kind(ta.Toss); len(l) > 0 {
		list = append(list, p.occupied(l, suffix))
	}
	if l := kind(ta.Coin); len(l) > 0 {
		list = append(list, made.Op(syntax.Ge, p.sum(l, suffix), p.linear(p.rs.Revealed)))
	}
	return list
}

// forked says that from no configuration that all copies come to, in which a coin can be seen, each goes on to ends of
// a kind of its own.
func (p *prover) forked(b *builder, seen *syntax.Expr, kinds [][]int) *syntax.Expr {
	parts := []*syntax.Expr{seen}
	equal := func(list []string) {
		size := len(list) / len(kinds)
		for i := size; i < len(list); i++ {
			parts = append(parts, made.Op(syntax.Eq, made.Name(list[i-size]), made.Name(list[i])))
		}
	}
	equal(b.locations)
	equal(b.shared)
	for i, ends := range kinds {
		parts = append(parts, finally(p.occupied(ends, copyOf(i))))
	}
	return neverAll(parts...)
}

// attack makes a run of a round of each of some copies, one for each of some kinds of ends.
func (p *prover) attack(n *node, late bool, kinds [][]int, all *ta.Automaton, r *verify.Result) error {
	copies := len(kinds)
	one, err := p.one(start{at: n.at, late: late})
	if err != nil {
		return err
	}
	run := r.Witness.Run
	size := len(all.Rules) / copies
	fork := p.forkAt(all, copies, r.Witness)
	if fork < 0 {
		return fmt.Errorf("internal error, please report: continuations without a common prefix")
	}
	start := &ta.Config{Params: run.Start.Params, Counters: run.Start.Counters[:len(one.Locations)],
		Shared: run.Start.Shared[:len(one.Shared)]}
	steps := func(from, to, which int) (list []ta.Transition) {
		for _, t := range run.Steps[from:to] {
			if t.Rule/size == which {
				t.Rule %= size
				list = append(list, t)
			}
		}
		return list
	}
	prefix := steps(0, fork, 0)
	out := &Attack{Prefix: len(prefix)}
	for i := range copies {
		way := append(slices.Clone(prefix), steps(fork, len(run.Steps), i)...)
		w, err := check(one, &ta.Run{Start: start, Steps: way, Loop: ta.Finite})
		if err != nil {
			return err
		}
		out.Ways = append(out.Ways, w)
	}
	p.out.Attack = out
	p.k.result.Because = append(p.k.result.Because, out.tell()...)
	return nil
}

// forkAt finds where all copies are in the same configuration and the coin can be seen: the first such place.
func (p *prover) forkAt(all *ta.Automaton, copies int, w *witness.Witness) int {
	for _, seen := range p.seenFirst(copyOf(0)) {
		c, err := all.Cond(seen)
		if err != nil {
			continue
		}
		for i := range w.Configs {
			config := w.Configs[i]
			if ta.Holds(c, config.Value) && same(config.Counters, copies) && same(config.Shared, copies) {
				return i
			}
		}
	}
	return -1
}

// same reports whether a list consists of copies of its first part.
func same(list []*big.Int, copies int) bool {
	size := len(list) / copies
	for i := size; i < len(list); i++ {
		if list[i].Cmp(list[i-size]) != 0 {
			return false
		}
	}
	return true
}

// tell says what the adversary does.
func (x *Attack) tell() []string {
	list := func(w *witness.Witness, from, to int) string {
		var parts []string
		for _, s := range w.Run.Steps[from:to] {
			parts = append(parts, fmt.Sprintf("%s x %s", s.Factor, w.Automaton.FormatMove(&w.Automaton.Rules[s.Rule])))
		}
		if parts == nil {
			return "nothing"
		}
		return strings.Join(parts, ", ")
	}
	one := x.Ways[0]
	lines := []string{fmt.Sprintf("an attack with %s (replayed): first %s; a coin is seen;", parameters(one),
		list(one, 0, x.Prefix))}
	for i, w := range x.Ways {
		word := map[bool]string{true: "  either ", false: "  or "}[i == 0]
		lines = append(lines, word+list(w, x.Prefix, len(w.Run.Steps)))
	}
	return lines
}
