package smt

import (
	"context"
	"time"
)

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
