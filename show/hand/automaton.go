package hand

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/witness"
)

// automaton is one with fixed parameters: each event is one process that takes a rule.
type automaton struct {
	noFaults[*ta.Config, int]
	a     *ta.Automaton
	start []*ta.Config
	more  bool
	found []*witness.Witness
}

// taken is a step of an automaton: a configuration, and the rule that led to it.
type taken = step[*ta.Config, int]

// NewAutomaton makes a Subject of an instance with the given initial
// configurations (perhaps not all), with counterexamples to jump to.
func NewAutomaton(a *ta.Automaton, start []*ta.Config, more bool, found []*witness.Witness) Subject {
	return walk(&automaton{a: a, start: start, more: more, found: found})
}

// Title implements Subject.
func (x *automaton) Title() string {
	title := called(x.a.File)
	if len(x.start) > 0 {
		title += " with"
		for i, p := range x.a.Parameters {
			title += fmt.Sprintf(" %s=%s", p.Name, x.start[0].Params[i])
		}
	}
	return title
}

var one = big.NewInt(1)

func (x *automaton) next(_ context.Context, at **ta.Config, yield func(*ta.Config, int) bool) error {
	if at == nil {
		return begin(x.start, x.more, -1, yield)
	}
	c := *at
	for k := range x.a.Rules {
		r := &x.a.Rules[k]
		if c.Counters[r.From].Sign() > 0 && ta.Holds(r.Guard, c.Value) && !yield(c.After(r, one), k) {
			break
		}
	}
	return nil
}

func (x *automaton) key(c *ta.Config) string { return fmt.Sprint(c.Counters, c.Shared) }

func (x *automaton) lines(c *ta.Config, before **ta.Config) (list []Line) {
	if before == nil {
		before = &c
	}
	old := *before
	for i, l := range x.a.Locations {
		if changed := old.Counters[i].Cmp(c.Counters[i]) != 0; changed || c.Counters[i].Sign() > 0 {
			list = append(list, Line{l.Name, c.Counters[i].String(), changed})
		}
	}
	for i, s := range x.a.Shared {
		list = append(list, Line{s.Name, c.Shared[i].String(), old.Shared[i].Cmp(c.Shared[i]) != 0})
	}
	return list
}

func (x *automaton) rule(k int) string {
	r := &x.a.Rules[k]
	return fmt.Sprintf("rule %s: %s", x.a.RuleName(r), x.a.FormatMove(r))
}

func (x *automaton) choice(_ **ta.Config, _ *ta.Config, rule int) string { return x.rule(rule) }

func (x *automaton) tell(ctx context.Context, v *View, path []taken) error {
	if len(path) == 0 {
		return nil
	}
	w := witness.Witness{Automaton: x.a, Run: x.run(path),
		Configs: lists.Map(path, func(s taken) *ta.Config { return s.state })}
	v.told = w.Told()
	at, _ := last(path)
	for k := range x.a.Rules {
		r := &x.a.Rules[k]
		if !r.Idle() && (*at).Counters[r.From].Sign() > 0 && !ta.Holds(r.Guard, (*at).Value) {
			v.Blocked = append(v.Blocked, x.rule(k)+": not "+strings.Join(x.unmet(r.Guard, *at), ", not "))
		}
	}
	v.Picture = x.picture(ctx, path)
	return nil
}

// unmet lists the atoms of a guard that are false, with what they see.
func (x *automaton) unmet(g *ta.Cond, c *ta.Config) (list []string) {
	for _, at := range g.Atoms(nil) {
		if text := x.a.ShowAtom(at, c); !at.Eval(c.Value) && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// picture draws the automaton with how many processes are where, and the step that was taken last; "" where that
// cannot be drawn.
func (x *automaton) picture(ctx context.Context, path []taken) string {
	r := x.run(path)
	r.Steps = r.Steps[max(0, len(r.Steps)-1):]
	if len(r.Steps) == 0 {
		r = nil
	}
	c := path[len(path)-1].state
	text := picture.Automaton(x.a, picture.View{Run: r, Counts: func(l int) string {
		if c.Counters[l].Sign() == 0 {
			return ""
		}
		return fmt.Sprint(c.Counters[l])
	}})
	svg, err := picture.Render(ctx, text, "svg")
	if err != nil {
		return ""
	}
	_, drawn, found := strings.Cut(string(svg), "<svg")
	if !found {
		return ""
	}
	return "<svg" + drawn
}

func (x *automaton) run(path []taken) *ta.Run {
	r := &ta.Run{Start: path[0].state, Loop: ta.Finite}
	for _, s := range path[1:] {
		r.Steps = append(r.Steps, ta.Transition{Rule: s.event, Factor: one})
	}
	return r
}

func (x *automaton) claims(path []taken) (list []claim, err error) {
	for i := range x.a.Specs {
		c := claim{name: x.a.Specs[i].Name, parts: conditions(x.a.Specs[i].Formula, ltl.Temporal,
			func(e *syntax.Expr) []*syntax.Expr { return e.Args })}
		if w, err := witness.Check(x.a, &x.a.Specs[i], x.run(path)); err == nil {
			c.broken = w
		}
		list = append(list, c)
	}
	return list, nil
}

func (x *automaton) file([]taken) json.Marshaler { return nil }

func (x *automaton) goals() (list []target[*ta.Config, int]) {
	for _, w := range x.found {
		c := w.Run.Start
		t := target[*ta.Config, int]{spec: w.Spec, begin: taken{c, -1}}
		for _, s := range w.Run.Steps { // one process at a time
			for i := int64(0); i < s.Factor.Int64() && i <= mostSteps; i++ {
				c = c.After(&x.a.Rules[s.Rule], one)
				t.then = append(t.then, c)
			}
		}
		list = append(list, t)
	}
	return list
}

// watch reads what is watched of configurations: a condition, or a number.
func (x *automaton) watch(text string) (*watch[*ta.Config], error) {
	if err := nothing(text, x.a.Locations[0].Name+" >= 1"); err != nil {
		return nil, err
	}
	e, err := syntax.ParseExpr("condition", text)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case syntax.Name, syntax.Number, syntax.Neg, syntax.Add, syntax.Mul, syntax.Div:
		n, err := x.a.Number(e)
		if err != nil {
			return nil, err
		}
		return &watch[*ta.Config]{value: noCondition(text),
			show: func(c *ta.Config) (string, error) { return n.Eval(c.Value).String(), nil }}, nil
	}
	cond, err := ltl.Condition(x.a, e)
	if err != nil {
		return nil, err
	}
	w := condition(func(c *ta.Config) (bool, error) { return ta.Holds(cond, c.Value), nil })
	w.why = func(c *ta.Config) []string { return x.unmet(cond, c) }
	return w, nil
}
