package induct

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/induct/pool"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// How much is visited of instances before a proof is tried: sizes up to the greatest, so many states of each, and of
// all together.
const (
	greatest       = 4
	instanceStates = 10_000
	allStates      = 250_000
	instancesAtAll = 100
	imaginable     = 12 // the greatest size of an instance that is explored where there is no proof
)

// instances explores that of the text, if it is larger, and instances of small sizes.
func (q *everySearch) instances() error {
	if slices.ContainsFunc(q.m.Constants, func(k protocol.Constant) bool { return k.Free() && k.Value > greatest }) {
		if _, err := q.instance(q.m, instanceStates); err != nil || q.r.Run != nil {
			return err
		}
	}
	left, tried := int64(allStates), 0
	for set := range q.assignments() {
		if q.ctx.Err() != nil || tried == instancesAtAll || left <= 0 {
			return nil
		}
		m, err := instantiate.Model(q.m.Source, set)
		if err != nil {
			continue // the text means nothing for these sizes
		}
		tried++
		found, err := q.instance(m, min(instanceStates, left))
		if err != nil || found == nil || q.r.Run != nil {
			return err
		}
		if found.Verdict == machine.Holds {
			q.r.Explored++
		} else {
			q.r.Partly++
		}
		left -= worked(found)
	}
	return nil
}

// worked counts the states that were visited; where these have many successors, for which they take their time, more.
func worked(r *machine.Result) int64 { return max(r.States, r.Transitions/10) }

// instance explores one, some states of it at most; nil if time is over.
func (q *everySearch) instance(m *protocol.Model, states int64) (*machine.Result, error) {
	list, err := machine.Check(q.ctx, m, []*protocol.Prop{m.Lookup(q.p.Name)},
		machine.Options{Bounds: explore.Bounds{Jobs: 1, States: states}})
	switch {
	case err != nil && q.ctx.Err() != nil:
		return nil, nil
	case err != nil:
		return nil, err
	case list[0].Run != nil:
		q.r.Verdict, q.r.Failing, q.r.Reason, q.r.Before = machine.Violated, "", "", nil
		return list[0], q.violated(list[0].Run)
	}
	return list[0], nil
}

// refuted leaves out a lemma that was given and has no proof, if a small instance violates it, and reports whether that
// is so. What was ever sent is that of states from which nothing is taken, as in proofs.
func (q *everySearch) refuted(target int) bool {
	c := q.active[target]
	if q.own != nil || q.tried[c.Name] {
		return false
	}
	q.tried[c.Name] = true
	for _, m := range q.smallest(lemmaInstances) {
		lemma := q.lemmaNamed(m, c.Name)
		if lemma == nil {
			return false
		}
		after := ""
		if slices.ContainsFunc(slices.Collect(lemma.Invariant.All()), func(t *protocol.Term) bool {
			return t.Range != nil && t.Range.Sent != nil
		}) {
			after = q.violatedByHistory(m, lemma)
		} else if list, err := machine.Check(q.ctx, m, []*protocol.Prop{lemma}, machine.Options{Bounds: explore.Bounds{
			Jobs: 1, States: instanceStates}, Plain: true}); err == nil && list[0].Run != nil {
			after = "after " + spell.Count(len(list[0].Run.Events)-1, "step", "steps")
		}
		if after == "" {
			continue
		}
		q.r.Untrue = append(q.r.Untrue, fmt.Sprintf("%s is violated %s with %s", c.Name, after, m.Assignments()))
		q.active = slices.Delete(q.active, target, target+1)
		q.fixed, q.r.Given = q.fixed-1, q.r.Given-1
		q.forget()
		return true
	}
	return false
}

// violatedByHistory says where a lemma is false, of the states of an instance with all that was ever sent; nothing, if
// it is in none that is visited.
func (q *everySearch) violatedByHistory(m *protocol.Model, lemma *protocol.Prop) string {
	x, states, err := everysize.HistoryStates(m, q.r.Implicit, sampledStates)
	if err != nil {
		return ""
	}
	for _, s := range states {
		if q.ctx.Err() != nil {
			return ""
		}
		if holds, err := x.Holds(s, lemma.Invariant, lemma.Frame); err == nil && !holds {
			return "where messages are received any number of times,"
		}
	}
	return ""
}

