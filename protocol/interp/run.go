package interp

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/shorten"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/run"
)

// Run is a run of a model: an initial state, what happens, and the states that this leads to.
type Run struct {
	Model    *protocol.Model
	Options  Options
	Property string // that it violates; "" if it only leads somewhere
	Events   []Event
	First    int64             // the number of Events[0], if what came before it is not kept
	States   []*protocol.State // one for each event: States[0] is initial
	Loop     int               // position from which Events repeat, or -1
	Failure  *protocol.Failure // what goes wrong after the last state, if anything

	file *run.File // that it was read from
}

// Extend looks for a successor of the last state that a test accepts, and adds it; false if there is none.
func (r *Run) Extend(accept func(Successor) bool) (bool, error) {
	if len(r.States) == 0 {
		return r.beginWith(accept)
	}
	x := &Interpreter{Model: r.Model, Options: r.Options}
	list, err := x.Successors(r.States[len(r.States)-1])
	if err != nil {
		return false, err
	}
	for _, s := range list {
		if accept(s) {
			r.Events, r.States = append(r.Events, s.Event), append(r.States, s.State)
			return true, nil
		}
	}
	return false, nil
}

// Check replays a run from its events: every one must be possible, and the property must be violated; or exactly what
// is said to go wrong does so after the last state. A run that was read from a file must be what that says, to the last
// field. It uses the Interpreter and nothing else.
func (r *Run) Check() error {
	x := &Interpreter{Model: r.Model, Options: r.Options}
	var states []*protocol.State
	for k, e := range r.Events {
		next, err := x.after(states, e)
		if err != nil {
			return fmt.Errorf("step %d: %w", k, err)
		}
		if next == nil {
			return fmt.Errorf("step %d cannot happen: %s", k, Describe(r.Model, e))
		}
		states = append(states, next)
	}
	r.States = states
	if err := r.checkEnd(x); err != nil {
		return err
	}
	if r.file == nil {
		return nil
	}
	return r.file.Same(r.asFile())
}

// Shortened is the run without what need not happen in it: what is left does for what the run was recorded for. What is
// not possible without a step that is left out is left out, too.
func (r *Run) Shortened() *Run {
	if r.Property == "" && r.Failure == nil {
		return r
	}
	best, x := r, &Interpreter{Model: r.Model, Options: r.Options}
	shorten.Run(r.Events, r.Loop, func(events []Event, loop int) bool {
		less := &Run{Model: r.Model, Options: r.Options, Property: r.Property, Failure: r.Failure, Loop: loop}
		for k, e := range events {
			next, err := x.after(less.States, e)
			switch {
			case err != nil || next == nil && k == 0:
				return false
			case next != nil:
				less.Events, less.States = append(less.Events, e), append(less.States, next)
			case k < loop:
				less.Loop--
			}
		}
		if len(events) == 0 || less.checkEnd(x) != nil {
			return false
		}
		best = less
		return true
	})
	return best
}

// after is the state after one more event; nil if that cannot happen.
func (x *Interpreter) after(states []*protocol.State, e Event) (*protocol.State, error) {
	if len(states) == 0 {
		return x.begin(e)
	}
	return x.step(states[len(states)-1], e)
}

// checkEnd checks what the run was recorded for.
func (r *Run) checkEnd(x *Interpreter) error {
	var p *protocol.Prop
	if r.Property != "" {
		if p = r.Model.Lookup(r.Property); p == nil {
			return (&run.File{Property: r.Property}).Unknown()
		}
	}
	switch formula := p != nil && p.Invariant == nil; {
	case r.Loop >= 0 && (r.Failure != nil || !formula):
		return errors.New("only a run that violates a formula has a loop")
	case r.Failure != nil:
		return r.checkFailure(x, p)
	case len(r.States) == 0:
		return errors.New("the run has no states")
	case p == nil:
		return nil
	case formula:
		return r.checkFormula(x, p)
	}
	holds, err := x.Holds(r.States[len(r.States)-1], p.Invariant, p.Frame)
	if err == nil && holds {
		err = run.NotViolated(p.Name)
	}
	return err
}

// checkFailure checks that the failure that the run is said to end in is one: of making
// initial states if there is none, of a step after the last state, or of evaluating in it what
// the property that is named says of states, or any if none is.
func (r *Run) checkFailure(x *Interpreter, p *protocol.Prop) error {
	found := r.failures(x, p)
	for _, f := range found {
		if f.Place() == r.Failure.Place() {
			r.Failure = f
			return nil
		}
	}
	if len(found) > 0 {
		return fmt.Errorf("something else goes wrong after the last state: %s", found[0].Place())
	}
	return errors.New("nothing goes wrong after the last state")
}

