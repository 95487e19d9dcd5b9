package protocol

import (
	"slices"
)

// Halt is what an enumeration panics with that ends early.
type Halt struct{ Err error }

// Equal reports whether two states are the same.
func (s *State) Equal(t *State) bool {
	same := func(a, b []Message) bool {
		return slices.EqualFunc(a, b, func(m, k Message) bool { return slices.Equal(m, k) })
	}
	return slices.Equal(s.Status, t.Status) && slices.EqualFunc(s.Cells, t.Cells, slices.Equal[[]int32]) &&
		slices.EqualFunc(s.Channels, t.Channels, same) && slices.EqualFunc(s.Sent, t.Sent, same)
}
