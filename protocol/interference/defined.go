package interference

import (
	"fmt"
	"math"

	"tacheck/protocol"
)

// known says what has a value in all states that can be reached, and in all messages:
// where evaluation cannot fail for want of one.
type known struct {
	l       *layout
	missing []bool // by facet: it may be undefined
	empty   []bool // by cell of messages: a message may come without it
	fails   map[reading]bool
}

// mostInitial bounds how many initial states are looked at for variables that have
// no value; where there are more, all may have none.
const mostInitial = 5000

// define finds out what may be undefined, for transitions that know what they assign.
func (a *Analysis) define() {
	k := &known{l: a.layout, missing: make([]bool, a.layout.count), fails: map[reading]bool{}}
	a.known = k
	if a.Model.Message != nil {
		k.empty = make([]bool, a.Model.Message.Cells)
	}
	a.initial()
	for changed := true; changed; {
		changed = false
		for t := range a.Transitions {
			x := &a.Transitions[t]
			for f, list := range x.assigns {
				for _, as := range list {
					if !k.missing[f] && (as.value == nil || k.undefined(as.value, as.v)) {
						k.missing[f], changed = true, true
					}
				}
			}
			for _, c := range k.omitted(a.Model.Rules[x.Rule].Body, x.values) {
				if !k.empty[c] {
					k.empty[c], changed = true, true
				}
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
	for i := range a.Model.Inits {
		a.Model.Frames(&a.Model.Inits[i], func([]int32) { n++ })
	}
	if n > mostInitial {
		all()
		return
	}
	list, err := (&protocol.Interpreter{Model: a.Model}).Initial()
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
	case t.Op == protocol.Max || t.Op == protocol.Min:
		return len(t.Args) > 1 && k.undefined(t.Args[0], v)
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
		for _, c := range list {
			if k.empty[c] {
				return true
			}
		}
		return false
	case protocol.BaseRole:
		list, _ := k.l.facets(p, v)
		for _, f := range list {
			if k.missing[f] {
				return true
			}
		}
		return false
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

// failing reports whether the evaluation of a term may be an error, where its value may be
// undefined.
func (k *known) failing(t *protocol.Term, v values, members map[int]bool) bool {
	all := func(list []*protocol.Term) bool {
		for _, a := range list {
			if k.needs(a, v, members) {
				return true
			}
		}
		return false
	}
	some := func(list []*protocol.Term) bool {
		for _, a := range list {
			if k.failing(a, v, members) {
				return true
			}
		}
		return false
	}
	switch t.Op {
	case protocol.Number, protocol.Name:
		return false
	case protocol.Undefined, protocol.Eq, protocol.Ne:
		return some(t.Args)
	case protocol.In:
		return k.failing(t.Args[0], v, members)
	case protocol.Chain:
		for _, op := range t.Ops {
			if op != protocol.Eq && op != protocol.Ne {
				return all(t.Args)
			}
		}
		return some(t.Args)
	case protocol.And, protocol.Or, protocol.Not, protocol.Implies, protocol.Iff, protocol.Lt, protocol.Le, protocol.Gt, protocol.Ge:
		return all(t.Args)
	case protocol.ForAll, protocol.Exists, protocol.Count, protocol.Max, protocol.Min:
		if t.Range.Quorum >= 0 {
			inside := map[int]bool{t.Var: true}
			for m := range members {
				inside[m] = true
			}
			members = inside
		}
		if t.Op != protocol.Max && t.Op != protocol.Min {
			return all(t.Args)
		}
		last := t.Args[len(t.Args)-1]
		return t.Range.Quorum >= 0 || t.Range.Type.Size() == 0 || k.needs(last, v, members) || some(t.Args) // over nothing
	case protocol.Plus, protocol.Sub, protocol.Times, protocol.Minus, protocol.Floor, protocol.Ceiling, protocol.Div, protocol.Mod:
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
	if p.Who != nil {
		if p.Base == protocol.BaseMsg || p.Base == protocol.BaseAbsent {
			if p.Who.Op != protocol.Name || !members[p.Who.Var] {
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
	case protocol.Number:
		return int64(t.Value), int64(t.Value), true
	case protocol.Count:
		return 0, int64(t.Range.Type.Size()), true
	case protocol.Minus:
		lo, hi, ok = k.bounds(t.Args[0])
		return -hi, -lo, ok
	case protocol.Floor, protocol.Ceiling:
		return k.bounds(t.Args[0])
	case protocol.Div, protocol.Mod: // by a number other than 0
		a, b, ok := k.bounds(t.Args[0])
		by := int64(t.Args[1].Value)
		if !ok || t.Args[1].Op != protocol.Number || by == 0 {
			return 0, 0, false
		}
		most := max(a, -a, b, -b, by, -by)
		return -most, most, true
	case protocol.Plus, protocol.Sub, protocol.Times:
		a, b, ok := k.bounds(t.Args[0])
		c, d, also := k.bounds(t.Args[1])
		if !ok || !also {
			return 0, 0, false
		}
		switch t.Op {
		case protocol.Plus:
			lo, hi = a+c, b+d
		case protocol.Sub:
			lo, hi = a-d, b-c
		default:
			lo, hi = min(a*c, a*d, b*c, b*d), max(a*c, a*d, b*c, b*d)
		}
		return lo, hi, lo > -math.MaxInt32 && hi < math.MaxInt32
	}
	if t.Type == nil || !t.Type.Scalar() || !t.IsPlace() && t.Op != protocol.Name || t.Type.Lo <= -math.MaxInt32 || t.Type.Hi >= math.MaxInt32 {
		return 0, 0, false
	}
	return int64(t.Type.Lo), int64(t.Type.Hi), true
}

// omitted lists the cells that a message which statements send may come without: those
// that are not written wherever others are.
func (k *known) omitted(steps []*protocol.Step, v values) (list []int) {
	if k.empty == nil {
		return nil
	}
	n := len(k.empty)
	every := func() {
		for c := range n {
			list = append(list, c)
		}
	}
	var block func(steps []*protocol.Step, v values, before map[string][]bool)
	block = func(steps []*protocol.Step, v values, before map[string][]bool) {
		here := map[string][]bool{}
		type inner struct {
			steps []*protocol.Step
			v     values
		}
		var nested []inner
		var collect func(steps []*protocol.Step, v values)
		collect = func(steps []*protocol.Step, v values) {
			for _, s := range steps {
				switch s.Kind {
				case protocol.StepUndefine:
					if !ofProcesses(s.Target) {
						every()
					}
				case protocol.StepAssign:
					if ofProcesses(s.Target) {
						continue
					}
					key, one := k.receiver(s.Target, v)
					if !one || k.undefined(s.Value, v) {
						every()
					}
					inside, exact := cells(s.Target, v)
					if here[key] == nil {
						here[key] = make([]bool, n)
						copy(here[key], before[key])
					}
					for _, c := range inside {
						here[key][c] = here[key][c] || exact
					}
				case protocol.StepIf:
					for _, b := range s.Blocks {
						nested = append(nested, inner{b, v})
					}
				case protocol.StepFor:
					if s.Range.Quorum >= 0 {
						unknown := v.with(s.Var, 0)
						unknown.known[s.Var] = false
						nested = append(nested, inner{s.Blocks[0], unknown})
						continue
					}
					for i := s.Range.Type.Lo; i <= s.Range.Type.Hi; i++ {
						collect(s.Blocks[0], v.with(s.Var, i))
					}
				}
			}
		}
		collect(steps, v)
		for _, written := range here {
			for c, w := range written {
				if !w {
					list = append(list, c)
				}
			}
		}
		for key, written := range before {
			if here[key] == nil {
				here[key] = written
			}
		}
		for _, b := range nested {
			block(b.steps, b.v, here)
		}
	}
	block(steps, v, map[string][]bool{})
	return list
}

// receiver names the process that a message goes to; one says that it is always the
// same.
func (k *known) receiver(p *protocol.Term, v values) (name string, one bool) {
	if p.Base != protocol.BaseOut {
		return "", false
	}
	if n, ok := v.constant(p.Who, nil); ok {
		return fmt.Sprint(p.Role, " ", n), true
	}
	if p.Who.Op == protocol.Name {
		return fmt.Sprint(p.Role, " variable ", p.Who.Var), true
	}
	return "", false
}
