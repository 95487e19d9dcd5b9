package rounds

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// builder makes an automaton of copies of a round.
type builder struct {
	m            *machine
	good, timely bool // what copies of rounds are
	spare        int64
	// of several rounds in a row: which one is copied, and how many there are
	number, count int
	// made
	shared, params []string
	assume, inits  []*syntax.Expr
	locations      []string
	rules          []*syntax.Rule
	specs          []*syntax.Spec
}

// start says how the round of a copy begins.
type start struct {
	at []int // borders that may not be empty
	// exact: all processes that are not gone begin it; otherwise they are at most so many.
	exact bool
	// some are groups of which any may begin it, or not, all the same.
	some []int
	// late: processes arrive at the border one by one, at any place of at.
	late bool
	// few says of some borders that there are not so many.
	few []bound
	// loops: everybody may stay everywhere, as far as fairness lets them.
	loops bool
	// good: no process becomes faulty, or not more than spare; timely: no process takes a rule that is not taken in
	// good rounds, either.
	good, timely bool
	spare        int64
}

// copyOf is behind names in a copy that goes on as it likes.
func copyOf(i int) string { return fmt.Sprintf("__%c", 'a'+i) }

// in puts an expression into a copy: locations, and shared variables unless they are the same in all copies,
// get a suffix; macros are expanded.
func (b *builder) in(e *syntax.Expr, name func(string) *syntax.Expr) *syntax.Expr {
	if e == nil {
		return nil
	}
	if e.Op == syntax.Name {
		if value := b.m.macros[e.Name]; value != nil {
			return b.in(value, name)
		}
		if other := name(e.Name); other != nil {
			return other
		}
	}
	out := *e
	out.Args = make([]*syntax.Expr, len(e.Args))
	for i, arg := range e.Args {
		out.Args[i] = b.in(arg, name)
	}
	return &out
}

// suffixed names what a copy has; what counts throughout is one thing in all copies if common.
func (b *builder) suffixed(suffix string, common bool) func(string) *syntax.Expr {
	return func(name string) *syntax.Expr {
		s, ok := b.m.a.Lookup(name)
		if !ok || s.Kind == ta.Parameter || common && s.Kind == ta.Shared &&
			slices.Contains(b.m.rs.Throughout, s.Index) {
			return nil
		}
		return &syntax.Expr{Op: syntax.Name, Name: name + suffix}
	}
}

// copy adds a copy of a round, without initial conditions for borders.
func (b *builder) copy(suffix string, common, loops bool) {
	m := b.m
	for i, x := range m.a.Shared {
		if !common || !slices.Contains(m.rs.Throughout, i) {
			b.shared = append(b.shared, x.Name+suffix)
		}
	}
	for _, l := range m.a.Locations {
		b.locations = append(b.locations, l.Name+suffix)
	}
	name, spoiled := b.suffixed(suffix, common), m.fresh("spoiled")+suffix
	if b.good && b.spare > 0 {
		b.shared, b.inits = append(b.shared, spoiled), append(b.inits, zero(spoiled))
	}
	n := 0 // rules
	loop := make([]bool, len(m.a.Locations))
	for _, s := range m.tree.Sections {
		if s.Rules == nil {
			continue
		}
		for _, r := range s.Rules.List {
			n++
			spoils := b.good && m.spoils(r)
			if spoils && b.spare == 0 || b.timely && slices.Contains(m.rs.Late, n-1) {
				continue
			}
			rule := b.rule(r, suffix, name)
			if b.rules = append(b.rules, rule); spoils {
				rule.Guard = made.And(rule.Guard, made.Op(syntax.Lt, made.Name(spoiled), made.Int(b.spare)))
				rule.Actions = append(rule.Actions, made.Raise(spoiled, 1))
			}
		}
	}
	for i := range m.a.Rules {
		if r := &m.a.Rules[i]; r.Idle() && r.Guard.IsTrue() {
			loop[r.From] = true
		}
	}
	for l := range m.a.Locations {
		if loops && !loop[l] {
			b.move(m.a.Locations[l].Name+suffix, m.a.Locations[l].Name+suffix)
		}
	}
	for _, e := range m.keep {
		b.inits = append(b.inits, b.in(e, name))
	}
}

func (b *builder) rule(r *syntax.Rule, suffix string, name func(string) *syntax.Expr) *syntax.Rule {
	out := *r
	out.From, out.To = ident(r.From.Name+suffix, r.From), ident(r.To.Name+suffix, r.To)
	out.ID = fmt.Sprint(len(b.rules) + 1)
	out.Guard = b.in(r.Guard, name)
	out.Actions = nil
	for _, act := range r.Actions {
		if act.Update == nil {
			continue
		}
		target := act.Update.Var
		if other := name(target.Name); other != nil {
			target = ident(other.Name, target)
		}
		out.Actions = append(out.Actions, &syntax.Action{Pos: act.Pos,
			Update: &syntax.Update{Var: target, Value: b.in(act.Update.Value, name)}})
	}
	if b.count > 0 {
		out.Actions = append(out.Actions, b.missed(r)...)
	}
	return &out
}

