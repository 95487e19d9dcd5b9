package rounds

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// What processes keep and no guard asks for, such as what they have decided, makes many locations of one. Where only
// values count (C1, binding), a round is asked whose locations are classes of bisimilar ones: processes in locations of
// a class can take the same rules, to the same classes, and what the conditions ask of a location is the same in all of
// a class. Rules that stay in a class and change nothing are left out. So each run of the round is one of the classes,
// and the other way round.

// lump makes the machine of classes for one way to say what processes have in common; nil if it would be no smaller, or
// there is something in the round that classes have no words for.
func (m *machine) lump(v values) (*lumping, error) {
	if len(m.groups) != 1 || m.rs.Leader != nil || len(m.rs.Missing) > 0 {
		return nil, nil
	}
	empty, kept, ok := m.emptied()
	if !ok {
		return nil, nil
	}
	class, count := m.a.Bisimilar(func(l int) string { return m.label(v, l, empty[l]) },
		func(r *ta.Rule) (string, bool) { return m.does(r), changesNothing(r) })
	if count == len(m.a.Locations) {
		return nil, nil
	}
	a, err := m.lumped(class, count, empty, kept)
	if err != nil {
		return nil, err
	}
	small, err := newMachine(a)
	if err != nil {
		return nil, fmt.Errorf("internal error, please report: a round of classes is refused: %w", err)
	}
	for l, c := range class {
		begins := slices.Contains(m.groups[0].borders, l)
		if begins && !slices.Contains(small.borders, c) || m.gone[l] != small.gone[c] ||
			(m.ends[l] == nil) != (small.ends[c] == nil) {
			return nil, fmt.Errorf("internal error, please report: %s is not as its class is", m.a.Locations[l].Name)
		}
	}
	return &lumping{m: small, class: class}, nil
}

// lumping is a machine of classes.
type lumping struct {
	m     *machine
	class []int // by location of the other machine
}

// emptied lists the locations that are empty when a round begins, by its initial conditions, and the conditions that
// are about none. False if there are others.
func (m *machine) emptied() (empty []bool, kept []*syntax.Expr, ok bool) {
	empty = make([]bool, len(m.a.Locations))
	for _, e := range m.keep {
		c, err := m.a.Cond(e)
		if err != nil {
			return nil, nil, false
		}
		if !m.about(c, ta.Counter, m.where(func(int) bool { return true })) {
			kept = append(kept, e)
			continue
		}
		set, positive := []int(nil), false
		if c.Op == boolean.OpAtom && c.Atom.Rel == ta.EQ && c.Atom.Linear.Const().Sign() == 0 {
			set, positive = positiveSum(c.Atom.Linear)
		}
		if !positive {
			return nil, nil, false
		}
		for _, l := range set {
			empty[l] = true
		}
	}
	return empty, kept, true
}

// positiveSum is positive of a sum or of its negation.
func positiveSum(l ta.Linear) ([]int, bool) {
	if set, ok := positive(l); ok {
		return set, true
	}
	return positive(l.Neg())
}

// label is what the conditions ask of a location.
func (m *machine) label(v values, l int, empty bool) string {
	border := slices.Contains(m.borders, l)
	text := fmt.Sprint(border, slices.Contains(m.groups[0].borders, l), empty, m.gone[l])
	if border {
		text += fmt.Sprint(" ", v.of[l])
	}
	if s := m.ends[l]; s != nil {
		text += fmt.Sprint(" ends ", s.Kind)
		for _, b := range s.To {
			text += fmt.Sprint(" ", v.of[b])
		}
	}
	return text
}

func changesNothing(r *ta.Rule) bool { return len(r.Update.Terms()) == 0 && len(r.Resets) == 0 }

// does is the guard and the effect of a rule.
func (m *machine) does(r *ta.Rule) string {
	return m.a.FormatCond(r.Guard) + " do " + m.a.FormatUpdate(r)
}

