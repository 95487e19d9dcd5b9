package parametric

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Admissible reports whether values of the parameters satisfy the assumptions, with
// at least one process of each type and some initial state; and the first assumption that they do not.
func (s *Source) Admissible(values map[string]int64) (bool, *ftdp.Expr) {
	if why := s.broken(values); why != nil {
		return false, why
	}
	if ok, tried := s.startable(values, mostStarts); !ok && tried <= mostStarts {
		return false, s.Starts[0]
	}
	return true, nil
}

// broken is the first assumption that values of the parameters do not satisfy; nil if they satisfy all.
func (s *Source) broken(values map[string]int64) *ftdp.Expr {
	for _, e := range s.Assume {
		if v, ok := s.Number(e, values); !ok || v == 0 {
			return e
		}
	}
	for _, t := range s.Types {
		if n, ok := s.Number(t.Size, values); !ok || n < 1 {
			return t.Size
		}
	}
	for _, g := range s.Groups {
		f, ok := s.Number(g.Count, values)
		if !ok || f < 0 {
			return g.Count
		}
		if n, _ := s.Number(s.Types[g.Types[0]].Size, values); f > n && !s.Faults.Stop {
			return g.Count
		}
	}
	return nil
}

// Admitted lists the values of the parameters, each at most so much, that the assumptions admit; whole says that these
// are all. What the assumptions rule out while some parameters are open is not tried.
func (s *Source) Admitted(most int64) (list []map[string]int64, whole bool) {
	values, tries := map[string]int64{}, 0
	var try func(i int)
	try = func(i int) {
		if tries++; tries > mostTries || !s.possible(values, most, false) {
			return
		}
		if i == len(s.Params) {
			if ok, _ := s.Admissible(values); ok {
				list = append(list, maps.Clone(values))
			}
			return
		}
		for v := range most + 1 {
			values[s.Params[i]] = v
			try(i + 1)
		}
		delete(values, s.Params[i])
	}
	try(0)
	return list, tries <= mostTries
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

// possible reports whether the assumptions do not rule out values of some parameters, where the others are at most so
// much; with some faulty process, if there are to be any.
func (s *Source) possible(values map[string]int64, most int64, faulty bool) bool {
	for _, e := range s.Assume {
		if s.number(e, values, ftdp.Between{High: most}).High < 1 {
			return false
		}
	}
	faulty = faulty && s.Groups != nil
	for _, g := range s.Groups {
		faulty = faulty && s.number(g.Count, values, ftdp.Between{High: most}).High < 1
	}
	return !faulty
}

// The search for values of parameters that are not given ends with this sum of all, or after so many steps, or ways to
// begin.
const largestSum, mostTries, mostStarts = 1000, 200_000, 2_000_000

// Smallest completes values of parameters: those of the least sum that the assumptions admit, but with some faulty
// process where they admit one. What the assumptions rule out while some parameters are open is not tried.
func (s *Source) Smallest(given map[string]int64) (map[string]int64, error) {
	open := lists.Keep(s.Params, func(p string) bool { _, known := given[p]; return !known })
	sum, begins := int64(0), true
	for _, faulty := range []bool{true, false} {
		values := maps.Clone(given)
		if values == nil {
			values = map[string]int64{}
		}
		maps.DeleteFunc(values, func(p string, _ int64) bool { return !slices.Contains(s.Params, p) })
		tries, starts := 0, 0
		var try func(i int, left int64) bool
		try = func(i int, left int64) bool {
			if tries++; tries > mostTries || starts > mostStarts || !s.possible(values, left, faulty) {
				return false
			}
			if i == len(open) {
				if left > 0 || s.broken(values) != nil {
					return false
				}
				ok, more := s.startable(values, mostStarts-starts)
				starts, begins = starts+more, ok
				return ok
			}
			least := int64(0)
			if i == len(open)-1 {
				least = left
			}
			for v := left; v >= least; v-- {
				values[open[i]] = v
				if try(i+1, left-v) {
					return true
				}
			}
			delete(values, open[i])
			return false
		}
		for total := int64(0); total <= largestSum && tries <= mostTries && starts <= mostStarts; total++ {
			if !s.possible(given, ftdp.Far, faulty) {
				break
			}
			if sum = total; try(0, total) {
				return values, nil
			}
		}
		if tries > mostTries || starts > mostStarts {
			sum-- // this one was not looked at to its end
		}
	}
	var list diag.List
	_, why := s.Admissible(given)
	pos, width := diag.Pos{File: s.File.Pos.Filename, Line: 1, Col: 1}, 1
	if why != nil {
		pos, width = why.Pos, max(1, why.Width)
	}
	looked := ""
	if s.possible(given, ftdp.Far, false) {
		looked = fmt.Sprintf(", as far as was looked: sums up to %d", sum)
	}
	what := "the assumptions admit no parameters"
	if !begins {
		pos, width = s.Starts[0].Pos, max(1, s.Starts[0].Width)
		what = "no configuration satisfies the assumptions and the initial conditions"
	}
	list.Add(pos, width, "%s%s%s", what, GivenText(given), looked)
	return nil, list.Err()
}

// GivenText says with which values, without those of common coins, after a space; nothing if there are none.
func GivenText(given map[string]int64) string {
	if len(given) == 0 {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !strings.HasPrefix(name, coinName) {
			parts = append(parts, fmt.Sprintf("%s = %d", name, given[name]))
		}
	}
	return " with " + strings.Join(parts, ", ")
}
