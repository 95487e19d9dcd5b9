package terminal

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// Exploring tells how an exploration of a protocol gets on.
type Exploring struct {
	mu    sync.Mutex
	Line  func(string)
	Start time.Time
}

// Tell prints the progress, once it has taken a while.
func (x *Exploring) Tell(p explore.Progress) {
	if time.Since(x.Start) < Quiet {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.Line(fmt.Sprintf("%d states, %d a second, %d to be visited, depth %d, %.0f s", p.States, int(p.Rate), p.Queue,
		p.Depth, time.Since(x.Start).Seconds()))
}

// End takes the line of progress away.
func (x *Exploring) End() { x.Line("") }

// AnswerJSON is what every command prints of a property of a protocol: the verdict, for values of the constants.
type AnswerJSON struct {
	File      string          `json:"file"`
	Property  string          `json:"property,omitempty"`
	Verdict   verdict.Verdict `json:"verdict"`
	Reason    string          `json:"reason,omitempty"`
	Constants map[string]any  `json:"constants"`
}

// Answer is the answer to a property, for the model's own constants.
func Answer(m *protocol.Model, property string, v verdict.Verdict, reason string) AnswerJSON {
	return AnswerJSON{m.File, property, v, reason, m.ConstantValues()}
}

// ProtocolJSON is the object printed for a property by --json.
type ProtocolJSON struct {
	AnswerJSON
	Symmetry    string         `json:"symmetry"`
	Traffic     interp.Traffic `json:"traffic"`
	Crash       string         `json:"crash"`
	States      int64          `json:"states"`
	Transitions int64          `json:"transitions"`
	Depth       int            `json:"depth"`
	Seconds     float64        `json:"seconds"`
	Bytes       float64        `json:"bytes_per_state"`
	Partial     string         `json:"por"`
	Split       string         `json:"split"`
	Saving      []string       `json:"por_tried,omitempty"`
	Deadlocks   int64          `json:"deadlocks"`
	FoundJSON
}

// SymmetryName is the value of --symmetry that the search had.
func SymmetryName(r *machine.Result) string {
	if r.Symmetric {
		return "roles"
	}
	return "none"
}

// ProtocolResult is a result for people, without its counterexample, and with the notes that others do not have.
func (s Screen) ProtocolResult(m *protocol.Model, result *model.Result, width int, noted map[string]bool) string {
	b := &strings.Builder{}
	r := result.Space.Machine
	name := m.File
	if a := m.Assignments(); a != "" {
		name += " (" + a + ")"
	}
	if r.Property != "" {
		fmt.Fprintf(b, "%s: %-*s  %s  ", name, width, r.Property, s.verdict(r.Verdict, r.Reason))
	} else {
		fmt.Fprintf(b, "%s: no properties; ", name)
	}
	var how []string
	if r.Symmetric {
		how = append(how, "role symmetry")
	}
	if t := r.Options.TrafficName(); t != interp.Direct {
		how = append(how, "traffic "+string(t))
	}
	how = append(how, r.Options.CrashName()+" crashes")
	if r.Partial != machine.Unreduced {
		how = append(how, r.Partial)
		if r.Split != interference.Combined {
			how = append(how, "split "+string(r.Split))
		}
	}
	depth := ""
	if r.Depth > 0 { // formulas that hold have none
		depth = fmt.Sprintf("depth %d, ", r.Depth)
	}
	fmt.Fprintf(b, "%s, %s, %s%.2f s (%s)\n", spell.Count(int(r.States), "state", "states"),
		spell.Count(int(r.Transitions), "transition", "transitions"), depth, result.Time.Seconds(), strings.Join(how,
			", "))
	notes := result.Space.Notes
	formula := func(p protocol.Prop) bool { return p.Invariant == nil } // it is violated by a run that ends too early
	if r.Deadlocks > 0 && r.Verdict == verdict.Holds && !slices.ContainsFunc(m.Props, formula) {
		notes = append(slices.Clone(notes), fmt.Sprintf("in %d of the states no step is possible: ends, or deadlocks "+
			"(tacheck explain deadlock)", r.Deadlocks))
	}
	for _, note := range notes {
		if !noted[note] {
			fmt.Fprintf(b, "  %s\n", note)
		}
		noted[note] = true
	}
	return b.String()
}
