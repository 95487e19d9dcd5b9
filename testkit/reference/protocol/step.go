package protocol

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Traffic is a model of message traffic.
type Traffic string

// The models of message traffic: messages can be received once they are sent; or they have to be
// delivered first, by a step of its own; or moreover everything delivered is received at once.
const (
	Direct          Traffic = "M"
	Delivered       Traffic = "GRM"
	DeliveredAtOnce Traffic = "RM"
)

// Options says which of the documented models of an instance is meant.
type Options struct {
	Traffic  Traffic
	Implicit bool // those that crash just move no more
}

// Step is something that can happen in a state.
type Step struct {
	Rule     *Rule // nil for deliveries and idling
	Mover    Process
	Senders  []Process
	Quorum   bool   // they are one
	Fate     string // "processed", "lost" or "crashed"
	Received []Receipt
	Sent     []Sending
	Label    string
	With     map[string][]int // values of parameters
	Required bool             // some process has to do something for ever, unless nothing of this kind is possible
	Next     *State
	Failure  *Failure // instead of Next
}

// Receipt is a message that takes part in a step.
type Receipt struct {
	From    Process
	Message Message
	Absent  bool
	Kept    bool // it stays in its channel
	Gone    bool // it is lost, or its sender turns out to have stopped
}

// stepper collects the steps of a state.
type stepper struct {
	*Model
	Options
	state *State
	steps []Step
	tries int
}

// Steps lists everything that can happen in a state, without idling. What goes wrong
// is a step, too.
func (m *Model) Steps(s *State, o Options) []Step {
	c := &stepper{Model: m, Options: o, state: s}
	for _, r := range m.Text.Rules {
		c.rule(r)
	}
	c.restarts()
	if o.Traffic != Direct {
		c.deliveries()
	}
	return c.steps
}

// restarts adds that processes of roles with recovery begin anew, but for what is stable. No process makes them do so.
func (c *stepper) restarts() {
	for _, name := range c.Text.Recovery {
		role := c.types[name].Role
		for k := 1; k <= role.Size; k++ {
			p := Process{role, k}
			if status := c.state.Status[p.ID()]; status != statusCorr && status != statusCrash {
				continue
			}
			if c.Traffic == DeliveredAtOnce && !c.takesAll(p, nil) && mistake != mistakeRestartRM {
				continue
			}
			next := c.state.clone()
			first := c.first(role.Declared, role.State)
			for i, f := range role.State.Fields {
				if !role.Declared[i].Stable && mistake != mistakeRestart || mistake == mistakeStable {
					copy(next.Vars[p.ID()][f.Offset:f.Offset+f.Type.Size], first[f.Offset:f.Offset+f.Type.Size])
				}
			}
			c.steps = append(c.steps, Step{
				Rule: restart, Mover: p, Fate: "processed", Label: fmt.Sprint("restart ", p.ID()), Next: next,
				Required: mistake == mistakeRestartFair,
			})
		}
	}
}

// restart is the rule of processes that begin anew.
var restart = &Rule{Label: "restart"}

// deliveries moves one message from what was sent to what has been delivered.
func (c *stepper) deliveries() {
	for to := range c.state.Vars {
		for from, channel := range c.state.Sent[to] {
			for _, at := range choices(channel, c.Text.Channels.FIFO) {
				next := c.state.clone()
				next.Sent[to][from] = without(channel, at)
				next.Delivered[to][from] = add(next.Delivered[to][from], channel[at], c.Text.Channels.FIFO)
				c.steps = append(c.steps, Step{
					Mover: c.process(to), Senders: []Process{c.process(from)}, Required: true, Next: next,
					Fate: "delivered", Label: fmt.Sprint("deliver ", to, from, channel[at]),
				})
			}
		}
	}
}

// box is where a process finds messages.
func (c *stepper) box(s *State, to, from int) *[]Message {
	if c.Traffic == Direct || mistake == mistakeDelivery {
		return &s.Sent[to][from]
	}
	return &s.Delivered[to][from]
}

