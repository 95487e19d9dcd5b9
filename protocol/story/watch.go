package story

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Watch is a condition or a value that is shown in each state.
type Watch struct {
	parts []watched
	each  bool // it is about a process, and shown for each
}

// watched is what is looked at, of a process where each has its own.
type watched struct {
	process int // -1 if it is of none
	term    *protocol.Term
	frame   int
}

// Watch reads an expression of states: what properties say, numbers and values, and processes by their numbers
// (node[1].sent), which are no matter of symmetry here. Of a text for all sizes there may also be what a process sees,
// without saying whose (sent, heard(ECHO) >= t + 1): it is said of each. Its error is a *ConditionError, whose
// positions have the name what for a file.
func NewWatch(m *protocol.Model, what, text string) (*Watch, error) {
	at := diag.Pos{File: what, Line: 1, Col: 1}
	body := strings.TrimSuffix(strings.TrimRight(text, " \t\n"), ";")
	if trimmed := strings.TrimSpace(body); trimmed == "" || strings.HasPrefix(trimmed, "//") {
		var list diag.List
		list.Add(at, 1, "there is nothing: write a condition or a value, such as %s", example(m))
		return nil, &protocol.ConditionError{Text: text, List: list}
	}
	var w *Watch
	var err error
	if m.Made() {
		w, err = watchSource(m, what, body)
	} else {
		w, err = watchTerm(m, at, body)
	}
	var list diag.List
	if errors.As(err, &list) {
		for _, e := range list {
			e.Msg = strings.ReplaceAll(e.Msg, "end of the file", "end of what is asked")
		}
		err = &protocol.ConditionError{Text: body, List: list}
	}
	return w, err
}

// example is something that can be watched.
func example(m *protocol.Model) string {
	for r := range m.Roles {
		for _, f := range m.Roles[r].State.Fields {
			if _, heard := m.Origins.Heard[f.Name]; f.Type.Scalar() && !heard {
				return fmt.Sprintf("%s[1].%s", m.Roles[r].Name, m.Source.Called(f.Name, ""))
			}
		}
	}
	return "true"
}

// watchTerm reads an expression in the words of a protocol of fixed size.
func watchTerm(m *protocol.Model, at diag.Pos, body string) (*Watch, error) {
	x := &protocol.Scope{M: m, S: m.Checker.Scope(), T: &protocol.Transition{Executor: -1, Sender: -1}}
	e, err := ftdp.ReadExprAt(at, body)
	if err != nil {
		return nil, err
	}
	t, _, err := x.Term(e)
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
		return diag.Wrong(t.Pos, max(1, t.Width), "whose? all(...), some(...), count(...) say of which processes")
	case t.Type.Kind != protocol.KindBool:
		return diag.Wrong(t.Pos, max(1, t.Width), "this is no condition, but a value: compare it with one")
	}
	return nil
}

// True reports whether a condition holds in a state: not where it is undefined.
func (w *Watch) True(x *interp.Interpreter, s *protocol.State) (bool, error) {
	holds, err := x.Holds(s, w.parts[0].term, w.parts[0].frame)
	if undefinedThere(err) {
		return false, nil
	}
	return holds, err
}

func undefinedThere(err error) bool {
	var f *protocol.Failure
	return errors.As(err, &f) && f.Msg == protocol.UndefinedHere
}

// Why says what makes a condition false in a state, as far as that is not the condition itself.
func (w *Watch) Why(x *interp.Interpreter, s *protocol.State) []string {
	r := &interp.Run{Model: x.Model, Options: x.Options}
	e := &explainer{Run: r, x: x, states: []*protocol.State{s}, acting: -1}
	c := claim{Part: part{t: w.parts[0].term, frame: make([]int32, w.parts[0].frame)}}
	if w.each || !e.written(c.Part.t) || !e.has(c.Part, false, s) {
		return nil
	}
	return e.Seen(c, 0, 0)
}

// Show says what it is in a state.
func (w *Watch) Show(x *interp.Interpreter, s *protocol.State) (string, error) {
	if !w.each {
		return shown(x, s, w.parts[0])
	}
	var by partition.Groups[string, int]
	for _, p := range w.parts {
		r, _ := x.RoleOf(p.process)
		if s.Status[p.process] == protocol.Byzantine && !x.Roles[r].Strategy {
			continue // what it has means nothing
		}
		text, err := shown(x, s, p)
		if err != nil {
			return "", err
		}
		by.Add(text, p.process)
	}
	var parts []string
	for text, of := range by.All() {
		parts = append(parts, interp.Names(x.Model, of)+": "+text)
	}
	return strings.Join(parts, "; "), nil
}

// shown is the value of a term.
func shown(x *interp.Interpreter, s *protocol.State, w watched) (text string, err error) {
	defer func() {
		if undefinedThere(err) {
			text, err = "undefined", nil
		}
	}()
	defer protocol.Catch(&err)
	e := &protocol.Evaluation{M: x.Model, State: s, Frame: make([]int32, w.frame), Outs: map[[2]int]protocol.Message{}}
	if !w.term.IsPlace() {
		return w.term.Type.Format(e.Number(w.term)), nil
	}
	if w.term.Base == protocol.BaseRole && w.term.Who != nil {
		p := e.Process(w.term)
		if r, _ := x.RoleOf(p); s.Status[p] == protocol.Byzantine && !x.Roles[r].Strategy {
			return "anything: " + interp.ProcessName(x.Model, p) + " is faulty", nil
		}
	}
	cells := slices.Clone(e.Place(w.term))
	if w.term.Base != protocol.BaseWhole && w.term.Base != protocol.BaseStatus {
		cells = cells[:w.term.Type.Cells]
	}
	if protocol.Undefined(cells) {
		return "undefined", nil
	}
	return stateValue(w.term.Type, cells), nil
}
