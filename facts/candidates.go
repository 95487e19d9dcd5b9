package facts

import (
	"tacheck/smt"
	"tacheck/ta"
)

// maxCandidates bounds the conditions that are tried.
const maxCandidates = 3000

// candidates lists conditions that may hold throughout: for a location that may be occupied, that it is empty while another one is not, or
// while a threshold is true, or false; and that a threshold is true whenever another one is.
func (f *finder) candidates(known *Facts, atoms []ta.Atom) []*ta.Cond {
	empty := map[int]bool{}
	for _, e := range known.Equations {
		if t := e.Terms(); len(t) == 1 && t[0].Symbol.Kind == ta.Counter && e.Const().Sign() == 0 {
			empty[t[0].Symbol.Index] = true
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
		if len(at.Linear.Part(ta.Shared).Terms()) == 0 {
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

func isEmpty(location int) *ta.Cond {
	return ta.AtomCond(ta.Atom{Linear: ta.Var(ta.Symbol{Kind: ta.Counter, Index: location}), Rel: ta.EQ})
}

// houdini returns the largest set of candidates that are all true initially and, together with what is known, kept by every rule.
// Each model that the solver gives drops all candidates that are false in it.
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

// drop drops the conditions that are not kept by a rule, given all of them; or, if there is no rule, not true initially.
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
		var broken []*smt.Formula
		for _, cond := range list {
			broken = append(broken, smt.Not(d.Cond(cond)))
		}
		from, err := f.ask(smt.And(fires, smt.Or(broken...)))
		if err != nil || from == nil {
			return list, err
		}
		at := f.evaluate(d, from)
		var left []*ta.Cond
		for _, cond := range list {
			if cond.Eval(at.Value) {
				left = append(left, cond)
			}
		}
		list = left
	}
	return list, nil
}