// rule adds the steps of a rule.
func (c *stepper) rule(r *Rule) {
	role, receives, err := c.partners(r)
	if err != nil {
		panic(err)
	}
	params := r.Params
	var last *TypeExpr
	if receives {
		last = params[len(params)-1].Type
		params = params[:len(params)-1]
	}
	mover := params[len(params)-1].Name
	c.bind(params, map[string]Value{}, func(names map[string]Value) {
		p := Process{role, names[mover].Cells[0]}
		status := c.state.Status[p.ID()]
		if status == statusCrashed || (status == statusByz) != r.Byzantine {
			return
		}
		switch {
		case !receives:
			c.attempt(r, p, names, nil, "")
		case last.Kind == "quorum":
			c.quorum(r, p, names, last)
		default:
			sender := c.types[last.Name].Role
			for k := 1; k <= sender.Size; k++ {
				all := make(map[string]Value, len(names)+1)
				for n, v := range names {
					all[n] = v
				}
				all[r.Params[len(r.Params)-1].Name] = Value{sender.Type, []int{k}}
				for _, o := range c.offers(p, Process{sender, k}) {
					c.attempt(r, p, all, []offer{o}, "")
				}
			}
		}
	})
}

// bind calls f with all values of parameters.
func (c *stepper) bind(params []Field, names map[string]Value, f func(map[string]Value)) {
	if len(params) == 0 {
		f(names)
		return
	}
	t, err := c.resolve(params[0].Type)
	if err != nil {
		panic(err)
	}
	for _, v := range t.Values() {
		more := map[string]Value{}
		for n, old := range names {
			more[n] = old
		}
		more[params[0].Name] = Value{t, []int{v}}
		c.bind(params[1:], more, f)
	}
}

// offer is a message that a process may receive from another one.
type offer struct {
	from Process
	at   int // in the channel; -1 if the sender is Byzantine and may send anything
	what received
}

// forger tells whether a process sends anything at any time.
func (c *stepper) forger(p Process) bool {
	return c.state.Status[p.ID()] == statusByz && (!p.Role.Strategy || mistake == mistakeStrategy)
}

// offers lists what one process may receive from another one now.
func (c *stepper) offers(to, from Process) []offer {
	var list []offer
	if c.forger(from) {
		if domainSize(c.Message) >= tooMany {
			panic(tooLarge{})
		}
		for _, msg := range c.forged() {
			list = append(list, offer{from, -1, received{cells: msg}})
			if c.Text.Channels.Synchronous && mistake != mistakeAbsent {
				list = append(list, offer{from, -1, received{msg, true}})
			}
		}
		return list
	}
	channel := *c.box(c.state, to.ID(), from.ID())
	for _, at := range choices(channel, c.Text.Channels.FIFO) {
		list = append(list, offer{from, at, received{cells: channel[at]}})
	}
	return list
}

// forged lists the messages that a Byzantine process may send: all of each kind, with values for the fields of the
// kind and for no others.
func (m *Model) forged() []Message {
	if len(m.Kinds) == 0 || mistake == mistakeKinds {
		return domain(m.Message)
	}
	var list []Message
	for i, k := range m.Kinds {
		msg := make(Message, m.Message.Size)
		clearCells(msg)
		msg[0] = i
		some := []Message{msg}
		for _, f := range k.fields {
			var more []Message
			for _, old := range some {
				for _, v := range domain(f.Type) {
					more = append(more, slices.Replace(slices.Clone(old), f.Offset, f.Offset+f.Type.Size, v...))
				}
			}
			some = more
		}
		list = append(list, some...)
	}
	return list
}

// domain lists all values of a type whose parts all have values.
func domain(t *Type) []Message {
	switch t.Kind {
	case Record:
		parts := make([]*Type, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = f.Type
		}
		return product(parts)
	case Array:
		return product(slices.Repeat([]*Type{t.Elem}, len(t.Index.Values())))
	case Seq:
		var list []Message
		for n := range t.Max + 1 {
			for _, elements := range product(slices.Repeat([]*Type{t.Elem}, n)) {
				rest := make([]int, (t.Max-n)*t.Elem.Size)
				clearCells(rest)
				list = append(list, slices.Concat(Message{n}, elements, rest))
			}
		}
		return list
	}
	var list []Message
	for _, v := range t.Values() {
		list = append(list, Message{v})
	}
	return list
}

