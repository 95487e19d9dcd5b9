package threshold

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/ta"
)

// late is why nothing is known when a context ends.
var late = &counter.NoRun{Text: "there was no time to play it"}

func none(format string, args ...any) error {
	return &counter.NoRun{Text: fmt.Sprintf(format, args...)}
}

// maxProcesses bounds the instances that are searched, and mostPlayed those whose runs are played: for each step, the
// interpreter lists everything that can happen in a state.
const maxProcesses, mostPlayed = 20, 60

// untried is why a run of the automaton is not played.
func untried(format string, args ...any) error {
	return &counter.NoRun{Text: fmt.Sprintf(format, args...), Untried: true}
}

// Run makes a run of the protocol, with identities, of a run of the automaton that violates a property. It chooses who
// hears from whom, and when, so that each step can be taken. The interpreter checks the run. The error is a
// *counter.NoRun if there is none.
func (t *Translation) Run(ctx context.Context, run *ta.Run, property string) (*interp.Run, error) {
	params, err := parameters(t.Source, run)
	if err != nil {
		return nil, err
	}
	if n := t.Source.Processes(params); n > mostPlayed {
		return nil, untried("it has %d processes, and runs of at most %d are played", n, mostPlayed)
	}
	m, err := instantiate.Model(t.Source.File, params)
	if err != nil {
		return nil, none("%v", err)
	}
	c := t.concrete(ctx, params, m, property)
	p := m.Lookup(property)
	c.fair = slices.Contains(p.Fair, true)
	loop, err := counter.Play(c, run, len(t.Locations), len(t.Moves), p.Invariant == nil)
	if err != nil {
		return nil, err
	}
	if c.run.Loop = loop; loop == len(c.run.Events) { // all stays as it is
		ok, err := c.run.Extend(func(s interp.Successor) bool {
			return s.Event.Fate == interp.Idle || s.Event.Fate == interp.Processed &&
				c.m.Origin(s.Event.Rule).Act == protocol.ActWait
		})
		if err != nil || !ok {
			return nil, cmp.Or(err, none("nothing can go on for ever"))
		}
	}
	if loop != ta.Finite {
		if err := story.Complete(c.run, p); err != nil {
			return nil, none("%v", err)
		}
	}
	if p.Invariant != nil {
		c.cut(p)
	}
	if err := c.run.Check(); err != nil {
		return nil, none("%v", err)
	}
	return c.run, nil
}

// maxParam bounds parameters of instances.
const maxParam = 1000

// parameters are those of a run, but for large ones. The error is a *counter.NoRun if there is one.
func parameters(s *parametric.Source, run *ta.Run) (params map[string]int64, err error) {
	params = map[string]int64{}
	for i, p := range s.Params {
		if v := run.Start.Params[i]; v.IsInt64() && v.Int64() <= maxParam {
			params[p] = v.Int64()
		} else if err == nil {
			err = untried("%s = %s", p, v)
		}
	}
	return params, err
}

type concrete struct {
	*Translation
	ctx    context.Context
	params map[string]int64
	m      *protocol.Model
	run    *interp.Run
	at     []int                      // by process: its location; -1 for Byzantine ones
	heard  [][]map[int]int64          // by process and channel: what it has heard from whom
	sent   []map[int]int64            // by process: the channels on which it has sent, with which value
	shared map[counter.Quantity]int64 // what shared variables of the automaton are
	last   int                        // who moved last
	fair   bool                       // fair runs are meant
	loops  bool                       // what comes is repeated
}

func (t *Translation) concrete(ctx context.Context, params map[string]int64, m *protocol.Model, property string,
) *concrete {
	return &concrete{ctx: ctx, Translation: t, params: params, m: m, shared: map[counter.Quantity]int64{},
		run: &interp.Run{Model: m, Property: property, Loop: -1}}
}

// heard is how much of each item a process has heard.
type heard map[counter.Quantity]int64

// typeOf is the type of a process.
func (c *concrete) typeOf(p int) int {
	r, _ := c.m.RoleOf(p)
	return r
}

func (c *concrete) state() *protocol.State { return c.run.States[len(c.run.States)-1] }