// lemmaInstances is how many instances are explored for a violation of a lemma that was given.
const lemmaInstances = 4

// smallest are the first instances that the text has a meaning for.
func (q *everySearch) smallest(most int) (list []*protocol.Model) {
	for set := range q.assignments() {
		if m, err := instantiate.Model(q.m.Source, set); err == nil && len(list) < most {
			list = append(list, m)
		}
	}
	return list
}

// lemmaNamed makes a lemma of the text, or one by hand, whose name is its text, a property of an instance; nil if that
// has none.
func (q *everySearch) lemmaNamed(m *protocol.Model, name string) *protocol.Prop {
	i := slices.IndexFunc(m.Lemmas, func(l protocol.Prop) bool { return l.Name == name })
	k := slices.IndexFunc(q.o.Lemmas, func(g *Given) bool { return g.Text == name && g.formula != nil })
	switch {
	case i >= 0:
		m.Props = append(m.Props, m.Lemmas[i])
	case k >= 0:
		list, err := m.Resolved([]*protocol.ConditionText{q.o.Lemmas[k].formula})
		if err != nil {
			return nil
		}
		m.Props = append(m.Props, list...)
	default:
		return nil
	}
	return &m.Props[len(m.Props)-1]
}

// imagined explores an instance of the sizes of a CTI that a question has, if they are not too large to be of use.
func (q *everySearch) imagined(sizes map[string]int64) error {
	for _, n := range sizes {
		if n > imaginable {
			return nil
		}
	}
	m, set := q.ofSizes(sizes, imaginable)
	if m == nil || q.most(set) <= greatest {
		return nil // none of an instance, or one that has been explored
	}
	_, err := q.instance(m, instanceStates)
	return err
}

// effort bounds a search for violations: of states of instances beyond the greatest size; and of a swarm, how many
// larger instances, and how many searches in each.
type effort struct {
	states              int64
	instances, searches int
}

// efforts are spent before lemmas are looked for, and after those that were found were not enough.
type efforts struct{ first, last effort }

var usualEfforts = efforts{effort{0, 1, 6}, effort{allStates, 3, 32}}

const (
	swarmStates      = 20_000 // that a search keeps
	shorterInstances = 4      // in which a shorter violation is looked for
)

// grow explores instances of sizes beyond the greatest as long as these have few states: none that is larger than one
// that has many.
func (q *everySearch) grow(left int64) error {
	var many []map[string]int64
	for m, set := range q.instancesFrom(0, imaginable) {
		if q.ctx.Err() != nil || left <= 0 {
			break
		}
		if q.most(set) <= greatest || slices.ContainsFunc(many, func(less map[string]int64) bool {
			return !slices.ContainsFunc(q.r.Sizes, func(name string) bool { return set[name] < less[name] })
		}) {
			continue
		}
		found, err := q.instance(m, min(instanceStates, left))
		if err != nil || found == nil || q.r.Run != nil {
			return err
		}
		if left -= worked(found); found.Verdict != machine.Holds {
			many = append(many, set)
		}
	}
	return nil
}

// swarm looks for a violation in instances that have few states, and in some whose sizes are all as large as the
// largest one.
func (q *everySearch) swarm(r effort) error {
	if err := q.grow(r.states); err != nil || q.r.Run != nil {
		return err
	}
	for _, set := range q.level() {
		if r.instances == 0 || q.ctx.Err() != nil || q.r.Run != nil {
			return nil
		}
		m, err := instantiate.Model(q.m.Source, set)
		if err != nil {
			continue
		}
		r.instances--
		p := m.Lookup(q.p.Name)
		s := machine.Swarm{Searches: r.searches, States: swarmStates, Jobs: 1, Each: func() error { return nil },
			Fly: func(ctx context.Context, f explore.RandomSearch) (*explore.RandomResult, *interp.Run, error) {
				return machine.RandomSearch(ctx, m, []*protocol.Prop{p}, f, machine.Options{})
			}}
		got, err := s.Find(q.ctx, m, p, machine.Options{})
		switch {
		case err != nil && q.ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case got.Run != nil:
			q.r.Verdict, q.r.Failing, q.r.Reason, q.r.Before = machine.Violated, "", "", nil
			if err := q.violated(got.Run); err != nil {
				return err
			}
			return q.shorten()
		}
	}
	return nil
}

