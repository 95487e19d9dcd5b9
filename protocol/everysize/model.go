package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// truthOf is Yes or No.
func truthOf(is bool) boolean.Truth {
	if is {
		return boolean.Yes
	}
	return boolean.No
}

// variable returns the value of a variable, if it is known.
func (m *groundModel) variable(v *smt.Var) (int64, bool) {
	if x, ok := m.values[v]; ok {
		return x, true
	}
	if m.lookup != nil {
		return m.lookup(v)
	}
	a := m.p.w.vars[v.Name]
	if a == nil {
		return 0, false
	}
	key, ok := m.arguments(a)
	if !ok {
		return 0, false
	}
	x, ok := m.tables[a.f][key]
	if !ok && m.complete && a.f.leaf != nil {
		return m.usual(a.f), true
	}
	return x, ok || a.f.closed
}

// usual is the value of a cell that the solver's model leaves open: the least value of its type,
// false, correct, undefined.
func (m *groundModel) usual(f *function) int64 {
	if f.sort == smt.Bool || f.leaf.status {
		return 0
	}
	lo, _ := m.p.w.x.bounds(f.leaf.typ)
	x, _ := m.linear(lo)
	return x
}

// arguments is a key of the arguments of a term, if they are known.
func (m *groundModel) arguments(a *app) (string, bool) {
	list := make([]int64, 0, len(a.args)+len(a.bools))
	for _, l := range a.args {
		x, ok := m.linear(l)
		if !ok {
			return "", false
		}
		list = append(list, x)
	}
	for _, b := range a.bools {
		x := m.formula(b)
		if x == boolean.Maybe {
			return "", false
		}
		list = append(list, int64(x))
	}
	return valuesKey(list), true
}

func (m *groundModel) linear(l smt.Linear) (int64, bool) {
	sum := l.Const().Int64()
	for _, t := range l.Terms() {
		x, ok := m.variable(t.Var)
		if !ok {
			return 0, false
		}
		sum += t.Coef.Int64() * x
	}
	return sum, true
}

// formula evaluates a ground formula.
func (m *groundModel) formula(f *smt.Formula) boolean.Truth {
	switch f.Op {
	case smt.OpVar:
		x, ok := m.variable(f.Var)
		if !ok {
			return boolean.Maybe
		}
		return truthOf(x != 0)
	case smt.OpGE, smt.OpEQ:
		x, ok := m.linear(f.Linear)
		if !ok {
			return boolean.Maybe
		}
		return truthOf(f.Op == smt.OpGE && x >= 0 || x == 0)
	case smt.OpNot:
		return -m.formula(f.Args[0])
	}
	decides := truthOf(f.Op == smt.OpOr)
	out := truthOf(f.Op == smt.OpAnd)
	for _, a := range f.Args {
		switch m.formula(a) {
		case decides:
			return decides
		case boolean.Maybe:
			out = boolean.Maybe
		}
	}
	return out
}

// holds reports whether a node is known to be true.
func (m *groundModel) holds(n node) bool { return m.true(n, false) }

// may reports whether a node is not known to be false.
func (m *groundModel) may(n node) bool { return m.true(n, true) }

// true evaluates a node; what is unknown of ground formulas counts as `open`.
func (m *groundModel) true(n node, open bool) bool {
	switch n := n.(type) {
	case lit:
		is := m.formula(n.f)
		return is == boolean.Yes || open && is == boolean.Maybe
	case and:
		return !slices.ContainsFunc(n, func(a node) bool { return !m.true(a, open) })
	case or:
		return slices.ContainsFunc(n, func(a node) bool { return m.true(a, open) })
	case *quant:
		result := n.all
		open = open && n.all // whom there has to be is known
		m.bindings(n.domain(), func(b binding) bool {
			if m.true(n.at(b), open) != n.all {
				result = !n.all
			}
			return result == n.all
		})
		return result
	}
	return m.many(n.(*many), open)
}

// many reports whether enough of the processes that are known satisfy a condition; or a set that is large enough does,
// as far as its members are known. With `open` it is enough if all sets that are known are met where they have to be.
func (m *groundModel) many(n *many, open bool) bool {
	least, ok := m.linear(n.least)
	if !ok {
		return false
	}
	if least <= 0 {
		return true
	}
	var yesses []binding
	m.bindings(scalarRole(m.p.w.x, n.role), func(b binding) bool {
		if m.holds(n.yesAt(b)) {
			yesses = append(yesses, b)
		}
		return int64(len(yesses)) < least
	})
	if int64(len(yesses)) >= least {
		return true
	}
	for _, s := range m.p.w.sets {
		if size, ok := m.linear(s.size); ok && s.role == n.role && size >= least && m.formula(s.when) == boolean.Yes &&
			m.within(s, n) {
			return true
		}
	}
	return open && m.met(n, yesses, nil, 0)
}

// within reports whether some members of a set are known, and none that does not satisfy a condition.
func (m *groundModel) within(s *set, n *many) bool {
	some, all := false, true
	m.bindings(scalarRole(m.p.w.x, s.role), func(b binding) bool {
		if m.member(s, b) {
			some = true
			all = all && m.may(n.yesAt(b))
		}
		return all
	})
	return some && all
}

