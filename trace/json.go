package trace

import (
	"encoding/json"
	"maps"
	"slices"
)

// outcomeJSON is what --json prints.
type outcomeJSON struct {
	Version     int              `json:"version"`
	File        string           `json:"file"`
	Verdict     string           `json:"verdict"`
	Reason      string           `json:"reason,omitempty"`
	Notes       []string         `json:"notes,omitempty"`
	Constants   map[string]any   `json:"constants"`
	Events      int64            `json:"events"`
	Steps       int64            `json:"steps"`
	States      int64            `json:"states"`
	Most        int              `json:"most_states"`
	Ordered     bool             `json:"order_searched"`
	Seconds     float64          `json:"seconds"`
	Processes   []namesJSON      `json:"processes"`
	Violated    []breakJSON      `json:"violated"`
	Unexplained *unexplainedJSON `json:"unexplained,omitempty"`
	Core        []placeJSON      `json:"core,omitempty"`
	Open        int              `json:"core_open,omitempty"`
}

type namesJSON struct {
	Role    string   `json:"role"`
	Names   []string `json:"names"`
	Numbers []int32  `json:"numbers"`
}

type breakJSON struct {
	Property string `json:"property"`
	Certain  bool   `json:"certain"`
	Step     int64  `json:"step"`
	placeJSON
}

type unexplainedJSON struct {
	placeJSON
	Event   json.RawMessage `json:"event"`
	Nearest []Nearest       `json:"nearest"`
	Able    []string        `json:"possible"`
	Unseen  []string        `json:"unseen,omitempty"`
}

// placeJSON is where an event stands; nowhere for none.
type placeJSON struct {
	File string `json:"log,omitempty"`
	Line int    `json:"line,omitempty"`
}

// MarshalJSON writes the outcome as docs/traces.md says.
func (out *Outcome) MarshalJSON() ([]byte, error) {
	r := out.Result
	j := outcomeJSON{Version: 1, File: out.Model.File, Verdict: out.Verdict, Reason: out.Reason, Notes: out.Notes,
		Constants: out.Model.ConstantValues(),
		Events:    r.Events, Steps: r.Steps, States: r.States, Most: r.Most, Ordered: out.Ordered,
		Seconds:   out.Time.Seconds(),
		Processes: []namesJSON{}, Violated: []breakJSON{}}
	for _, n := range r.Names {
		o := namesJSON{Role: n.Role}
		for _, name := range slices.SortedFunc(maps.Keys(n.Names),
			func(a, b string) int { return int(n.Names[a] - n.Names[b]) }) {
			o.Names, o.Numbers = append(o.Names, name), append(o.Numbers, n.Names[name])
		}
		j.Processes = append(j.Processes, o)
	}
	for _, b := range r.Broken {
		o := breakJSON{Property: b.Property, Certain: out.Verdict == Violated && r.sure(b), Step: b.Step}
		if e := b.Event; e != nil {
			o.placeJSON = placeJSON{e.File, e.Line}
		}
		j.Violated = append(j.Violated, o)
	}
	if u := out.Unexplained; u != nil {
		j.Unexplained = &unexplainedJSON{placeJSON: placeJSON{u.Event.File, u.Event.Line}, Event: written(u.Event.Text),
			Nearest: append([]Nearest{}, u.Nearest...), Able: append([]string{}, u.Able...), Unseen: u.Unseen}
	}
	if k := out.Core; k != nil {
		for _, e := range k.Events {
			j.Core = append(j.Core, placeJSON{e.File, e.Line})
		}
		j.Open = k.Open
	}
	return json.Marshal(j)
}

// written is a line of a log: as it is, or as a text if it is no JSON.
func written(line string) json.RawMessage {
	if json.Valid([]byte(line)) {
		return json.RawMessage(line)
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // texts can be written
	}
	return text
}
