// Package run is what a run of a model is, whatever kind of model it is of: named values, what happens, by whom, what
// is received and when it was sent, what repeats. It is told, explained, drawn and written as a trace from that alone;
// what a run means is known by those that make one.
package run

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
)

// Sought is the name of a property that says that something which is looked for is never so: a run that violates it is
// one in which it is found.
const Sought = "sought"

// Run is a run that can be told.
type Run struct {
	Facts
	Story
	File, Name string   // of the model
	With       string   // which parameters, in words
	Formula    string   // that it violates; "" if there is none
	Assumed    []string // what is taken for granted
	Lanes      []Lane   // who takes part
	Begins     string   // how; "" where nothing is to be said of that
	First      int      // how many steps come before these, and are not kept
	Events     []Event  // Events[k] is step First+k+1
	Loop       int      // the event from which on all repeat, or -1
	Notes      []string // on the end
	Wrong      []Reason // what is marked in pictures: where the property breaks
	Vars       []string // what States have
	States     []State  // one more than Events
}

// State has a value for each variable, as package encoding/json writes it, but for numbers: they are *big.Int.
type State map[string]any

// Facts are what there is to know of a run.
type Facts struct {
	Spec    string // that it violates; "" if it claims none
	Failure string // that it ends in, if any
	Steps   int    // after the start
	Repeats int    // of these, the last ones that repeat for ever; 0 for a finite run
	Stops   bool   // no process can move at the end
	Grows   string // what each time round the loop raises, and by how much; "" if nothing
	// Values are those of parameters and constants. Said are they in words, of constants with what
	// the text has where that differs.
	Values []Value
	Said   []string
	// Reading says how the model is read, where it is not the usual way.
	Reading []string
}

// Value is a parameter with its value in an instance.
type Value struct {
	Name  string
	Value *big.Int
	Truth bool
}

// String prints a value as an assignment.
func (v Value) String() string {
	if v.Truth {
		return v.Name + "=" + map[bool]string{true: "true", false: "false"}[v.Value.Sign() != 0]
	}
	return v.Name + "=" + v.Value.String()
}

// Assignments prints values: n = 4, t = 1.
func Assignments(list []Value) string {
	parts := lists.Map(list, func(v Value) string { return strings.Replace(v.String(), "=", " = ", 1) })
	return strings.Join(parts, ", ")
}

// Parameters are the values, by name, for other programs.
func (f *Facts) Parameters() map[string]*big.Int {
	out := map[string]*big.Int{}
	for _, v := range f.Values {
		out[v.Name] = v.Value
	}
	return out
}

// Lane is a participant: a process, several processes that need no lanes of their own, or a place where processes are.
type Lane struct {
	Name       string
	Faulty     bool
	Start, End []string // what it has
}

// Event is a step.
type Event struct {
	Text    string   // in one line
	Each    string   // the same of one of several times; "" if that is Text
	Pos     diag.Pos // in the model's text; none if it has none
	Times   *big.Int // how often it happens at once; nil for once
	Lane    int      // who does it; -1 for none
	Name    string   // of what is done; "" if something is received only
	Fault   string   // that it is, in words; "" for none
	Ends    bool     // who does it does nothing afterwards
	Changes []string // what it changes
	Notes   []string // what of it matters, and is no change
	Sends   []string // what it sends, and to whom
	Arrows  []Arrow  // what is received in it, or moves
	Cells   []string // of the table, in lines
}

// Arrow is a message that is received in a step, or is lost.
type Arrow struct {
	From, To int      // lanes
	Label    []string // the message, and what is to be said of it
	Sent     int      // the step in which it was sent; 0 if that is not known
	Lost     bool     // it does not arrive
	Faulty   bool     // it is one that a correct process would not send
}

// Story is a run as it is told to people: a table of its steps, or one beat after the other.
type Story struct {
	Title   string
	Start   []string
	Columns []string // of the table, behind the numbers of steps; nil if there is none
	Beats   []Beat
	End     []string
}

// Beat is an event of a run, or several that are told as one.
type Beat struct {
	Step    int // 0 for how the run begins
	Last    int // where steps are told as one: the last of them
	Text    string
	Details []string
	Loop    bool // what repeats begins here
}

// Entries are the beats of a story, also of one that has a table.
func (r *Run) Entries() []Beat {
	if r.Beats != nil {
		return r.Beats
	}
	list := []Beat{{Text: "at first", Details: slices.Clone(r.Start)}}
	for i, e := range r.Events {
		list = append(list, Beat{Step: i + 1, Last: i + 1, Text: e.Text, Loop: i == r.Loop})
	}
	last := &list[len(list)-1]
	last.Details = append(last.Details, r.End...)
	return list
}

// Details are lines on what changes and what is sent.
func Details(changes, sends []string) []string {
	return append(slices.Clone(changes), lists.Map(sends, func(text string) string { return "sends " + text })...)
}

// Given notes the values of parameters.
func (r *Run) Given(list []Value) {
	r.Values, r.Said, r.With = list, lists.Map(list, Value.String), Assignments(list)
}

// Taking is the title of a counterexample in which so many processes take part.
func (r *Run) Taking(processes *big.Int) {
	r.Title = "counterexample"
	if r.With != "" {
		r.Title += " with " + r.With
	}
	take := map[bool]string{true: " process takes part", false: " processes take part"}
	r.Title += ": " + processes.String() + take[processes.String() == "1"]
}

// Again notes that all repeats from an event on.
func (r *Run) Again(loop int) {
	r.Loop, r.Repeats = loop, r.Steps-loop
	again := "and " + Steps(loop+1, r.Steps) + " for ever"
	if r.Grows != "" {
		again += ", which raises " + r.Grows + " each time"
	}
	r.End = append(r.End, again)
}

// At is a step with its place.
type At struct {
	Pos  diag.Pos
	Text string
}

// Places are the steps, with their places in the model's text; nil where steps have none.
func (r *Run) Places() (list []At) {
	if !slices.ContainsFunc(r.Events, func(e Event) bool { return e.Pos.IsValid() }) {
		return nil
	}
	for _, e := range r.Events {
		list = append(list, At{e.Pos, fmt.Sprintf("step %d: %s", r.First+len(list)+1, e.Text)})
	}
	return list
}

// Steps names steps: steps 3 to 5, or step 5.
func Steps(first, last int) string {
	if first < last {
		return fmt.Sprintf("steps %d to %d", first, last)
	}
	return fmt.Sprintf("step %d", last)
}
