package induct

import (
	"context"
	"fmt"
	"math/big"

	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/smt"
)

// session is a solver with conditions on one or more copies of a state's variables.
type session struct {
	smt.Solver
	x       *encode.Encoding
	named   []map[encode.Lit]*smt.Formula // by copy: literals that imply conditions
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
		s.named = append(s.named, map[encode.Lit]*smt.Formula{})
	}
	return s.copies[k]
}

// when returns a literal of the solver that implies a condition. What says so is
// asserted at the level of the stack that is open, so it has to be the lowest one.
func (s *session) when(l encode.Lit, k int) *smt.Formula {
	if l == encode.True {
		return smt.True
	}
	x := s.copy(k)
	f := s.named[k][l]
	if f == nil {
		f = fresh("when%d_%d", k, len(s.named[k]))
		s.named[k][l] = f
		s.Assert(smt.Implies(f, x.Formula(l)))
	}
	return f
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
