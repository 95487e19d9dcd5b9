package model

import (
	"math/big"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Assumption is a condition that a text puts on its parameters.
type Assumption struct {
	Text  string
	Pos   diag.Pos
	Width int // characters, of what stands in one line
	// Numbers are those in it, in the order of the text.
	Numbers []Literal
}

// Literal is a number that stands in a text.
type Literal struct {
	Pos   diag.Pos
	Value *big.Int
	Width int // characters
}

// Assuming is a model whose text puts conditions on parameters.
type Assuming interface {
	Assumptions() []Assumption
}

// Assumptions lists those of the text, if that is an automaton.
func (m *automaton) Assumptions() (list []Assumption) {
	if m.own.Generated {
		return nil
	}
	for _, s := range m.own.Syntax().Sections {
		if s.Assumptions == nil {
			continue
		}
		for _, c := range s.Assumptions.List {
			a := Assumption{Text: c.Expr.String(), Pos: c.Expr.Pos, Width: c.Expr.Width}
			var walk func(e *syntax.Expr)
			walk = func(e *syntax.Expr) {
				if e.Op == syntax.Number {
					a.Numbers = append(a.Numbers, Literal{e.Pos, e.Num, e.Width})
				}
				for _, x := range e.Args {
					walk(x)
				}
			}
			walk(c.Expr)
			list = append(list, a)
		}
	}
	return list
}

// Assumptions lists those of the text.
func (m *sizes) Assumptions() (list []Assumption) {
	for _, s := range m.f.Sections {
		for _, e := range s.Assume {
			a := Assumption{Text: e.String(), Pos: e.Pos, Width: e.Width}
			for x := range e.All() {
				if x.Op == ftdp.Number {
					a.Numbers = append(a.Numbers, Literal{x.Pos, big.NewInt(x.Num), x.Width})
				}
			}
			list = append(list, a)
		}
	}
	return list
}
