package interp

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/record"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
)

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
	Kept    bool           `json:"kept,omitempty"`
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
	out := runJSON{Version: 1, Kind: "protocol run", Protocol: r.Model.Name, Digest: r.Model.Digest(),
		Property:  r.Property,
		Constants: r.Model.ConstantValues(), Traffic: r.Options.TrafficName(), Crash: r.Options.CrashName()}
	if r.Loop >= 0 {
		out.Loop = &r.Loop
	}
	if r.Failure != nil {
		out.Error = r.Failure.Place()
	}
	for _, e := range r.Events {
		s := stepJSON{Text: Describe(r.Model, e)}
		if !e.Init {
			s.Fate = fates[e.Fate]
		}
		var t *protocol.Transition
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
				if p.Type.Kind == protocol.KindQuorum {
					members := []int{}
					set := protocol.JoinQuorum(e.Frame[cell], e.Frame[cell+1])
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
			s.Received = append(s.Received, packetJSON{ProcessName(r.Model, p.From), messageJSON(r.Model, p.Message),
				p.Absent, p.Kept})
		}
		if e.Fate == Delivered {
			s.To = ProcessName(r.Model, e.To)
		}
		out.Steps = append(out.Steps, s)
	}
	return json.Marshal(out)
}

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

// sameFile compares a run that has been replayed with the file that it was read from.
func (r *Run) sameFile() error {
	if r.file == nil {
		return nil
	}
	again, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return record.Same(r.file, again)
}

// ReadRun reads the file form of a run of a model. The model must have the
// constants that the file names (RunConstants). Whether it is a run Check says.
func ReadRun(m *protocol.Model, data []byte) (*Run, error) {
	var in runJSON
	if err := record.Read(data, &in); err != nil {
		return nil, record.NotOne("this is not a run of a protocol: %w", err)
	}
	if err := in.of(m.Source); err != nil {
		return nil, err
	}
	switch in.Traffic {
	case Direct, Generalized, Reference:
	default:
		return nil, fmt.Errorf("unknown model of message traffic %q", in.Traffic)
	}
	r := &Run{Model: m, file: data, Property: in.Property, Loop: -1,
		Options: Options{Traffic: in.Traffic, Implicit: in.Crash == "implicit"}}
	if in.Loop != nil {
		r.Loop = *in.Loop
	}
	if in.Error != "" {
		r.Failure = readFailure(in.Error)
	}
	for k, s := range in.Steps {
		e, err := event(m, s, k == 0)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		r.Events = append(r.Events, e)
	}
	return r, nil
}

// of checks what a run's file says of itself, and which text it names.
func (in *runJSON) of(f *ftdp.File) error {
	if in.Kind != "protocol run" || in.Version != 1 {
		return record.NotOne("this is not a run of a protocol")
	}
	if want := f.Digest(); in.Digest != want {
		return fmt.Errorf("the run belongs to another text (its digest is %s, that of %s is %s)", in.Digest,
			f.Pos.Filename, want)
	}
	return nil
}

// RunOf checks that a run's file is one, and one of this text.
func RunOf(f *ftdp.File, data []byte) error {
	var in runJSON
	if err := record.Read(data, &in); err != nil {
		return record.NotOne("this is not a run of a protocol: %w", err)
	}
	return in.of(f)
}

// readFailure reads what place writes.
func readFailure(text string) *protocol.Failure {
	f := &protocol.Failure{Msg: text}
	if n, err := fmt.Sscanf(text, "%d:%d:", &f.Pos.Line, &f.Pos.Col); err != nil || n != 2 {
		f.Pos = diag.Pos{}
		return f
	}
	_, rest, _ := strings.Cut(text, ": ")
	f.Msg = rest
	if f.Place() != text {
		return &protocol.Failure{Msg: text}
	}
	return f
}

// RunConstants returns the constants that a run's file names.
func RunConstants(data []byte) (map[string]int64, error) {
	var in struct {
		Constants map[string]any `json:"constants"`
	}
	if _, err := record.Tree(data); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for name, v := range in.Constants {
		switch v := v.(type) {
		case float64:
			if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
				return nil, record.NotOne("%v is no value of constant %q", v, name)
			}
			out[name] = int64(v)
		case bool:
			out[name] = int64(protocol.Truth(v))
		default:
			return nil, record.NotOne("%v is no value of constant %q", v, name)
		}
	}
	return out, nil
}

// event reads a step.
func event(m *protocol.Model, s stepJSON, init bool) (Event, error) {
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
	protocol.Fill(msg, protocol.Undef)
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
	return msg, err
}
