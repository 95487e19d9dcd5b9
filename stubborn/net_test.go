package stubborn_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/stubborn"
	"github.com/tacheck/tacheck/testkit/need"
)

// net is a Petri net: transitions take a token from each place before them, and
// put one on each place after them.
type net struct {
	before, after [][]int // by transition: places
	bound         int     // of tokens on a place, where transitions wait for room; 0 for none
}

type marking []int

func (n *net) enabled(m marking, t int) bool {
	for _, p := range n.before[t] {
		if m[p] == 0 {
			return false
		}
	}
	return !n.crowded(m, t)
}

func (n *net) crowded(m marking, t int) bool {
	return n.bound > 0 && slices.ContainsFunc(n.after[t], func(p int) bool { return m[p] >= n.bound && !slices.Contains(n.before[t], p) })
}

func (n *net) fire(m marking, t int) marking {
	next := slices.Clone(m)
	for _, p := range n.before[t] {
		next[p]--
	}
	for _, p := range n.after[t] {
		next[p]++
	}
	return next
}

func (n *net) all(m marking) stubborn.Set {
	s := stubborn.NewSet(len(n.before))
	for t := range n.before {
		if n.enabled(m, t) {
			s.Add(t)
		}
	}
	return s
}

// relations derives what package stubborn needs from the net: transitions that
// take from one place are dependent, and a token is needed on each place; where
// places are bounded, so is room.
func (n *net) relations() *stubborn.Relations {
	k := len(n.before)
	r := &stubborn.Relations{Violating: stubborn.NewSet(k), Restoring: stubborn.NewSet(k)}
	meet := func(a, b []int) bool {
		return slices.ContainsFunc(a, func(p int) bool { return slices.Contains(b, p) })
	}
	for t := range k {
		dependent, disabled := stubborn.NewSet(k), stubborn.NewSet(k)
		for u := range k {
			if u == t {
				continue
			}
			if meet(n.before[t], n.before[u]) || n.bound > 0 && meet(n.after[t], n.after[u]) {
				dependent.Add(u)
				if slices.ContainsFunc(n.before[t], func(p int) bool {
					// There is one token at most, and there never will be another.
					return slices.Contains(n.before[u], p) && !slices.ContainsFunc(n.after, func(list []int) bool { return slices.Contains(list, p) })
				}) {
					disabled.Add(u)
				}
			}
		}
		r.Dependent, r.DisabledBy = append(r.Dependent, dependent), append(r.DisabledBy, disabled)
		var needs []stubborn.Set
		for _, p := range n.before[t] {
			put := stubborn.NewSet(k)
			for u := range k {
				if slices.Contains(n.after[u], p) {
					put.Add(u)
				}
			}
			needs = append(needs, put)
		}
		room := stubborn.NewSet(k)
		for u := range k {
			if meet(n.before[u], n.after[t]) {
				room.Add(u)
			}
		}
		r.Needs = append(r.Needs, append(needs, room))
	}
	return r
}

// at is a marking as a stubborn.State.
type at struct {
	n *net
	m marking
}

func (s at) Unmet(t, k int) bool {
	if k < len(s.n.before[t]) {
		return s.m[s.n.before[t][k]] == 0
	}
	// Room, if it is all that is missing.
	return !slices.ContainsFunc(s.n.before[t], func(p int) bool { return s.m[p] == 0 })
}

func randomNet(r *rand.Rand) (*net, marking) {
	places := 3 + r.IntN(6)
	n := &net{bound: 2 * r.IntN(2)}
	some := func(most int) []int {
		list := r.Perm(places)[:r.IntN(most+1)]
		return list
	}
	for range 3 + r.IntN(6) {
		before := some(2)
		if len(before) == 0 {
			before = []int{r.IntN(places)}
		}
		n.before, n.after = append(n.before, before), append(n.after, some(2))
	}
	m := make(marking, places)
	for p := range m {
		m[p] = r.IntN(2)
	}
	return n, m
}

// explore returns the deadlocks that are reached when only what choose says is
// followed; ok is false if there are too many markings.
func (n *net) explore(m marking, choose func(m marking, path stubborn.Set) stubborn.Set) (dead []string, states int, ok bool) {
	seen := map[string]bool{}
	type item struct {
		m    marking
		path stubborn.Set
	}
	queue := []item{{m, stubborn.NewSet(len(n.before))}}
	seen[fmt.Sprint(m)] = true
	for i := 0; i < len(queue); i++ {
		if len(queue) > 2000 {
			return nil, 0, false
		}
		follow := choose(queue[i].m, queue[i].path)
		enabled := n.all(queue[i].m)
		if enabled.Empty() {
			dead = append(dead, fmt.Sprint(queue[i].m))
		}
		follow.Each(func(t int) {
			if !enabled.Has(t) {
				return
			}
			next := n.fire(queue[i].m, t)
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				path := slices.Clone(queue[i].path)
				path.Add(t)
				queue = append(queue, item{next, path})
			}
		})
	}
	slices.Sort(dead)
	return dead, len(queue), true
}

// search is a net as a System for dynamic reduction.
type search struct {
	*net
	visited int
	dead    map[string]bool
}

func (s *search) Enabled(m marking) (stubborn.Set, error) {
	set := s.all(m)
	if set.Empty() {
		s.dead[fmt.Sprint(m)] = true
	}
	return set, nil
}
func (s *search) Next(m marking, t int) ([]marking, error) { return []marking{s.fire(m, t)}, nil }
func (s *search) Name(m marking) string                    { return fmt.Sprint(m) }
func (s *search) In(m marking) stubborn.State              { return at{s.net, m} }
func (s *search) Enter(marking, int) bool {
	s.visited++
	return s.visited < 20_000
}