// domainSize is how many values domain lists, or more than enough.
func domainSize(t *Type) int {
	size := 1
	switch t.Kind {
	case Record:
		for _, f := range t.Fields {
			size = min(size*domainSize(f.Type), tooMany)
		}
	case Array:
		for range t.Index.Values() {
			size = min(size*domainSize(t.Elem), tooMany)
		}
	case Seq:
		power := 1
		for range t.Max {
			power = min(power*domainSize(t.Elem), tooMany)
			size = min(size+power, tooMany)
		}
	default:
		size = len(t.Values())
	}
	return size
}

// tooMany is how many values of messages are more than are tried.
const tooMany = 1500

// product lists all ways to take a value of each of some types.
func product(types []*Type) []Message {
	list := []Message{nil}
	for _, t := range types {
		var longer []Message
		for _, msg := range list {
			for _, v := range domain(t) {
				longer = append(longer, slices.Concat(msg, v))
			}
		}
		list = longer
	}
	return list
}

// quorum adds the steps of a rule that receives from a quorum.
func (c *stepper) quorum(r *Rule, p Process, names map[string]Value, q *TypeExpr) {
	role := c.role(q.Name)
	if t := c.types[q.Name]; t != nil && t.Kind == RoleType {
		role = t.Role
	}
	size, err := c.constant(q.Low)
	if err != nil {
		panic(err)
	}
	name := r.Params[len(r.Params)-1].Name
	var choose func(k int, sofar []offer)
	choose = func(k int, sofar []offer) {
		if k > role.Size {
			if len(sofar) == size || q.AtLeast && len(sofar) > size && mistake != mistakeAtLeast {
				c.attempt(r, p, names, sofar, name)
			}
			return
		}
		choose(k+1, sofar)
		for _, o := range c.offers(p, Process{role, k}) {
			choose(k+1, append(slices.Clone(sofar), o))
		}
	}
	choose(1, nil)
}

// attempt adds the outcomes of a rule with values for all parameters and messages for what it
// receives.
func (c *stepper) attempt(r *Rule, p Process, names map[string]Value, offers []offer, quorum string) {
	if c.tries++; c.tries > maxSteps {
		panic(tooLarge{})
	}
	if c.Traffic == DeliveredAtOnce && !c.takesAll(p, offers) && mistake != mistakeAtOnce {
		return
	}
	step := Step{Rule: r, Mover: p, Required: !r.Byzantine && (!r.Maybe || mistake == mistakeMaybe), Quorum: quorum != ""}
	var numbers []int
	for _, o := range offers {
		step.Senders = append(step.Senders, o.from)
		numbers = append(numbers, o.from.Number)
		step.Received = append(step.Received, Receipt{From: o.from, Message: o.what.cells, Absent: o.what.absent})
		if o.at < 0 {
			step.Required = false
		}
	}
	step.Label = label(r, names, offers, quorum)
	step.With = map[string][]int{}
	for n, v := range names {
		step.With[n] = v.Cells
	}
	if quorum != "" {
		step.With[quorum] = numbers
	}
	newScope := func(state *State) *scope {
		sc := &scope{
			model: c.Model, state: state, names: cloneMap(names), out: map[int]Message{}, quorum: quorum,
			quorums: map[string]members{}, mover: p,
		}
		if quorum != "" {
			sc.quorums[quorum] = members{offers[0].from.Role, numbers}
		}
		if len(offers) > 0 {
			sc.sender, sc.in = offers[0].from, map[int]received{}
			for _, o := range offers {
				sc.in[o.from.Number] = o.what
			}
		}
		c.nameFields(r, sc)
		return sc
	}
	if !c.ofKind(r, offers) {
		return
	}
	if r.guarded() {
		possible, err := r.possible(newScope(c.state))
		if err != nil {
			step.Failure = err
			c.steps = append(c.steps, step)
			return
		}
		if !possible {
			return
		}
	}
	c.processed(step, newScope, r, offers)
	c.again(step, newScope, r, offers)
	for i, o := range offers {
		if o.at < 0 {
			continue
		}
		if !c.Text.Channels.Reliable && mistake != mistakeLoss {
			lost := step
			lost.Fate, lost.Label = "lost", fmt.Sprint(step.Label, " lost ", i)
			lost.Next = c.state.clone()
			lost.Received = slices.Clone(step.Received)
			lost.Received[i].Gone = true
			c.consume(lost.Next, p, o)
			c.steps = append(c.steps, lost)
		}
	}
	c.stops(step, newScope, r, offers)
}