// Begin implements counter.Player.
func (c *concrete) Begin(counts []int64) error {
	for typ := range c.m.Roles {
		for i, n := range counts {
			if c.Locations[i].Type == typ {
				for range n {
					c.at = append(c.at, i)
				}
			}
		}
		role := c.m.Roles[typ]
		if len(c.at) > role.First+role.Size {
			return none("there are %d processes of %s, and not %d", role.Size, role.Name, len(c.at)-role.First)
		}
		for len(c.at) < role.First+role.Size {
			c.at = append(c.at, -1)
		}
	}
	for range c.at {
		c.heard = append(c.heard, make([]map[int]int64, len(c.channels)))
		c.sent = append(c.sent, map[int]int64{})
	}
	t := &c.m.Inits[0]
	frame := make([]int32, t.Cell(len(t.Params)))
	for i := range t.Params {
		set := uint64(0)
		typ, v, n := instantiate.Chosen(c.Source, t.Params[i].Name)
		role := c.m.Roles[typ]
		for p := range role.Size {
			if c.chosen(typ, v, n, c.at[role.First+p]) {
				set |= 1 << p
			}
		}
		cell := t.Cell(i)
		frame[cell], frame[cell+1] = protocol.SplitQuorum(set)
	}
	ok, err := c.run.Begin(interp.Event{Init: true, Frame: frame})
	for p, l := range c.at {
		ok = ok && err == nil && (l < 0 || c.looks(c.state(), p, l))
	}
	if err == nil && !ok {
		err = none("there is no such initial state")
	}
	return err
}

// chosen reports whether a process of a type that begins at a location is in a set that an initial state is given by.
func (c *concrete) chosen(typ int, v *parametric.SourceVar, n int64, l int) bool {
	if v == nil {
		return l < 0 || c.Locations[l].Faulty
	}
	k := slices.IndexFunc(c.Source.Types[typ].Vars, func(x parametric.SourceVar) bool { return x.Name == v.Name })
	return l >= 0 && c.Locations[l].Values[k] == n
}

// looks reports whether a process is in the local state of a location.
func (c *concrete) looks(s *protocol.State, p, l int) bool {
	loc := &c.Locations[l]
	for i, v := range c.Source.Types[loc.Type].Vars {
		if loc.Down && !c.Source.Seen(loc.Type, v.Name) {
			continue // it is forgotten
		}
		if c.cell(s, p, v.Name) != int32(loc.Values[i]) {
			return false
		}
	}
	if c.Source.Flagged(loc.Type) && (c.cell(s, p, "faulty") == 1) != loc.Faulty {
		return false
	}
	return !c.Source.MayCrash(loc.Type) || (c.cell(s, p, "crashed") == 1) == loc.Down
}

func (c *concrete) cell(s *protocol.State, p int, field string) int32 {
	for _, f := range c.m.Roles[c.typeOf(p)].State.Fields {
		if f.Name == field {
			return s.Cells[p][f.Offset]
		}
	}
	return protocol.Undef
}

// State implements counter.Player.
func (c *concrete) State() (string, int) { return c.state().Key(), len(c.run.Events) }

// Idle implements counter.Player.
func (c *concrete) Idle(int) bool { return false }

// Take implements counter.Player: some process, in a loop the one that moved last if it can.
func (c *concrete) Take(k int) error {
	if c.ctx.Err() != nil {
		return late
	}
	m := &c.Moves[k]
	var who []int
	for p, l := range c.at {
		if l == m.From {
			who = append(who, p)
		}
	}
	if i := slices.Index(who, c.last); c.loops && i > 0 {
		who[0], who[i] = who[i], who[0]
	}
	var problem error
	for _, p := range who {
		counts, ok := c.enough(p, func(h heard) bool { return c.satisfied(m.Needs, h) }, nil)
		if !ok {
			problem = none("%s at %s needs to have heard what was not sent", m.What, c.Locations[m.From].Name)
			continue
		}
		if err := c.hear(p, counts); err != nil {
			return err
		}
		return c.act(p, m)
	}
	if problem == nil {
		problem = none("no process is at %s", c.Locations[m.From].Name)
	}
	return problem
}

func (c *concrete) satisfied(needs []amount, h heard) bool {
	value := func(q counter.Quantity) int64 {
		switch {
		case q.Own():
			return h[q]
		case q.Kind == counter.Parameter:
			return c.params[c.Translation.params[q.Index]]
		}
		return c.shared[q]
	}
	return !slices.ContainsFunc(needs, func(l amount) bool { return c.guards.At(l, value) < 0 })
}

// offered lists the processes that have sent a process a message of a channel that it has not heard yet. With sure, it
// lists those whose message is sure to arrive.
func (c *concrete) offered(p, channel int, sure bool) map[int]int64 {
	out := map[int]int64{}
	n := c.m.Processes()
	ch := &c.channels[channel]
	for q := range n {
		if has(c.heard[p][channel], q) || c.at[q] < 0 || c.typeOf(q) != ch.from {
			continue
		}
		for _, msg := range c.state().Channels[q*n+p] {
			if msg[0] == int32(ch.number) && !(sure && c.unsure(msg)) {
				out[q] = c.value(ch.kind, msg)
			}
		}
	}
	return out
}

