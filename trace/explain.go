package trace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/trace/reading"
)

// Nearest is a step that comes near to what the log shows, in one of the states that explain the log so far.
type Nearest struct {
	What    string   `json:"step"`         // the step
	Differs []string `json:"differs"`      // what would have to be different
	Line    int      `json:"reading_line"` // of the reading, that says what the event is
	State   []string `json:"state"`        // of the processes that take part
	score   int
	attempt *attempt
}

const (
	mostNodes   = 500 // states that are looked at for an explanation
	mostNearest = 3
	mostAble    = 6
)

// explain makes an *Unexplained of an event, or returns a failure of the model.
func (c *checker) explain(before []*node, e *reading.Event, cases []*boundCase) error {
	x := &explainer{c: c, known: map[string]int{}}
	for i, n := range before {
		if i == mostNodes {
			break
		}
		for _, bc := range cases {
			if err := c.takeAll(n, e, bc.parts, x.note, func(*node) error { return nil }); err != nil {
				return c.wrongModel(n, e, err)
			}
		}
	}
	slices.SortStableFunc(x.list, func(a, b Nearest) int { return cmp.Compare(a.score, b.score) })
	out := &Unexplained{Event: e, Nearest: x.list[:min(len(x.list), mostNearest)]}
	last := before[0]
	if len(out.Nearest) > 0 {
		best := out.Nearest[0].attempt
		last = best.node
		var rules []int
		out.Able, rules = c.able(best)
		for _, rule := range rules {
			if !c.silent[rule] && !c.tells(rule) {
				out.Unseen = append(out.Unseen, c.m.Rules[rule].Label)
			}
		}
		slices.Sort(out.Unseen)
		out.Unseen = slices.Compact(out.Unseen)
		for i := range out.Nearest {
			out.Nearest[i].State = c.around(out.Nearest[i].attempt)
		}
	}
	c.replay.stuck = last
	return out
}

// tells reports whether some event may be a rule.
func (c *checker) tells(rule int) bool {
	return slices.ContainsFunc(c.cases, func(bc boundCase) bool {
		return slices.ContainsFunc(bc.parts, func(p *part) bool { return p.takes(rule) })
	})
}

// explainer collects ways that fail.
type explainer struct {
	c     *checker
	list  []Nearest
	known map[string]int
}

func (n *Nearest) key() string { return n.What + "\x00" + strings.Join(n.Differs, "\x00") }

// mostKept bounds the ways that are kept; they are sorted and cut now and then.
const mostKept = 256

func (x *explainer) note(a *attempt) {
	if len(a.wrong) == 0 {
		return
	}
	near := Nearest{What: x.c.describe(a), Line: a.part.Pos.Line, attempt: a}
	for _, w := range a.wrong {
		near.score += w.weight
		near.Differs = append(near.Differs, w.text)
	}
	if _, old := x.known[near.key()]; old {
		return
	}
	x.known[near.key()] = near.score
	if x.list = append(x.list, near); len(x.list) > mostKept {
		slices.SortStableFunc(x.list, func(a, b Nearest) int { return cmp.Compare(a.score, b.score) })
		x.list = x.list[:mostNearest]
		clear(x.known)
		for _, n := range x.list {
			x.known[n.key()] = n.score
		}
	}
}

// describe says in one line what a way is.
func (c *checker) describe(a *attempt) string {
	if !a.seen {
		if len(a.event.Frame) == 0 { // a parameter is out of range
			return "rule " + a.part.t.Label
		}
		t := a.part.t
		if t.Receives() && len(a.event.Packets) == 0 {
			me := interp.ProcessName(c.m, interp.Process(c.m, t, t.Executor, a.frame))
			if t.Quorum() {
				return fmt.Sprintf("%s: %s", me, t.Label)
			}
			return fmt.Sprintf("%s: %s from %s", me, t.Label, interp.ProcessName(c.m,
				interp.Process(c.m, t, t.Sender, a.frame)))
		}
		return interp.Describe(c.m, a.event)
	}
	if a.part.Kind == reading.PartReceived && len(a.event.Packets) > 0 {
		return interp.Describe(c.m, a.event)
	}
	var list []string
	for i := range a.part.t.Params {
		p := &a.part.t.Params[i]
		text := p.Type.Format(a.frame[a.part.t.Cell(i)])
		if p.Type.Kind == protocol.KindRole && a.frame[a.part.t.Cell(i)] > 0 {
			text = interp.ProcessName(c.m, interp.Process(c.m, a.part.t, i, a.frame))
		}
		list = append(list, p.Name+" = "+text)
	}
	what := map[string]string{reading.PartSee: "seen", reading.PartSent: "a message that was sent",
		reading.PartReceived: "a message that is received", reading.PartLost: "a loss",
		reading.PartStopped: "a sender that had stopped",
		reading.PartBegins:  "the beginning",
	}[a.part.Kind]
	if len(list) == 0 {
		return what
	}
	return what + " (" + strings.Join(list, ", ") + ")"
}

// around lists the states of the processes that take part in a way.
func (c *checker) around(a *attempt) (list []string) {
	s := c.d.State(a.node.point)
	seen := map[int]bool{}
	for i := range a.part.t.Params {
		if t := a.part.t.Params[i].Type; t.Kind == protocol.KindRole && a.frame[a.part.t.Cell(i)] > 0 {
			p := interp.Process(c.m, a.part.t, i, a.frame)
			if !seen[p] {
				seen[p] = true
				list = append(list, interp.ProcessName(c.m, p)+": "+
					spell.Abridged(story.StateText(c.m, s, p), mostTold))
			}
		}
	}
	return list
}

// mostTold is how long a text is that is one of many.
const mostTold = 400

// takes reports whether a rule may be the step of the part.
func (p *part) takes(rule int) bool { return p.rule == rule || slices.Contains(p.rules, rule) }

// able lists what the process of a way could do instead, and by which rules.
func (c *checker) able(a *attempt) (list []string, rules []int) {
	param := a.part.t.Executor
	if a.part.Kind == reading.PartSent {
		param = a.part.t.Sender
	}
	if param < 0 || a.frame[a.part.t.Cell(param)] < 1 {
		return nil, nil
	}
	me := interp.Process(c.m, a.part.t, param, a.frame)
	for rule := range c.m.Rules {
		t := &c.m.Rules[rule]
		if c.m.Wide(t) {
			continue // there are too many to be listed
		}
		err := c.ways(a.node.point, rule, func(frame []int32, picked []compile.Picked) error {
			if interp.Process(c.m, t, t.Executor, frame) != me {
				return nil
			}
			rules = append(rules, rule)
			if list = append(list, interp.Describe(c.m, eventOf(rule, t, frame, picked))); len(list) > mostAble {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, nil // the protocol goes wrong in something that the log does not ask for
		}
		if len(list) > mostAble {
			return append(list[:mostAble], "..."), rules
		}
	}
	return list, rules
}

// Unexplained says that no run explains an event, after those before it.
type Unexplained struct {
	Event   *reading.Event
	Nearest []Nearest // what comes nearest, best first
	Able    []string  // what the process could do instead
	Unseen  []string  // rules of these of which the reading says nothing
}

func (u *Unexplained) Error() string {
	return fmt.Sprintf("%s: no run explains this event", u.Event.Place())
}
