package everysize

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Fits reports whether no result of arithmetic in an instance can be too large for 32 bits, by the bounds of what it is
// made of. Formulas have integers of any size: where it is false, that nothing goes wrong in them says less.
func Fits(m *protocol.Model) bool {
	fits := func(t *protocol.Term) bool {
		return !t.Any(func(t *protocol.Term) bool {
			return (t.Op == ftdp.Plus || t.Op == ftdp.Sub || t.Op == ftdp.Times) && !protocol.Bounds(t).Small()
		})
	}
	for _, list := range [][]protocol.Transition{m.Inits, m.Rules} {
		for i := range list {
			for s := range protocol.Steps(append(slices.Clip(list[i].First), list[i].Body...)) {
				for t := range s.Terms() {
					if !fits(t) {
						return false
					}
				}
			}
			if !fits(list[i].Guard) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(m.Props, func(p protocol.Prop) bool { return !fits(p.Invariant) })
}