// value is the number of a message's values.
func (c *concrete) value(kind *parametric.MessageKind, msg protocol.Message) int64 {
	if !kind.Valued() {
		return 0
	}
	t := c.m.Message
	return kind.Encode(lists.Map(t.Kinds[msg[0]].Fields[:len(kind.Fields)], func(i int) int64 {
		return int64(msg[t.Fields[i].Offset])
	}))
}

// unsure reports whether a message may be lost.
func (c *concrete) unsure(msg protocol.Message) bool {
	f, has := c.m.Message.Field(protocol.SureField)
	return has && msg[f.Offset] == 0
}

// enough chooses how many messages of each item a process hears, as few as possible, but at least those of least, so
// that it passes a test.
func (c *concrete) enough(p int, test func(heard) bool, least heard) (heard, bool) {
	now := heard{}
	var items []int
	most, from, of := make([]int64, len(c.items)), make([]int64, len(c.items)), make([]int, len(c.items))
	spare := make([]int64, len(c.channels)) // Byzantine processes that it has heard nothing of a kind from
	for k, ch := range c.channels {
		items = append(items, ch.items...)
		for q, l := range c.at {
			if l < 0 && !has(c.heard[p][k], q) && c.typeOf(q) == ch.from {
				spare[k]++
			}
		}
	}
	for n, i := range items {
		it, q := c.items[i], counter.Received.Numbered(i)
		from[n], of[n] = least[q], it.channel
		for _, v := range c.heard[p][it.channel] {
			if v == it.value {
				now[q]++
			}
		}
		for _, v := range c.offered(p, it.channel, false) {
			if v == it.value {
				most[n]++
			}
		}
	}
	for more := range amounts(from, most, of, spare) {
		if c.ctx.Err() != nil {
			break
		}
		h, add := maps.Clone(now), heard{}
		for k, n := range more {
			q := counter.Received.Numbered(items[k])
			add[q] = n
			h[q] += n
		}
		if c.joined(p, h, add); test(h) {
			return add, true
		}
	}
	return nil, false
}

// amounts are how many messages of each item a process may hear: at least as many as least says, of those that were
// sent, and one of a channel from each who lies; small sums come first.
func amounts(least, sent []int64, channel []int, liars []int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		more, spare, limit := make([]int64, len(sent)), slices.Clone(liars), int64(0)
		for i, k := range channel {
			if limit += sent[i]; !slices.Contains(channel[:i], k) {
				limit += liars[k]
			}
		}
		var choose func(i int, left int64) bool
		choose = func(i int, left int64) bool {
			if i == len(sent) {
				return left > 0 || yield(more)
			}
			for n := least[i]; n <= left; n++ {
				over := max(0, n-sent[i])
				if over > spare[channel[i]] {
					break
				}
				more[i] = n
				spare[channel[i]] -= over
				on := choose(i+1, left-n)
				if spare[channel[i]] += over; !on {
					return false
				}
			}
			return true
		}
		for total := int64(0); total <= limit && choose(0, total); total++ {
		}
	}
}

