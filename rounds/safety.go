package rounds

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// closure computes which values can be at a border together, for all rounds, and looks for a round in which the claim
// may be true.
func (m *machine) closure(k *asker, c *claim) (*closure, error) {
	if k.given != nil {
		return m.checked(k, c)
	}
	out := &closure{}
	todo := []*node{{state: m.initialState(c), round: 1}}
	for len(todo) > 0 {
		i := 0
		if len(c.sets) == 0 { // no path is asked for, and those of whom most may be together make others needless
			i = largest(todo)
		}
		n := todo[i]
		todo = slices.Delete(todo, i, i+1)
		if slices.ContainsFunc(out.nodes, func(o *node) bool { return n.within(o.state) }) {
			continue
		}
		if len(out.nodes) > mostStates {
			k.why = fmt.Sprintf("more than %d sets of values can be at a border together", mostStates)
			return out, nil
		}
		out.nodes = append(out.nodes, n)
		next, hit, err := m.post(k, c, n.state)
		if _, none := errors.AsType[*verify.NoRuns](err); none && n.round > 1 {
			continue // as few as that cannot be
		}
		if err != nil || k.why != "" {
			return out, err
		}
		if hit {
			out.bad = n
			return out, nil
		}
		for _, s := range next {
			if len(s.at) == 0 {
				out.over = append(out.over, s)
				continue
			}
			todo = append(todo, &node{s, n, n.round + 1})
		}
	}
	out.nodes = slices.DeleteFunc(out.nodes, func(n *node) bool {
		return slices.ContainsFunc(out.nodes,
			func(o *node) bool { return o != n && n.within(o.state) && !o.within(n.state) })
	})
	return out, nil
}

// largest is the first of the nodes at which most borders may not be empty.
func largest(list []*node) (which int) {
	for i, n := range list {
		if len(n.at) > len(list[which].at) {
			which = i
		}
	}
	return which
}

// initialState is what the first round begins with: at first there may be as many as there are at any border.
func (m *machine) initialState(c *claim) state {
	return state{at: c.at, many: uint64(1)<<len(c.bounds) - 1, early: c.good}
}

// post finds the greatest sets of values at the end of a round that begins with a state. It stops if the claim
// may be true in it.
func (m *machine) post(k *asker, c *claim, s state) (list []state, hit bool, err error) {
	if !s.early {
		return m.ending(k, c, s, false)
	}
	// While it is not asked, what is shown does not matter, either. A good round is one of the rounds that there may
	// be.
	quiet := *c
	quiet.sets = nil
	for _, good := range []bool{false, true} {
		more, _, err := m.ending(k, &quiet, s, good)
		if err != nil {
			return nil, false, err
		}
		for _, next := range more {
			next.early = !good
			list = append(list, next)
		}
	}
	return list, false, nil
}

// ending is post for a round that is good, or need not be.
func (m *machine) ending(k *asker, c *claim, s state, good bool) (list []state, hit bool, err error) {
	a, err := m.one(start{at: s.at, few: c.few(s), good: good, spare: c.spare}, c.assume...)
	if err != nil {
		return nil, false, err
	}
	full := uint64(1)<<len(c.sets) - 1
	if len(c.sets) > 0 {
		r, err := k.ask(a, m.hit(c, s))
		if err != nil || r.Verdict != verify.Holds {
			return nil, r != nil && r.Verdict == verify.Violated, err
		}
	}
	for outcome := range m.rs.Outcomes() {
		var found []state
		for asked := 0; ; asked++ {
			r, err := k.ask(a, m.covered(c, found, outcome))
			if err != nil || r.Verdict == verify.Unknown {
				return nil, false, err
			}
			if r.Verdict == verify.Holds {
				break
			}
			more := m.seen(c, s, r, outcome)
			if asked >= fewRuns && !c.ever {
				if more, err = m.grown(k, c, a, s, more, outcome); err != nil || k.why != "" {
					return nil, false, err
				}
			}
			if more.shown == full && len(c.sets) > 0 {
				return nil, true, nil
			}
			if slices.ContainsFunc(found, func(o state) bool { return more.within(o) }) {
				return nil, false, fmt.Errorf("internal error, please report: %s was seen already%s",
					m.describe(c, more), m.legend(c, more.shown))
			}
			found = append(slices.DeleteFunc(found, func(o state) bool { return o.within(more) }), more)
		}
		list = append(list, found...)
	}
	return list, false, nil
}

// fewRuns is how many runs of a round show what it may end with before each is made one that no other shows more than.
const fewRuns = 6