// missed counts processes that leave for good in all later rounds.
func (b *builder) missed(r *syntax.Rule) (list []*syntax.Action) {
	from, _ := b.m.a.Lookup(r.From.Name)
	to, _ := b.m.a.Lookup(r.To.Name)
	if b.m.gone[from.Index] || !b.m.gone[to.Index] || !b.m.raises(r) {
		return nil
	}
	for _, x := range b.m.rs.Missing {
		for n := b.number + 1; n <= b.count; n++ {
			name := fmt.Sprintf("%s__%d", b.m.a.Shared[x.Var].Name, n)
			list = append(list, made.Raise(name, 1))
		}
	}
	return list
}

// raises reports whether a rule raises a variable that counts throughout.
func (m *machine) raises(r *syntax.Rule) bool {
	return slices.ContainsFunc(r.Actions, func(act *syntax.Action) bool {
		if act.Update == nil {
			return false
		}
		s, ok := m.a.Lookup(act.Update.Var.Name)
		return ok && s.Kind == ta.Shared && slices.Contains(m.rs.Throughout, s.Index)
	})
}

func ident(name string, at *syntax.Ident) *syntax.Ident {
	return &syntax.Ident{Pos: at.Pos, Name: name}
}

// move adds a rule without effect on variables.
func (b *builder) move(from, to string) *syntax.Rule {
	r := &syntax.Rule{ID: fmt.Sprint(len(b.rules) + 1), From: &syntax.Ident{Name: from}, To: &syntax.Ident{Name: to}}
	b.rules = append(b.rules, r)
	return r
}

// round adds a copy of a round that begins in a certain way.
func (b *builder) round(suffix string, s start) {
	m := b.m
	b.good, b.timely, b.spare = s.good, s.timely, s.spare
	b.copy(suffix, false, s.loops)
	b.turns(suffix, s)
	var counters []*syntax.Expr
	for _, x := range m.rs.Throughout {
		counters = append(counters, made.Name(m.a.Shared[x].Name+suffix))
		bound, ok := m.bound(x)
		if ok && s.exact {
			b.inits = append(b.inits, b.in(made.Op(syntax.Ge, m.linear(bound), made.Int(0)), b.suffixed(suffix, false)))
		}
		switch {
		case s.exact:
		case len(m.rs.Missing) > 0 && ok:
			b.inits = append(b.inits, b.in(made.Op(syntax.Ge, m.linear(bound), made.Int(0)), b.suffixed(suffix, false)))
		default:
			b.inits = append(b.inits, zero(m.a.Shared[x].Name+suffix))
		}
	}
	b.missing(suffix, s)
	for _, border := range m.borders {
		if !slices.ContainsFunc(m.groups, func(g group) bool { return slices.Contains(g.borders, border) }) {
			b.inits = append(b.inits, zero(m.a.Locations[border].Name+suffix)) // no process ever gets there
		}
	}
	for _, x := range s.few {
		at := slices.DeleteFunc(slices.Clone(x.at), func(border int) bool { return !slices.Contains(s.at, border) })
		if len(at) == 0 {
			b.assume = append(b.assume, m.below(x, made.Int(0)))
			continue
		}
		b.inits = append(b.inits, m.below(x, m.sum(at, suffix)))
	}
	for i, g := range m.groups {
		var at []int
		for _, border := range g.borders {
			if slices.Contains(s.at, border) && !s.late {
				at = append(at, border)
			} else {
				b.inits = append(b.inits, zero(m.a.Locations[border].Name+suffix))
			}
		}
		total, exact := m.linear(g.total), s.exact && m.counted && !slices.Contains(s.some, i)
		switch {
		case s.late:
			from := m.fresh(fmt.Sprintf("late%d", i+1)) + suffix
			b.locations = append(b.locations, from)
			b.inits = append(b.inits, made.Op(syntax.Le, made.Name(from), total))
			for _, border := range g.borders {
				if slices.Contains(s.at, border) {
					b.move(from, m.a.Locations[border].Name+suffix)
				}
			}
		case len(at) == 0:
		case exact && len(m.groups) == 1:
			b.inits = append(b.inits, made.Op(syntax.Eq,
				made.Plus(append([]*syntax.Expr{m.sum(at, suffix)}, counters...)...), total))
		case exact && counters == nil:
			b.inits = append(b.inits, made.Op(syntax.Eq, m.sum(at, suffix), total))
		default:
			b.inits = append(b.inits, made.Op(syntax.Le, m.sum(at, suffix), total))
		}
	}
}

