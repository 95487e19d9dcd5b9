package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// The slice of a run is told step by step, with what guards and conditions saw. Nothing of it is left out: steps in
// which a process only hears what a later step of it counts are told with that one, equal steps of several processes as
// one.

// steps tells the slice of the run for what the explanation looks at, and returns it.
func (x *explainer) steps() (*history, run.Sliced[cellOrMessage]) {
	h := effectsOf(x.Run)
	effects := make([]run.Effect[cellOrMessage], len(h.effects))
	for k := range effects {
		effects[k] = h.effects[k].Effect
	}
	kept, after := x.why.Slice(effects, h.obstacles)
	x.looked = x.why.Looked()
	hearing := x.hearing(h, kept)
	var list []*storyLine
	for k := 1; k < len(x.Events); k++ {
		reasons, is := kept[k]
		if !is {
			reasons = x.spurned(h, k)
		}
		if !is && len(reasons) == 0 || x.faultAt(k) || hearing[k] > 0 {
			continue
		}
		line := x.cause(h, k, reasons)
		line.after = after[k]
		for j, of := range hearing {
			if of == k {
				line.steps = append(line.steps, j)
				line.after = append(slices.Clip(line.after), after[j]...)
			}
		}
		list = append(list, line)
	}
	x.tell(list)
	return h, kept
}

// spurned is what the property looks at, and a step that is none of the slice does not change, though it could have; of
// what should become so at last, that is told of those who wait.
func (x *explainer) spurned(h *history, k int) (of spots) {
	if x.loop >= 0 || x.Events[k].Fate != interp.Processed {
		return nil
	}
	x.packets = x.Events[k].Packets
	of = x.left(h, k, x.why.Live(k))
	x.packets = nil
	maps.DeleteFunc(of, func(at cellOrMessage, _ bool) bool { return !x.looked[at] })
	return of
}

// hearing finds the steps in which a process only hears something that a later step of it counts: that step.
func (x *explainer) hearing(h *history, kept run.Sliced[cellOrMessage]) map[int]int {
	out := map[int]int{}
	for k, reasons := range kept {
		if e := x.Events[k]; e.Fate != interp.Processed || !x.Model.Origin(e.Rule).Hearing() {
			continue
		}
		for j := k + 1; j < len(x.Events) && out[k] == 0; j++ {
			if _, yes := kept[j]; !yes || x.Events[j].Fate != interp.Processed || x.faultAt(j) ||
				mover(x.Run, j) != mover(x.Run, k) || x.Model.Origin(x.Events[j].Rule).Hearing() {
				continue
			}
			for at := range reasons {
				if h.effects[j].Needs[at] {
					out[k] = j
				}
			}
		}
	}
	return out
}

// storyLine is a step as it is told, or several that are told as one.
type storyLine struct {
	steps     []int // all, with those in which something was heard
	told      []int // that have a number in the line
	processes []int
	role      int
	kind      string   // of steps: the rule and what it receives
	deeds     []action // what it does; several things that one process does
	seen      string   // what guards and conditions saw, of the first step
	general   string   // the same of any process that it may be
	stays     []string // what is given a value that it has already, and what becomes of that the property is about
	noted     map[int][]string
	after     []int // the steps that wrote what it needs
}

// cause says what a step does, and why it could.
func (x *explainer) cause(h *history, k int, reasons spots) *storyLine {
	c := &storyLine{steps: []int{k}, told: []int{k}}
	e := x.Events[k]
	if e.Fate == interp.Delivered {
		c.processes = []int{e.To}
		c.deeds = []action{{what: interp.Describe(x.Model, e)}}
		return c
	}
	me := mover(x.Run, k)
	c.processes = []int{me}
	c.role, _ = x.Model.RoleOf(me)
	c.kind, c.deeds = x.Model.Rules[e.Rule].Label, []action{x.does(e)}
	if x.Model.Origin(e.Rule).Hearing() {
		return c
	}
	x.acting, x.packets, x.gives = me, e.Packets, h.effects[k].Writes
	c.seen = x.since(k)
	var noted []string
	c.stays, noted = x.stays(h, k, reasons)
	midway := lists.Union(nil, inWords(x.midway(k))...)
	c.stays, noted = append(midway, c.stays...), append(midway, noted...)
	c.noted = run.Taken(k, "", c.seen, nil, noted...).Noted
	c.general = x.generally(e.Rule, func() string { return x.since(k) })
	x.acting, x.packets, x.gives = -1, nil, nil
	if len(reasons) == 0 {
		c.deeds[0].also = ", which makes room for messages"
		if j := h.behind(k); j > 0 {
			c.deeds[0].also = fmt.Sprintf(", which comes before what is received in step %d", j)
		}
	}
	return c
}

