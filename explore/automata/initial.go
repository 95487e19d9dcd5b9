package automata

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/ta"
)

// ErrNoInitial says that an instance has no initial configuration: whatever
// holds in all of its runs holds for no good reason, so that is no answer.
var ErrNoInitial = errors.New("no initial configuration")

// Initial enumerates the initial configurations for the given parameters. Symbols that the initial conditions leave
// open are tried up to the sum of the parameters above the least value that they can have. Its error is
// explore.ErrTooLarge if there are too many, or numbers are too large.
func Initial(a *ta.Automaton, params []*big.Int) ([]*ta.Config, error) {
	out, _, err := initial(context.Background(), a, params, 0, explore.DefaultStates)
	return out, err
}

// SomeInitial enumerates as many of them, and reports whether there are more, or may be. Its error is ctx's.
func SomeInitial(ctx context.Context, a *ta.Automaton, params []*big.Int,
	most int) (list []*ta.Config, more bool, err error) {
	list, _, err = initial(ctx, a, params, 0, most)
	if errors.Is(err, explore.ErrTooLarge) {
		return list[:min(most, len(list))], true, nil
	}
	return list, false, err
}

// largest is the largest number that states can hold.
const largest = math.MaxInt32 / 2

// initial enumerates the initial configurations for the given parameters, in the order of their values. What can be
// concluded about a symbol from the initial conditions and the symbols before it bounds the values that are tried. What
// remains without an upper bound is open, and tried up to the larger one of free and the sum of the parameters above
// its least value. The error is explore.ErrTooLarge if there are more than limit of them, or ctx's.
func initial(ctx context.Context, a *ta.Automaton, params []*big.Int, free int64,
	limit int) (out []*ta.Config, open []ta.Symbol, err error) {
	room := new(big.Int)
	for _, p := range params[:len(a.Parameters)] {
		room.Add(room, p)
	}
	if room.Cmp(big.NewInt(largest)) > 0 {
		return nil, nil, fmt.Errorf("%w: numbers beyond %d", explore.ErrTooLarge, largest)
	}
	params = a.Complete(params)
	c := &ta.Config{Params: params}
	if !ta.Holds(a.Resilience, c.Value) {
		return nil, nil, nil
	}
	s := &starts{ctx: ctx, a: a, params: params, cond: narrow(a, a.Inits, c), room: max(free, room.Int64()),
		left: limit, open: make([]bool, len(a.Locations)+len(a.Shared))}
	s.steps = 2 * limit * (1 + len(s.open))
	b := make(box, len(s.open))
	for i := range b {
		b[i].high = unbounded
	}
	if s.cond.propagate(b) {
		err = s.assign(b, 0)
	}
	for i, yes := range s.open {
		if yes {
			open = append(open, symbolOf(a, i))
		}
	}
	return s.found, open, err
}

// starts is the enumeration of initial configurations.
type starts struct {
	ctx         context.Context
	a           *ta.Automaton
	params      []*big.Int
	cond        *constraint
	room        int64
	left, steps int    // configurations, and attempts, before it is too large
	open        []bool // by slot: some values were not tried
	found       []*ta.Config
}

// assign tries all values of the slots from i on.
func (s *starts) assign(b box, i int) error {
	if s.steps--; s.steps < 0 || s.left < 0 {
		return fmt.Errorf("%w: too many candidates for initial configurations", explore.ErrTooLarge)
	}
	if err := s.ctx.Err(); s.steps%1024 == 0 && err != nil {
		return err
	}
	if i == len(b) {
		return s.add(b)
	}
	low, high := b[i].low, b[i].high
	if low > largest {
		return fmt.Errorf("%w: numbers beyond %d", explore.ErrTooLarge, largest)
	}
	if high > largest {
		high = min(low+s.room, largest)
		s.open[i] = true
	}
	next := make(box, len(b))
	for v := low; v <= high; v++ {
		copy(next, b)
		next[i] = span{v, v}
		if !s.cond.propagate(next) {
			continue
		}
		if err := s.assign(next, i+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *starts) add(b box) error {
	c := &ta.Config{Params: s.params}
	for i, x := range b {
		v := big.NewInt(x.low)
		if i < len(s.a.Locations) {
			c.Counters = append(c.Counters, v)
		} else {
			c.Shared = append(c.Shared, v)
		}
	}
	if ta.Holds(s.a.Inits, c.Value) {
		s.found = append(s.found, c)
		s.left--
	}
	return nil
}

// Combinations calls do with all combinations of n values from 0 to upTo, in order; the slice is
// used again. It stops at do's first error, and returns it.
func Combinations(n int, upTo int64, do func(values []*big.Int) error) error {
	values := make([]*big.Int, n)
	var assign func(i int) error
	assign = func(i int) error {
		if i == n {
			return do(values)
		}
		for v := range upTo + 1 {
			values[i] = big.NewInt(v)
			if err := assign(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return assign(0)
}
