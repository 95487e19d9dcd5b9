package promela

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/run"
)

// Condition reads a condition of one state, as a proposition has it: about shared variables, parameters, propositions
// of the text, and processes in all(...), some(...) and card(...). Its error is a diag.List.
func (m *Model) Condition(text string) (*pml.Expr, error) { return m.conditionIn("condition", text) }

func (m *Model) conditionIn(what, text string) (*pml.Expr, error) {
	defines := map[string]string{}
	for _, c := range m.Constants {
		defines[c.Name] = fmt.Sprint(c.Value)
	}
	pre, err := pml.Preprocess(what, text, defines)
	if err != nil {
		return nil, err
	}
	if len(pre.Out) == 0 {
		return nil, errors.New("there is no condition")
	}
	e, err := pml.ParseExpr(pre.Out)
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
		err = diag.Wrong(e.Pos, max(1, e.Width), "this is no condition, but a value: compare it with one")
	}
	if err != nil {
		return err
	}
	m.Formulas = append(m.Formulas, Named{name, e.As(pml.Globally, e.As(pml.Not, e)), e.Pos})
	return nil
}

// Refusal is a guard that keeps a process from something.
type Refusal struct {
	Pos   diag.Pos
	Text  string // which parts of it are false, and what their variables are: "not go == 1 (go = 0)"
	Early bool   // it sees what there was before the step
	Own   bool   // it is false for what the process itself is, whatever others do

	chosen bool // it is about what the step has chosen
}

// refuses tells who asks of a guard that is false, unless the text has none such.
func (f *frame) refuses(e *pml.Expr) {
	if f.refused != nil && e.Pos.IsValid() {
		f.refused(f, e)
	}
}

