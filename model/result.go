package model

import (
	"encoding/json"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/chart"
	"github.com/tacheck/tacheck/verify"
)

// Result is what was found out about a specification.
type Result struct {
	Spec           string
	Verdict        verdict.Verdict
	Reason         string           // for unknown; for violated why there is no counterexample, if there is none
	Warnings       diag.List        // about the specification, with places in the model's text
	Counterexample Counterexample   // for violated: it has been replayed
	Others         []Counterexample // of other kinds, if they were looked for
	Every          bool             // there are no others
	Time           time.Duration
	// Search says how it was decided for all parameters; nil if it was not.
	Search *verify.Result
	// Space says what was visited of an instance; nil if nothing was.
	Space *Space
	// Lacks are the conditions that fail, where it is unknown whether something happens with probability one because
	// they do.
	Lacks []rounds.Lack
	// Proof shows that it holds in all rounds of a model that has rounds; nil otherwise.
	Proof *rounds.Proof
}

// Space is what was visited of an instance.
type Space struct {
	Instance    []Value
	Configs     int64 // 0 where they are not told apart from states
	States      int64
	Transitions int64
	Depth       int
	Notes       []string        // what was not looked at, for example
	Machine     *machine.Result // of processes with identities: how they were explored
}

// Counterexample is a run that violates a specification, or goes wrong, whatever kind of model it
// is of. Its JSON is the file that Replay reads.
type Counterexample interface {
	json.Marshaler
	// Rules names the rules that it uses, as often as it does; "" is none.
	Rules() []string
	// Told is the run as it is told, drawn and written for other programs.
	Told() *run.Run
	// Why says what goes wrong; nothing of a run that violates no property. What happens is known without it.
	Why() (run.Explanation, error)
}

// Told is a run as it is told. Its error says that it cannot be, by a mistake of this program; verdicts stand without
// it.
func Told(x Counterexample) (*run.Run, error) {
	return verdict.Tell(func() (*run.Run, error) { return x.Told(), nil })
}

// Chart draws a run as a message sequence chart, with what breaks the property marked. Its error is of what goes wrong.
func Chart(x Counterexample) (*chart.Chart, error) {
	told := x.Told()
	why, err := verdict.Tell(x.Why)
	told.Mark(why)
	return chart.Draw(told), err
}

// Add adds what was visited of another instance.
func (s *Space) Add(more *Space) {
	s.Instance = more.Instance
	s.Configs, s.States, s.Transitions = s.Configs+more.Configs, s.States+more.States, s.Transitions+more.Transitions
	s.Depth = max(s.Depth, more.Depth)
	s.Notes = lists.Union(s.Notes, more.Notes...)
}
