package traces

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/testkit/reference/protocol"
)

// Question is what is asked: whether logs are those of a run.
type Question struct {
	Model   *protocol.Model
	Reading *Reading
	Logs    [][]string // the lines of each
	Limit   int        // of states with what is known of them
}

// Answer is what there is to say.
type Answer struct {
	Explained bool
	Single    bool     // there is one common clock
	Events    int      // where there is one common clock: how many events, from the first on, some run explains
	Masks     []uint   // which invariants runs that explain the log violate
	Certain   []string // invariants that all of them violate
	States    int
	Skipped   string // why nothing can be said
}

// Clean tells whether some run that explains the log violates nothing.
func (a *Answer) Clean() bool { return slices.Contains(a.Masks, 0) }

// Some tells whether some run that explains the log violates something.
func (a *Answer) Some() bool {
	return slices.ContainsFunc(a.Masks, func(m uint) bool { return m != 0 })
}

// place is a state that a run may be in, with what the log has shown until then.
type place struct {
	state *protocol.State
	done  []int  // events of each lane
	mask  uint   // invariants that were violated on the way
	sent  string // what the last step of each process has sent that the log has not shown
	fresh []unshown
}

// unshown is a message that the last step of a process has sent.
type unshown struct {
	from, to int
	message  string
	cells    protocol.Message
}

func (p *place) key() string {
	return fmt.Sprint(p.done, p.mask, p.sent, "|", p.state.Key())
}

// search looks for runs with some numbers of the names.
type search struct {
	*Question
	history *history
	numbers map[string]map[string]int // of names, by role
	steps   map[string][]protocol.Step
	wanted  map[string][]protocol.Step
	masks   map[string]uint
	lossy   *protocol.Model // the same with lossy channels: a message may be lost where a guard wants it
	sends   bool            // the reading asks what was sent
	answer  *Answer
	known   map[string]bool
	list    []*place
	final   map[uint]bool
}

// skip is what ends a question that has no answer.
type skip string

// Answer tries all numbers of names, and all runs.
func (q *Question) Answer() (a *Answer, err error) {
	a = &Answer{}
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(skip)
			if !ok {
				panic(r)
			}
			a.Skipped = string(s)
		}
	}()
	h, err := q.Reading.history(q.Logs)
	if err != nil {
		return nil, err
	}
	s := &search{
		Question: q, history: h, steps: map[string][]protocol.Step{}, wanted: map[string][]protocol.Step{}, masks: map[string]uint{},
		answer: a, final: map[uint]bool{},
	}
	if mistake == mistakeRoom {
		roomy := *q.Model
		roomy.Bound += 20
		s.Question = &Question{&roomy, q.Reading, q.Logs, q.Limit}
	}
	lossy, text := *s.Model, *s.Model.Text
	text.Channels.Reliable = false
	lossy.Text = &text
	s.lossy = &lossy
	for _, w := range q.Reading.Whens {
		for _, p := range w.parts {
			s.sends = s.sends || p.kind == "sent"
		}
	}
	a.Single = h.single && q.Reading.ClockBy.names == nil
	choices, err := s.namings()
	if err != nil {
		return nil, err
	}
	for _, numbers := range choices {
		s.numbers = numbers
		s.run()
	}
	a.Explained = len(s.final) > 0
	for m := range s.final {
		a.Masks = append(a.Masks, m)
	}
	slices.Sort(a.Masks)
	for i, p := range s.invariants() {
		if a.Explained && !slices.ContainsFunc(a.Masks, func(m uint) bool { return m>>i&1 == 0 }) {
			a.Certain = append(a.Certain, p.Name)
		}
	}
	return a, nil
}

func (q *Question) invariants() []*protocol.Property {
	var list []*protocol.Property
	for _, p := range q.Model.Text.Properties {
		if !p.Temporal {
			list = append(list, p)
		}
	}
	return list
}

// run visits all places that runs lead to.
func (s *search) run() {
	s.known, s.list = map[string]bool{}, nil
	starts, failures := s.Model.Initial()
	if len(failures) > 0 {
		panic(skip("an error in the model"))
	}
	for i, start := range starts {
		if i > 0 && mistake == mistakeStart {
			break
		}
		s.visit(&place{state: start.Next, done: make([]int, len(s.history.lanes))})
	}
	for at := 0; at < len(s.list); at++ {
		p := s.list[at]
		whole := true
		events := 0
		for lane, done := range p.done {
			events += done
			if done == len(s.history.lanes[lane]) {
				continue
			}
			whole = false
			e := s.history.lanes[lane][done]
			if !s.history.ready(e, p.done) && mistake != mistakeClocks {
				continue
			}
			if e.pending(s.Reading) && mistake != mistakePending {
				next := *p
				next.done = slices.Clone(p.done)
				next.done[lane]++
				s.visit(&next)
			}
			for i, w := range e.whens {
				if i > 0 && mistake == mistakeCases {
					break
				}
				s.show(p, e, w.parts, func(next *place) {
					next.done = slices.Clone(p.done)
					next.done[lane]++
					s.visit(next)
				})
			}
		}
		s.answer.Events = max(s.answer.Events, events)
		if whole {
			s.final[p.mask] = true
			continue
		}
		for _, step := range s.from(p.state) {
			if s.hidden(step) || s.Reading.Anywhere && events == 0 && mistake != mistakeAnywhere {
				s.visit(s.after(p, step))
			}
		}
	}
}

