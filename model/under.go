package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Conditioned is a model that is another one under other assumptions, and has to be translated again then.
type Conditioned interface {
	ForAll
	// Scope lists the parameters, and other names that the text has.
	Scope() (params, used []string)
	// Assumed lists the assumptions about parameters, with their names.
	Assumed() []Condition
	// Under is the model with a condition in place of the assumptions that drop is true of.
	Under(drop func(names []string) bool, condition *syntax.Expr) (ForAll, error)
}

// Condition is an assumption about parameters.
type Condition struct {
	Text  string
	Names []string
}

func (m *processes) Scope() (params, used []string) {
	return slices.Clone(m.m.Params), m.m.Declared()
}

func (m *processes) Assumed() []Condition {
	return lists.Map(m.m.Assumptions(), func(e *pml.Expr) Condition { return Condition{e.String(), e.Names()} })
}

func (m *processes) Under(drop func(names []string) bool, condition *syntax.Expr) (ForAll, error) {
	other := m.m.Under(func(e *pml.Expr) bool { return !drop(e.Names()) }, inPromela(condition))
	return &processes{base: m.base, m: other}, nil
}

// inPromela is a comparison of sums of products in Promela.
func inPromela(e *syntax.Expr) *pml.Expr {
	out := &pml.Expr{Op: pml.Op(e.Op.String()), Pos: e.Pos, Width: e.Width, Name: e.Name}
	switch e.Op {
	case syntax.Name:
		out.Op = pml.Name
	case syntax.Number:
		out.Op, out.Num = pml.Number, e.Num.Int64()
	case syntax.Neg:
		out.Op = pml.Minus
	}
	for _, a := range e.Args {
		if len(out.Args) == 2 && e.Op == syntax.Mul {
			product := *out
			out.Args = []*pml.Expr{&product}
		}
		out.Args = append(out.Args, inPromela(a))
	}
	return out
}

// inFTDP is a comparison of sums of products in FTDP.
func inFTDP(e *syntax.Expr) *ftdp.Expr {
	o := ftdp.Origin{At: e.Pos, Width: e.Width}
	switch e.Op {
	case syntax.Name:
		return o.Name(e.Name)
	case syntax.Number:
		return o.Numeral(e.Num.Int64())
	case syntax.Neg:
		return o.Op(ftdp.Minus, inFTDP(e.Args[0]))
	}
	out := inFTDP(e.Args[0])
	for _, a := range e.Args[1:] {
		out = o.Op(ftdp.Op(e.Op.String()), out, inFTDP(a))
	}
	return out
}

// Scope lists the parameters, and all other words of the text.
func (m *roundsText) Scope() (params, used []string) {
	for _, sec := range m.f.Sections {
		for _, p := range sec.Parameters {
			params = append(params, p.Name)
		}
	}
	for _, t := range m.f.Tokens {
		if ftdp.IsName(t.Value) && !slices.Contains(params, t.Value) {
			used = append(used, t.Value)
		}
	}
	slices.Sort(used)
	return params, slices.Compact(used)
}

// Assumed lists the assumptions.
func (m *roundsText) Assumed() []Condition {
	return lists.Map(protocol.Assumed(m.f),
		func(e *ftdp.Expr) Condition { return Condition{e.String(), protocol.Symbols(e)} })
}

// Under is the text under another condition: its automaton is made anew, since guards are simplified by what is
// assumed.
func (m *roundsText) Under(drop func(names []string) bool, condition *syntax.Expr) (ForAll, error) {
	f := protocol.Under(m.f, func(e *ftdp.Expr) bool { return drop(protocol.Symbols(e)) }, inFTDP(condition))
	r, err := parametric.Rounds(f)
	if err == nil {
		err = threshold.CheckRounds(context.Background(), r)
	}
	if err != nil {
		return nil, m.wrong(err)
	}
	return newRoundsText(identities{m.base, f}, r), nil
}

// Scope lists the parameters, and all other words of the text.
func (m *roundsAutomaton) Scope() (params, used []string) {
	a := m.own.Automaton
	for _, p := range a.Parameters {
		params = append(params, p.Name)
	}
	for _, list := range [][]ta.Name{a.Shared, a.Locations} {
		for _, n := range list {
			used = append(used, n.Name)
		}
	}
	for _, sec := range a.Syntax().Sections {
		if sec.Define != nil {
			used = append(used, sec.Define.Name.Name)
		}
	}
	return params, used
}

// Assumed lists the assumptions.
func (m *roundsAutomaton) Assumed() (list []Condition) {
	for _, sec := range m.own.Syntax().Sections {
		if sec.Assumptions == nil {
			continue
		}
		for _, c := range sec.Assumptions.List {
			list = append(list, Condition{c.Expr.String(), namesIn(c.Expr)})
		}
	}
	return list
}

func namesIn(e *syntax.Expr) (list []string) {
	if e.Op == syntax.Name {
		list = append(list, e.Name)
	}
	for _, arg := range e.Args {
		list = append(list, namesIn(arg)...)
	}
	return list
}

// Under is the automaton under another condition.
func (m *roundsAutomaton) Under(drop func(names []string) bool, condition *syntax.Expr) (ForAll, error) {
	tree := *m.own.Syntax()
	tree.Sections = nil
	for _, sec := range m.own.Syntax().Sections {
		if sec.Assumptions == nil {
			tree.Sections = append(tree.Sections, sec)
			continue
		}
		c, list := *sec, *sec.Assumptions
		list.List = slices.DeleteFunc(slices.Clone(list.List),
			func(c *syntax.Condition) bool { return drop(namesIn(c.Expr)) })
		c.Assumptions = &list
		if condition != nil { // once
			list.List = append(list.List, &syntax.Condition{Pos: sec.Pos, Expr: condition})
			condition = nil
		}
		tree.Sections = append(tree.Sections, &c)
	}
	if condition != nil {
		only := &syntax.Conditions{List: []*syntax.Condition{{Expr: condition}}}
		tree.Sections = append([]*syntax.Section{{Assumptions: only}}, tree.Sections...)
	}
	a, err := ta.Resolve(m.file, &tree)
	if err != nil {
		return nil, m.own.wrong(err)
	}
	own := *m.own
	own.Automaton = a
	other, err := openRounds(m.base, &own)
	if err != nil {
		return nil, err
	}
	return other.(ForAll), nil
}

// UnderOthers returns the automaton of a model that is also the model's under other assumptions.
func UnderOthers(ctx context.Context, m ForAll) (*Automaton, error) {
	a, err := m.Automaton(ctx)
	if err == nil && a.Generated {
		free, ok := m.(Freed)
		if !ok {
			return nil, fmt.Errorf("%s is %s, whose automaton is made under its assumptions: change these in the "+
				"text, and ask `tacheck verify` for each", m.File(), m.What())
		}
		a, err = free.Free(ctx)
	}
	if err == nil && a.Bound {
		err = fmt.Errorf("%s was made under its assumptions, and is not the protocol's automaton with others", a.File)
	}
	return a, err
}