// met reports whether, of every few sets that have a member in common that satisfies a condition that many do, such a
// member is known.
func (m *groundModel) met(n *many, yesses []binding, chosen []*set, from int) bool {
	more, _ := m.linear(n.least)
	all, ok := m.linear(n.size)
	if !ok {
		return false
	}
	for _, s := range chosen {
		size, ok := m.linear(s.size)
		if !ok {
			return false
		}
		more += size - all
	}
	if more >= 1 && !slices.ContainsFunc(yesses, func(b binding) bool { return m.isIn(b, chosen) }) {
		return false
	}
	if len(chosen) == 2 {
		return true
	}
	for i := from; i < len(m.p.w.sets); i++ {
		s := m.p.w.sets[i]
		if s.role == n.role && m.formula(s.when) == boolean.Yes && !m.met(n, yesses,
			append(chosen[:len(chosen):len(chosen)], s), i+1) {
			return false
		}
	}
	return true
}

// member reports whether a process is known to be one of a set. Where that rests on sets (a count within a count), it
// may rest on the set itself: then it is not known.
func (m *groundModel) member(s *set, b binding) bool {
	if m.asked[s] {
		return false
	}
	if m.asked == nil {
		m.asked = map[*set]bool{}
	}
	m.asked[s] = true
	defer delete(m.asked, s)
	return m.holds(s.yes(b))
}

// isIn reports whether a process is known to be a member of sets.
func (m *groundModel) isIn(b binding, sets []*set) bool {
	return !slices.ContainsFunc(sets, func(s *set) bool { return !m.member(s, b) })
}

// common reports whether a process that is known is a member of some sets.
func (m *groundModel) common(sets []*set) bool {
	found := false
	m.bindings(scalarRole(m.p.w.x, sets[0].role), func(b binding) bool {
		found = m.isIn(b, sets)
		return !found
	})
	return found
}

// bindings calls yield with an element for each value in a domain, until it returns false, or time is up.
func (m *groundModel) bindings(d *domain, each func(b binding) bool) {
	yield := func(b binding) bool { return !m.p.late() && each(b) }
	if m.elements != nil {
		m.elements(d, yield)
		return
	}
	if d.sent != nil {
		m.messages(d.sent, yield)
		return
	}
	lo, ok := m.linear(d.lo)
	hi, ok2 := m.linear(d.hi)
	if !ok || !ok2 {
		return
	}
	for _, l := range m.representatives(d) {
		if x, ok := m.linear(l); ok && lo <= x && x <= hi {
			if !yield(binding{one: number(l)}) {
				return
			}
		}
	}
}

// representatives has a term of each value, the oldest one; of ranges of numbers also their bounds.
func (m *groundModel) representatives(d *domain) []smt.Linear {
	if d.at != nil && !m.complete {
		return m.placed(d)
	}
	list, ok := m.reps[d.role]
	if !ok && d.role >= 0 && len(m.p.pools[d.role]) == 0 {
		list = []smt.Linear{smt.N(1)}
		m.reps[d.role] = list
	} else if !ok {
		at := map[int64]int{}
		for _, l := range m.p.pools[d.role] {
			x, known := m.linear(l)
			if !known {
				continue
			}
			i, old := at[x]
			switch {
			case !old:
				at[x] = len(list)
				list = append(list, l)
			case m.p.w.generation(l) < m.p.w.generation(list[i]):
				list[i] = l
			}
		}
		m.reps[d.role] = list
	}
	if d.role >= 0 {
		return list
	}
	for _, bound := range []smt.Linear{d.lo, d.hi} {
		x, known := m.linear(bound)
		for _, l := range list {
			if y, _ := m.linear(l); y == x {
				known = false
			}
		}
		if known {
			list = append(list[:len(list):len(list)], bound)
		}
	}
	return list
}

// placed has a term of each value that is found at the positions of a domain.
func (m *groundModel) placed(d *domain) []smt.Linear {
	var list []smt.Linear
	at := map[int64]bool{}
	for _, pos := range d.at {
		for _, l := range m.p.placed[pos] {
			if x, known := m.linear(l); known && !at[x] {
				at[x] = true
				list = append(list, l)
			}
		}
	}
	return list
}

// messages calls yield with the messages that were sent.
func (m *groundModel) messages(ch *channel, yield func(b binding) bool) {
	from, ok := m.linear(ch.from)
	to, ok2 := m.linear(ch.to)
	if !ok || !ok2 {
		return
	}
	of := channelKey{ch.fromRole, ch.toRole, from, to, m.complete, len(m.p.sent)}
	list, known := m.sent[of]
	if !known {
		list = m.sentIn(of)
		m.sent[of] = list
	}
	for _, a := range list {
		if !yield(binding{fields: a.parts, atom: a}) {
			return
		}
	}
}

// sentIn lists the messages that were sent in a channel, each once.
func (m *groundModel) sentIn(ch channelKey) (list []*app) {
	seen := map[string]bool{}
	for _, a := range m.p.sent {
		if a.f.sent.from != ch.fromRole || a.f.sent.to != ch.toRole || m.values[a.v] == 0 {
			continue
		}
		f, _ := m.linear(a.args[0])
		t, _ := m.linear(a.args[1])
		if key, _ := m.arguments(a); f == ch.from && t == ch.to && !seen[key] {
			seen[key] = true
			list = append(list, a)
		}
	}
	return list
}

// CTI is a counterexample to induction: the part that is known of a state before the step.
type CTI struct{ m *groundModel }

// partial is the model that the last model is.
func (p *prover) partial() *CTI { return &CTI{p.m} }

// Deep reports whether witnesses of witnesses have been named in vain, or there are none: then lemmas that name further
// ones may help.
func (s *CTI) Deep() bool { return !s.m.p.beyond || s.m.p.limit > smallFrom }

// Denies reports whether a condition is known to be false in the model.
func (s *CTI) Denies(c Condition) (is bool, err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	w := s.m.p.w
	r := w.reader()
	return s.m.holds(r.never(w.x.said(c.Term), nil, true)), nil
}