// ofKind tells whether all messages are of the kind that a rule says it receives.
func (m *Model) ofKind(r *Rule, offers []offer) bool {
	if r.Receive == nil || mistake == mistakeHead {
		return true
	}
	at, kind, _ := m.kindOf(r.Receive.Kind)
	return !slices.ContainsFunc(offers, func(o offer) bool { return o.what.cells[at] != kind })
}

// kindOf finds a kind of messages: the cell of the message and its value there, and the fields that follow in a head
// or a send.
func (m *Model) kindOf(name string) (cell, value int, fields []TypedField) {
	for i, f := range m.Message.Fields {
		if at := slices.Index(f.Type.Names, name); f.Type.Kind == Enum && at >= 0 {
			cell, value, fields = f.Offset, at, m.Message.Fields[i+1:]
			break
		}
	}
	for _, k := range m.Kinds {
		if k.name == name {
			fields = k.fields
		}
	}
	return cell, value, fields
}

// nameFields gives the names to the fields of a message that a rule has for them.
func (m *Model) nameFields(r *Rule, sc *scope) {
	if r.Receive == nil {
		return
	}
	_, _, fields := m.kindOf(r.Receive.Kind)
	for i, name := range r.Receive.Names {
		if mistake == mistakeNames {
			i = len(r.Receive.Names) - 1 - i
		}
		f := fields[i]
		sc.names[name] = Value{f.Type, sc.in[sc.sender.Number].cells[f.Offset : f.Offset+f.Type.Size]}
	}
}

// possible evaluates the guard of a rule, in which the names before it stand for expressions.
func (r *Rule) possible(sc *scope) (bool, *Failure) {
	lets, condition := r.guard()
	if mistake == mistakeEager {
		if err := sc.evaluate(lets); err != nil {
			return false, err
		}
	}
	sc.lazy = map[string]thunk{}
	for _, l := range lets {
		sc.lazy[l.Var] = thunk{e: l.Value, in: sc}
	}
	defer func() { sc.lazy = nil }()
	return check(sc, condition)
}

// evaluate evaluates what names stand for, and forgets it, for the sake of a mistake.
func (s *scope) evaluate(lets []*Stmt) *Failure {
	var err error
	func() {
		defer rescue(&err)
		s.execute(lets)
	}()
	if err != nil {
		return err.(*Failure)
	}
	return nil
}

// again adds the outcomes that what is received stays where it is.
func (c *stepper) again(step Step, newScope func(*State) *scope, r *Rule, offers []offer) {
	step.Fate = "processed"
	c.stays(step, offers, nil, func(kept Step, rest []offer) { c.finish(kept, newScope(c.state.clone()), r, rest) })
}

// stays calls f for each choice of messages that stay in their channels where these duplicate, with those that leave
// them. What senders that had stopped have not sent does not stay.
func (c *stepper) stays(step Step, offers, gone []offer, f func(Step, []offer)) {
	if !c.Text.Channels.Duplicating || mistake == mistakeDuplicates {
		return
	}
	for set := 1; set < 1<<len(offers); set++ {
		kept, possible := step, true
		var rest []offer
		kept.Received = slices.Clone(step.Received)
		for i, o := range offers {
			if set>>i&1 == 0 {
				rest = append(rest, o)
				continue
			}
			possible = possible && o.at >= 0 && !slices.ContainsFunc(gone, func(g offer) bool { return g.from == o.from })
			kept.Received[i].Kept = true
			kept.Label += fmt.Sprint(" again ", i)
		}
		if possible && !(mistake == mistakeAllStay && len(rest) > 0) {
			f(kept, rest)
		}
	}
}

// stops adds the outcomes in which senders turn out to have stopped: one of them, or, in synchronous systems, where
// the rule is executed all the same, any of them.
func (c *stepper) stops(step Step, newScope func(*State) *scope, r *Rule, offers []offer) {
	if c.Implicit || mistake == mistakeStop {
		return
	}
	for set := 1; set < 1<<len(offers); set++ {
		var gone []offer
		for i, o := range offers {
			status := c.state.Status[o.from.ID()]
			if set>>i&1 == 1 && o.at >= 0 && (status == statusCrash || status == statusCrashed) {
				gone = append(gone, o)
			}
		}
		if len(gone) == bits.OnesCount(uint(set)) && (len(gone) == 1 || c.Text.Channels.Synchronous) {
			c.stopped(step, newScope, r, offers, gone)
		}
	}
}

