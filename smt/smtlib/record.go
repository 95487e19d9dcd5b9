package smtlib

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/big"

	"github.com/tacheck/tacheck/smt"
)

// Record returns a solver that behaves like s and writes everything that s is asked to w, as a script that any SMT-LIB
// 2 solver runs; answers are written as comments. Close closes s and w.
func Record(s smt.Solver, w io.WriteCloser) smt.Solver {
	r := &recorder{Solver: s, out: newWriter(bufio.NewWriter(w)), file: w}
	r.out.text("; " + s.Name() + "\n(set-logic QF_LIA)\n")
	return r
}

type recorder struct {
	smt.Solver
	out  *writer
	file io.Closer
}

func (r *recorder) Push() {
	r.out.push()
	r.Solver.Push()
}

func (r *recorder) Pop() {
	r.out.pop()
	r.Solver.Pop()
}

func (r *recorder) Assert(f *smt.Formula) {
	r.out.assert(f)
	r.Solver.Assert(f)
}

func (r *recorder) Check(ctx context.Context) (smt.Answer, error) {
	r.out.text("(check-sat)\n")
	// What was asked is on disk before the solver may fail at it.
	if err := r.out.w.Flush(); err != nil {
		return smt.Answer{}, fmt.Errorf("saving the solver's input: %w", err)
	}
	answer, err := r.Solver.Check(ctx)
	r.out.text(answerMark + answer.Status.String() + "\n")
	return answer, err
}

// Values notes what the model says, so that the run can be repeated.
func (r *recorder) Values(vars []*smt.Var) ([]*big.Int, error) {
	values, err := r.Solver.Values(vars)
	if err != nil {
		return nil, err
	}
	r.out.text(valuesMark)
	for _, v := range values {
		r.out.text(" " + v.String())
	}
	r.out.text("\n")
	return values, nil
}

// valuesMark begins the comments in which values are noted.
const valuesMark = "; values"

func (r *recorder) Close() error {
	err := r.Solver.Close()
	if ferr := r.out.w.Flush(); err == nil {
		err = ferr
	}
	if cerr := r.file.Close(); err == nil {
		err = cerr
	}
	return err
}