// TestDeadlocks: every way to reduce keeps all deadlocks of random nets.
func TestDeadlocks(t *testing.T) {
	total := map[string]int{}
	cases := need.Cases(t, 3000)
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 2))
		n, m := randomNet(r)
		want, states, ok := n.explore(m, func(m marking, _ stubborn.Set) stubborn.Set { return n.all(m) })
		if !ok {
			continue
		}
		total["all"] += states
		relations := n.relations()
		plain, withNet := stubborn.NewForward(relations, false), stubborn.NewForward(relations, true)
		strong, weak := stubborn.NewBackward(relations), stubborn.NewBackward(relations)
		weak.Weak = true
		smallest := func(m marking, f func(first int, enabled stubborn.Set) stubborn.Set) stubborn.Set {
			enabled := n.all(m)
			best := enabled
			enabled.Each(func(t int) {
				if s := f(t, enabled); s.Common(enabled) < best.Common(enabled) {
					best = slices.Clone(s)
				}
			})
			return best
		}
		for name, choose := range map[string]func(m marking, path stubborn.Set) stubborn.Set{
			"forward": func(m marking, _ stubborn.Set) stubborn.Set {
				return smallest(m, func(t int, enabled stubborn.Set) stubborn.Set { return plain.Stubborn(t, enabled, nil, at{n, m}) })
			},
			"forward with necessary transitions": func(m marking, _ stubborn.Set) stubborn.Set {
				return smallest(m, func(t int, enabled stubborn.Set) stubborn.Set { return withNet.Stubborn(t, enabled, nil, at{n, m}) })
			},
			"forward with a path": func(m marking, path stubborn.Set) stubborn.Set {
				return smallest(m, func(t int, enabled stubborn.Set) stubborn.Set { return withNet.Stubborn(t, enabled, path, at{n, m}) })
			},
			"backward": func(m marking, _ stubborn.Set) stubborn.Set {
				return smallest(m, func(t int, enabled stubborn.Set) stubborn.Set {
					return strong.Stubborn(t, enabled, at{n, m}, false, len(n.before))
				})
			},
			"backward, weak": func(m marking, _ stubborn.Set) stubborn.Set {
				return smallest(m, func(t int, enabled stubborn.Set) stubborn.Set {
					return weak.Stubborn(t, enabled, at{n, m}, false, len(n.before))
				})
			},
		} {
			if name == "forward with a path" && slices.ContainsFunc(m, func(tokens int) bool { return tokens > 0 }) && !n.freshStart(m) {
				continue // what is necessary has to be so from the beginning
			}
			got, states, _ := n.explore(m, choose)
			total[name] += states
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s: deadlocks %v, want %v in %+v %v", seed, name, got, want, n, m)
			}
		}
		s := &search{net: n, dead: map[string]bool{}}
		if err := stubborn.Dynamic(relations, s, m); err != nil || s.visited >= 20_000 {
			continue
		}
		total["dynamic, cases"]++
		if len(s.dead) != len(want) {
			t.Fatalf("seed %d: dynamic: deadlocks %v, want %v in %+v %v", seed, s.dead, want, n, m)
		}
	}
	t.Log(total)
	if total["dynamic, cases"] < cases/10 || total["backward"] >= total["forward"] || total["forward"] >= total["all"] {
		t.Error("hardly any reduction")
	}
}

// freshStart reports whether no token that a transition needs is there at
// first, so that transitions are necessary from the beginning if they are at all.
func (n *net) freshStart(m marking) bool {
	for t := range n.before {
		if !n.enabled(m, t) && slices.ContainsFunc(n.before[t], func(p int) bool { return m[p] > 0 }) {
			return false
		}
	}
	return n.bound == 0
}

// Example_petriNet is figure 2 of the paper on LPOR: t2 takes what t1 takes, once t3 has
// put a token before it; t3 needs both t4 and t5. One of them is enough to hold
// it back.
func Example_petriNet() {
	const t1, t2, t3, t4, t5 = 0, 1, 2, 3, 4
	n := &net{
		before: [][]int{t1: {0}, t2: {0, 1}, t3: {2, 3}, t4: {4}, t5: {5}},
		after:  [][]int{t1: {}, t2: {}, t3: {1}, t4: {2}, t5: {3}},
	}
	m := marking{1, 0, 0, 0, 1, 1}
	relations := n.relations()
	name := func(s stubborn.Set) (list []string) {
		s.Each(func(t int) {
			if n.enabled(m, t) {
				list = append(list, fmt.Sprint("t", t+1))
			}
		})
		return list
	}
	fmt.Println("enabled:", name(n.all(m)))
	fmt.Println("forward:", name(stubborn.NewForward(relations, false).Stubborn(t1, n.all(m), nil, at{n, m})))
	fmt.Println("with necessary transitions:", len(stubborn.NewForward(relations, true).Stubborn(t1, n.all(m), nil, at{n, m}).List()))
	fmt.Println("backward:", len(name(stubborn.NewBackward(relations).Stubborn(t1, n.all(m), at{n, m}, false, 5))))
	// Output:
	// enabled: [t1 t4 t5]
	// forward: [t1 t4 t5]
	// with necessary transitions: 2
	// backward: 2
}
