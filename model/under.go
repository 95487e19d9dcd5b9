package model

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/protocol/ftdp"
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
	return lists.Map(m.m.Assumptions(), func(e *promela.Expr) Condition { return Condition{e.String(), e.Names()} })
}

func (m *processes) Under(drop func(names []string) bool, condition *syntax.Expr) (ForAll, error) {
	other := m.m.Under(func(e *promela.Expr) bool { return !drop(e.Names()) }, inPromela(condition))
	return &processes{base: m.base, m: other}, nil
}

// inPromela is a comparison of sums of products in Promela.
func inPromela(e *syntax.Expr) *promela.Expr {
	out := &promela.Expr{Op: promela.Op(e.Op.String()), Pos: e.Pos, Width: e.Width, Name: e.Name, Num: e.Num}
	switch e.Op {
	case syntax.Name:
		out.Op = promela.Name
	case syntax.Number:
		out.Op = promela.Number
	case syntax.Neg:
		out.Op = promela.Minus
	}
	for _, a := range e.Args {
		if len(out.Args) == 2 && e.Op == syntax.Mul {
			product := *out
			out.Args = []*promela.Expr{&product}
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
