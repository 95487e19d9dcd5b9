package story

import (
	"cmp"
	std "context" // context is a type of this package
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// Twin is a run again without faults and losses: the same steps, one by one, as far as they are possible.
type Twin struct {
	Run *interp.Run // Property is "": it is no counterexample
	// steps that are not possible then, and what their guards see, or which other ones are in their place
	Cannot []string
	Says   string // what becomes of the property; "" if that is not known

	violates bool // the property, for sure
}

// Bounds of a twin: steps of processes that were faulty between two of the run, and steps at its end.
const (
	mostAhead  = 40
	mostBehind = 400
)

// fault is what goes wrong in a run: a step, or, from the start, a process.
type fault struct{ step, process int }

// Without makes the twin of a run; nil if nothing is faulty in it. Processes that were faulty begin as correct ones:
// what they have as input is what all others have, where these have the same, else the first value. They take steps of
// their own where one of the run waits for that. A run that violates a formula goes on, after its last step, until
// nothing has to happen any more. It costs as much as finding the successors of the states in which what happens in the
// run is not possible, and of those behind its end. Its error is the Interpreter's, about the run itself, or the cause
// of ctx's end.
func Without(r *interp.Run, ctx std.Context) (*Twin, error) {
	return without(r, ctx, func(fault) bool { return true })
}

// without is the twin without some of the faults.
func without(r *interp.Run, ctx std.Context, undone func(fault) bool) (out *Twin, err error) {
	defer protocol.Catch(&err)
	if len(r.States) == 0 {
		return nil, nil
	}
	t := &replayedCopy{ctx: ctx, from: r, x: (&interp.Interpreter{Model: r.Model, Options: r.Options}).Heeding(ctx),
		undone: undone, healed: map[int]bool{}}
	t.Run = &interp.Run{Model: r.Model, Options: r.Options, Loop: -1, Events: []interp.Event{r.Events[0]},
		States: []*protocol.State{t.start()}}
	steps := 0
	for k, e := range r.Events {
		if k == 0 || e.Fate == interp.Idle ||
			e.Fate == interp.Processed && r.Model.Origin(e.Rule).Act == protocol.ActWait {
			continue
		}
		f, is := faultOf(r, k)
		undo := is && undone(f)
		if undo {
			steps++
		}
		if undo && !t.ofText(e) {
			continue
		}
		if (undo || !t.exactly(e)) && (is && !undo || !t.follow(e) && !t.ahead(e)) {
			t.Cannot = append(t.Cannot, t.cannot(k, e))
		} else if did := t.Run.Events[len(t.Run.Events)-1]; !t.same(did, e) {
			t.Cannot = append(t.Cannot, fmt.Sprintf("step %d: %s; in its place %s", k,
				interp.Describe(t.x.Model, e), interp.Describe(t.x.Model, did)))
		}
	}
	if steps == 0 && len(t.healed) == 0 {
		return nil, nil
	}
	t.conclude()
	return &t.Twin, nil
}

// faultOf is the fault that a step is, or is part of; false if it is none.
func faultOf(r *interp.Run, k int) (fault, bool) {
	e := r.Events[k]
	switch {
	case e.Init:
	case e.Fate == interp.Lost:
		return fault{step: k}, true
	case e.Fate == interp.Stopped:
		return fault{process: e.Packets[0].From}, true
	case e.Fate == interp.Processed:
		t := &r.Model.Rules[e.Rule]
		switch act := r.Model.Origin(e.Rule).Act; {
		case act == protocol.ActCrash || act == protocol.ActCrashIn || t.Restart:
			return fault{step: k}, true
		case act == protocol.ActLie || act == protocol.ActFaulty || t.Strategy:
			return fault{process: mover(r, k)}, true
		}
	}
	return fault{}, false
}

// faultAt reports whether a step is a fault by itself: a message is lost, a process stops, lies, or restarts.
func (x *explainer) faultAt(k int) bool {
	e := x.Events[k]
	_, is := faultOf(x.Run, k)
	return is && (e.Fate != interp.Processed || !x.Model.Rules[e.Rule].Strategy)
}

// spared are faults of a run that it does without: with all of them undone, it, with what comes behind its end, still
// violates what it violates. Those that matter are undone last.
func spared(r *interp.Run, matters func(fault) bool) func(fault) bool {
	var list []fault
	for p := range r.Model.Processes() {
		if p := (fault{process: p}); faultyFrom(r, p.process) {
			list = append(list, p)
		}
	}
	for k := range r.Events[1:] {
		if f, is := faultOf(r, k+1); is && f.step > 0 {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b fault) int {
		return cmp.Compare(protocol.Truth(matters(a)), protocol.Truth(matters(b)))
	})
	var gone []fault
	for next := range slices.Chunk(list, 1+(len(list)-1)/mostFaults) {
		some := slices.Concat(gone, next)
		t, err := without(r, std.Background(), func(f fault) bool { return slices.Contains(some, f) })
		if err == nil && t != nil && t.violates {
			gone = some
		}
	}
	return func(f fault) bool { return slices.Contains(gone, f) }
}

// mostFaults is how many faults of a run are looked at one by one; more are in groups.
const mostFaults = 20

type replayedCopy struct {
	Twin
	ctx    std.Context
	from   *interp.Run
	x      *interp.Interpreter
	undone func(fault) bool
	healed map[int]bool // processes that were faulty
}

func (t *replayedCopy) last() *protocol.State { return t.Run.States[len(t.Run.States)-1] }

func (t *replayedCopy) take(s interp.Successor) {
	t.Run.Events, t.Run.States = append(t.Run.Events, s.Event), append(t.Run.States, s.State)
}

// start is the first state of the run, with all processes correct.
func (t *replayedCopy) start() *protocol.State {
	m := t.x.Model
	s := t.from.States[0].Clone()
	for p := range s.Cells {
		if !faultyFrom(t.from, p) || !t.undone(fault{process: p}) {
			continue
		}
		s.Status[p], t.healed[p] = protocol.Correct, true
		for _, f := range flagsOf(m, p) {
			s.Cells[p][f.Offset] = 0
		}
	}
	switch {
	case len(t.healed) == 0:
	case m.Made():
		t.inputs(s)
	default:
		t.borrow(s)
	}
	return s
}

// faultyFrom reports whether a process is faulty from the start.
func faultyFrom(r *interp.Run, p int) bool {
	return r.States[0].Status[p] != protocol.Correct || slices.ContainsFunc(flagsOf(r.Model, p),
		func(f protocol.TypeField) bool { return r.States[0].Cells[p][f.Offset] == 1 })
}

// faulty reports whether a process does not do what its rules say, at the end.
func (x *explainer) faulty(process int) bool {
	last := x.states[len(x.states)-1]
	return last.Status[process] == protocol.Crash || x.failed(process, last)
}

// failed reports whether a process has crashed in a state, or does there what it likes.
func (x *explainer) failed(process int, s *protocol.State) bool {
	if s.Status[process] == protocol.Crashed || s.Status[process] == protocol.Byzantine {
		return true
	}
	return slices.ContainsFunc(flagsOf(x.Model, process), func(f protocol.TypeField) bool {
		return x.Model.Origins.Flags[f.Name] != "" && s.Cells[process][f.Offset] == 1
	})
}

// flagsOf are the variables of a process that say that it is faulty.
func flagsOf(m *protocol.Model, p int) (list []protocol.TypeField) {
	r, _ := m.RoleOf(p)
	for _, name := range slices.Sorted(maps.Keys(m.Origins.Flags)) {
		if f, ok := m.Roles[r].State.Field(name); ok {
			list = append(list, f)
		}
	}
	return list
}

// borrow gives processes that were faulty, and so have no initial values, those of an initial state in
// which they are correct.
func (t *replayedCopy) borrow(s *protocol.State) {
	left := maps.Clone(t.healed)
	err := t.x.EachInitial(t.ctx, true, func(i interp.Successor) bool {
		for p := range left {
			if i.State.Status[p] != protocol.Correct {
				continue
			}
			delete(left, p)
			for k := range s.Cells[p] {
				if s.Cells[p][k] == protocol.Undef {
					s.Cells[p][k] = i.State.Cells[p][k]
				}
			}
		}
		return len(left) > 0
	})
	t.ended(err)
	if err != nil {
		panic(err) // which catch takes
	}
}

// ended ends everything if the time has come.
func (t *replayedCopy) ended(err error) {
	if err != nil && t.ctx.Err() != nil {
		panic(protocol.Halt{Err: err})
	}
}

// inputs gives processes that were faulty the input that all others of their type have, where there is one.
func (t *replayedCopy) inputs(s *protocol.State) {
	source, err := parametric.Of(t.x.Source)
	if err != nil {
		panic(err) // which catch takes
	}
	for typ := range source.Types {
		for i := range source.Types[typ].Vars {
			v := &source.Types[typ].Vars[i]
			f, ok := t.x.Roles[typ].State.Field(v.Name)
			if !ok || !v.Input {
				continue
			}
			var values []int32
			for p := range s.Cells {
				if r, _ := t.x.RoleOf(p); r == typ && !t.healed[p] && !slices.Contains(values, s.Cells[p][f.Offset]) {
					values = append(values, s.Cells[p][f.Offset])
				}
			}
			for p := range t.healed {
				if r, _ := t.x.RoleOf(p); r == typ && len(values) == 1 {
					s.Cells[p][f.Offset] = values[0]
				}
			}
		}
	}
}

// ofText reports whether an event is a rule of the text, which a process takes that crashes in it, or is faulty.
func (t *replayedCopy) ofText(e interp.Event) bool {
	if e.Fate != interp.Processed {
		return false
	}
	act := t.x.Origin(e.Rule).Act
	return act == protocol.ActCrashIn || act == protocol.ActFaulty
}

// exactly takes a step of the run as it was; false if that is not possible.
func (t *replayedCopy) exactly(e interp.Event) bool {
	s, _, err := t.x.Single(t.last(), e)
	if err == nil {
		t.take(interp.Successor{Event: e, State: s})
	}
	return err == nil
}

// possible yields what can happen after the last state, faults aside, and what faulty processes make up, until yield
// returns false. It returns false if a step of the text goes wrong: then nothing follows.
func (t *replayedCopy) possible(yield func(interp.Successor) bool) bool {
	err := t.x.EachSuccessor(t.ctx, t.last(), func(s interp.Successor) bool {
		_, is := faultOf(&interp.Run{Model: t.x.Model, Events: []interp.Event{s.Event}}, 0)
		return is || slices.ContainsFunc(s.Event.Packets, func(p protocol.Packet) bool {
			return p.Absent || t.x.Anything(t.last(), p.From)
		}) || yield(s)
	})
	t.ended(err)
	return err == nil
}

// follow takes the step that is most like one of the run; false if there is none.
func (t *replayedCopy) follow(e interp.Event) bool {
	best, at := -1, interp.Successor{}
	right := t.possible(func(s interp.Successor) bool {
		if n := t.likeness(s.Event, e); n > best {
			best, at = n, s
		}
		return true
	})
	if !right || best < 0 {
		return false
	}
	t.take(at)
	return true
}

// likeness says how many messages of an event are those of another; -1 if it is another step, of another process or by
// another rule.
func (t *replayedCopy) likeness(a, b interp.Event) (n int) {
	if a.Fate != b.Fate || a.To != b.To && a.Fate == interp.Delivered {
		return -1
	}
	if a.Fate == interp.Processed {
		from, to := t.x.Origin(a.Rule), t.x.Origin(b.Rule)
		if from.Name != to.Name || from.Hearing() != to.Hearing() || t.executor(a) != t.executor(b) {
			return -1
		}
		if slices.Equal(a.Frame, b.Frame) {
			n++
		}
	}
	one := a.Fate == interp.Delivered || !t.x.Rules[a.Rule].Quorum()
	for _, p := range a.Packets {
		same := slices.IndexFunc(b.Packets, func(q protocol.Packet) bool { return q.From == p.From })
		switch {
		case same >= 0 && slices.Equal(b.Packets[same].Message, p.Message):
			n += 4
		case same >= 0:
			n++
		case one: // a message of another process
			return -1
		}
	}
	return n
}

// same reports whether events receive the same messages, from the same processes.
func (t *replayedCopy) same(a, b interp.Event) bool {
	return slices.EqualFunc(a.Packets, b.Packets,
		func(p, q protocol.Packet) bool { return p.From == q.From && slices.Equal(p.Message, q.Message) })
}

func (t *replayedCopy) executor(e interp.Event) int { return interp.Mover(t.x.Model, e) }

// ahead lets processes that were faulty go on until a step of the run is possible, and takes it; false if it never is.
func (t *replayedCopy) ahead(e interp.Event) bool {
	before := len(t.Run.States)
	seen := map[string]bool{t.last().Key(): true}
	for range mostAhead {
		if !t.goOn(seen, func(e interp.Event) bool {
			return e.Fate == interp.Processed && t.healed[t.executor(e)] || e.Fate == interp.Delivered && t.healed[e.To]
		}) {
			break
		}
		if t.follow(e) {
			return true
		}
	}
	t.Run.Events, t.Run.States = t.Run.Events[:before], t.Run.States[:before]
	return false
}

// goOn takes the first step of some that leads to a state that was not seen; false if there is none.
func (t *replayedCopy) goOn(seen map[string]bool, some func(interp.Event) bool) bool {
	var next *interp.Successor
	t.possible(func(s interp.Successor) bool {
		if s.Event.Fate == interp.Idle || !some(s.Event) || seen[s.State.Key()] {
			return true
		}
		next = &s
		return false
	})
	if next == nil {
		return false
	}
	seen[next.State.Key()] = true
	t.take(*next)
	return true
}

// cannot says that a step is not possible, and what its guard sees.
func (t *replayedCopy) cannot(k int, e interp.Event) string {
	text := fmt.Sprintf("step %d: %s", k, interp.Describe(t.x.Model, e))
	if e.Fate != interp.Processed || t.x.Origin(e.Rule).Hearing() {
		return text
	}
	x := &explainer{Run: t.Run, x: t.x, states: t.Run.States, loop: -1, acting: -1, packets: e.Packets}
	if g, ok := x.guard(e.Rule, e.Frame); ok {
		if seen, holds := x.sees(g, t.last()); !holds && seen != nil {
			text += ", since " + strings.Join(inWords(seen), ", ")
		}
	}
	return text
}

// conclude says what becomes of the property.
func (t *replayedCopy) conclude() {
	p := t.x.Lookup(t.from.Property)
	switch {
	case p == nil:
	case p.Invariant != nil:
		for k, s := range t.Run.States {
			holds, err := t.x.Holds(s, p.Invariant, p.Frame)
			if err != nil {
				return
			}
			if !holds {
				t.Says = fmt.Sprintf("%s is violated without the fault, too, after step %d", p.Name, k)
				t.violates = true
				return
			}
		}
		t.Says = p.Name + " holds in each state"
	case t.quiet():
		violated, err := t.Run.Violates(t.x, p)
		if err != nil {
			return
		}
		if t.Says = p.Name + " is true of this run"; violated {
			t.Says, t.violates = p.Name+" is violated without the fault, too", true
		}
	}
}

// quiet goes on until nothing has to happen any more, and then nothing does, for ever; false if that does not come.
func (t *replayedCopy) quiet() bool {
	seen := map[string]bool{}
	for _, s := range t.Run.States {
		seen[s.Key()] = true
	}
	forced := func(e interp.Event) bool { return e.Fate != interp.Processed || !t.x.Rules[e.Rule].Voluntary() }
	for range mostBehind {
		if !t.goOn(seen, forced) {
			break
		}
	}
	var same *interp.Successor
	back := false // it comes back to where it was
	here := t.last().Key()
	right := t.possible(func(s interp.Successor) bool {
		if s.State.Key() != here {
			back = back || forced(s.Event)
		} else if same == nil {
			same = &s
		}
		return !back
	})
	if !right || back || same == nil {
		return false
	}
	t.take(*same)
	t.Run.Loop = len(t.Run.States) - 1
	return true
}
