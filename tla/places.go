package tla

import (
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/spell"
)

// function finds a variable that is a function and counts processes: every action leaves it alone or moves one process
// in it.
func (w *writer) function(d *Definition, list []branch) map[string]bool {
	var found map[string]bool
	for _, v := range w.t.Module.Variables {
		moves, fits, only := false, true, map[string]bool{v.text: true}
		for _, b := range list {
			if c := w.changes(b, only); len(c) > 0 {
				_, _, one := movesOne(c)
				moves, fits = true, fits && one
			}
		}
		switch {
		case !moves || !fits:
		case found != nil:
			w.fail(d.Pos, "several variables may count the processes in each place: %s is one of them", v.text)
		default:
			found = only
		}
	}
	return found
}

// numbers finds variables that are numbers, each of which counts the processes in one place: those that some action
// decreases by one, and for each action that decreases one of them, one that it increases by one. Guards may not read
// it; which one it is otherwise makes no difference, since the numbers change alike.
func (w *writer) numbers(list []branch) map[string]bool {
	is, isNot := map[string]bool{}, map[string]bool{}
	var up [][]string // by action that takes a process from somewhere: what it increases by one
	for _, b := range list {
		less, more := w.steps(b, isNot)
		for _, v := range less {
			is[v] = true
		}
		if len(less) == 0 {
			for _, v := range more {
				isNot[v] = true
			}
			continue
		}
		up = append(up, more)
		for _, g := range b.guards {
			for _, c := range g.Atoms(nil) {
				for _, t := range c.lin.Terms() {
					v := string(t.Var)
					isNot[v] = isNot[v] || !slices.Contains(less, v)
				}
			}
		}
	}
	if len(is) == 0 {
		return nil
	}
	for w.settle(up, is, isNot, 1) || w.settle(up, is, isNot, len(w.t.Module.Variables)) {
	}
	return is
}

// steps returns the variables that an action decreases by one, and those that it increases by one; others that it
// changes are no counts of processes.
func (w *writer) steps(b branch, isNot map[string]bool) (less, more []string) {
	for _, v := range w.t.Module.Variables {
		next, number := b.next[v.text].(lin)
		if !number {
			continue
		}
		switch by := next.Sub(symbol(v.text)); {
		case by.IsConst() && by.Const().Is(-1):
			less = append(less, v.text)
		case by.IsConst() && by.Const().Is(1):
			more = append(more, v.text)
		case !by.IsConst() || by.Const().Sign() != 0:
			isNot[v.text] = true
		}
	}
	return less, more
}

// settle decides about variables in an action that increases at most so many unknown ones; it reports
// whether there was one.
func (w *writer) settle(up [][]string, is, isNot map[string]bool, most int) bool {
	for _, more := range up {
		known, open := false, []string(nil)
		for _, v := range more {
			if is[v] {
				known = true
			} else if !isNot[v] {
				open = append(open, v)
			}
		}
		switch {
		case len(open) == 0:
			continue
		case known:
			for _, v := range open {
				isNot[v] = true
			}
			return true
		case len(open) <= most:
			is[open[0]] = true
			return true
		}
	}
	return false
}

// asks returns the place that a condition asks to be occupied; "" for none.
func (w *writer) asks(c cond) string {
	for _, p := range w.parts {
		if !w.counts[p.variable] {
			continue
		}
		at := symbol(p.symbol)
		if a := c.Atom; c.Op == boolean.OpAtom && (a.op == ">=" && a.lin.Equal(at.Plus(-1)) ||
			a.op == "!=" && a.lin.Equal(at)) {
			return p.symbol
		}
	}
	return ""
}

// stays returns the place of an action that moves no process: the only one that it asks to be occupied.
func (w *writer) stays(b branch) (at string) {
	for _, g := range b.guards {
		for _, c := range g.Conjuncts() {
			if p := w.asks(c); p != "" && at == "" {
				at = p
			}
		}
	}
	if moved := w.changes(b, w.counts); len(moved) > 0 {
		w.fail(b.at.Pos,
			"%s changes %s: each of them would count the processes in a place, for actions decrease it by one (or "+
				"put a process there), and "+"a step moves one process from one place to another", b.called(),
			spell.List(slices.Sorted(maps.Keys(moved))))
	}
	if at == "" {
		w.fail(b.at.Pos, "%s changes %s, and moves no process: it would have to ask that a process is in some place",
			b.called(), spell.List(slices.Sorted(maps.Keys(w.changes(b, nil)))))
	}
	return at
}
