package parametric

import (
	"fmt"
	"maps"
	"slices"

	"tacheck/internal/diag"
	"tacheck/internal/linear"
	"tacheck/protocol/ftdp"
)

// Number evaluates an expression of numbers with values for its parameters, constants and variables; false if one has none.
func (s *Source) Number(e *ftdp.Expr, values map[string]int64) (int64, bool) {
	arg := func(i int) (int64, bool) { return s.Number(e.Args[i], values) }
	two := func(f func(a, b int64) int64) (int64, bool) {
		a, ok := arg(0)
		b, also := arg(1)
		return f(a, b), ok && also
	}
	is := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch e.Op {
	case ftdp.Number:
		return e.Num, true
	case ftdp.Name:
		if v, ok := values[e.Name]; ok {
			return v, true
		}
		return s.Value(e.Name)
	case ftdp.Field: // of processes of a type
		v, ok := values[e.Name]
		return v, ok
	case ftdp.Minus:
		a, ok := arg(0)
		return -a, ok
	case ftdp.Floor:
		return arg(0)
	case ftdp.Ceiling:
		if e.Args[0].Op != ftdp.Div {
			return arg(0)
		}
		a, ok := s.Number(e.Args[0].Args[0], values)
		b, also := s.Number(e.Args[0].Args[1], values)
		return -quotient(-a, b), ok && also && b > 0
	case ftdp.Div:
		a, ok := arg(0)
		b, also := arg(1)
		return quotient(a, b), ok && also && b > 0
	case ftdp.Not:
		a, ok := arg(0)
		return 1 - a, ok
	case ftdp.Plus:
		return two(func(a, b int64) int64 { return a + b })
	case ftdp.Sub:
		return two(func(a, b int64) int64 { return a - b })
	case ftdp.Times:
		return two(func(a, b int64) int64 { return a * b })
	case ftdp.Eq:
		return two(func(a, b int64) int64 { return is(a == b) })
	case ftdp.Ne:
		return two(func(a, b int64) int64 { return is(a != b) })
	case ftdp.Lt:
		return two(func(a, b int64) int64 { return is(a < b) })
	case ftdp.Le:
		return two(func(a, b int64) int64 { return is(a <= b) })
	case ftdp.Gt:
		return two(func(a, b int64) int64 { return is(a > b) })
	case ftdp.Ge:
		return two(func(a, b int64) int64 { return is(a >= b) })
	case ftdp.Implies:
		return two(func(a, b int64) int64 { return is(a == 0 || b != 0) })
	case ftdp.Iff:
		return two(func(a, b int64) int64 { return is(a == b) })
	case ftdp.And, ftdp.Or:
		out := is(e.Op == ftdp.And)
		for i := range e.Args {
			a, ok := arg(i)
			if !ok {
				return 0, false
			}
			if a != is(e.Op == ftdp.And) {
				out = is(e.Op == ftdp.Or)
			}
		}
		return out, true
	case ftdp.Chain:
		for _, pair := range Pairs(e) {
			if v, ok := s.Number(pair, values); !ok || v == 0 {
				return 0, ok
			}
		}
		return 1, true
	}
	return 0, false
}

// quotient rounds down; 0 if there is none.
func quotient(a, b int64) int64 {
	if b <= 0 {
		return 0
	}
	return linear.Floor(a, b)
}

// Admissible reports whether values of the parameters satisfy the assumptions, with
// at least one process of each type and some initial state; and the first assumption that they do not.
func (s *Source) Admissible(values map[string]int64) (bool, *ftdp.Expr) {
	for _, e := range s.Assume {
		if v, ok := s.Number(e, values); !ok || v == 0 {
			return false, e
		}
	}
	for _, t := range s.Types {
		if n, ok := s.Number(t.Size, values); !ok || n < 1 {
			return false, t.Size
		}
	}
	for _, g := range s.Groups {
		f, ok := s.Number(g.Count, values)
		if !ok || f < 0 {
			return false, g.Count
		}
		if n, _ := s.Number(s.Types[g.Types[0]].Size, values); f > n && !s.Crashing() {
			return false, g.Count
		}
	}
	if !s.startable(values) {
		return false, s.Starts[0]
	}
	return true, nil
}

// Processes is how many processes there are; with values of the parameters.
func (s *Source) Processes(values map[string]int64) int64 {
	total := int64(0)
	for _, t := range s.Types {
		n, _ := s.Number(t.Size, values)
		total += n
	}
	return total
}

// some reports whether processes are faulty.
func (s *Source) some(values map[string]int64) bool {
	total := int64(0)
	for _, g := range s.Groups {
		f, _ := s.Number(g.Count, values)
		total += f
	}
	return total > 0
}

// largestDefault bounds the search for parameters that nobody has given.
const largestDefault = 12

// Smallest completes values of parameters: the smallest that the assumptions
// admit, but with some faulty process where they admit one.
func (s *Source) Smallest(given map[string]int64) (map[string]int64, error) {
	for _, faulty := range []bool{true, false} {
		for total := range largestDefault*len(s.Params) + 1 {
			values := map[string]int64{}
			var try func(i int, left int64) bool
			try = func(i int, left int64) bool {
				if i == len(s.Params) {
					if left != 0 {
						return false
					}
					ok, _ := s.Admissible(values)
					if ok && faulty && s.Groups != nil {
						ok = s.some(values)
					}
					return ok
				}
				if v, ok := given[s.Params[i]]; ok {
					values[s.Params[i]] = v
					return try(i+1, left)
				}
				for v := min(left, largestDefault); v >= 0; v-- {
					values[s.Params[i]] = v
					if try(i+1, left-v) {
						return true
					}
				}
				return false
			}
			if try(0, int64(total)) {
				return values, nil
			}
		}
	}
	var list diag.List
	_, why := s.Admissible(given)
	pos, width := diag.Pos{File: s.File.Pos.Filename, Line: 1, Col: 1}, 1
	if why != nil {
		pos, width = why.Pos, max(1, why.Width)
	}
	list.Add(pos, width, "the assumptions admit no parameters%s", GivenText(given))
	return nil, list.Err()
}

func GivenText(given map[string]int64) string {
	if len(given) == 0 {
		return fmt.Sprintf(" of at most %d", largestDefault)
	}
	text := " with "
	for i, name := range slices.Sorted(maps.Keys(given)) {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s = %d", name, given[name])
	}
	return text
}

// Pairs are the comparisons that a chain stands for: of neighbours, but of any two if all have
// to differ.
func Pairs(e *ftdp.Expr) (out []*ftdp.Expr) {
	pair := func(op ftdp.Op, i, j int) {
		out = append(out, &ftdp.Expr{Op: op, Pos: e.Pos, Width: e.Width, Args: []*ftdp.Expr{e.Args[i], e.Args[j]}})
	}
	for i, op := range e.Ops {
		pair(op, i, i+1)
	}
	if !slices.ContainsFunc(e.Ops, func(op ftdp.Op) bool { return op != ftdp.Ne }) {
		for j := range e.Args {
			for i := range j - 1 {
				pair(ftdp.Ne, i, j)
			}
		}
	}
	return out
}
