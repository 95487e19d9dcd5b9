// Package interference finds out from the text of a protocol which of its steps get in each other's way: what rules
// read, write, send and receive, which parts of guards others can make true. Nothing is annotated by hand. The result
// are the relations that package stubborn needs; docs/partial-orders.md says why they are right.
package interference

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/stubborn"
)

// Split says which rules are divided by whom they receive from (Bokor, thesis, section 3.5).
type Split string

// The splits.
const (
	None     Split = "none"
	Quorum   Split = "quorum" // rules that do not reply, by the sender or the quorum
	Reply    Split = "reply"  // rules that send to the sender only
	Combined Split = "combined"
)

// Transition is a rule as executed by one process, with values for its
// parameters, but perhaps for whom it receives from.
type Transition struct {
	Rule    int
	Process int
	senders []int  // processes that it receives from
	Least   int    // from how many of them: from all, if the transition is split
	Needs   []Need // as in Relations.Needs
	values  values
	*footprint
}

// Frame has the values of the transition's parameters.
func (t *Transition) Frame() []int32 { return t.values.frame }

// Receives reports whether the transition may receive a message, as far as that can be seen by the message alone.
func (t *Transition) Receives(message []int32) bool {
	for c, want := range t.pattern {
		if want != anyValue && message[c] != want {
			return false
		}
	}
	return true
}

// NeedKind says what a need is about.
type NeedKind uint8

// The kinds of needs.
const (
	Status  NeedKind = iota // the process follows the rule
	Local                   // a part of the guard is true
	Message                 // there is a message from enough senders
	Other                   // anything else
)

// Need is something that a transition has to have.
type Need struct {
	Kind      NeedKind
	Condition *protocol.Term
	Process   int   // the one that the condition speaks of; -1 if it speaks of several
	Senders   []int // at least Least of them have sent something (Least as in Transition, at most their number)
	enabling  stubborn.Set
}

// Analysis is what is known of the transitions of a model.
type Analysis struct {
	model       *protocol.Model
	Transitions []Transition
	Relations   *stubborn.Relations
	Terminates  bool // every run is finite, so that there are no cycles of states

	layout   *layout
	implicit bool
	split    Split
	numbers  map[string]int
	crash    []bool          // by role: some process may crash
	byz      []bool          // by role: some process may send anything
	fills    map[[2]int]bool // channels that may be full
	read     map[reading]stubborn.Set
	known    *known
}

// reading is a condition with the values that its variables have; frames of transitions are not changed.
type reading struct {
	condition *protocol.Term
	frame     *int32
}

// mostQuorums bounds how many transitions a rule is divided into.
const mostQuorums = 64

// New analyses a model. Its error is ctx's.
func New(ctx context.Context, m *protocol.Model, o interp.Options, split Split) (*Analysis, error) {
	a := &Analysis{model: m, layout: newLayout(m), implicit: o.Implicit, split: split, numbers: map[string]int{},
		fills: map[[2]int]bool{}, read: map[reading]stubborn.Set{}}
	a.statuses()
	for k := range m.Rules {
		if a.divide(k); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	a.define()
	a.leaveOut()
	n := len(a.Transitions)
	a.Relations = &stubborn.Relations{Violating: stubborn.NewSet(n), Restoring: stubborn.NewSet(n)}
	for i := range a.Transitions {
		a.crashes(&a.Transitions[i])
	}
	if err := a.fill(ctx); err != nil {
		return nil, err
	}
	for t := range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		dependent := stubborn.NewSet(n)
		for u := range n {
			if t != u && a.depends(t, u, nil) {
				dependent.Add(u)
			}
		}
		a.Relations.Dependent = append(a.Relations.Dependent, dependent)
	}
	for t := range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		a.needs(&a.Transitions[t], t)
		list := lists.Map(a.Transitions[t].Needs, func(need Need) stubborn.Set { return need.enabling })
		a.Relations.Needs = append(a.Relations.Needs, list)
	}
	return a, nil
}

