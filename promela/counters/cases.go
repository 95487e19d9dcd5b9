package counters

import (
	"errors"
	"fmt"
	"maps"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/promela/pml"
)

// A quotient, a rest or bits of something that is not a number is no sum. It is one in each of some cases: r % 2 is 0
// where r is 2 * q, for some q, and 1 where r is 2 * q + 1. So a path that comes to one goes on once for each case.
// That q is whole gets lost where it is eliminated: then more is possible, as far as the automaton knows.

// undecided is an expression that is no sum: a condition, which is 1 or 0; or an operator and a number, applied to a
// sum. The error says so, where there are no cases.
type undecided struct {
	error
	test *condition
	op   pml.Op
	of   amount
	by   int64
}

func (u *undecided) Unwrap() error { return u.error }

func (u *undecided) key() string {
	if u.test != nil {
		return conditionKey(u.test)
	}
	return fmt.Sprint(u.of.Key(), u.op, u.by)
}

// mostDivided bounds the numbers for which there are cases.
const mostDivided = 64

// inCases is what an operator and a number make of a sum: a number, or what it is in the present case.
func (r *reading) inCases(e *pml.Expr, of amount, by int64) amount {
	if of.IsConst() {
		if n, ok := pml.Apply(e.Op, []int64{of.Const().Int64(), by}); ok {
			return number(n)
		}
		return r.refuse(e, "`%s`: there is no such number", e)
	}
	if by < -mostDivided || by >= mostDivided || e.Op == ">>" && (by < 0 || 1<<by > mostDivided) {
		return r.refuse(e, "`%s`: automata know this of numbers only, and of others if %d is smaller", e, by)
	}
	return r.present(&undecided{op: e.Op, of: of, by: by}, e)
}

// present is what an expression is in the present case.
func (r *reading) present(u *undecided, e *pml.Expr) amount {
	if v, known := r.cases[u.key()]; known {
		return v
	}
	if r.err == nil {
		r.refuse(e, "`%s`: automata know this of numbers only", e)
		u.error, r.err = r.err, u
	}
	return amount{}
}

// oneCase is what an expression is if a condition is satisfied.
type oneCase struct {
	value amount
	when  *condition
}

// cases are those of an expression, with a natural number that is not used yet.
func (u *undecided) cases(q amount) []oneCase {
	switch {
	case u.test != nil:
		return []oneCase{{number(1), u.test}, {number(0), u.test.Negate()}}
	case u.op == "/", u.op == "%":
		return u.divided(q)
	}
	var list []oneCase
	for _, high := range []amount{q, q.Complement()} {
		list = append(list, u.bits(high)...)
	}
	return list
}

// divided are the cases of a quotient or rest, both rounded towards zero.
func (u *undecided) divided(q amount) (list []oneCase) {
	for _, sign := range []int64{1, -1} {
		of := times(sign, u.of)
		rest, here := of.Sub(times(u.by, q)), always
		if sign < 0 {
			here = atLeast0(of.Plus(-1))
		}
		if u.op == "/" {
			inside := boolean.And(atLeast0(rest), atLeast0(number(u.by-1).Sub(rest)))
			list = append(list, oneCase{times(sign, q), boolean.And(here, inside)})
			continue
		}
		for n := range u.by {
			list = append(list, oneCase{number(sign * n), boolean.And(here, comparison("==", rest, number(n)))})
		}
	}
	return list
}

// bits are the cases of bits of size * high + low: those of by are all alike from size on.
func (u *undecided) bits(high amount) (list []oneCase) {
	by, size := u.by, int64(1)
	if u.op == ">>" {
		rest := u.of.Sub(times(1<<by, high))
		return []oneCase{{high, boolean.And(atLeast0(rest), atLeast0(number(1<<by-1).Sub(rest)))}}
	}
	for by < -size || by >= size {
		size *= 2
	}
	above := high
	switch {
	case u.op == "&" && by >= 0:
		above = number(0)
	case u.op == "|" && by < 0:
		above = number(-1)
	case u.op == "^" && by < 0:
		above = high.Complement()
	}
	for low := range size {
		n, _ := pml.Apply(u.op, []int64{low, by & (size - 1)})
		list = append(list, oneCase{times(size, above).Plus(n), comparison("==", u.of, times(size, high).Plus(low))})
	}
	return list
}

func times(n int64, l amount) amount { return l.Scale(linear.N(n)) }

// split goes on with each case of an expression.
func (x *executor) split(u *undecided, then func(*executor) error) error {
	for _, c := range u.cases(x.draw()) {
		if y := x.fork(); y.require(c.when) {
			y.cases = u.with(x.cases, c.value)
			if err := then(y); err != nil {
				return err
			}
		}
	}
	return nil
}

// with says also what the expression is.
func (u *undecided) with(cases map[string]amount, value amount) map[string]amount {
	out := map[string]amount{u.key(): value}
	maps.Copy(out, cases)
	return out
}

// either is what it takes that a condition holds, and that it does not: in one of its cases.
func (r reading) either(e *pml.Expr) (holds, not *condition, err error) {
	cases := r.cases
	holds, err = truth(e, &r)
	open := (*undecided)(nil)
	if !errors.As(err, &open) {
		return holds, holds.Negate(), err
	}
	holds, not = never, never
	for _, c := range open.cases(counter.Of(counter.Drawn, len(cases))) {
		r.err, r.cases = nil, open.with(cases, c.value)
		yes, no, err := r.either(e)
		if err != nil {
			return nil, nil, err
		}
		holds, not = boolean.Or(holds, boolean.And(c.when, yes)), boolean.Or(not, boolean.And(c.when, no))
	}
	return holds, not, nil
}