// grown is a greatest state of those that show all that one does which a run of a round was seen to end with. Runs that
// show a little each may be far more than the greatest states are.
func (m *machine) grown(k *asker, c *claim, a *ta.Automaton, s, found state, outcome int) (state, error) {
	top := found
	top.at = m.continued(s, outcome)
	for want := m.all(c, s, top, outcome); ; want = made.And(m.all(c, s, found, outcome), m.more(c, found, outcome)) {
		r, err := k.ask(a, c.never([]*syntax.Expr{want}))
		switch {
		case err != nil || r.Verdict == verify.Unknown:
			return found, err
		case r.Verdict == verify.Violated:
			found = m.seen(c, s, r, outcome)
		case top.at == nil:
			return found, nil
		}
		top.at = nil
	}
}

// continued lists where a round may begin after one that begins with a state, as far as rules lead.
func (m *machine) continued(s state, outcome int) (list []int) {
	inside := m.reach(s.at, false)
	for l, sw := range m.ends {
		if inside[l] {
			list = append(list, next(sw, outcome)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// all says that a round that begins with a state ends with all that another has.
func (m *machine) all(c *claim, s, found state, outcome int) *syntax.Expr {
	parts := lists.Map(found.at, func(b int) *syntax.Expr { return m.occupied(m.leads([]int{b}, outcome), "") })
	for i, set := range c.sets {
		if (found.shown&^s.shown)>>i&1 != 0 {
			parts = append(parts, m.occupied(set, ""))
		}
	}
	for i, x := range c.bounds {
		if found.many>>i&1 != 0 {
			parts = append(parts, m.reaches(x, m.sum(m.leads(x.at, outcome), "")))
		}
	}
	return made.And(parts...)
}

// hit says that the claim is not true in a round, given what is shown from behind.
func (m *machine) hit(c *claim, s state) *syntax.Expr {
	var parts []*syntax.Expr
	for i, set := range c.sets {
		if s.shown>>i&1 == 0 {
			parts = append(parts, m.occupied(set, ""))
		}
	}
	return c.never(parts)
}

// covered says that at the end of a round nothing is seen but what was found.
func (m *machine) covered(c *claim, found []state, outcome int) *syntax.Expr {
	parts := []*syntax.Expr{m.occupied(m.where(func(l int) bool { return m.ends[l] != nil || m.shows(c, l) != 0 }), "")}
	for _, f := range found {
		parts = append(parts, m.more(c, f, outcome))
	}
	return c.never(parts)
}

// never says that conditions are not true together; at any times, if that is what is claimed.
func (c *claim) never(parts []*syntax.Expr) *syntax.Expr {
	if !c.ever {
		return neverAll(parts...)
	}
	for i, p := range parts {
		parts[i] = finally(p)
	}
	return made.Op(syntax.Not, made.And(parts...))
}

// outside lists the locations that show something that a state has not.
func (m *machine) outside(c *claim, s state, outcome int) []int {
	return m.where(func(l int) bool {
		if sw := m.ends[l]; sw != nil {
			for _, b := range next(sw, outcome) {
				if !slices.Contains(s.at, b) {
					return true
				}
			}
		}
		return m.shows(c, l)&^s.shown != 0
	})
}

// shows is the sets of the claim that a location is in.
func (m *machine) shows(c *claim, l int) (out uint64) {
	for i, set := range c.sets {
		if slices.Contains(set, l) {
			out |= 1 << i
		}
	}
	return out
}

// seen is what a run shows at its end, or ever.
func (m *machine) seen(c *claim, s state, r *verify.Result, outcome int) state {
	out := state{shown: s.shown}
	configs := r.Witness.Configs
	for i, config := range configs {
		if i < len(configs)-1 && !c.ever {
			continue
		}
		out.many |= m.reached(c, config, outcome)
		for l := range m.a.Locations {
			if config.Counters[l].Sign() == 0 {
				continue
			}
			out.shown |= m.shows(c, l)
			if sw := m.ends[l]; sw != nil {
				out.at = append(out.at, next(sw, outcome)...)
			}
		}
	}
	slices.Sort(out.at)
	out.at = slices.Compact(out.at)
	return out
}

// describe says a state for people.
func (m *machine) describe(c *claim, s state) string {
	text := m.names(s.at)
	if s.shown != 0 {
		var sets []string
		for i := range c.sets {
			if s.shown>>i&1 != 0 {
				sets = append(sets, m.either(c, i))
			}
		}
		text += fmt.Sprintf(", after a process in %s", strings.Join(sets, " and one in "))
	}
	if few := m.fewness(c, s); few != "" {
		text += ", with " + few
	}
	return text
}

// few is how many locations are named where they are mentioned; more have a letter.
const few = 4

// either names a set of a claim: its locations, or a letter.
func (m *machine) either(c *claim, i int) string {
	if set := c.sets[i]; len(set) <= few {
		return m.joined(set, " or ")
	}
	return string(rune('A' + i))
}

// legend says what the letters are that stand for sets of a claim, those that are shown.
func (m *machine) legend(c *claim, shown uint64) (text string) {
	for i, set := range c.sets {
		if len(set) > few && shown>>i&1 != 0 {
			list := m.braces(set)
			text += "; " + m.either(c, i) + ": " + strings.Join(list[:min(few, len(list))], ", ")
			if len(list) > few {
				text += fmt.Sprintf(" and %d more", len(list)-few)
			}
		}
	}
	return text
}

// claims reads the ways to violate a specification. A reason says why it is not of the form.
func (m *machine) claims(spec *ta.Spec) (list []*claim, reason string, err error) {
	f, err := ltl.Parse(m.a, spec)
	if err != nil {
		return nil, "", err
	}
	trees, err := ltl.Canonical(ltl.Negate(f))
	if err != nil {
		return nil, "", err
	}
	for _, t := range trees {
		if t.HasGlobally() {
			return nil, "its violations are infinite runs: in rounds, `almost surely` and `eventually good` " +
				"ask what happens at last", nil
		}
		for _, first := range disjuncts(t.Prop) {
			c := &claim{at: m.first()}
			m.premise(c, first)
			partial := []*claim{c}
			n := 0
			var visit func(x *ltl.Node)
			visit = func(x *ltl.Node) {
				if !x.Prop.IsTrue() {
					n++
				}
				var more []*claim
				for _, d := range disjuncts(x.Prop) {
					for _, p := range partial {
						more = append(more, m.literals(p, d))
					}
				}
				partial = more
				for _, f := range x.Finally {
					visit(f)
				}
			}
			for _, f := range t.Finally {
				visit(f)
			}
			for _, p := range partial {
				p.ever = n > 1
				if len(p.sets) > most {
					return nil, fmt.Sprintf("more than %d sets of locations are looked at together", most), nil
				}
				list = append(list, p)
			}
		}
	}
	return list, "", nil
}

// literal is an atom, or (set not nil) that some process is in one of some locations.
type literal struct {
	atom ta.Atom
	set  []int
}

// disjuncts splits a condition into conjunctions of literals.
func disjuncts(c *ta.Cond) [][]literal {
	if set, ok := somewhere(c); ok {
		return [][]literal{{{set: set}}}
	}
	switch c.Op {
	case boolean.OpAtom:
		return [][]literal{{{atom: c.Atom}}}
	case boolean.OpOr:
		var out [][]literal
		for _, arg := range c.Args {
			out = append(out, disjuncts(arg)...)
		}
		return out
	}
	out := [][]literal{nil}
	for _, arg := range c.Args {
		var more [][]literal
		for _, x := range out {
			for _, y := range disjuncts(arg) {
				more = append(more, append(slices.Clone(x), y...))
			}
		}
		out = more
	}
	return out
}

// somewhere reports whether a condition says that some process is in one of some locations, and no more.
func somewhere(c *ta.Cond) (set []int, ok bool) {
	switch {
	case c.Op == boolean.OpOr && len(c.Args) > 0:
		for _, arg := range c.Args {
			part, ok := somewhere(arg)
			if !ok {
				return nil, false
			}
			set = append(set, part...)
		}
		return set, true
	case c.Op != boolean.OpAtom:
		return nil, false
	}
	l, k := c.Atom.Linear, c.Atom.Linear.Const()
	set, ok = positive(l)
	if !ok && c.Atom.Rel == ta.NE {
		set, ok = positive(l.Neg())
	}
	return set, ok && (c.Atom.Rel == ta.NE && k.Sign() == 0 || c.Atom.Rel == ta.GE && k.IsInt64() && k.Int64() == -1)
}

// premise takes what is said of the first configuration into account: that no process is in a border, and
// conditions on parameters. The rest is left out.
func (m *machine) premise(c *claim, list []literal) {
	for _, l := range list {
		at := l.atom
		set, ok := positive(at.Linear)
		switch {
		case l.set != nil:
		case len(ta.Part(at.Linear, ta.Counter, ta.Shared).Terms()) == 0:
			c.assume = append(c.assume, m.a.AtomExpr(made, at))
		case at.Rel == ta.EQ && ok && at.Linear.Const().Sign() == 0:
			c.at = slices.DeleteFunc(slices.Clone(c.at), func(b int) bool { return slices.Contains(set, b) })
		}
	}
}

// literals adds what a conjunction says of a configuration: that some process is in one of some locations. The rest
// is left out, which makes the claim weaker, so that what is never true of it never is of the conjunction.
func (m *machine) literals(c *claim, list []literal) *claim {
	out := *c
	out.sets, out.assume = slices.Clone(c.sets), slices.Clone(c.assume)
	for _, l := range list {
		at := l.atom
		set, ok := positive(at.Linear)
		switch {
		case l.set != nil:
			out.sets = append(out.sets, l.set)
		case len(ta.Part(at.Linear, ta.Counter, ta.Shared).Terms()) == 0:
			out.assume = append(out.assume, m.a.AtomExpr(made, at))
		case at.Rel == ta.GE && ok && at.Linear.Const().Sign() < 0: // several: at least some process
			out.sets = append(out.sets, set)
		}
	}
	return &out
}

// positive reports whether a sum is one of counters, with a number, and which.
func positive(l ta.Linear) (list []int, ok bool) {
	for _, t := range l.Terms() {
		if t.Var.Kind != ta.Counter || t.Coef.Sign() < 0 {
			return nil, false
		}
		list = append(list, t.Var.Index)
	}
	return list, len(list) > 0
}

// checked shows that a fixpoint of the proof is one: the first round begins with one of its states, and whatever begins
// with one leads to others. In none of them is the claim true.
func (m *machine) checked(k *asker, c *claim) (*closure, error) {
	f, err := k.given.next()
	if err != nil {
		return nil, err
	}
	out := &closure{}
	if f.Bounds > 0 {
		bounds := m.bounds()
		if f.Bounds > len(bounds) {
			return nil, Unproved("there are not so many bounds")
		}
		c.bounds = bounds[:f.Bounds]
	}
	if f.Bounds < 0 || len(f.States) > mostStates {
		return nil, Unproved("there are not so many bounds, or states")
	}
	var states []state
	for _, x := range f.States {
		s, err := m.load(c, x)
		if err != nil {
			return nil, err
		}
		if len(c.sets) > 0 && s.shown == uint64(1)<<len(c.sets)-1 {
			return nil, Unproved("a state shows all that the claim asks for")
		}
		if s.early && !c.good {
			return nil, Unproved("a state says that it is early, and the claim is asked from the first round")
		}
		states = append(states, s)
		if len(s.at) > 0 {
			out.nodes = append(out.nodes, &node{state: s})
		} else {
			out.over = append(out.over, s)
		}
	}
	first := m.initialState(c)
	if !slices.ContainsFunc(states, func(s state) bool { return first.within(s) }) {
		return nil, Unproved("the first round begins with none of the states")
	}
	for _, n := range out.nodes {
		if err := m.inductive(k, c, n.state, states); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inductive shows that a round that begins with a state leads to some of a list only, and that the claim is not true in
// it.
func (m *machine) inductive(k *asker, c *claim, s state, states []state) error {
	if !s.early {
		return m.leadsTo(k, c, s, false, false, states)
	}
	quiet := *c
	quiet.sets = nil
	for _, good := range []bool{false, true} {
		if err := m.leadsTo(k, &quiet, s, good, !good, states); err != nil {
			return err
		}
	}
	return nil
}

// leadsTo is inductive for a round that is good, or need not be, after which it is early or not.
func (m *machine) leadsTo(k *asker, c *claim, s state, good, early bool, states []state) error {
	a, err := m.one(start{at: s.at, few: c.few(s), good: good, spare: c.spare}, c.assume...)
	if err != nil {
		return err
	}
	holds := func(formula *syntax.Expr, what string) error {
		r, err := k.ask(a, formula)
		if err == nil && r.Verdict != verify.Holds {
			err = Unproved(fmt.Sprintf("it is not shown that a round which begins with %s %s%s", m.describe(c, s), what,
				m.legend(c, s.shown)))
		}
		return err
	}
	if len(c.sets) > 0 {
		if err := holds(m.hit(c, s), "does not violate it"); err != nil {
			return err
		}
	}
	to := lists.Keep(states, func(next state) bool { return next.early == early && s.shown&^next.shown == 0 })
	for outcome := range m.rs.Outcomes() {
		if err := holds(m.covered(c, to, outcome), "ends with one of the states"); err != nil {
			return err
		}
	}
	return nil
}

// more says that a round ends with something that a state has not: a process that shows it, or many.
func (m *machine) more(c *claim, s state, outcome int) *syntax.Expr {
	parts := []*syntax.Expr{m.occupied(m.outside(c, s, outcome), "")}
	for i, x := range c.bounds {
		if s.many>>i&1 == 0 {
			parts = append(parts, m.reaches(x, m.sum(m.leads(x.at, outcome), "")))
		}
	}
	return made.Or(parts...)
}

// found notes a fixpoint.
func (k *asker) found(m *machine, c *claim, cl *closure) {
	if k.proof != nil {
		k.proof.Fixpoints = append(k.proof.Fixpoints, m.save(c, cl))
	}
}
