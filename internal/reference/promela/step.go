package promela

import (
	"errors"
	"fmt"
)

// A Proc is a process: its variables and where it is.
type Proc struct {
	Vars []int64
	Node *Node
}

// A World is a state of all processes and shared variables.
type World struct {
	Shared []int64
	Procs  []Proc
}

func (w World) clone() World {
	c := World{Shared: append([]int64(nil), w.Shared...), Procs: make([]Proc, len(w.Procs))}
	for i, p := range w.Procs {
		c.Procs[i] = Proc{append([]int64(nil), p.Vars...), p.Node}
	}
	return c
}

// An outcome is what a step may lead to, and the lines of the alternatives that it took.
type outcome struct {
	world World
	lines []int
}

// Errors of running a text.
var (
	ErrRange     = errors.New("a value that the type of a variable does not have")
	ErrUnbounded = errors.New("nothing bounds a havoc")
	ErrTooLarge  = errors.New("too many states")
)

// scope is what process p sees.
func (in *Instance) scope(w World, p int) scope {
	s := scope{params: in.Params, shared: w.Shared, procs: w.Procs, at: in.at}
	if p >= 0 {
		s.proc = &w.Procs[p]
	}
	return s
}

// at says whether a process stands at a label: at the node itself, or before the first statement of the alternatives
// that begin there.
func (in *Instance) at(label string, p *Proc) bool { return in.Control.Labels[label] == p.Node }

// executable says whether process p could do something at node n. A statement that is executable need not lead to
// a whole step: what comes later in the block may be impossible.
func (in *Instance) executable(w World, p int, n *Node) (bool, error) {
	switch n.Stmt.Kind {
	case "cond", "assume":
		v, err := n.Stmt.Expr.eval(in.scope(w, p))
		return v != 0, err
	case "if", "do":
		for _, o := range n.Options {
			if o.Else {
				return true, nil
			}
			if ok, err := in.executable(w, p, o.Node); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	case "end":
		return false, nil
	}
	return true, nil
}

// step gives all ways in which process p can execute the statement at node n and, if that stands in an atomic block, the
// rest of the block.
func (in *Instance) step(w World, p int, n *Node, lines []int, depth int) ([]outcome, error) {
	if depth > 2000 {
		return nil, fmt.Errorf("line %d: a step that does not end", n.Stmt.Line)
	}
	if n.Stmt.Kind == "if" || n.Stmt.Kind == "do" {
		return in.choose(w, p, n, lines, depth)
	}
	ok, err := in.executable(w, p, n)
	if !ok || err != nil {
		return nil, err
	}
	worlds := []World{w}
	s := n.Stmt
	switch s.Kind {
	case "assign":
		v, err := s.Expr.eval(in.scope(w, p))
		if err != nil {
			return nil, err
		}
		if !fits(in.kind(s.Target), v) {
			return nil, ErrRange
		}
		worlds[0] = in.assign(w, p, s.Target, v)
	case "havoc":
		worlds = nil
		for v := int64(0); v <= in.Bound; v++ {
			worlds = append(worlds, in.assign(w, p, s.Target, v))
		}
	case "assert":
		v, err := s.Expr.eval(in.scope(w, p))
		if err != nil {
			return nil, err
		}
		if v == 0 {
			worlds[0] = in.assign(w, p, s.Target, 1)
		}
	}
	var out []outcome
	for i, next := range worlds {
		next.Procs[p].Node = n.Next
		if n.Region == 0 || n.Next.Region != n.Region {
			out = append(out, outcome{next, lines})
			continue
		}
		rest, err := in.step(next, p, n.Next, lines, depth+1)
		if err != nil {
			return nil, err
		}
		if s.Kind == "havoc" && int64(i) == in.Bound && len(rest) > 0 {
			return nil, ErrUnbounded
		}
		out = append(out, rest...)
	}
	return out, nil
}

// choose goes on with every alternative that can begin, or with else if none can.
func (in *Instance) choose(w World, p int, n *Node, lines []int, depth int) ([]outcome, error) {
	var out []outcome
	var other *Entry
	any := false
	for _, o := range n.Options {
		if o.Else {
			other = o
			continue
		}
		ok, err := in.executable(w, p, o.Node)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		any = true
		rest, err := in.step(w.clone(), p, o.Node, extend(lines, o.Line), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, rest...)
	}
	if !any && other != nil {
		return in.step(w.clone(), p, other.Node, extend(lines, other.Line), depth+1)
	}
	return out, nil
}

func extend(lines []int, line int) []int {
	return append(lines[:len(lines):len(lines)], line)
}

// kind is the type of a variable.
func (in *Instance) kind(target *Expr) string {
	if target.Op == "shared" {
		return in.Model.Shared[target.Index].Type
	}
	return in.Model.Locals[target.Index].Type
}

// assign sets a variable in a copy.
func (in *Instance) assign(w World, p int, target *Expr, v int64) World {
	c := w.clone()
	if target.Op == "shared" {
		c.Shared[target.Index] = v
	} else {
		c.Procs[p].Vars[target.Index] = v
	}
	return c
}
