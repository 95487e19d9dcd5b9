package smt

import (
	"context"
	"errors"
	"math/big"
)

// Reuse makes a factory whose solvers are used again: closing one drops what it was told and keeps it for the next. One
// that has left a question open, or has an error, is closed in earnest. The factory is for one goroutine at a time, and
// a name has one sort in all that its solvers are asked. The function that comes with it closes those that are kept.
func Reuse(factory Factory) (Factory, func() error) {
	r := &reuse{factory: factory}
	return r.get, r.close
}

type reuse struct {
	factory Factory
	idle    []Solver
}

func (r *reuse) get() (Solver, error) {
	if last := len(r.idle) - 1; last >= 0 {
		s := r.idle[last]
		r.idle = r.idle[:last]
		s.Push()
		return &reused{Solver: s, of: r, depth: 1}, nil
	}
	s, err := r.factory()
	if err != nil {
		return nil, err
	}
	s.Push()
	return &reused{Solver: s, of: r, depth: 1}, nil
}

func (r *reuse) close() (err error) {
	for _, s := range r.idle {
		if e := s.Close(); err == nil {
			err = e
		}
	}
	r.idle = nil
	return err
}

// reused is a solver while it is in use.
type reused struct {
	Solver
	of     *reuse
	depth  int // of the stack
	broken bool
	closed bool
}

var errClosed = errors.New("the solver is closed")

func (s *reused) Push() {
	if !s.closed {
		s.depth++
		s.Solver.Push()
	}
}

func (s *reused) Pop() {
	if !s.closed {
		s.depth--
		s.Solver.Pop()
	}
}

func (s *reused) Assert(f *Formula) {
	if !s.closed {
		s.Solver.Assert(f)
	}
}

func (s *reused) Check(ctx context.Context) (Answer, error) {
	if s.closed {
		return Answer{}, errClosed
	}
	a, err := s.Solver.Check(ctx)
	s.broken = s.broken || err != nil || a.Status == Unknown
	return a, err
}

func (s *reused) Values(vars []*Var) ([]*big.Int, error) {
	if s.closed {
		return nil, errClosed
	}
	return s.Solver.Values(vars)
}

func (s *reused) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if s.broken {
		return s.Solver.Close()
	}
	for ; s.depth > 0; s.depth-- {
		s.Solver.Pop()
	}
	s.of.idle = append(s.of.idle, s.Solver)
	return nil
}
