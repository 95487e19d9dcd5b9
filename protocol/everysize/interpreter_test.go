package everysize

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// concrete evaluates nodes in a state of an instance, by the values that the interpreter has: it
// is what the encoding means.
type concrete struct {
	x       *interp.Interpreter
	m       *groundModel
	state   *protocol.State
	members map[string]uint64        // of sets
	packets map[int]protocol.Message // of quorums, by the number of the sender
}

func newConcrete(x *interp.Interpreter, e *Encoding, w *world, state *protocol.State) *concrete {
	c := &concrete{x: x, state: state, members: map[string]uint64{}, packets: map[int]protocol.Message{}}
	c.m = &groundModel{p: &prover{w: w}, values: map[*smt.Var]int64{}}
	for _, k := range x.Model.Constants {
		if l, is := e.constant[k.Name]; is && len(l.Terms()) == 1 {
			c.m.values[l.Terms()[0].Var] = k.Value
		}
	}
	c.m.lookup = c.lookup
	c.m.elements = c.elements
	return c
}

func (c *concrete) lookup(v *smt.Var) (int64, bool) {
	w := c.m.p.w
	if list, ok := w.x.about[v.Name]; ok {
		return c.first(v, func() bool {
			return !slices.ContainsFunc(list, func(f *smt.Formula) bool { return c.m.formula(f) != boolean.Yes })
		})
	}
	if s := w.free[v.Name]; s != nil && s.means != nil {
		return c.first(v, func() bool {
			return !slices.ContainsFunc(s.means, func(n node) bool { return !c.m.holds(n) })
		})
	}
	a := w.vars[v.Name]
	if a == nil {
		return 0, false
	}
	var args []int64
	for _, l := range a.args {
		x, ok := c.m.linear(l)
		if !ok {
			return 0, false
		}
		args = append(args, x)
	}
	switch {
	case a.f.leaf != nil:
		return c.cell(a.f, args), true
	case a.f.sent != nil:
		return c.sent(a, args)
	}
	if set, ok := c.members[a.f.name]; ok {
		return int64(set >> (args[0] - 1) & 1), true
	}
	return c.part(a.f, int(args[0])), true
}

// first is the value of a name for which what it means is true.
func (c *concrete) first(v *smt.Var, ok func() bool) (int64, bool) {
	for x := int64(-8); x <= 16; x++ {
		if v.Sort == smt.Bool && (x < 0 || x > 1) {
			continue
		}
		c.m.values[v] = x
		if ok() {
			return x, true
		}
	}
	delete(c.m.values, v)
	return 0, false
}

func (c *concrete) cell(f *function, args []int64) int64 {
	l := f.leaf
	r := &c.x.Roles[l.role]
	if args[0] < 1 || args[0] > int64(r.Size) {
		return 0
	}
	p := r.First + int(args[0]) - 1
	if l.status {
		return int64(c.state.Status[p])
	}
	cell, ok := offset(r.State, l, args[1:])
	v := int32(protocol.Undef)
	if ok {
		v = c.state.Cells[p][cell]
	}
	switch {
	case f.what == "def" && v == protocol.Undef, v == protocol.Undef:
		return 0
	case f.what == "def":
		return 1
	}
	return int64(v)
}

// offset is where a leaf is, for values of the indices.
func offset(t *protocol.Type, l *leaf, args []int64) (int, bool) {
	at := l.offset
	var strides []int
	var walk func(t *protocol.Type, base int)
	walk = func(t *protocol.Type, base int) {
		switch t.Kind {
		case protocol.KindRecord:
			for _, f := range t.Fields {
				if base+f.Offset <= l.offset && l.offset < base+f.Offset+f.Type.Cells {
					walk(f.Type, base+f.Offset)
				}
			}
		case protocol.KindArray:
			strides = append(strides, t.Elem.Cells)
			walk(t.Elem, base)
		}
	}
	walk(t, 0)
	for i, d := range l.dims {
		if args[i] < int64(d.Lo) || args[i] > int64(d.Hi) {
			return 0, false
		}
		at += int(args[i]-int64(d.Lo)) * strides[i]
	}
	return at, true
}

