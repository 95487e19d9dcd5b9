package rounds

import (
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// unroll makes an acyclic automaton of so many rounds: a copy of locations and variables for each, with the names
// of the round's and __1, __2 ... behind. A specification speaks of the processes in a location in any round.
// What the common coin says in round i is the parameter coin__i. Its error is a diag.List.
func unroll(a *ta.Automaton, count int) (*ta.Automaton, error) {
	m, err := newMachine(a)
	if err != nil {
		return nil, err
	}
	if m.rs.Leader != nil {
		return nil, diag.Wrong(m.rs.Pos, len("rounds"),
			"whose turn it is in several rounds is a matter of processes with names: no automaton is made of these")
	}
	return m.unroll(count, false)
}

// unrolled is what unroll calls an automaton.
func unrolled(name string, count int) string { return fmt.Sprintf("%s__%d_rounds", name, count) }

// firstRound is what firstRoundOf calls one.
func firstRound(name string) string { return unrolled(name, 1) + "_fair" }

// Named makes the automaton of several rounds that unroll or firstRoundOf gives a name; nil if they give it to none.
func Named(a *ta.Automaton, name string) (*ta.Automaton, error) {
	if name == firstRound(a.Name) {
		return firstRoundOf(a)
	}
	for count := 1; count < 1000; count++ {
		if name == unrolled(a.Name, count) {
			return unroll(a, count)
		}
	}
	return nil, nil
}

func (m *machine) unroll(count int, loops bool) (*ta.Automaton, error) {
	b := &builder{m: m, count: count}
	for _, x := range m.rs.Throughout {
		b.shared = append(b.shared, m.a.Shared[x].Name)
	}
	b.inits = append(b.inits, b.all(m.common)...)
	for r := 1; r <= count; r++ {
		suffix := fmt.Sprintf("__%d", r)
		b.number = r
		b.copy(suffix, true, loops)
		for _, e := range m.present {
			b.inits = append(b.inits, b.in(e, b.suffixed(suffix, true)))
		}
		if r == 1 {
			b.firstRound(suffix)
		} else {
			for _, border := range m.borders {
				b.inits = append(b.inits, zero(m.a.Locations[border].Name+suffix))
			}
		}
		if r < count {
			b.switches(r)
		}
	}
	for _, s := range m.a.Specs {
		if spec, ok := b.over(s.Formula, count); ok {
			b.specs = append(b.specs, syntax.Origin{At: s.Pos}.Spec(s.Name, spec))
		}
	}
	for _, s := range m.rs.After {
		b.specs = append(b.specs, syntax.Origin{At: s.Pos}.Spec(s.Name, b.ended(s, count)))
	}
	return b.automaton(unrolled(m.a.Name, count))
}

// ended says what holds when all that do not stop have ended all rounds but the last one, if that is when it has to
// hold; and what holds always, if it has to hold after none.
func (b *builder) ended(s ta.After, count int) *syntax.Expr {
	var before []*syntax.Expr
	for r := 1; r < count; r++ {
		inside := b.m.where(func(l int) bool { return b.m.inside[l] && !b.m.gone[l] })
		before = append(before, b.m.sum(inside, fmt.Sprintf("__%d", r)))
	}
	now, _ := b.over(s.Formula, count)
	always := func(e *syntax.Expr) *syntax.Expr {
		return &syntax.Expr{Op: syntax.Globally, Args: []*syntax.Expr{e}, Pos: s.Formula.Pos}
	}
	implied := func(op syntax.Op, rounds int, e *syntax.Expr) *syntax.Expr {
		return &syntax.Expr{Op: syntax.Implies,
			Args: []*syntax.Expr{made.Op(op, b.m.linear(s.Rounds), made.Int(int64(rounds))), e}, Pos: s.Formula.Pos}
	}
	if count == 1 {
		return implied(syntax.Le, 0, always(now))
	}
	over := &syntax.Expr{Op: syntax.Or, Args: []*syntax.Expr{made.Op(syntax.Ne, made.Plus(before...), made.Int(0)),
		now}, Pos: s.Formula.Pos}
	return &syntax.Expr{Op: syntax.And, Args: []*syntax.Expr{implied(syntax.Eq, count-1, always(over)),
		implied(syntax.Le, 0, always(now))}, Pos: s.Formula.Pos}
}

// all expands macros.
func (b *builder) all(list []*syntax.Expr) []*syntax.Expr {
	return lists.Map(list,
		func(e *syntax.Expr) *syntax.Expr { return b.in(e, func(string) *syntax.Expr { return nil }) })
}

// firstRound says how the first round begins, as the text does.
func (b *builder) firstRound(suffix string) {
	m := b.m
	inits := map[int]bool{}
	for _, g := range m.initialGroups {
		b.inits = append(b.inits, made.Op(syntax.Eq, m.sum(g.first, suffix), m.linear(g.total)))
		for _, border := range g.first {
			inits[border] = true
		}
	}
	first := m.first()
	for _, border := range m.borders {
		if !inits[border] || !slices.Contains(first, border) {
			b.inits = append(b.inits, zero(m.a.Locations[border].Name+suffix))
		}
	}
}

// coinName is the parameter that says what the common coin of a round is, from 1.
func coinName(round int) string { return fmt.Sprintf("coin__%d", round) }

// switches lead from the ends of a round to where the next one begins.
func (b *builder) switches(round int) {
	m := b.m
	coin := coinName(round)
	here, there := fmt.Sprintf("__%d", round), fmt.Sprintf("__%d", round+1)
	if k := m.rs.Outcomes(); k > 1 {
		b.params = append(b.params, coin)
		b.assume = append(b.assume, made.Op(syntax.Le, made.Name(coin), made.Int(int64(k-1))))
	}
	for i := range m.rs.Switches {
		s := &m.rs.Switches[i]
		for outcome, to := range s.To {
			r := b.move(m.a.Locations[s.From].Name+here, m.a.Locations[to].Name+there)
			r.Pos = lexer.Position{Filename: s.Pos.File, Line: s.Pos.Line, Column: s.Pos.Col}
			if s.Kind == ta.Coin && len(s.To) > 1 {
				r.Guard = made.Equation(made.Name(coin), int64(outcome))
			}
		}
	}
}

// over makes a formula about all rounds of one about a round; false if it speaks of a variable of a round.
func (b *builder) over(e *syntax.Expr, count int) (*syntax.Expr, bool) {
	ok := true
	out := b.in(e, func(name string) *syntax.Expr {
		s, known := b.m.a.Lookup(name)
		switch {
		case !known || s.Kind == ta.Parameter:
			return nil
		case s.Kind == ta.Shared:
			ok = ok && slices.Contains(b.m.rs.Throughout, s.Index)
			return nil
		}
		var list []*syntax.Expr
		for r := 1; r <= count; r++ {
			list = append(list, &syntax.Expr{Op: syntax.Name, Name: fmt.Sprintf("%s__%d", name, r), Pos: e.Pos})
		}
		if count == 1 {
			return list[0]
		}
		return &syntax.Expr{Op: syntax.Add, Args: list, Pos: e.Pos}
	})
	return out, ok
}

// firstRoundOf makes the automaton of the first round, in which everybody may stay everywhere. Its specifications, with
// the names of those about probability one, say that in fair runs all come to the end of it.
func firstRoundOf(a *ta.Automaton) (*ta.Automaton, error) {
	m, err := newMachine(a)
	if err != nil {
		return nil, err
	}
	return m.firstRoundOnly()
}

func (m *machine) firstRoundOnly() (*ta.Automaton, error) {
	a, err := m.unroll(1, true)
	if err != nil {
		return nil, err
	}
	a.Name, a.Specs = firstRound(m.a.Name), nil
	if m.rs.Fair == nil {
		return a, nil
	}
	b := &builder{m: m}
	given := b.in(m.rs.Fair, b.suffixed("__1", true))
	waiting := m.where(func(l int) bool { return m.inside[l] && (!m.gone[l] || m.forever[l]) && m.ends[l] == nil })
	for _, s := range m.rs.Almost {
		formula := &syntax.Expr{Op: syntax.Implies, Args: []*syntax.Expr{given, finally(m.unoccupied(waiting, "__1"))},
			Pos: s.Pos}
		a.Specs = append(a.Specs, ta.Spec{Name: s.Name, Formula: formula, Pos: s.Pos})
	}
	return a, nil
}
