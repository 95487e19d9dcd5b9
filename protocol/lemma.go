package protocol

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// assumptions resolves what a text assumes of its constants. What is assumed of an instance
// has to be true of it; a constant that an assumption speaks of is a size.
func (c *Checker) assumptions() {
	for _, sec := range c.M.Source.Sections {
		for _, e := range sec.Assume {
			t := c.Scope().boolean(e)
			if t == nil {
				continue
			}
			v, ok := constantOf(t)
			switch {
			case !ok:
				c.fail(e.Pos, e.Width, "an assumption is a condition on constants")
			case v != 1:
				c.fail(e.Pos, e.Width, "the assumption is false with %s", c.M.Assignments())
			default:
				c.M.Assume = append(c.M.Assume, t)
				t.constants(func(name string) { c.M.sized(name) })
			}
		}
	}
}

// sized notes that a constant is a size, and so are those that it is made of.
func (m *Model) sized(name string) {
	i := slices.IndexFunc(m.Constants, func(k Constant) bool { return k.Name == name })
	if i >= 0 && !m.Constants[i].Size {
		m.Constants[i].Size = true
		m.Constants[i].Term.constants(func(name string) { m.sized(name) })
	}
}

// constants calls visit for every constant that is written in a term without variables.
func (t *Term) constants(visit func(name string)) {
	for t := range t.All() {
		if t.Op == ftdp.Number && t.Const != "" {
			visit(t.Const)
		}
	}
}

// sent resolves `sent(p, q)`, which a variable of a lemma ranges over: the messages that p has ever sent to q.
func (s *scope) sent(e *ftdp.Expr) *Range {
	switch {
	case !s.lemma:
		s.fail(e, "what was ever sent is known in lemmas only, which are for proofs for all sizes")
		return nil
	case s.c.M.Message == nil:
		s.fail(e, "there are no messages: declare `type Msg: record ... end`")
		return nil
	case len(e.Args) != 2:
		s.fail(e, "sent(p, q) are the messages that process p has ever sent to process q")
		return nil
	}
	out := &Range{Type: s.c.M.Message, Quorum: -1}
	for _, a := range e.Args {
		t := s.Term(a)
		if t == nil {
			return nil
		}
		if t.Type.Kind != KindRole || chosen(t) != nil {
			s.fail(a, "expected a process, not %s", s.c.M.describe(t.Type))
			return nil
		}
		out.Sent = append(out.Sent, t)
	}
	return out
}

// messages calls f with all messages of a channel in the cells of a variable. In a state of
// the system in which nothing is ever taken from a channel, these are all that were sent.
func (e *Evaluation) messages(r *Range, cell int, f func() bool) {
	from := e.M.Roles[r.Sent[0].Type.Role].First + int(e.Number(r.Sent[0])) - 1
	to := e.M.Roles[r.Sent[1].Type.Role].First + int(e.Number(r.Sent[1])) - 1
	for _, m := range e.State.Channels[from*e.M.Processes()+to] {
		copy(e.Frame[cell:], m)
		if !f() {
			return
		}
	}
}

// LemmasMade resolves lemmas that the program makes.
func (m *Model) LemmasMade(list []*ftdp.Expr) ([]Prop, error) {
	return m.Resolved(lists.Map(list, func(e *ftdp.Expr) *ConditionText { return &ConditionText{expr: e} }))
}

// Resolved resolves lemmas, in the words of the model: conditions of states that may speak of what was ever sent. They
// are about all processes of a role, where these are interchangeable but for an order. What is wrong with one is a
// *ConditionError.
func (m *Model) Resolved(texts []*ConditionText) (list []Prop, err error) {
	if m.Numbering != nil {
		return nil, fmt.Errorf("lemmas are about processes that are interchangeable: %w", m.Numbering.Err())
	}
	for i, c := range texts {
		p, err := m.condition(c, fmt.Sprintf("lemma_%d", i+1), true)
		if err != nil {
			return nil, err
		}
		list = append(list, *p)
	}
	return list, nil
}

// Statuses calls visit for every value that the statements of a transition assign to a status.
func (t *Transition) Statuses(visit func(value *Term)) {
	for s := range Steps(t.Body) {
		if s.Kind == StepAssign && s.Target.Base == BaseStatus {
			visit(s.Value)
		}
	}
}

// Independent reports whether the iterations of a for write what no other iteration reads or
// writes (condition C5 of the paper), so that their order does not matter. That of messages that are sent
// by themselves is none: only that they were sent.
func (s *Step) Independent() bool { return dependent(unsent(s.Blocks[0]), s.Var) == nil }

// unsent has, in the place of messages that are sent by themselves, what is read to send them.
func unsent(steps []*Step) (out []*Step) {
	for _, s := range steps {
		step := *s
		if s.Kind == StepSend {
			step = Step{Kind: StepIf, Pos: s.Pos, Conds: []*Term{s.Target.Who}}
			for _, part := range s.Blocks[0] {
				step.Conds = append(step.Conds, part.Value)
			}
		} else {
			step.Blocks = nil
			for _, b := range s.Blocks {
				step.Blocks = append(step.Blocks, unsent(b))
			}
		}
		out = append(out, &step)
	}
	return out
}

// Beyond says which construct a text has that proofs for every size know nothing of, and where; "" if there is none.
func (m *Model) Beyond() (what string, pos diag.Pos) {
	for _, s := range m.Source.Sections {
		if m.Channels.Synchronous && s.Channels != nil {
			return "synchronous channels, whose absent messages are noticed,", ftdp.At(s.Pos)
		}
	}
	for i := range m.Roles {
		r := &m.Roles[i]
		for _, d := range r.decls {
			if f, ok := r.State.Field(d.Names[0].Name); ok && f.Type.HasSequence() {
				return "sequences", ftdp.At(d.Names[0].Pos)
			}
		}
		if r.State.HasSequence() {
			return "sequences", r.Pos
		}
	}
	if m.Message != nil {
		for _, f := range m.Message.Fields {
			if f.Type.HasSequence() {
				return "sequences in messages", f.Pos
			}
		}
	}
	return "", diag.Pos{}
}
