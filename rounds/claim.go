package rounds

import (
	"slices"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// What is asked of all rounds, and what they can begin with.

// A claim is a way to violate a specification, weakened to what a set of locations can tell: at some time (or at
// some times, if ever) some process is in each of some sets of locations, whatever the rounds.
type claim struct {
	sets   [][]int
	ever   bool           // at times of their own
	at     []int          // borders that may not be empty in the first round
	assume []*syntax.Expr // on parameters
	bounds []bound        // on how many begin a round at some borders
	after  *ta.After      // it is asked of those that have ended so many rounds
	good   bool           // it is asked only when there has been a good round
	spare  int64          // how many processes may stop in that
}

// most bounds how many sets of locations a claim may have, and how many states the fixpoint visits.
const (
	most       = 12
	mostStates = 400
)

// state is what can be at the border of a round together (at, by location), and which of a claim's sets are shown
// by a process that stays behind in an earlier round. A round can do more from a greater state.
type state struct {
	at    []int
	shown uint64
	many  uint64 // which of a claim's bounds may be reached
	early bool   // there has been no good round yet, and the claim is not asked
}

func (s state) within(t state) bool {
	return s.early == t.early && s.shown&^t.shown == 0 && s.many&^t.many == 0 &&
		!slices.ContainsFunc(s.at, func(b int) bool { return !slices.Contains(t.at, b) })
}

// node is a state that was visited, and the one a round before.
type node struct {
	state
	from  *node
	round int
}

// closure is what a fixpoint has found out.
type closure struct {
	nodes []*node // the greatest ones
	over  []state // at which no process begins another round, though some process shows something
	// bad is a node in whose round the claim may be true.
	bad *node
}

// A bound is something that many of the processes that begin a round have in common: of all that do, in whatever order,
// times so many are at some borders, and that is least or more. Fewer are so many less that a guard stays false for
// ever, if those are the ones who can make it true, or if all others are too few for it.
type bound struct {
	at    []int
	times int64
	least ta.Linear
}

// next lists where the next round may begin for a process at an end, as the common coin says.
func next(s *ta.Switch, outcome int) []int {
	if s.Kind == ta.Coin {
		return s.To[outcome : outcome+1]
	}
	return s.To
}