// statuses finds the roles with processes that crash, or send anything.
func (a *Analysis) statuses() {
	a.crash, a.byz = make([]bool, len(a.model.Roles)), make([]bool, len(a.model.Roles))
	look := func(t *protocol.Transition) {
		for s := range protocol.Steps(t.Body) {
			if s.Kind == protocol.StepAssign && s.Target.Base == protocol.BaseStatus {
				known := s.Value.Op == ftdp.Number
				a.crash[s.Target.Role] = a.crash[s.Target.Role] || !known ||
					protocol.Status(s.Value.Value) == protocol.Crash ||
					protocol.Status(s.Value.Value) == protocol.Crashed
				a.byz[s.Target.Role] = a.byz[s.Target.Role] || !known ||
					protocol.Status(s.Value.Value) == protocol.Byzantine
			}
		}
	}
	for k := range a.model.Inits {
		look(&a.model.Inits[k])
	}
	for k := range a.model.Rules {
		look(&a.model.Rules[k])
	}
	for r := range a.byz {
		a.byz[r] = a.byz[r] && !a.model.Roles[r].Strategy
	}
}

func (a *Analysis) role(p int) int {
	r, _ := a.model.RoleOf(p)
	return r
}

// replies reports whether a rule sends to the process that it receives from only.
func replies(t *protocol.Transition) bool {
	if !t.Receives() || t.Quorum() {
		return false
	}
	sends, others := false, false
	t.Touch(func(p *protocol.Term, write bool) {
		if !write || p.Base != protocol.BaseOut && p.Base != protocol.BaseOuts {
			return
		}
		sends = true
		others = others || p.Base == protocol.BaseOuts || p.Who.Op != ftdp.Name || p.Who.Var != t.Cell(t.Sender)
	})
	return sends && !others
}

// divides reports whether a rule is divided by whom it receives from.
func (a *Analysis) divides(t *protocol.Transition) bool {
	if !t.Receives() || t.Quorum() && t.Params[t.Sender].AtLeast {
		return false
	}
	switch a.split {
	case Combined:
		return true
	case Reply:
		return replies(t)
	case Quorum:
		return !replies(t)
	}
	return false
}

// divide makes transitions of a rule.
func (a *Analysis) divide(rule int) {
	t := &a.model.Rules[rule]
	divides := a.divides(t)
	sender := -1 // the cell of the frame that is left open
	if t.Receives() && !divides {
		sender = t.Cell(t.Sender)
	}
	v := values{make([]int32, t.Frame), make([]bool, t.Frame)}
	var choose func(i int, v values)
	choose = func(i int, v values) {
		if i == len(t.Params) {
			a.add(rule, v)
			return
		}
		p := &t.Params[i]
		cell := t.Cell(i)
		switch {
		case cell == sender:
			choose(i+1, v)
		case p.Type.Kind == protocol.KindQuorum:
			exactly := *p
			exactly.AtLeast = false
			var sets []uint64
			for set := range a.model.Quorums(&exactly) {
				if sets = append(sets, set); len(sets) > mostQuorums {
					break
				}
			}
			if len(sets) > mostQuorums {
				choose(i+1, v)
				return
			}
			for _, set := range sets {
				low, high := protocol.SplitQuorum(set)
				choose(i+1, v.with(cell, low).with(cell+1, high))
			}
		default:
			for x := p.Type.Lo; x <= p.Type.Hi; x++ {
				choose(i+1, v.with(cell, x))
			}
		}
	}
	choose(0, v)
}

func (a *Analysis) add(rule int, v values) {
	t := &a.model.Rules[rule]
	x := Transition{Rule: rule, Process: interp.Process(a.model, t, t.Executor, v.frame), values: v}
	if t.Receives() {
		cell := t.Cell(t.Sender)
		switch p := &t.Params[t.Sender]; {
		case v.known[cell]:
			x.senders = interp.Senders(a.model, t, v.frame)
			x.Least = len(x.senders)
		default:
			role := &a.model.Roles[p.Type.Role]
			for i := range role.Size {
				x.senders = append(x.senders, role.First+i)
			}
			if x.Least = 1; t.Quorum() {
				x.Least = p.Size
			}
		}
	}
	x.footprint = a.layout.footprint(t, v)
	a.Transitions = append(a.Transitions, x)
}

