package protocol

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Counted is a comparison that says how many satisfy a condition: `Count Op Number`. Where a multiple of a count is
// compared with a number, how many these are is a quotient: 2 * count > e is count > e / 2, rounded down, and 2 * count
// >= e is count >= e / 2, rounded up.
type Counted struct {
	Count *Term
	Op    ftdp.Op
	Down  *Term // the number, or the quotient rounded down: for > and <=
	Up    *Term // the same rounded up: for >= and <; what is equal is neither less than Up nor more than Down
}

// CountedIn solves a comparison for the count that is in it, in sums, differences and multiples; nil if it cannot be.
// It says how many counts there are; `is` says which are meant.
func CountedIn(op ftdp.Op, a, b *Term, is func(t *Term) bool) (*Counted, int) {
	left, right := &counting{is: is}, &counting{is: is}
	solved := left.add(a, 1) && right.add(b, 1)
	many := left.many + right.many
	if !solved || many != 1 {
		return nil, many
	}
	if left.count == nil {
		left, right, op = right, left, op.Mirrored()
	}
	times, number := left.times, summed(right.rest, ftdp.Sub, left.rest)
	if times < 0 {
		times, number, op = -times, summed(left.rest, ftdp.Sub, right.rest), op.Mirrored()
	}
	if number == nil {
		number = &Term{Op: ftdp.Number, Type: intType, Pos: a.Pos, Width: a.Width}
	}
	out := &Counted{left.count, op, number, number}
	if times != 1 {
		if times == 0 {
			return nil, many
		}
		out.Down = &Term{Op: ftdp.Div, Type: intType, Pos: number.Pos, Width: number.Width,
			Args: []*Term{number, fixedNumber(times, number)}}
		out.Up = &Term{Op: ftdp.Ceiling, Type: intType, Pos: number.Pos, Width: number.Width, Args: []*Term{out.Down}}
	}
	return out, many
}

// mostTimes bounds multiples.
const mostTimes = 1 << 20

// counting is a sum: a count, so many times, and the rest, which is nil if there is nothing.
type counting struct {
	is    func(t *Term) bool
	count *Term
	many  int // counts
	times int64
	rest  *Term
}

// add adds a term so many times; false if counts are in it in another way.
func (c *counting) add(t *Term, times int64) bool {
	n := c.counts(t)
	switch {
	case times > mostTimes || times < -mostTimes:
		c.many += n
		return false
	case n == 0 && times == 1:
		c.rest = summed(c.rest, ftdp.Plus, t)
		return true
	case n == 0 && times == -1:
		c.rest = summed(c.rest, ftdp.Sub, t)
		return true
	case n == 0:
		c.rest = summed(c.rest, ftdp.Plus, &Term{Op: ftdp.Times, Type: intType, Pos: t.Pos, Width: t.Width,
			Args: []*Term{fixedNumber(times, t), t}})
		return true
	case c.is(t):
		c.count, c.many, c.times = t, c.many+1, c.times+times
		return true
	case t.Op == ftdp.Minus:
		return c.add(t.Args[0], -times)
	case t.Op == ftdp.Plus:
		return c.add(t.Args[0], times) && c.add(t.Args[1], times)
	case t.Op == ftdp.Sub:
		return c.add(t.Args[0], times) && c.add(t.Args[1], -times)
	case t.Op == ftdp.Times:
		for k, factor := range t.Args {
			if n, ok := factorOf(factor); ok && n <= mostTimes && n >= -mostTimes && c.counts(factor) == 0 {
				return c.add(t.Args[1-k], times*n)
			}
		}
	}
	c.many += n
	return false
}

// factorOf is the value of what is put together of written numbers: constants may stand for any size.
func factorOf(t *Term) (v int64, ok bool) {
	named := false
	t.constants(func(string) { named = true })
	n, ok := constantOf(t)
	return int64(n), ok && !named
}

// counts is how many of the counts that are meant are in a term, outside of conditions.
func (c *counting) counts(t *Term) (n int) {
	if c.is(t) {
		return 1
	}
	switch t.Op {
	case ftdp.Minus, ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Div, ftdp.Mod, ftdp.Floor, ftdp.Ceiling:
		for _, a := range t.Args {
			n += c.counts(a)
		}
	}
	return n
}

// fixedNumber is a number that is written where a term is.
func fixedNumber(n int64, at *Term) *Term {
	return &Term{Op: ftdp.Number, Type: intType, Value: int32(n), Pos: at.Pos, Width: at.Width}
}

// summed is a sum or a difference, where nil is nothing.
func summed(a *Term, op ftdp.Op, b *Term) *Term {
	switch {
	case b == nil:
		return a
	case a == nil && op == ftdp.Plus:
		return b
	case a == nil:
		return &Term{Op: ftdp.Minus, Type: intType, Pos: b.Pos, Width: b.Width, Args: []*Term{b}}
	}
	return &Term{Op: op, Type: intType, Pos: a.Pos, Width: a.Width, Args: []*Term{a, b}}
}
