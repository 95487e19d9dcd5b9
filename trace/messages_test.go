package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/trace/reading"
)

// TestMessages: logs of random runs in which messages are sent and received, and nothing else, are explained; with
// one value changed, exactly those are that an exhaustive search with the interpreter explains, and where it
// does not, the same event is the first that no run explains.
func TestMessages(t *testing.T) {
	wanted, seed := need.Cases(t, 15), need.Seed(t, 1)
	count := map[string]int{}
	for i := 0; count["changed, no run"] < wanted; i++ {
		if i > 1000*wanted {
			t.Fatal("too few cases")
		}
		c := newMessages(uint64(seed+i), count)
		if c == nil {
			continue
		}
		if err := c.check(); err != nil {
			t.Fatalf("%s\n%s\n%s\nseed %d: %v", c.text, c.reading(), c.logText(), seed+i, err)
		}
	}
	t.Logf("%v", count)
	for _, what := range []string{"sent", "received", "dropped"} {
		if count[what] == 0 && (what != "dropped" || wanted >= 15) { // that is rare
			t.Errorf("nothing was %s", what)
		}
	}
}

// messagesCase is a random protocol with a log of messages.
type messagesCase struct {
	*randomCase
	lines []messageLine
}

// messageLine is an event: sent, or received.
type messageLine struct {
	kind     string
	from, to int
	values   map[string]any
}

func newMessages(seed uint64, count map[string]int) *messagesCase {
	base := newCase(seed, map[string]int{})
	if base == nil || base.m.Message == nil {
		return nil
	}
	base.count, base.unsound, base.hidden = count, true, true
	c := &messagesCase{randomCase: base}
	r := rand.New(rand.NewPCG(seed, 12))
	pairs := false
	for i := range c.m.Rules {
		t := &c.m.Rules[i]
		pairs = pairs || t.Receives() && !t.Quorum()
		c.silent[i] = !t.Receives() || t.Quorum()
	}
	if !pairs {
		return nil
	}
	c.lines = c.record(r, 3+r.IntN(7))
	if len(c.lines) == 0 {
		return nil
	}
	return c
}

// record takes a random run and notes messages.
func (c *messagesCase) record(r *rand.Rand, steps int) (out []messageLine) {
	list, _ := c.x.Initial()
	s := list[r.IntN(len(list))].State
	for range steps {
		next, _ := c.x.Successors(s)
		n := next[r.IntN(len(next))]
		if d, ok := c.useless(s, r); ok && r.IntN(2) == 0 {
			out = append(out, c.messageLine(r, "received", d.From, d.To, d.Message))
			c.count["dropped"]++
		}
		if n.Event.Fate == interp.Idle {
			return out
		}
		if n.Event.Fate == interp.Processed {
			t := &c.m.Rules[n.Event.Rule]
			if t.Receives() && !t.Quorum() {
				p := n.Event.Packets[0]
				out = append(out, c.messageLine(r, "received", p.From, interp.Process(c.m, t, t.Executor, n.Event.Frame), p.Message))
				c.count["received"]++
			}
			_, sent, _ := c.x.Single(s, n.Event)
			for _, d := range sent {
				if r.IntN(4) > 0 {
					out = append(out, c.messageLine(r, "sent", d.From, d.To, d.Message))
					c.count["sent"]++
				}
			}
		}
		s = n.State
	}
	return out
}

// takers reports whether a rule receives one message from one role to another.
func (c *messagesCase) takers(from, to int) bool {
	f, _ := c.m.RoleOf(from)
	t, _ := c.m.RoleOf(to)
	return slices.ContainsFunc(c.m.Rules, func(r protocol.Transition) bool {
		return r.Receives() && !r.Quorum() && r.Params[r.Executor].Type.Role == t && r.Params[r.Sender].Type.Role == f
	})
}

// taken reports whether some rule can receive this message, and no other, if there is room for what it sends.
func (c *messagesCase) taken(s *protocol.State, d interp.Delivery) (is bool) {
	for i := range c.m.Rules {
		t := &c.m.Rules[i]
		byz := s.Status[d.To] == protocol.Byzantine
		if !t.Receives() || t.Quorum() || byz != t.Strategy || s.Status[d.To] == protocol.Crashed {
			continue
		}
		c.m.Frames(t, func(cells []int32) {
			if interp.Process(c.m, t, t.Executor, cells) != d.To || interp.Process(c.m, t, t.Sender, cells) != d.From {
				return
			}
			v := int32(1)
			if t.Guard != nil {
				frame := make([]int32, t.Frame)
				copy(frame, cells)
				v, _ = c.x.Evaluate(s, t.Guard, frame, []protocol.Packet{{From: d.From, Message: d.Message}}, nil)
			}
			is = is || v == 1
		})
	}
	return is
}

