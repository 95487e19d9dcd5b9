package trace

import (
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/machine"
)

// Options bound a check.
type Options struct {
	States     int              // how many states may explain a log so far, or be visited for one event; 0 for the default
	Properties []*protocol.Prop // checked along the run
	Keep       int              // how many steps at the end are kept with their states; 0 for the default
	All        bool             // all steps are kept, as events
	Memory     func() bool      // reports whether too much is used; nil for no limit
}

// The defaults.
const (
	DefaultStates = 200_000
	DefaultKeep   = 12
)

// Checker asks of events, one after the other, whether they are a run.
type Checker struct {
	r       *Reading
	m       *protocol.Model
	d       *machine.Direct
	o       Options
	cases   []boundCase
	silent  []bool // by rule
	quiet   bool   // no rule is silent
	lost    bool   // losses happen unseen
	stopped bool
	names   []*nameTable
	values  map[string]map[string]int32
	tables  map[string]map[string]int64
	orders  [][]int32 // which process is called by which name; one nil if it does not matter
	watched []watched
	shows   bool // some part is sent
	status  bool // statuses are looked at
	numbers bool // the reading numbers values

	frontier *set
	replay   *replay
	events   int64
	most     int // states that explained the log at once
	visited  int64
	starts   int // initial states
	work     int // since the beginning: when to look at memory
}

// watched is an invariant that is checked along the run.
type watched struct {
	prop  *protocol.Prop
	test  func(*machine.Env) bool
	sight *machine.Sight
}

// maxOrders bounds the ways to number processes that are tried.
const maxOrders = 5040