// failures lists what goes wrong after the run.
func (r *Run) failures(x *Interpreter, p *protocol.Prop) (found []*protocol.Failure) {
	failing := func(_ any, err error) {
		var f *protocol.Failure
		if errors.As(err, &f) {
			found = append(found, f)
		}
	}
	if len(r.States) == 0 {
		failing(x.Initial())
		return found
	}
	last := r.States[len(r.States)-1]
	found = x.failures(last)
	for i := range r.Model.Props {
		if q := &r.Model.Props[i]; p == nil || q.Name == p.Name {
			failing(x.Holds(last, Conditions(q), q.Frame))
		}
	}
	return found
}

// Fail says that the run ends in a failure. Where processes were interchanged to find it,
// another part of the same text may be the first that fails in the last state of the run.
func (r *Run) Fail(f *protocol.Failure) {
	found := r.failures(&Interpreter{Model: r.Model, Options: r.Options}, nil)
	r.Failure = f
	if len(found) > 0 && !slices.ContainsFunc(found, func(g *protocol.Failure) bool { return g.Place() == f.Place() }) {
		r.Failure = found[0]
	}
}

// failures returns what can go wrong in a step from a state.
func (x *Interpreter) failures(s *protocol.State) (list []*protocol.Failure) {
	for k := range x.Rules {
		x.EachAssignment(&x.Rules[k], func(frame []int32) {
			var err error
			func() {
				defer protocol.Catch(&err)
				x.fire(s, k, frame, func(Event, *protocol.State) {})
			}()
			var f *protocol.Failure
			if errors.As(err, &f) {
				list = append(list, f)
			}
		})
	}
	return list
}

func (r *Run) checkFormula(x *Interpreter, p *protocol.Prop) error {
	n := len(r.States)
	if r.Loop >= n {
		return fmt.Errorf("the loop begins at step %d of %d", r.Loop, n)
	}
	if r.Loop >= 0 {
		// The last state leads back to the one before the loop.
		if r.Loop == 0 || r.States[n-1].Key() != r.States[r.Loop-1].Key() {
			return fmt.Errorf("the loop does not come back to where it began")
		}
	}
	violated, err := r.Violates(x, p)
	if err != nil {
		return err
	}
	if violated {
		if r.Loop < 0 {
			return nil
		}
		return r.checkFair(x, p)
	}
	return run.NotViolated(p.Name)
}

// Violates reports whether a formula is false of the run, fairness aside.
func (r *Run) Violates(x *Interpreter, p *protocol.Prop) (bool, error) {
	states, loop := r.States, -1
	if r.Loop >= 0 {
		states, loop = r.States[:len(r.States)-1], r.Loop-1
	}
	cases, _, err := Violation(r.Model, p, false)
	if err != nil {
		return false, err
	}
	for _, c := range cases {
		v, err := x.HoldsAlong(c.Formula, states, loop)
		if err != nil || v[0] {
			return err == nil, err
		}
	}
	return false, nil
}

// checkFair checks weak fairness: every instance of a fair rule is disabled somewhere in the loop, or executed.
func (r *Run) checkFair(x *Interpreter, p *protocol.Prop) error {
	if !slices.Contains(p.Fair, true) {
		return nil
	}
	always, err := r.Neglected(x, p)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(always)) {
		return fmt.Errorf("the loop is unfair: %s could always happen and never does", key)
	}
	return nil
}

// instance names what fairness is about: a rule with the process that moves and, if there is one, the sender.
func instance(m *protocol.Model, e Event) string {
	t := &m.Rules[e.Rule]
	name := fmt.Sprintf("%s of %s", t.Label, ProcessName(m, Process(m, t, t.Executor, e.Frame)))
	if t.Receives() && !t.Quorum() {
		name += " from " + ProcessName(m, Process(m, t, t.Sender, e.Frame))
	}
	return name
}

func (e Event) same(f Event) bool {
	if e.Fate != f.Fate || e.Init != f.Init || e.Fate != Delivered && e.Fate != Idle &&
		(e.Rule != f.Rule || !slices.Equal(e.Frame, f.Frame)) || e.To != f.To {
		return false
	}
	return slices.EqualFunc(e.Packets, f.Packets, func(a, b protocol.Packet) bool {
		return a.From == b.From && a.Absent == b.Absent && a.Kept == b.Kept && slices.Equal(a.Message, b.Message)
	})
}

