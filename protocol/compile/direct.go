package compile

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Direct executes rules with Rule code on states whose parts are shared and not numbered, so that nothing is
// remembered of states that are left behind: for long runs that meet no state twice. It knows message traffic M
// only, and is no good for several goroutines.
type Direct struct {
	Model *protocol.Model
	n     int
	roles []int
	rules []*Rule
	inits []*Rule
	c     Compiler
	env   Env
	salts []uint64
}

// Local is the state of a process.
type Local = Part[int32]

// Letter is a message.
type Letter = Part[int32]

// Point is a state: of processes, and of the channels [from*processes+to], in the order in which messages were sent, or
// sorted if channels are unordered. It is not changed once it is made; points share what they have in common.
type Point struct {
	Locals   []*Local
	Channels [][]*Letter
	Sum      uint64 // of all parts: equal for equal states
}

// NewDirect makes a model ready to be executed.
func NewDirect(m *protocol.Model) *Direct {
	at := NewLayout(m)
	d := &Direct{Model: m, n: m.Processes(), c: at.Compiler(), env: at.NewEnv()}
	for p := range d.n {
		r, _ := m.RoleOf(p)
		d.roles = append(d.roles, r)
	}
	for i := range m.Rules {
		d.rules = append(d.rules, d.c.Rule(&m.Rules[i]))
	}
	for i := range m.Inits {
		d.inits = append(d.inits, d.c.Rule(&m.Inits[i]))
	}
	for s := range d.n + d.n*d.n {
		d.salts = append(d.salts, hash.Mix(uint64(s)+0x51ed27))
	}
	return d
}

// Test compiles a condition, Value a term of one cell; protocol.Undef where it has no value.
func (d *Direct) Test(t *protocol.Term) func(*Env) bool { return d.c.Test(t) }

// Value compiles a term.
func (d *Direct) Value(t *protocol.Term) func(*Env) int32 { return d.c.value(t) }

// NewLetter makes a message.
func NewLetter(cells []int32) *Letter { return &Letter{Cells: cells, Digest: hash.Row(1<<40, cells)} }

// same reports whether two parts of states are equal.
func same(l, k *Part[int32]) bool {
	return l == k || l.Digest == k.Digest && l.Status == k.Status && slices.Equal(l.Cells, k.Cells)
}

func (d *Direct) local(p int, status protocol.Status, cells []int32) *Local {
	return &Local{Status: status, Cells: cells,
		Digest: hash.Mix(hash.Row(uint64(d.roles[p])<<8+uint64(status)+1, cells) ^ d.salts[p])}
}

func (d *Direct) channelSum(ch int, list []*Letter) uint64 {
	if len(list) == 0 {
		return 0
	}
	sum := uint64(0)
	for _, l := range list {
		sum = hash.Mix(sum*3 + l.Digest)
	}
	return hash.Mix(sum ^ d.salts[d.n+ch])
}

// Same reports whether two states are equal.
func (p *Point) Same(q *Point) bool {
	if p.Sum != q.Sum {
		return false
	}
	if !slices.EqualFunc(p.Locals, q.Locals, same) {
		return false
	}
	for i, c := range p.Channels {
		if !slices.EqualFunc(c, q.Channels[i], same) {
			return false
		}
	}
	return true
}

// At prepares to evaluate in a state. It is the Env of all compiled code of d.
func (d *Direct) At(p *Point) *Env {
	for i, l := range p.Locals {
		d.env.Load(i, l)
	}
	return &d.env
}

// Receive puts messages where Rule code finds them: one of a rule with a sender, or one
// of each member of a quorum. Of senders that turn out to have stopped, absent is set.
func (d *Direct) Receive(t *protocol.Transition, picked []Picked) {
	d.env.Expect(t)
	for _, p := range picked {
		d.env.Receive(t, p.From, p.Letter.Cells, p.Absent)
	}
}

// Picked is a message that a rule receives.
type Picked struct {
	From   int
	Letter *Letter
	Free   bool // a Byzantine process has made it up: it is in no channel
	Absent bool
	Kept   bool // it stays in its channel, too
}