// visit notes a place.
func (s *search) visit(p *place) {
	if mistake != mistakeBetween {
		p.mask |= s.violated(p.state)
	}
	k := p.key()
	if s.known[k] {
		return
	}
	s.known[k] = true
	s.list = append(s.list, p)
	if s.answer.States++; s.answer.States > s.Limit {
		panic(skip("too many states"))
	}
}

// from lists the steps from a state.
func (s *search) from(state *protocol.State) []protocol.Step {
	return s.remember(s.Model, s.steps, state)
}

func (s *search) remember(m *protocol.Model, memo map[string][]protocol.Step, state *protocol.State) []protocol.Step {
	k := state.Key()
	list, ok := memo[k]
	if !ok {
		list = m.Steps(state, protocol.Options{Traffic: protocol.Direct})
		for i, step := range list {
			if step.Failure != nil {
				panic(skip("an error in the model"))
			}
			if step.Fate == "crashed" && m.Text.Channels.Synchronous { // the rule does what it says, and is shown as it is
				list[i].Fate = "processed"
			}
		}
		memo[k] = list
	}
	return list
}

// violated tells which invariants are false in a state.
func (s *search) violated(state *protocol.State) uint {
	k := state.Key()
	mask, ok := s.masks[k]
	if !ok {
		for i, p := range s.invariants() {
			if !s.truth(protocol.View{State: state}, p.Body) {
				mask |= 1 << i
			}
		}
		s.masks[k] = mask
	}
	return mask
}

// hidden tells whether a step may happen that the log does not show.
func (s *search) hidden(step protocol.Step) bool {
	r := s.Reading
	switch step.Fate {
	case "lost":
		return !r.Visible["lost"] && mistake != mistakeLosses
	case "crashed":
		return !r.Visible["stopped"] && mistake != mistakeStops
	}
	if mistake == mistakeKept && slices.ContainsFunc(step.Received, func(r protocol.Receipt) bool { return r.Kept }) {
		return false
	}
	return s.silent(step.Rule.Label) && mistake != mistakeSilent
}

func (s *search) silent(rule string) bool {
	return (s.Reading.SilentAll || s.Reading.Silent[rule]) && !s.Reading.Visible[rule]
}

// after is where a step leads.
func (s *search) after(p *place, step protocol.Step) *place {
	next := &place{state: step.Next, done: p.done, mask: p.mask, fresh: p.fresh, sent: p.sent}
	if !s.sends || step.Fate != "processed" {
		return next
	}
	next.fresh = nil
	for _, u := range p.fresh {
		if u.from != step.Mover.ID() || mistake == mistakeLast {
			next.fresh = append(next.fresh, u)
		}
	}
	for _, m := range step.Sent {
		next.fresh = append(next.fresh, unshown{step.Mover.ID(), m.To.ID(), fmt.Sprint(m.Message), m.Message})
	}
	return next.sorted()
}

// sorted writes down what was sent.
func (p *place) sorted() *place {
	slices.SortFunc(p.fresh, func(a, b unshown) int {
		return strings.Compare(fmt.Sprint(a.from, a.to, a.message), fmt.Sprint(b.from, b.to, b.message))
	})
	var b strings.Builder
	for _, u := range p.fresh {
		fmt.Fprint(&b, u.from, ">", u.to, u.message)
	}
	p.sent = b.String()
	return p
}

// show calls f with all places that the parts of an event lead to.
func (s *search) show(p *place, e *event, parts []part, f func(*place)) {
	if len(parts) == 0 {
		next := *p
		f(&next)
		return
	}
	s.part(p, e, parts[0], func(next *place) {
		next.mask |= s.violated(next.state)
		if mistake == mistakeThen && len(parts) > 1 {
			for _, step := range s.from(next.state) {
				if s.hidden(step) {
					s.show(s.after(next, step), e, parts[1:], f)
				}
			}
		}
		s.show(next, e, parts[1:], f)
	})
}