// processed adds the outcome that everything goes as the text says.
func (c *stepper) processed(step Step, newScope func(*State) *scope, r *Rule, offers []offer) {
	step.Fate = "processed"
	c.finish(step, newScope(c.state.clone()), r, offers)
}

// stopped adds the outcome that senders turn out to have stopped before they sent their messages.
func (c *stepper) stopped(step Step, newScope func(*State) *scope, r *Rule, offers, gone []offer) {
	next := c.state.clone()
	step.Fate = "crashed"
	step.Received = slices.Clone(step.Received)
	for _, o := range gone {
		at := slices.IndexFunc(step.Received, func(r Receipt) bool { return r.From == o.from })
		step.Received[at].Gone, step.Received[at].Absent = true, c.Text.Channels.Synchronous
		next.Status[o.from.ID()] = statusCrashed
		if mistake == mistakeCrashed {
			clearCells(next.Vars[o.from.ID()])
		}
		step.Label = fmt.Sprint(step.Label, " stopped ", o.from.ID())
	}
	if !c.Text.Channels.Synchronous {
		c.consume(next, step.Mover, gone[0])
		step.Next = next
		c.steps = append(c.steps, step)
		return
	}
	stopped := func(next *State) *scope {
		sc := newScope(next)
		for _, o := range gone {
			sc.in[o.from.Number] = received{o.what.cells, true}
		}
		return sc
	}
	if mistake != mistakeNoneStays {
		c.stays(step, offers, gone, func(kept Step, rest []offer) { c.finish(kept, stopped(next.clone()), r, rest) })
	}
	c.finish(step, stopped(next), r, offers)
}

// finish executes a rule in a scope, sends its messages, and adds the step unless a channel has
// no room. What is received leaves its channel afterwards, as in table 3 of the paper: it makes no room for
// what a process sends to itself.
func (c *stepper) finish(step Step, sc *scope, r *Rule, offers []offer) {
	var err error
	func() {
		defer rescue(&err)
		sc.execute(r.statements())
	}()
	if err != nil {
		step.Failure = err.(*Failure)
		c.steps = append(c.steps, step)
		return
	}
	all := sc.sent
	for to := range c.state.Vars { // what is written field by field comes after the rest
		if msg := sc.out[to]; slices.ContainsFunc(msg, func(v int) bool { return v != Undefined }) {
			all = append(all, outgoingMessage{to, msg})
		}
	}
	if mistake == mistakeSequence {
		slices.Reverse(all)
	}
	sent, possible := c.send(sc.state, step.Mover, all)
	if !possible {
		return
	}
	step.Sent = sent
	for _, o := range offers {
		c.consume(sc.state, step.Mover, o)
	}
	step.Next = sc.state
	c.steps = append(c.steps, step)
}

// consume takes a message from its channel. Others may have been added since it was found there.
func (c *stepper) consume(s *State, to Process, o offer) {
	if o.at >= 0 {
		box := c.box(s, to.ID(), o.from.ID())
		at := slices.IndexFunc(*box, func(m Message) bool { return slices.Equal(m, o.what.cells) })
		*box = without(*box, at)
	}
}

// send puts messages into channels. It says no if one of them has to wait for room.
func (c *stepper) send(s *State, from Process, out []outgoingMessage) (sent []Sending, possible bool) {
	seen := map[int]bool{}
	for _, o := range out {
		to, msg := o.to, o.msg
		if seen[to] && mistake == mistakeTwice {
			continue
		}
		seen[to] = true
		status := s.Status[to]
		sent = append(sent, Sending{c.process(to), msg})
		if status == statusCrashed || status == statusByz && !c.process(to).Role.Strategy {
			continue
		}
		room := c.Bound - len(s.Sent[to][from.ID()]) - len(s.Delivered[to][from.ID()])
		if mistake == mistakeBound {
			room++
		}
		if room <= 0 {
			if c.Text.Channels.Reliable && mistake != mistakeRoom {
				return nil, false
			}
			continue
		}
		s.Sent[to][from.ID()] = add(s.Sent[to][from.ID()], msg, c.Text.Channels.FIFO)
	}
	return sent, true
}

