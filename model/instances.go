package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt"
)

// mostCombinations is how many combinations of values are held against assumptions.
const mostCombinations = 20_000_000

// combinations lists the instances, nil for none, with all values up to a bound of so many parameters.
func combinations(ctx context.Context, n int, upTo int64, of func([]*big.Int) (Instance, error)) (list []Instance,
	err error) {
	all := new(big.Int).Exp(big.NewInt(upTo+1), big.NewInt(int64(n)), nil)
	if all.Cmp(big.NewInt(mostCombinations)) > 0 {
		return nil, fmt.Errorf("%s combinations of values are too many: at most %d", all, mostCombinations)
	}
	err = automata.Combinations(n, upTo, func(params []*big.Int) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		x, err := of(slices.Clone(params))
		if x != nil {
			list = append(list, x)
		}
		return err
	})
	return list, err
}

// given reads values of all parameters of a model that has none of its own.
func given(m Fixed, set []Setting) ([]*big.Int, error) {
	return Given(lists.Map(m.Parameters(), func(p Parameter) string { return p.Name }), set)
}

// Given reads values of all parameters, which have these names.
func Given(known []string, set []Setting) ([]*big.Int, error) {
	params := make([]*big.Int, len(known))
	for _, s := range set {
		at := slices.Index(known, s.Name)
		switch {
		case at < 0:
			return nil, fmt.Errorf("unknown parameter %q%s", s.Name, spell.Hint(s.Name, known))
		case s.Truth:
			return nil, fmt.Errorf("%s is a number, not %s", s.Name, s.Text())
		case s.Value < 0:
			return nil, fmt.Errorf("%s is a number of at least 0, not %d", s.Name, s.Value)
		}
		params[at] = big.NewInt(s.Value)
	}
	for i, p := range params {
		if p == nil {
			return nil, fmt.Errorf("%s has no value", known[i])
		}
	}
	return params, nil
}

// Text prints the value as it was given.
func (s Setting) Text() string {
	if s.Truth {
		return fmt.Sprint(s.Value != 0)
	}
	return fmt.Sprint(s.Value)
}

// Settings prints values as they were given: n=4,t=1.
func Settings(set []Setting) string {
	parts := lists.Map(set, func(s Setting) string { return s.Name + "=" + s.Text() })
	return strings.Join(parts, ",")
}

func inadmissible(set []Setting) error {
	return fmt.Errorf("%s does not satisfy the assumptions", Settings(set))
}

// undecided says that an exploration has not come to its end, and why.
func (r *Result) undecided(ctx context.Context, why error) {
	r.Verdict, r.Reason = verdict.Unknown, why.Error()
	if ctx.Err() != nil && !errors.Is(why, explore.ErrTooLarge) {
		r.Reason = smt.Interrupted(ctx)
	}
}

// whileTime explores an instance for some specifications, or all. Where the context ends, and that does not heed it, it
// is left alone, and nothing is known.
func whileTime(ctx context.Context, x Instance, m Model, specs []string, o Exploring,
	explore func(context.Context, []string, Exploring) ([]*Result, error)) ([]*Result, error) {
	if len(specs) == 0 {
		specs = names(m)
	}
	begin := time.Now()
	list, left, err := limit.HeedFor(ctx, machine.More+limit.Ending, func(ctx context.Context) ([]*Result, error) {
		return explore(ctx, specs, o)
	})
	if !left && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return list, err
	}
	return lists.Map(specs, func(name string) *Result {
		r := &Result{Spec: name, Time: time.Since(begin), Space: &Space{Instance: x.Values()}}
		r.undecided(ctx, ctx.Err())
		return r
	}), nil
}

// replayed is a run that was read, of whatever type, as a counterexample.
func replayed[T Counterexample](x T, err error) (Counterexample, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// runs are the counterexamples of one type among results.
func runs[T Counterexample](found []*Result) (list []T) {
	for _, r := range found {
		if x, ok := r.Counterexample.(T); ok {
			list = append(list, x)
		}
	}
	return list
}

// names lists the specifications of a model.
func names(m Model) []string {
	return lists.Map(m.Specs(), func(s Spec) string { return s.Name })
}

// Select returns the specifications of a model with these names, or all; it is an error if there
// is none of a name, or none at all.
func Select(m Model, wanted []string) ([]string, error) {
	known := names(m)
	if len(wanted) == 0 && len(known) == 0 {
		hint := ""
		if _, is := m.(FirstOrder); is {
			hint = ": `safety` is what is asked, `invariant` a lemma"
		}
		return nil, fmt.Errorf("%s has no specifications%s", m.File(), hint)
	}
	return spell.Choose(m.File(), "specification", wanted, known)
}

// SpecNamed returns a specification of a model; false if there is none.
func SpecNamed(m Model, name string) (Spec, bool) {
	for _, s := range m.Specs() {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}

// mostTried is how many combinations of values are tried for a small instance.
const mostTried = 100_000

// Small returns an instance of a model, as small as can be: that of the parameters' own values if
// all have one, else the smallest admissible one, without parameters that are 0 where there is one.
func Small(ctx context.Context, m Fixed) (Instance, error) {
	list := m.Parameters()
	open := slices.ContainsFunc(list, func(p Parameter) bool { return p.Value == nil })
	if !open {
		return m.Instance(ctx, nil)
	}
	var best Instance
	var zeros, sum int64
	for upTo := int64(1); math.Pow(float64(upTo+1), float64(len(list))) <= mostTried &&
		(best == nil || zeros > 0 && upTo <= 8); upTo++ {
		found, err := m.Instances(ctx, upTo)
		if err != nil {
			return nil, err
		}
		for _, x := range found {
			z, total := int64(0), int64(0)
			for _, v := range x.Values() {
				total += v.Value.Int64()
				if v.Value.Sign() == 0 {
					z++
				}
			}
			if best == nil || z < zeros || z == zeros && total < sum {
				best, zeros, sum = x, z, total
			}
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no small values of the parameters satisfy the assumptions")
	}
	return best, nil
}