// leaveOut drops transitions that never happen: whatever the state, a part of the guard is false, and no part before it
// is an error.
func (a *Analysis) leaveOut() {
	a.Transitions = slices.DeleteFunc(a.Transitions, func(x Transition) bool {
		a.known.empty = x.empty
		for _, c := range x.conditions {
			if v, known := x.values.constant(c, nil); known && v == 0 {
				return true
			}
			if a.known.canFail(c, x.values) {
				break
			}
		}
		return false
	})
	for n, x := range a.Transitions {
		a.numbers[key(x.Rule, &a.model.Rules[x.Rule], x.values.frame, x.values.known)] = n
	}
}

func key(rule int, t *protocol.Transition, frame []int32, known []bool) string {
	b := []byte{byte(rule), byte(rule >> 8)}
	n := 0
	for i := range t.Params {
		n += t.Params[i].Type.Cells
	}
	for c := range n {
		v := int32(-1)
		if known == nil || known[c] {
			v = frame[c]
		}
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return string(b)
}

// Number returns the transition that a rule is part of when it is executed with the parameters of a frame; -1 if that
// never happens.
func (a *Analysis) Number(rule int, frame []int32) int {
	t := &a.model.Rules[rule]
	n, ok := a.numbers[key(rule, t, frame, nil)]
	if !ok && t.Receives() {
		known := slices.Repeat([]bool{true}, len(frame))
		cell := t.Cell(t.Sender)
		for c := range t.Params[t.Sender].Type.Cells {
			known[cell+c] = false
		}
		n, ok = a.numbers[key(rule, t, frame, known)]
	}
	if !ok {
		return -1
	}
	return n
}

// Name prints a transition: promise of acceptor 1 from proposer 2.
func (a *Analysis) Name(t int) string {
	x := &a.Transitions[t]
	rule := &a.model.Rules[x.Rule]
	text := rule.Label + " of " + interp.ProcessName(a.model, x.Process)
	for i, p := range rule.Params {
		if i != rule.Executor && i != rule.Sender {
			text += fmt.Sprintf(", %s = %s", p.Name, p.Type.FormatValue(x.values.frame[rule.Cell(i):rule.Cell(i)+1]))
		}
	}
	if len(x.senders) > 0 && x.Least == len(x.senders) {
		names := lists.Map(x.senders, func(j int) string { return interp.ProcessName(a.model, j) })
		text += " from " + strings.Join(names, " and ")
	}
	return text
}

// crashes adds what a transition does to the statuses of senders: with explicit
// crashes, one that may crash turns out to have done so.
func (a *Analysis) crashes(t *Transition) {
	own := a.layout.status(t.Process)
	t.reads.Add(own)
	for _, j := range t.senders {
		s := a.layout.status(j)
		t.reads.Add(s)
		if !a.implicit && a.crash[a.role(j)] {
			t.writes.Add(s)
			t.assigns[s] = append(t.assigns[s],
				assignment{value: &protocol.Term{Op: ftdp.Number, Value: int32(protocol.Crashed)}})
		}
	}
	for _, s := range t.sends {
		t.reads.Add(a.layout.status(s.to))
	}
}

// takes reports whether a transition takes messages from a channel.
func (t *Transition) takes(from, to int) bool {
	return t.Process == to && slices.Contains(t.senders, from)
}

// to returns what a transition may send to a process, or nil.
func (t *Transition) to(p int) *sending {
	for i := range t.sends {
		if t.sends[i].to == p {
			return &t.sends[i]
		}
	}
	return nil
}

// supplies reports whether u may send what t receives.
func (t *Transition) supplies(u *Transition) bool {
	if !slices.Contains(t.senders, u.Process) {
		return false
	}
	s := u.to(t.Process)
	return s != nil && s.may(t.pattern)
}
