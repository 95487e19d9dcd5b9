package hand

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Watched is what a condition is in a state.
type Watched struct {
	Text  string `json:"text"`
	Value string `json:"value"` // true or false, or what is wrong
	Wrong bool   `json:"wrong"`
}

// mostVisited bounds how many states a search looks at.
const mostVisited = 20_000

// visit is a state that a search has visited, and how it came there.
type visit[S any] struct {
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
	list := []visit[S]{{from, -1, 0}}
	for at := 0; at < len(list); at++ {
		var bad error
		found, choice := false, -1
		err := next(list[at].state, func(s S) bool {
			choice++
			if k := print(s); !seen[k] {
				seen[k] = true
				list = append(list, visit[S]{s, at, choice})
				found, bad = is(s)
			}
			return !found && bad == nil && len(list) <= mostVisited && ctx.Err() == nil
		})
		var none S
		list[at].state = none // which is not read any more
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
func way[S any](list []visit[S]) (path []int) {
	for at := len(list) - 1; list[at].before >= 0; at = list[at].before {
		path = append([]int{list[at].choice}, path...)
	}
	return path
}
