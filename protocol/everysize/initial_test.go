package everysize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// agreeInitially holds the encoding against the interpreter in the beginning: which values of parameters are possible, what goes
// wrong, and what variables then are.
func agreeInitially(e *Encoding, x *interp.Interpreter) (err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	list, failed := x.Initial()
	wrong, any := false, false
	for k := range e.Model.Inits {
		sit := e.initial(&e.Model.Inits[k])
		x.Starts(&e.Model.Inits[k], nil, func(cells []int32) bool {
			c := newConcrete(x, e, sit.w, &protocol.State{})
			c.parameters(sit, cells)
			wrong = wrong || c.holds(sit.fails)
			possible := !slices.ContainsFunc(slices.Concat(sit.known, sit.guard), func(n node) bool { return !c.holds(n) })
			any = any || possible
			same := func(n interp.Successor) bool { return n.Event.Rule == k && slices.Equal(n.Event.Frame, cells) }
			switch {
			case failed != nil:
			case possible && !slices.ContainsFunc(list, func(n interp.Successor) bool { return c.agreeAfter(e, sit, n.State) == nil }):
				err = fmt.Errorf("%s %v: no initial state is like that", sit.name, cells)
			case !possible && slices.ContainsFunc(list, same):
				err = fmt.Errorf("%s %v: not possible by formulas", sit.name, cells)
			}
			return err == nil
		})
	}
	if err == nil && failed == nil && wrong || err == nil && failed != nil && any && !wrong {
		return fmt.Errorf("something goes wrong in one of both only: %v", failed)
	}
	return err
}

// TestInitially compares initial states of random protocols whose conditions ask for first values.
func TestInitially(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 36))
	done := 0
	for range need.Cases(t, 40) {
		text := random.Sets(r)
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := New(m, false)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := agreeInitially(e, &interp.Interpreter{Model: m}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		done++
	}
	t.Logf("%d protocols", done)
}

// noMember fails in its first step.
const noMember = `protocol member;
type N: role[1];
var
  total: 0..2 = 2;
  few: set of 0..1 = {};
  node: array[N] of record x: bool = false; end;
rules
  [](i: N) put: few := add(few, total);`