// Refused lists the guards that are false where a process of a world would take a step, in the order of the text, each
// once. Guards in front of what it can do in another way are among them, unless they are true for another choice.
func (in *Instance) Refused(w *World, who int) (list []Refusal, err error) {
	f := in.step(w, who)
	f.before, f.passed = w.Shared, map[diag.Pos]bool{}
	f.refused = func(f *frame, e *pml.Expr) {
		r := Refusal{Pos: e.Pos, Early: f.early(e, f.begun()), chosen: f.chooses(e)}
		r.Own = r.Early && f.own(e)
		r.Text = strings.Join(f.denied(e, r.Own), "; ")
		if !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	err = f.choose(in.m.Loop, nil, func(*frame) error { return nil })
	list = slices.DeleteFunc(list, func(r Refusal) bool { return r.chosen && f.passed[r.Pos] })
	slices.SortStableFunc(list, func(a, b Refusal) int { return a.Pos.Line - b.Pos.Line })
	return list, err
}

// chooses reports whether an expression is about what the step has chosen.
func (f *frame) chooses(e *pml.Expr) bool {
	for at := range f.reads(e, nobody) {
		if _, is := f.chosen[at.variable]; is && at.process == f.self {
			return true
		}
	}
	return false
}

// denied lists the parts of a guard that are false, with what they see but for what the step has chosen: those that are
// so for the process itself, or the others.
func (f *frame) denied(e *pml.Expr, own bool) (list []string) {
	if e.Op == pml.And {
		wrong := lists.Keep(e.Args, func(a *pml.Expr) bool { v, err := f.eval(a); return err == nil && v == 0 })
		if some := lists.Keep(wrong, func(a *pml.Expr) bool { return f.own(a) == own }); some != nil {
			wrong = some
		}
		for _, a := range wrong {
			list = append(list, f.denied(a, own)...)
		}
		return list
	}
	var chosen []string
	for k := range f.chosen {
		chosen = append(chosen, f.in.m.Locals[k].Name)
	}
	return []string{f.line("not ", e, chosen...)}
}

// line is an expression, with what it sees but for some variables, and for where the process is if that is said.
func (f *frame) line(before string, e *pml.Expr, but ...string) string {
	words := f.in.m.inWords(e)
	text := before + words.String()
	if before != "" && (e.Op == pml.And || e.Op == pml.Or) {
		text = before + words.Inner()
	}
	if words.String() != e.String() {
		but = append(but, "pc")
	}
	return run.Line(text, "", lists.Keep(f.sees(e), func(seen string) bool {
		name, _, _ := strings.Cut(seen, " = ")
		return !slices.Contains(but, name)
	}))
}

// guard is one that a step has passed.
type guard struct {
	e     *pml.Expr
	seen  *frame // as it is evaluated: before the step, with what the step has chosen
	early bool   // it has the same value there as when it was passed, and sees the same
	fails int    // the variable of the assertion that fails for it; -1 for none
}

// before is the process before the step, with what the step has chosen by havoc and not changed since.
func (f *frame) begun() *frame {
	local := slices.Clone(f.all[f.self])
	for k, v := range f.chosen {
		local[k] = v
	}
	return &frame{in: f.in, local: local, shared: f.before, all: f.all, self: f.self, chosen: maps.Clone(f.chosen)}
}

// touches notes that the step has computed or chosen a variable's value, if
// that is asked for.
func (f *frame) touches(s symbol, e *pml.Expr, v int64) {
	if !f.asks && f.refused == nil {
		return
	}
	at := slot{f.self, s.Index}
	if s.Kind == SharedName {
		at.process = nobody
	}
	from := run.Places[slot]{}
	if e != nil {
		for read := range f.reads(e, nobody) {
			if earlier, is := f.from[read]; is {
				from.Add(earlier)
			} else {
				from[read] = true
			}
		}
	}
	f.from, f.chosen = maps.Clone(f.from), maps.Clone(f.chosen)
	if f.from == nil {
		f.from, f.chosen = map[slot]run.Places[slot]{}, map[int]int64{}
	}
	f.from[at] = from
	if delete(f.chosen, s.Index); s.Kind == LocalName && e == nil {
		f.chosen[s.Index] = v
	}
}

// late reports whether an expression is about what the step has given a value itself, other than by choice.
func (f *frame) late(e *pml.Expr) bool {
	for at := range f.reads(e, nobody) {
		_, written := f.from[at]
		_, chosen := f.chosen[at.variable]
		if written && at.process == f.self && !chosen {
			return true
		}
	}
	return false
}

// early reports whether an expression has the value that it had before the step, and sees what there was.
func (f *frame) early(e *pml.Expr, before *frame) bool {
	if f.late(e) {
		return false
	}
	now, err := f.eval(e)
	then, wrong := before.eval(e)
	return err == nil && wrong == nil && (now != 0) == (then != 0) && slices.Equal(before.sees(e), f.sees(e))
}

// own reports whether an expression is false because of variables of the process alone.
func (f *frame) own(e *pml.Expr) bool {
	if e.Op == pml.And {
		return slices.ContainsFunc(e.Args, f.own)
	}
	for at := range f.reads(e, nobody) {
		if _, chosen := f.chosen[at.variable]; chosen || at.process != f.self {
			return false
		}
	}
	v, err := f.eval(e)
	return err == nil && v == 0
}

// passes notes a guard that is true, if that is asked for.
func (f *frame) passes(e *pml.Expr) {
	if f.passed != nil {
		f.passed[e.Pos] = true
	}
	f.notes(e, -1)
}

// fails notes that an assertion is false.
func (f *frame) fails(local int, e *pml.Expr) {
	f.local[local] = 1
	f.touches(symbol{LocalName, local, e.Pos}, e, 1)
	f.notes(e.As(pml.Not, e), local)
}

// notes keeps what is true on the way here, if that is asked for.
func (f *frame) notes(e *pml.Expr, fails int) {
	if f.asks {
		before := f.begun()
		f.saw = append(slices.Clip(f.saw), guard{e, before, f.early(e, before), fails})
	}
}

// saw returns what a step has done, as it has come to its end.
func (in *Instance) saw(w *World, who int, s RunStep) (end *frame, err error) {
	f := in.step(w, who)
	f.asks, f.before = true, w.Shared
	err = f.choose(in.m.Loop, nil, func(f *frame) error {
		if slices.Equal(f.local, s.After) && slices.Equal(f.shared, s.Shared) &&
			(end == nil || !slices.Equal(end.taken, s.Taken) && slices.Equal(f.taken, s.Taken)) {
			end = f
		}
		return nil
	})
	if err == nil && end == nil {
		err = errors.New("internal error, please report: the process cannot do that")
	}
	return end, err
}

// reads are the variables of an expression, with who for the process that all(...) and others speak of.
func (f *frame) reads(e *pml.Expr, who int) run.Places[slot] {
	out := run.Places[slot]{}
	s, known := f.in.m.Symbols[e.Name]
	switch {
	case e.Op == pml.Name && e.Process == "" && f.in.m.Atomics[e.Name] != nil:
		return f.reads(f.in.m.Atomics[e.Name], who)
	case e.Op == pml.Name && known && s.Kind == SharedName:
		out[slot{nobody, s.Index}] = true
	case e.Op == pml.Name && known && s.Kind == LocalName && e.Process != "":
		out[slot{who, s.Index}] = true
	case e.Op == pml.Name && known && s.Kind == LocalName:
		out[slot{f.self, s.Index}] = true
	case e.Op == pml.Label && f.in.m.Where >= 0:
		out[slot{who, f.in.m.Where}] = true
	case e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card:
		for k := range f.all {
			out.Add(f.reads(e.Args[0], k))
		}
		return out
	}
	for _, a := range e.Args {
		out.Add(f.reads(a, who))
	}
	return out
}

// sees lists what the variables of an expression are.
func (f *frame) sees(e *pml.Expr) (list []string) {
	if e.Op == pml.Name || e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card {
		if v, err := f.eval(e); err == nil {
			list = append(list, fmt.Sprintf("%s = %d", e, v))
		}
		return list
	}
	for _, a := range e.Args {
		list = lists.Union(list, f.sees(a)...)
	}
	return list
}

// Truth reports whether an expression is true or false, rather than a number.
func (m *Model) Truth(e *pml.Expr) bool {
	switch e.Op {
	case pml.Name:
		return e.Process == "" && m.Atomics[e.Name] != nil && m.Truth(m.Atomics[e.Name])
	case pml.Not, pml.And, pml.Or, pml.Implies, pml.Equivalent, pml.All, pml.Some, pml.Label,
		"==", "!=", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// Violates reports whether a run, which it replays, is a counterexample to a formula, under the fairness that this may
// assume.
func (r *Run) Violates(f *Named) (bool, error) {
	m := r.Instance.m
	return r.Satisfies(m.Negation(f.Formula))
}
