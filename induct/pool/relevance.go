package pool

import (
	"math/bits"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Relevance: of the lemmas that a CTI denies, those come first that speak of nothing but what the question speaks of,
// and those that count which were named for it; then those that speak of more. (Hoder, Voronkov: Sine qua non for large
// theory reasoning, CADE 2011, on symbols.)

// set has numbers; those from the last one on are one.
type set [4]uint64

func (a *set) add(n int) {
	n = min(n, 64*len(a)-1)
	a[n/64] |= 1 << (n % 64)
}

func (a set) with(b set) set {
	for i := range a {
		a[i] |= b[i]
	}
	return a
}

// beyond counts what is not in another set.
func (a set) beyond(b set) (n int) {
	for i := range a {
		n += bits.OnesCount64(a[i] &^ b[i])
	}
	return n
}

// Things are what conditions speak of: cells, fields of messages and values of enumerations; and what they count.
type Things struct{ said, counted set }

func (a Things) with(b Things) Things { return Things{a.said.with(b.said), a.counted.with(b.counted)} }

// distance is how much conditions speak of that is not known: two for each thing, one for what they count.
func (a Things) distance(known Things) int {
	return 2*a.said.beyond(known.said) + a.counted.beyond(known.counted)
}

// symbols numbers things.
type symbols struct {
	alike alike
	of    map[string]int
}

func newSymbols(m *protocol.Model) *symbols {
	return &symbols{alike: alike{m: m}, of: map[string]int{}}
}

// in is what a term speaks of.
func (s *symbols) in(t *protocol.Term) (out Things) {
	if t == nil {
		return out
	}
	number := func(name string) int {
		if _, known := s.of[name]; !known {
			s.of[name] = len(s.of)
		}
		return s.of[name]
	}
	for t := range t.All() {
		switch {
		case t.Op == ftdp.Count && t.Written != nil:
			out.counted.add(number(t.Written.Expr.String()))
		case t.Op == ftdp.Number && t.Type != nil && t.Type.Kind == protocol.KindEnum:
			if 0 <= t.Value && int(t.Value) < len(t.Type.Values) {
				out.said.add(number("value " + t.Type.Values[t.Value]))
			}
		case t.IsPlace() && t.Base != protocol.BaseLet && t.Type.Kind != protocol.KindEnum:
			if name := s.alike.name(t); name != "" {
				out.said.add(number(name))
			}
		}
	}
	return out
}

// About is what a question speaks of: conditions, and what the transitions of a name read and write; where no name is
// given, those that write what the conditions speak of.
func (p *Pool) About(name string, conditions ...*protocol.Term) Things {
	var said Things
	for _, t := range conditions {
		said = said.with(p.symbols.in(t))
	}
	out := said
	for _, list := range [][]protocol.Transition{p.m.Inits, p.m.Rules} {
		for i := range list {
			var reads, writes Things
			for t := range list[i].Terms() {
				reads = reads.with(p.symbols.in(t))
			}
			for s := range protocol.Steps(list[i].Body) {
				writes = writes.with(p.symbols.in(s.Target))
			}
			writing := writes.said.beyond(said.said) < writes.said.beyond(set{})
			if list[i].Label == name || name == "" && list[i].Executor >= 0 && writing {
				out = out.with(reads).with(writes)
			}
		}
	}
	return out
}

// about is what a clause speaks of.
func (c *clause) about() Things {
	out := c.of.guarded
	for _, l := range c.lits {
		out = out.with(c.of.about[l/2])
	}
	return out
}
