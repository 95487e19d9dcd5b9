package interference

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/stubborn"
)

// dependence is what is found of whether a transition is dependent on another one; why is called with each reason,
// unless it is nil.
type dependence struct {
	*Analysis
	t, u  int
	x, y  *Transition
	why   func(string)
	found bool
}

func (d *dependence) say(reason func() string) {
	d.found = true
	if d.why != nil {
		d.why(reason())
	}
}

// depends reports whether transition t is dependent on transition u.
func (a *Analysis) depends(t, u int, why func(string)) bool {
	d := &dependence{Analysis: a, t: t, u: u, x: &a.Transitions[t], y: &a.Transitions[u], why: why}
	for _, look := range []func(){d.facets, d.guards, d.sendings, d.receipts, d.rooms} {
		if look(); d.found && why == nil {
			return true
		}
	}
	return d.found
}

// facets looks at what both write, and what one writes and the other reads.
func (d *dependence) facets() {
	for f := range d.layout.count {
		switch {
		case d.found && d.why == nil:
			return
		case d.x.writes.Has(f) && d.y.writes.Has(f):
			d.say(func() string { return fmt.Sprintf("both write %s", d.facet(f)) })
		case d.x.writes.Has(f) && d.y.reads.Has(f):
			d.say(func() string {
				return fmt.Sprintf("%s writes %s, which %s reads", d.Name(d.t), d.facet(f), d.Name(d.u))
			})
		case d.y.writes.Has(f) && d.x.reads.Has(f):
			d.say(func() string {
				return fmt.Sprintf("%s writes %s, which %s reads", d.Name(d.u), d.facet(f), d.Name(d.t))
			})
		}
	}
}

// guards looks at conditions that one can make false for the other.
func (d *dependence) guards() {
	for _, both := range [][2]int{{d.t, d.u}, {d.u, d.t}} {
		of, by := &d.Transitions[both[0]], &d.Transitions[both[1]]
		for _, c := range of.conditions {
			if d.canMake(by, c, of.values, false) {
				d.say(func() string {
					return fmt.Sprintf("%s can make the condition at %s of %s false", d.Name(both[1]), c.Pos,
						d.Name(both[0]))
				})
			}
		}
	}
}

// sendings looks at messages that both receive or send, as the same process.
func (d *dependence) sendings() {
	fifo := d.model.Channels.FIFO
	if d.x.Process == d.y.Process {
		for _, j := range d.x.senders {
			if d.y.takes(j, d.x.Process) && overlap(d.x.pattern, d.y.pattern) {
				d.say(func() string {
					return fmt.Sprintf("both may receive the same message of %s", interp.ProcessName(d.model, j))
				})
			}
		}
		for _, s := range d.x.sends {
			switch {
			case d.y.to(s.to) == nil:
			case fifo:
				d.say(func() string {
					return fmt.Sprintf("both send to %s, in an order", interp.ProcessName(d.model, s.to))
				})
			case d.fills[[2]int{d.x.Process, s.to}]:
				d.say(func() string {
					return fmt.Sprintf("both send to %s, where there may be no room for both",
						interp.ProcessName(d.model, s.to))
				})
			}
		}
	}
}

// receipts looks at messages of one that the other receives.
func (d *dependence) receipts() {
	fifo := d.model.Channels.FIFO
	// In a FIFO channel a message that arrives behind another one changes nothing; but a transition that need not
	// receive from that sender may be enabled while its channel is empty, and what comes first in it gives the
	// transition another outcome. So does what comes first once another message has been taken.
	open := d.x.Least < len(d.x.senders)
	if (!fifo || open) && d.x.supplies(d.y) {
		d.say(func() string {
			return fmt.Sprintf("%s may send another message that %s receives", d.Name(d.u), d.Name(d.t))
		})
	}
	if fifo && open && d.x.Process == d.y.Process {
		for _, j := range d.x.senders {
			if d.y.takes(j, d.x.Process) {
				d.say(func() string {
					return fmt.Sprintf("%s may take what is before another message of %s", d.Name(d.u),
						interp.ProcessName(d.model, j))
				})
			}
		}
	}
}

// rooms looks at channels in which one makes room for what the other sends.
func (d *dependence) rooms() {
	if d.y.to(d.x.Process) != nil && d.x.takes(d.y.Process, d.x.Process) && d.fills[[2]int{d.y.Process, d.x.Process}] {
		d.say(func() string { return fmt.Sprintf("%s makes room for what %s sends", d.Name(d.t), d.Name(d.u)) })
	}
	if d.x.to(d.y.Process) != nil && d.y.takes(d.x.Process, d.y.Process) && d.fills[[2]int{d.x.Process, d.y.Process}] {
		d.say(func() string { return fmt.Sprintf("%s makes room for what %s sends", d.Name(d.u), d.Name(d.t)) })
	}
}

// facet names a part of a process's state.
func (a *Analysis) facet(f int) string {
	p := a.layout.process(f)
	name := interp.ProcessName(a.model, p)
	if f == a.layout.status(p) {
		return "the status of " + name
	}
	return a.model.Roles[a.role(p)].State.CellName(f-a.layout.first[p]) + " of " + name
}

