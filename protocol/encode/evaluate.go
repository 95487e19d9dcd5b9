package encode

import (
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
)

// Evaluation evaluates conditions for values of variables. Nodes are evaluated once, until Reset.
type Evaluation struct {
	c      *Circuit
	values Assignment
	// Known says which variables have values; nil for all.
	Known []bool
	memo  []boolean.Truth
	stamp []int32
	now   int32
}

// NewEvaluation returns an evaluation of a circuit's conditions.
func NewEvaluation(c *Circuit) *Evaluation { return &Evaluation{c: c} }

// Reset sets the values.
func (e *Evaluation) Reset(a Assignment) {
	e.values, e.now = a, e.now+1
	for len(e.stamp) < len(e.c.nodes) {
		e.stamp, e.memo = append(e.stamp, 0), append(e.memo, boolean.Maybe)
	}
}

// Value evaluates a condition.
func (e *Evaluation) Value(l Lit) boolean.Truth {
	n := l.node()
	if n >= len(e.stamp) {
		e.Reset(e.values)
	}
	if e.stamp[n] != e.now {
		e.memo[n] = e.node(n)
		e.stamp[n] = e.now
	}
	if l&1 == 1 {
		return -e.memo[n]
	}
	return e.memo[n]
}

// True reports whether a condition is true whatever has no value.
func (e *Evaluation) True(l Lit) bool { return e.Value(l) == boolean.Yes }

func (e *Evaluation) known(v int) bool { return e.Known == nil || e.Known[v] }

func (e *Evaluation) node(n int) boolean.Truth {
	node := &e.c.nodes[n]
	switch node.kind {
	case variable:
		switch {
		case !e.known(node.v):
			return boolean.Maybe
		case e.values[node.v] == 1:
			return boolean.Yes
		}
		return boolean.No
	case atLeast:
		if slices.ContainsFunc(node.lin.Terms(),
			func(t linear.Term[linear.Index]) bool { return !e.known(int(t.Var)) }) {
			return boolean.Maybe
		}
		if e.sum(node.lin).Sign() >= 0 {
			return boolean.Yes
		}
		return boolean.No
	case all:
		out := boolean.Yes
		for _, a := range node.args {
			switch e.Value(a) {
			case boolean.No:
				return boolean.No
			case boolean.Maybe:
				out = boolean.Maybe
			}
		}
		return out
	}
	return boolean.No
}

// sum evaluates a sum of variables that have values.
func (e *Evaluation) sum(l amount) linear.Int {
	return l.At(func(v linear.Index) int64 { return int64(e.values[v]) })
}

// Next returns the values of the variables after a step, for values before it for which its guard is true.
func (e *Evaluation) Next(s *Step) Assignment {
	next := append(Assignment(nil), e.values...)
	for _, v := range s.order {
		if !e.c.Vars[v].Int {
			next[v] = 0
			if e.True(s.after[v][0].when) {
				next[v] = 1
			}
			continue
		}
		for _, a := range s.after[v] {
			if e.True(a.when) {
				next[v] = int32(e.sum(a.lin).Int64())
			}
		}
	}
	return next
}