// part calls f with all places that one part of an event leads to.
func (s *search) part(p *place, e *event, t part, f func(*place)) {
	if t.kind == "rule" {
		for _, step := range s.from(p.state) {
			if step.Rule.Label == t.rule && step.Fate == "processed" && s.ruleShows(p, e, t, step) {
				f(s.after(p, step))
			}
		}
		return
	}
	s.bind(p.state, e, t.args, map[string]protocol.Value{}, func(names map[string]protocol.Value) {
		s.other(p, e, t, names, f)
	})
}

// ruleShows tells whether a step of a rule is what an event shows.
func (s *search) ruleShows(p *place, e *event, t part, step protocol.Step) bool {
	v := s.view(step)
	for _, a := range t.args {
		have := v.Names[a.name]
		if a.expr != nil {
			if want := s.ask(protocol.View{State: p.state, Names: v.Names}, a.expr); !slices.Equal(want.Cells, have.Cells) {
				return false
			}
		} else if a.value != nil {
			if want, says := s.cells(e, a.value, have.Type); says && want != have.Cells[0] {
				return false
			}
		}
	}
	v.State = p.state
	if !s.checks(e, t.before, v) {
		return false
	}
	v.State = step.Next
	v.Sent = step.Sent
	return s.checks(e, t.after, v)
}

// view is what can be asked of a step.
func (s *search) view(step protocol.Step) protocol.View {
	v := protocol.View{Names: map[string]protocol.Value{}, Received: step.Received}
	if len(step.Senders) > 0 {
		v.From = step.Senders[0]
	}
	for _, p := range step.Rule.Params {
		if p.Type.Kind == "quorum" {
			v.Quorum = p.Name
			continue
		}
		t, err := s.Model.Type(p.Type)
		if err != nil {
			panic(err)
		}
		v.Names[p.Name] = protocol.Value{Type: t, Cells: step.With[p.Name]}
	}
	return v
}

// bind calls f with all values of parameters that an event allows.
func (s *search) bind(state *protocol.State, e *event, args []argument, names map[string]protocol.Value, f func(map[string]protocol.Value)) {
	if len(args) == 0 {
		f(names)
		return
	}
	a := args[0]
	t, err := s.Model.Type(protocol.ParseType(a.typ))
	if err != nil {
		panic(err)
	}
	for _, n := range t.Values() {
		if a.expr != nil && s.ask(protocol.View{State: state, Names: names}, a.expr).Cells[0] != n {
			continue
		}
		if a.value != nil {
			if want, says := s.cells(e, a.value, t); says && want != n {
				continue
			}
		}
		more := map[string]protocol.Value{a.name: {Type: t, Cells: []int{n}}}
		for k, v := range names {
			more[k] = v
		}
		s.bind(state, e, args[1:], more, f)
	}
}

// other calls f with all places that a part leads to that is no rule.
func (s *search) other(p *place, e *event, t part, names map[string]protocol.Value, f func(*place)) {
	var roles []protocol.Process
	for _, a := range t.args {
		role := s.Model.RoleOf(a.typ)
		if role == nil {
			panic(skip("parameters that are no processes"))
		}
		roles = append(roles, protocol.Process{Role: role, Number: names[a.name].Cells[0]})
	}
	v := protocol.View{State: p.state, Names: names}
	if len(roles) < 2 {
		if t.kind == "see" && s.checks(e, t.before, v) {
			f(&place{state: p.state, done: p.done, mask: p.mask, sent: p.sent, fresh: p.fresh})
		}
		return
	}
	to, from := roles[len(roles)-2], roles[len(roles)-1]
	v.From = from
	holds := func(m protocol.Message) bool {
		v.Received = []protocol.Receipt{{From: from, Message: m}}
		return s.checks(e, t.before, v)
	}
	stays := func() { f(&place{state: p.state, done: p.done, mask: p.mask, sent: p.sent, fresh: p.fresh}) }
	channel := p.state.Sent[to.ID()][from.ID()]
	switch t.kind {
	case "see":
		for i, m := range channel {
			if i > 0 && mistake == mistakeBehind && s.Model.Text.Channels.FIFO {
				break
			}
			if holds(m) {
				stays()
				return
			}
		}
	case "sent":
		for i, u := range p.fresh {
			if u.from == from.ID() && u.to == to.ID() && holds(u.cells) {
				next := &place{state: p.state, done: p.done, mask: p.mask, fresh: slices.Delete(slices.Clone(p.fresh), i, i+1)}
				if mistake == mistakeShown {
					next.fresh = p.fresh
				}
				f(next.sorted())
			}
		}
	case "lost", "stopped":
		fate := map[string]string{"lost": "lost", "stopped": "crashed"}[t.kind]
		for _, step := range s.from(p.state) {
			for _, r := range step.Received {
				if step.Fate == fate && r.Gone && step.Mover == to && r.From == from && holds(r.Message) {
					f(s.after(p, step))
				}
			}
		}
	case "received":
		s.received(p, e, t, v, to, from, holds, f)
	}
}

