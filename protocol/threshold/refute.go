package threshold

import (
	"context"
	"errors"

	"tacheck/internal/linear"
	"tacheck/protocol/instantiate"
	"tacheck/protocol/interp"
	"tacheck/protocol/parametric"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

// tries is how many counterexamples of an automaton are tried in a row.
const tries = 3

// Refute makes a run of the protocol of a counterexample of its automaton. If that cannot be
// played, others are asked for, with other parameters, and of a precise automaton:
// again decides a property of an automaton and returns a run that violates it, or nil. If none can
// be, the instances that they are of are explored, within bounds. The error is a *NoRun if no run
// was found.
func (t *Translation) Refute(ctx context.Context, first *ta.Run, property string, again func(*syntax.File) (*ta.Run, error)) (*interp.Run, error) {
	run, err := t.Run(ctx, first, property)
	var none *NoRun
	if !errors.As(err, &none) {
		return run, err
	}
	why := err
	h := &instanceSearch{source: t.Source, property: property}
	h.add(first)
	if run, err = t.instance(ctx, first, property, again); !errors.As(err, &none) {
		return run, err
	}
	if params := t.likely(first); params != nil {
		h.list = append(h.list, params)
		if run, err = t.fixed(ctx, params, property, again); !errors.As(err, &none) {
			return run, err
		}
	}
	if small := t.smallest(first); small != nil {
		h.list = append(h.list, small)
		if run, err = t.fixed(ctx, small, property, again); !errors.As(err, &none) {
			return run, err
		}
	}
	// Precise ones take longer to verify.
	blocked := map[bool][]*syntax.Expr{true: {t.small()}, false: {t.small(), t.block(first)}}
	for _, precise := range []bool{false, true, false, true} {
		for range tries {
			u, err := translate(ctx, t.Source, how{precise: precise, blocked: blocked[precise]})
			if err != nil {
				break // it is too large, or time is over
			}
			next, err := again(u.Tree())
			if err != nil {
				return nil, err
			}
			if next == nil {
				break
			}
			if run, err = u.Run(ctx, next, property); !errors.As(err, &none) {
				return run, err
			}
			h.add(next)
			if run, err = u.instance(ctx, next, property, again); !errors.As(err, &none) {
				return run, err
			}
			blocked[precise] = append(blocked[precise], u.block(next))
		}
	}
	if run, err := h.explore(ctx); run != nil || err != nil {
		return run, err
	}
	return nil, why
}

// instance asks for a counterexample of the automaton of the instance that a run is of, if its guards say more.
func (t *Translation) instance(ctx context.Context, of *ta.Run, property string, again func(*syntax.File) (*ta.Run, error)) (*interp.Run, error) {
	params := map[string]int64{}
	for i, p := range t.Source.Params {
		params[p] = of.Start.Params[i].Int64()
	}
	processes := t.Source.Processes(params)
	if !t.weakened && !t.divided || t.precise || processes > maxProcesses {
		return nil, none("its automaton is the same")
	}
	return t.fixed(ctx, params, property, again)
}

// likely are the parameters of an instance that somebody else suspects, the others as small as can be; nil if a run has them, or they are too
// large, or not admissible.
func (t *Translation) likely(of *ta.Run) map[string]int64 {
	if t.Suspected == nil {
		return nil
	}
	params, err := t.Source.Smallest(t.Suspected)
	if err != nil || t.Source.Processes(params) > maxProcesses || t.has(of, params) {
		return nil
	}
	return params
}

// has reports whether a run has some parameters.
func (t *Translation) has(run *ta.Run, params map[string]int64) bool {
	for i, p := range t.Source.Params {
		if x := run.Start.Params[i]; !x.IsInt64() || x.Int64() != params[p] {
			return false
		}
	}
	return true
}

// smallest are the smallest parameters, with somebody who is faulty, with which common coins say what they say in a run; nil if these are its own.
func (t *Translation) smallest(of *ta.Run) map[string]int64 {
	coins := map[string]int64{}
	for i, p := range t.Source.Params {
		if parametric.IsCoin(p) && of.Start.Params[i].IsInt64() {
			coins[p] = of.Start.Params[i].Int64()
		}
	}
	small, err := t.Source.Smallest(coins)
	if err != nil || t.has(of, small) {
		return nil
	}
	return small
}

// fixed asks for a counterexample of the automaton of one instance, whose guards say what the text does.
func (t *Translation) fixed(ctx context.Context, params map[string]int64, property string, again func(*syntax.File) (*ta.Run, error)) (*interp.Run, error) {
	var only []*syntax.Expr
	for _, p := range t.Source.Params {
		only = append(only, t.at().Equation(t.at().Name(t.called(p)), params[p]))
	}
	u, err := translate(ctx, t.Source, how{processes: int64(t.Source.Processes(params)), given: params, blocked: only})
	if err != nil {
		return nil, none("%v", err) // it is too large, or time is over
	}
	next, err := again(u.Tree())
	if err != nil {
		return nil, err
	}
	if next == nil {
		return nil, none("its automaton does not violate it")
	}
	return u.Run(ctx, next, property)
}

// soonStates bounds how many states RefuteSoon looks at.
const soonStates = 1 << 14

// RefuteSoon is Refute for somebody who waits: if the counterexample cannot be played, the instance that it is of is explored before others
// are asked for, within tighter bounds.
func (t *Translation) RefuteSoon(ctx context.Context, first *ta.Run, property string, again func(*syntax.File) (*ta.Run, error)) (*interp.Run, error) {
	run, err := t.Run(ctx, first, property)
	var none *NoRun
	if !errors.As(err, &none) {
		return run, err
	}
	h := &instanceSearch{source: t.Source, property: property}
	if h.add(first); len(h.list) > 0 {
		if m, err := instantiate.Model(t.Source.File, h.list[0]); err == nil {
			if run, err := h.exhaust(ctx, m, soonStates); run != nil || err != nil {
				return run, err
			}
		}
	}
	return t.Refute(ctx, first, property, again)
}

// small leaves out parameters of instances whose runs are not made.
func (t *Translation) small() *syntax.Expr {
	room := number(maxProcesses)
	for typ := range t.Source.Types {
		room = room.Sub(t.size(typ))
	}
	return t.form.AtLeast0(t.at(), room)
}

// block leaves out the parameters of a run.
func (t *Translation) block(run *ta.Run) *syntax.Expr {
	var parts []*syntax.Expr
	o := t.at()
	for i, p := range t.Source.Params {
		name, value := o.Name(t.called(p)), o.Number(linear.Big(run.Start.Params[i]))
		parts = append(parts, o.Op(syntax.Lt, name, value), o.Op(syntax.Gt, name, value))
	}
	return o.Or(parts...)
}