func (c *messagesCase) receipt(n interp.Successor, from, to int) bool {
	if n.Event.Fate != interp.Processed {
		return false
	}
	t := &c.m.Rules[n.Event.Rule]
	return t.Receives() && !t.Quorum() && n.Event.Packets[0].From == from && interp.Process(c.m, t, t.Executor, n.Event.Frame) == to
}

// offered lists the messages that can be received from a process.
func (c *messagesCase) offered(s *protocol.State, from, to int) []protocol.Message {
	role, _ := c.m.RoleOf(from)
	if s.Status[from] == protocol.Byzantine && !c.m.Roles[role].Strategy {
		return c.all(nil)
	}
	list := s.Channels[from*c.m.Processes()+to]
	if c.m.Channels.FIFO && len(list) > 1 {
		return list[:1]
	}
	return list
}

// all lists all messages that begin with some values.
func (c *messagesCase) all(begin protocol.Message) (list []protocol.Message) {
	leaves := c.m.MessageLeaves()
	if len(begin) == len(leaves) {
		return []protocol.Message{begin}
	}
	for v := leaves[len(begin)].Lo; v <= leaves[len(begin)].Hi; v++ {
		list = append(list, c.all(append(slices.Clone(begin), v))...)
	}
	return list
}

// useless returns a message that no process can receive now.
func (c *messagesCase) useless(s *protocol.State, r *rand.Rand) (interp.Delivery, bool) {
	n := c.m.Processes()
	for _, k := range r.Perm(n * n) {
		from, to := k/n, k%n
		list := c.offered(s, from, to)
		if len(list) == 0 || !c.takers(from, to) || s.Status[to] == protocol.Crashed {
			continue
		}
		if d := (interp.Delivery{From: from, To: to, Message: list[r.IntN(len(list))]}); !c.taken(s, d) {
			return d, true
		}
	}
	return interp.Delivery{}, false
}

func (c *messagesCase) messageLine(r *rand.Rand, kind string, from, to int, m protocol.Message) messageLine {
	out := entry{values: map[string]any{}}
	c.message(out, protocol.Packet{From: from, Message: m})
	for name := range out.values {
		if r.IntN(5) == 0 {
			delete(out.values, name)
		}
	}
	return messageLine{kind, from, to, out.values}
}

func (c *messagesCase) reading() string {
	var b strings.Builder
	for i, silent := range c.silent {
		if silent {
			fmt.Fprintf(&b, "silent %s;\n", c.m.Rules[i].Label)
		}
	}
	n := len(c.m.Roles)
	for k := range n * n {
		to, from := c.m.Roles[k/n], c.m.Roles[k%n]
		for _, kind := range []string{"sent", "received"} {
			if kind == "received" && !c.takers(from.First, to.First) {
				continue
			}
			fmt.Fprintf(&b, "when $name = \"%s_%d_%d\": %s(i: %s = $to, j: %s = $from) %s;\n", kind, k/n, k%n, kind, to.ID, from.ID, strings.Join(c.messageText(), ", "))
		}
	}
	return b.String()
}

func (c *messagesCase) logText() string {
	var b strings.Builder
	for _, l := range c.lines {
		to, _ := c.m.RoleOf(l.to)
		from, _ := c.m.RoleOf(l.from)
		line := maps.Clone(l.values)
		line["name"], line["to"], line["from"] = fmt.Sprintf("%s_%d_%d", l.kind, to, from), c.names[l.to], c.names[l.from]
		data, _ := json.Marshal(line)
		fmt.Fprintf(&b, "%s\n", data)
	}
	return b.String()
}

func (c *messagesCase) verdict() (int, error) {
	r, err := reading.Parse("random.reading", c.reading())
	if err != nil {
		return 0, err
	}
	out, err := Check(context.Background(), c.m.Source, r, []Source{Bytes("log", []byte(c.logText()))}, c.how())
	if err != nil {
		return 0, err
	}
	if u := out.Unexplained; u != nil {
		return u.Event.Line - 1, nil
	}
	if out.Verdict != Explained {
		return 0, fmt.Errorf("%s: %s", out.Verdict, out.Reason)
	}
	return -1, nil
}

