package story

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// Told is a run as it is told, drawn and written. Lanes are processes; those to which nothing happens are one, if there
// are many.
func Told(r *interp.Run) *run.Run {
	m := r.Model
	t := &telling{from: r, lane: slices.Repeat([]int{-1}, m.Processes()), shared: -1}
	t.Run = &run.Run{File: m.File, Name: m.Name, Formula: formula(m, r.Property), Loop: -1, First: int(r.First),
		Facts: run.Facts{Spec: r.Property, Steps: max(0, len(r.Events)-1), Said: m.Differing(asked(m))}}
	for _, k := range m.Constants {
		v := run.Value{Name: k.Name, Value: big.NewInt(k.Value), Truth: k.Bool}
		if t.Values = append(t.Values, v); asked(m)(k.Name) {
			v.Name = m.Source.Called(k.Name, "")
			t.With = strings.TrimSpace(t.With + " " + v.String())
		}
	}
	if r.Loop >= 0 {
		t.Repeats, t.Loop = len(r.Events)-r.Loop, r.Loop-1
		t.Assumed = append(t.Assumed, "what is fair happens again and again")
	}
	if traffic := r.Options.TrafficName(); traffic != interp.Direct {
		t.Reading = append(t.Reading, "message traffic "+string(traffic))
		t.Assumed = append(t.Assumed, "messages are delivered before they are received")
	}
	if r.Options.Implicit {
		t.Reading = append(t.Reading, "implicit crashes")
	}
	if r.Failure != nil {
		t.Failure = r.Failure.Error()
		t.Notes = append(t.Notes, t.Failure)
	}
	t.titled()
	if len(r.States) == 0 {
		return t.Run
	}
	t.Begins = interp.Describe(m, r.Events[0])
	t.lanes()
	lost := make([][]interp.Delivery, len(r.Events))
	if m.Channels.Lossy { // else room is waited for
		for k, f := range effectsOf(r).effects {
			lost[k] = f.lost
		}
	}
	for k := range r.Events[1:] {
		t.Events = append(t.Events, t.event(k+1, lost[k+1]))
	}
	t.tell()
	underway := t.underway()
	if !m.Made() && r.Failure == nil {
		for _, text := range underway {
			t.Story.End = append(t.Story.End, "on its way: "+text)
		}
	}
	last := len(r.States) - 1
	for c, list := range t.columns {
		t.Lanes[c].End = t.statesOf(last, list)
	}
	if at, end := t.sharedAt(0), t.sharedAt(last); at != "" {
		text := "shared at first: " + at
		if end != at {
			text += "; at the end: " + end
		}
		t.Notes = append(t.Notes, text)
	}
	if underway != nil {
		t.Notes = append(t.Notes, "never received: "+strings.Join(underway, "; "))
	}
	t.states()
	return t.Run
}

// telling is a run that is told.
type telling struct {
	*run.Run
	from    *interp.Run
	lane    []int   // by process; -1 for what stands for variables that all have
	columns [][]int // by lane: its processes
	shared  int     // what stands for variables that all have; -1 if there are none
	sent    []sending
}

// sending is a message on its way.
type sending struct {
	step     int
	delivery interp.Delivery
}

// titled says how many processes there are.
func (t *telling) titled() {
	t.Title = "counterexample"
	if t.With != "" {
		t.Title += " with " + t.With
	}
	t.Title += ": " + spell.Count(t.from.Model.Members(), "process", "processes")
}

// tell is the story.
func (t *telling) tell() {
	m, states := t.from.Model, t.from.States
	t.Beats = []run.Beat{{Text: "at first", Details: statesText(m, states[0])}}
	for _, b := range t.fold() {
		if b.does != (action{}) {
			b.Text = interp.Names(m, b.who) + b.does.text(len(b.who) > 1)
		}
		b.Details = run.Details(b.changes, b.sent)
		t.Beats = append(t.Beats, b.Beat)
	}
	if t.from.Failure == nil {
		t.Story.End = statesText(m, states[len(states)-1])
	}
}

// asked reports of a constant whether the user may say what it is: what a common coin gives is told where it is tossed.
func asked(m *protocol.Model) func(name string) bool {
	rounds := m.Source.Rounds()
	return func(name string) bool { return rounds[name].Round == 0 }
}

