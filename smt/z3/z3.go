//go:build cgo

// Package z3 is the solver Z3 in process, through libz3.
package z3

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aclements/go-z3/z3"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
)

// Available says whether this build holds the solver.
const Available = true

// New starts a solver. Each has a Z3 context of its own, whose memory is freed after Close.
func New() (smt.Solver, error) {
	s := &solver{}
	var failed error
	err := s.try(func() {
		s.ctx = z3.NewContext(z3.NewContextConfig())
		s.solver = z3.NewSolver(s.ctx)
		failed = leaveSignalsAlone(s.ctx, s.solver)
		s.ints, s.bools = s.ctx.IntSort(), s.ctx.BoolSort()
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	s.levels = []level{{}}
	s.vars, s.terms = map[string]z3.Value{}, map[term]z3.Int{}
	s.cache = map[*smt.Formula]z3.Bool{}
	return s, nil
}

// Closing a solver is followed by a garbage collection now and then: often
// enough for memory to stay bounded, seldom enough not to be noticed.
const collectEvery = 8

var closed atomic.Int64

type solver struct {
	ctx    *z3.Context
	solver *z3.Solver
	sat    bool                // the last answer, and nothing has changed since
	model  map[string]*big.Int // of that answer; nil if it was not asked for
	ints   z3.Sort
	bools  z3.Sort
	vars   map[string]z3.Value
	terms  map[term]z3.Int
	cache  map[*smt.Formula]z3.Bool // of the formulas asserted on the stack
	levels []level
	kept   []any
	err    error

	pending []task       // since the last check
	left    chan outcome // of a check that does not end
}

// term is a coefficient times a variable, or a constant if that has no name.
type term struct {
	coef int64
	name string
}

// Z3 numbers its terms, orders some of its work by these numbers, and gives the numbers of freed terms to new ones.
// go-z3 frees terms whenever the garbage collector gets round to it. So that the same questions get the same models,
// terms are kept alive: up to maxKept of them, for the sake of memory in searches that go through many shapes.
//
// There is another reason. All finalizers run one after the other, and freeing a term waits for its context, which is
// busy as long as a check runs: one long check would keep the memory of all contexts from being freed. So nothing that
// go-z3 gives a finalizer to is dropped while its context is in use; values are read from a model's text, since
// evaluating one drops sorts.
const maxKept = 200_000

func keep[T any](s *solver, x T) T {
	if len(s.kept) >= maxKept {
		s.kept = nil
	}
	s.kept = append(s.kept, x)
	return x
}

// level remembers what to forget when it is popped.
type level struct{ cached []*smt.Formula }

// try runs f, which calls Z3, and turns its panics into an error.
func (s *solver) try(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("z3: %v", r)
		}
	}()
	f()
	return nil
}

// do runs f unless something has gone wrong before, and remembers if it does.
func (s *solver) do(f func()) {
	if s.err == nil {
		s.err = s.try(f)
	}
}

func (s *solver) Name() string { return "z3 " + Version() + " (libz3 in process)" }

// Push, Pop and Assert only note what is to be done: Z3 works on assertions when
// it is told of them, for seconds if there are many, and can be interrupted in a check
// only. All of it is done by the next check, in the order in which it came.
func (s *solver) Push() {
	s.pending = append(s.pending, task{do: (*z3.Solver).Push})
	s.levels = append(s.levels, level{})
}

func (s *solver) Pop() {
	s.pending = append(s.pending, task{do: (*z3.Solver).Pop})
	s.sat = false
	last := len(s.levels) - 1
	for _, f := range s.levels[last].cached {
		delete(s.cache, f)
	}
	s.levels = s.levels[:last]
}

func (s *solver) Assert(f *smt.Formula) {
	s.sat = false
	if s.left != nil { // terms cannot be made at present
		s.pending = append(s.pending, task{later: f})
		return
	}
	s.assert(f)
}

func (s *solver) assert(f *smt.Formula) {
	s.do(func() {
		b := s.formula(f)
		s.pending = append(s.pending, task{do: func(z *z3.Solver) { z.Assert(b) }})
	})
}

// task is something to be done by the next check.
type task struct {
	do    func(*z3.Solver)
	later *smt.Formula // to be asserted, and not even translated
}

