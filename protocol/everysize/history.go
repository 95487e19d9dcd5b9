package everysize

import (
	"math/rand/v2"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// HistoryStates visits states of an instance as lemmas see them: nothing is ever taken from a channel. They are those
// that can be reached like that: nearest first, up to a third of a number of them, and then ones on random runs of
// steps that change something, which go further.
func HistoryStates(m *protocol.Model, implicit bool, most int) (*interp.Interpreter, []*protocol.State, error) {
	copied := *m
	copied.Channels.Lossy, copied.Channels.FIFO, copied.Channels.Bound = false, false, 1<<20
	x := &interp.Interpreter{Model: &copied, Options: interp.Options{Implicit: implicit}}
	first, err := x.Initial()
	if err != nil {
		return nil, nil, err
	}
	var list []*protocol.State
	seen := map[string]bool{}
	add := func(s *protocol.State) {
		if key := s.Key(); !seen[key] && len(list) < most {
			seen[key] = true
			list = append(list, s)
		}
	}
	for _, s := range first {
		add(s.State)
	}
	begin := len(list)
	left := perState * most
	for i := 0; i < len(list) && len(list) < most/3 && left > 0; i++ {
		next, err := x.Successors(list[i])
		if err != nil {
			return x, list, nil // what goes wrong is found by others
		}
		left -= len(next)
		for _, n := range next {
			add(keep(list[i], n.State))
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for run := range randomRuns {
		s := list[r.IntN(begin)]
		// Rules that the run takes where nothing else can be done: what stops processes ends other runs early. Where
		// processes are alike, what they do in larger instances is mostly seen in smaller ones.
		rare := make([]bool, len(m.Rules))
		for k := range rare {
			rare[k] = run%2 == 1 && r.IntN(3) == 0
		}
		for k := 0; k < randomSteps && len(list) < most && left > 0; k++ {
			next, err := x.Successors(s)
			if err != nil {
				return x, list, nil
			}
			left -= len(next)
			if s = changed(r, s, next, rare); s == nil {
				break
			}
			if r.IntN(everyFew) == 0 {
				add(s)
			}
		}
	}
	return x, list, nil
}

// changed is the state after a step, chosen at random, that changes it, of a rule that is not rare if there is one; nil
// if none does.
func changed(r *rand.Rand, s *protocol.State, next []interp.Successor, rare []bool) *protocol.State {
	key := s.Key()
	r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
	isRare := func(n interp.Successor) int {
		if n.Event.Rule >= 0 && rare[n.Event.Rule] {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(next, func(a, b interp.Successor) int { return isRare(a) - isRare(b) })
	for _, n := range next {
		if after := keep(s, n.State); after.Key() != key {
			return after
		}
	}
	return nil
}

// How many random runs there are, how long they are, how many of their states there are for one that is looked at, and
// how many successors for one that is wanted: in large instances, quorums receive messages in many ways.
const (
	perState    = 200
	randomRuns  = 400
	randomSteps = 60
	everyFew    = 2
)

// keep is a state after a step, with all that was ever sent.
func keep(before, after *protocol.State) *protocol.State {
	out := *after
	out.Channels = make([][]protocol.Message, len(after.Channels))
	for ch := range after.Channels {
		all := append(slices.Clone(before.Channels[ch]), after.Channels[ch]...)
		slices.SortFunc(all, func(a, b protocol.Message) int { return slices.Compare(a, b) })
		out.Channels[ch] = slices.CompactFunc(all, func(a, b protocol.Message) bool { return slices.Equal(a, b) })
	}
	return &out
}