// lanes chooses who has a lane of his own.
func (t *telling) lanes() {
	m, r := t.from.Model, t.from
	part := make([]bool, m.Processes()) // moves, sends something that is received, or changes
	for k := 1; k < len(r.Events); k++ {
		if me := acting(r, k); me >= 0 {
			part[me] = true
		}
		for _, p := range r.Events[k].Packets {
			part[p.From] = true
		}
		for _, c := range interp.Changes(m, r.States[k-1], r.States[k]) {
			part[c.Process] = true
		}
	}
	idle := map[bool][]int{} // by whether they are faulty
	for p := range t.lane {
		switch role, _ := m.RoleOf(p); {
		case m.Roles[role].Shared:
			t.shared = p
		case part[p] || m.Members() <= 3:
			t.columns = append(t.columns, []int{p})
		default:
			idle[t.byzantine(p)] = append(idle[t.byzantine(p)], p)
		}
	}
	for _, faulty := range []bool{false, true} {
		if idle[faulty] != nil {
			t.columns = append(t.columns, idle[faulty])
		}
	}
	for c, list := range t.columns {
		for _, p := range list {
			t.lane[p] = c
		}
		lane := run.Lane{Name: interp.Names(m, list), Faulty: t.byzantine(list[0]), Start: t.statesOf(0, list)}
		if s := r.States[0].Status[list[0]]; s != protocol.Correct && (len(list) == 1 || lane.Faulty) {
			lane.Name += map[bool]string{true: " (faulty)", false: " (" + s.String() + ")"}[lane.Faulty]
		}
		t.Lanes = append(t.Lanes, lane)
	}
}

// byzantine reports whether a process does what it likes.
func (t *telling) byzantine(p int) bool { return t.from.States[0].Status[p] == protocol.Byzantine }

// statesOf are the states of the processes of a lane.
func (t *telling) statesOf(k int, list []int) []string {
	m, s := t.from.Model, t.from.States[k]
	if len(list) > 1 {
		return statesOf(m, s, list)
	}
	if text := StateText(m, s, list[0]); text != "" && !(t.byzantine(list[0]) && text == s.Status[list[0]].String()) {
		return []string{text}
	}
	return nil
}

// sharedAt are the variables that all processes have, at a state; "" if there are none.
func (t *telling) sharedAt(k int) string {
	if t.shared < 0 {
		return ""
	}
	return StateText(t.from.Model, t.from.States[k], t.shared)
}

// event is a step, in which some of what is sent is lost for want of room.
func (t *telling) event(k int, lost []interp.Delivery) run.Event {
	e, m, me := t.from.Events[k], t.from.Model, acting(t.from, k)
	before, after := t.from.States[k-1], t.from.States[k]
	if rests(t.from, k) {
		return run.Event{Text: interp.Describe(m, interp.Event{Fate: interp.Idle}), Lane: -1}
	}
	out := run.Event{Text: interp.Describe(m, e), Lane: -1, Sends: sendsText(t.from, k, lost),
		Changes: append(tossed(t.from, k), changesText(m, e, before, after)...)}
	for _, p := range e.Packets {
		out.Arrows = append(out.Arrows, t.arrow(k, p))
	}
	if me >= 0 && t.lane[me] >= 0 {
		out.Lane = t.lane[me]
		out.Ends = before.Status[me] != protocol.Crashed && after.Status[me] == protocol.Crashed
		t.does(e, after.Status[me], &out)
	}
	for _, d := range interp.Sent(m, e, before, after) {
		if !partial(t.from, k) || reaches(t.from, k, d) { // what else it would have sent it has not
			t.sent = append(t.sent, sending{k, d})
		}
	}
	return out
}

// does names what a process does in a step.
func (t *telling) does(e interp.Event, status protocol.Status, out *run.Event) {
	m := t.from.Model
	out.Name = strings.TrimSpace(m.RuleName(e.Rule) + " " + interp.Arguments(m, e))
	switch m.Origin(e.Rule).Act {
	case protocol.ActHear, protocol.ActMayHear: // that it receives is drawn
		out.Name = ""
		return
	case protocol.ActCrash:
		out.Name, out.Fault, out.Ends = "", "crashes", true
	case protocol.ActCrashIn:
		out.Fault, out.Ends = "crashes while it sends", true
	case protocol.ActLie:
		out.Name, out.Fault = "", "lies"
	case protocol.ActWait:
		out.Name = "(does nothing)"
	case protocol.ActFaulty:
		out.Fault = "being faulty"
	}
	if m.Rules[e.Rule].Restart {
		out.Name, out.Fault = "", "restarts"
	}
	if out.Fault == "" && status == protocol.Byzantine {
		out.Fault = "being faulty"
	}
}