func (s *solver) Check(ctx context.Context) (smt.Answer, error) {
	s.sat = false
	// An interrupt that comes as a check ends hits whatever Z3 does next: with
	// a cancelled context, what went wrong is taken for that.
	if ctx.Err() != nil && s.vars != nil {
		return smt.Answer{Reason: smt.Interrupted(ctx)}, nil
	}
	if s.err != nil {
		return smt.Answer{}, s.err
	}
	sat, unknown := s.check(ctx)
	switch {
	case s.err != nil && ctx.Err() != nil, unknown != nil && ctx.Err() != nil:
		return smt.Answer{Reason: smt.Interrupted(ctx)}, nil
	case s.err != nil:
		return smt.Answer{}, s.err
	case unknown != nil:
		return smt.Answer{Reason: "z3: " + unknown.Error()}, nil
	case !sat:
		return smt.Answer{Status: smt.Unsat}, nil
	}
	s.sat, s.model = true, nil
	return smt.Answer{Status: smt.Sat}, nil
}

// How often Z3 is told that a check is to end, and how long it may take to hear: an
// interrupt that comes before the check has begun is lost.
const (
	again  = 10 * time.Millisecond
	atMost = 250 * time.Millisecond
)

// errNotAsked is the answer to a question that was not asked.
var errNotAsked = errors.New("the check did not begin")

// outcome is that of a check.
type outcome struct {
	sat          bool
	unknown, err error
	rest         []task // that were not done, since the check was to end
}

// check does what is pending, and checks. When ctx is cancelled Z3 is
// interrupted; where it does not heed that, it is left alone for the time being.
func (s *solver) check(ctx context.Context) (sat bool, unknown error) {
	if !s.ready(ctx) {
		return false, ctx.Err()
	}
	z, list := s.solver, s.pending
	s.pending = nil
	var checking atomic.Bool // an interrupt outside of a check would spoil what comes next
	work := func() (x outcome) {
		x.unknown = errNotAsked
		x.err = s.try(func() {
			for i, t := range list {
				if ctx.Err() != nil {
					x.rest = list[i:]
					return
				}
				t.do(z)
			}
			checking.Store(true)
			x.sat, x.unknown = z.Check()
		})
		return x
	}
	if ctx.Done() == nil {
		return s.ended(work())
	}
	done := make(chan outcome, 1)
	alive := []any{s.kept, s.vars, s.terms, s.cache} // see maxKept: not dropped while the context is in use
	go func() {
		done <- work()
		runtime.KeepAlive(alive)
	}()
	select {
	case x := <-done:
		return s.ended(x)
	case <-ctx.Done():
	}
	late := time.After(atMost)
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		if checking.Load() {
			s.ctx.Interrupt()
		}
		select {
		case x := <-done:
			return s.ended(x)
		case <-late:
			s.left = done
			return false, ctx.Err()
		case <-tick.C:
		}
	}
}

// ended takes note of the outcome of a check.
func (s *solver) ended(x outcome) (sat bool, unknown error) {
	s.pending = append(x.rest, s.pending...)
	s.err = x.err
	return x.sat, x.unknown
}

// ready waits for a check that was left alone, and translates what has been asserted meanwhile.
func (s *solver) ready(ctx context.Context) bool {
	if s.left == nil {
		return true
	}
	select {
	case x := <-s.left:
		s.left = nil
		s.ended(x)
	case <-ctx.Done():
		return false
	}
	list := s.pending
	s.pending = nil
	for _, t := range list {
		if t.later != nil {
			s.assert(t.later)
		} else {
			s.pending = append(s.pending, t)
		}
	}
	return s.err == nil
}

func (s *solver) Values(vars []*smt.Var) ([]*big.Int, error) {
	if !s.sat {
		return nil, fmt.Errorf("z3: there is no model")
	}
	if s.model == nil {
		var text string
		if err := s.try(func() { text = keep(s, s.solver.Model()).String() }); err != nil {
			return nil, err
		}
		values, err := parseModel(text)
		if err != nil {
			return nil, err
		}
		s.model = values
	}
	out := make([]*big.Int, len(vars))
	for i, v := range vars {
		out[i] = new(big.Int) // any value will do
		if value := s.model[v.Name]; value != nil {
			out[i].Set(value)
		}
	}
	return out, nil
}

