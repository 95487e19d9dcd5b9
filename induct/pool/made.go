package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// made is where all that lemmas say stands: in no text.
var made = ftdp.Origin{At: diag.Pos{File: "lemma", Line: 1, Col: 1}, Width: 1}

// variable is one that a quantifier introduces, and what it ranges over.
type variable struct {
	name string
	over *ftdp.TypeExpr
}

// quantify introduces variables, the first one outermost.
func quantify(op ftdp.Op, list []variable, body *ftdp.Expr) *ftdp.Expr {
	for _, b := range slices.Backward(list) {
		body = made.Binder(op, b.name, b.over, body)
	}
	return body
}

func exists(body *ftdp.Expr, list ...variable) *ftdp.Expr { return quantify(ftdp.Exists, list, body) }

// flat joins conditions by `and` or `or`; those that are joined by the same are parts of the whole.
func flat(op ftdp.Op, list ...*ftdp.Expr) *ftdp.Expr {
	var parts []*ftdp.Expr
	for _, e := range list {
		switch {
		case e == nil:
		case e.Op == op:
			parts = append(parts, e.Args...)
		default:
			parts = append(parts, e)
		}
	}
	if op == ftdp.And {
		return made.And(parts...)
	}
	return made.Or(parts...)
}

// ranging is a range of numbers, or what is named.
func ranging(from, to *ftdp.Expr) *ftdp.TypeExpr {
	r := &ftdp.RangeType{From: &ftdp.Sum{Expr: *from}}
	if to != nil {
		r.To = &ftdp.Sum{Expr: *to}
	}
	return &ftdp.TypeExpr{Pos: made.Pos(), Range: r}
}

func numeral(n int32) *ftdp.Expr {
	if n < 0 {
		return made.Op(ftdp.Minus, made.Numeral(-int64(n)))
	}
	return made.Numeral(int64(n))
}

// sumOf is a number made of constants; nil if it is none.
func sumOf(t *protocol.Term) *ftdp.Expr {
	switch t.Op {
	case ftdp.Number:
		if t.Const != "" {
			return made.Name(t.Const)
		}
		return numeral(t.Value)
	case ftdp.Minus, ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Div, ftdp.Mod, ftdp.Ceiling, ftdp.Floor:
		var args []*ftdp.Expr
		for _, a := range t.Args {
			e := sumOf(a)
			if e == nil {
				return nil
			}
			args = append(args, e)
		}
		return made.Op(t.Op, args...)
	}
	return nil
}
