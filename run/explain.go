package run

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
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
	// Who waits, and Why, of a line of the kind Waiting.
	Who string `json:"who,omitempty"`
	Why string `json:"why,omitempty"`
	// Noted is what pictures have beside steps.
	Noted map[int][]string `json:"-"`
}

// Waits is the reason why somebody stays for ever.
func Waits(who, why string) Reason {
	return Reason{Kind: Waiting, Text: who + ": " + why, Who: who, Why: why}
}

// Taken is the reason that a step is, with what it saw, what keeps its value in it, and which steps it follows from.
func Taken(k int, text, seen string, after []int, stays ...string) Reason {
	r := Reason{Kind: Because, Step: k, Steps: []int{k}, Text: text + Since(seen, after)}
	if len(stays) > 0 {
		r.Text += "; then " + strings.Join(stays, ", ")
	}
	if seen != "" {
		stays = append([]string{"since " + spell.Abridged(seen, mostSeen)}, stays...)
	}
	if len(stays) > 0 {
		r.Noted = map[int][]string{k: stays}
	}
	return r
}

// equal reports whether two lines are the same.
func (r Reason) equal(s Reason) bool {
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
	Nearest Kind = "nearest" // what comes nearest to an event of a log that is none of the run
	Edge    Kind = "edge"    // assumptions about parameters that the instance meets with nothing to spare
)

// Add adds a line, once.
func (e *Explanation) Add(r Reason) {
	if !slices.ContainsFunc(*e, r.equal) {
		*e = append(*e, r)
	}
}

// Tight reports whether a comparison of numbers holds, and would not if its sides were one closer.
func Tight(op string, a, b int64) bool {
	by, compares := map[string]int64{">": 1, "<": -1, ">=": 0, "<=": 0}[op]
	return compares && a-b == by
}

// AtLimit says which assumptions the parameters meet with nothing to spare.
func (e *Explanation) AtLimit(list []string) {
	if len(list) > 0 {
		e.Add(Reason{Kind: Edge, Text: "the parameters are at the limit of " + strings.Join(list, ", ")})
	}
}

// roomToWait is how long a reason to wait may be in a picture, and mostWaits how many of them are marked: the first,
// which are nearest to what should become so.
const (
	roomToWait = 200
	mostWaits  = 5
)

// mostSeen is how much of what a step saw is noted at it in pictures.
const mostSeen = 240

// LongestMark is how long a text is in a picture: of a longer one, the middle is left out.
const LongestMark = 800

