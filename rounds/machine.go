// Package rounds decides automata that are one round of infinitely many (ta.Rounds): what never happens in any
// round, and what happens with probability one where coins are tossed. It asks package verify about
// automata that it makes of the one: a single round from what can be at its border (build.go), two continuations of
// one prefix (fork.go), several rounds in a row (unroll.go). docs/rounds-proofs.md has the proofs.
package rounds

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// machine is an automaton with rounds, and what is read off its rules.
type machine struct {
	a       *ta.Automaton
	rs      *ta.Rounds
	tree    *syntax.File
	borders []int // where rounds begin, the first one among them
	ends    map[int]*ta.Switch
	inside  []bool // locations that processes can get to from borders, in a round
	never   []bool // locations that are empty at first, as the text says
	gone    []bool // locations from which no end of the round can be reached
	// those of them to which processes get that have not been counted as stopped: they stay in the round for ever
	forever []bool
	groups  []group
	keep    []*syntax.Expr // initial conditions that are about no border: those of each round
	macros  map[string]*syntax.Expr
	common  []*syntax.Expr // initial conditions of variables that count throughout
	present []*syntax.Expr // of those that count processes that are gone: none, at first
	counted bool           // processes that are gone are counted throughout

	leading []bool // locations of the coordinator of a round

	initialGroups []group // as the text has them
}

// group is borders whose processes are so many at first, and stay among themselves.
type group struct {
	borders []int
	first   []int // those that are not empty at first
	total   ta.Linear
}

// newMachine reads what the initial conditions and rules mean for rounds. Its error is a diag.List.
func newMachine(a *ta.Automaton) (*machine, error) {
	m := &machine{a: a, rs: a.Rounds, tree: a.Syntax(), ends: map[int]*ta.Switch{}, macros: map[string]*syntax.Expr{}}
	m.borders = m.rs.Borders()
	for i := range m.rs.Switches {
		m.ends[m.rs.Switches[i].From] = &m.rs.Switches[i]
	}
	for _, s := range m.tree.Sections {
		if s.Define != nil {
			m.macros[s.Define.Name.Name] = s.Define.Value
		}
	}
	m.gone = make([]bool, len(a.Locations))
	m.never = a.InitiallyEmpty()
	for l := range a.Locations {
		to := m.reach([]int{l}, false)
		m.gone[l] = !slices.ContainsFunc(m.rs.Switches, func(s ta.Switch) bool { return to[s.From] })
		if !m.gone[l] && !m.never[l] {
			m.borders = append(m.borders, l)
		}
	}
	slices.Sort(m.borders)
	m.borders = slices.Compact(m.borders)
	m.inside = m.reach(m.borders, false)
	m.forever = m.uncounted()
	if err := m.initial(); err != nil {
		return nil, err
	}
	m.counted = m.counts()
	if m.rs.Leader != nil {
		m.leading = m.reach(m.rs.Leader.At, false)
	}
	return m, nil
}

// reach returns the locations to which rules lead from some, and, across rounds, switches.
func (m *machine) reach(from []int, across bool) []bool {
	return m.follow(from, func(l int) []int {
		if s := m.ends[l]; s != nil && across {
			return s.To
		}
		return nil
	}, func(*ta.Rule) bool { return true })
}

// uncounted lists the locations from which no end can be reached, and to which rules lead from borders that raise
// nothing that counts throughout.
func (m *machine) uncounted() []bool {
	out := m.follow(m.borders, func(int) []int { return nil }, func(r *ta.Rule) bool { return !m.stops(r) })
	for l := range out {
		out[l] = out[l] && m.gone[l]
	}
	return out
}

// follow returns the locations to which some rules lead from some locations, and from each of those what follows it
// besides.
func (m *machine) follow(from []int, besides func(l int) []int, leads func(*ta.Rule) bool) []bool {
	out := make([]bool, len(m.a.Locations))
	todo := slices.Clone(from)
	for len(todo) > 0 {
		l := todo[0]
		todo = todo[1:]
		if out[l] {
			continue
		}
		out[l] = true
		for i := range m.a.Rules {
			if r := &m.a.Rules[i]; r.From == l && leads(r) {
				todo = append(todo, r.To)
			}
		}
		todo = append(todo, besides(l)...)
	}
	return out
}

// stops reports whether a rule raises a variable that counts throughout.
func (m *machine) stops(r *ta.Rule) bool {
	return slices.ContainsFunc(m.rs.Throughout,
		func(x int) bool { return r.Update.Coef(ta.Symbol{Kind: ta.Shared, Index: x}).Sign() > 0 })
}

// beginning is what initial conditions say.
type beginning struct {
	bad    diag.List
	groups []group
	empty  map[int]bool // by border
}

