package protocol

import (
	"fmt"

	"tacheck/internal/diag"
)

// Since is what a story says that the guard and the conditions of a step saw; in general, in words that are true of several processes.
func (r *Run) Since(k int, general bool) (text string, err error) {
	x := &explainer{Run: r, x: &Interpreter{Model: r.Model, Options: r.Options}, states: r.States, loop: -1, acting: r.mover(k), packets: r.Events[k].Packets}
	if r.Model.made() {
		if x.source, err = r.Model.Source.Source(); err != nil {
			return "", err
		}
	}
	defer catch(&err)
	return x.since(k, general), nil
}

// TrueBefore reads a condition in the words of the rule of an event, and evaluates it in the state before that.
func (x *Interpreter) TrueBefore(s *State, event Event, text string) (holds bool, err error) {
	defer catch(&err)
	scope := x.Within(event.Rule)
	if x.made() {
		if text, err = x.ofInstance(event.Rule, text); err != nil {
			return false, err
		}
	} else if r := (&explainer{Run: &Run{Model: x.Model}}).ruleOf(event.Rule); r != nil {
		if r.Head != nil {
			scope.s.head(r.Head)
		}
		for st := range all(r.Body) {
			if st.Let != nil {
				scope.s.alias(st.Let)
			}
		}
		scope.m.checker.errs = nil
	}
	t, _, err := scope.Term(diag.Pos{Line: 1, Col: 1}, text)
	if err != nil {
		return false, err
	}
	frame := make([]int32, scope.Frame())
	copy(frame, event.Frame)
	return (&evaluation{m: x.Model, state: s, frame: frame, packets: event.Packets, outs: map[[2]int]Message{}}).truth(t), nil
}

// ofInstance is what a condition of a text for all sizes is in an instance, for the process that moves.
func (x *Interpreter) ofInstance(rule int, text string) (string, error) {
	source, err := x.Source.Source()
	if err != nil {
		return "", err
	}
	e, err := exprOnly().ParseString(elsewhere, text)
	if err != nil {
		return "", err
	}
	for _, r := range source.Rules {
		if r.Label.Name == x.Origin(rule).Name {
			g := &instantiation{Source: source, typ: r.Type}
			return g.expr(e.Expr, g.me()).String(), nil
		}
	}
	return "", fmt.Errorf("there is no rule %s", x.Rules[rule].Label)
}