// Mark marks in pictures where the property breaks, or the model fails: what should be so, what else is, and who waits;
// and in steps what of them matters.
func (r *Run) Mark(why Explanation) {
	if r.Failure != "" {
		r.Wrong = append(r.Wrong, Reason{Kind: Broken, Step: r.Steps,
			Text: strings.ReplaceAll(r.Failure, r.File, filepath.Base(r.File))})
	}
	at := slices.IndexFunc(why, func(w Reason) bool { return w.Kind == Broken || w.Kind == Never })
	waits := 0
	for _, w := range why {
		if w.Kind == Waiting {
			waits++
		}
		for step, notes := range w.Noted {
			e := &r.Events[step-1]
			if e.Notes = append(e.Notes, notes...); e.Lane < 0 && len(e.Arrows) > 0 { // there is no box for them
				label := e.Arrows[0].Label
				label[len(label)-1] += ","
				e.Arrows[0].Label = append(label, notes...)
			}
		}
		switch w.Text = spell.Abridged(w.Text, LongestMark); {
		case w.Kind == Edge:
			r.Notes = append(r.Notes, w.Text)
			continue
		case at < 0 || w.Kind == Waiting && waits > mostWaits:
			continue
		case w.Kind == Broken:
			w.Text = strings.TrimPrefix(r.Spec+": "+w.Text, ": ")
		case w.Kind == Never:
			w.Step, w.Text = r.Steps, r.Spec+": never "+w.Text
		case w.Kind == Happens || w.Kind == Waiting || w.Kind == Nearest ||
			w.Kind == Assumed && w.Step > 0 && why[at].Kind == Broken:
			if w.Kind == Waiting && len(w.Text) > roomToWait {
				w.Text = w.Who // for what is told beside the picture
			}
			w.Text = string(w.Kind) + map[Kind]string{Waiting: ":", Nearest: ":"}[w.Kind] + " " + w.Text
			if w.Step = why[at].Step; why[at].Kind == Never {
				w.Step = r.Steps
			}
		default:
			continue
		}
		r.Wrong = append(r.Wrong, w)
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

// Subject is what a kind of models says of a run that is explained. P are conditions with what they are about: parts of
// properties, guards. S are places of states, which steps read and write.
//
// There are four, since four languages have conditions of their own, with values of their own: automata (package
// witness: sums of numbers, which many processes change), Promela, protocols (protocol/story: quantifiers, messages,
// what has no value), first-order systems (fol/finite: relations, and formulas about two states). How a property is
// taken apart along a run, which lines are said of that, and which steps have led there is the Explainer's, for all.
type Subject[P any, S comparable] interface {
	// Parts takes a claim apart: how it comes about in time, if it is Temporal, else in a state.
	Parts(Claim[P]) (Shape, []Claim[P])
	Temporal(P) bool
	Apart(Claim[P]) bool                       // it is no matter of time, and told part by part
	Truth(Claim[P]) []bool                     // where a claim is so, by position
	Said(P) (text, otherwise string)           // and what is so where it is not; "" for its denial
	Seen(c Claim[P], from, to int) []string    // what gives a claim that is no matter of time its value all along
	Place(position int) (words string, at int) // where it is: behind which step
	Waiting(c Claim[P], position int)          // tells why a claim is so for ever
	// Reads calls look with the places that give a claim its value at a position, or have given it before.
	Reads(c Claim[P], position int, look func(position int, at Places[S]))
}

// Explainer explains why a run violates a property.
type Explainer[P any, S comparable] struct {
	Subject[P, S]
	Last int // position
	Loop int // position that comes after the last one again; beyond that for a finite run
	// Assumes reports whether a claim of the premise is one that is taken for granted; nil for all.
	Assumes func(Claim[P], Moment) bool
	Out     Explanation
	happens map[int]Reason // by line of Out: what to say if nothing else is wrong
	slicing[S]
}

// Visit explains why a claim is so throughout a moment: it goes through a property to the facts that make it false.
func (x *Explainer[P, S]) Visit(c Claim[P], m Moment) {
	shape, parts := Fact, []Claim[P](nil)
	if x.Temporal(c.Part) || x.Apart(c) {
		shape, parts = x.Parts(c)
	}
	switch shape {
	case All:
		for _, p := range parts {
			x.Visit(p, m)
		}
		return
	case Any:
		if i := slices.IndexFunc(parts, func(p Claim[P]) bool {
			return !slices.Contains(x.Truth(p)[m.From:m.To+1], false)
		}); i >= 0 {
			x.Visit(parts[i], m)
			return
		}
	case Lasting: // in the loop, "from now on" includes what came before in it
		x.Visit(parts[0], Moment{From: min(m.From, x.Loop), To: x.Last, Always: true})
		return
	case Eventual:
		where, again, from := x.Truth(parts[0]), m.Always, m.From
		if again { // infinitely often
			from = min(x.Loop, x.Last)
		}
		for i := from; i <= x.Last; i++ {
			if where[i] {
				x.Visit(parts[0], Moment{From: i, To: i, Again: again})
				return
			}
		}
		for i := x.Loop; i < from; i++ {
			if where[i] {
				x.Visit(parts[0], Moment{From: i, To: i, Again: true})
				return
			}
		}
	}
	x.fact(c, m)
}

// fact states what is so in states, and notes what made it so.
func (x *Explainer[P, S]) fact(c Claim[P], m Moment) {
	if x.Temporal(c.Part) {
		x.state(c, m, nil)
		return
	}
	at := m.From
	if m.Always && x.Loop <= x.Last { // for what reason at last?
		at = max(at, x.Loop)
	}
	seen := x.Seen(c, m.From, m.To)
	if len(seen) == 0 && m.From < at {
		if seen = slices.Clone(x.Seen(c, at, m.To)); len(seen) > 0 {
			seen[0] = "at last " + seen[0]
		}
	}
	x.state(c, m, seen)
	if x.assumed(c, m) {
		return
	}
	if m.Always && !c.Want {
		x.Waiting(c, at)
	}
	if !c.Premise || !m.Always && m.From > 0 {
		x.Look(c, at)
	}
}

// Look notes that the explanation rests on a claim at a position.
func (x *Explainer[P, S]) Look(c Claim[P], position int) {
	x.Reads(c, position, func(position int, at Places[S]) {
		_, step := x.Place(position)
		x.look(step, at)
	})
}

func (x *Explainer[P, S]) assumed(c Claim[P], m Moment) bool {
	return c.Premise && (x.Assumes == nil || x.Assumes(c, m))
}

// state adds a line about a part of the property.
func (x *Explainer[P, S]) state(c Claim[P], m Moment, seen []string) {
	kind := Happens
	switch {
	case x.assumed(c, m):
		kind = Assumed
	case !c.Want && m.Always:
		kind = Never
	case !c.Want:
		kind = Broken
	}
	text, otherwise := x.Said(c.Part)
	text = spell.Abridged(text, LongestMark)
	if kind == Broken || kind == Assumed && !c.Want {
		text = spell.Abridged(cmp.Or(otherwise, text+" is false"), LongestMark)
	}
	place, step := x.Place(m.From)
	if kind == Happens {
		if x.happens == nil {
			x.happens = map[int]Reason{}
		}
		x.happens[len(x.Out)] = Reason{Kind: Broken, Step: step,
			Text: Line(text+" is true", when(place, m.From == 0, m.Always, m.Again, Broken), seen)}
	}
	x.Out.Add(Reason{Kind: kind, Text: Line(text, when(place, m.From == 0, m.Always, m.Again, kind), seen), Step: step})
}

// Deciding lists the facts that give a claim its value in a state: where one of several is enough, at most so many.
// Holds says what is true there: not what has no value.
func Deciding[P any](c Claim[P], parts func(Claim[P]) (Shape, []Claim[P]), holds func(Claim[P]) bool,
	most int) (out []Claim[P]) {
	shape, list := parts(c)
	if shape == Fact {
		return []Claim[P]{c}
	}
	n := 0
	for _, p := range list {
		if !holds(p) {
			continue
		}
		out = append(out, Deciding(p, parts, holds, most)...)
		if n++; shape == Any && n == most {
			break
		}
	}
	return out
}

// Stated lists the facts that a claim states by itself: all of them are so.
func Stated[P any](c Claim[P], parts func(Claim[P]) (Shape, []Claim[P])) (out []Claim[P]) {
	switch shape, list := parts(c); shape {
	case Fact:
		return []Claim[P]{c}
	case All:
		for _, p := range list {
			out = append(out, Stated(p, parts)...)
		}
	}
	return out
}

// Slice is the slice of the run for what the explanation has looked at, and by step of it those of it that wrote what
// it needs; effects[k] is what step k does, and more is as in a slice.
func (x *Explainer[P, S]) Slice(effects []Effect[S], more func(Sliced[S]) []int) (Sliced[S], map[int][]int) {
	x.deny()
	x.effects = effects
	kept := x.slice(more)
	return kept, x.enabled(kept)
}

// deny says of what happens that it should not, where nothing is said to be wrong.
func (x *Explainer[P, S]) deny() {
	if slices.ContainsFunc(x.Out, func(r Reason) bool { return r.Kind == Broken || r.Kind == Never }) {
		return
	}
	for i := range x.Out {
		if wrong, is := x.happens[i]; is && x.Out[i].Kind == Happens {
			x.Out[i] = wrong
		}
	}
}

// Junction is the shape of a claimed conjunction or disjunction.
func Junction(and, want bool) Shape {
	if and == want {
		return All
	}
	return Any
}

// Common is what all of several lists have: what was seen in one state after the other, as far as it is so in each.
func Common[T comparable](all [][]T) []T {
	return lists.Keep(lists.Union(nil, all[0]...), func(x T) bool {
		return !slices.ContainsFunc(all, func(l []T) bool { return !slices.Contains(l, x) })
	})
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
	if len(seen) == 1 && seen[0] == strings.Replace(text, " == ", " = ", 1) {
		seen = nil
	}
	if when != "" {
		text = when + ": " + text
	}
	if len(seen) > 0 {
		text += " (" + strings.Join(seen, ", ") + ")"
	}
	return text
}

// when says in words when something is so: from a place on, which may be the start, always or again and again; "" where
// that goes without saying.
func when(place string, start, always, again bool, kind Kind) string {
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

// Since says what a step saw, and which steps have made that so.
func Since(seen string, after []int) string {
	if seen != "" {
		seen = ", since " + seen
	}
	if len(after) > 0 {
		seen += ", by " + StepNumbers(after)
	}
	return seen
}

// mostNumbers is how many numbers of steps are read one by one.
const mostNumbers = 8

// StepNumbers names steps: step 3, or steps 1, 2 and 5-9; of many, the first ones and how many more there are.
func StepNumbers(list []int) string {
	if len(list) == 1 {
		return fmt.Sprintf("step %d", list[0])
	}
	var names []string
	var upTo []int // how many steps the names until here tell
	for i := 0; i < len(list); i++ {
		first := i
		for i+1 < len(list) && list[i+1] == list[i]+1 {
			i++
		}
		if i < first+2 {
			i = first
			names = append(names, fmt.Sprint(list[i]))
		} else {
			names = append(names, fmt.Sprintf("%d-%d", list[first], list[i]))
		}
		upTo = append(upTo, i+1)
	}
	if len(names) > mostNumbers {
		return fmt.Sprintf("steps %s and %d others", strings.Join(names[:mostNumbers/2], ", "),
			len(list)-upTo[mostNumbers/2-1])
	}
	return "steps " + spell.List(names)
}
