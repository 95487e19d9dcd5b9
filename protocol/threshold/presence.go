package threshold

import (
	"maps"
	"slices"
	"strings"

	"tacheck/protocol"
)

// presence reads a comparison of counts of processes that says that nobody is in some locations (count(c) = 0, count(c) < 1), or that
// somebody is (count(c) > 0): what sets of values decide, sums need not.
func (t *Translation) presence(e *protocol.Expr) (l linear, nobody, ok bool) {
	op := e.Op
	if opposite[op] == "" {
		return l, false, false
	}
	l = t.sum(e.Args[0], nil).plus(t.sum(e.Args[1], nil), -1)
	if slices.ContainsFunc(slices.Collect(maps.Values(l.terms)), func(c int64) bool { return c < 0 }) {
		l, op = l.times(-1), turned(op)
	}
	for name, c := range l.terms {
		if c < 0 || !strings.HasPrefix(name, "at ") {
			return l, false, false
		}
	}
	switch {
	case l.constant():
		return l, false, false
	case l.k == 0 && (op == protocol.Eq || op == protocol.Le), l.k == -1 && op == protocol.Lt:
		return l, true, true
	case l.k == 0 && (op == protocol.Ne || op == protocol.Gt), l.k == -1 && op == protocol.Ge:
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