// NewChecker puts a reading together with a model. Its error is a diag.List, of places in
// the reading, or in the model.
func NewChecker(m *protocol.Model, r *Reading, o Options) (*Checker, error) {
	if o.States == 0 {
		o.States = DefaultStates
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	b := &binder{r: r, m: m, d: machine.NewDirect(m)}
	c := &Checker{r: r, m: m, d: b.d, o: o, tables: map[string]map[string]int64{}, numbers: r.hasIDs()}
	for i := range r.cases {
		bc := boundCase{readCase: &r.cases[i]}
		for k := range r.cases[i].parts {
			if p := b.part(&r.cases[i].parts[k]); p != nil {
				bc.parts = append(bc.parts, p)
				c.shows = c.shows || p.kind == partSent
			}
		}
		c.cases = append(c.cases, bc)
	}
	c.silent, c.lost, c.stopped = b.silence()
	c.quiet = !slices.Contains(c.silent, true)
	c.names, c.values = b.names()
	if err := b.list.Err(); err != nil {
		return nil, err
	}
	if err := c.number(m.Asymmetry != nil || b.asymmetric); err != nil {
		return nil, err
	}
	c.watch()
	return c, c.begin()
}

// number lists the ways to number the processes that the log names.
func (c *Checker) number(matters bool) error {
	if !matters {
		c.orders = [][]int32{nil}
		return nil
	}
	c.orders = [][]int32{make([]int32, 0, c.m.Processes())}
	for _, t := range c.names {
		var next [][]int32
		for _, order := range c.orders {
			permutations(t, func(p []int32) { next = append(next, append(slices.Clone(order), p...)) })
			if len(next) > maxOrders {
				return fmt.Errorf("%s tells processes apart, and there are more than %d ways to say which of them a name is: say so in the reading (process %s \"a\" is 1, ...)", c.m.File, maxOrders, t.role.ID)
			}
		}
		c.orders = next
	}
	return nil
}

// permutations calls yield with all ways to number the processes of a role: one if names are
// numbers, or some names have numbers.
func permutations(t *nameTable, yield func([]int32)) {
	p := make([]int32, t.role.Size)
	for i := range p {
		p[i] = int32(i)
	}
	if t.own || t.fixed {
		yield(p)
		return
	}
	var choose func(i int)
	choose = func(i int) {
		if i == len(p) {
			yield(p)
			return
		}
		for k := i; k < len(p); k++ {
			p[i], p[k] = p[k], p[i]
			choose(i + 1)
			p[i], p[k] = p[k], p[i]
		}
	}
	if t.role.Size > 7 {
		for range maxOrders + 1 { // more than can be tried
			yield(p)
		}
		return
	}
	choose(0)
}

// maxWatched is how many invariants are checked at once.
const maxWatched = 64

func (c *Checker) watch() {
	for _, p := range c.o.Properties {
		if p.Invariant != nil && len(c.watched) < maxWatched {
			c.watched = append(c.watched, watched{p, c.d.Test(p.Invariant), machine.NewSight(c.m, p.Invariant)})
		}
	}
	note := func(t *protocol.Term) {
		c.status = c.status || t.Base == protocol.BaseStatus || t.Base == protocol.BaseWhole
	}
	for i := range c.m.Rules {
		c.m.Rules[i].Touch(func(t *protocol.Term, _ bool) { note(t) })
	}
	for _, p := range c.o.Properties {
		if p.Invariant != nil {
			p.Invariant.Places(note)
		}
	}
	for i := range c.cases {
		for _, p := range c.cases[i].parts {
			for _, list := range [][]check{p.before, p.after} {
				for k := range list {
					list[k].term.Places(note)
				}
			}
			c.status = c.status || p.kind == partStopped
		}
	}
}

// begin makes the initial states those that explain nothing yet.
func (c *Checker) begin() error {
	c.frontier = newSet()
	var failed error
	err := c.d.Initial(func(e protocol.Event, p *machine.Point) bool {
		for k := range c.orders {
			n := &node{point: p, order: k, step: &step{event: e}}
			if failed = c.judge(nil, n); failed != nil {
				return false
			}
			c.frontier.add(n)
		}
		return c.frontier.size <= c.o.States
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return c.wrongModel(nil, err)
	}
	c.starts = c.frontier.size
	c.replay = newReplay(c)
	return nil
}

// node is a state that explains a log so far, and how.
type node struct {
	point  *machine.Point
	order  int // which way to number processes
	parent *node
	step   *step  // that led here
	bad    uint64 // watched invariants that are false somewhere on every way here
	unseen []sent // messages that were sent, and that the log has yet to show
}

// step is what happened between two nodes.
type step struct {
	event protocol.Event
	none  bool // nothing happened: something was seen
	on    *Event
	part  *part
	frame []int32
	sent  *sent // that was seen
}

// sent is a message that a process has sent in its last step.
type sent struct {
	from, to int
	letter   *machine.Letter
}

func (n *node) hash() uint64 {
	h := n.point.Sum + uint64(n.order)*0x9e3779b97f4a7c15
	for i := range n.unseen {
		h = h*31 + uint64(n.unseen[i].from)<<20 + uint64(n.unseen[i].to)<<8
	}
	return h
}

func (n *node) same(m *node) bool {
	return n.order == m.order && len(n.unseen) == len(m.unseen) && n.point.Same(m.point) && slices.EqualFunc(n.unseen, m.unseen, func(a, b sent) bool {
		return a.from == b.from && a.to == b.to && slices.Equal(a.letter.Cells, b.letter.Cells)
	})
}

// set is a set of nodes with different states, in the order in which they were added.
type set struct {
	by   map[uint64][]*node
	list []*node
	size int
}

func newSet() *set { return &set{by: map[uint64][]*node{}} }

// add adds a node; of two with the same state, the one that was first is kept, and an
// invariant counts as violated only if it is on both ways. It returns the node whose
// successors have to be looked at (again), or nil.
func (s *set) add(n *node) *node {
	h := n.hash()
	for _, m := range s.by[h] {
		if m.same(n) {
			if m.bad&n.bad == m.bad {
				return nil
			}
			m.bad &= n.bad
			return m
		}
	}
	s.by[h] = append(s.by[h], n)
	s.list = append(s.list, n)
	s.size++
	return n
}

// judge notes the invariants that are false in a node's state.
func (c *Checker) judge(from, n *node) error {
	if from != nil {
		n.bad = from.bad
	}
	if from != nil && n.point == from.point {
		return nil
	}
	for i := range c.watched {
		w := &c.watched[i]
		if n.bad>>i&1 != 0 || from != nil && !w.sight.Sees(c.d, from.point, n.point) {
			continue
		}
		holds := false
		if err := machine.Attempt(func() {
			e := c.d.At(n.point)
			e.Frame(nil, w.prop.Frame)
			holds = w.test(e)
		}); err != nil {
			return &unjudged{n, err}
		}
		if !holds {
			n.bad |= 1 << i
		}
	}
	return nil
}

// unjudged says that a property has no value in a state, which is an error in the model.
type unjudged struct {
	node *node // nil if the replay is there
	err  error
}

func (e *unjudged) Error() string { return e.err.Error() }

// wrongModel is an error in the model, with the run that leads there.
func (c *Checker) wrongModel(n *node, err error) error {
	if u, is := err.(*unjudged); is {
		n, err = u.node, u.err
	}
	f, ok := err.(*protocol.Failure)
	if !ok {
		return err
	}
	run := &protocol.Run{Model: c.m, Loop: -1, Failure: f}
	if n != nil {
		if told, err := c.replay.until(n); err == nil {
			run.Events, run.States = told.Events, told.States
		}
	}
	return &machine.ModelError{Failure: f, Run: run}
}
