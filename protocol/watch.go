package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/diag"
)

// Watch is what somebody would like to know of states: a condition, or a value.
type Watch struct {
	parts []watched
	each  bool // it is something of a process, and said of each
}

// watched is what is looked at, of a process where each has its own.
type watched struct {
	process int // -1 if it is of none
	term    *Term
	frame   int
}

// Watch reads an expression of states: what properties say, numbers and values, and processes by their numbers
// (node[1].sent), which are no matter of symmetry here. Of a text for all sizes there may also be what a process sees,
// without saying whose (sent, heard(ECHO) >= t + 1): it is said of each. Its error is a *ConditionError, whose positions have
// the name what for a file.
func (m *Model) Watch(what, text string) (*Watch, error) {
	at := diag.Pos{File: what, Line: 1, Col: 1}
	body := strings.TrimSuffix(strings.TrimRight(text, " \t\n"), ";")
	if trimmed := strings.TrimSpace(body); trimmed == "" || strings.HasPrefix(trimmed, "//") {
		var list diag.List
		list.Add(at, 1, "there is nothing: write a condition or a value, such as %s", m.example())
		return nil, &ConditionError{text, list}
	}
	var w *Watch
	var err error
	if m.made() {
		w, err = m.watchSource(what, m.unsaid(body))
	} else {
		w, err = m.watchTerm(at, body)
	}
	var list diag.List
	if errors.As(err, &list) {
		for _, e := range list {
			e.Msg = strings.ReplaceAll(m.Said(e.Msg), "the end of the file", "end of what is asked")
		}
		err = &ConditionError{body, list}
	}
	return w, err
}

// example is something that can be watched.
func (m *Model) example() string {
	for r := range m.Roles {
		for _, f := range m.Roles[r].State.Fields {
			if _, heard := m.origins.heard[f.Name]; f.Type.Scalar() && !heard {
				return fmt.Sprintf("%s[1].%s", m.Roles[r].Name, m.Said(f.Name))
			}
		}
	}
	return "true"
}

// watchTerm reads an expression in the words of a protocol of fixed size.
func (m *Model) watchTerm(at diag.Pos, body string) (*Watch, error) {
	x := &Scope{m: m, s: m.checker.scope(), t: &Transition{Executor: -1, Sender: -1}}
	t, _, err := x.Term(at, body)
	if err != nil {
		return nil, err
	}
	return &Watch{parts: []watched{{-1, t, x.Frame()}}}, nil
}

// Condition is an error if what is watched is not true or false, but something else.
func (w *Watch) Condition() error {
	t := w.parts[0].term
	switch {
	case w.each:
		return problem(t.Pos, max(1, t.Width), "whose? all(...), some(...), count(...) say of which processes")
	case t.Type.Kind != KindBool:
		return problem(t.Pos, max(1, t.Width), "this is no condition, but a value: compare it with one")
	}
	return nil
}

// True reports whether a condition holds in a state: not where it is undefined.
func (w *Watch) True(x *Interpreter, s *State) (bool, error) {
	holds, err := x.Holds(s, w.parts[0].term, w.parts[0].frame)
	if undefinedThere(err) {
		return false, nil
	}
	return holds, err
}

func undefinedThere(err error) bool {
	var f *Failure
	return errors.As(err, &f) && f.Msg == undefinedHere
}

// Show says what it is in a state.
func (w *Watch) Show(x *Interpreter, s *State) (string, error) {
	if !w.each {
		return x.shown(s, w.parts[0])
	}
	by := map[string][]string{}
	var order []string
	for _, p := range w.parts {
		r, number := x.RoleOf(p.process)
		if s.Status[p.process] == Byzantine && !x.Roles[r].Strategy {
			continue // what it has means nothing
		}
		text, err := x.shown(s, p)
		if err != nil {
			return "", err
		}
		if by[text] == nil {
			order = append(order, text)
		}
		name := fmt.Sprint(number)
		if len(x.Roles) > 1 {
			name = x.ProcessName(p.process)
		}
		by[text] = append(by[text], name)
	}
	var parts []string
	for _, text := range order {
		of := Enumerate(by[text])
		if len(x.Roles) == 1 {
			of = x.Roles[0].Name + " " + of
		}
		parts = append(parts, of+": "+text)
	}
	return strings.Join(parts, "; "), nil
}

// shown is the value of a term.
func (x *Interpreter) shown(s *State, w watched) (text string, err error) {
	defer func() {
		if undefinedThere(err) {
			text, err = "undefined", nil
		}
	}()
	defer catch(&err)
	e := &evaluation{m: x.Model, state: s, frame: make([]int32, w.frame), outs: map[[2]int]Message{}}
	if !w.term.IsPlace() {
		return w.term.Type.Format(e.number(w.term)), nil
	}
	if w.term.Base == BaseRole && w.term.Who != nil {
		p := e.process(w.term)
		if r, _ := x.RoleOf(p); s.Status[p] == Byzantine && !x.Roles[r].Strategy {
			return "anything: " + x.ProcessName(p) + " is faulty", nil
		}
	}
	cells := slices.Clone(e.place(w.term))
	if w.term.Base != BaseWhole && w.term.Base != BaseStatus {
		cells = cells[:w.term.Type.Cells]
	}
	if undefined(cells) {
		return "undefined", nil
	}
	return stateValue(w.term.Type, cells), nil
}
