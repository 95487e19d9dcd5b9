package protocol

import (
	"errors"
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

// Elsewhere is the name of a text that is read by itself, until its places are those of the text in which it stands.
const Elsewhere = "\x00"

// Term reads an expression that stands at a place in some other text; problems are told
// with places there. It reports whether the expression tells processes apart.
func (x *Scope) Term(at diag.Pos, text string) (t *Term, asymmetric bool, err error) {
	if err := ftdp.Nesting(Elsewhere, text); err != nil {
		return nil, false, moved(err, at)
	}
	e, err := ftdp.ExprOnly().ParseString(Elsewhere, text)
	if err != nil {
		return nil, false, moved(ftdp.AsProblem(err), at)
	}
	c := x.M.Checker
	known, numbering := slices.Clone(x.M.Asymmetry), slices.Clone(x.M.Numbering)
	c.Errs = nil
	done := c.Uses.moving(at)
	if t = x.S.Term(e.Expr); t != nil {
		if t.Type.Kind == KindBool {
			t = x.S.plain(t)
		} else if t = x.S.inner(t); chosen(t) != nil {
			x.S.fail(e.Expr, "here an if stands in conditions only")
		}
	}
	done()
	err, c.Errs = c.Errs.Err(), nil
	asymmetric = len(x.M.Asymmetry) > len(known)
	if x.M.Asymmetry = known; len(known) == 0 {
		x.M.Asymmetry = nil
	}
	x.M.Numbering = numbering
	if err != nil {
		return nil, false, moved(err, at)
	}
	t.shift(at, map[*Term]bool{})
	return t, asymmetric, nil
}

// TypeOf reads a type that stands at a place in some other text.
func (m *Model) TypeOf(at diag.Pos, text string) (*Type, error) {
	e, err := ftdp.TypeOnly().ParseString(Elsewhere, text)
	if err != nil {
		return nil, moved(ftdp.AsProblem(err), at)
	}
	c := m.Checker
	c.Errs = nil
	done := c.Uses.moving(at)
	t := c.typeOf(e.Type)
	done()
	err, c.Errs = c.Errs.Err(), nil
	return t, moved(err, at)
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

// moved gives problems of a text that stands at a place in another one their places there.
func moved(err error, at diag.Pos) error {
	var list diag.List
	if !errors.As(err, &list) {
		return err
	}
	for _, e := range list {
		if e.Pos.File == Elsewhere {
			e.Pos = shifted(e.Pos, at)
		}
	}
	return list
}

// shifted is a place in a text that stands at another place.
func shifted(p, at diag.Pos) diag.Pos {
	if p.Line == 1 {
		p.Col += at.Col - 1
	}
	p.Line += at.Line - 1
	p.File = at.File
	return p
}

// shift moves the places of a term that was read to where its text stands: what goes wrong when it is
// evaluated is told there. Parts that come from the protocol's text stay.
func (t *Term) shift(at diag.Pos, seen map[*Term]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	if t.Pos.File == Elsewhere {
		t.Pos = shifted(t.Pos, at)
	}
	for i := range t.Indices {
		if x := &t.Indices[i]; x.Pos.File == Elsewhere {
			x.Pos = shifted(x.Pos, at)
		}
	}
	t.EachPart(func(u *Term) bool { u.shift(at, seen); return true })
}