func (c *concrete) sent(a *app, args []int64) (int64, bool) {
	from, to := c.x.Roles[a.f.sent.from].First+int(args[0])-1, c.x.Roles[a.f.sent.to].First+int(args[1])-1
	var msg protocol.Message
	for i, v := range a.parts {
		x, ok := c.choice(c.m.p.w.x.message[i], v)
		if !ok {
			return 0, false
		}
		msg = append(msg, x)
	}
	is := slices.ContainsFunc(c.state.Channels[from*c.x.Processes()+to], func(m protocol.Message) bool { return slices.Equal(m, msg) })
	return bit(is), true
}

// choice is the value of a scalar, as cells have it.
func (c *concrete) choice(l *leaf, v value) (int32, bool) {
	for _, d := range v {
		if c.m.formula(d.cond) != boolean.Yes {
			continue
		}
		switch c.m.formula(d.def) {
		case boolean.No:
			return protocol.Undef, true
		case boolean.Maybe:
			return 0, false
		}
		if d.b != nil {
			b := c.m.formula(d.b)
			return int32(bit(b == boolean.Yes)), b != boolean.Maybe
		}
		x, ok := c.m.linear(d.lin)
		return int32(x), ok
	}
	return 0, false
}

func (c *concrete) part(f *function, p int) int64 {
	msg := c.packets[p]
	for i, l := range c.m.p.w.x.message {
		for name := range c.m.p.w.functions {
			if c.m.p.w.functions[name] != f {
				continue
			}
			for set := range c.members {
				if name == "msg"+set+"def"+l.name {
					return bit(msg != nil && msg[i] != protocol.Undef)
				}
				if name == "msg"+set+"val"+l.name {
					if msg == nil || msg[i] == protocol.Undef {
						return 0
					}
					return int64(msg[i])
				}
			}
		}
	}
	return 0
}

func (c *concrete) elements(d *domain, yield func(b binding) bool) {
	if d.sent == nil {
		lo, _ := c.m.linear(d.lo)
		hi, _ := c.m.linear(d.hi)
		for v := lo; v <= hi; v++ {
			if !yield(binding{one: number(smt.N(v))}) {
				return
			}
		}
		return
	}
	from, _ := c.m.linear(d.sent.from)
	to, _ := c.m.linear(d.sent.to)
	ch := (c.x.Roles[d.sent.fromRole].First+int(from)-1)*c.x.Processes() + c.x.Roles[d.sent.toRole].First + int(to) - 1
	for _, m := range c.state.Channels[ch] {
		if !yield(binding{fields: fieldsOf(c.m.p.w.x, m)}) {
			return
		}
	}
}

func fieldsOf(x *Encoding, m protocol.Message) []value {
	var out []value
	for i, l := range x.message {
		if m[i] == protocol.Undef {
			out = append(out, undefinedValue())
		} else {
			out = append(out, constantValue(l.typ, m[i]))
		}
	}
	return out
}

// many counts, in states of instances.
func (c *concrete) holds(n node) bool { return c.m.holds(n) }

// bind gives constants of a step their values.
func (c *concrete) bind(v value, x int32) {
	d := v[0]
	if d.def.Op == smt.OpVar {
		c.m.values[d.def.Var] = bit(x != protocol.Undef)
	}
	if x == protocol.Undef {
		x = 0
	}
	if d.b != nil {
		c.m.values[d.b.Var] = int64(x)
	} else {
		c.m.values[d.lin.Terms()[0].Var] = int64(x)
	}
}

// ghost makes the system of a model in which nothing is ever taken from a channel.
func ghost(m *protocol.Model, implicit bool) *interp.Interpreter {
	copied := *m
	copied.Channels.Lossy, copied.Channels.FIFO, copied.Channels.Bound = false, false, 1000
	return &interp.Interpreter{Model: &copied, Options: interp.Options{Implicit: implicit}}
}

// keptBy is a state with all that was ever sent.
func keptBy(before, after *protocol.State) *protocol.State {
	out := *after
	out.Channels = make([][]protocol.Message, len(after.Channels))
	for ch := range after.Channels {
		all := append(slices.Clone(before.Channels[ch]), after.Channels[ch]...)
		slices.SortFunc(all, func(a, b protocol.Message) int { return slices.Compare(a, b) })
		out.Channels[ch] = slices.CompactFunc(all, func(a, b protocol.Message) bool { return slices.Equal(a, b) })
	}
	return &out
}

