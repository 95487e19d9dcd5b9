package threshold

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// soonStates bounds the states of an instance that are explored for an interactive user.
const soonStates = 1 << 14

// Refute makes a run of the protocol of a counterexample of its automaton. If that cannot be played, or has many
// processes, others are asked for, of the automata of single instances, whose guards say what the text does; then one
// of many processes is played, and small instances are explored, within bounds. For an interactive user (soon), the
// instance of the counterexample is explored before that, within tighter ones. The error is a *counter.NoRun if no run
// was found.
func (t *Translation) Refute(ctx context.Context, first *ta.Run, property string, again counter.Again, soon bool,
) (*interp.Run, error) {
	var own []map[string]int64 // none if it has many processes: a smaller one is better
	if params, err := parameters(t.Source, first); err == nil && t.Source.Processes(params) <= maxProcesses {
		own = append(own, params)
	}
	busy := ""
	play := func() (*interp.Run, error) {
		run, err := t.Run(ctx, first, property)
		if why, is := errors.AsType[*counter.NoRun](err); is {
			busy = why.Busy
		}
		return run, err
	}
	var ways []func() (*interp.Run, error)
	if own != nil {
		ways = append(ways, play)
	}
	if soon && own != nil {
		ways = append(ways, func() (*interp.Run, error) {
			run, _, err := instance(ctx, t.Source, own[0], property)(soonStates)
			return run, err
		})
	}
	list := [][]map[string]int64{own, t.smallest(first)}
	for _, params := range slices.Concat(list...) {
		ways = append(ways, func() (*interp.Run, error) { return t.fixed(ctx, params, property, again, busy) })
	}
	if own == nil {
		ways = append(ways, play)
	}
	return counter.Back(append(ways, func() (*interp.Run, error) {
		return Explore(ctx, t.Source, property, slices.Concat(append(list[1:], own)...)...)
	})...)
}

// smallest are the smallest parameters, with a faulty process, with which common coins say what they say in a
// run; none if these are its own.
func (t *Translation) smallest(of *ta.Run) []map[string]int64 {
	own, _ := parameters(t.Source, of)
	coins := maps.Clone(own)
	unrolled := t.Source.File.Rounds() // of parameters, what coins say
	maps.DeleteFunc(coins, func(p string, _ int64) bool { _, coin := unrolled[p]; return !coin })
	small, err := t.Source.Smallest(coins)
	if err != nil || maps.Equal(own, small) {
		return nil
	}
	return []map[string]int64{small}
}

// fixed asks for a counterexample of the automaton of one instance, whose guards say what the text does. If a process
// does not rest where that leaves it, another one is asked for, in which none is left there.
func (t *Translation) fixed(ctx context.Context, params map[string]int64, property string, again counter.Again,
	busy ...string) (*interp.Run, error) {
	var only []*syntax.Expr
	for _, p := range t.Source.Params {
		only = append(only, t.at().Equation(t.at().Name(t.called(t.parameter(p).Vars()[0])), params[p]))
	}
	h := how{processes: int64(t.Source.Processes(params)), given: params, blocked: only, busy: busy}
	for {
		u, err := translate(ctx, t.Source, h)
		if err != nil {
			return nil, none("%v", err) // it is too large, or time is over
		}
		next, err := again(u.Tree(), property)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return nil, none("its automaton does not violate it")
		}
		run, err := u.Run(ctx, next, property)
		why, is := errors.AsType[*counter.NoRun](err)
		if !is || why.Busy == "" || slices.Contains(h.busy, why.Busy) {
			return run, err
		}
		h.busy = append(h.busy, why.Busy)
	}
}
