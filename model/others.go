package model

import (
	"context"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/verdict"
)

// Others looks for counterexamples that differ from r's, which is of an instance, in kind: none uses all the rules of
// another one. There are so many at most with r's own; they are added to r, short ones first. r.Every says that there
// are no more: every counterexample uses all the rules of one of these.
//
// A run of another kind lacks a rule of each that is known. So it is looked for without some rules, and where what is
// found is of a known kind, without each of that kind's, too (Reiter, A theory of diagnosis from first principles,
// Artificial Intelligence 1987). What has more rules left out is not shorter: the shortest of what was found, or may
// still be, is next.
func Others(ctx context.Context, x Instance, r *Result, most int, o Exploring) error {
	type branch struct {
		without []string
		found   Counterexample // nil: not looked for yet
		rules   []string
		length  int // at least
	}
	includes := func(all, some []string) bool {
		return !slices.ContainsFunc(some, func(name string) bool { return !slices.Contains(all, name) })
	}
	open := []branch{{found: r.Counterexample, rules: Used(r.Counterexample)}}
	var kinds, looked []branch
	var hopeless [][]string // without these there is none
	seen := map[string]bool{}
	o.Machine.Journal = nil // that is of one search
	for len(open) > 0 && len(kinds) < most {
		next := 0
		for i, b := range open {
			first := open[next]
			if b.length < first.length || b.length == first.length && b.found != nil && first.found == nil {
				next = i
			}
		}
		b := open[next]
		open = slices.Delete(open, next, next+1)
		if b.found == nil {
			if slices.ContainsFunc(hopeless, func(list []string) bool { return includes(b.without, list) }) {
				continue
			}
			known := slices.IndexFunc(looked, func(l branch) bool {
				return includes(b.without, l.without) &&
					!slices.ContainsFunc(l.rules, func(name string) bool { return slices.Contains(b.without, name) })
			})
			if known >= 0 {
				b.found, b.rules = looked[known].found, looked[known].rules
			} else {
				o.Machine.Without = b.without
				list, err := x.Explore(ctx, []string{r.Spec}, o)
				if err != nil || list[0].Counterexample == nil && list[0].Verdict != verdict.Holds {
					return err
				}
				if b.found = list[0].Counterexample; b.found == nil {
					hopeless = append(hopeless, b.without)
					continue
				}
				b.rules = Used(b.found)
				looked = append(looked, b)
			}
			b.length = max(b.length, len(b.found.Rules()))
			open = append(open, b)
			continue
		}
		at := slices.IndexFunc(kinds, func(k branch) bool { return includes(b.rules, k.rules) })
		if at < 0 {
			kinds = slices.DeleteFunc(kinds, func(k branch) bool { return includes(k.rules, b.rules) })
			at = len(kinds)
			kinds = append(kinds, b)
		}
		for _, name := range kinds[at].rules {
			list := append(slices.Clone(b.without), name)
			slices.Sort(list)
			if key := strings.Join(list, "\n"); !seen[key] {
				seen[key] = true
				open = append(open, branch{without: list, length: b.length})
			}
		}
		slices.SortStableFunc(kinds, func(a, b branch) int { return len(a.found.Rules()) - len(b.found.Rules()) })
		r.Others = nil
		for i, k := range kinds {
			if i == 0 {
				r.Counterexample = k.found
			} else {
				r.Others = append(r.Others, k.found)
			}
		}
	}
	r.Every = len(open) == 0
	return nil
}

// Used are the rules that a run uses, in order.
func Used(x Counterexample) []string {
	rules := slices.Clone(x.Rules())
	slices.Sort(rules)
	return slices.DeleteFunc(slices.Compact(rules), func(name string) bool { return name == "" })
}