// shorten looks for a shorter violation than one that was found by chance: in its instance, then in small ones.
func (q *everySearch) shorten() error {
	run := q.r.Run
	if q.own != nil {
		return nil // it is one of another text
	}
	for _, m := range append([]*protocol.Model{run.Model}, q.smallest(shorterInstances)...) {
		if found, err := q.instance(m, allStates); err != nil || found == nil || q.r.Run != run {
			return err
		}
	}
	return nil
}

// level lists values of the sizes that are as alike as may be, from 3 to the greatest, then 2.
func (q *everySearch) level() (out []map[string]int64) {
	for _, k := range []int64{greatest - 1, greatest, 2} {
		tried := 0
		for set := range q.bySum(k, 0) {
			if _, err := instantiate.Model(q.m.Source, set); err == nil && q.most(set) == k {
				out = append(out, set)
				break
			}
			if tried++; tried == mostTried {
				break
			}
		}
	}
	return out
}

// most is the greatest of some sizes.
func (q *everySearch) most(set map[string]int64) (n int64) {
	for _, name := range q.r.Sizes {
		n = max(n, set[name])
	}
	return n
}

// bySum yields values of the sizes in a range, those of sums near the first bound before others.
func (q *everySearch) bySum(first, last int64) iter.Seq[map[string]int64] {
	return func(yield func(map[string]int64) bool) {
		n, width, step := len(q.r.Sizes), last-first, int64(1)
		if width < 0 {
			width, step = -width, -1
		}
		for values := range lists.BySum(n, width, int64(n)*width) {
			set := q.fixedValues()
			for i, name := range q.r.Sizes {
				set[name] = first + step*values[i]
			}
			if !yield(set) {
				return
			}
		}
	}
}

// fixedValues are the values of constants that are no sizes.
func (q *everySearch) fixedValues() map[string]int64 {
	set := map[string]int64{}
	for _, k := range q.m.Constants {
		if k.Fixed() {
			set[k.Name] = k.Value
		}
	}
	return set
}

// assignments yields values of the sizes up to the greatest, those first that have none that is large, then the
// smallest sums.
func (q *everySearch) assignments() iter.Seq[map[string]int64] {
	return func(yield func(map[string]int64) bool) {
		for k := int64(2); k <= greatest; k++ {
			for set := range q.bySum(0, k) {
				if (k == 2 || q.most(set) == k) && !yield(set) {
					return
				}
			}
		}
	}
}

// fill makes the pool: the other invariants of the text, and clauses that are true in all states that are visited.
func (q *everySearch) fill() error {
	var samples []pool.Sample
	small := q.small()
	for m := range q.sampled() {
		states := sampledStates
		if q.further {
			states = furtherStates
		}
		large := func(name string) bool { return value(m, name) > greatest }
		if (small || len(samples) > 0) && slices.ContainsFunc(q.r.Sizes, large) {
			states = largerStates
		}
		x, list, err := everysize.HistoryStates(m, q.r.Implicit, states)
		if err != nil {
			if m != q.m {
				continue // a smaller instance may have no initial state
			}
			return err
		}
		if samples = append(samples, pool.Sample{Model: m, Interpreter: x,
			States: list}); len(samples) == sampledSizes || q.ctx.Err() != nil {
			break
		}
	}
	known := pool.Known{Defined: q.r.Defined, Never: q.x.NeverDefined(), Said: []string{q.p.Name}}
	var others []everysize.Condition
	for i := range q.m.Props {
		if p := &q.m.Props[i]; p.Invariant != nil && p.Name != q.p.Name && q.x.Says(p.Invariant) == nil {
			known.Said = append(known.Said, p.Name)
			others = append(others, everysize.Condition{Name: p.Name, Term: p.Invariant})
		}
	}
	var err error
	q.visited = map[string]bool{}
	if q.pool, err = pool.New(q.ctx.Err, q.m, known, samples); err != nil {
		return err
	}
	for _, c := range others {
		q.pool.Add(c)
	}
	for _, p := range q.stays {
		q.pool.Add(everysize.Condition{Name: p.Name, Term: p.Invariant})
	}
	return nil
}