func (c *messagesCase) check() error {
	c.count["cases"]++
	if at, err := c.verdict(); err != nil || at >= 0 {
		return fmt.Errorf("the log of a run is not explained: event %d, %w", at+1, cause(err))
	}
	for range 3 {
		saved := slices.Clone(c.lines)
		if !c.change() {
			continue
		}
		truth, ok := c.truth()
		if !ok {
			c.count["too large"]++
			c.lines = saved
			return nil
		}
		at, err := c.verdict()
		if err != nil {
			return err
		}
		if at != truth {
			return fmt.Errorf("changed: the checker says %d, exhaustive search %d", at, truth)
		}
		c.count[map[bool]string{true: "changed, a run", false: "changed, no run"}[truth < 0]]++
		c.lines = saved
	}
	return nil
}

// change changes a value of a message, or leaves out an event.
func (c *messagesCase) change() bool {
	k := c.r.IntN(len(c.lines))
	if c.r.IntN(3) == 0 && len(c.lines) > 1 {
		c.lines = slices.Delete(slices.Clone(c.lines), k, k+1)
		return true
	}
	l := c.lines[k]
	names := slices.Sorted(maps.Keys(l.values))
	if len(names) == 0 {
		return false
	}
	name := names[c.r.IntN(len(names))]
	typ := c.typeOf(&entry{}, name)
	next := c.json(typ, typ.Lo+int32(c.r.IntN(typ.Size())))
	if next == l.values[name] {
		return false
	}
	l.values = maps.Clone(l.values)
	l.values[name] = next
	c.lines = slices.Clone(c.lines)
	c.lines[k] = l
	return true
}

// fits reports whether a message has the values of a line.
func (c *messagesCase) fits(l messageLine, m protocol.Message) bool {
	out := entry{values: map[string]any{}}
	c.message(out, protocol.Packet{Message: m})
	for name, v := range l.values {
		if out.values[name] != v {
			return false
		}
	}
	return true
}

// truth visits all states that explain the events so far, with the messages that they have yet to show. It returns
// the first event that no run explains, or -1; false if there are too many.
func (c *messagesCase) truth() (int, bool) {
	type place struct {
		s    *protocol.State
		at   int
		left []interp.Delivery
	}
	seen, most := map[string]bool{}, 0
	var queue []place
	add := func(s *protocol.State, at int, left []interp.Delivery) {
		if key := s.Key() + fmt.Sprint(at, left); !seen[key] {
			seen[key] = true
			queue = append(queue, place{s, at, left})
		}
		most = max(most, at)
	}
	list, _ := c.x.Initial()
	for _, n := range list {
		add(n.State, 0, nil)
	}
	for i := 0; i < len(queue); i++ {
		if i > 1500 {
			return 0, false
		}
		p := queue[i]
		next, _ := c.x.Successors(p.s)
		for _, n := range next {
			if n.Event.Fate == interp.Idle {
				continue
			}
			left := p.left
			if n.Event.Fate == interp.Processed {
				t := &c.m.Rules[n.Event.Rule]
				me := interp.Process(c.m, t, t.Executor, n.Event.Frame)
				_, sent, _ := c.x.Single(p.s, n.Event)
				left = append(slices.DeleteFunc(slices.Clone(left), func(d interp.Delivery) bool { return d.From == me }), sent...)
			}
			if c.unseen(n.Event) {
				add(n.State, p.at, left)
			}
			if p.at < len(c.lines) {
				if l := c.lines[p.at]; l.kind == "received" && c.receipt(n, l.from, l.to) && c.fits(l, n.Event.Packets[0].Message) {
					add(n.State, p.at+1, left)
				}
			}
		}
		if p.at == len(c.lines) {
			continue
		}
		l := c.lines[p.at]
		if l.kind == "sent" {
			for k, d := range p.left {
				if d.From == l.from && d.To == l.to && c.fits(l, d.Message) {
					add(p.s, p.at+1, slices.Delete(slices.Clone(p.left), k, k+1))
				}
			}
			continue
		}
		for _, m := range c.offered(p.s, l.from, l.to) {
			if c.fits(l, m) && p.s.Status[l.to] != protocol.Crashed && !c.taken(p.s, interp.Delivery{From: l.from, To: l.to, Message: m}) {
				add(p.s, p.at+1, p.left)
			}
		}
	}
	if most == len(c.lines) {
		return -1, true
	}
	return most, true
}