// parseModel reads lines such as `x -> 1`, `y -> (- 2)` and `b -> true`.
func parseModel(text string) (map[string]*big.Int, error) {
	values := map[string]*big.Int{}
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(strings.TrimSpace(line), " -> ")
		digits, negative := strings.CutPrefix(value, "(- ")
		n, ok := new(big.Int).SetString(strings.TrimSuffix(digits, ")"), 10)
		switch {
		case value == "true":
			n, ok = big.NewInt(1), true
		case value == "false":
			n, ok = new(big.Int), true
		case ok && negative:
			n.Neg(n)
		}
		if !found || !ok {
			return nil, fmt.Errorf("z3: cannot read %q in a model", line)
		}
		values[name] = n
	}
	return values, nil
}

func (s *solver) Close() error {
	s.ctx, s.solver, s.sat, s.vars, s.terms, s.cache, s.kept, s.pending = nil, nil, false, nil, nil, nil, nil, nil
	s.err = fmt.Errorf("z3: the solver is closed")
	// go-z3 frees Z3's memory in finalizers, and the garbage collector does not know how much that is.
	if closed.Add(1)%collectEvery == 0 {
		runtime.GC()
	}
	return nil
}

func (s *solver) variable(v *smt.Var) z3.Value {
	if x, ok := s.vars[v.Name]; ok {
		return x
	}
	var x z3.Value
	if v.Sort == smt.Bool {
		x = s.ctx.Const(v.Name, s.bools)
	} else {
		x = s.ctx.Const(v.Name, s.ints)
	}
	s.vars[v.Name] = x
	return x
}

func (s *solver) formula(f *smt.Formula) z3.Bool {
	if b, ok := s.cache[f]; ok {
		return b
	}
	b := keep(s, s.translate(f))
	s.cache[f] = b
	top := &s.levels[len(s.levels)-1]
	top.cached = append(top.cached, f)
	return b
}

func (s *solver) translate(f *smt.Formula) z3.Bool {
	switch f.Op {
	case smt.OpVar:
		return s.variable(f.Var).(z3.Bool)
	case smt.OpNot:
		return s.formula(f.Args[0]).Not()
	case smt.OpGE:
		left, right := s.sides(f.Linear)
		return left.GE(right)
	case smt.OpEQ:
		left, right := s.sides(f.Linear)
		return left.Eq(right)
	}
	if len(f.Args) == 0 {
		return s.ctx.FromBool(f.Op == smt.OpAnd)
	}
	args := lists.Map(f.Args, s.formula)
	if f.Op == smt.OpAnd {
		return args[0].And(args[1:]...)
	}
	return args[0].Or(args[1:]...)
}

// sides splits l >= 0 into a sum of terms on the left and a constant on the right.
func (s *solver) sides(l smt.Linear) (left, right z3.Int) {
	sum := lists.Map(l.Terms(), s.product)
	left = sum[0]
	if len(sum) > 1 {
		left = keep(s, left.Add(sum[1:]...))
	}
	return left, s.constant(l.Const().Neg())
}

func (s *solver) product(t smt.Term) z3.Int {
	x := s.variable(t.Var).(z3.Int)
	if t.Coef.Is(1) {
		return x
	}
	return s.once(t.Coef, t.Var.Name, func() z3.Int { return s.constant(t.Coef).Mul(x) })
}

func (s *solver) constant(n linear.Int) z3.Int {
	return s.once(n, "", func() z3.Int {
		if n.IsInt64() {
			return s.ctx.FromInt(n.Int64(), s.ints).(z3.Int)
		}
		return s.ctx.FromBigInt(n.Big(), s.ints).(z3.Int)
	})
}

// once makes a term, unless there is one already.
func (s *solver) once(coef linear.Int, name string, make func() z3.Int) z3.Int {
	if !coef.IsInt64() {
		return keep(s, make())
	}
	key := term{coef.Int64(), name}
	x, ok := s.terms[key]
	if !ok {
		x = make()
		s.terms[key] = x
	}
	return x
}
