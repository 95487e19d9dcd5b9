package interference

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// known says what has a value in all states that can be reached, and in messages: where
// evaluation cannot fail for want of one.
type known struct {
	l       *layout
	missing []bool // by facet: it may be undefined
	empty   []bool // by cell of messages: what is received now may come without it
	fails   map[reading]bool
	empties map[string][]bool
}

// mostInitial bounds how many initial states are looked at for variables that have
// no value; where there are more, all may have none.
const mostInitial = 5000

// define finds out what may be undefined, and from that what messages transitions may
// receive. It begins with nothing, and stops when nothing more is found.
func (a *Analysis) define() {
	k := &known{l: a.layout, missing: make([]bool, a.layout.count)}
	a.known = k
	a.initial()
	for t := range a.Transitions {
		x := &a.Transitions[t]
		x.forms = a.layout.formsOf(a.model.Rules[x.Rule].Body, x.values)
	}
	for changed := true; changed; {
		changed = false
		k.fails, k.empties = map[reading]bool{}, map[string][]bool{}
		for t := range a.Transitions {
			a.patterns(&a.Transitions[t])
		}
		for t := range a.Transitions {
			x := &a.Transitions[t]
			k.empty = x.empty
			for f, list := range x.assigns {
				for _, as := range list {
					if !k.missing[f] && (as.value == nil || k.undefined(as.value, as.v)) {
						k.missing[f], changed = true, true
					}
				}
			}
			for i := range x.forms {
				for c, values := range x.forms[i].undefined {
					for _, as := range values {
						if x.forms[i].has[c] && k.undefined(as.value, as.v) {
							x.forms[i].has[c], changed = false, true
						}
					}
				}
			}
		}
	}
}

// patterns works out what messages a transition may receive, and what they may come without.
// What follows a part of the guard that may be an error is not always evaluated, and says nothing.
func (a *Analysis) patterns(t *Transition) {
	for c := range t.pattern {
		t.pattern[c] = anyValue
	}
	t.prefix = 0
	a.known.empty = a.omitted(t)
	sure := true
	for i, c := range t.conditions {
		if sure = !a.known.canFail(c, t.values) && sure; sure && t.match(c, t.values, -1) {
			t.prefix = i
			a.known.empty = a.omitted(t)
		}
	}
	t.empty = a.known.empty
}

// omitted says which cells the messages may come without that a transition receives.
func (a *Analysis) omitted(t *Transition) []bool {
	if len(t.senders) == 0 {
		return nil
	}
	key := fmt.Sprint(t.Process, t.senders, t.pattern)
	out, done := a.known.empties[key]
	if done {
		return out
	}
	out = make([]bool, len(t.pattern))
	for _, j := range t.senders {
		if a.byz[a.role(j)] {
			a.partly(t, out)
		}
	}
	for i := range a.Transitions {
		u := &a.Transitions[i]
		if !slices.Contains(t.senders, u.Process) {
			continue
		}
		for k := range u.forms {
			if f := &u.forms[k]; slices.Contains(f.to, t.Process) && f.may(t.pattern) {
				for c, has := range f.has {
					out[c] = out[c] || !has
				}
			}
		}
	}
	a.known.empties[key] = out
	return out
}

// partly notes what messages may come without that a Byzantine process sends: what not all kinds
// have that fit a pattern, and all of sequences.
func (a *Analysis) partly(t *Transition, out []bool) {
	m := a.model.Message
	if m.Kinds != nil {
		for k := range m.Kinds {
			if want := t.pattern[0]; want != anyValue && want != int32(k) {
				continue
			}
			has := make([]bool, len(out))
			has[0] = true
			for _, i := range m.Kinds[k].Fields {
				for c := range m.Fields[i].Type.Cells {
					has[m.Fields[i].Offset+c] = true
				}
			}
			for c := range out {
				out[c] = out[c] || !has[c]
			}
		}
	}
	for _, f := range m.Fields {
		if f.Type.HasSequence() {
			for c := range f.Type.Cells {
				out[f.Offset+c] = true
			}
		}
	}
}

// initial notes what some initial state leaves undefined.
func (a *Analysis) initial() {
	all := func() {
		for f := range a.known.missing {
			a.known.missing[f] = true
		}
	}
	n := 0
	for i := range a.model.Inits {
		a.model.Frames(&a.model.Inits[i], func([]int32) { n++ })
	}
	if n > mostInitial {
		all()
		return
	}
	list, err := (&interp.Interpreter{Model: a.model}).Initial()
	if err != nil { // which will be found
		all()
		return
	}
	for _, s := range list {
		for p, cells := range s.State.Cells {
			for c, v := range cells {
				if v == protocol.Undef {
					a.known.missing[a.layout.first[p]+c] = true
				}
			}
		}
	}
}

// sureness says what is known with some values.
func (k *known) sureness(v values) *protocol.Sureness {
	return &protocol.Sureness{Model: k.l.m, Value: func(t *protocol.Term) (int32, bool) { return v.constant(t, nil) },
		Lacks: func(p *protocol.Term) bool { return k.unknown(p, v) }}
}

// undefined reports whether the value of a term may be undefined.
func (k *known) undefined(t *protocol.Term, v values) bool { return k.sureness(v).Undefined(t) }

// unknown reports whether some part of a place may be undefined.
func (k *known) unknown(p *protocol.Term, v values) bool {
	switch p.Base {
	case protocol.BaseStatus, protocol.BaseAbsent:
		return false
	case protocol.BaseMsg:
		list, _ := cells(p, v)
		return slices.ContainsFunc(list, func(c int) bool { return k.empty[c] })
	case protocol.BaseRole:
		list, _ := k.l.facets(p, v)
		return slices.ContainsFunc(list, func(f int) bool { return k.missing[f] })
	}
	return true
}

// canFail reports whether the evaluation of a condition may be an error in some state.
func (k *known) canFail(c *protocol.Term, v values) bool {
	key := reading{c, nil}
	if len(v.frame) > 0 {
		key.frame = &v.frame[0]
	}
	fails, old := k.fails[key]
	if !old {
		fails = k.sureness(v).Fails(c)
		k.fails[key] = fails
	}
	return fails
}