// Pair is a transition of one rule and one of another, and why the one depends on the other; nil if it does not.
type Pair struct {
	T, U int
	Why  []string
}

// Between lists the pairs of different transitions of two rules, by the rules' labels.
func (a *Analysis) Between(first, second string) (list []Pair) {
	of := func(t int, label string) bool { return a.model.Rules[a.Transitions[t].Rule].Label == label }
	for t := range a.Transitions {
		for u := range a.Transitions {
			if t != u && of(t, first) && of(u, second) {
				list = append(list, Pair{t, u, a.why(t, u)})
			}
		}
	}
	return list
}

// why lists what makes transition t dependent on transition u, and what u can enable t by.
func (a *Analysis) why(t, u int) []string {
	var list []string
	a.depends(t, u, func(reason string) { list = append(list, reason) })
	for _, n := range a.Transitions[t].Needs {
		if !n.enabling.Has(u) {
			continue
		}
		switch n.Kind {
		case Status:
			list = append(list, fmt.Sprintf("%s can enable %s: it changes a status", a.Name(u), a.Name(t)))
		case Local:
			list = append(list, fmt.Sprintf("%s can enable %s: it can make the condition at %s true", a.Name(u),
				a.Name(t), n.Condition.Pos))
		case Message:
			list = append(list, fmt.Sprintf("%s can enable %s: by a message", a.Name(u), a.Name(t)))
		}
	}
	return list
}

// sets reports whether a transition writes a cell, other than to crash.
func (u *Transition) sets(f int) bool {
	return slices.ContainsFunc(u.assigns[f], func(as assignment) bool {
		return as.value == nil || as.value.Op != ftdp.Number || protocol.Status(as.value.Value) != protocol.Crashed
	})
}

// disturbs reports whether u may change whether some parts of the guard of t fail. A part of the guard is evaluated if
// those before it are true, and an error is an outcome as well: a transition may be enabled without what comes after a
// part that may fail, by whatever changes the parts up to that.
func (a *Analysis) disturbs(u, t *Transition, conditions []*protocol.Term) bool {
	last := -1
	for i, c := range conditions {
		if a.known.canFail(c, t.values) {
			last = i
		}
	}
	for _, c := range conditions[:last+1] {
		if a.reads(c, t.values).Meets(u.writes) {
			return true
		}
		if !mentions(c, ofMessages) && t.values.fixed(c) {
			continue
		}
		for _, j := range t.senders {
			if u.Process == j && t.supplies(u) || u.takes(j, t.Process) || u.writes.Has(a.layout.status(j)) {
				return true
			}
		}
	}
	return false
}

// speaks returns the process that a condition of a transition speaks of, its own if of none; -1 if of several.
func (a *Analysis) speaks(c *protocol.Term, t *Transition) int {
	process, known := t.Process, false
	a.reads(c, t.values).Each(func(f int) {
		if p := a.layout.process(f); !known || p == process {
			process, known = p, true
		} else {
			process = -1
		}
	})
	return process
}

// needs lists what a transition has to have.
func (a *Analysis) needs(t *Transition, number int) {
	n := len(a.Transitions)
	set := func(is func(u *Transition) bool) stubborn.Set {
		s := stubborn.NewSet(n)
		for u := range a.Transitions {
			if u != number && is(&a.Transitions[u]) {
				s.Add(u)
			}
		}
		return s
	}
	status := a.layout.status(t.Process)
	t.Needs = append(t.Needs, Need{Kind: Status, enabling: set(func(u *Transition) bool { return u.sets(status) })})
	var before []*protocol.Term
	disturbs := func(u *Transition, conditions []*protocol.Term) bool { return a.disturbs(u, t, conditions) }
	var mixed []*protocol.Term
	message := func(list []int, conditions []*protocol.Term) {
		t.Needs = append(t.Needs, Need{Kind: Message, Senders: list, enabling: set(func(u *Transition) bool {
			for _, j := range list {
				if u.Process == j && t.supplies(u) || a.model.Channels.FIFO && u.takes(j, t.Process) ||
					a.byz[a.role(j)] && u.sets(a.layout.status(j)) {
					return true
				}
			}
			return disturbs(u, conditions)
		})})
	}
	for _, c := range t.conditions {
		if !mentions(c, ofMessages) && t.values.fixed(c) {
			earlier := before
			enabling := set(func(u *Transition) bool {
				return a.canMake(u, c, t.values, true) || disturbs(u, earlier)
			})
			t.Needs = append(t.Needs, Need{Kind: Local, Condition: c, Process: a.speaks(c, t), enabling: enabling})
		} else {
			mixed = append(mixed, c)
		}
		before = append(before[:len(before):len(before)], c)
	}
	if t.Least == len(t.senders) {
		for _, j := range t.senders {
			message([]int{j}, t.conditions[:t.prefix])
		}
	} else {
		message(t.senders, t.conditions[:t.prefix])
	}
	t.Needs = append(t.Needs, Need{Kind: Other, enabling: set(func(u *Transition) bool {
		for _, j := range t.senders {
			if u.Process == j && t.supplies(u) || a.model.Channels.FIFO && u.takes(j, t.Process) ||
				u.sets(a.layout.status(j)) {
				return true
			}
		}
		for _, c := range mixed {
			if a.canMake(u, c, t.values, true) {
				return true
			}
		}
		for _, s := range t.sends {
			if a.fills[[2]int{t.Process, s.to}] && u.takes(t.Process, s.to) || u.writes.Has(a.layout.status(s.to)) {
				return true
			}
		}
		return disturbs(u, before)
	})})
}