// missing says how many are gone when a round begins: all that do not begin it, if all others do, and not more
// otherwise. Where one variable counts them throughout, it has counted these.
func (b *builder) missing(suffix string, s start) {
	m := b.m
	for _, x := range m.rs.Missing {
		at := slices.DeleteFunc(slices.Clone(x.At), func(border int) bool { return !slices.Contains(s.at, border) })
		rel := map[bool]syntax.Op{true: syntax.Eq, false: syntax.Le}[s.exact && m.counted]
		name := m.a.Shared[x.Var].Name + suffix
		b.inits = append(b.inits, made.Op(rel, made.Plus(made.Name(name), m.sum(at, suffix)), m.linear(x.Total)))
		if s.good && m.led(x.At) {
			b.inits = append(b.inits, zero(name))
		}
		if len(m.rs.Throughout) == 1 && m.counted && len(m.groups) == 1 {
			b.inits = append(b.inits, made.Op(syntax.Eq, made.Name(name),
				made.Name(m.a.Shared[m.rs.Throughout[0]].Name+suffix)))
		}
	}
}

// bound is a sum that is not negative as long as a variable that counts throughout has a value that it can have.
func (m *machine) bound(x int) (ta.Linear, bool) {
	for i := range m.a.Rules {
		for _, atom := range m.a.Rules[i].Guard.Atoms(nil) {
			if atom.Linear.Coef(ta.Symbol{Kind: ta.Shared, Index: x}).Sign() != 0 {
				return atom.Linear.Add(ta.Int(1)), true
			}
		}
	}
	return ta.Linear{}, false
}

// automaton makes the automaton. That it cannot be read would be a mistake of this package.
func (b *builder) automaton(name string) (*ta.Automaton, error) {
	m := b.m
	params := b.params
	for _, p := range m.a.Parameters {
		params = append(params, p.Name)
	}
	out := &syntax.Builder{Name: name, Shared: made.Idents(b.shared...), Parameters: made.Idents(params...),
		Assumptions: b.assume, Locations: made.Idents(b.locations...), Inits: b.inits, Rules: b.rules, Specs: b.specs}
	for _, s := range m.tree.Sections {
		if s.Assumptions != nil {
			out.Assumptions = append(out.Assumptions, b.expanded(s.Assumptions)...)
		}
	}
	a, err := ta.Resolve(m.a.File, out.File())
	if err != nil {
		return nil, fmt.Errorf("internal error, please report: an automaton made of rounds is refused: %w", err)
	}
	return a, nil
}

func (b *builder) expanded(c *syntax.Conditions) []*syntax.Expr {
	return lists.Map(c.List, func(cond *syntax.Condition) *syntax.Expr {
		return b.in(cond.Expr, func(string) *syntax.Expr { return nil })
	})
}

// one is a single round.
func (m *machine) one(s start, assume ...*syntax.Expr) (*ta.Automaton, error) {
	b := &builder{m: m, assume: assume}
	b.round("", s)
	return b.automaton(m.a.Name)
}

// spoils reports whether a rule is one that no process takes in a good round: it raises a variable that counts
// throughout all rounds, and is the coordinator's if there is one.
func (m *machine) spoils(r *syntax.Rule) bool {
	from, _ := m.a.Lookup(r.From.Name)
	return m.raises(r) && (m.rs.Leader == nil || m.leading[from.Index])
}

// led reports whether the coordinator of a round begins it at some borders, and no other process does.
func (m *machine) led(at []int) bool {
	return m.rs.Leader != nil && !slices.ContainsFunc(at,
		func(b int) bool { return !slices.Contains(m.rs.Leader.At, b) })
}

// after returns what holds after some rounds, by its name; nil if nothing of that name does.
func (m *machine) after(name string) *ta.After {
	i := slices.IndexFunc(m.rs.After, func(s ta.After) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &m.rs.After[i]
}

// mostAfter is up to how many rounds a violation is looked for of what has to hold after some.
const mostAfter = 3

// turns says how many begin a round in which role: of each as many as at first, all of them if all begin it and no
// process stops. In a good round, the coordinator is correct.
func (b *builder) turns(suffix string, s start) {
	m := b.m
	if m.rs.Leader == nil {
		return
	}
	if bad := m.rs.Leader.Bad; bad >= 0 && s.good {
		b.assume = append(b.assume, zero(m.a.Parameters[bad].Name))
	}
	for _, g := range m.initialGroups {
		at := slices.DeleteFunc(slices.Clone(g.borders),
			func(border int) bool { return !slices.Contains(s.at, border) })
		all := len(m.rs.Throughout) == 0 || s.good && m.led(g.borders)
		for _, i := range s.some {
			all = all && !slices.ContainsFunc(g.borders,
				func(border int) bool { return slices.Contains(m.groups[i].borders, border) })
		}
		rel := map[bool]syntax.Op{true: syntax.Eq, false: syntax.Le}[s.exact && all]
		b.inits = append(b.inits, made.Op(rel, m.sum(at, suffix), m.linear(g.total)))
	}
}
