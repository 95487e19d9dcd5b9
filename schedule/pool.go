package schedule

import (
	"errors"

	"github.com/tacheck/tacheck/smt"
)

// pool holds solvers that are not at work. A solver that has answered other
// questions gives the same verdicts, and perhaps other models.
type pool struct {
	start smt.Factory
	idle  chan *pooled
}

// pooled is a solver and how many tasks it has had.
type pooled struct {
	smt.Solver
	tasks int
}

// maxTasks is how many tasks a solver gets: what it remembers of them takes
// memory, and starting another takes as long as some ten queries.
const maxTasks = 32

func newPool(start smt.Factory, size int) *pool {
	return &pool{start, make(chan *pooled, max(1, size))}
}

// take returns an idle solver or a new one.
func (p *pool) take() (*pooled, error) {
	select {
	case s := <-p.idle:
		return s, nil
	default:
		return p.fresh()
	}
}

func (p *pool) fresh() (*pooled, error) {
	s, err := p.start()
	if err != nil {
		return nil, err
	}
	return &pooled{Solver: s}, nil
}

// give takes a solver back.
func (p *pool) give(s *pooled) error {
	if s.tasks++; s.tasks >= maxTasks {
		return s.Close()
	}
	select {
	case p.idle <- s:
		return nil
	default:
		return s.Close()
	}
}

// close closes the idle solvers.
func (p *pool) close() (err error) {
	for {
		select {
		case s := <-p.idle:
			err = errors.Join(err, s.Close())
		default:
			return err
		}
	}
}
