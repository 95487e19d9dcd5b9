package promela

import (
	"errors"
	"strings"
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
	ErrRounds    = errors.New("a step that goes round too often")
)

// scope is what process p sees.
func (in *Instance) scope(w World, p int) scope {
	s := scope{params: in.Params, shared: w.Shared, procs: w.Procs, where: in.Control}
	if p >= 0 {
		s.proc = &w.Procs[p]
	}
	return s
}

// faulty says whether the error is one of the run, which the program has to report, too.
func faulty(err error) bool {
	return errors.Is(err, ErrRange) || errors.Is(err, ErrRounds) || errors.Is(err, errShift) || errors.Is(err, errDivision)
}

// executable says whether process p could do something at node n. A statement that is executable need not lead to
// a whole step: what comes later in the block may be impossible.
func (in *Instance) executable(w World, p int, n *Node) (bool, error) {
	switch n.Stmt.Kind {
	case "atomic":
		return in.executable(w, p, n.Next)
	case "assign":
		if n.Stmt.Decl && n.Region != 0 {
			return in.executable(w, p, n.Next)
		}
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

// A way is what has been done of a step so far.
type way struct {
	lines []int
	seen  []string // what the state was where the step may come back to, at each time
}

// Steps gives all ways in which process p can take a step.
func (in *Instance) Steps(w World, p int) ([]outcome, error) {
	w = w.clone()
	for i, v := range in.Model.Locals {
		if strings.HasPrefix(v.Name, "assert_") {
			w.Procs[p].Vars[i] = 0
		}
	}
	return in.step(w, p, w.Procs[p].Node, way{})
}

// step gives all ways in which process p can execute the statement at node n and, if that stands in an atomic block, the
// rest of the block.
func (in *Instance) step(w World, p int, n *Node, so way) ([]outcome, error) {
	if n.Again {
		w.Procs[p].Node = n
		k := in.key(w)
		if contains(so.seen, k) {
			return nil, nil
		}
		if len(so.seen) > 300 {
			return nil, ErrRounds
		}
		so.seen = append(so.seen[:len(so.seen):len(so.seen)], k)
	}
	switch n.Stmt.Kind {
	case "atomic":
		return in.step(w, p, n.Next, so)
	case "if", "do":
		return in.choose(w, p, n, so)
	}
	if n.Stmt.Decl {
		return in.execute(w, p, n, so)
	}
	ok, err := in.executable(w, p, n)
	if !ok || err != nil {
		return nil, err
	}
	return in.execute(w, p, n, so)
}

// execute executes a plain statement that does not block, and the rest of the block.
func (in *Instance) execute(w World, p int, n *Node, so way) ([]outcome, error) {
	worlds := []World{w}
	s := n.Stmt
	switch s.Kind {
	case "assign":
		v, err := s.Expr.eval(in.scope(w, p))
		if err != nil {
			return nil, err
		}
		if !in.variable(s.Target).fits(v) {
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
			out = append(out, outcome{next, so.lines})
			continue
		}
		rest, err := in.step(next, p, n.Next, so)
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
func (in *Instance) choose(w World, p int, n *Node, so way) ([]outcome, error) {
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
		rest, err := in.step(w.clone(), p, o.Node, so.through(o))
		if err != nil {
			return nil, err
		}
		out = append(out, rest...)
	}
	if !any && other != nil {
		return in.step(w.clone(), p, other.Node, so.through(other))
	}
	return out, nil
}

// through is the way with one more alternative.
func (so way) through(o *Entry) way {
	return way{append(so.lines[:len(so.lines):len(so.lines)], o.Line), so.seen}
}

// variable is the declaration of a variable.
func (in *Instance) variable(target *Expr) Variable {
	if target.Op == "shared" {
		return in.Model.Shared[target.Index]
	}
	return in.Model.Locals[target.Index]
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