// initial divides the initial conditions into those of borders, of variables that count throughout, and
// those of each round.
func (m *machine) initial() error {
	b := &beginning{empty: map[int]bool{}}
	var visit func(e *syntax.Expr)
	visit = func(e *syntax.Expr) {
		if e.Op == syntax.And {
			for _, arg := range e.Args {
				visit(arg)
			}
			return
		}
		c, err := m.a.Cond(e)
		if err != nil {
			b.bad.Add(e.Pos, e.Width, "%v", err)
			return
		}
		m.begins(b, e, c)
	}
	for _, s := range m.tree.Sections {
		if s.Inits != nil {
			for _, c := range s.Inits.List {
				visit(c.Expr)
			}
		}
	}
	if b.bad != nil {
		return b.bad.Err()
	}
	if len(m.present) != len(m.rs.Missing) {
		b.bad.Add(m.rs.Pos, len("rounds"), "variables that count who is gone begin with 0: say so in `inits`")
	}
	if len(m.common) != len(m.rs.Throughout) {
		b.bad.Add(m.rs.Pos, len("rounds"), "variables that count throughout all rounds begin with 0: say so in `inits`")
	}
	m.initialGroups = b.groups
	m.merge(b.groups, b.empty)
	for _, border := range m.borders {
		in := 0
		for _, g := range b.groups {
			if slices.Contains(g.borders, border) {
				in++
			}
		}
		if in > 1 {
			b.bad.Add(m.rs.Pos, len("rounds"), "how many begin in %s is said twice", m.a.Locations[border].Name)
		}
		if in == 0 && !b.empty[border] {
			b.bad.Add(m.rs.Pos, len("rounds"), "how many processes begin in %s is not said in `inits`",
				m.a.Locations[border].Name)
		}
	}
	return b.bad.Err()
}

// begins reads a part of the initial conditions.
func (m *machine) begins(b *beginning, e *syntax.Expr, c *ta.Cond) {
	switch {
	case m.about(c, ta.Counter, m.borders):
		g, ok := m.group(c)
		switch {
		case !ok && m.endless(c) != "":
			b.bad.Add(e.Pos, e.Width,
				"who begins a round in %s never comes to the end of it, and others do: that is not decided for "+
					"all rounds; instances can be explored", m.endless(c))
		case !ok:
			b.bad.Add(e.Pos, e.Width,
				"of locations in which rounds begin, an initial condition says how many processes are in them "+
					"together, `v0 + v1 == n`, or that none is")
		case g.total.IsConst() && g.total.Const().Sign() == 0:
			for _, border := range g.borders {
				b.empty[border] = true
			}
		default:
			b.groups = append(b.groups, g)
		}
	case m.about(c, ta.Shared, lists.Map(m.rs.Missing, func(x ta.Missing) int { return x.Var })):
		if !m.zero(c) {
			b.bad.Add(e.Pos, e.Width, "variables that count who is gone begin with 0")
		}
		m.present = append(m.present, e)
	case m.about(c, ta.Shared, m.rs.Throughout):
		if !m.zero(c) {
			b.bad.Add(e.Pos, e.Width, "variables that count throughout all rounds begin with 0")
		}
		m.common = append(m.common, e)
	default:
		m.keep = append(m.keep, e)
	}
}

// about reports whether a condition mentions one of some symbols.
func (m *machine) about(c *ta.Cond, kind ta.Kind, list []int) bool {
	for _, at := range c.Atoms(nil) {
		for _, t := range at.Linear.Terms() {
			if t.Var.Kind == kind && slices.Contains(list, t.Var.Index) {
				return true
			}
		}
	}
	return false
}

// endless is a location that a condition speaks of, from which no process comes to the end of a round; "" if there is
// none.
func (m *machine) endless(c *ta.Cond) string {
	for l := range m.a.Locations {
		if m.gone[l] && m.about(c, ta.Counter, []int{l}) {
			return m.a.Locations[l].Name
		}
	}
	return ""
}

// zero reports whether a condition says that one thing is 0.
func (m *machine) zero(c *ta.Cond) bool {
	return c.Op == boolean.OpAtom && c.Atom.Rel == ta.EQ && len(c.Atom.Linear.Terms()) == 1 &&
		c.Atom.Linear.Const().Sign() == 0
}

