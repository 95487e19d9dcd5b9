package interp

import (
	std "context" // context is a type of this package
	"errors"
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// errEnough ends an enumeration early.
var errEnough = errors.New("enough")

// checkInterrupt is called often while successors or initial states are enumerated, also where there are none.
func (x *Interpreter) checkInterrupt() {
	if x.interrupted != nil {
		x.interrupted()
	}
}

// Heeding returns an interpreter whose enumerations panic with a halt once ctx has ended.
func (x *Interpreter) Heeding(ctx std.Context) *Interpreter {
	y := *x
	y.interrupted = func() {
		if ctx.Err() != nil {
			panic(protocol.Halt{Err: std.Cause(ctx)})
		}
	}
	return &y
}

// wanted yields, and ends the enumeration where that says so.
func wanted(yield func(Successor) bool, s Successor) {
	if !yield(s) {
		panic(protocol.Halt{Err: errEnough})
	}
}

// EachSuccessor yields what Successors lists, in the same order, one by one, until yield returns false, or ctx ends:
// the error is its cause then. There may be more successors than there is memory for, or time.
func (x *Interpreter) EachSuccessor(ctx std.Context, s *protocol.State, yield func(Successor) bool) (err error) {
	defer enough(&err)
	defer protocol.Catch(&err)
	x.Heeding(ctx).successors(s, func(n Successor) { wanted(yield, n) })
	return nil
}

// EachInitial yields initial states, in the same way, without repetitions; those that differ by a permutation of
// processes only come once where apart is false and it is known that they are alike.
func (x *Interpreter) EachInitial(ctx std.Context, apart bool, yield func(Successor) bool) (err error) {
	defer enough(&err)
	defer protocol.Catch(&err)
	y := x.Heeding(ctx)
	var alike func(p, q int) bool
	if !apart {
		alike = x.Interchangeable()
	}
	seen, any := map[string]bool{}, false
	for k := range y.Inits {
		t := &y.Inits[k]
		y.Starting(t, alike, func(cells []int32) bool {
			y.checkInterrupt()
			state := y.InitialOf(t, cells)
			if state == nil {
				return true
			}
			if key := state.Key(); !seen[key] {
				seen[key], any = true, true
				wanted(yield, Successor{Event{Init: true, Rule: k, Frame: slices.Clone(cells)}, state})
			}
			return true
		})
	}
	if !any {
		return NoInitial(x.Model)
	}
	return nil
}

// InitialValues is how many values the parameters of initial states have together; each may be another state,
// and some none.
func InitialValues(m *protocol.Model) (total float64) {
	for k := range m.Inits {
		total += m.Values(&m.Inits[k])
	}
	return total
}

func enough(err *error) {
	if *err == errEnough {
		*err = nil
	}
}
