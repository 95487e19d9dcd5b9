// Package trace asks whether a log is (part of) a run of a protocol: whether there is a run in which what the log shows
// happens in its order and with its values, and anything that it does not show happens unseen (H. Cirstea, M. Kuppe, B.
// Loillier, S. Merz, "Validating traces of distributed programs against TLA+ specifications", SEFM 2024).
//
// Package reading says what lines of a log mean; bind.go puts that together with a model. frontier.go follows the
// states that explain a log of one clock, order.go searches an order for logs of several processes, explain.go says
// what is wrong where no run explains an event. Runs are replayed by the interpreter (replay.go).
package trace

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/trace/reading"
)

// Options bound a check.
type Options struct {
	// how many states may explain a log so far, or be visited for one event; 0 for the default
	States     int
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

// checker asks of events, one after the other, whether they are a run.
type checker struct {
	r       *reading.Reading
	m       *protocol.Model
	d       *compile.Direct
	o       Options
	cases   []boundCase
	silent  []bool // by rule
	quiet   bool   // no rule is silent
	lost    bool   // losses happen unseen
	stopped bool
	names   []*nameTable
	values  map[string]map[string]int32
	tables  map[string]map[string]int64
	// ways to number processes: of each name, in the order in which those of a role appear, -1 if that is open; one nil
	// if it does not matter
	orders  [][]int32
	orderOf map[string]int
	tried   map[int]int // by how many are open: how many ways there are
	watched []watched
	shows   bool // some part is sent
	status  bool // statuses are looked at
	numbers bool // the reading numbers values
	hides   bool // messages are lost unseen, from any place in a channel
	wants   lossConditions
	tight   []fullChannel   // where what was executed last had not enough room
	short   bool            // something has been executed without enough room
	cramped bool            // and messages found none
	rough   string          // why not all is known of what may have been lost unseen; "" if it is
	ctx     context.Context // of what is being done
	beats   int
	ordered bool // the order of events was searched
	started bool // it has been looked where the log may begin
	losing  bool // messages are lost, although the reading says that losses are visible: before the log begins
	choice  bool // there may be runs in which processes are in other states

	frontier *set
	replay   *replay
	events   int64
	certain  uint64 // invariants that are violated in every order
	given    int64  // of these, those that say how the run begins
	most     int    // states that explained the log at once
	visited  int64
	work     int // since the beginning: when to look at memory
}

// watched is an invariant that is checked along the run.
type watched struct {
	prop  *protocol.Prop
	test  func(*compile.Env) bool
	sight *compile.Sight
}

// newChecker puts a reading together with a model. Its error is a diag.List, of places in the reading, or in the model.
func newChecker(ctx context.Context, m *protocol.Model, r *reading.Reading, o Options) (*checker, error) {
	if o.States == 0 {
		o.States = DefaultStates
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	b := &binder{r: r, m: m, d: compile.NewDirect(m)}
	c := &checker{r: r, m: m, d: b.d, o: o, ctx: ctx, tables: map[string]map[string]int64{}}
	for i := range r.Cases {
		bc := boundCase{ReadCase: &r.Cases[i]}
		for k := range r.Cases[i].Parts {
			if p := b.part(&r.Cases[i].Parts[k]); p != nil {
				bc.parts = append(bc.parts, p)
				c.shows = c.shows || p.Kind == reading.PartSent
			}
		}
		c.cases = append(c.cases, bc)
	}
	for i := range c.cases {
		for x := range values([]*boundCase{&c.cases[i]}) {
			c.numbers = c.numbers || x.How == "id"
		}
	}
	c.silent, c.lost, c.stopped = b.silence()
	c.quiet = !slices.Contains(c.silent, true)
	c.names, c.values = b.names()
	if err := b.list.Err(); err != nil {
		return nil, err
	}
	c.number(m.Asymmetry != nil || b.asymmetric)
	c.watch()
	c.hides = c.lost && m.Channels.Lossy && !m.Channels.FIFO
	c.wants = newWants(m)
	return c, c.begin()
}

// maxWatched is how many invariants are checked at once.
const maxWatched = 64

func (c *checker) watch() {
	for _, p := range c.o.Properties {
		if p.Invariant != nil && len(c.watched) < maxWatched {
			c.watched = append(c.watched, watched{p, c.d.Test(p.Invariant), compile.NewSight(c.m, p.Invariant)})
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
			c.status = c.status || p.Kind == reading.PartStopped
		}
	}
}

// begin makes the initial states those that explain nothing yet.
func (c *checker) begin() error {
	c.frontier, c.replay = newSet(), newReplay(c)
	var failed error
	err := c.d.Initial(c.ctx, func(e interp.Event, p *compile.Point) bool {
		n := &node{point: p, step: &step{event: e}}
		if failed = c.judge(nil, n); failed != nil {
			return false
		}
		c.frontier.add(n)
		return c.frontier.size <= c.o.States
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return c.wrongModel(nil, nil, err)
	}
	c.choice = c.frontier.several() || !c.quiet
	return nil
}

// node is a state that explains a log so far, and how.
type node struct {
	point  *compile.Point
	order  int // which way to number processes
	parent *node
	step   *step  // that led here
	bad    uint64 // watched invariants that are false somewhere on every way here
	unseen []sent // messages that were sent, and that the log has yet to show
	time   int64  // steps so far, but for what has been lost to make room
	doubts []doubt
	said   *assignedValue // where the run begins
}

// step is what happened between two nodes.
type step struct {
	event  interp.Event
	begins bool // the run begins here
	none   bool // nothing happened: something was seen
	on     *reading.Event
	part   *part
	frame  []int32
	sent   *sent   // that was seen
	gone   []doubt // what has been lost before, to make room
}

// sent is a message that a process has sent in its last step.
type sent struct {
	from, to int
	letter   *compile.Letter
}

func (n *node) hash() uint64 {
	h := n.point.Sum + uint64(n.order)*0x9e3779b97f4a7c15
	for i := range n.unseen {
		h = h*31 + uint64(n.unseen[i].from)<<20 + uint64(n.unseen[i].to)<<8
	}
	for i := range n.doubts {
		h = h*37 + uint64(n.doubts[i].ch) + 1
	}
	return h
}

func (n *node) same(m *node) bool {
	doubts := func(a, b doubt) bool { return a.compare(b.channelMessage) == 0 }
	return n.order == m.order && n.point.Same(m.point) && slices.EqualFunc(n.doubts, m.doubts, doubts) &&
		slices.EqualFunc(n.unseen, m.unseen, func(a, b sent) bool {
			return a.from == b.from && a.to == b.to && slices.Equal(a.letter.Cells, b.letter.Cells)
		})
}

// set is a set of nodes, in the order in which they were added. Those with one state differ in the invariants that are
// violated on the way: of each way there is one that violates no others.
type set struct {
	by     map[uint64][]*node
	list   []*node
	size   int
	merged bool // ways with other states have led to one
}

func newSet() *set { return &set{by: map[uint64][]*node{}} }

// several reports whether there are several ways.
func (s *set) several() bool { return s.merged || s.size > 1 }

// add adds a node, unless there is one with its state on whose way nothing is violated that holds on its own. It
// reports whether its successors have to be looked at.
func (s *set) add(n *node) bool {
	h := n.hash()
	worse := false
	for _, m := range s.by[h] {
		if m.same(n) {
			s.merged = s.merged || m.parent != n.parent
			if m.bad&^n.bad == 0 {
				return false
			}
			worse = worse || n.bad&^m.bad == 0
		}
	}
	if worse {
		is := func(m *node) bool { return n.bad&^m.bad == 0 && m.same(n) }
		s.by[h] = slices.DeleteFunc(s.by[h], is)
		s.list = slices.DeleteFunc(s.list, is)
	}
	s.by[h], s.list = append(s.by[h], n), append(s.list, n)
	s.size = len(s.list)
	return true
}

// judge notes the invariants that are false in a node's state.
func (c *checker) judge(from, n *node) error {
	if from != nil {
		n.bad = from.bad
	}
	if from != nil && n.point == from.point {
		return nil
	}
	for i := range c.watched {
		w := &c.watched[i]
		if n.bad>>i&1 != 0 || from != nil && !w.sight.Sees(from.point, n.point) {
			continue
		}
		holds := false
		if err := compile.Attempt(func() {
			e := c.d.At(n.point)
			e.Params(nil, w.prop.Frame)
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