// ProcessName names a process: leader 2, or just commander if there is one.
func ProcessName(m *protocol.Model, p int) string {
	r, number := m.RoleOf(p)
	if m.Roles[r].Size == 1 {
		return m.Roles[r].Name
	}
	return fmt.Sprintf("%s %d", m.Roles[r].Name, number)
}

// MessageText prints a message: (msgType=READ, propNo=1).
func MessageText(m *protocol.Model, msg protocol.Message) string {
	if msg == nil || m.Message == nil {
		return ""
	}
	if m.Made() {
		return MessageName(m, msg)
	}
	return m.Message.FormatValue(msg)
}

// MessageName prints a message in short, without names of fields: READ(1, 0).
func MessageName(m *protocol.Model, msg protocol.Message) string {
	if m.Made() && msg[0] != protocol.Undef {
		return messageOf(m, msg)
	}
	if m.Message.Kinds != nil || m.Message.HasSequence() {
		return m.Message.FormatValue(msg)
	}
	var kind string
	var rest, named []string // of fields, of which some may not be there
	absent := false
	m.Message.Leaves("", 0, func(name string, t *protocol.Type, at int) {
		switch text := t.Format(msg[at]); {
		case msg[at] == protocol.Undef:
			absent = true
		case kind == "" && t.Kind == protocol.KindEnum:
			kind = text
		default:
			rest, named = append(rest, text), append(named, strings.TrimPrefix(name, ".")+"="+text)
		}
	})
	switch {
	case len(rest) == 0 && kind != "":
		return kind
	case absent, kind == "":
		rest = named
	}
	return kind + "(" + strings.Join(rest, ", ") + ")"
}

// messageOf prints a message of an instance.
func messageOf(m *protocol.Model, msg protocol.Message) string {
	var values []string
	kind := m.Message.Kinds[msg[0]]
	for _, i := range kind.Fields {
		if f := m.Message.Fields[i]; f.Name != protocol.SureField {
			values = append(values, f.Type.Format(msg[f.Offset]))
		}
	}
	carried := ""
	if values != nil {
		carried = "(" + strings.Join(values, ", ") + ")"
	}
	return m.Source.Called(kind.Name, carried)
}

// Mover is the process that takes the step of an event.
func Mover(m *protocol.Model, e Event) int {
	t := &m.Rules[e.Rule]
	return Process(m, t, t.Executor, e.Frame)
}

// Describe says in one line what happens.
func Describe(m *protocol.Model, e Event) string {
	if e.Init {
		return label(m, e)
	}
	switch e.Fate {
	case Idle:
		return "nothing happens any more"
	case Delivered:
		return fmt.Sprintf("%s from %s arrives at %s", MessageText(m, e.Packets[0].Message),
			ProcessName(m, e.Packets[0].From), ProcessName(m, e.To))
	}
	t := &m.Rules[e.Rule]
	me := ProcessName(m, Process(m, t, t.Executor, e.Frame))
	switch e.Fate {
	case Lost:
		return fmt.Sprintf("%s from %s to %s is lost", MessageText(m, e.Packets[0].Message),
			ProcessName(m, e.Packets[0].From), me)
	case Stopped:
		return fmt.Sprintf("%s had stopped before it sent %s to %s", ProcessName(m, e.Packets[0].From),
			MessageText(m, e.Packets[0].Message), me)
	}
	return me + Does(m, e)
}

// label is what the rule of an event is called, with the values of its parameters.
func label(m *protocol.Model, e Event) string {
	return strings.TrimSpace(transition(m, e).Label + " " + Arguments(m, e))
}

