package everysize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/smt"
)

// prefix is what the variables of nested universal quantifiers stand for, outermost first, where
// a condition between them holds.
type prefix struct {
	doms  []*domain
	binds []binding
	guard []*smt.Formula // between the quantifiers
}

// instance is one of a hypothesis.
type instance struct {
	h *hypothesis
	// elements are the keys of those that it is for.
	elements []string
	gen      int
	node     node
	in       *smt.Formula // under which it is one: elements are of their domains
}

// instances adds instances of hypotheses that are false in the model: those that name nothing new, or a few that do;
// with `open`, also those that are not known to be true. Instances over old terms come first. It is false if there are
// none.
func (p *prover) instances(naming, open bool) bool {
	most := perRound
	if naming {
		most = namingPerRound
	}
	var list []*instance
	for i := 0; i < len(p.list) && len(list) < manyInstances; i++ {
		h := p.list[i]
		if p.m.formula(h.guard) != boolean.Yes {
			continue
		}
		p.denied(h, h.q, prefix{}, open, func(e prefix, n node) bool {
			if names(n, !open) != naming {
				return true
			}
			if one := p.instance(h, e); one != nil {
				list = append(list, one)
			}
			return len(list) < manyInstances
		})
	}
	slices.SortStableFunc(list, func(a, b *instance) int { return a.gen - b.gen })
	seen := map[string]bool{}
	added := 0
	for _, one := range list {
		if naming && one.gen >= p.limit {
			p.beyond = true
			continue
		}
		same := one.like()
		if seen[same] || one.h.instantiated[one.key()] {
			continue
		}
		seen[same] = true
		one.h.instantiated[one.key()] = true
		p.w.gen, p.base, p.of = one.gen, one.gen, one.h.of
		p.assume(smt.And(one.h.guard, one.in), one.node)
		if added++; added == most {
			break
		}
	}
	return added > 0
}

// key tells instances of a hypothesis apart.
func (one *instance) key() string { return strings.Join(one.elements, "!") }

// like is a key that an instance shares with those that have the same elements in another order: of these, one
// in a round is enough.
func (one *instance) like() string {
	return fmt.Sprintf("%p %s", one.h, strings.Join(slices.Sorted(slices.Values(one.elements)), "!"))
}

// denied calls yield with what is false in the model, below the universal quantifiers that a hypothesis begins with.
func (p *prover) denied(h *hypothesis, q *quant, e prefix, open bool, yield func(e prefix, n node) bool) bool {
	more := true
	p.m.bindings(q.dom, func(b binding) bool {
		n := q.at(b)
		if p.m.true(n, open) {
			return true
		}
		next := prefix{append(slices.Clip(e.doms), q.dom), append(slices.Clip(e.binds), b), e.guard}
		inner, guard := universal(n)
		if inner == nil {
			more = yield(next, n)
			return more
		}
		if guard != nil {
			next.guard = append(slices.Clip(e.guard), guard)
		}
		more = p.denied(h, inner, next, open, yield)
		return more
	})
	return more
}

// universal is the quantifier that a node is, and the condition under which it has to hold, if there is one.
func universal(n node) (*quant, *smt.Formula) {
	switch n := n.(type) {
	case *quant:
		if n.all {
			return n, nil
		}
	case or:
		if len(n) == 2 {
			if l, ok := n[0].(lit); ok {
				if q, ok := n[1].(*quant); ok && q.all {
					return q, smt.Not(l.f)
				}
			}
		}
	}
	return nil, nil
}

// instance is the one for a prefix, in terms of the messages that it speaks of: a process that is bound only as
// their sender or receiver is named by the term that is that. So it does not depend on which other
// terms have the same value at present.
func (p *prover) instance(h *hypothesis, e prefix) *instance {
	binds := slices.Clone(e.binds)
	changed := make([]bool, len(binds))
	for i, d := range e.doms {
		if d.sent == nil || binds[i].atom == nil {
			continue
		}
		for side, end := range []smt.Linear{d.sent.from, d.sent.to} {
			for j := range i {
				if e.doms[j].sent == nil && !changed[j] && len(e.binds[j].one) == 1 && e.binds[j].in == nil &&
					e.binds[j].one[0].lin.Equal(end) {
					binds[j], changed[j] = binding{one: number(binds[i].atom.args[side])}, true
					break
				}
			}
		}
	}
	one := p.along(h, binds)
	if one == nil {
		// By that name it is not seen that the rest has to hold: two processes may be one.
		if one = p.along(h, e.binds); one == nil {
			panic("everysize: the prefix of a hypothesis depends on its elements")
		}
	}
	if h.instantiated[one.key()] {
		return nil
	}
	return one
}

// along is the instance for elements of the quantifiers that a hypothesis begins with; nil if with these it begins with
// fewer.
func (p *prover) along(h *hypothesis, binds []binding) *instance {
	one := &instance{h: h, gen: h.gen}
	var in []*smt.Formula
	var node node = h.q
	for _, b := range binds {
		q, guard := universal(node)
		if q == nil {
			return nil
		}
		if guard != nil {
			in = append(in, guard)
		}
		in = append(in, p.inDomain(q.dom, b))
		node = q.at(b)
		one.gen = max(one.gen, p.generation(b))
		one.elements = append(one.elements, b.key())
	}
	one.node, one.in = node, smt.And(in...)
	return one
}

func (p *prover) generation(b binding) int {
	if b.atom != nil {
		return b.atom.gen
	}
	return p.w.generation(b.one[0].lin)
}

// names reports whether assuming a node names new elements; `counted` those that satisfy what many do, too, which are
// named later.
func names(n node, counted bool) bool {
	part := func(n node) bool { return names(n, counted) }
	switch n := n.(type) {
	case and:
		return slices.ContainsFunc(n, part)
	case or:
		return slices.ContainsFunc(n, part)
	case *quant:
		return !n.all
	case *many:
		return counted
	}
	return false
}

// inDomain says that an element is one of a domain.
func (p *prover) inDomain(d *domain, b binding) *smt.Formula {
	if d.sent == nil {
		return within(b.one[0].lin, d.lo, d.hi)
	}
	return smt.And(smt.Lit(b.atom.v), equal(b.atom.args[0], d.sent.from), equal(b.atom.args[1], d.sent.to))
}