// group reads that borders have so many processes together.
func (m *machine) group(c *ta.Cond) (g group, ok bool) {
	if c.Op != boolean.OpAtom || c.Atom.Rel != ta.EQ {
		return g, false
	}
	l := c.Atom.Linear
	counters := ta.Part(l, ta.Counter).Terms()
	if counters[0].Coef.Sign() < 0 {
		l = l.Neg()
		counters = ta.Part(l, ta.Counter).Terms()
	}
	for _, t := range counters {
		if !t.Coef.IsInt64() || t.Coef.Int64() != 1 || !slices.Contains(m.borders, t.Var.Index) &&
			!m.never[t.Var.Index] {
			return g, false
		}
		if !slices.Contains(m.borders, t.Var.Index) {
			continue
		}
		g.borders = append(g.borders, t.Var.Index)
	}
	if len(ta.Part(l, ta.Shared).Terms()) > 0 {
		return g, false
	}
	g.first = g.borders
	g.total = ta.Part(l, ta.Counter).Sub(l)
	return g, true
}

// merge adds to each group the locations of the border that its processes can reach. Groups that then share locations
// become one.
func (m *machine) merge(groups []group, empty map[int]bool) {
	for _, g := range groups {
		to := m.reach(g.borders, true)
		g.borders, g.first = nil, slices.DeleteFunc(slices.Clone(g.first), func(b int) bool { return empty[b] })
		for _, b := range m.borders {
			if to[b] {
				g.borders = append(g.borders, b)
			}
		}
		m.groups = slices.DeleteFunc(m.groups, func(o group) bool {
			if !slices.ContainsFunc(o.borders, func(b int) bool { return slices.Contains(g.borders, b) }) {
				return false
			}
			g.first, g.total = append(g.first, o.first...), g.total.Add(o.total)
			g.borders = append(g.borders, o.borders...)
			slices.Sort(g.borders)
			g.borders = slices.Compact(g.borders)
			return true
		})
		m.groups = append(m.groups, g)
	}
}

// counts reports whether variables that count throughout count exactly the processes that are gone.
func (m *machine) counts() bool {
	for i := range m.a.Rules {
		r := &m.a.Rules[i]
		up := int64(0)
		for _, x := range m.rs.Throughout {
			up += r.Update.Coef(ta.Symbol{Kind: ta.Shared, Index: x}).Int64()
		}
		leaves := m.inside[r.From] && !m.gone[r.From] && m.gone[r.To]
		if leaves != (up == 1) || up > 1 {
			return false
		}
	}
	return true
}

// names lists locations for people.
func (m *machine) names(list []int) string { return m.joined(list, ", ") }

func (m *machine) joined(list []int, between string) string {
	if len(list) == 0 {
		return "nobody"
	}
	return strings.Join(m.braces(list), between)
}

// braces are the names of locations, with their common parts once.
func (m *machine) braces(list []int) []string {
	return spell.Braces(lists.Map(list, func(l int) string { return m.a.Locations[l].Name }))
}

// first is where the first round begins.
func (m *machine) first() (list []int) {
	for _, g := range m.groups {
		list = append(list, g.first...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// made is the origin of what copies of rounds have: they stand in no text.
var made syntax.Origin

// sum is how many are in some locations of a copy.
func (m *machine) sum(list []int, suffix string) *syntax.Expr {
	out := lists.Map(list, func(l int) *syntax.Expr { return made.Name(m.a.Locations[l].Name + suffix) })
	return made.Plus(out...)
}

// linear is a sum of what the automaton has.
func (m *machine) linear(l ta.Linear) *syntax.Expr { return m.a.Expr(made, l) }

// zero says that a variable or a counter is 0.
func zero(name string) *syntax.Expr { return made.Equation(made.Name(name), 0) }

// finally says that something is so at some time.
func finally(e *syntax.Expr) *syntax.Expr { return made.Op(syntax.Finally, e) }

// neverAll says that some conditions are never true together.
func neverAll(list ...*syntax.Expr) *syntax.Expr {
	return made.Op(syntax.Not, finally(made.And(list...)))
}

// occupied says that occupied process is in one of occupied locations.
func (m *machine) occupied(list []int, suffix string) *syntax.Expr {
	if len(list) == 0 {
		return made.Truth(false)
	}
	return made.Op(syntax.Ge, m.sum(list, suffix), made.Int(1))
}

// unoccupied says that no process is in some locations.
func (m *machine) unoccupied(list []int, suffix string) *syntax.Expr {
	if len(list) == 0 {
		return made.Truth(true)
	}
	return made.Equation(m.sum(list, suffix), 0)
}

// where lists the locations for which something is so.
func (m *machine) where(is func(l int) bool) (list []int) {
	for l := range m.a.Locations {
		if is(l) {
			list = append(list, l)
		}
	}
	return list
}

// fresh returns a name that the automaton does not have.
func (m *machine) fresh(name string) string {
	return names.Free(name, "_", func(out string) bool {
		_, taken := m.a.Lookup(out)
		return taken || m.macros[out] != nil
	})
}
