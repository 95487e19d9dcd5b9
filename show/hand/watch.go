package hand

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"tacheck/ltl"
	"tacheck/protocol"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

// Watcher is a Subject of which one can ask whether conditions hold in the state at the end of a path, and which
// state is the next in which one does.
type Watcher interface {
	// Watch says for each condition what it is there.
	Watch(ctx context.Context, path []int, conditions []string) []Watched
	// Find returns the shortest path from the end of another to a state, not that itself, in which a condition holds. Its error
	// says what is wrong with the condition, or that there is none: within so many states, or at all.
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

// search looks for a state from one on, breadth first. next yields the successors of a state in the order of choices, until that
// says that it is enough; key tells states apart.
func search[S any](ctx context.Context, from S, key func(S) string, next func(S, func(S) bool) error, is func(S) (bool, error)) ([]int, error) {
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
			return nil, fmt.Errorf("no such state among the %d that are nearest: the search was given up, since %w", len(list), context.Cause(ctx))
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
		w := Watched{Text: text}
		var prop *protocol.Prop
		if err == nil && len(r.States) > 0 {
			if prop, err = p.x.Condition("watched", text); err == nil {
				var holds bool
				holds, err = p.x.Holds(r.States[len(r.States)-1], prop.Invariant, prop.Frame)
				w.Value = fmt.Sprint(holds)
			}
		}
		if err != nil {
			w.Value, w.Wrong, err = err.Error(), true, nil
		}
		list = append(list, w)
	}
	return list
}

// Find implements Watcher.
func (p *Protocol) Find(ctx context.Context, path []int, condition string) ([]int, error) {
	r, err := p.run(ctx, path)
	if err != nil {
		return nil, err
	}
	prop, err := p.x.Condition("condition", condition)
	if err != nil {
		return nil, err
	}
	is := func(s *protocol.State) (bool, error) { return p.x.Holds(s, prop.Invariant, prop.Frame) }
	from := &protocol.State{} // before the initial states
	if len(r.States) > 0 {
		from = r.States[len(r.States)-1]
	}
	return search(ctx, from, (*protocol.State).Key, func(s *protocol.State, yield func(*protocol.State) bool) error {
		if len(s.Cells) == 0 {
			s = nil
		}
		return p.each(ctx, s, func(n protocol.Successor) bool { return yield(n.State) })
	}, is)
}

// condition reads a condition of configurations.
func (x *Automaton) condition(text string) (*ta.Cond, error) {
	e, err := syntax.ParseExpr("condition", text)
	if err != nil {
		return nil, err
	}
	f, err := ltl.FromExpr(x.a, e)
	if err != nil {
		return nil, err
	}
	p, ok := f.(ltl.Prop)
	if !ok {
		return nil, errors.New("a condition of one state has no temporal operators")
	}
	return p.Cond, nil
}

// Watch implements Watcher.
func (x *Automaton) Watch(_ context.Context, path []int, conditions []string) (list []Watched) {
	_, configs, err := x.run(path)
	for _, text := range conditions {
		w := Watched{Text: text}
		c, bad := x.condition(text)
		switch {
		case err != nil:
			w.Value, w.Wrong = err.Error(), true
		case bad != nil:
			w.Value, w.Wrong = bad.Error(), true
		case len(configs) > 0:
			w.Value = fmt.Sprint(c.Eval(configs[len(configs)-1].Value))
		}
		list = append(list, w)
	}
	return list
}

// Find implements Watcher.
func (x *Automaton) Find(ctx context.Context, path []int, condition string) ([]int, error) {
	_, configs, err := x.run(path)
	if err != nil {
		return nil, err
	}
	c, err := x.condition(condition)
	if err != nil {
		return nil, err
	}
	var from *ta.Config // nil is before the initial configurations
	if len(configs) > 0 {
		from = configs[len(configs)-1]
	}
	key := func(s *ta.Config) string {
		if s == nil {
			return ""
		}
		return fmt.Sprint(s.Counters, s.Shared)
	}
	next := func(s *ta.Config, yield func(*ta.Config) bool) error {
		if s == nil {
			for _, first := range x.start {
				if !yield(first) {
					break
				}
			}
			return nil
		}
		for _, k := range x.enabled(s) {
			if !yield(s.After(&x.a.Rules[k], one)) {
				break
			}
		}
		return nil
	}
	return search(ctx, from, key, next, func(s *ta.Config) (bool, error) { return c.Eval(s.Value), nil })
}
