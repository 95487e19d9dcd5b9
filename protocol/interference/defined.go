package interference

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
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

// undefined reports whether the value of a term may be undefined.
func (k *known) undefined(t *protocol.Term, v values) bool {
	switch {
	case t.IsPlace():
		return k.unknown(t, v)
	case t.Op == ftdp.Max || t.Op == ftdp.Min:
		return len(t.Args) > 1 && k.undefined(t.Args[0], v) || len(t.Args) == 3 && k.undefined(t.Args[2], v)
	case t.Op == ftdp.Tuple || t.Op == ftdp.Collect || t.Op == ftdp.Append || t.Op == ftdp.Slice:
		return true
	}
	return false
}

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
		fails = k.needs(c, v, map[int]bool{})
		k.fails[key] = fails
	}
	return fails
}

// needs reports whether a term fails where it has to have a value; members are the
// variables that stand for members of the quorum.
func (k *known) needs(t *protocol.Term, v values, members map[int]bool) bool {
	return k.undefined(t, v) || k.failing(t, v, members)
}

// failing reports whether the evaluation of a term may be an error, where its value may be undefined.
func (k *known) failing(t *protocol.Term, v values, members map[int]bool) bool {
	all := func(list []*protocol.Term) bool {
		return slices.ContainsFunc(list, func(a *protocol.Term) bool { return k.needs(a, v, members) })
	}
	some := func(list []*protocol.Term) bool {
		return slices.ContainsFunc(list, func(a *protocol.Term) bool { return k.failing(a, v, members) })
	}
	switch t.Op {
	case ftdp.Number, ftdp.Name:
		return false
	case ftdp.Undefined, ftdp.Eq, ftdp.Ne:
		return some(t.Args)
	case ftdp.In:
		return k.failing(t.Args[0], v, members)
	case ftdp.Chain:
		for _, op := range t.Ops {
			if op != ftdp.Eq && op != ftdp.Ne {
				return all(t.Args)
			}
		}
		return some(t.Args)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return all(t.Args)
	case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min:
		if t.Range.Quorum >= 0 {
			inside := map[int]bool{t.Var: true}
			for m := range members {
				inside[m] = true
			}
			members = inside
		}
		if t.Op != ftdp.Max && t.Op != ftdp.Min {
			return all(t.Args)
		}
		if len(t.Args) == 3 { // what is undefined is left out
			return some(t.Args)
		}
		last := t.Args[len(t.Args)-1]
		// over nothing
		return t.Range.Quorum >= 0 || t.Range.Type.Size() == 0 || k.needs(last, v, members) || some(t.Args)
	case ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Minus, ftdp.Floor, ftdp.Ceiling, ftdp.Div, ftdp.Mod:
		_, _, ok := k.bounds(t)
		return !ok || all(t.Args)
	}
	if t.IsPlace() {
		return k.misses(t, v, members)
	}
	return true
}

// misses reports whether there may be no such place.
func (k *known) misses(p *protocol.Term, v values, members map[int]bool) bool {
	if p.Base == protocol.BaseValue { // what it is made of may be an error
		return true
	}
	if p.Who != nil {
		if p.Base == protocol.BaseMsg || p.Base == protocol.BaseAbsent {
			if p.Who.Op != ftdp.Name || !members[p.Who.Var] {
				return true
			}
		} else if p.Who.Type == nil || p.Who.Type.Kind != protocol.KindRole || k.needs(p.Who, v, members) {
			n, ok := v.constant(p.Who, nil)
			if !ok || n < 1 || int(n) > k.l.m.Roles[p.Role].Size {
				return true
			}
		}
	}
	for _, x := range p.Indices {
		lo, hi, ok := k.bounds(x.Index)
		if n, constant := v.constant(x.Index, nil); constant {
			lo, hi, ok = int64(n), int64(n), true
		}
		if !ok || lo < int64(x.Array.Index.Lo) || hi > int64(x.Array.Index.Hi) || k.needs(x.Index, v, members) {
			return true
		}
	}
	return false
}

// bounds returns the least and the greatest value that a term may have, if they and
// those of its parts are numbers that can be calculated with.
func (k *known) bounds(t *protocol.Term) (lo, hi int64, ok bool) {
	switch t.Op {
	case ftdp.Number:
		return int64(t.Value), int64(t.Value), true
	case ftdp.Count:
		return 0, int64(t.Range.Type.Size()), true
	case ftdp.Minus:
		lo, hi, ok = k.bounds(t.Args[0])
		return -hi, -lo, ok
	case ftdp.Floor, ftdp.Ceiling:
		return k.bounds(t.Args[0])
	case ftdp.Div, ftdp.Mod: // by a number other than 0
		a, b, ok := k.bounds(t.Args[0])
		by := int64(t.Args[1].Value)
		if !ok || t.Args[1].Op != ftdp.Number || by == 0 {
			return 0, 0, false
		}
		most := max(a, -a, b, -b, by, -by)
		return -most, most, true
	case ftdp.Plus, ftdp.Sub, ftdp.Times:
		a, b, ok := k.bounds(t.Args[0])
		c, d, also := k.bounds(t.Args[1])
		if !ok || !also {
			return 0, 0, false
		}
		switch t.Op {
		case ftdp.Plus:
			lo, hi = a+c, b+d
		case ftdp.Sub:
			lo, hi = a-d, b-c
		default:
			lo, hi = min(a*c, a*d, b*c, b*d), max(a*c, a*d, b*c, b*d)
		}
		return lo, hi, lo > -math.MaxInt32 && hi < math.MaxInt32
	}
	if t.Type == nil || !t.Type.Scalar() || !t.IsPlace() && t.Op != ftdp.Name || t.Type.Lo <= -math.MaxInt32 ||
		t.Type.Hi == math.MaxInt32 {
		return 0, 0, false
	}
	return int64(t.Type.Lo), int64(t.Type.Hi), true
}
