package story

import (
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/run"
)

// Since is what a story says that the guard and the conditions of a step saw; in general, in words that are true of several processes.
func Since(r *interp.Run, k int, general bool) (text string, err error) {
	x := &explainer{Run: r, x: &interp.Interpreter{Model: r.Model, Options: r.Options}, states: r.States, loop: -1, acting: mover(r, k), packets: r.Events[k].Packets,
		why: &run.Explainer[part, cellOrMessage]{}}
	defer protocol.Catch(&err)
	say := func() string { return x.since(k) }
	if general {
		return x.generally(r.Events[k].Rule, say), nil
	}
	return say(), nil
}

// TrueBefore reads a condition in the words of the rule of an event, and evaluates it in the state before that.
func TrueBefore(x *interp.Interpreter, s *protocol.State, event interp.Event, text string) (holds bool, err error) {
	defer protocol.Catch(&err)
	scope := x.Within(event.Rule)
	if x.Made() {
		if text, err = ofInstance(x, event.Rule, text); err != nil {
			return false, err
		}
	} else if r := ruleOf(x.Model, event.Rule); r != nil {
		if r.Head != nil {
			scope.S.Head(r.Head)
		}
		for st := range ftdp.All(r.Body) {
			if st.Let != nil {
				scope.S.Alias(st.Let)
			}
		}
		scope.M.Checker.Errs = nil
	}
	e, err := ftdp.ReadExpr("", text)
	if err != nil {
		return false, err
	}
	t, _, err := scope.Term(e)
	if err != nil {
		return false, err
	}
	frame := make([]int32, scope.Frame())
	copy(frame, event.Frame)
	return (&protocol.Evaluation{M: x.Model, State: s, Frame: frame, Packets: event.Packets, Outs: map[[2]int]protocol.Message{}}).Truth(t), nil
}

// ofInstance is what a condition of a text for all sizes is in an instance, for the process that moves.
func ofInstance(x *interp.Interpreter, rule int, text string) (string, error) {
	source, err := parametric.Of(x.Source)
	if err != nil {
		return "", err
	}
	e, err := ftdp.ReadExpr("", text)
	if err != nil {
		return "", err
	}
	for _, r := range source.Rules {
		if r.Label.Name == x.Origin(rule).Name {
			g := &instantiate.Instantiation{Source: source, Typ: r.Type}
			return g.Expr(e, g.Me()).String(), nil
		}
	}
	return "", fmt.Errorf("there is no rule %s", x.Rules[rule].Label)
}

// ruleOf is the text of a rule of a protocol of fixed size.
func ruleOf(m *protocol.Model, rule int) *ftdp.Rule {
	for _, sec := range m.Source.Sections {
		for _, r := range sec.Rules {
			if !r.Else && r.Label.Name == m.Rules[rule].Label {
				return r
			}
		}
	}
	return nil
}
