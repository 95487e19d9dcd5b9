package promela

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/promela/pml"
)

// What havoc may choose is bounded by the text: by what stands between it and the
// next choice, or, if that says nothing, in all alternatives.

// uncertain is how far numbers that nothing bounds are tried.
const uncertain = 64

// ErrCut says that an instance was explored in part only: havoc may choose more numbers than were tried.
var ErrCut = errors.New("nothing in the text bounds what havoc may choose, so only some were tried")

// largest returns the largest number for which what follows `havoc(x)` may go on; ok is false if nothing there says so.
// Numbers that only depend on what is known at this point count.
func (f *frame) largest(x int, list []*pml.Statement) (most int64, ok bool, err error) {
	budget := 1000
	return f.search(x, list, &budget)
}

func (f *frame) search(x int, list []*pml.Statement, budget *int) (most int64, ok bool, err error) {
	unknown := map[int]bool{x: true} // variables that this point does not know
	changed := map[int]bool{}        // shared variables, likewise
	limit := func(n int64) {
		if !ok || n < most {
			most, ok = n, true
		}
	}
	bounds := func(e *pml.Expr) {
		for _, n := range f.limits(e, x, unknown, changed) {
			limit(n)
		}
	}
	for i, s := range list {
		if *budget--; *budget < 0 {
			return most, ok, nil
		}
		switch {
		case s.Asks() != nil:
			bounds(s.Asks())
		case s.Set != nil:
			v := f.in.m.Symbols[s.Set.Name.Name]
			if v.Kind == LocalName && v.Index == x {
				return most, ok, nil // from here on it is another number
			}
			if v.Kind == LocalName {
				unknown[v.Index] = true
			} else {
				changed[v.Index] = true
			}
		case s.Havoc != nil:
			v := f.in.m.Symbols[s.Havoc.Name].Index
			if v == x {
				return most, ok, nil
			}
			unknown[v] = true
		case s.Atomic != nil, s.Block != nil:
			more, bounded, err := f.search(x, append(s.Inside(), list[i+1:]...), budget)
			if bounded && len(unknown) == 1 && len(changed) == 0 {
				limit(more)
			}
			return most, ok, err
		case s.To != nil, s.Do != nil: // what stands below need not be executed
			return most, ok, nil
		case s.If != nil:
			// Each alternative must bound it.
			if ok || len(unknown) > 1 || len(changed) > 0 {
				return most, ok, nil
			}
			highest, all := int64(-1), true
			for _, o := range s.If {
				branch := append(append(o.Body[:len(o.Body):len(o.Body)], o.Rest...), list[i+1:]...)
				n, bounded, err := f.search(x, branch, budget)
				if err != nil {
					return 0, false, err
				}
				all = all && bounded
				highest = max(highest, n)
			}
			return highest, all, nil
		}
		if err != nil {
			return 0, false, err
		}
	}
	return most, ok, nil
}

// limits are the numbers that the conjuncts of a condition bound a variable by, as far as they are known.
func (f *frame) limits(e *pml.Expr, x int, unknown, changed map[int]bool) (list []int64) {
	if e.Op == pml.And {
		for _, a := range e.Args {
			list = append(list, f.limits(a, x, unknown, changed)...)
		}
		return list
	}
	if len(e.Args) != 2 {
		return nil
	}
	left, right, op := e.Args[0], e.Args[1], e.Op
	if swapped := map[pml.Op]pml.Op{">": "<", ">=": "<=", "==": "=="}[op]; swapped != "" && f.isLocal(right, x) {
		left, right, op = right, left, swapped
	}
	if !f.isLocal(left, x) || !f.known(right, unknown, changed) || op != "<" && op != "<=" && op != "==" {
		return nil
	}
	n, err := f.eval(right)
	if err != nil {
		return nil // what it is when it is reached will say so
	}
	if op == "<" {
		n--
	}
	return []int64{n}
}

func (f *frame) isLocal(e *pml.Expr, index int) bool {
	s, known := f.in.m.Symbols[e.Name]
	return e.Op == pml.Name && e.Process == "" && known && s.Kind == LocalName && s.Index == index
}

// known reports that an expression has the value that it has now.
func (f *frame) known(e *pml.Expr, unknown, changed map[int]bool) bool {
	if e.Op == pml.Name {
		s := f.in.m.Symbols[e.Name]
		return s.Kind == ParamName || s.Kind == LocalName && !unknown[s.Index] ||
			s.Kind == SharedName && !changed[s.Index]
	}
	return !slices.ContainsFunc(e.Args, func(a *pml.Expr) bool { return !f.known(a, unknown, changed) })
}
