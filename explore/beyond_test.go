package explore

import (
	"context"
	"errors"
	"testing"
)

// chain is a way to a loop, which ends a context when so many successors were asked for.
type chain struct {
	length, asked, at int
	end               context.CancelFunc
}

func (c *chain) Initial() ([]int, error) { return []int{0}, nil }
func (c *chain) Holds(int, int) bool     { return true }
func (c *chain) Successors(s int) ([]Step, error) {
	if c.asked++; c.asked == c.at {
		c.end()
	}
	return []Step{{To: min(s+1, c.length-1)}}, nil
}

// TestFoundIsTold: the way to a loop that was found is made, though time is up meanwhile.
func TestFoundIsTold(t *testing.T) {
	search := func(at int) (*Found, int, error) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		c := &chain{length: 20_000, at: at, end: end}
		found, err := Search(ctx, c, &Formula{Op: Globally, Args: []*Formula{{Op: Atom}}}, Bounds{})
		return found, c.asked, err
	}
	found, all, err := search(0)
	if err != nil || len(found.Prefix) < 19_000 {
		t.Fatalf("%+v, %v", found, err)
	}
	if again, _, err := search(all - 10_000); err != nil || len(again.Prefix) != len(found.Prefix) || len(again.Loop) != len(found.Loop) {
		t.Errorf("time is up while the way is made: %v", err)
	}
	if _, _, err := search(1000); !errors.Is(err, context.Canceled) {
		t.Errorf("time is up before anything is found: %v", err)
	}
}
