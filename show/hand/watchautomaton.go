package hand

import (
	"context"
	"fmt"
	"strings"

	"tacheck/internal/diag"
	"tacheck/ltl"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

// nothing is the error of an empty text in the place of a condition.
func nothing(example string) error {
	var list diag.List
	list.Add(diag.Pos{File: "condition", Line: 1, Col: 1}, 1,
		"there is nothing: write a condition or a value, such as %s", example)
	return list
}

// watch reads what is watched of configurations: a condition, or a number.
func (x *Automaton) watch(text string) (show func(*ta.Config) string, cond *ta.Cond, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil, nothing(x.a.Locations[0].Name + " >= 1")
	}
	e, err := syntax.ParseExpr("condition", text)
	if err != nil {
		return nil, nil, err
	}
	switch e.Op {
	case syntax.Name, syntax.Number, syntax.Neg, syntax.Add, syntax.Mul, syntax.Div:
		n, err := x.a.Number(e)
		if err != nil {
			return nil, nil, err
		}
		return func(c *ta.Config) string { return n.Eval(c.Value).String() }, nil, nil
	}
	f, err := ltl.FromExpr(x.a, e)
	if err != nil {
		return nil, nil, err
	}
	p, ok := f.(ltl.Prop)
	if !ok {
		var list diag.List
		list.Add(e.Pos, max(1, e.Width), "a condition of one state has no temporal operators")
		return nil, nil, list
	}
	return func(c *ta.Config) string { return fmt.Sprint(ta.Holds(p.Cond, c.Value)) }, p.Cond, nil
}

// Watch implements Watcher.
func (x *Automaton) Watch(_ context.Context, path []int, conditions []string) (list []Watched) {
	_, configs, err := x.run(path)
	for _, text := range conditions {
		w := Watched{Text: text}
		show, _, bad := x.watch(text)
		switch {
		case err != nil:
			w.Value, w.Wrong = err.Error(), true
		case bad != nil:
			w.Value, w.Wrong = bad.Error(), true
		case len(configs) > 0:
			w.Value = show(configs[len(configs)-1])
		}
		list = append(list, w)
	}
	return list
}

// Find implements Watcher.
func (x *Automaton) Find(ctx context.Context, path []int, condition string) ([]int, error) {
	_, configs, err := x.run(path)
	if err != nil {
		return nil, err
	}
	_, c, err := x.watch(condition)
	if err != nil {
		return nil, err
	}
	if c == nil {
		var list diag.List
		list.Add(diag.Pos{File: "condition", Line: 1, Col: 1}, len([]rune(condition)),
			"this is no condition, but a value: compare it with one")
		return nil, list
	}
	var from *ta.Config // nil is before the initial configurations
	if len(configs) > 0 {
		from = configs[len(configs)-1]
	}
	key := func(s *ta.Config) string {
		if s == nil {
			return ""
		}
		return fmt.Sprint(s.Counters, s.Shared)
	}
	next := func(s *ta.Config, yield func(*ta.Config) bool) error {
		if s == nil {
			for _, first := range x.start {
				if !yield(first) {
					break
				}
			}
			return nil
		}
		for _, k := range x.enabled(s) {
			if !yield(s.After(&x.a.Rules[k], one)) {
				break
			}
		}
		return nil
	}
	return search(ctx, from, key, next, func(s *ta.Config) (bool, error) { return ta.Holds(c, s.Value), nil })
}
