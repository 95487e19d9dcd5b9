package run

import (
	"fmt"
	"slices"
	"strings"
)

// Explanation says in a property's own terms how a run violates it. The lines are for people; their order tells the
// story.
type Explanation []Reason

// Reason is a line of an Explanation.
type Reason struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
	Step int    `json:"step,omitempty"` // that it is about, from 1; 0 if none
	// Steps are all steps that a line of the kind Because or Fault tells, in their order.
	Steps []int `json:"steps,omitempty"`
}

// Equal reports whether two lines are the same.
func (r Reason) Equal(s Reason) bool {
	return r.Kind == s.Kind && r.Text == s.Text && r.Step == s.Step && slices.Equal(r.Steps, s.Steps)
}

// Kind says what a reason is about.
type Kind string

// The kinds of reasons.
const (
	Assumed Kind = "assumed" // part of a premise, which the run satisfies
	Happens Kind = "then"    // what the claim is about, and happens
	Broken  Kind = "broken"  // what should be true then, and is not
	Never   Kind = "never"   // what should become true at last, and does not
	Because Kind = "because" // how a guard let it happen
	Fault   Kind = "fault"   // which fault happens, and whom it reaches
	Waiting Kind = "waiting" // who stays for ever where it should not, and why
	Edge    Kind = "edge"    // assumptions about parameters that the instance meets with nothing to spare
)

// Add adds a line, once.
func (e *Explanation) Add(r Reason) {
	if !slices.ContainsFunc(*e, r.Equal) {
		*e = append(*e, r)
	}
}

// Claim says that a part of a property is true, or that it is false.
type Claim[P any] struct {
	Part    P
	Want    bool
	Premise bool // the property takes it for granted
}

// Moment is a position of the run, or all from one on.
type Moment struct {
	From, To int
	Always   bool
	Again    bool // in the loop, and so infinitely often
}

// Shape says how a claim comes about.
type Shape int

// The shapes.
const (
	Fact     Shape = iota // it is not taken apart
	All                   // each of its parts is so
	Any                   // one of them is
	Lasting               // its part is so from now on
	Eventual              // now or later
)

// Walk goes through a property to the facts that make it false of a run, for those who tell them. A kind of models says
// what its formulas are.
type Walk[P any] struct {
	Parts func(Claim[P]) (Shape, []Claim[P])
	Truth func(Claim[P]) []bool  // where a claim is so, by position
	Fact  func(Claim[P], Moment) // tells one that is not taken apart, or is so for different reasons at different times
	Last  int                    // position
	Loop  int                    // position that comes after the last one again; beyond that for a finite run
}

// Visit explains why a claim is so throughout a moment.
func (w *Walk[P]) Visit(c Claim[P], m Moment) {
	shape, parts := w.Parts(c)
	switch shape {
	case All:
		for _, p := range parts {
			w.Visit(p, m)
		}
		return
	case Any:
		if i := slices.IndexFunc(parts, func(p Claim[P]) bool {
			return !slices.Contains(w.Truth(p)[m.From:m.To+1], false)
		}); i >= 0 {
			w.Visit(parts[i], m)
			return
		}
	case Lasting: // in the loop, "from now on" includes what came before in it
		w.Visit(parts[0], Moment{From: min(m.From, w.Loop), To: w.Last, Always: true})
		return
	case Eventual:
		where, again, from := w.Truth(parts[0]), m.Always, m.From
		if again { // infinitely often
			from = min(w.Loop, w.Last)
		}
		for i := from; i <= w.Last; i++ {
			if where[i] {
				w.Visit(parts[0], Moment{From: i, To: i, Again: again})
				return
			}
		}
		for i := w.Loop; i < from; i++ {
			if where[i] {
				w.Visit(parts[0], Moment{From: i, To: i, Again: true})
				return
			}
		}
	}
	w.Fact(c, m)
}

// Junction is the shape of a conjunction, or disjunction, of which something is claimed.
func Junction(and, want bool) Shape {
	if and == want {
		return All
	}
	return Any
}

// Common are the texts that all of several lists have: what was seen in one state after the other, as far as it is so
// in each.
func Common(lists [][]string) (out []string) {
	for i, text := range lists[0] {
		if !slices.Contains(out, text) && !slices.ContainsFunc(lists,
			func(l []string) bool { return !slices.Contains(l, text) }) {
			out = append(out, lists[0][i])
		}
	}
	return out
}

// Place says in words where in a run something is so.
func Place(step int) string {
	if step == 0 {
		return "at the start"
	}
	return fmt.Sprintf("after step %d", step)
}

// Line is a claim in words: when it is so, and what is seen then.
func Line(text, when string, seen []string) string {
	if when != "" {
		text = when + ": " + text
	}
	if len(seen) > 0 {
		text += " (" + strings.Join(seen, ", ") + ")"
	}
	return text
}

// When says in words when something is so: from a place on, which may be the start, always or again and again; "" where
// that goes without saying.
func When(place string, start, always, again bool, kind Kind) string {
	switch {
	case kind == Never && start:
		return ""
	case kind == Never:
		return place
	case always && start:
		return "always"
	case always:
		return place + " for ever"
	case again:
		return place + ", again and again"
	}
	return place
}
