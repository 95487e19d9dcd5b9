package schedule

import (
	"github.com/tacheck/tacheck/cutgraph"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"strconv"
)

// resolver replaces literals by what the threshold graph knows of them, and
// collects the thresholds that a search has to see flip.
type resolver struct {
	graph *cutgraph.ThresholdGraph
	used  map[int]*threshold // by class
	index map[int]int        // class -> index in Problem.thresholds
}

// fate is what the threshold graph says of a literal.
type fate uint8

const (
	varies       fate = iota // may change along a run
	always                   // true throughout
	never                    // false throughout
	ofParameters             // depends on the parameters only
)

func (r *resolver) fate(l ta.Literal) (fate, int) {
	status, class := r.graph.Place(l.Threshold)
	switch {
	case status == cutgraph.Rigid:
		return ofParameters, 0
	case status == cutgraph.Flips:
		return varies, class
	case (status == cutgraph.Always) != l.Negated:
		return always, 0
	}
	return never, 0
}

func (r *resolver) track(class int) *threshold {
	if r.used[class] == nil {
		r.used[class] = &threshold{}
	}
	return r.used[class]
}

// trackGuards collects the thresholds of a guard's cases that can be true.
func (r *resolver) trackGuards(cases [][]ta.Literal) {
	for _, c := range cases {
		var classes []int
		possible := true
		for i, l := range c {
			f, _ := r.fate(l)
			possible = possible && f != never
			if f == varies {
				classes = append(classes, i)
			}
		}
		if !possible {
			continue
		}
		for _, i := range classes {
			_, class := r.fate(c[i])
			t := r.track(class)
			t.strict = t.strict || c[i].Negated
		}
	}
}

// move returns a rule under one case of its guard; ok is false if the case can never hold.
func (r *resolver) move(rule *ta.Rule, literals []ta.Literal) (m move, ok bool) {
	m.rule = rule
	for _, l := range literals {
		switch f, class := r.fate(l); {
		case f == never:
			return m, false
		case f == ofParameters:
			m.rigid = append(m.rigid, l)
			m.guard = append(m.guard, l)
		case f == varies:
			m.guard = append(m.guard, ta.Literal{Threshold: r.graph.Classes[class].Threshold, Negated: l.Negated})
			if index, tracked := r.index[class]; tracked && l.Negated {
				m.upper = insert(m.upper, index)
			} else if tracked {
				m.lower = insert(m.lower, index)
			}
		}
	}
	return m, true
}

// insert adds x to a sorted set.
func insert(set []int, x int) []int {
	at := 0
	for at < len(set) && set[at] < x {
		at++
	}
	if at < len(set) && set[at] == x {
		return set
	}
	set = append(set, 0)
	copy(set[at+1:], set[at:])
	set[at] = x
	return set
}

// key is the same for moves that do the same.
func (m *move) key() string {
	b := strconv.AppendInt(nil, int64(m.rule.From), 10)
	b = append(b, '>')
	b = strconv.AppendInt(b, int64(m.rule.To), 10)
	for _, l := range m.guard {
		b = append(b, ' ')
		b = append(b, l.Threshold.Key()...)
		b = strconv.AppendBool(b, l.Negated)
	}
	return string(b) + ta.Threshold{LHS: m.rule.Update}.Key()
}

// clauses resolves clauses: those that always hold are dropped.
func (r *resolver) clauses(list []ltl.Clause) []clause {
	var out []clause
	for _, c := range list {
		got, needed := r.clause(c)
		if !needed {
			continue
		}
		if got.mixed() {
			r.trackClause(&got)
		}
		out = append(out, got)
	}
	return out
}

func (r *resolver) clause(c ltl.Clause) (out clause, needed bool) {
	out.some, out.none = c.Some, c.None
	for _, l := range c.Literals {
		switch f, class := r.fate(l); {
		case f == always:
			return out, false
		case f == ofParameters:
			out.rigid = append(out.rigid, l)
		case f == varies && l.Negated:
			out.falling = append(out.falling, r.graph.Classes[class].Threshold)
		case f == varies:
			out.rising = append(out.rising, r.graph.Classes[class].Threshold)
		}
	}
	return out, true
}

// trackClause marks the thresholds of a mixed clause that must not change inside a segment: all of them if the clause
// has a part about locations; else the falling ones, so that what holds at a segment's end by a falling one, or at its
// start by a rising one, holds throughout.
func (r *resolver) trackClause(c *clause) {
	watched := c.falling
	if len(c.some) > 0 || c.none != ltl.NoLocation {
		watched = append(watched[:len(watched):len(watched)], c.rising...)
	}
	for _, t := range watched {
		_, class := r.graph.Place(t)
		tracked := r.track(class)
		tracked.strict, tracked.constant = true, true
	}
}
