package induct

import (
	"iter"
	"slices"

	"github.com/tacheck/tacheck/induct/pool"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/instantiate"
)

// Which instances are visited to make the pool, and how much of them.
const (
	sampledStates = 2000   // of an instance
	furtherStates = 12_000 // of an instance, where these told too little
	mostUntrue    = 5      // lemmas that could not be proved, before more states are visited
	sampledSizes  = 6
	mostSampled   = 7    // the greatest size, where smaller instances leave out too much
	largerStates  = 400  // of such an instance, beside smaller ones
	mostVisited   = 3    // instances of the sizes of CTIs
	mostTried     = 300  // to find one
	mostUnlike    = 2    // that show what others do not
	mostListed    = 1000 // sizes, of which those that tell most are visited
)

// lookFurther makes the pool anew of more states, once, where processes are ordered and send messages: if there is no
// proof with it, or some of its lemmas could not be proved. What takes several processes in their places is rare in
// small instances, and states with all that was ever sent are many; clauses that are true in few states stand in the
// way of longer ones.
func (q *everySearch) lookFurther(unproved bool) (bool, error) {
	if q.pool == nil || q.further || q.m.Asymmetry == nil || q.m.Message == nil || !unproved && q.untrue < mostUntrue {
		return false, nil
	}
	q.further, q.patient, q.apart = true, false, false
	q.active = q.active[:q.fixed:q.fixed]
	q.forget()
	return true, q.fill()
}

// visit visits an instance of the sizes of a CTI of a lemma that could not be proved, if they are larger than those
// that were visited: what is false there is no lemma.
func (q *everySearch) visit(sizes map[string]int64) error {
	m, set := q.ofSizes(sizes, mostSampled)
	if m == nil || q.most(set) <= greatest || q.visited[m.Assignments()] || len(q.visited) == mostVisited {
		return nil
	}
	q.visited[m.Assignments()] = true
	x, list, err := everysize.HistoryStates(m, q.r.Implicit, largerStates)
	if err != nil {
		return nil // it has no initial state, or something goes wrong, which is found by others
	}
	q.pool.Visit(pool.Sample{Model: m, Interpreter: x, States: list})
	for i := q.fixed; i < len(q.active); {
		switch is, err := q.pool.Refutes(q.active[i].Name); {
		case err != nil:
			return err
		case is:
			q.drop(i, false)
		default:
			i++
		}
	}
	return nil
}

// ofSizes is an instance of some sizes, each of which is at most a number; nil if the text means nothing for these.
func (q *everySearch) ofSizes(sizes map[string]int64, most int64) (*protocol.Model, map[string]int64) {
	set := q.fixedValues()
	for name, n := range sizes {
		set[name] = min(n, most)
	}
	m, err := instantiate.Model(q.m.Source, set)
	if err != nil {
		return nil, nil
	}
	return m, set
}

// sampled yields instances to visit: of sizes that tell something, or, where nothing is a size, the one at hand and
// smaller ones, in which random runs come further.
func (q *everySearch) sampled() iter.Seq[*protocol.Model] {
	return func(yield func(*protocol.Model) bool) {
		if q.r.Sizes == nil {
			for _, m := range append([]*protocol.Model{q.m}, smaller(q.m)...) {
				if !yield(m) {
					return
				}
			}
			return
		}
		if q.small() {
			for _, set := range q.telling() {
				if m, err := instantiate.Model(q.m.Source, set); err == nil && !yield(m) {
					return
				}
			}
			return
		}
		for m := range q.instancesFrom(1, imaginable) {
			if !yield(m) {
				return
			}
		}
	}
}

// small reports whether the text means something for some sizes up to the greatest.
func (q *everySearch) small() bool {
	tried := 0
	for set := range q.assignments() {
		if _, err := instantiate.Model(q.m.Source, set); err == nil {
			return true
		}
		if tried++; tried == mostListed {
			break
		}
	}
	return false
}

// telling lists values of the sizes, those with the most above one first: what is true of one process only says little.
func (q *everySearch) telling() []map[string]int64 {
	var list []map[string]int64
	for set := range q.assignments() {
		if list = append(list, set); len(list) == mostListed {
			break
		}
	}
	several := func(set map[string]int64) (n int64) {
		for _, name := range q.r.Sizes {
			n += min(set[name], 2)
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b map[string]int64) int { return int(several(b) - several(a)) })
	if level := q.level(); len(level) > 0 {
		list = append(level[:1:1], list...)
	}
	if more := q.larger(); more != nil {
		list = append([]map[string]int64{more}, list...)
	}
	return append(q.unlike(list), list...)
}

// unlike are sizes with which the numbers that the text counts to show what they do not show in the instances that are
// visited first of a list: of those that show the most of that, the least; and again.
func (q *everySearch) unlike(list []map[string]int64) (out []map[string]int64) {
	shown := map[string]bool{}
	left := sampledSizes - mostUnlike
	for _, set := range list {
		if left == 0 {
			break
		}
		if m, err := instantiate.Model(q.m.Source, set); err == nil {
			left--
			for _, s := range pool.Shows(m) {
				shown[s] = true
			}
		}
	}
	for len(out) < mostUnlike {
		var best map[string]int64
		var shows []string
		for least := int64(2); least > 0 && best == nil; least-- {
			for m, set := range q.instancesFrom(least, mostSampled) {
				more := lists.Keep(pool.Shows(m), func(s string) bool { return !shown[s] })
				if len(more) > len(shows) {
					best, shows = set, more
				}
			}
		}
		if best == nil {
			break
		}
		for _, s := range shows {
			shown[s] = true
		}
		out = append(out, best)
	}
	return out
}

// instancesFrom yields instances whose sizes are in a range, those of the smallest sums first, and not too many.
func (q *everySearch) instancesFrom(least, most int64) iter.Seq2[*protocol.Model, map[string]int64] {
	return func(yield func(*protocol.Model, map[string]int64) bool) {
		tried := 0
		for set := range q.bySum(least, most) {
			if tried++; tried > mostTried || len(q.r.Sizes) == 0 {
				return
			}
			if m, err := instantiate.Model(q.m.Source, set); err == nil && !yield(m, set) {
				return
			}
		}
	}
}

// larger are the least sizes that are all more than one, if an assumption has some be more than those of other
// instances; nil else.
func (q *everySearch) larger() map[string]int64 {
	for _, set := range q.instancesFrom(2, mostSampled) {
		if q.most(set) <= greatest {
			return nil
		}
		return set
	}
	return nil
}
