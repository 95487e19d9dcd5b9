package interp

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/run"
)

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

// asFile is the run as it is saved.
func (r *Run) asFile() *run.File {
	m := r.Model
	f := run.NewFile(run.Protocol, m.Name)
	f.Digest, f.Property, f.Values, f.Loop = m.Digest(), r.Property, m.ConstantValues(), max(r.Loop, 0)
	f.Options = map[string]string{"traffic": string(r.Options.TrafficName()), "crash": r.Options.CrashName()}
	if r.Failure != nil {
		f.Error = r.Failure.Place()
	}
	for k, e := range r.Events {
		if s := saved(m, e); k == 0 {
			f.Start = s
		} else {
			f.Steps = append(f.Steps, s)
		}
	}
	return f
}

// saved is an event as it is saved.
func saved(m *protocol.Model, e Event) run.Step {
	s := run.Step{Text: Describe(m, e)}
	if !e.Init {
		s.Fate = fates[e.Fate]
	}
	if e.Init || e.Fate != Delivered && e.Fate != Idle {
		t := transition(m, e)
		s.Rule, s.With = t.Label, map[string]any{}
		for i, p := range t.Params {
			cell := t.Cell(i)
			if p.Type.Kind == protocol.KindQuorum {
				s.With[p.Name] = protocol.Members(e.Frame[cell], e.Frame[cell+1])
				continue
			}
			s.With[p.Name] = e.Frame[cell]
		}
	}
	for _, p := range e.Packets {
		s.Received = append(s.Received, run.Packet{From: ProcessName(m, p.From), Message: messageJSON(m, p.Message),
			Absent: p.Absent, Kept: p.Kept})
	}
	if e.Fate == Delivered {
		s.To = ProcessName(m, e.To)
	}
	return s
}

// MarshalJSON writes the file that ReadRun reads.
func (r *Run) MarshalJSON() ([]byte, error) { return json.Marshal(r.asFile()) }

func messageJSON(m *protocol.Model, msg protocol.Message) map[string]any {
	out := map[string]any{}
	m.Message.Leaves("", 0, func(path string, t *protocol.Type, at int) {
		v := msg[at]
		switch {
		case v == protocol.Undef:
		case t.Kind == protocol.KindBool:
			out[path[1:]] = v != 0
		case len(t.Values) > 0:
			out[path[1:]] = t.Format(v)
		default:
			out[path[1:]] = v
		}
	})
	return out
}

// otherText says that a run is one of another text, and what becomes of it in this one.
type otherText struct {
	Digest, Want, File string
	Here               error // nil if it is a run of this text, too, and violates the same
}

func (o *otherText) Error() string {
	here := "in this text it is possible, too, and violates the same"
	if o.Here != nil {
		here = "in this text: " + o.Here.Error()
	}
	return fmt.Sprintf("the run belongs to another text (its digest is %s, that of %s is %s); %s", o.Digest, o.File,
		o.Want, here)
}

// ReadRun reads a run of a model, which has to have the values of constants that the file names (RunConstants). Whether
// it is a run Check says. The error is an *otherText if the file names another text.
func ReadRun(m *protocol.Model, data []byte) (*Run, error) {
	f, err := run.Read(run.Protocol, data)
	if err != nil {
		return nil, err
	}
	r, err := readRun(m, f)
	if want := m.Digest(); f.Digest != want {
		if err == nil {
			r.file = nil
			err = r.Check()
		}
		return nil, &otherText{f.Digest, want, m.File, err}
	}
	return r, err
}

func readRun(m *protocol.Model, f *run.File) (*Run, error) {
	r := &Run{Model: m, file: f, Property: f.Property, Loop: f.Loop,
		Options: Options{Traffic: Traffic(f.Options["traffic"]), Implicit: f.Options["crash"] == "implicit"}}
	switch r.Options.Traffic {
	case Direct, Generalized, Reference:
	default:
		return nil, fmt.Errorf("unknown model of message traffic %q", r.Options.Traffic)
	}
	if f.Loop == 0 {
		r.Loop = -1
	}
	if f.Error != "" {
		r.Failure = &protocol.Failure{Msg: f.Error} // Check finds which one
	}
	steps := f.Steps
	if f.Start.Rule != "" || len(steps) > 0 {
		steps = append([]run.Step{f.Start}, steps...)
	}
	for k, s := range steps {
		e, err := event(m, s, k == 0)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		r.Events = append(r.Events, e)
	}
	return r, nil
}

// RunConstants returns the values of constants that a run names.
func RunConstants(data []byte) (map[string]int64, error) {
	f, err := run.Read(run.Protocol, data)
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for name, v := range f.Values {
		truth, is := v.(bool)
		n := run.Int(v)
		switch {
		case is:
			out[name] = int64(protocol.Truth(truth))
		case n != nil && n.IsInt64():
			out[name] = n.Int64()
		default:
			return nil, record.NotOne("%v is no value of constant %q", v, name)
		}
	}
	return out, nil
}

// event reads a step.
func event(m *protocol.Model, s run.Step, init bool) (Event, error) {
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
		from := processNamed(m, p.From)
		if from < 0 || m.Message == nil {
			return e, fmt.Errorf("there is no process %q", p.From)
		}
		msg, err := readMessage(m, p.Message)
		if err != nil {
			return e, err
		}
		e.Packets = append(e.Packets, protocol.Packet{From: from, Message: msg, Absent: p.Absent, Kept: p.Kept})
	}
	if e.Fate == Delivered {
		if e.To = processNamed(m, s.To); e.To < 0 {
			return e, fmt.Errorf("there is no process %q", s.To)
		}
	}
	if received := e.Fate == Lost || e.Fate == Stopped || e.Fate == Delivered; received && len(e.Packets) != 1 {
		return e, fmt.Errorf("%s: one message has to be received", fates[e.Fate])
	}
	if e.Fate == Delivered || e.Fate == Idle {
		return e, nil
	}
	e.Rule = slices.IndexFunc(list, func(t protocol.Transition) bool { return t.Label == s.Rule })
	if e.Rule < 0 {
		return e, fmt.Errorf("there is no rule %q", s.Rule)
	}
	for _, p := range list[e.Rule].Params {
		wrong := fmt.Errorf("%v is no value of parameter %q", s.With[p.Name], p.Name)
		switch v := s.With[p.Name].(type) {
		case float64:
			if p.Type.Kind == protocol.KindQuorum || v < float64(p.Type.Lo) || v > float64(p.Type.Hi) ||
				v != math.Trunc(v) {
				return e, wrong
			}
			e.Frame = append(e.Frame, int32(v))
		case []any:
			if p.Type.Kind != protocol.KindQuorum {
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
			low, high := protocol.SplitQuorum(set)
			e.Frame = append(e.Frame, low, high)
		default:
			return e, wrong
		}
	}
	return e, nil
}

func processNamed(m *protocol.Model, name string) int {
	for p := range m.Processes() {
		if ProcessName(m, p) == name {
			return p
		}
	}
	return -1
}

func readMessage(m *protocol.Model, in map[string]any) (protocol.Message, error) {
	msg := make(protocol.Message, m.Message.Cells)
	protocol.Clear(msg)
	used := 0
	var err error
	m.Message.Leaves("", 0, func(path string, t *protocol.Type, at int) {
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
			value = float64(protocol.Truth(v))
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
	for i, f := range m.Message.Fields { // earlier releases said more of messages of Byzantine processes
		if m.Made() && err == nil && msg[0] != protocol.Undef && !m.Message.Has(m.Message.Kinds[msg[0]].Name, i) {
			msg[f.Offset] = protocol.Undef
		}
	}
	return msg, err
}
