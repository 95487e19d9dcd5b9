package threshold

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// In the text, a process takes a coin, and what follows, in the step in which it comes to it; in the automaton of a
// round it waits at a location until all have ended the round. So no process is there in a state of the text, and no
// violation is lost whatever such a location counts as (docs/rounds-proofs.md, "Why it is right: safety"). It counts as
// what is true whatever the coin says.

// truth says whether a condition is true of a process at a location, and whether it is false: where a coin is waited
// for, it may be neither. Not ok if it has no value.
func (t *Translation) truth(c *ftdp.Expr, l int) (yes, no, ok bool) {
	at, waits := t.coins[l]
	if !waits {
		at = []int{l}
	}
	yes, no = true, true
	for _, to := range at {
		n, known := t.Source.Number(c, t.values(&t.Locations[to]))
		if !known {
			return false, false, false
		}
		yes, no = yes && n != 0, no && n == 0
	}
	return yes, no, true
}