// walk visits states at random, and calls visit for each with its successors.
func walk(x *interp.Interpreter, r *rand.Rand, steps int, visit func(s *protocol.State, next []interp.Successor, err error) error) error {
	list, err := x.Initial()
	if err != nil {
		return nil
	}
	s := list[r.IntN(len(list))].State
	for range steps {
		next, err := x.Successors(s)
		if e := visit(s, next, err); e != nil || err != nil {
			return e
		}
		n := next[r.IntN(len(next))]
		s = keptBy(s, n.State)
	}
	return nil
}

// agree holds the encoding against the interpreter in a state: what is possible, what goes wrong,
// what is true, and where steps lead.
func agree(e *Encoding, x *interp.Interpreter, s *protocol.State, next []interp.Successor, failed error, r *rand.Rand) error {
	if err := agreeOnConditions(e, x, s); err != nil {
		return err
	}
	wrong, all := false, true // all that can go wrong is looked at
	for k := range e.Model.Rules {
		t := &e.Model.Rules[k]
		all = all && !t.Quorum() && (!t.Receives() || !slices.Contains(e.statuses, int32(protocol.Byzantine)))
		for _, stopped := range []bool{false, true} {
			if stopped && (!t.Receives() || t.Quorum() || !e.stops()) {
				continue
			}
			sit := e.step(t, stopped)
			var bad error
			x.Frames(t, func(cells []int32) {
				if bad != nil || failed == nil && r.IntN(100) >= 60 {
					return
				}
				list := offers(e, x, t, s, cells, r)
				all = all && len(list) < mostOffers
				for _, msgs := range list {
					goes, err := agreeOnStep(e, x, sit, k, stopped, s, cells, msgs, next, failed != nil)
					wrong = wrong || goes
					if err != nil {
						bad = err
						return
					}
				}
			})
			if bad != nil {
				return bad
			}
		}
	}
	if wrong && failed == nil {
		return errors.New("something goes wrong in formulas only")
	}
	if failed != nil && !wrong && all {
		return fmt.Errorf("nothing goes wrong in formulas: %w", failed)
	}
	return nil
}

// mostOffers is how many messages are offered.
const mostOffers = 6

// offers lists messages to be received from the senders of a rule, some of them never sent.
func offers(e *Encoding, x *interp.Interpreter, t *protocol.Transition, s *protocol.State, cells []int32, r *rand.Rand) [][]protocol.Message {
	senders := interp.Senders(x.Model, t, cells)
	if senders == nil {
		return [][]protocol.Message{nil}
	}
	me := interp.Process(x.Model, t, t.Executor, cells)
	out := [][]protocol.Message{nil}
	for _, from := range senders {
		list := slices.Clone(s.Channels[from*x.Processes()+me])
		domain := interp.Domain(x.Message)
		list = append(list, domain[r.IntN(len(domain))])
		var more [][]protocol.Message
		for _, o := range out {
			for _, m := range list {
				if len(more) < mostOffers {
					more = append(more, append(slices.Clone(o), m))
				}
			}
		}
		out = more
	}
	return out
}

func agreeOnStep(e *Encoding, x *interp.Interpreter, sit *situation, k int, stopped bool, s *protocol.State, cells []int32, msgs []protocol.Message,
	next []interp.Successor, failed bool) (wrong bool, err error) {
	t := &e.Model.Rules[k]
	c := newConcrete(x, e, sit.w, s)
	c.parameters(sit, cells)
	senders := interp.Senders(x.Model, t, cells)
	for i, m := range msgs {
		if t.Quorum() {
			_, number := x.RoleOf(senders[i])
			c.packets[number] = m
			continue
		}
		for f, v := range sit.heard {
			c.bind(v, m[f])
		}
	}
	possible := true
	for _, n := range sit.known {
		possible = possible && c.holds(n)
	}
	goes := possible && c.holds(sit.fails)
	for _, n := range sit.guard {
		possible = possible && c.holds(n)
	}
	if failed {
		return goes, nil
	}
	fate := interp.Processed
	if stopped {
		fate = interp.Stopped
	}
	i := slices.IndexFunc(next, func(n interp.Successor) bool {
		return n.Event.Rule == k && n.Event.Fate == fate && slices.Equal(n.Event.Frame, cells) && samePackets(n.Event.Packets, msgs)
	})
	if possible != (i >= 0) {
		return goes, fmt.Errorf("rule %s %v %v (stopped %v): possible by formulas %v, by the interpreter %v", t.Label, cells, msgs, stopped, possible, i >= 0)
	}
	if i < 0 {
		return goes, nil
	}
	return goes, c.agreeAfter(e, sit, keptBy(s, next[i].State))
}