// reads returns the facets that a condition reads; it is not to be changed.
func (a *Analysis) reads(c *protocol.Term, v values) stubborn.Set {
	key := reading{c, nil}
	if len(v.frame) > 0 {
		key.frame = &v.frame[0]
	}
	known, ok := a.read[key]
	if !ok {
		known = stubborn.NewSet(a.layout.count)
		a.layout.read(c, v, known)
		a.read[key] = known
	}
	return known
}

// canMake reports whether a transition may make a condition true, or false, with what is known of its variables.
func (a *Analysis) canMake(u *Transition, c *protocol.Term, v values, become bool) bool {
	reads := a.reads(c, v)
	if !reads.Meets(u.writes) {
		return false
	}
	a.known.empty = u.empty
	if a.known.canFail(c, v) {
		return true // it may have been an error, or be one
	}
	// It is worked out where only one facet changes, and the condition speaks of that by name.
	changed := stubborn.NewSet(a.layout.count)
	changed.AddAll(reads)
	changed.Keep(u.writes)
	if changed.Len() != 1 {
		return true
	}
	x := changed.List()[0]
	exact := true
	is := func(p *protocol.Term) bool {
		if !p.IsPlace() || !ofProcesses(p) {
			return false
		}
		list, one := a.layout.facets(p, v)
		return one && p.Type.Cells == 1 && list[0] == x
	}
	other := func(p *protocol.Term) bool { // than x
		list, _ := a.layout.facets(p, v)
		return !slices.Contains(list, x)
	}
	c.Places(func(p *protocol.Term) { exact = exact && (!ofProcesses(p) || is(p) || other(p)) })
	if !exact {
		return true
	}
	for _, as := range u.assigns[x] {
		if as.value == nil {
			return true
		}
		if value, ok := as.v.constant(as.value, nil); ok {
			truth, known := v.constant(c, func(p *protocol.Term) (int32, bool) { return value, is(p) })
			if known && (truth != 0) != become {
				continue
			}
		}
		if c.Op == ftdp.Undefined && become && is(c.Args[0]) && !a.undefinable(as) {
			continue
		}
		if !monotone(c, become, is) || !a.grows(as, x) {
			return true
		}
	}
	return false
}

// monotone reports whether a condition cannot become true, or false, as one place in it grows.
func monotone(c *protocol.Term, become bool, is func(*protocol.Term) bool) bool {
	less, more := 0, 1 // sides of c that are smaller and larger
	switch c.Op {
	case ftdp.Lt, ftdp.Le:
	case ftdp.Gt, ftdp.Ge:
		less, more = 1, 0
	default:
		return false
	}
	if !become {
		less, more = more, less
	}
	return is(c.Args[less]) && !mentions(c.Args[more], is)
}

// grows reports whether an assignment never makes a facet smaller.
func (a *Analysis) grows(as assignment, x int) bool {
	is := func(p *protocol.Term) bool {
		if !p.IsPlace() || !ofProcesses(p) {
			return false
		}
		list, exact := a.layout.facets(p, as.v)
		return exact && len(list) == 1 && list[0] == x
	}
	if as.value.Op == ftdp.Plus {
		for i, arg := range as.value.Args {
			if n, ok := as.v.constant(as.value.Args[1-i], nil); ok && n >= 0 && is(arg) {
				return true
			}
		}
	}
	if d, ok := as.v.constant(as.value, nil); ok {
		for _, c := range as.conditions {
			if from, equal := a.equals(c, as.v, x); equal && d >= from {
				return true
			}
		}
	}
	if mentions(as.value, ofProcesses) {
		return false
	}
	for _, c := range as.conditions {
		less, more := 0, 1
		switch c.Op {
		case ftdp.Lt, ftdp.Le:
		case ftdp.Gt, ftdp.Ge:
			less, more = 1, 0
		default:
			continue
		}
		if is(c.Args[less]) && same(c.Args[more], as.value) {
			return true
		}
	}
	return false
}

// undefinable reports whether what is assigned may be undefined. A part of a message that has been compared is not.
func (a *Analysis) undefinable(as assignment) bool {
	if ofMessages(as.value) && as.value.IsPlace() {
		for _, c := range as.conditions {
			switch c.Op {
			case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
				if same(c.Args[0], as.value) || same(c.Args[1], as.value) {
					return false
				}
			}
		}
	}
	return a.known.undefined(as.value, as.v)
}