// arrow is a message that is received in a step, or is not.
func (t *telling) arrow(k int, p protocol.Packet) run.Arrow {
	m, e, to := t.from.Model, t.from.Events[k], receiver(t.from, k)
	text := interp.MessageName(m, p.Message)
	a := run.Arrow{From: t.lane[p.From], To: t.lane[to], Label: []string{text}, Faulty: t.byzantine(p.From)}
	at := slices.IndexFunc(t.sent, func(s sending) bool {
		return s.delivery.From == p.From && s.delivery.To == to && slices.Equal(s.delivery.Message, p.Message)
	})
	if at >= 0 {
		a.Sent = t.sent[at].step
		if e.Fate != interp.Delivered && !again(t.from, k, p) {
			t.sent = slices.Delete(t.sent, at, at+1)
		}
	}
	switch {
	case p.Absent:
		a.Label, a.Lost = []string{"nothing"}, true
	case e.Fate == interp.Lost:
		a.Label, a.Lost = []string{text, "is lost"}, true
	case e.Fate == interp.Stopped:
		a.Label, a.Lost = []string{text, "was not sent: the sender had crashed"}, true
	case e.Fate == interp.Delivered:
		a.Label = []string{text, "arrives"}
	case again(t.from, k, p):
		a.Label = []string{text + ",", "which stays"}
	case a.Faulty:
		a.Label = []string{text + ",", "made up"}
	}
	return a
}

// underway lists the messages that are never received, equal ones of a step together. Where a run repeats, what is on
// its way at the end is received if its equal is received in what repeats.
func (t *telling) underway() (list []string) {
	m := t.from.Model
	var to partition.Groups[string, int]
	for _, s := range t.sent {
		at := t.lane[s.delivery.To]
		if slices.ContainsFunc(t.Events, func(e run.Event) bool { return e.Ends && e.Lane == at }) {
			continue // it has crashed
		}
		if t.Loop >= 0 && receives(t.from, t.Loop+1, s.delivery) {
			continue
		}
		to.Add(fmt.Sprintf("%s of step %d from %s", interp.MessageName(m, s.delivery.Message), t.First+s.step,
			interp.ProcessName(m, s.delivery.From)), s.delivery.To)
	}
	for text, receivers := range to.All() {
		list = append(list, text+" to "+interp.Names(m, receivers))
	}
	return list
}

// states are, for each role, a map from the numbers of its processes to records with their variables and status; and
// channels, a list of those that are not empty. What is undefined is unserializable.
func (t *telling) states() {
	m := t.from.Model
	for i := range m.Roles {
		t.Vars = append(t.Vars, m.Roles[i].Name)
	}
	roles := run.Names(t.Vars, "channels")
	t.Vars = append(slices.Clone(roles), "channels")
	for _, s := range t.from.States {
		state := run.State{"channels": channels(m, s)}
		for i := range m.Roles {
			pairs := []any{}
			for p := range m.Roles[i].Size {
				at := m.Roles[i].First + p
				record := value(m.Roles[i].State, s.Cells[at]).(map[string]any)
				record["status"] = s.Status[at].String()
				pairs = append(pairs, []any{big.NewInt(int64(p + 1)), record})
			}
			state[roles[i]] = map[string]any{"#map": pairs}
		}
		t.States = append(t.States, state)
	}
}

func channels(m *protocol.Model, s *protocol.State) []any {
	n := m.Processes()
	list := []any{}
	for ch, messages := range s.Channels {
		if len(messages) == 0 {
			continue
		}
		held := []any{}
		for _, msg := range messages {
			held = append(held, value(m.Message, msg))
		}
		list = append(list, map[string]any{"from": interp.ProcessName(m, ch/n), "to": interp.ProcessName(m, ch%n),
			"messages": held})
	}
	return list
}

// value is a value: enumerations are texts, arrays maps from their indices.
func value(t *protocol.Type, cells []int32) any {
	switch t.Kind {
	case protocol.KindRecord:
		out := map[string]any{}
		for _, f := range t.Fields {
			out[f.Name] = value(f.Type, cells[f.Offset:f.Offset+f.Type.Cells])
		}
		return out
	case protocol.KindArray:
		pairs := []any{}
		for i := range t.Index.Size() {
			key := value(t.Index, []int32{t.Index.Lo + int32(i)})
			pairs = append(pairs, []any{key, value(t.Elem, cells[i*t.Elem.Cells:(i+1)*t.Elem.Cells])})
		}
		return map[string]any{"#map": pairs}
	}
	switch v := cells[0]; {
	case v == protocol.Undef:
		return map[string]any{"#unserializable": "undefined"}
	case t.Kind == protocol.KindBool:
		return v != 0
	case len(t.Values) > 0:
		return t.Format(v)
	default:
		return big.NewInt(int64(v))
	}
}