// takesAll tells whether offers are all that has been delivered to a process.
func (c *stepper) takesAll(p Process, offers []offer) bool {
	delivered, taken := 0, 0
	for _, box := range c.state.Delivered[p.ID()] {
		delivered += len(box)
	}
	for _, o := range offers {
		if o.at >= 0 {
			taken++
		}
	}
	return delivered == taken
}

// check evaluates a guard.
func check(sc *scope, guard *Expr) (possible bool, failure *Failure) {
	var err error
	func() {
		defer rescue(&err)
		possible = sc.truth(guard)
	}()
	if err != nil {
		return false, err.(*Failure)
	}
	return possible, nil
}

// label writes down what happens in a step, so that different steps have different labels.
func label(r *Rule, names map[string]Value, offers []offer, quorum string) string {
	var b strings.Builder
	b.WriteString(r.Label)
	for _, p := range r.Params {
		if p.Name != quorum {
			fmt.Fprint(&b, " ", p.Name, "=", names[p.Name].Cells)
		}
	}
	for _, o := range offers {
		fmt.Fprint(&b, " from ", o.from.Role.Name, o.from.Number, o.what, o.at < 0)
	}
	return b.String()
}

// Initial lists the ways to begin, as steps to initial states, and what goes wrong in finding them.
func (m *Model) Initial() (starts []*Step, failures []*Failure) {
	if len(m.Text.Inits) == 0 {
		return []*Step{{Next: m.newState()}}, nil
	}
	for _, r := range m.Text.Inits {
		m.bindInitial(r.Params, &scope{model: m, names: map[string]Value{}, quorums: map[string]members{}}, func(sc *scope) {
			if r.guarded() && mistake != mistakeInit {
				sc.state = m.newState()
				possible, err := r.possible(sc)
				if err != nil {
					failures = append(failures, err)
				}
				if !possible {
					return
				}
			}
			sc.state = m.newState()
			var err error
			func() {
				defer rescue(&err)
				sc.execute(r.beginning())
			}()
			if err != nil {
				failures = append(failures, err.(*Failure))
				return
			}
			start := &Step{Rule: r, With: map[string][]int{}, Next: sc.state}
			for _, p := range r.Params {
				start.With[p.Name] = slices.Concat(sc.names[p.Name].Cells, sc.quorums[p.Name].numbers)
			}
			starts = append(starts, start)
		})
	}
	if len(starts)+len(failures) == 0 {
		failures = append(failures, &Failure{m.Text.Inits[0].Pos, "there is no initial state"})
	}
	return starts, failures
}

// beginning is what an initial state does.
func (r *Rule) beginning() []*Stmt {
	if mistake == mistakeInit {
		return r.statements()
	}
	return r.Body
}

// bindInitial calls f with all values of the parameters of an initial state, quorums among them.
func (m *Model) bindInitial(params []Field, sc *scope, f func(*scope)) {
	if len(params) == 0 {
		f(&scope{model: m, names: cloneMap(sc.names), quorums: cloneMap(sc.quorums)})
		return
	}
	p := params[0]
	if p.Type.Kind == "quorum" {
		m.bindQuorum(p, params[1:], sc, f)
		return
	}
	t, err := m.resolve(p.Type)
	if err != nil {
		panic(err)
	}
	for _, v := range t.Values() {
		sc.names[p.Name] = Value{t, []int{v}}
		m.bindInitial(params[1:], sc, f)
	}
	delete(sc.names, p.Name)
}

func (m *Model) bindQuorum(p Field, rest []Field, sc *scope, f func(*scope)) {
	role := m.types[p.Type.Name].Role
	size, err := m.constant(p.Type.Low)
	if err != nil {
		panic(err)
	}
	for set := range 1 << role.Size {
		var numbers []int
		for k := range role.Size {
			if set>>k&1 == 1 {
				numbers = append(numbers, k+1)
			}
		}
		if len(numbers) == 0 && mistake == mistakeEmpty {
			continue
		}
		if len(numbers) == size || p.Type.AtLeast && len(numbers) > size {
			sc.quorums[p.Name] = members{role, numbers}
			m.bindInitial(rest, sc, f)
		}
	}
	delete(sc.quorums, p.Name)
}

func cloneMap[V any](m map[string]V) map[string]V {
	c := map[string]V{}
	for k, v := range m {
		c[k] = v
	}
	return c
}
