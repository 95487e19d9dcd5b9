package interference

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/stubborn"
)

// often stands for: without a bound that is known.
const often = 1 << 20

// fill finds the channels that may be full: those into which more may be sent in a run than they hold. Where there is
// always room, sending and receiving do not get in each other's way.
//
// How often a transition occurs in a run is bounded by what it changes for good, and by what is sent that it receives:
// of all numbers the greatest that satisfy these bounds, from above.
func (a *Analysis) fill(ctx context.Context) error {
	c := &occurrences{a: a, times: make([]int, len(a.Transitions)), limits: map[any]int{}}
	for t := range a.Transitions {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.times[t] = often
		c.groups = append(c.groups, a.progress(t))
		for g, n := range c.groups[t] {
			c.limits[g] = n
		}
		if x := &a.Transitions[t]; len(x.senders) == 1 && !a.byz[a.role(x.senders[0])] {
			c.groups[t][receipt{x.Process, x.senders[0], fmt.Sprint(x.pattern)}] = often
		}
	}
	for changed := true; changed; {
		changed = false
		for t := range a.Transitions {
			if n := c.bound(t); n < c.times[t] {
				c.times[t], changed = n, true
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
	// Messages that are lost, or not sent by processes that have crashed, have been sent
	// before, except by Byzantine processes that send anything at any time.
	a.Terminates = true
	for t := range a.Transitions {
		a.Terminates = a.Terminates && c.times[t] < often
	}
	for p := range a.model.Processes() {
		for q := range a.model.Processes() {
			n := c.total(func(u *Transition) bool { return u.Process == p && u.to(q) != nil })
			a.fills[[2]int{p, q}] = n > a.model.Channels.Bound
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// occurrences bounds how often each transition occurs in a run.
type occurrences struct {
	a      *Analysis
	times  []int         // by transition
	groups []map[any]int // by transition: steps and receipts; each occurrence takes one
	limits map[any]int   // how many of these there are, where it is less than often
}

// receipt is a message of a pattern that a process receives from another one.
type receipt struct {
	to, from int
	pattern  string
}

func (c *occurrences) limit(g any) int {
	if n, known := c.limits[g]; known {
		return n
	}
	return often
}

// bound is how often a transition occurs, by what is known so far.
func (c *occurrences) bound(t int) int {
	x := &c.a.Transitions[t]
	bound := often
	received := 0
	for _, j := range x.senders {
		n := often
		if !c.a.byz[c.a.role(j)] {
			n = c.total(func(u *Transition) bool { return u.Process == j && x.supplies(u) })
		}
		received = min(received+n, often)
		if x.Least == len(x.senders) { // each of them has to send
			bound = min(bound, n)
		}
	}
	if x.Least > 0 { // each occurrence takes a message
		bound = min(bound, received)
	}
	for g := range c.groups[t] {
		if r, is := g.(receipt); is {
			c.limits[r] = min(c.limit(r), received)
		}
		bound = min(bound, c.limit(g))
	}
	return bound
}

// total is how often some transitions occur together. Each transition counts in
// one of its groups; which ones are taken matters, so some ways are tried.
func (c *occurrences) total(is func(t *Transition) bool) int {
	prefer := func(better func(a, b any) bool) int {
		sum, inGroup := 0, map[any]int{}
		for t := range c.a.Transitions {
			if !is(&c.a.Transitions[t]) {
				continue
			}
			var best any
			for g := range c.groups[t] {
				if c.limit(g) < often && (best == nil || better(g, best)) {
					best = g
				}
			}
			if best == nil {
				sum = min(sum+c.times[t], often)
			} else {
				inGroup[best] = min(inGroup[best]+c.times[t], c.limit(best))
			}
		}
		for _, n := range inGroup {
			sum = min(sum+n, often)
		}
		return sum
	}
	order := func(g any) string { return fmt.Sprintf("%T%v", g, g) }
	tighter := func(a, b any) bool {
		return c.limit(a) < c.limit(b) || c.limit(a) == c.limit(b) && order(a) < order(b)
	}
	grows := func(g any) bool { s, is := g.(step); return is && s.false == "" }
	return min(prefer(tighter), prefer(func(a, b any) bool {
		if grows(a) != grows(b) {
			return grows(a)
		}
		return tighter(a, b)
	}))
}

// step is a change of a facet that is never taken back: it grows, or makes a condition false.
type step struct {
	facet int
	false string // for which of its values the condition holds, one character a value
}

// progress returns the steps that a transition makes whenever it occurs, with how often all that make one can occur.
func (a *Analysis) progress(t int) map[any]int {
	x := &a.Transitions[t]
	out := map[any]int{}
	for f, list := range x.assigns {
		if a.typeOf(f) == nil {
			continue
		}
		if a.increases(x, f) && a.onlyGrows(f) {
			out[step{f, ""}] = a.size(f) - 1
		}
		for _, c := range x.conditions {
			if a.onlyOnce(t, c, f, list) {
				out[step{f, a.truths(c, x.values, f)}] = 1
			}
		}
	}
	return out
}

// truths says for which values of a facet a condition holds.
func (a *Analysis) truths(c *protocol.Term, v values, f int) string {
	t := a.typeOf(f)
	text := ""
	for x := t.Lo; x <= t.Hi; x++ {
		truth, known := v.constant(c, func(p *protocol.Term) (int32, bool) { return x, ofProcesses(p) })
		text += fmt.Sprint(truth, known, " ")
	}
	return text
}

// onlyOnce reports whether a transition makes a part of its guard false, by a facet, which nothing makes true again.
func (a *Analysis) onlyOnce(t int, c *protocol.Term, f int, list []assignment) bool {
	x := &a.Transitions[t]
	if mentions(c, ofMessages) || !x.values.fixed(c) {
		return false
	}
	reads := stubborn.NewSet(a.layout.count)
	a.layout.read(c, x.values, reads)
	if reads.Len() != 1 || !reads.Has(f) {
		return false
	}
	sure := false
	for _, as := range list {
		if as.value == nil {
			return false
		}
		value, ok := as.v.constant(as.value, nil)
		truth, known := x.values.constant(c, func(p *protocol.Term) (int32, bool) {
			return value, ok && ofProcesses(p)
		})
		if !known || truth != 0 {
			return false
		}
		sure = sure || as.sure
	}
	if !sure {
		return false
	}
	for u := range a.Transitions {
		if a.canMake(&a.Transitions[u], c, x.values, true) {
			return false
		}
	}
	return true
}

// increases reports whether a transition makes a facet larger whenever it occurs.
func (a *Analysis) increases(x *Transition, f int) bool {
	for _, as := range x.assigns[f] {
		if !as.sure || as.value == nil {
			continue
		}
		if as.value.Op == ftdp.Plus {
			for i := range as.value.Args {
				if n, ok := as.v.constant(as.value.Args[i], nil); ok && n > 0 && a.grows(as, f) {
					return true
				}
			}
		}
		if d, ok := as.v.constant(as.value, nil); ok {
			for _, c := range x.conditions {
				if from, is := a.equals(c, x.values, f); is && d > from {
					return true
				}
			}
		}
		for _, c := range x.conditions {
			if as.value.Op != ftdp.Plus && (c.Op == ftdp.Lt || c.Op == ftdp.Gt) &&
				a.grows(assignment{as.value, as.v, []*protocol.Term{c}, true}, f) {
				return true
			}
		}
	}
	return false
}

// onlyGrows reports whether nothing makes a facet smaller.
func (a *Analysis) onlyGrows(f int) bool {
	for u := range a.Transitions {
		for _, as := range a.Transitions[u].assigns[f] {
			if as.value == nil || !a.grows(as, f) {
				return false
			}
		}
	}
	return true
}

// equals returns the value that a condition says a facet has.
func (a *Analysis) equals(c *protocol.Term, v values, f int) (value int32, is bool) {
	if c.Op != ftdp.Eq || len(c.Args) != 2 {
		return 0, false
	}
	for i, p := range c.Args {
		if !p.IsPlace() || !ofProcesses(p) {
			continue
		}
		list, exact := a.layout.facets(p, v)
		if value, is = v.constant(c.Args[1-i], nil); is && exact && len(list) == 1 && list[0] == f {
			return value, true
		}
	}
	return 0, false
}

// size is how many values a facet has.
func (a *Analysis) size(f int) int {
	if t := a.typeOf(f); t != nil {
		return t.Size()
	}
	return often
}

// typeOf returns the type of a facet; nil for statuses.
func (a *Analysis) typeOf(f int) *protocol.Type {
	p := a.layout.process(f)
	return a.model.Roles[a.role(p)].State.CellType(f - a.layout.first[p])
}