// parameters binds those of a transition.
func (c *concrete) parameters(sit *situation, cells []int32) {
	for i, p := range sit.rule.Params {
		cell := sit.rule.Cell(i)
		if p.Type.Kind == protocol.KindQuorum {
			c.members[sit.frame[cell].quorum.name] = protocol.JoinQuorum(cells[cell], cells[cell+1])
		} else {
			c.bind(sit.frame[cell].one, cells[cell])
		}
	}
}

func samePackets(list []protocol.Packet, msgs []protocol.Message) bool {
	return slices.EqualFunc(list, msgs, func(p protocol.Packet, m protocol.Message) bool { return slices.Equal(p.Message, m) })
}

// agreeAfter compares each cell and each message after a step.
func (c *concrete) agreeAfter(e *Encoding, sit *situation, after *protocol.State) error {
	for _, r := range e.roles {
		for p := 1; p <= c.x.Roles[r.index].Size; p++ {
			for _, l := range append(slices.Clone(r.leaves), r.status) {
				if err := c.agreeOnLeaf(sit, after, r, l, p); err != nil {
					return err
				}
			}
		}
	}
	for from := range c.x.Processes() {
		for to := range c.x.Processes() {
			fr, fn := c.x.RoleOf(from)
			tr, tn := c.x.RoleOf(to)
			if c.x.Message == nil {
				continue
			}
			want := len(after.Channels[from*c.x.Processes()+to])
			got := map[string]bool{}
			ch := &channel{fr, tr, smt.N(int64(fn)), smt.N(int64(tn))}
			c.holds(sit.after.v.sent(true, ch, func(b binding) node {
				return lit{smt.Lit(c.note(b, got))}
			}))
			for _, m := range after.Channels[from*c.x.Processes()+to] {
				delete(got, fmt.Sprint(m))
			}
			lost := after.Status[to] == protocol.Crashed || c.x.Model.Roles[tr].Strategy == false && after.Status[to] == protocol.Byzantine
			if len(got) > 0 && !lost {
				return fmt.Errorf("from %d to %d: %d were sent, formulas have also %v", from, to, want, got)
			}
		}
	}
	return nil
}

// note is a formula that is true, and notes that a message was asked for when it is evaluated.
func (c *concrete) note(b binding, got map[string]bool) *smt.Var {
	v := c.m.p.w.symbol("note", smt.Bool, noPool)
	c.m.p.w.free[v.Name].means = []node{top}
	old := c.m.lookup
	c.m.lookup = func(u *smt.Var) (int64, bool) {
		if u.Name != v.Name {
			return old(u)
		}
		var msg protocol.Message
		for i, f := range b.fields {
			x, _ := c.choice(c.m.p.w.x.message[i], f)
			msg = append(msg, x)
		}
		got[fmt.Sprint(msg)] = true
		return 1, true
	}
	return v
}

func (c *concrete) agreeOnLeaf(sit *situation, after *protocol.State, r *role, l *leaf, p int) error {
	var all func(i int, args []smt.Linear, numbers []int64) error
	all = func(i int, args []smt.Linear, numbers []int64) error {
		if i < len(l.dims) {
			for v := l.dims[i].Lo; v <= l.dims[i].Hi; v++ {
				if err := all(i+1, append(slices.Clone(args), smt.N(int64(v))), append(slices.Clone(numbers), int64(v))); err != nil {
					return err
				}
			}
			return nil
		}
		got, ok := c.choice(l, sit.after.v.read(l, args))
		process := c.x.Roles[r.index].First + p - 1
		want := int32(after.Status[process])
		if !l.status {
			at, _ := offset(c.x.Roles[r.index].State, l, numbers)
			want = after.Cells[process][at]
		}
		if !ok || got != want {
			return fmt.Errorf("after %s: %s%v of %d is %d (%v), not %d", sit.name, l.name, numbers, process, got, ok, want)
		}
		return nil
	}
	return all(0, []smt.Linear{smt.N(int64(p))}, nil)
}

