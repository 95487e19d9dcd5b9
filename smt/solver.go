package smt

import (
	"context"
	"errors"
	"math/big"
	"time"
)

// Status is a solver's answer.
type Status uint8

// The answers.
const (
	Unknown Status = iota
	Sat
	Unsat
)

// String returns the answer as solvers print it.
func (s Status) String() string { return [...]string{"unknown", "sat", "unsat"}[s] }

// Answer is a solver's answer with the reason for an Unknown.
type Answer struct {
	Status Status
	Reason string
}

// Solver decides conjunctions of formulas, kept on a stack of assertions. It is for one goroutine at a time.
//
// Methods without an error result remember the first thing that went wrong; Check returns it. Variables need no
// declaration: backends declare them, at the level of the stack where they are first used.
type Solver interface {
	// Push opens a level of the stack, Pop drops it with all its assertions.
	Push()
	Pop()
	// Assert adds f.
	Assert(f *Formula)
	// Check decides the assertions. Cancelling ctx interrupts the solver within a second: the answer is then Unknown,
	// and Reason says why. The error is for a solver that broke, and final.
	Check(ctx context.Context) (Answer, error)
	// Values returns values of vars in a model after Check has answered Sat;
	// booleans are 0 and 1. It is an error if there is no model.
	Values(vars []*Var) ([]*big.Int, error)
	// Close releases the solver's memory and stops its process.
	Close() error
	// Name says which solver this is, with its version.
	Name() string
}

// Factory makes solvers: one for each goroutine that needs one.
type Factory func() (Solver, error)

// ErrMemory is the cause with which a context is cancelled when memory runs out.
var ErrMemory = errors.New("memory limit")

// Interrupted explains a cancelled context: "timeout", "memory limit" or "interrupted".
func Interrupted(ctx context.Context) string {
	switch cause := context.Cause(ctx); cause {
	case context.DeadlineExceeded:
		return "timeout"
	case ErrMemory:
		return cause.Error()
	}
	return "interrupted"
}

// Failure is the error of a solver that does not work: it is missing, it crashes, or it
// answers what no solver may. It says nothing about what the solver was asked.
type Failure struct{ Err error }

func (e *Failure) Error() string { return e.Err.Error() }

func (e *Failure) Unwrap() error { return e.Err }

// Meter is a Solver that counts the queries another one answers, and the time it takes.
type Meter struct {
	Solver
	Queries int
	Time    time.Duration
}

// Check passes the query on.
func (m *Meter) Check(ctx context.Context) (Answer, error) {
	start := time.Now()
	answer, err := m.Solver.Check(ctx)
	m.Queries++
	m.Time += time.Since(start)
	return answer, err
}
