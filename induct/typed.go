package induct

import (
	"context"
	"errors"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// HoldsByTypes says whether an invariant holds in every state that the types of an instance's variables allow, reached
// or not: nothing that the rules do can violate it. It is false of what has no encoding. The error is the solver's or
// ctx's.
func HoldsByTypes(ctx context.Context, m *protocol.Model, p *protocol.Prop, factory smt.Factory) (bool, error) {
	x, err := encode.States(m, interp.Options{})
	if err != nil {
		return false, ignoring(err)
	}
	holds, _, err := x.Holds(p.Invariant, make([]int32, p.Frame))
	if err != nil {
		return false, ignoring(err)
	}
	s, err := newSession(x, factory, new(int))
	if err != nil {
		return false, err
	}
	defer s.Close()
	s.Assert(s.copy(0).Formula(x.And(x.Valid, holds.Not())))
	status, err := s.check(ctx)
	return status == smt.Unsat, err
}

// ignoring drops the errors of models that have no encoding, or that go wrong at first: others tell of these.
func ignoring(err error) error {
	var none *protocol.Unsupported
	var wrong *protocol.Failure
	if errors.As(err, &none) || errors.As(err, &wrong) {
		return nil
	}
	return err
}
