package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Scope reads expressions that stand beside a text and speak in its words: of variables and
// messages, with the parameters of a rule, or with parameters of its own.
type Scope struct {
	M *Model
	S *scope
	T *Transition
}

// Within returns the scope of what a rule does: its parameters, and the message that it receives, if any.
func (m *Model) Within(rule int) *Scope {
	return m.scopeOf(&m.Rules[rule], func(name string) diag.Pos { return m.Param(rule, name) })
}

// Beside returns a scope with parameters of its own. As in rules, if the last two are
// processes and there are messages, msg is one from the last one to the one before.
func (m *Model) Beside(params []ParamInfo) *Scope {
	t := &Transition{Label: "see", Params: params, Executor: -1, Sender: -1}
	n := len(params)
	process := func(i int) bool { return i >= 0 && params[i].Type.Kind == KindRole }
	switch {
	case m.Message != nil && process(n-1) && process(n-2):
		t.Executor, t.Sender = n-2, n-1
	case process(n - 1):
		t.Executor = n - 1
	}
	for i := range params {
		t.Frame += params[i].Type.Cells
	}
	return m.scopeOf(t, func(string) diag.Pos { return diag.Pos{} })
}

func (m *Model) scopeOf(t *Transition, declared func(string) diag.Pos) *Scope {
	s := m.Checker.Scope()
	s.rule = t
	for i := range t.Params {
		s.push(t.Params[i].Name, t.Params[i].Type, declared(t.Params[i].Name))
	}
	return &Scope{m, s, t}
}

// Transition is what the scope belongs to: a rule, or parameters only.
func (x *Scope) Transition() *Transition { return x.T }

// Frame returns how many cells a frame needs for all that was read in the scope.
func (x *Scope) Frame() int { return max(x.S.Frame, x.T.Frame) }

// Term resolves an expression that stands beside the text. It reports whether the expression tells processes apart.
func (x *Scope) Term(e *ftdp.Expr) (t *Term, asymmetric bool, err error) {
	c := x.M.Checker
	known, numbering := slices.Clone(x.M.Asymmetry), slices.Clone(x.M.Numbering)
	c.Errs = nil
	if t = x.S.Term(e); t != nil {
		if t.Type.Kind == KindBool {
			t = x.S.plain(t)
		} else if t = x.S.inner(t); chosen(t) != nil {
			x.S.fail(e, "here an if stands in conditions only")
		}
	}
	err, c.Errs = c.Errs.Err(), nil
	asymmetric = len(x.M.Asymmetry) > len(known)
	if x.M.Asymmetry = known; len(known) == 0 {
		x.M.Asymmetry = nil
	}
	x.M.Numbering = numbering
	return t, asymmetric, err
}

// TypeOf resolves a type that stands beside the text.
func (m *Model) TypeOf(e *ftdp.TypeExpr) (*Type, error) {
	c := m.Checker
	c.Errs = nil
	t := c.typeOf(e)
	err := c.Errs.Err()
	c.Errs = nil
	return t, err
}

// Value is the value that a name has in the text: of an enumeration, or a constant. It is false for other names.
func (m *Model) Value(name string) (t *Type, v int32, ok bool) {
	if e := m.Checker.enums[name]; e != nil {
		return e.Type, e.Value, true
	}
	if k, ok := m.Checker.consts[name]; ok {
		if k.Bool {
			return BoolType, int32(k.Value), true
		}
		return intType, int32(k.Value), true
	}
	return nil, 0, false
}
