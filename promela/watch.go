package promela

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Condition reads a condition of one state, as a proposition has it: about shared variables, parameters, propositions
// of the text, and processes in all(...), some(...) and card(...). Its error is a diag.List.
func (m *Model) Condition(text string) (*Expr, error) { return m.conditionIn("condition", text) }

func (m *Model) conditionIn(what, text string) (*Expr, error) {
	defines := map[string]string{}
	for _, c := range m.Constants {
		defines[c.Name] = fmt.Sprint(c.Value)
	}
	pre, err := preprocess(what, text, defines)
	if err != nil {
		return nil, err
	}
	if len(pre.out) == 0 {
		return nil, errors.New("there is no condition")
	}
	e, err := parseExpr(pre.out)
	if err != nil {
		return nil, err
	}
	r := &reader{m: m, proc: m.proc}
	r.check(e, scope{param: true, shared: true, inAtomic: true}, "")
	return e, r.errs.Err()
}

// Seek adds a formula of a name: that a condition is never true. Places in it have the name what for a file.
func (m *Model) Seek(what, name, text string) error {
	e, err := m.conditionIn(what, text)
	if err == nil && !m.Truth(e) {
		var list diag.List
		list.Add(e.Pos, max(1, e.Width), "this is no condition, but a value: compare it with one")
		err = list
	}
	if err != nil {
		return err
	}
	at := func(op Op, e *Expr) *Expr { return &Expr{Op: op, Pos: e.Pos, Width: e.Width, Args: []*Expr{e}} }
	m.Formulas = append(m.Formulas, Named{name, at(Globally, at(Not, e)), e.Pos})
	return nil
}

// Refusal is a guard that keeps a process from something.
type Refusal struct {
	Pos   diag.Pos
	Guard string
	Sees  []string // what its variables are: "echo = 1"
	Early bool     // it sees what there was before the step
}

// refuses tells who asks of a guard that is false.
func (f *frame) refuses(e *Expr) {
	if f.refused != nil {
		f.refused(f, e)
	}
}

// Refused lists the guards that are false where a process of a world would take a step, in the order of the text, each
// once. Guards in front of what it can do in another way are among them.
func (in *Instance) Refused(w *World, who int) (list []Refusal, err error) {
	f := in.step(w, who)
	f.before = w.Shared
	f.refused = func(f *frame, e *Expr) {
		r := Refusal{e.Pos, e.String(), f.sees(e), f.early(e)}
		if e.Op == And || e.Op == Or {
			r.Guard = e.inner() // "not" is written in front of it
		}
		if !slices.ContainsFunc(list, func(o Refusal) bool { return o.Pos == r.Pos && slices.Equal(o.Sees, r.Sees) }) {
			list = append(list, r)
		}
	}
	err = f.choose(in.m.Loop, nil, func(*frame) error { return nil })
	slices.SortStableFunc(list, func(a, b Refusal) int { return a.Pos.Line - b.Pos.Line })
	return list, err
}

// touches notes that the step has given a local variable a value, if somebody asks.
func (f *frame) touches(k int) {
	if f.before != nil {
		f.touched = append(slices.Clip(f.touched), k)
	}
}

// late reports whether an expression is about what the step has given a value itself.
func (f *frame) late(e *Expr) bool {
	s, known := f.in.m.symbols[e.Name]
	return e.Op == Name && e.Process == "" && known && s.kind == local && slices.Contains(f.touched, s.index) ||
		slices.ContainsFunc(e.Args, f.late)
}

// early reports whether an expression has the value that it had before the step, and sees what there was.
func (f *frame) early(e *Expr) bool {
	if f.late(e) {
		return false
	}
	before := &frame{in: f.in, local: f.all[f.self], shared: f.before, all: f.all, self: f.self}
	now, err := f.eval(e)
	then, wrong := before.eval(e)
	return err == nil && wrong == nil && (now != 0) == (then != 0) && slices.Equal(before.sees(e), f.sees(e))
}

// passes notes a guard that is true, if somebody asks and it was before the step.
func (f *frame) passes(e *Expr) {
	if f.asks && f.early(e) && len(f.sees(e)) > 0 {
		f.saw = append(f.saw, e)
	}
}

// saw lists the guards that a step passes.
func (in *Instance) saw(w *World, who int, s RunStep) (found []*Expr, err error) {
	f := in.step(w, who)
	f.asks, f.before = true, w.Shared
	any := false
	err = f.choose(in.m.Loop, nil, func(f *frame) error {
		if !any && slices.Equal(f.local, s.After) && slices.Equal(f.shared, s.Shared) &&
			(len(s.Taken) == 0 || slices.Equal(f.taken, s.Taken)) {
			any, found = true, f.saw
		}
		return nil
	})
	return found, err
}

// sees lists what the variables of an expression are.
func (f *frame) sees(e *Expr) (list []string) {
	if e.Op == Name || e.Op == All || e.Op == Some || e.Op == Card {
		if v, err := f.eval(e); err == nil {
			list = append(list, fmt.Sprintf("%s = %d", e, v))
		}
		return list
	}
	for _, a := range e.Args {
		for _, text := range f.sees(a) {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// Truth reports whether an expression is true or false, rather than a number.
func (m *Model) Truth(e *Expr) bool {
	switch e.Op {
	case Name:
		return e.Process == "" && m.atomics[e.Name] != nil && m.Truth(m.atomics[e.Name])
	case Not, And, Or, Implies, Equivalent, All, Some, Label, "==", "!=", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// Same reports whether worlds differ in the order of their processes only.
func (w *World) Same(other *World) bool { return w.key() == other.key() }

// Violates reports whether a run, which it replays, is a counterexample to a formula, under the fairness that this may
// assume.
func (r *Run) Violates(f *Named) (bool, error) {
	m := r.Instance.m
	return r.Satisfies(m.Negation(f.Formula, m.assumed(f.Formula)))
}
