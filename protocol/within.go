package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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

// ConditionError says what is wrong with a condition: the positions are in its text.
type ConditionError struct {
	Text string
	List diag.List
}

func (e *ConditionError) Error() string { return e.List.Error() }

func (e *ConditionError) Unwrap() error { return e.List }

// Condition resolves a condition of states, in the words of the model. What is wrong with it is a *ConditionError.
func (m *Model) Condition(c *ConditionText) (*Prop, error) {
	if m.Made() {
		return m.sourceCondition(c)
	}
	return m.condition(c, "condition", false)
}

// ConditionText is a condition that stands beside a text, as it is written.
type ConditionText struct {
	Text string
	expr *ftdp.Expr
}

// ReadCondition reads a lemma. What is wrong with it is a *ConditionError, whose positions have the name "lemma" for a
// file.
func ReadCondition(text string) (*ConditionText, error) {
	c := &ConditionText{Text: strings.TrimSuffix(strings.TrimSpace(text), ";")}
	if strings.Contains(c.Text, ";") {
		return nil, fmt.Errorf("%.60q is more than one formula", text)
	}
	var err error
	if c.expr, err = ftdp.ReadExpr("lemma", c.Text); err != nil {
		return nil, c.wrong(err)
	}
	return c, nil
}

// wrong makes problems of the condition a *ConditionError.
func (c *ConditionText) wrong(err error) error {
	var list diag.List
	if errors.As(err, &list) {
		return &ConditionError{Text: c.Text, List: list}
	}
	return err
}

// Stated is the lemma or the invariant of the text with a name; nil if there is none.
func (m *Model) Stated(name string) *Prop {
	for i := range m.Lemmas {
		if m.Lemmas[i].Name == name {
			return &m.Lemmas[i]
		}
	}
	if p := m.Lookup(name); p != nil && p.Invariant != nil {
		return p
	}
	return nil
}

// condition resolves a condition; it may be the name of one of the text. One of lemmas may ask what was ever
// sent. It must not tell processes apart where the model does not.
func (m *Model) condition(of *ConditionText, name string, lemma bool) (*Prop, error) {
	if e := of.expr; e.Op == ftdp.Name {
		if stated := m.Stated(e.Name); stated != nil {
			return &Prop{Name: name, Pos: e.Pos, Invariant: stated.Invariant, Frame: stated.Frame,
				Fair: make([]bool, len(m.Rules))}, nil
		}
	}
	c := m.Resolver()
	s := c.Scope()
	s.lemma = lemma
	t := s.boolean(of.expr)
	if t != nil {
		s.ofFormulas(t)
	}
	if err := c.Errs.Err(); err != nil {
		return nil, of.wrong(err)
	}
	hints := [][2]diag.List{{m.Asymmetry, c.M.Asymmetry}}
	if lemma {
		hints = append(hints, [2]diag.List{m.Numbering, c.M.Numbering})
	}
	for _, hints := range hints {
		if hints[0] == nil && hints[1] != nil {
			for _, e := range hints[1] {
				e.Severity = diag.Problem
			}
			return nil, of.wrong(hints[1].Err())
		}
	}
	return &Prop{Name: name, Pos: of.expr.Pos, Invariant: t, Frame: s.Frame, Fair: make([]bool, len(m.Rules))}, nil
}

// Resolver resolves what stands beside the text: the model stays as it is.
func (m *Model) Resolver() *Checker {
	c, own := *m.Checker, *m
	c.M, c.Errs, c.Uses, c.depth = &own, nil, nil, 0
	c.enums, c.values = maps.Clone(c.enums), maps.Clone(c.values)
	own.Asymmetry, own.Numbering = slices.Clip(m.Asymmetry), slices.Clip(m.Numbering)
	return &c
}

// sourceCondition reads a condition in the words of the text for all sizes that an instance was made of.
func (m *Model) sourceCondition(c *ConditionText) (*Prop, error) {
	name := m.Source.Words().Fresh("condition", "")
	with, err := m.Remodel(m.Source.With(&ftdp.Section{Invariant: &ftdp.Property{Name: &ftdp.Ident{Name: name},
		Formula: c.expr}}), m.Chosen(), false)
	if err != nil {
		return nil, c.wrong(err)
	}
	return with.Lookup(name), nil
}
