package everysize

import (
	"slices"

	"tacheck/protocol"
)

// Ghost visits states of an instance as lemmas see them: nothing is ever taken from a channel.
// They are all that can be reached like that, nearest first, up to a number of them.
func Ghost(m *protocol.Model, implicit bool, most int) (*protocol.Interpreter, []*protocol.State, error) {
	copied := *m
	copied.Channels.Lossy, copied.Channels.FIFO, copied.Channels.Bound = false, false, 1<<20
	x := &protocol.Interpreter{Model: &copied, Options: protocol.Options{Implicit: implicit}}
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
	for i := 0; i < len(list) && len(list) < most; i++ {
		next, err := x.Successors(list[i])
		if err != nil {
			break // what goes wrong is found by others
		}
		for _, n := range next {
			add(Keep(list[i], n.State))
		}
	}
	return x, list, nil
}

// Keep is a state after a step, with all that was ever sent.
func Keep(before, after *protocol.State) *protocol.State {
	out := *after
	out.Channels = make([][]protocol.Message, len(after.Channels))
	for ch := range after.Channels {
		all := append(slices.Clone(before.Channels[ch]), after.Channels[ch]...)
		slices.SortFunc(all, func(a, b protocol.Message) int { return slices.Compare(a, b) })
		out.Channels[ch] = slices.CompactFunc(all, func(a, b protocol.Message) bool { return slices.Equal(a, b) })
	}
	return &out
}