// hear lets a process receive messages, those of correct senders first.
func (c *concrete) hear(p int, counts heard) error {
	for _, ch := range c.channels {
		for _, i := range ch.items {
			for range counts[counter.Received.Numbered(i)] {
				from := c.sender(p, c.items[i])
				if from < 0 {
					return none("no process is left that could have sent %s", ch.kind.Name)
				}
				if err := c.receive(p, from, c.items[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sender chooses from whom a process receives a message. It prefers a correct process whose message is sure to arrive,
// then one whose message is on its way, then a Byzantine one. It returns -1 if there is none.
func (c *concrete) sender(p int, it item) int {
	offered := c.offered(p, it.channel, false)
	sure := c.offered(p, it.channel, true)
	from, best := -1, 0
	for q := range c.at {
		if v, ok := offered[q]; ok && v == it.value {
			rank := 1
			switch {
			case !c.stopped(q) && has(sure, q):
				rank = 3
			case has(sure, q):
				rank = 2
			}
			if rank > best {
				from, best = q, rank
			}
		}
	}
	if from >= 0 {
		return from
	}
	for q, l := range c.at {
		if l < 0 && c.typeOf(q) == c.channels[it.channel].from && !has(c.heard[p][it.channel], q) {
			return q
		}
	}
	return -1
}

func has(m map[int]int64, q int) bool {
	_, ok := m[q]
	return ok
}

func (c *concrete) receive(p, from int, it item) error {
	ch := &c.channels[it.channel]
	ok, err := c.run.Extend(func(s interp.Successor) bool {
		e := s.Event
		if e.Fate != interp.Processed || e.Init || len(e.Packets) != 1 || e.Packets[0].From != from ||
			e.Packets[0].Absent {
			return false
		}
		if o := c.m.Origin(e.Rule); !o.Hearing() || o.Name != ch.kind.Name || interp.Mover(c.m, e) != p {
			return false
		}
		msg := e.Packets[0].Message
		return msg[0] == int32(ch.number) && c.value(ch.kind, msg) == it.value
	})
	if err == nil && !ok {
		err = none("process %d cannot receive %s from %d", p+1, ch.kind.Name, from+1)
	}
	if err != nil {
		return err
	}
	if c.heard[p][it.channel] == nil {
		c.heard[p][it.channel] = map[int]int64{}
	}
	c.heard[p][it.channel][from] = it.value
	return nil
}

// act lets a process take a step.
func (c *concrete) act(p int, m *Move) error {
	origins := []protocol.Origin{{Act: protocol.ActCrash}}
	switch {
	case m.Rule >= 0 && m.crash:
		origins = []protocol.Origin{{Act: protocol.ActCrashIn, Name: c.Source.Rules[m.Rule].Label.Name}}
	case m.Rule >= 0:
		name := c.Source.Rules[m.Rule].Label.Name
		origins = []protocol.Origin{{Act: protocol.ActOwn, Name: name}, {Act: protocol.ActFaulty, Name: name}}
	case m.sends != nil:
		origins = []protocol.Origin{{Act: protocol.ActLie, Name: c.channelOf(m.sends[0]).kind.Name}}
	}
	ok, err := c.run.Extend(func(s interp.Successor) bool {
		e := s.Event
		if e.Fate != interp.Processed || e.Init || len(e.Packets) > 0 {
			return false
		}
		if !slices.Contains(origins, c.m.Origin(e.Rule)) || interp.Mover(c.m, e) != p || !c.looks(s.State, p, m.To) {
			return false
		}
		return m.Rule >= 0 || m.sends == nil || c.lied(m.sends[0], e.Frame)
	})
	if err == nil && !ok {
		err = none("process %d at %s cannot do %s", p+1, c.Locations[m.From].Name, m.What)
	}
	for _, i := range m.sends {
		c.sent[p][c.items[i].channel] = c.items[i].value
	}
	for _, a := range m.adds {
		c.shared[a.Of] += a.By
	}
	c.at[p], c.last = m.To, p
	if c.Locations[m.To].Down {
		clear(c.heard[p])
	}
	return err
}

// lied reports whether the frame of a lie says a message's values.
func (c *concrete) lied(i int, frame []int32) bool {
	for f, v := range c.channelOf(i).kind.Values(c.items[i].value) {
		if int64(frame[f]) != v {
			return false
		}
	}
	return true
}

// Settle implements counter.Player: of fair runs, what is sure to arrive has arrived, and no process has a fair rule to
// take.
func (c *concrete) Settle(moves []int) (stays bool, err error) {
	for p, l := range c.at {
		if l < 0 || c.Locations[l].Down || c.Locations[l].Faulty || !c.fair {
			continue
		}
		if err := c.settle(p, l, moves); err != nil {
			return false, err
		}
	}
	c.loops = true
	return len(moves) == 0, nil
}

// settle lets a process receive everything that is sure to arrive, and what else it takes so that it has no fair rule
// to take.
func (c *concrete) settle(p, l int, moves []int) error {
	least := heard{}
	for k, ch := range c.channels {
		for _, v := range c.offered(p, k, true) {
			least[counter.Received.Numbered(c.item(ch.kind, v, ch.from))]++
		}
	}
	moving := slices.ContainsFunc(moves, func(k int) bool { return c.Moves[k].From == l })
	idle := c.idle(&c.Locations[l], nil)
	counts, ok := c.enough(p, func(h heard) bool {
		return moving || slices.ContainsFunc(idle, func(n cube) bool { return c.satisfied(n, h) })
	}, least)
	if !ok {
		at := c.Locations[l].Name
		return &counter.NoRun{Text: fmt.Sprintf("a process at %s has something to do, whatever it hears", at), Busy: at}
	}
	return c.hear(p, counts)
}

// cut ends a run at the first state that violates an invariant.
func (c *concrete) cut(p *protocol.Prop) {
	x := &interp.Interpreter{Model: c.m}
	for i, s := range c.run.States {
		if holds, err := x.Holds(s, p.Invariant, p.Frame); err == nil && !holds {
			c.run.Events, c.run.States = c.run.Events[:i+1], c.run.States[:i+1]
			return
		}
	}
}
