package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// initialGroup is how many processes of a type begin with which values of their variables.
type initialGroup struct {
	typ    int
	faulty bool // known from the start, of omission
	values map[string]int64
	n      int64
}

// startable reports whether there is an initial state with values of the parameters: whether inputs can be such that
// the conditions on initial states are true. All numbers of processes with each value are tried, until that are more
// than a bound.
func (s *Source) startable(params map[string]int64, most int) (ok bool, tried int) {
	if s.Starts == nil {
		return true, 0
	}
	var groups [][]initialGroup // of processes that begin with any values; the numbers of a group have a sum
	var sums []int64
	for typ, t := range s.Types {
		n, _ := s.Number(t.Size, params)
		f := int64(0)
		if !s.Faults.Stop && t.Group >= 0 {
			f, _ = s.Number(s.Faulty(typ), params)
		}
		groups, sums = append(groups, s.cohorts(typ, false)), append(sums, n-f)
		if s.Faults.Omit() && f > 0 {
			groups, sums = append(groups, s.cohorts(typ, true)), append(sums, f)
		}
	}
	var all []*initialGroup
	for _, g := range groups {
		for i := range g {
			all = append(all, &g[i])
		}
	}
	var choose func(g, i int, left int64) bool
	choose = func(g, i int, left int64) bool {
		switch {
		case tried > most:
			return false
		case g == len(groups):
			tried++
			return s.starts(all, params)
		case i == len(groups[g])-1:
			groups[g][i].n = left
			next := int64(0)
			if g+1 < len(groups) {
				next = sums[g+1]
			}
			return choose(g+1, 0, next)
		}
		for n := range left + 1 {
			groups[g][i].n = n
			if choose(g, i+1, left-n) {
				return true
			}
		}
		return false
	}
	return choose(0, 0, sums[0]), tried
}

// cohorts are the ways in which a process of a type may begin, as far as conditions on initial states can tell.
func (s *Source) cohorts(typ int, faulty bool) (out []initialGroup) {
	vars := s.Types[typ].Vars
	var lo, hi []int64
	for _, v := range vars {
		if v.Input && slices.ContainsFunc(s.Starts, func(e *ftdp.Expr) bool { return e.Mentions(v.Name) }) {
			lo, hi = append(lo, v.Lo), append(hi, v.Hi)
		} else {
			lo, hi = append(lo, v.First), append(hi, v.First)
		}
	}
	for list := range lists.Product(lo, hi) {
		c := initialGroup{typ: typ, faulty: faulty, values: map[string]int64{"crashed": 0}}
		for i, v := range vars {
			c.values[v.Name] = list[i]
		}
		out = append(out, c)
	}
	return out
}

// starts reports whether the conditions on initial states are true.
func (s *Source) starts(list []*initialGroup, params map[string]int64) bool {
	for _, e := range s.Starts {
		if v, ok := s.Number(s.counted(e, list), params); !ok || v == 0 {
			return false
		}
	}
	return true
}

// counted replaces conditions on processes by their meaning.
func (s *Source) counted(e *ftdp.Expr, list []*initialGroup) *ftdp.Expr {
	if e.Op != ftdp.Call {
		return e.Map(func(a *ftdp.Expr) *ftdp.Expr { return s.counted(a, list) })
	}
	yes, no := int64(0), int64(0)
	for _, c := range list {
		if c.faulty && e.Name != "every" || !slices.Contains(s.Meant(e.Args[0]), c.typ) {
			continue
		}
		if v, ok := s.Number(e.Args[0], c.values); ok && v != 0 {
			yes += c.n
		} else {
			no += c.n
		}
	}
	switch e.Name {
	case "some":
		return TruthValue(yes > 0)
	case "all", "every":
		return TruthValue(no == 0)
	}
	return &ftdp.Expr{Op: ftdp.Number, Num: yes}
}
