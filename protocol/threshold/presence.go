package threshold

import (
	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// presence reads a comparison of counts of processes that says that nobody is in some locations (count(c) = 0, count(c)
// < 1), or that somebody is (count(c) > 0): what sets of values decide, sums need not.
func (t *Translation) presence(e *ftdp.Expr) (l amount, nobody, ok bool) {
	op := e.Op
	if opposite[op] == "" {
		return l, false, false
	}
	l = t.sum(e.Args[0], nil).Sub(t.sum(e.Args[1], nil))
	if !l.Rises() {
		l, op = l.Neg(), turned(op)
	}
	for _, term := range l.Terms() {
		if term.Coef.Sign() < 0 || term.Var.Kind != counter.At {
			return l, false, false
		}
	}
	switch {
	case l.IsConst():
		return l, false, false
	case l.Const().Is(0) && (op == ftdp.Eq || op == ftdp.Le), l.Const().Is(-1) && op == ftdp.Lt:
		return l, true, true
	case l.Const().Is(0) && (op == ftdp.Ne || op == ftdp.Gt), l.Const().Is(-1) && op == ftdp.Ge:
		return l, false, true
	}
	return l, false, false
}

// turned is what a comparison is of the same sums with other signs.
func turned(op ftdp.Op) ftdp.Op {
	switch op {
	case ftdp.Lt:
		return ftdp.Gt
	case ftdp.Le:
		return ftdp.Ge
	case ftdp.Gt:
		return ftdp.Lt
	case ftdp.Ge:
		return ftdp.Le
	}
	return op
}
