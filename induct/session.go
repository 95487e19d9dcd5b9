package induct

import (
	"context"
	"fmt"
	"math/big"

	"tacheck/protocol/encode"
	"tacheck/smt"
)

// session is a solver with conditions on one or more copies of a state's variables.
// A condition is asserted by the nodes of its circuit, each with a name, so
// that what is shared is written once.
type session struct {
	smt.Solver
	x       *encode.Encoding
	named   []map[int]bool // by copy
	copies  []*encode.Instance
	queries *int
}

func newSession(x *encode.Encoding, factory smt.Factory, queries *int) (*session, error) {
	s, err := factory()
	if err != nil {
		return nil, err
	}
	return &session{Solver: s, x: x, queries: queries}, nil
}

// copy returns a copy of the variables.
func (s *session) copy(k int) *encode.Instance {
	for len(s.copies) <= k {
		s.copies = append(s.copies, s.x.Instance(fmt.Sprintf("_%d", len(s.copies))))
		s.named = append(s.named, map[int]bool{})
	}
	return s.copies[k]
}

// name returns a condition as a literal of the solver; definitions go to the
// level of the stack that is open, so it has to be the lowest one.
func (s *session) name(l encode.Lit, k int) *smt.Formula {
	return s.copy(k).Name(l, s.named[k], s.Assert)
}

// check decides what is asserted.
func (s *session) check(ctx context.Context) (smt.Status, error) {
	*s.queries++
	a, err := s.Check(ctx)
	if err != nil {
		return smt.Unknown, err
	}
	if a.Status == smt.Unknown {
		if ctx.Err() != nil {
			return a.Status, ctx.Err()
		}
		return a.Status, fmt.Errorf("%s gives no answer: %s", s.Name(), a.Reason)
	}
	return a.Status, nil
}

// values reads a copy of the variables from the solver's model.
func (s *session) values(k int) (encode.Assignment, error) {
	vars := make([]*smt.Var, len(s.x.Vars))
	for v := range vars {
		vars[v] = s.copy(k).Var(v)
	}
	list, err := s.Values(vars)
	if err != nil {
		return nil, err
	}
	a := make(encode.Assignment, len(vars))
	for i, v := range list {
		a[i] = int32(clamp(v))
	}
	return a, nil
}

func clamp(v *big.Int) int64 {
	if !v.IsInt64() {
		return 0
	}
	return v.Int64()
}

// fresh makes a variable of the solver.
func fresh(format string, args ...any) *smt.Formula {
	return smt.Lit(&smt.Var{Name: fmt.Sprintf(format, args...), Sort: smt.Bool})
}