// agreeOnConditions compares what invariants and lemmas are in a state.
func agreeOnConditions(e *Encoding, x *interp.Interpreter, s *protocol.State) error {
	for _, p := range append(slices.Clone(e.Model.Props), e.Model.Lemmas...) {
		if p.Invariant == nil {
			continue
		}
		w := newWorld(e)
		c := newConcrete(x, e, w, s)
		r := &reader{w: w, v: before{w}, made: map[string]value{}}
		want, err := x.Holds(s, p.Invariant, p.Frame)
		p.Invariant = e.said(p.Invariant)
		is, isNot, fails := r.truth(p.Invariant, nil, true), r.truth(p.Invariant, nil, false), r.fails(p.Invariant, nil)
		never := r.never(p.Invariant, nil, true)
		got := [4]bool{c.holds(is), c.holds(isNot), c.holds(fails), c.holds(never)}
		if got != [4]bool{err == nil && want, err == nil && !want, err != nil, err != nil || !want} {
			return fmt.Errorf("%s: the interpreter says %v, %v; formulas %v", p.Name, want, err, got)
		}
	}
	return nil
}

// TestInterpreter holds the encoding against the interpreter, state by state and step by step, on
// instances of the protocols of this package and on random ones.
func TestInterpreter(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 29))
	files, _ := filepath.Glob("testdata/*.ftdp")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := instantiate.Read(file, string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if seen, err := compared(m, r, 3, 12); err != nil || seen == 0 {
			t.Errorf("%s: %d states, %v", file, seen, err)
		}
	}
	done, refused := 0, 0
	for k := range need.Cases(t, 25) {
		text := random.Protocol(r)
		switch {
		case k%2 == 1:
			text = random.Kinds(r)
		case k%4 == 0:
			text = random.Sets(r)
		case k%4 == 2:
			text = random.Ordered(r)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := compared(m, r, 2, 6)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if seen == 0 {
			refused++
		} else {
			done++
		}
	}
	if done == 0 {
		t.Errorf("%d protocols are refused, and none is compared", refused)
	}
	t.Logf("%d random protocols compared, %d refused", done, refused)
}

// compared compares some states, and counts them; none if the protocol is refused.
func compared(m *protocol.Model, r *rand.Rand, walks, steps int) (seen int, err error) {
	for range walks {
		implicit := r.IntN(2) == 0
		e, err := New(m, implicit)
		if err != nil {
			return 0, nil
		}
		n, err := comparedBy(e, r, steps)
		if seen += n; err != nil {
			return seen, err
		}
	}
	return seen, nil
}

// comparedBy compares the initial states and those of a walk.
func comparedBy(e *Encoding, r *rand.Rand, steps int) (seen int, err error) {
	x := ghost(e.Model, e.Implicit)
	if err := agreeInitially(e, x); err != nil {
		return 0, err
	}
	err = walk(x, r, steps, func(s *protocol.State, next []interp.Successor, failed error) (err error) {
		defer func() {
			var refused *protocol.Unsupported
			if errors.As(err, &refused) {
				err = nil
			}
		}()
		defer diag.Caught(func(u *protocol.Unsupported) { err = u })
		seen++
		return agree(e, x, s, next, failed, r)
	})
	return seen, err
}

// TestKindsOfProtocols holds the encoding against the interpreter on protocols of one kind each.
func TestKindsOfProtocols(t *testing.T) {
	consensus, err := os.ReadFile("testdata/consensus.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		text     func(r *rand.Rand) string
		implicit bool
		steps    int
	}{
		{"consensus", func(*rand.Rand) string { return string(consensus) }, true, 12},
		{"ordered", random.Ordered, true, 6},
		{"kinds", random.Kinds, false, 4},
		{"sets", random.Sets, true, 3},
		{"restarts", random.Restarts, true, 6},
		{"member", func(*rand.Rand) string { return noMember }, true, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := 0
			for k := range need.Cases(t, 15) {
				r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)+k), 37))
				text := c.text(r)
				m, err := instantiate.Read("random.ftdp", text, nil)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				e, err := New(m, c.implicit)
				if err != nil {
					continue
				}
				n, err := comparedBy(e, r, c.steps)
				if seen += n; err != nil {
					t.Fatalf("case %d: %v\n%s", k, err, text)
				}
			}
			t.Logf("%d states", seen)
		})
	}
}

// bit is the value of a variable that is a truth value.
func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
