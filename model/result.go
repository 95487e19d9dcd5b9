package model

import (
	"encoding/json"
	"math/big"
	"slices"
	"tacheck/rounds"
	"tacheck/show/chart"
	"time"

	"tacheck/internal/diag"
	"tacheck/internal/verdict"
	"tacheck/protocol/machine"
	"tacheck/verify"
	"tacheck/witness"
)

// Result is what was found out about a specification.
type Result struct {
	Spec           string
	Verdict        verdict.Verdict
	Reason         string         // for unknown; for violated why there is no counterexample, if there is none
	Warnings       diag.List      // about the specification, with places in the model's text
	Counterexample Counterexample // for violated: it has been replayed
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
	// Facts says what it is a run of, and to what.
	Facts() Facts
	// Story tells it.
	Story() (*Story, error)
	// Why says what goes wrong; nothing of a run that violates no property. What happens is known without it.
	Why() (witness.Explanation, error)
	// Places are its steps, with their places in the model's text; nil where steps have none.
	Places() []Place
	// Chart draws it as a message sequence chart; nil if it is none of processes that send messages to each other.
	Chart() *chart.Chart
	// ITF writes it in the Informal Trace Format (package show/itf).
	ITF() ([]byte, error)
}

// Facts are what there is to know of a run.
type Facts struct {
	Spec    string // that it violates; "" if it claims none
	Failure string // that it ends in, if any
	Steps   int    // after the start
	Repeats int    // of these, the last ones that repeat for ever; 0 for a finite run
	Stops   bool   // nobody can move at the end
	// Values are those of parameters and constants. Said are they in words, of constants with what
	// the text has where that differs.
	Values []Value
	Said   []string
	// Reading says how the model is read, where it is not the usual way.
	Reading []string
}

// Parameters are the values, by name, for other programs.
func (f Facts) Parameters() map[string]*big.Int {
	out := map[string]*big.Int{}
	for _, v := range f.Values {
		out[v.Name] = v.Value
	}
	return out
}

// Place is a step with its place.
type Place struct {
	Pos  diag.Pos
	Text string
}

// Story is a run as it is told to people: a table of its steps, or one beat after the other.
type Story struct {
	Title string
	Start []string
	Table *Table
	Beats []Beat
	End   []string
}

// Beat is an event of a run.
type Beat struct {
	Step    int // 0 for how the run begins
	Last    int // where steps are told as one: the last of them
	Text    string
	Details []string
	Loop    bool // what repeats begins here
}

// Table has a row for each step.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Loop    int // index of the first row that repeats; -1 if none does
	// Limits returns the greatest width of each column, 0 for none, on a screen so wide, given the
	// widest content of each.
	Limits func(screen int, widest []int) []int
}

// Column is one of a table.
type Column struct {
	Title string
	Right bool // numbers
}

// Cell has lines.
type Cell []string

// one is a cell of one line.
func one(text string) Cell { return Cell{text} }

// Add adds what was visited of another instance.
func (s *Space) Add(more *Space) {
	s.Instance = more.Instance
	s.Configs, s.States, s.Transitions = s.Configs+more.Configs, s.States+more.States, s.Transitions+more.Transitions
	s.Depth = max(s.Depth, more.Depth)
	for _, note := range more.Notes {
		if !slices.Contains(s.Notes, note) {
			s.Notes = append(s.Notes, note)
		}
	}
}