// does says what a process does in a step.
func (x *explainer) does(e interp.Event) action {
	m := x.Model
	label := m.Rules[e.Rule].Label
	switch {
	case m.Origin(e.Rule).Hearing() || m.Made():
		return does(m, e)
	case len(e.Packets) == 0:
		return action{what: ": " + label, with: interp.Arguments(m, e)}
	}
	return action{verb: "take", what: " " + label, with: "with " + interp.FromWhom(m, e.Packets,
		func(p protocol.Packet) string {
			if p.Absent {
				return "nothing"
			}
			return interp.MessageName(m, p.Message)
		})}
}

// generally is what is said with the text's own name for the process that takes a rule.
func (x *explainer) generally(rule int, say func() string) string {
	t := &x.Model.Rules[rule]
	x.open = []int{t.Cell(t.Executor)}
	defer func() { x.open = nil }()
	return say()
}

// who names processes that take a rule, or wait for it; with the text's own name for each of them if that is used:
//
//	node i = 1, 2 and 3
func (x *explainer) who(processes []int, rule int, named bool) string {
	t := &x.Model.Rules[rule]
	role := &x.Model.Roles[t.Params[t.Executor].Type.Role]
	if !named || role.Size == 1 {
		return interp.Names(x.Model, processes)
	}
	numbers := lists.Map(processes, func(p int) string { return fmt.Sprint(p - role.First + 1) })
	return role.Name + " " + t.Params[t.Executor].Name + " = " + spell.List(numbers)
}

// names lists processes, each once.
func (x *explainer) names(list []int) string {
	slices.Sort(list)
	return interp.Names(x.Model, slices.Compact(slices.Clone(list)))
}

// since says what the guard and the conditions of a step saw.
func (x *explainer) since(k int) string {
	e := x.Events[k]
	var list []fact
	if g, ok := x.guard(e.Rule, e.Frame); ok {
		list, _ = x.sees(g, x.States[k-1])
	}
	return strings.Join(inWords(append(list, x.branches(k)...)), ", ")
}

// stays says which variables a step gives the values that they have already, or does not change where it could have,
// and these are what matters; and what becomes of those that the property is about. What is no mere change is noted at
// the step, where it is known whose variables its process's own are.
func (x *explainer) stays(h *history, k int, reasons spots) (parts, noted []string) {
	say := func(at cellOrMessage, does, more string) {
		whose, name, value := x.called(at, x.States[k])
		if name == "" {
			return
		}
		text := name + does + value + more
		parts = append(parts, whose+text)
		if at.at == mover(x.Run, k) {
			whose = ""
		}
		if does == stays || more != "" {
			noted = append(noted, whose+text)
		}
	}
	unchanged := func(at cellOrMessage) bool {
		return x.States[k-1].Cells[at.at][at.cell] == x.States[k].Cells[at.at][at.cell]
	}
	for _, at := range sorted(reasons) {
		switch {
		case at.kind != spotCell:
		case !unchanged(at) && x.looked[at]:
			more := ""
			if since := inWords(x.assigned(k, at)); since != nil {
				more = ", since " + strings.Join(since, ", ")
			}
			say(at, " becomes ", more)
		case unchanged(at) && h.effects[k].single[at]:
			say(at, stays, "")
		}
	}
	for _, at := range sorted(x.left(h, k, x.why.Live(k))) {
		say(at, stays, "")
	}
	return parts, noted
}

// stays is said of what keeps its value.
const stays = " stays "

// called is a cell in words, with its value, and whose it is where that is told; "" for one that is not told.
func (x *explainer) called(at cellOrMessage, s *protocol.State) (whose, name, value string) {
	r, number := x.Model.RoleOf(at.at)
	role := &x.Model.Roles[r]
	for _, f := range role.State.Fields {
		if told(x.Model, f.Name) {
			continue
		}
		variable := x.Model.Source.Called(f.Name, "")
		interp.Parts(f.Type, variable, f.Offset, func(part string, t *protocol.Type, cell int) {
			if cell != at.cell || !t.Scalar() {
				return
			}
			if name, value = part, x.format(t, s.Cells[at.at][at.cell]); !x.Model.Made() && !role.Shared {
				whose = fmt.Sprintf("%s[%d].", role.Name, number)
			}
		})
	}
	return whose, name, value
}

