// Package trace asks whether a log is (part of) a run of a protocol: whether there is a run in which what the log shows
// happens in its order and with its values, and anything that it does not show happens unseen (H. Cirstea, M. Kuppe, B.
// Loillier, S. Merz, "Validating traces of distributed programs against TLA+ specifications", SEFM 2024).
//
// Package reading says what lines of a log mean; bind.go puts that together with a model. frontier.go follows the
// states that explain a log of one clock, order.go searches an order for logs of several processes, explain.go says
// what is wrong where no run explains an event. Runs are replayed by the interpreter (replay.go).
package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	DefaultKeep   = 400
	Drawn         = 12 // steps at the end, of a log that violates nothing
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

// A doubt is a message in a channel that may have been lost unseen before: when some rule still wanted it. Whether it
// was is left open until its room is needed, or until it is seen to be there. What is wanted in a node's own state can
// be lost there, and is no doubt. Where a rule receives from a quorum, whether a message is wanted depends on others
// that have to be there: what may be in doubt together is a node each.
//
// There are doubts in unordered channels only: in others a message is in the way of those behind it, and its loss
// is tried at once.
type doubt struct {
	channelMessage
	at    int64 // the time of the node in whose state it may have been lost
	rank  int   // in which order, there
	event *interp.Event
}

// channelMessage is a message in a channel.
type channelMessage struct {
	ch     int
	letter *compile.Letter
}

func (s channelMessage) compare(o channelMessage) int {
	if c := cmp.Compare(s.ch, o.ch); c != 0 || s.letter == o.letter {
		return c
	}
	return slices.Compare(s.letter.Cells, o.letter.Cells)
}

// lossConditions says of rules what loses of messages depend on.
type lossConditions struct {
	fickle  []bool // by role: what its processes want changes
	quorum  []bool // some rule receives from a quorum
	foreign bool   // guards look at other processes
}

// fullChannel is a channel in which a step has no room for all that it sends.
type fullChannel struct{ ch, sends int }

// assignedValue is what snapshots have assignedValue of variables so far.
type assignedValue struct {
	process, cell int
	value         int32
	by            *reading.Event
	before        *assignedValue
}

// replay follows a run that explains a log with the interpreter, which shares nothing with
// what found it: every step must be possible, and show what the log shows.
type replay struct {
	c      *checker
	x      *interp.Interpreter
	root   *node // the last node that has been replayed
	state  *protocol.State
	sent   []interp.Delivery // in the last step of each process, that the log has yet to show
	steps  int64
	time   int64           // steps, but for what has been lost to make room
	gone   []doubt         // that
	last   []explainedStep // Options.Keep and one more, or up to twice as many
	all    []interp.Event
	broken []*Break // by property
	given  bool     // the log gives the state in which the run begins
	looks  []*looks // by property: what an invariant looks at
	atoms  []*formulas
	// telling: the run is told, and nothing is judged.
	telling bool
	stuck   *node // from which no step explains the next event; nil if nothing is wrong
}

// explainedStep is a step with the state after it.
type explainedStep struct {
	event interp.Event
	state *protocol.State
	on    *reading.Event
}

// Break says where a property is violated along a run.
type Break struct {
	Property string
	Event    *reading.Event // that led there, or the last one before; nil at the beginning
	Step     int64          // of the run
	Told     *Told          // the last steps until there
	idle     bool           // because nothing can happen after it any more
}

// room is called for every event and every state, and is an error if too much memory is used.
func (c *checker) room() error {
	if c.work++; c.work%looked == 1 && c.o.Memory != nil && c.o.Memory() {
		return errMemory
	}
	return nil
}

// beat is called for everything that is tried, and is an error when time is up.
func (c *checker) beat() error {
	if c.beats++; c.beats%1024 != 0 {
		return nil
	}
	return c.ctx.Err()
}

// errMemory says that the limit on memory was reached.
var errMemory = fmt.Errorf("%w: memory", errTooMany)

// errTooMany says that a bound was reached: whether the log is a run is unknown.
var errTooMany = errors.New("too many states")

// errEnough ends a search.
var errEnough = errors.New("enough")

// looked is how often, in events and states, memory is looked at.
const looked = 512
