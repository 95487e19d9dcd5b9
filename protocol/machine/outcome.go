package machine

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/stubborn"
)

// outcome is something that may happen.
type outcome struct {
	process int      // that moves
	changes []change // of processes, and of channels that something is taken from
	sends   []send
	takes   bool // a message from a channel besides
	from    int
	message uint32
	stopped []int // processes that must be crash-faulty for this to happen, and have crashed after it
	rules   []int // that happen like this
	merit   merit
	taken   int // messages taken from channels
	err     error
	parts   []int // with partial orders: the transitions that it is an outcome of
}

// merit is what a step is for fairness, and whether it is followed.
type merit struct {
	constraint int  // that it meets, or none
	voluntary  bool // it takes a Byzantine process to move or to send something, which nothing forces it to do
	left       bool // its rule is left out: it may happen, and does not
}

// none stands for no constraint.
const none = -1

type change struct {
	slot  int
	value uint32
	sum   uint64 // the part of that in a state's hash
}

type send struct {
	to      int
	message uint32
}

// kept returns a copy of an outcome that lasts.
func (o outcome) kept() *outcome {
	o.changes, o.sends, o.stopped = slices.Clone(o.changes), slices.Clone(o.sends), slices.Clone(o.stopped)
	return &o
}

// same reports whether two outcomes are the same, whatever rules they are of.
func (o *outcome) same(p *outcome) bool {
	return o.merit == p.merit && o.taken == p.taken && o.takes == p.takes && o.message == p.message &&
		slices.Equal(o.changes, p.changes) &&
		slices.Equal(o.sends, p.sends) &&
		slices.Equal(o.stopped, p.stopped) && (o.err == nil && p.err == nil || fmt.Sprint(o.err) == fmt.Sprint(p.err))
}

// sum is a number that is the same for outcomes that are.
func (o *outcome) sum() (h uint64) {
	for _, c := range o.changes {
		h = hash.Mix(h + uint64(c.slot)<<32 + uint64(c.value))
	}
	for _, s := range o.sends {
		h = hash.Mix(h + 5 + uint64(s.to)<<32 + uint64(s.message))
	}
	return h
}

// distinct drops outcomes that are the same as earlier ones: a message that changes nothing might as well be lost.
func distinct(list []*outcome) []*outcome {
	if len(list) < 2 {
		return list
	}
	out, several := list[:0], len(list) > 16
	sums := map[uint64][]*outcome{} // of several
next:
	for _, o := range list {
		sum, earlier := uint64(0), out
		if several {
			sum = o.sum()
			earlier = sums[sum]
		}
		for _, p := range earlier {
			if p.same(o) {
				p.merge(o)
				continue next
			}
		}
		if out = append(out, o); several {
			sums[sum] = append(earlier, o)
		}
	}
	return out
}

// merge adds the rules of an outcome to those of one that is the same.
func (o *outcome) merge(p *outcome) {
	both := func(a, b []int) []int {
		if len(a) == 0 {
			return b
		}
		return append(a[:len(a):len(a)], b...)
	}
	o.rules, o.parts = both(o.rules, p.rules), both(o.parts, p.parts)
}

// within reports whether an outcome is one of some transitions.
func (o *outcome) within(set stubborn.Set) bool {
	return slices.ContainsFunc(o.parts, set.Has)
}