// Initial calls yield with the initial states and the events that say how they were
// chosen, without repetitions. Its error is a *protocol.Failure, or why the context has ended.
func (d *Direct) Initial(ctx context.Context, yield func(interp.Event, *Point) bool) (err error) {
	defer protocol.Catch(&err)
	seen := map[uint64][]*Point{}
	for k := range d.inits {
		t := d.inits[k]
		d.Model.Starts(t.Transition, nil, func(cells []int32) bool {
			if ctx.Err() != nil {
				return false
			}
			if !t.Start(&d.env, cells) {
				return true
			}
			point := &Point{Locals: make([]*Local, d.n), Channels: make([][]*Letter, d.n*d.n)}
			for p := range d.n {
				point.Locals[p] = d.local(p, d.env.Status(p), slices.Clone(d.env.Cells(p)))
				point.Sum += point.Locals[p].Digest
			}
			if slices.ContainsFunc(seen[point.Sum], point.Same) {
				return true
			}
			seen[point.Sum] = append(seen[point.Sum], point)
			return yield(interp.Event{Init: true, Rule: k, Frame: slices.Clone(cells)}, point)
		})
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(seen) == 0 {
		return interp.NoInitial(d.Model)
	}
	return nil
}

// May reports whether a process may execute a rule.
func (d *Direct) May(p *Point, rule, process int) bool {
	return d.rules[rule].May(p.Locals[process].Status)
}

// Anything reports whether a process sends any messages at any time.
func (d *Direct) Anything(p *Point, process int) bool {
	return p.Locals[process].Status == protocol.Byzantine && !d.Model.Roles[d.roles[process]].Strategy
}

// Offered lists the different messages that can be received from a channel.
func (d *Direct) Offered(p *Point, from, to int) []*Letter {
	list := p.Channels[from*d.n+to]
	if d.Model.Channels.FIFO && len(list) > 1 {
		return list[:1]
	}
	for i := 1; i < len(list); i++ {
		if same(list[i], list[i-1]) {
			return slices.CompactFunc(slices.Clone(list), same)
		}
	}
	return list
}

// Guard evaluates the guard of a rule in a state, after At, Env.Frame and Receive.
func (d *Direct) Guard(rule int) (holds bool, err error) {
	defer protocol.Catch(&err)
	return d.rules[rule].Holds(&d.env), nil
}

// Execute executes a rule whose guard holds: the state after it, or nil if it has to wait
// for room. What it has sent Env.Sent tells until the next call; what conditions are evaluated
// in after At(next) is the state after it. Its error is a *protocol.Failure.
func (d *Direct) Execute(p *Point, rule int, frame []int32, picked []Picked) (next *Point, err error) {
	t, e := d.rules[rule], d.At(p)
	e.Params(frame, t.Frame)
	e.Begin() // what was sent before may still be looked at: its room is not used again
	if t.Receives() {
		d.Receive(t.Transition, picked)
	}
	for _, m := range picked {
		if m.Absent && !m.Free {
			e.Crash(m.From, true)
		}
	}
	err = Attempt(func() { t.Execute(e) })
	for q, changed := range e.changed {
		if changed {
			e.loaded[q] = nil
		}
	}
	if err != nil {
		return nil, err
	}
	next = &Point{Locals: slices.Clone(p.Locals), Channels: slices.Clone(p.Channels), Sum: p.Sum}
	for q := range d.n {
		if e.changed[q] {
			d.put(next, q, d.local(q, e.Status(q), slices.Clone(e.Cells(q))))
		}
	}
	me := interp.Process(d.Model, t.Transition, t.Executor, frame)
	sent, blocked := make([]int, d.n), false
	e.Sent(func(to int, m []int32) {
		if next.Locals[to].Status == protocol.Crashed || d.Anything(next, to) {
			return
		}
		ch := me*d.n + to
		if len(p.Channels[ch])+sent[to] >= d.Model.Channels.Bound {
			blocked = blocked || !d.Model.Channels.Lossy
			return
		}
		sent[to]++
		d.add(next, ch, NewLetter(slices.Clone(m)))
	})
	if blocked {
		return nil, nil
	}
	for _, m := range picked {
		if !m.Free && !m.Kept {
			d.take(next, m.From*d.n+me, m.Letter)
		}
	}
	return next, nil
}

func (d *Direct) put(p *Point, q int, l *Local) {
	p.Sum += l.Digest - p.Locals[q].Digest
	p.Locals[q] = l
}

func (d *Direct) add(p *Point, ch int, l *Letter) {
	list := p.Channels[ch]
	at := len(list)
	if !d.Model.Channels.FIFO {
		at, _ = slices.BinarySearchFunc(list, l, func(a, b *Letter) int { return slices.Compare(a.Cells, b.Cells) })
	}
	d.channel(p, ch, slices.Insert(slices.Clone(list), at, l))
}

func (d *Direct) channel(p *Point, ch int, list []*Letter) {
	p.Sum += d.channelSum(ch, list) - d.channelSum(ch, p.Channels[ch])
	p.Channels[ch] = list
}

// take removes a message from a channel of a state that is not shared.
func (d *Direct) take(p *Point, ch int, l *Letter) {
	i := slices.IndexFunc(p.Channels[ch], func(k *Letter) bool { return same(l, k) })
	d.channel(p, ch, slices.Delete(slices.Clone(p.Channels[ch]), i, i+1))
}

// Lose returns the state in which a message has left its channel and nothing else has
// happened; if stop is set, its sender has turned out to have stopped.
func (d *Direct) Lose(p *Point, from, to int, l *Letter, stop bool) *Point {
	next := &Point{Locals: p.Locals, Channels: slices.Clone(p.Channels), Sum: p.Sum}
	if stop {
		next.Locals = slices.Clone(p.Locals)
		d.put(next, from, d.local(from, protocol.Crashed, p.Locals[from].Cells))
	}
	d.take(next, from*d.n+to, l)
	return next
}

// With returns a state in which some processes have other variables.
func (d *Direct) With(p *Point, cells map[int][]int32) *Point {
	next := &Point{Locals: slices.Clone(p.Locals), Channels: p.Channels, Sum: p.Sum}
	for q, list := range cells {
		d.put(next, q, d.local(q, p.Locals[q].Status, list))
	}
	return next
}

// State returns a state as the interpreter has it.
func (d *Direct) State(p *Point) *protocol.State {
	s := &protocol.State{Channels: make([][]protocol.Message, d.n*d.n), Sent: make([][]protocol.Message, d.n*d.n)}
	for _, l := range p.Locals {
		s.Cells, s.Status = append(s.Cells, slices.Clone(l.Cells)), append(s.Status, l.Status)
	}
	for ch, list := range p.Channels {
		for _, l := range list {
			s.Channels[ch] = append(s.Channels[ch], slices.Clone(l.Cells))
		}
	}
	return s
}

// Sees reports whether a term reads something that is different in two states of
// processes; next comes after p.
func (v *Sight) Sees(p, next *Point) bool {
	for q, l := range next.Locals {
		if old := p.Locals[q]; old != l {
			if v.status[q] && old.Status != l.Status {
				return true
			}
			for _, cell := range v.cells[q] {
				if old.Cells[cell] != l.Cells[cell] {
					return true
				}
			}
		}
	}
	return false
}

// Sight is what a term looks at.
type Sight struct {
	status []bool  // by process
	cells  [][]int // by process
}

// NewSight returns what a term looks at.
func NewSight(m *protocol.Model, t *protocol.Term) *Sight {
	s := &Sight{make([]bool, m.Processes()), make([][]int, m.Processes())}
	l := NewLayout(m)
	l.Compiler().Reads(t, func(at int) {
		switch p, cell := l.Owner(at); {
		case cell < 0:
			s.status[p] = true
		case !slices.Contains(s.cells[p], cell):
			s.cells[p] = append(s.cells[p], cell)
		}
	})
	return s
}

// Env returns what Rule code works on, as it was left.
func (d *Direct) Env() *Env { return &d.env }