// addEqual tells another step with a line: an equal one of another process, or one of the same process, behind its last
// one, that differs in what it receives, or in parameters.
func (x *explainer) addEqual(before []*storyLine, c, next *storyLine) bool {
	who := next.processes[0]
	latest := func(old *storyLine) bool {
		return slices.Contains(old.processes, who) && slices.Max(old.told) > slices.Max(c.told)
	}
	switch {
	case next.kind == "" || c.role != next.role || c.kind != next.kind ||
		x.Model.Made() && !slices.Equal(c.stays, next.stays): // there, what stays has no process in its name
		return false
	case slices.Equal(c.deeds, next.deeds) && c.general == next.general && !slices.Contains(c.processes, who):
		c.processes = append(c.processes, who)
	case slices.Equal(c.processes, next.processes) && c.seen == next.seen &&
		!slices.Contains(c.deeds, next.deeds[0]) && !slices.ContainsFunc(before, latest):
		c.deeds = append(c.deeds, next.deeds...)
	default:
		return false
	}
	c.stays = append(c.stays, next.stays...)
	c.also(next)
	return true
}

// addAlike tells another step of the same rule with a line, whatever it saw.
func (x *explainer) addAlike(_ []*storyLine, c, next *storyLine) bool {
	alike := c.role == next.role && c.kind == next.kind
	if alike {
		c.processes = lists.Union(c.processes, next.processes...)
		c.also(next)
	}
	return alike
}

// also makes the steps of another line some of this one.
func (c *storyLine) also(next *storyLine) {
	if c.noted == nil {
		c.noted = map[int][]string{}
	}
	maps.Copy(c.noted, next.noted)
	c.steps, c.told = append(c.steps, next.steps...), append(c.told, next.told...)
	c.after = append(c.after, next.after...)
}

// short is a line that says only which rule it is.
func (x *explainer) short(c *storyLine) *storyLine {
	c.seen, c.general, c.stays = "", "", nil
	c.deeds = []action{{what: ": " + x.Model.RuleName(x.Events[c.told[0]].Rule)}}
	if c.kind == "" {
		c.deeds[0].what = "messages are delivered"
	}
	return c
}

// mostBecauses is how many lines on steps are read one by one. Where there are more, earlier steps of one rule are told
// together.
const mostBecauses = 30

// tell adds the lines to the explanation.
func (x *explainer) tell(list []*storyLine) {
	list = joined(list, x.addEqual)
	if n := len(list) - mostBecauses; n > 0 {
		n += mostBecauses / 2
		list = append(joined(lists.Map(list[:n], x.short), x.addAlike), list[n:]...)
	}
	for _, c := range list {
		slices.Sort(c.steps)
		slices.Sort(c.told)
		text := run.StepNumbers(c.told) + ": " + x.line(c)
		x.why.Out.Add(run.Reason{Kind: run.Because, Text: text, Step: c.told[0], Steps: c.steps, Noted: c.noted})
	}
}

func (x *explainer) line(c *storyLine) string {
	if c.kind == "" {
		return c.deeds[0].text(false)
	}
	seen, several := c.seen, len(c.processes) > 1
	if several {
		seen = c.general
	}
	text := x.who(c.processes, x.Events[c.told[0]].Rule, seen != c.seen) + severally(c.deeds, several)
	text += run.Since(seen, c.before())
	if len(c.stays) > 0 {
		text += "; then " + strings.Join(lists.Union(nil, c.stays...), ", ")
	}
	return text
}

// before are the steps that wrote what those of the line need, but for these.
func (c *storyLine) before() []int {
	list := slices.DeleteFunc(slices.Clone(c.after), func(k int) bool { return slices.Contains(c.steps, k) })
	slices.Sort(list)
	return slices.Compact(list)
}

// severally says what a process does one after the other: what these things have in common once.
func severally(list []action, several bool) string {
	first := list[0]
	text := first.text(several)
	for _, d := range list[1:] {
		next := d.text(several)
		if d.verb == first.verb && d.what == first.what && first.with != "" && d.with != "" {
			next = " " + d.with + d.also
		}
		text += ", then" + next
	}
	return text
}