// received calls f with all places that the receipt of a message leads to, by whichever rule wants it; where none does,
// nothing happens.
func (s *search) received(p *place, e *event, t part, v protocol.View, to, from protocol.Process, holds func(protocol.Message) bool, f func(*place)) {
	alone := func(step protocol.Step, m protocol.Message) bool {
		return !step.Quorum && step.Mover == to && len(step.Received) == 1 && step.Received[0].From == from &&
			slices.Equal(step.Received[0].Message, m)
	}
	if p.state.Status[to.ID()] == statusCrashed {
		return
	}
	for i, m := range p.state.Sent[to.ID()][from.ID()] {
		if i > 0 && s.Model.Text.Channels.FIFO && mistake != mistakeQueue {
			break
		}
		if !holds(m) {
			continue
		}
		useless := true
		for _, step := range s.remember(s.lossy, s.wanted, p.state) {
			useless = useless && !(step.Fate == "lost" && alone(step, m))
		}
		if useless && mistake != mistakeUse {
			w := v
			w.State = p.state
			if s.checks(e, t.after, w) {
				f(&place{state: p.state, done: p.done, mask: p.mask, sent: p.sent, fresh: p.fresh})
			}
		}
		for _, step := range s.from(p.state) {
			if step.Fate == "processed" && alone(step, m) {
				w := v
				w.State = step.Next
				if s.checks(e, t.after, w) {
					f(s.after(p, step))
				}
			}
		}
	}
}

// statusCrashed is the status of a process that has stopped.
const statusCrashed = 2

// checks tells whether all of some checks hold.
func (s *search) checks(e *event, list []check, v protocol.View) bool {
	for _, c := range list {
		if c.value == nil {
			if !s.truth(v, c.expr) {
				return false
			}
			continue
		}
		have := s.ask(v, c.expr)
		if !have.Type.Simple() {
			panic(skip("a value that is not simple"))
		}
		want, says := s.cells(e, c.value, have.Type)
		if says && !compared(c.relation, have.Cells[0], want) {
			return false
		}
	}
	return true
}

func compared(relation string, x, y int) bool {
	switch relation {
	case "=":
		return x == y
	case "!=":
		return x != y
	}
	if x == protocol.Undefined || y == protocol.Undefined {
		panic(skip("an order of what is undefined"))
	}
	switch relation {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	}
	return x >= y
}

func (s *search) truth(v protocol.View, e *protocol.Expr) bool {
	x := s.ask(v, e)
	if x.Cells[0] == protocol.Undefined {
		panic(skip("an undefined condition"))
	}
	return x.Cells[0] == 1
}

func (s *search) ask(v protocol.View, e *protocol.Expr) protocol.Value {
	x, err := s.Model.Ask(v, e)
	if err != nil {
		panic(skip("an error in a condition"))
	}
	return x
}

// cells says what a value of a line is as one of a type. It says nothing where an optional value is missing.
func (s *search) cells(e *event, v *value, t *protocol.Type) (n int, says bool) {
	x, err := s.raw(e, v)
	if err != nil {
		if v.path.optional {
			return 0, false
		}
		panic(skip("an event without a value"))
	}
	if x == nil {
		return protocol.Undefined, true
	}
	text := written(x)
	named := func(names ...string) int {
		for i, name := range names {
			if slices.Contains(s.Reading.Texts[name], text) {
				return i
			}
		}
		for i, name := range names {
			if name == text {
				return i
			}
		}
		panic(skip("a text that is no value"))
	}
	switch t.Kind {
	case protocol.RoleType:
		return s.numbers[t.Role.TypeName][text], true
	case protocol.Enum:
		return named(t.Names...), true
	case protocol.Bool:
		return named("false", "true"), true
	}
	for name, texts := range s.Reading.Texts {
		if slices.Contains(texts, text) {
			text = name
		}
	}
	return atoi(text) + v.plus, true
}

// raw is a value of a line.
func (s *search) raw(e *event, v *value) (any, error) {
	switch v.kind {
	case "text", "number":
		return v.text, nil
	case "id":
		if n, ok := e.ids[v.place]; ok {
			return json.Number(fmt.Sprint(n)), nil
		}
		return nil, errMissing
	}
	x, err := v.path.of(e.data)
	if v.kind == "len" && err == nil {
		list, ok := x.([]any)
		if !ok {
			return nil, errors.New("no list")
		}
		return json.Number(fmt.Sprint(len(list))), nil
	}
	return x, err
}
