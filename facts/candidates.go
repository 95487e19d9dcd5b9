package facts

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta"
)

// maxCandidates bounds the conditions that are tried.
const maxCandidates = 3000

// candidates lists conditions that may hold throughout: for a location that may be occupied, that it is empty while
// another one is not, or while a threshold is true, or false; and that a threshold is true whenever another one is.
func (f *finder) candidates(known *Facts, atoms []ta.Atom) []*ta.Cond {
	empty := map[int]bool{}
	for _, e := range known.Equations {
		if t := e.Terms(); len(t) == 1 && t[0].Var.Kind == ta.Counter && e.Const().Sign() == 0 {
			empty[t[0].Var.Index] = true
		}
	}
	var list, thresholds []*ta.Cond
	seen := map[string]bool{}
	for i := range f.a.Rules {
		if known.Live[i] {
			atoms = append(atoms, f.a.Rules[i].Guard.Atoms(nil)...)
		}
	}
	for _, at := range atoms {
		if len(ta.Part(at.Linear, ta.Shared).Terms()) == 0 {
			continue
		}
		for _, x := range []ta.Atom{at, at.Negate()} {
			if cond := ta.AtomCond(x); !seen[f.a.FormatCond(cond)] {
				seen[f.a.FormatCond(cond)] = true
				thresholds = append(thresholds, cond)
			}
		}
	}
	list = append(list, thresholds...)
	for x := range f.a.Shared {
		if most := f.counted(x); most != nil {
			list = append(list, most)
		}
	}
	for l := range f.a.Locations {
		if empty[l] {
			continue
		}
		nobody := isEmpty(l)
		for m := l + 1; m < len(f.a.Locations); m++ {
			if !empty[m] {
				list = append(list, ta.Or(nobody, isEmpty(m)))
			}
		}
		for _, t := range thresholds {
			list = append(list, ta.Or(nobody, t))
		}
	}
	for i, t := range thresholds {
		for _, u := range thresholds[i+1:] {
			list = append(list, ta.Or(t, u))
		}
	}
	return list[:min(len(list), maxCandidates)]
}

// counted returns the condition that a variable counts no more than those who have increased it since it was reset: who
// is where a rule leads that increases it, or came from there by rules that neither reset it nor need it to be small.
// Barriers are passed when this reaches all. It is nil if nothing increases the variable.
func (f *finder) counted(x int) *ta.Cond {
	symbol := ta.Symbol{Kind: ta.Shared, Index: x}
	in := make([]bool, len(f.a.Locations))
	var most linear.Int
	leaves := func(r *ta.Rule) bool { // the count, for good
		return slices.ContainsFunc(r.Resets, func(s ta.Reset) bool { return s.Shared == x }) ||
			r.Update.Coef(symbol).Sign() < 0 ||
			slices.ContainsFunc(r.Guard.Atoms(nil), func(at ta.Atom) bool { return at.Linear.Coef(symbol).Sign() < 0 })
	}
	for i := range f.a.Rules {
		if r := &f.a.Rules[i]; r.Update.Coef(symbol).Sign() > 0 {
			in[r.To] = true
			if by := r.Update.Coef(symbol); by.Cmp(most) > 0 {
				most = by
			}
		}
	}
	if most.Sign() == 0 {
		return nil
	}
	for changed := true; changed; {
		changed = false
		for i := range f.a.Rules {
			if r := &f.a.Rules[i]; in[r.From] && !in[r.To] && !leaves(r) {
				in[r.To], changed = true, true
			}
		}
	}
	sum := ta.Var(symbol).Neg()
	for l, yes := range in {
		if yes {
			sum = sum.AddScaled(most, ta.Var(ta.Symbol{Kind: ta.Counter, Index: l}))
		}
	}
	return ta.AtomCond(ta.Atom{Linear: sum, Rel: ta.GE})
}

func isEmpty(location int) *ta.Cond {
	return ta.AtomCond(ta.Atom{Linear: ta.Var(ta.Symbol{Kind: ta.Counter, Index: location}), Rel: ta.EQ})
}

// houdini returns the largest set of candidates that are all true initially and, together with what is known, kept by
// every rule. Each model that the solver gives drops all candidates that are false in it.
func (f *finder) houdini(list []*ta.Cond) ([]*ta.Cond, error) {
	left, err := f.drop(list, nil)
	if err != nil {
		return nil, err
	}
	for before := -1; before != len(left); {
		before = len(left)
		for i := range f.a.Rules {
			if left, err = f.drop(left, &f.a.Rules[i]); err != nil {
				return nil, err
			}
		}
	}
	return left, nil
}

// drop drops the conditions that are not kept by a rule, given all of them; or, if there is no rule, not true
// initially.
func (f *finder) drop(list []*ta.Cond, r *ta.Rule) ([]*ta.Cond, error) {
	saved := f.others
	defer func() { f.others = saved }()
	d, fires := f.c, f.initial()
	for len(list) > 0 {
		if r != nil {
			f.others = append(saved[:len(saved):len(saved)], list...)
			d = f.after(r)
			fires = f.fires(r, d)
		}
		broken := lists.Map(list, func(cond *ta.Cond) *smt.Formula { return smt.Not(d.Cond(cond)) })
		from, err := f.ask(smt.And(fires, smt.Or(broken...)))
		if err != nil || from == nil {
			return list, err
		}
		at := f.evaluate(d, from)
		left := lists.Keep(list, func(cond *ta.Cond) bool { return ta.Holds(cond, at.Value) })
		list = left
	}
	return list, nil
}

// Stronger returns the facts with further ones of simple forms, if there are any: thresholds, given or in guards, and
// locations that are empty at the same time as others, or as long as a threshold is false or true.
func Stronger(ctx context.Context, s smt.Solver, a *ta.Automaton, runs Runs, known *Facts,
	atoms []ta.Atom) (*Facts, error) {
	f := known.finder(ctx, s, a, runs)
	defer s.Pop()
	others, err := f.houdini(f.candidates(known, atoms))
	if err != nil {
		return nil, err
	}
	f.others = others
	f.space = newSpace(a)
	if err := f.equations(); err != nil {
		return nil, err
	}
	return f.result()
}
