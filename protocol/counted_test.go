package protocol_test

import (
	"math"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// TestCountedIn solves comparisons with multiples of a count on either side, and evaluates both for all values of it.
func TestCountedIn(t *testing.T) {
	whole := &protocol.Type{Kind: protocol.KindInt, Lo: math.MinInt32 + 1, Hi: math.MaxInt32, Cells: 1}
	number := func(n int32) *protocol.Term { return &protocol.Term{Op: ftdp.Number, Type: whole, Value: n} }
	of := func(op ftdp.Op, args ...*protocol.Term) *protocol.Term {
		return &protocol.Term{Op: op, Type: whole, Args: args}
	}
	value := (&protocol.Evaluation{}).Value
	holds := func(op ftdp.Op, a, b *protocol.Term) bool { return value(of(op, a, b)) != 0 }
	for _, op := range []ftdp.Op{ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge} {
		for k := range 7 * 7 * 9 * 4 {
			times, rest, e, form := int32(k%7)-3, int32(k/7%7)-3, int32(k/49%9)-4, k/441
			count := number(0)
			a, b := of(ftdp.Plus, of(ftdp.Times, number(times), count), number(rest)), number(e)
			switch form {
			case 1:
				a, b = b, a
			case 2:
				a, b = number(rest), of(ftdp.Sub, number(e), of(ftdp.Times, count, of(ftdp.Minus, of(ftdp.Times, number(-1), number(times)))))
			case 3:
				a, b = of(ftdp.Minus, of(ftdp.Times, of(ftdp.Plus, number(rest), count), number(times))), of(ftdp.Sub, number(e), number(rest))
			}
			got, many := protocol.CountedIn(op, a, b, func(t *protocol.Term) bool { return t == count })
			if many != 1 || (got == nil) != (times == 0) {
				t.Fatalf("%d counts, %+v", many, got)
			}
			for n := int32(0); n < 9 && got != nil; n++ {
				count.Value = n
				is := map[ftdp.Op]bool{ftdp.Ge: holds(ftdp.Ge, count, got.Up), ftdp.Gt: holds(ftdp.Gt, count, got.Down), ftdp.Lt: holds(ftdp.Lt, count, got.Up), ftdp.Le: holds(ftdp.Le, count, got.Down),
					ftdp.Eq: holds(ftdp.Ge, count, got.Up) && holds(ftdp.Le, count, got.Down), ftdp.Ne: holds(ftdp.Lt, count, got.Up) || holds(ftdp.Gt, count, got.Down)}[got.Op]
				if want := holds(op, a, b); is != want {
					t.Fatalf("%d * count + %d %s %d in form %d: with %d it is %v, want %v", times, rest, op, e, form, n, is, want)
				}
			}
		}
	}
	one, other := number(1), number(2)
	for _, c := range []struct {
		a    *protocol.Term
		many int
	}{{of(ftdp.Plus, one, other), 2}, {of(ftdp.Times, one, other), 2}, {of(ftdp.Div, one, number(2)), 1}, {of(ftdp.Times, one, &protocol.Term{Op: ftdp.Number, Type: whole, Value: 2, Const: "n"}), 1}} {
		if got, many := protocol.CountedIn(ftdp.Lt, c.a, number(3), func(t *protocol.Term) bool { return t == one || t == other }); got != nil || many != c.many {
			t.Errorf("%+v is solved, or %d counts", got, many)
		}
	}
}
