package stubborn

import (
	"math/bits"
	"slices"
)

func onesCount(w uint64) int { return bits.OnesCount64(w) }

func trailing(w uint64) int { return bits.TrailingZeros64(w) }

// Set is a set of transitions: bit t%64 of word t/64 for transition t. All sets
// that are used together have the same length.
type Set []uint64

// NewSet returns an empty set for n transitions.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// SetOf returns a set for n transitions with some of them in it.
func SetOf(n int, list ...int) Set {
	s := NewSet(n)
	for _, t := range list {
		s.Add(t)
	}
	return s
}

// Has reports whether a transition is in the set.
func (s Set) Has(t int) bool { return s[t/64]>>(t%64)&1 != 0 }

// Add adds a transition.
func (s Set) Add(t int) { s[t/64] |= 1 << (t % 64) }

// AddAll adds all transitions of another set.
func (s Set) AddAll(o Set) {
	for i, w := range o {
		s[i] |= w
	}
}

// Meets reports whether two sets have a transition in common.
func (s Set) Meets(o Set) bool {
	for i, w := range o {
		if s[i]&w != 0 {
			return true
		}
	}
	return false
}

// Empty reports whether there are no transitions in it.
func (s Set) Empty() bool {
	return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 })
}

// Len returns how many transitions are in it.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Common returns how many transitions are in both.
func (s Set) Common(o Set) int {
	n := 0
	for i, w := range o {
		n += bits.OnesCount64(s[i] & w)
	}
	return n
}

// Keep drops all transitions that are not in another set.
func (s Set) Keep(o Set) {
	for i, w := range o {
		s[i] &= w
	}
}

// Each calls yield for every transition, in order.
func (s Set) Each(yield func(t int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			yield(64*i + bits.TrailingZeros64(w))
		}
	}
}

// List returns the transitions in order.
func (s Set) List() []int {
	var list []int
	s.Each(func(t int) { list = append(list, t) })
	return list
}
