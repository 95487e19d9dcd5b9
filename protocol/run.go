package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Run is a run of a model: an initial state, what happens, and the states that
// this leads to.
type Run struct {
	Model    *Model
	Options  Options
	Property string // that it violates; "" if it only leads somewhere
	Events   []Event
	States   []*State // one for each event: States[0] is initial
	Loop     int      // position from which Events repeat, or -1
	Failure  *Failure // what goes wrong after the last state, if anything
}

// Extend looks for a successor of the last state that a test accepts, and adds
// it; false if there is none.
func (r *Run) Extend(accept func(Successor) bool) (bool, error) {
	x := &Interpreter{r.Model, r.Options}
	var list []Successor
	var err error
	if len(r.States) == 0 {
		list, err = x.Initial()
	} else {
		list, err = x.Successors(r.States[len(r.States)-1])
	}
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

// Check replays a run from its events: every one must be possible, and the
// property must be violated. It uses the Interpreter and nothing else.
func (r *Run) Check() error {
	x := &Interpreter{r.Model, r.Options}
	var states []*State
	for k, e := range r.Events {
		var list []Successor
		var err error
		if k == 0 {
			list, err = x.Initial()
		} else {
			list, err = x.Successors(states[k-1])
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", k, err)
		}
		i := slices.IndexFunc(list, func(s Successor) bool { return s.Event.same(e) })
		if i < 0 {
			return fmt.Errorf("step %d cannot happen: %s", k, r.Model.Describe(e))
		}
		states = append(states, list[i].State)
	}
	if len(states) == 0 {
		return errors.New("the run has no states")
	}
	r.States = states
	if r.Failure != nil || r.Property == "" {
		return r.checkFailure(x)
	}
	p := r.Model.Lookup(r.Property)
	if p == nil {
		return fmt.Errorf("there is no property %q", r.Property)
	}
	if p.Invariant != nil {
		holds, err := x.Holds(states[len(states)-1], p.Invariant, p.Frame)
		if err == nil && holds {
			err = fmt.Errorf("%s holds in the last state", p.Name)
		}
		return err
	}
	return r.checkFormula(x, p)
}

// checkFailure checks that a step after the last state, or the evaluation of
// some property in it, fails as the run says.
func (r *Run) checkFailure(x *Interpreter) error {
	if r.Failure == nil {
		return nil
	}
	last := r.States[len(r.States)-1]
	if _, err := x.Successors(last); err != nil {
		return nil
	}
	for _, p := range r.Model.Props {
		if p.Invariant != nil {
			if _, err := x.Holds(last, p.Invariant, p.Frame); err != nil {
				return nil
			}
		}
	}
	return fmt.Errorf("nothing goes wrong after the last state")
}

func (r *Run) checkFormula(x *Interpreter, p *Prop) error {
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
	states, loop := r.States, -1
	if r.Loop >= 0 {
		states, loop = r.States[:n-1], r.Loop-1
	}
	cases, _, err := r.Model.Violation(p, false)
	if err != nil {
		return err
	}
	for _, c := range cases {
		v, err := x.holds(c.Formula, states, loop)
		if err != nil {
			return err
		}
		if v[0] {
			if r.Loop < 0 {
				return nil
			}
			return r.checkFair(x, p)
		}
	}
	return fmt.Errorf("the run does not violate %s", p.Name)
}

// checkFair checks weak fairness: every instance of a fair rule is disabled
// somewhere in the loop, or executed.
func (r *Run) checkFair(x *Interpreter, p *Prop) error {
	if !slices.Contains(p.Fair, true) {
		return nil
	}
	var always map[string]bool
	for k := r.Loop; k < len(r.States); k++ {
		list, err := x.Successors(r.States[k-1])
		if err != nil {
			return err
		}
		enabled := map[string]bool{}
		for _, s := range list {
			if e := s.Event; e.Fate == Processed && p.Fair[e.Rule] && !x.volunteered(r.States[k-1], e) {
				enabled[r.Model.instance(e)] = true
			}
		}
		if e := r.Events[k]; e.Fate == Processed && p.Fair[e.Rule] {
			delete(enabled, r.Model.instance(e))
		}
		if always == nil {
			always = enabled
		}
		maps.DeleteFunc(always, func(key string, _ bool) bool { return !enabled[key] })
	}
	for key := range always {
		return fmt.Errorf("the loop is unfair: %s could always happen and never does", key)
	}
	return nil
}

// instance names what fairness is about: a rule with the process that moves and,
// if there is one, the sender.
func (m *Model) instance(e Event) string {
	t := &m.Rules[e.Rule]
	name := fmt.Sprintf("%s of %s", t.Label, m.ProcessName(m.Process(t, t.Executor, e.Frame)))
	if t.Receives() && !t.Quorum() {
		name += " from " + m.ProcessName(m.Process(t, t.Sender, e.Frame))
	}
	return name
}

func (e Event) same(f Event) bool {
	if e.Fate != f.Fate || e.Init != f.Init || e.Fate != Delivered && e.Fate != Idle && (e.Rule != f.Rule || !slices.Equal(e.Frame, f.Frame)) || e.To != f.To {
		return false
	}
	return slices.EqualFunc(e.Packets, f.Packets, func(a, b Packet) bool {
		return a.From == b.From && a.Absent == b.Absent && slices.Equal(a.Message, b.Message)
	})
}

// ProcessName names a process: leader 2, or just commander if there is one.
func (m *Model) ProcessName(p int) string {
	r, number := m.RoleOf(p)
	if m.Roles[r].Size == 1 {
		return m.Roles[r].Name
	}
	return fmt.Sprintf("%s %d", m.Roles[r].Name, number)
}

// MessageText prints a message: (msgType=READ, propNo=1).
func (m *Model) MessageText(msg Message) string {
	if msg == nil || m.Message == nil {
		return ""
	}
	return m.Message.FormatValue(msg)
}

// MessageName prints a message in short, without names of fields: READ(1, 0).
func (m *Model) MessageName(msg Message) string {
	var kind string
	var rest []string
	m.Message.leaves("", 0, func(_ string, t *Type, at int) {
		switch text := t.Format(msg[at]); {
		case msg[at] == Undef:
		case kind == "" && t.Kind == KindEnum:
			kind = text
		default:
			rest = append(rest, text)
		}
	})
	if len(rest) == 0 && kind != "" {
		return kind
	}
	return kind + "(" + strings.Join(rest, ", ") + ")"
}

// Describe says in one line what happens.
func (m *Model) Describe(e Event) string {
	if e.Init {
		return m.Inits[e.Rule].Label + m.arguments(&m.Inits[e.Rule], e, nil)
	}
	switch e.Fate {
	case Idle:
		return "nothing happens any more"
	case Delivered:
		return fmt.Sprintf("%s from %s arrives at %s", m.MessageText(e.Packets[0].Message), m.ProcessName(e.Packets[0].From), m.ProcessName(e.To))
	}
	t := &m.Rules[e.Rule]
	me := m.ProcessName(m.Process(t, t.Executor, e.Frame))
	switch e.Fate {
	case Lost:
		return fmt.Sprintf("%s from %s to %s is lost", m.MessageText(e.Packets[0].Message), m.ProcessName(e.Packets[0].From), me)
	case Stopped:
		return fmt.Sprintf("%s had stopped before it sent %s to %s", m.ProcessName(e.Packets[0].From), m.MessageText(e.Packets[0].Message), me)
	}
	text := fmt.Sprintf("%s: %s%s", me, t.Label, m.arguments(t, e, []int{t.Executor, t.Sender}))
	for i, p := range e.Packets {
		sep := ", "
		if i == 0 {
			sep = " receives "
		}
		what := m.MessageText(p.Message)
		if p.Absent {
			what = "nothing"
		}
		text += fmt.Sprintf("%s%s from %s", sep, what, m.ProcessName(p.From))
	}
	return text
}

// arguments prints the parameters of a transition, some left out.
func (m *Model) arguments(t *Transition, e Event, without []int) string {
	var parts []string
	for i := range t.Params {
		if slices.Contains(without, i) || t.Params[i].Type.Kind == KindQuorum {
			continue
		}
		parts = append(parts, t.Params[i].Name+"="+t.Params[i].Type.Format(e.Frame[t.Cell(i)]))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Change is a part of a state that an event changed.
type Change struct {
	Process       int
	Path          string // such as .propNoID
	Before, After string
}

// Changes lists what an event changed in the states of processes.
func (m *Model) Changes(before, after *State) (list []Change) {
	for p := range after.Cells {
		r, _ := m.RoleOf(p)
		if before.Status[p] != after.Status[p] {
			list = append(list, Change{p, ".status", before.Status[p].String(), after.Status[p].String()})
		}
		m.Roles[r].State.leaves("", 0, func(path string, t *Type, at int) {
			if a, b := before.Cells[p][at], after.Cells[p][at]; a != b {
				list = append(list, Change{p, path, t.Format(a), t.Format(b)})
			}
		})
	}
	return list
}

// Sent lists what an event puts into channels, in the order of receivers.
func (m *Model) Sent(e Event, before, after *State) (list []Delivery) {
	if e.Init || e.Fate != Processed {
		return nil
	}
	n := m.Processes()
	t := &m.Rules[e.Rule]
	me := m.Process(t, t.Executor, e.Frame)
	for to := range n {
		ch := me*n + to
		for _, pair := range [][2][]Message{{before.Channels[ch], after.Channels[ch]}, {before.Sent[ch], after.Sent[ch]}} {
			old := slices.Clone(pair[0])
			for _, msg := range pair[1] {
				if i := slices.IndexFunc(old, func(o Message) bool { return slices.Equal(o, msg) }); i >= 0 {
					old = slices.Delete(old, i, i+1)
					continue
				}
				list = append(list, Delivery{me, to, msg})
			}
		}
	}
	return list
}

// Delivery is a message on its way.
type Delivery struct {
	From, To int
	Message  Message
}

// runJSON is the file form of a run (docs/protocols.md).
type runJSON struct {
	Version   int            `json:"version"`
	Kind      string         `json:"kind"`
	Protocol  string         `json:"protocol"`
	Digest    string         `json:"digest"`
	Property  string         `json:"property,omitempty"`
	Constants map[string]any `json:"constants"`
	Traffic   Traffic        `json:"traffic"`
	Crash     string         `json:"crash"`
	Loop      *int           `json:"loop,omitempty"`
	Error     string         `json:"error,omitempty"`
	Steps     []stepJSON     `json:"steps"`
}

type stepJSON struct {
	Rule     string         `json:"rule,omitempty"`
	With     map[string]any `json:"with,omitempty"`
	Fate     string         `json:"fate,omitempty"`
	Received []packetJSON   `json:"received,omitempty"`
	To       string         `json:"to,omitempty"`
	Text     string         `json:"text"`
}

type packetJSON struct {
	From    string         `json:"from"`
	Message map[string]any `json:"message"`
	Absent  bool           `json:"absent,omitempty"`
}

var fates = []string{"processed", "lost", "stopped", "delivered", "idle"}

// CrashName names the model of crashes.
func (o Options) CrashName() string {
	if o.Implicit {
		return "implicit"
	}
	return "explicit"
}

// TrafficName names the model of message traffic.
func (o Options) TrafficName() Traffic {
	if o.Traffic == "" {
		return Direct
	}
	return o.Traffic
}

// MarshalJSON writes the run as a file that ReadRun reads.
func (r *Run) MarshalJSON() ([]byte, error) {
	out := runJSON{Version: 1, Kind: "protocol run", Protocol: r.Model.Name, Digest: r.Model.Digest(), Property: r.Property,
		Constants: r.Model.ConstantValues(), Traffic: r.Options.TrafficName(), Crash: r.Options.CrashName()}
	if r.Loop >= 0 {
		out.Loop = &r.Loop
	}
	if r.Failure != nil {
		out.Error = r.Failure.Error()
	}
	for _, e := range r.Events {
		s := stepJSON{Text: r.Model.Describe(e)}
		if !e.Init {
			s.Fate = fates[e.Fate]
		}
		var t *Transition
		switch {
		case e.Init:
			t = &r.Model.Inits[e.Rule]
		case e.Fate != Delivered && e.Fate != Idle:
			t = &r.Model.Rules[e.Rule]
		}
		if t != nil {
			s.Rule, s.With = t.Label, map[string]any{}
			for i, p := range t.Params {
				cell := t.Cell(i)
				if p.Type.Kind == KindQuorum {
					members := []int{}
					set := JoinQuorum(e.Frame[cell], e.Frame[cell+1])
					for k := range r.Model.Roles[p.Type.Role].Size {
						if set>>k&1 != 0 {
							members = append(members, k+1)
						}
					}
					s.With[p.Name] = members
					continue
				}
				s.With[p.Name] = e.Frame[cell]
			}
		}
		for _, p := range e.Packets {
			s.Received = append(s.Received, packetJSON{r.Model.ProcessName(p.From), r.Model.messageJSON(p.Message), p.Absent})
		}
		if e.Fate == Delivered {
			s.To = r.Model.ProcessName(e.To)
		}
		out.Steps = append(out.Steps, s)
	}
	return json.Marshal(out)
}

// Digest names the text of the model.
func (m *Model) Digest() string {
	sum := sha256.Sum256([]byte(m.Text()))
	return hex.EncodeToString(sum[:8])
}

// ConstantValues returns the constants by name.
func (m *Model) ConstantValues() map[string]any {
	out := map[string]any{}
	for _, k := range m.Constants {
		if out[k.Name] = any(k.Value); k.Bool {
			out[k.Name] = k.Value != 0
		}
	}
	return out
}

func (m *Model) messageJSON(msg Message) map[string]any {
	out := map[string]any{}
	m.Message.leaves("", 0, func(path string, t *Type, at int) {
		v := msg[at]
		switch {
		case v == Undef:
		case t.Kind == KindBool:
			out[path[1:]] = v != 0
		case len(t.Values) > 0:
			out[path[1:]] = t.Format(v)
		default:
			out[path[1:]] = v
		}
	})
	return out
}

// ReadRun reads the file form of a run of a model. The model must have the
// constants that the file names (RunConstants).
func ReadRun(m *Model, data []byte) (*Run, error) {
	var in runJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	if in.Kind != "protocol run" || in.Version != 1 {
		return nil, errors.New("this is not a run of a protocol")
	}
	if in.Digest != m.Digest() {
		return nil, fmt.Errorf("the run belongs to another text (its digest is %s, that of %s is %s)", in.Digest, m.File, m.Digest())
	}
	switch in.Traffic {
	case Direct, Generalized, Reference:
	default:
		return nil, fmt.Errorf("unknown model of message traffic %q", in.Traffic)
	}
	r := &Run{Model: m, Property: in.Property, Loop: -1, Options: Options{Traffic: in.Traffic, Implicit: in.Crash == "implicit"}}
	if in.Loop != nil {
		r.Loop = *in.Loop
	}
	if in.Error != "" {
		r.Failure = &Failure{Msg: in.Error}
	}
	for k, s := range in.Steps {
		e, err := m.event(s, k == 0)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		r.Events = append(r.Events, e)
	}
	return r, nil
}

// RunConstants returns the constants that a run's file names.
func RunConstants(data []byte) (map[string]int64, error) {
	var in struct {
		Constants map[string]any `json:"constants"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for name, v := range in.Constants {
		switch v := v.(type) {
		case float64:
			out[name] = int64(v)
		case bool:
			out[name] = int64(truth(v))
		}
	}
	return out, nil
}

// event reads a step.
func (m *Model) event(s stepJSON, init bool) (Event, error) {
	e := Event{Init: init}
	list := m.Rules
	if init {
		list = m.Inits
	} else {
		i := slices.Index(fates, s.Fate)
		if i < 0 {
			return e, fmt.Errorf("unknown fate %q", s.Fate)
		}
		e.Fate = Fate(i)
	}
	for _, p := range s.Received {
		from := m.processNamed(p.From)
		if from < 0 || m.Message == nil {
			return e, fmt.Errorf("there is no process %q", p.From)
		}
		msg, err := m.readMessage(p.Message)
		if err != nil {
			return e, err
		}
		e.Packets = append(e.Packets, Packet{from, msg, p.Absent})
	}
	if e.Fate == Delivered {
		if e.To = m.processNamed(s.To); e.To < 0 {
			return e, fmt.Errorf("there is no process %q", s.To)
		}
	}
	if received := e.Fate == Lost || e.Fate == Stopped || e.Fate == Delivered; received && len(e.Packets) != 1 {
		return e, fmt.Errorf("%s: one message has to be received", fates[e.Fate])
	}
	if e.Fate == Delivered || e.Fate == Idle {
		return e, nil
	}
	e.Rule = slices.IndexFunc(list, func(t Transition) bool { return t.Label == s.Rule })
	if e.Rule < 0 {
		return e, fmt.Errorf("there is no rule %q", s.Rule)
	}
	for _, p := range list[e.Rule].Params {
		wrong := fmt.Errorf("%v is no value of parameter %q", s.With[p.Name], p.Name)
		switch v := s.With[p.Name].(type) {
		case float64:
			if p.Type.Kind == KindQuorum || v < float64(p.Type.Lo) || v > float64(p.Type.Hi) || v != math.Trunc(v) {
				return e, wrong
			}
			e.Frame = append(e.Frame, int32(v))
		case []any:
			if p.Type.Kind != KindQuorum {
				return e, wrong
			}
			set := uint64(0)
			for _, k := range v {
				n, ok := k.(float64)
				if !ok || n < 1 || n > float64(m.Roles[p.Type.Role].Size) || n != math.Trunc(n) {
					return e, wrong
				}
				set |= 1 << (int(n) - 1)
			}
			low, high := SplitQuorum(set)
			e.Frame = append(e.Frame, low, high)
		default:
			return e, wrong
		}
	}
	return e, nil
}

func (m *Model) processNamed(name string) int {
	for p := range m.Processes() {
		if m.ProcessName(p) == name {
			return p
		}
	}
	return -1
}

func (m *Model) readMessage(in map[string]any) (Message, error) {
	msg := make(Message, m.Message.Cells)
	fill(msg, Undef)
	used := 0
	var err error
	m.Message.leaves("", 0, func(path string, t *Type, at int) {
		v, ok := in[path[1:]]
		if !ok {
			return
		}
		used++
		value := float64(t.Lo) - 1
		switch v := v.(type) {
		case float64:
			value = v
		case bool:
			value = float64(truth(v))
		case string:
			value = float64(slices.Index(t.Values, v))
		}
		if value < float64(t.Lo) || value > float64(t.Hi) || value != math.Trunc(value) {
			err = fmt.Errorf("%v is no value of %s", v, path[1:])
			return
		}
		msg[at] = int32(value)
	})
	if err == nil && used != len(in) {
		err = fmt.Errorf("a message has fields that %s does not have", m.File)
	}
	return msg, err
}

// Text returns the text of the model.
func (m *Model) Text() string { return m.Source.Text() }
