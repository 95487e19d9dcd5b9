package threshold

import (
	"strings"

	"tacheck/protocol"
)

// presence reads a comparison of counts of processes that says that nobody is in some locations (count(c) = 0, count(c) < 1), or that
// somebody is (count(c) > 0): what sets of values decide, sums need not.
func (t *Translation) presence(e *protocol.Expr) (l amount, nobody, ok bool) {
	op := e.Op
	if opposite[op] == "" {
		return l, false, false
	}
	l = t.sum(e.Args[0], nil).Sub(t.sum(e.Args[1], nil))
	if !l.Rises() {
		l, op = l.Neg(), turned(op)
	}
	for _, term := range l.Terms() {
		name, c := string(term.Var), term.Coef.Int64()
		if c < 0 || !strings.HasPrefix(name, "at ") {
			return l, false, false
		}
	}
	switch {
	case l.IsConst():
		return l, false, false
	case l.Const().Is(0) && (op == protocol.Eq || op == protocol.Le), l.Const().Is(-1) && op == protocol.Lt:
		return l, true, true
	case l.Const().Is(0) && (op == protocol.Ne || op == protocol.Gt), l.Const().Is(-1) && op == protocol.Ge:
		return l, false, true
	}
	return l, false, false
}

// turned is what a comparison is of the same sums with other signs.
func turned(op protocol.Op) protocol.Op {
	switch op {
	case protocol.Lt:
		return protocol.Gt
	case protocol.Le:
		return protocol.Ge
	case protocol.Gt:
		return protocol.Lt
	case protocol.Ge:
		return protocol.Le
	}
	return op
}