// lumped makes the automaton of a round whose locations are classes, each with the name of its first location.
func (m *machine) lumped(class []int, count int, empty []bool, kept []*syntax.Expr) (*ta.Automaton, error) {
	first := make([]int, count)
	for l := len(class) - 1; l >= 0; l-- {
		first[class[l]] = l
	}
	name := func(c int) string { return m.a.Locations[first[c]].Name }
	b := &builder{m: m}
	for _, x := range m.a.Shared {
		b.shared = append(b.shared, x.Name)
	}
	var at []*syntax.Expr
	for c, l := range first {
		b.locations = append(b.locations, name(c))
		switch {
		case slices.Contains(m.groups[0].borders, l):
			at = append(at, made.Name(name(c)))
		case empty[l] || slices.Contains(m.borders, l):
			b.inits = append(b.inits, zero(name(c)))
		}
	}
	b.inits = append(b.inits, made.Op(syntax.Eq, made.Plus(at...), m.linear(m.groups[0].total)))
	for _, e := range slices.Concat(kept, m.common) {
		b.inits = append(b.inits, b.in(e, func(string) *syntax.Expr { return nil }))
	}
	m.lumpedRules(b, class, name)
	a, err := b.automaton(m.a.Name)
	if err != nil {
		return nil, err
	}
	a.Rounds = &ta.Rounds{Throughout: m.rs.Throughout, Revealed: m.rs.Revealed, Pos: m.rs.Pos}
	for c, l := range first {
		if s := m.ends[l]; s != nil {
			to := make([]int, len(s.To))
			for i, border := range s.To {
				to[i] = class[border]
			}
			a.Rounds.Switches = append(a.Rounds.Switches, ta.Switch{From: c, Kind: s.Kind, To: to, Pos: s.Pos})
		}
	}
	return a, nil
}

// lumpedRules adds the rules between classes, each once.
func (m *machine) lumpedRules(b *builder, class []int, name func(c int) string) {
	known := map[string]bool{}
	i := 0
	for _, s := range m.tree.Sections {
		if s.Rules == nil {
			continue
		}
		for _, r := range s.Rules.List {
			rule := &m.a.Rules[i]
			i++
			from, to := class[rule.From], class[rule.To]
			key := fmt.Sprint(from, " ", to, " ", m.does(rule))
			if known[key] || from == to && changesNothing(rule) {
				continue
			}
			known[key] = true
			out := b.rule(r, "", func(string) *syntax.Expr { return nil })
			out.From, out.To = ident(name(from), r.From), ident(name(to), r.To)
			b.rules = append(b.rules, out)
		}
	}
}

// of puts locations into classes.
func (x *lumping) of(list []int) (out []int) {
	for _, l := range list {
		out = append(out, x.class[l])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lumped is a prover of a round of classes; nil if there is none that is smaller.
func (p *prover) lumped(v values) (*prover, values, error) {
	x, err := p.machine.lump(v)
	if x == nil || err != nil {
		return nil, v, err
	}
	small := values{of: map[int]uint64{}}
	for _, g := range v.groups {
		small.groups = append(small.groups, x.of(g))
	}
	for b, of := range v.of {
		small.of[x.class[b]] = of
	}
	q := &prover{machine: x.m, k: p.k, spec: p.spec, out: &Result{Result: p.k.result}}
	for _, n := range p.nodes {
		s := &node{state: state{at: x.of(n.at)}, round: n.round}
		if !slices.ContainsFunc(q.nodes, func(o *node) bool { return s.within(o.state) }) {
			q.nodes = append(slices.DeleteFunc(q.nodes, func(o *node) bool { return o.within(s.state) }), s)
		}
	}
	return q, small, nil
}

// inClasses shows a condition by a round of classes, if there is one that is smaller. Where it fails, so it does in the
// round itself, which is asked with the same parameters: a run, or an attack, is one of that.
func (p *prover) inClasses(v values, step func(*prover, values) (bool, error)) (bool, error) {
	q, small, err := p.lumped(v)
	if err != nil {
		return false, err
	}
	if q == nil {
		return step(p, v)
	}
	was := *p.k.result
	ok, err := step(q, small)
	p.open = p.open || q.open
	if ok || err != nil || len(q.lacks) == 0 {
		return ok, err
	}
	p.k.result.Verdict, p.k.result.Reason, p.k.result.Because = was.Verdict, was.Reason, was.Because
	run := q.lacks[0].Run
	for i, x := range run.Automaton.Parameters {
		p.only = append(p.only, made.Equation(made.Name(x.Name), run.Run.Start.Params[i].Int64()))
	}
	defer func() { p.only = nil }()
	return step(p, v)
}
