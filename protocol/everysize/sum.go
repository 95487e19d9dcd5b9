package everysize

import (
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Sum is a number made of constants, as it is written.
func Sum(t *protocol.Term) string { return written(t, 0) }

// written is a number where operators stand that bind with some strength: what binds less is in parentheses.
func written(t *protocol.Term, outer int) string {
	join := func(strength int) string {
		s := written(t.Args[0], strength) + " " + string(t.Op) + " " + written(t.Args[1], strength+1)
		if strength < outer {
			return "(" + s + ")"
		}
		return s
	}
	switch t.Op {
	case ftdp.Number:
		if t.Const != "" {
			return t.Const
		}
		return fmt.Sprint(t.Value)
	case ftdp.Minus:
		return "(-" + written(t.Args[0], 3) + ")"
	case ftdp.Plus, ftdp.Sub:
		return join(1)
	case ftdp.Times, ftdp.Div, ftdp.Mod:
		return join(2)
	case ftdp.Ceiling:
		return "[" + written(t.Args[0], 0) + "]"
	case ftdp.Floor:
		return "⌊" + written(t.Args[0], 0) + "⌋"
	}
	return ""
}
