package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
)

// NeverJSON is the last object printed by --json, if there is something to be said.
type NeverJSON struct {
	File     string   `json:"file"`
	Warnings []string `json:"warnings,omitempty"`
	Lost     int64    `json:"lost,omitempty"`   // messages, for want of room
	Waited   int64    `json:"waited,omitempty"` // steps
}

// With says which instance it is, after a space; nothing if the text has no parameters.
func With(values []model.Value) string {
	if len(values) == 0 {
		return ""
	}
	return " with " + run.Assignments(values)
}

// Others tells the counterexamples of other kinds that were found, if they were looked for.
func (s Screen) Others(w io.Writer, r *model.Result, most int, tell func(io.Writer, model.Counterexample) error) error {
	if most < 2 {
		return nil
	}
	var b strings.Builder
	first := model.Used(r.Counterexample)
	for i, x := range r.Others {
		said := "without " + strings.Join(differ(first, model.Used(x)), "; ")
		if more := differ(model.Used(x), first); len(more) > 0 {
			said += ", with " + strings.Join(more, "; ")
		}
		fmt.Fprintln(&b)
		s.labelled(&b, [][2]string{{fmt.Sprintf("kind %d of %d", i+2, len(r.Others)+1), said}})
		if err := tell(&b, x); err != nil {
			return err
		}
	}
	said := "there may be others"
	switch {
	case r.Every && len(r.Others) == 0:
		said = "no others: every counterexample uses all of " + strings.Join(first, "; ")
	case r.Every:
		said = "no others: every counterexample uses all the rules of one of these"
	}
	fmt.Fprintln(&b)
	s.labelled(&b, [][2]string{{"kinds", said}})
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), "\n\n\n", "\n\n"))
	return err
}

// differ lists what is in a list and not in another one.
func differ(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(other, name) })
}

// SizesText says how much was visited.
func SizesText(s *model.Space) string {
	var parts []string
	if s.Configs > 0 {
		parts = append(parts, spell.Count(int(s.Configs), "configuration", "configurations"))
	}
	if s.States >= s.Configs { // a formula may be decided by some of the configurations
		parts = append(parts, spell.Count(int(s.States), "state", "states"))
	}
	return strings.Join(append(parts, spell.Count(int(s.Transitions), "transition", "transitions"),
		fmt.Sprintf("depth %d", s.Depth)), ", ")
}

// ExploredJSON is the object printed for an instance by --json.
type ExploredJSON struct {
	File           string         `json:"file"`
	Spec           string         `json:"spec"`
	Verdict        string         `json:"verdict"`
	Reason         string         `json:"reason,omitempty"`
	Parameters     map[string]any `json:"parameters"`
	Configurations int64          `json:"configurations,omitempty"`
	States         int64          `json:"states,omitempty"`
	Transitions    int64          `json:"transitions,omitempty"`
	Depth          int            `json:"depth,omitempty"`
	Seconds        float64        `json:"seconds,omitempty"`
	FoundJSON
}

// FoundJSON is the run that was found, what goes wrong there, and what --all-counterexamples adds.
type FoundJSON struct {
	Witness     model.Counterexample   `json:"witness,omitempty"`
	Explanation run.Explanation        `json:"explanation,omitempty"`
	Others      []model.Counterexample `json:"others,omitempty"`
	Every       bool                   `json:"every_kind,omitempty"` // there are no others
}

// Found is the counterexample of a result with its explanation. The error says why it cannot be explained.
func Found(r *model.Result) (out FoundJSON, err error) {
	out = FoundJSON{Witness: r.Counterexample, Others: r.Others, Every: r.Every}
	if r.Counterexample != nil {
		out.Explanation, err = verdict.Tell(r.Counterexample.Why)
	}
	return out, err
}

// Parameters are values for JSON.
func Parameters(list []model.Value) map[string]any {
	out := map[string]any{}
	for _, v := range list {
		out[v.Name] = v.Value
		if v.Truth {
			out[v.Name] = v.Value.Sign() != 0
		}
	}
	return out
}
