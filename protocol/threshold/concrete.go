package threshold

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tacheck/protocol"
	"tacheck/ta"
)

// NoRun says why a counterexample of the automaton is none of the protocol.
type NoRun struct{ Text string }

// late is why nothing is known when a context ends.
var late = &NoRun{Text: "there was no time to play it"}

func (n *NoRun) Error() string { return n.Text }

func none(format string, args ...interface{}) error {
	return &NoRun{Text: fmt.Sprintf(format, args...)}
}

// maxProcesses bounds the instances whose runs are made: everything that can happen in a
// state is listed, for each step.
const maxProcesses = 20

// Run makes a run of the protocol, with identities, of a run of the automaton that
// violates a property: who hears from whom, and when, is chosen so that each step
// can be taken. The run is checked by the interpreter. Its error is a *NoRun if there
// is none.
func (t *Translation) Run(ctx context.Context, run *ta.Run, property string) (*protocol.Run, error) {
	params := map[string]int64{}
	for i, p := range t.Source.Params {
		if !run.Start.Params[i].IsInt64() || run.Start.Params[i].Int64() > 1000 {
			return nil, none("with %s = %s, there are too many processes", p, run.Start.Params[i])
		}
		params[p] = run.Start.Params[i].Int64()
	}
	if n, _ := t.Source.Number(t.Source.Size, params); n > maxProcesses {
		return nil, none("there are %d processes, more than %d", n, maxProcesses)
	}
	m, err := t.Source.File.Model(params)
	if err != nil {
		return nil, none("%v", err)
	}
	c := &concrete{ctx: ctx, Translation: t, params: params, m: m, run: &protocol.Run{Model: m, Property: property, Loop: -1}}
	if err := c.start(run); err != nil {
		return nil, err
	}
	prefix, loop := c.moves(run)
	for _, k := range prefix {
		if err := c.move(k, -1); err != nil {
			return nil, err
		}
	}
	p := m.Lookup(property)
	if p.Invariant == nil && run.Loop != ta.Finite {
		if err := c.loop(loop, slices.Contains(p.Fair, true)); err != nil {
			return nil, err
		}
		if err := c.run.Complete(p); err != nil {
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

type concrete struct {
	*Translation
	ctx    context.Context
	params map[string]int64
	m      *protocol.Model
	run    *protocol.Run
	at     []int                      // by process: its location; -1 for Byzantine ones
	heard  []map[string]map[int]int64 // by process and kind: what it has heard from whom
	last   int                        // who moved last
}

func (c *concrete) state() *protocol.State { return c.run.States[len(c.run.States)-1] }

// start finds the initial state.
func (c *concrete) start(run *ta.Run) error {
	for i, n := range run.Start.Counters[:len(c.Locations)] {
		for range n.Int64() {
			c.at = append(c.at, i)
		}
	}
	for len(c.at) < c.m.Processes() {
		c.at = append(c.at, -1)
	}
	if len(c.at) > c.m.Processes() {
		return none("there are %d processes, and not %d", c.m.Processes(), len(c.at))
	}
	for range c.at {
		c.heard = append(c.heard, map[string]map[int]int64{})
	}
	t := &c.m.Inits[0]
	frame := make([]int32, t.Cell(len(t.Params)))
	for i := range t.Params {
		set := uint64(0)
		for p, l := range c.at {
			if c.chosen(t.Params[i].Name, l) {
				set |= 1 << p
			}
		}
		cell := t.Cell(i)
		frame[cell], frame[cell+1] = protocol.SplitQuorum(set)
	}
	ok, err := c.run.Begin(protocol.Event{Init: true, Frame: frame})
	for p, l := range c.at {
		ok = ok && err == nil && (l < 0 || c.looks(c.state(), p, l))
	}
	if err == nil && !ok {
		err = none("there is no such initial state")
	}
	return err
}

// chosen reports whether a process that begins at a location is in a set that an initial state is
// given by.
func (c *concrete) chosen(set string, l int) bool {
	v, n := c.Source.Chosen(set)
	if v == nil {
		return l < 0 || c.Locations[l].Faulty
	}
	k := slices.IndexFunc(c.Source.Vars, func(x protocol.SourceVar) bool { return x.Name == v.Name })
	return l >= 0 && c.Locations[l].Values[k] == n
}

// looks reports whether a process is in a local state.
func (c *concrete) looks(s *protocol.State, p, l int) bool {
	loc := &c.Locations[l]
	for i := range c.Source.Vars {
		if c.cell(s, p, c.Source.Vars[i].Name) != int32(loc.Values[i]) {
			return false
		}
	}
	if c.faultyFromStart() && (c.cell(s, p, "faulty") == 1) != loc.Faulty {
		return false
	}
	return !c.crashing() || (c.cell(s, p, "crashed") == 1) == loc.Down
}

func (c *concrete) cell(s *protocol.State, p int, field string) int32 {
	for _, f := range c.m.Roles[0].State.Fields {
		if f.Name == field {
			return s.Cells[p][f.Offset]
		}
	}
	return protocol.Undef
}

// moves lists the steps of single processes, those that change nothing left out.
func (c *concrete) moves(run *ta.Run) (prefix, loop []int) {
	for i, step := range run.Steps {
		if step.Rule >= len(c.Moves) {
			continue
		}
		for range step.Factor.Int64() {
			if run.Loop != ta.Finite && i >= run.Loop {
				loop = append(loop, step.Rule)
			} else {
				prefix = append(prefix, step.Rule)
			}
		}
	}
	return prefix, loop
}

// move has some process take a step, after it has heard what that takes.
func (c *concrete) move(k, prefer int) error {
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
	if i := slices.Index(who, prefer); i > 0 {
		who[0], who[i] = who[i], who[0]
	}
	var problem error
	for _, p := range who {
		counts, ok := c.enough(p, func(h values) bool { return c.satisfied(m.Needs, h) }, nil)
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
		problem = none("nobody is at %s", c.Locations[m.From].Name)
	}
	return problem
}

func (c *concrete) satisfied(needs []linear, h values) bool {
	for _, l := range needs {
		sum := l.k
		for n, f := range l.terms {
			if v, ok := h[n]; ok {
				sum += f * v
			} else if n == crashes {
				sum += f * c.down()
			} else {
				sum += f * c.params[n]
			}
		}
		if sum < 0 {
			return false
		}
	}
	return true
}

// down counts the processes that have crashed.
func (c *concrete) down() (n int64) {
	for _, l := range c.at {
		if l >= 0 && c.Locations[l].Down {
			n++
		}
	}
	return n
}

// offered lists who has sent a process a message of a kind that it has not heard yet;
// sure says that it is sure to arrive.
func (c *concrete) offered(p int, kind string, sure bool) map[int]int64 {
	out := map[int]int64{}
	n := c.m.Processes()
	k := int32(c.kindIndex(kind))
	for q := range n {
		if _, old := c.heard[p][kind][q]; old || c.at[q] < 0 {
			continue
		}
		for _, msg := range c.state().Channels[q*n+p] {
			f := c.fields(msg)
			if f["kind"] != k || sure && c.some() && f["sure"] != 1 {
				continue
			}
			v := int64(0)
			if c.Source.Kind(kind).Valued {
				v = int64(f["val"])
			}
			out[q] = v
		}
	}
	return out
}

func (c *concrete) fields(msg protocol.Message) map[string]int32 {
	out := map[string]int32{}
	for i, v := range msg {
		out[c.m.Message.CellName(i)] = v
	}
	return out
}

// enough chooses how many of each message a process should have heard, as few as
// possible but at least those of least, so that a test is passed.
func (c *concrete) enough(p int, test func(values) bool, least map[string]int64) (map[string]int64, bool) {
	now, most := values{}, map[string]int64{}
	spare := map[string]int64{} // Byzantine processes that it has heard nothing of a kind from
	for _, k := range c.Source.Kinds {
		free := int64(0)
		for q, l := range c.at {
			if _, old := c.heard[p][k.Name][q]; l < 0 && !old {
				free++
			}
		}
		spare[k.Name] = free
		for v := k.Lo; v <= k.Hi; v++ {
			name := heard + item{k.Name, v}.name()
			for _, got := range c.heard[p][k.Name] {
				if got == v {
					now[name]++
				}
			}
			now[name] += 0
			for _, got := range c.offered(p, k.Name, false) {
				if got == v {
					most[name]++
				}
			}
		}
	}
	// As few as possible: by the total of what is added.
	var names []string
	limit := int64(0)
	for _, it := range c.items {
		names = append(names, heard+it.name())
		limit += most[heard+it.name()]
	}
	for _, f := range spare {
		limit += f
	}
	add := map[string]int64{}
	var choose func(i int, left int64, used map[string]int64) bool
	choose = func(i int, left int64, used map[string]int64) bool {
		if c.ctx.Err() != nil {
			return false
		}
		if i == len(names) {
			if left != 0 {
				return false
			}
			h := maps.Clone(now)
			for n, a := range add {
				h[n] += a
			}
			return test(h)
		}
		kind := c.items[i].kind
		for a := least[names[i]]; a <= left && a <= most[names[i]]+spare[kind]-used[kind]; a++ {
			over := max(0, a-most[names[i]])
			add[names[i]] = a
			next := maps.Clone(used)
			next[kind] += over
			if next[kind] <= spare[kind] && choose(i+1, left-a, next) {
				return true
			}
		}
		add[names[i]] = 0
		return false
	}
	for total := int64(0); total <= limit; total++ {
		if choose(0, total, map[string]int64{}) {
			return add, true
		}
	}
	return nil, false
}

// hear has a process receive messages: from correct senders first.
func (c *concrete) hear(p int, counts map[string]int64) error {
	for _, it := range c.items {
		for range counts[heard+it.name()] {
			from := -1
			offered := c.offered(p, it.kind, false)
			sure := c.offered(p, it.kind, true)
			for q := range c.at {
				if v, ok := offered[q]; ok && v == it.value {
					if _, certain := sure[q]; from < 0 || certain && !has(sure, from) {
						from = q
					}
				}
			}
			if from < 0 {
				from = slices.IndexFunc(c.at, func(l int) bool { return l < 0 })
				for from >= 0 && has(c.heard[p][it.kind], from) {
					next := slices.IndexFunc(c.at[from+1:], func(l int) bool { return l < 0 })
					if next < 0 {
						return none("nobody is left who could have sent %s", it.kind)
					}
					from += 1 + next
				}
			}
			if from < 0 {
				return none("nobody has sent %s", it.kind)
			}
			if err := c.receive(p, from, it); err != nil {
				return err
			}
		}
	}
	return nil
}

func has(m map[int]int64, q int) bool {
	_, ok := m[q]
	return ok
}

func (c *concrete) receive(p, from int, it item) error {
	valued := c.Source.Kind(it.kind).Valued
	ok, err := c.run.Extend(func(s protocol.Successor) bool {
		e := s.Event
		if e.Fate != protocol.Processed || e.Init || len(e.Packets) != 1 || e.Packets[0].From != from || e.Packets[0].Absent {
			return false
		}
		r := &c.m.Rules[e.Rule]
		if o := c.m.Origin(e.Rule); !o.Hearing() || o.Name != it.kind || c.m.Process(r, r.Executor, e.Frame) != p {
			return false
		}
		f := c.fields(e.Packets[0].Message)
		return f["kind"] == int32(c.kindIndex(it.kind)) && (!valued || f["val"] == int32(it.value))
	})
	if err == nil && !ok {
		err = none("process %d cannot receive %s from %d", p+1, it.kind, from+1)
	}
	if err != nil {
		return err
	}
	if c.heard[p][it.kind] == nil {
		c.heard[p][it.kind] = map[int]int64{}
	}
	c.heard[p][it.kind][from] = it.value
	return nil
}

// act has a process take a step.
func (c *concrete) act(p int, m *Move) error {
	origins := []protocol.Origin{{Act: protocol.ActCrash}}
	switch {
	case m.Rule >= 0 && m.crash:
		origins = []protocol.Origin{{Act: protocol.ActCrashIn, Name: c.Source.Rules[m.Rule].Label.Name}}
	case m.Rule >= 0:
		name := c.Source.Rules[m.Rule].Label.Name
		origins = []protocol.Origin{{Act: protocol.ActOwn, Name: name}, {Act: protocol.ActFaulty, Name: name}}
	case m.sends != nil:
		origins = []protocol.Origin{{Act: protocol.ActLie, Name: m.sends.kind}}
	}
	ok, err := c.run.Extend(func(s protocol.Successor) bool {
		e := s.Event
		if e.Fate != protocol.Processed || e.Init || len(e.Packets) > 0 {
			return false
		}
		r := &c.m.Rules[e.Rule]
		if !slices.Contains(origins, c.m.Origin(e.Rule)) || c.m.Process(r, r.Executor, e.Frame) != p || !c.looks(s.State, p, m.To) {
			return false
		}
		return m.Rule >= 0 || m.sends == nil || !c.Source.Kind(m.sends.kind).Valued || e.Frame[0] == int32(m.sends.value)
	})
	if err == nil && !ok {
		err = none("process %d at %s cannot do %s", p+1, c.Locations[m.From].Name, m.What)
	}
	c.at[p], c.last = m.To, p
	if c.Locations[m.To].Down {
		c.heard[p] = map[string]map[int]int64{}
	}
	return err
}

// loop closes the run: what is sure to arrive has arrived, nobody has anything to do
// that is fair, and what happens again and again comes back to where it began.
func (c *concrete) loop(moves []int, fair bool) error {
	if fair {
		for p, l := range c.at {
			if l < 0 || c.Locations[l].Down || c.Locations[l].Faulty {
				continue
			}
			if err := c.settle(p, l, moves); err != nil {
				return err
			}
		}
	}
	begin := len(c.run.Events)
	key := c.state().Key()
	if len(moves) == 0 {
		ok, err := c.run.Extend(func(s protocol.Successor) bool {
			return s.Event.Fate == protocol.Idle || s.Event.Fate == protocol.Processed && c.m.Origin(s.Event.Rule).Act == protocol.ActWait
		})
		if err == nil && !ok {
			err = none("nothing can go on for ever")
		}
		c.run.Loop = begin
		return err
	}
	const rounds = 50
	for range rounds {
		for _, k := range moves {
			if err := c.move(k, c.last); err != nil {
				return err
			}
		}
		if c.state().Key() == key {
			c.run.Loop = begin
			return nil
		}
	}
	return none("what happens again and again does not come back to where it began")
}

// settle has a process receive everything that is sure to arrive, and what else it
// takes for it to have nothing to do.
func (c *concrete) settle(p, l int, moves []int) error {
	least := map[string]int64{}
	for _, k := range c.Source.Kinds {
		for _, v := range c.offered(p, k.Name, true) {
			least[heard+item{k.Name, v}.name()]++
		}
	}
	moving := slices.ContainsFunc(moves, func(k int) bool { return c.Moves[k].From == l })
	idle := c.idle(&c.Locations[l], nil)
	counts, ok := c.enough(p, func(h values) bool {
		return moving || slices.ContainsFunc(idle, func(n all) bool { return c.satisfied(n, h) })
	}, least)
	if !ok {
		return none("a process at %s has something to do, whatever it hears", c.Locations[l].Name)
	}
	return c.hear(p, counts)
}

// cut ends a run at the first state that violates an invariant.
func (c *concrete) cut(p *protocol.Prop) {
	x := &protocol.Interpreter{Model: c.m}
	for i, s := range c.run.States {
		if holds, err := x.Holds(s, p.Invariant, p.Frame); err == nil && !holds {
			c.run.Events, c.run.States = c.run.Events[:i+1], c.run.States[:i+1]
			return
		}
	}
}
