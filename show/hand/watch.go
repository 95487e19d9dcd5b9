package hand

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"tacheck/protocol"
	"tacheck/protocol/interp"
	"tacheck/protocol/story"
)

// Watcher is a Subject of which one can ask whether conditions hold in the state at the end of a path, and which
// state is the next in which one does.
type Watcher interface {
	// Watch says for each condition what it is there.
	Watch(ctx context.Context, path []int, conditions []string) []Watched
	// Find returns the shortest path from the end of another to a state, not that itself, in which a condition holds.
	// Its error says what is wrong with the condition, or that there is none: within so many states, or at all.
	Find(ctx context.Context, path []int, condition string) ([]int, error)
}

// Watched is what a condition is in a state.
type Watched struct {
	Text  string `json:"text"`
	Value string `json:"value"` // true or false, or what is wrong
	Wrong bool   `json:"wrong"`
}

// mostVisited bounds how many states a search looks at.
const mostVisited = 20_000

// step is a state that a search has visited, and how it came there.
type step[S any] struct {
	state  S
	before int // place of the one before it, -1 for the first
	choice int
}

// search looks for a state from one on, breadth first. next yields the successors of a state in the order of choices,
// until that says that it is enough; key tells states apart.
func search[S any](ctx context.Context, from S, key func(S) string, next func(S, func(S) bool) error,
	is func(S) (bool, error)) ([]int, error) {
	print := func(s S) [sha256.Size]byte { return sha256.Sum256([]byte(key(s))) }
	seen := map[[sha256.Size]byte]bool{print(from): true}
	list := []step[S]{{from, -1, 0}}
	for at := 0; at < len(list); at++ {
		var bad error
		found, choice := false, -1
		err := next(list[at].state, func(s S) bool {
			choice++
			if k := print(s); !seen[k] {
				seen[k] = true
				list = append(list, step[S]{s, at, choice})
				found, bad = is(s)
			}
			return !found && bad == nil && len(list) <= mostVisited && ctx.Err() == nil
		})
		var none S
		list[at].state = none // which nobody looks at any more
		switch {
		case found:
			return way(list), nil
		case ctx.Err() != nil:
			return nil, fmt.Errorf("no such state among the %d that are nearest: the search was given up, since %w",
				len(list), context.Cause(ctx))
		case bad != nil, err != nil:
			return nil, errors.Join(bad, err)
		case len(list) > mostVisited:
			return nil, fmt.Errorf("no such state among the %d that are nearest", mostVisited)
		}
	}
	return nil, errors.New("there is no such state from here on")
}

// way are the choices that lead to the last state.
func way[S any](list []step[S]) (path []int) {
	for at := len(list) - 1; list[at].before >= 0; at = list[at].before {
		path = append([]int{list[at].choice}, path...)
	}
	return path
}

// Watch implements Watcher.
func (p *Protocol) Watch(ctx context.Context, path []int, conditions []string) (list []Watched) {
	r, err := p.run(ctx, path)
	for _, text := range conditions {
		shown := Watched{Text: text}
		w, bad := story.NewWatch(p.x.Model, "condition", text)
		if bad == nil && err == nil && len(r.States) > 0 {
			shown.Value, bad = w.Show(p.x, r.States[len(r.States)-1])
		}
		if bad = errors.Join(err, bad); bad != nil {
			shown.Value, shown.Wrong = bad.Error(), true
		}
		list = append(list, shown)
	}
	return list
}

// Find implements Watcher.
func (p *Protocol) Find(ctx context.Context, path []int, condition string) ([]int, error) {
	r, err := p.run(ctx, path)
	if err != nil {
		return nil, err
	}
	w, err := story.NewWatch(p.x.Model, "condition", condition)
	if err == nil {
		err = w.Condition()
	}
	if err != nil {
		return nil, err
	}
	is := func(s *protocol.State) (bool, error) { return w.True(p.x, s) }
	from := &protocol.State{} // before the initial states
	if len(r.States) > 0 {
		from = r.States[len(r.States)-1]
	}
	return search(ctx, from, (*protocol.State).Key, func(s *protocol.State, yield func(*protocol.State) bool) error {
		if len(s.Cells) == 0 {
			s = nil
		}
		return p.each(ctx, s, func(n interp.Successor) bool { return yield(n.State) })
	}, is)
}