// Arguments prints the parameters of an event, (v=1, w=2), but for who moves and who has sent; "" if there are none.
func Arguments(m *protocol.Model, e Event) string {
	t := transition(m, e)
	var parts []string
	for i, p := range t.Params {
		if i != t.Executor && i != t.Sender && p.Type.Kind != protocol.KindQuorum {
			parts = append(parts, p.Name+"="+p.Type.Format(e.Frame[t.Cell(i)]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// transition is the rule of an event, or the initial state.
func transition(m *protocol.Model, e Event) *protocol.Transition {
	if e.Init {
		return &m.Inits[e.Rule]
	}
	return &m.Rules[e.Rule]
}

// Change is a part of a state that an event changed.
type Change struct {
	Process       int
	Path          string // such as value[1]
	Field         string // of the variables of the process, where it is
	Before, After string
}

// Changes lists what an event changed in the states of processes.
func Changes(m *protocol.Model, before, after *protocol.State) (list []Change) {
	for p := range after.Cells {
		r, _ := m.RoleOf(p)
		if before.Status[p] != after.Status[p] {
			list = append(list, Change{p, "status", "status", before.Status[p].String(), after.Status[p].String()})
		}
		for _, f := range m.Roles[r].State.Fields {
			Parts(f.Type, m.Source.Called(f.Name, ""), f.Offset, func(path string, t *protocol.Type, at int) {
				if a, b := before.Cells[p][at:at+t.Cells], after.Cells[p][at:at+t.Cells]; !slices.Equal(a, b) {
					list = append(list, Change{p, path, f.Name, t.FormatValue(a), t.FormatValue(b)})
				}
			})
		}
	}
	return list
}

// Sent lists what an event puts into channels, in the order in which it is sent.
func Sent(m *protocol.Model, e Event, before, after *protocol.State) (list []Delivery) {
	if e.Init || e.Fate != Processed {
		return nil
	}
	n, me := m.Processes(), Mover(m, e)
	for to := range n {
		ch := me*n + to
		for _, pair := range [][2][]protocol.Message{{before.Channels[ch], after.Channels[ch]},
			{before.Sent[ch], after.Sent[ch]}} {
			old := slices.Clone(pair[0])
			for _, msg := range pair[1] {
				if i := slices.IndexFunc(old, func(o protocol.Message) bool { return slices.Equal(o, msg) }); i >= 0 {
					old = slices.Delete(old, i, i+1)
					continue
				}
				list = append(list, Delivery{me, to, msg})
			}
		}
	}
	order := mail(m, e, before)
	at := func(d Delivery) int {
		r, number := m.RoleOf(d.To)
		return slices.IndexFunc(order, func(l protocol.Letter) bool {
			return l.To == [2]int{r, number - 1} && slices.Equal(l.Message, d.Message)
		})
	}
	slices.SortStableFunc(list, func(a, b Delivery) int { return cmp.Compare(at(a), at(b)) })
	return list
}

// mail lists what an event sends, in the order of the text; what finds no room is among it.
func mail(m *protocol.Model, e Event, before *protocol.State) []protocol.Letter {
	next := before.Clone()
	for _, p := range e.Packets {
		if p.Absent {
			next.Status[p.From] = protocol.Crashed
		}
	}
	v := (&Interpreter{Model: m}).Evaluation(next, &m.Rules[e.Rule], e)
	var none error // the event has happened
	defer protocol.Catch(&none)
	v.Run(m.Rules[e.Rule].Body)
	return v.Mail()
}

// Delivery is a message on its way.
type Delivery struct {
	From, To int
	Message  protocol.Message
}

// Text returns the text of the model.
func Text(m *protocol.Model) string { return m.Source.Text() }

// Names joins the names of processes: acceptor 1, 2 and leader.
func Names(m *protocol.Model, processes []int) string {
	var list []string
	last := -1
	for _, p := range processes {
		name := ProcessName(m, p)
		role, number := m.RoleOf(p)
		if role == last && m.Roles[role].Size > 1 {
			name = fmt.Sprint(number)
		}
		list, last = append(list, name), role
	}
	return spell.List(list)
}

// Begin begins a run with the initial state that an event says; false if there is none.
func (r *Run) Begin(e Event) (bool, error) {
	s, err := (&Interpreter{Model: r.Model, Options: r.Options}).begin(e)
	if err != nil || s == nil {
		return false, err
	}
	r.Events, r.States = []Event{e}, []*protocol.State{s}
	return true, nil
}

// beginWith looks for an initial state that a test accepts: among those that differ by more
// than a permutation of processes first.
func (r *Run) beginWith(accept func(Successor) bool) (found bool, err error) {
	defer protocol.Catch(&err)
	x := &Interpreter{Model: r.Model, Options: r.Options}
	try := func(alike func(p, q int) bool) {
		x.beginnings(alike, func(s Successor) bool {
			if accept(s) {
				r.Events, r.States = append(r.Events, s.Event), append(r.States, s.State)
				found = true
			}
			return !found
		})
	}
	if alike := r.Model.Interchangeable(); alike != nil {
		try(alike)
	}
	if !found {
		try(nil)
	}
	return found, nil
}
