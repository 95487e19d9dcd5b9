package story

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/run"
)

// Explain says why the run violates its property, in the words of the text: where each part of the formula is seen
// to be true or false, which steps made it so and what their guards saw, who waits for ever and for what,
// which faults were used, and which assumptions about parameters are met with nothing to spare. It is found on the run
// alone, by the Interpreter. A run that only leads somewhere, or to an error, has no such reasons.
func Explain(r *interp.Run) (out run.Explanation, err error) {
	defer protocol.Catch(&err)
	p := r.Model.Lookup(r.Property)
	if p == nil || r.Failure != nil || len(r.States) == 0 {
		return nil, nil
	}
	x := &explainer{Run: r, x: &interp.Interpreter{Model: r.Model, Options: r.Options}, prop: p, states: r.States,
		loop: -1, acting: -1}
	if r.Loop >= 0 {
		x.states, x.loop = r.States[:len(r.States)-1], r.Loop-1
	}
	top := part{t: p.LTL, frame: make([]int32, p.Frame)}
	at := run.Moment{}
	if p.Invariant != nil {
		top.t = p.Invariant
		at = run.Moment{From: len(x.states) - 1, To: len(x.states) - 1}
	}
	if !x.written(top.t) {
		return nil, nil
	}
	x.why = &run.Explainer[part, cellOrMessage]{Subject: x, Last: len(x.states) - 1, Loop: x.loop,
		Assumes: func(c claim, m run.Moment) bool { return m.From == 0 && c.Want }}
	if x.loop < 0 {
		x.why.Loop = len(x.states)
	}
	x.why.Visit(claim{Part: x.claimed(top, x.states[len(x.states)-1]), Premise: true}, at)
	x.used(x.steps())
	if err := x.edge(); err != nil {
		return nil, err
	}
	return x.why.Out, x.err
}

// Asked is what a condition asks, with values for parameters.
func Asked(m *protocol.Model, t *protocol.Term, frame []int32) string {
	x := &explainer{Run: &interp.Run{Model: m}}
	if !x.written(t) {
		return m.Excerpt(t)
	}
	return x.text(part{t: t, frame: frame}).String()
}

// Truth implements run.Subject, as the methods that follow do: nowhere, if a part has no value in some state, since
// other parts guard it.
func (x *explainer) Truth(c claim) []bool {
	f := new(interp.Multiplier).Formula(c.Part.t, c.Part.frame, !c.Want)
	v, err := x.x.HoldsAlong(f, x.states, x.loop)
	if err != nil {
		return make([]bool, len(x.states))
	}
	return v
}

func (x *explainer) Temporal(p part) bool { return protocol.Temporal(p.t) }

// Apart: of what one value of a variable decides, or one of several parts, that one is told; of an implication that is
// false, both sides.
func (x *explainer) Apart(c claim) bool {
	op := c.Part.t.Op
	return x.parts(c.Part) != nil && (binds(op) && (op == ftdp.ForAll) != c.Want ||
		!c.Want && (op == ftdp.Implies || op == ftdp.And))
}

func (x *explainer) Place(k int) (string, int) {
	words := run.Place(int(x.First) + k)
	if r := x.prop.Rounds; r != nil {
		who, count := "all", " rounds"
		if s := x.states[k]; slices.ContainsFunc(everybody(s), func(p int) bool { return x.failed(p, s) }) {
			who = "all correct processes"
		}
		if r.Op == ftdp.Number && r.Num == 1 {
			count = " round"
		}
		words += ", when " + who + " have ended " + r.String() + count
	}
	return words, k
}

// Parts takes a claim apart, as far as the text has these parts: of processes, those that are not faulty first.
func (x *explainer) Parts(c claim) (run.Shape, []claim) {
	op, list := c.Part.t.Op, x.parts(c.Part)
	switch {
	case list == nil || op == ftdp.Iff:
		return run.Fact, nil
	case op == ftdp.Globally || op == ftdp.Finally:
		inner := []claim{{Part: list[0], Want: c.Want, Premise: c.Premise}}
		if (op == ftdp.Globally) == c.Want {
			return run.Lasting, inner
		}
		inner[0].Premise = c.Premise && op == ftdp.Globally
		return run.Eventual, inner
	}
	shape, claims := split(x.evaluation(nil, x.states[0]), c)
	if binds(op) && shape == run.Any && c.Part.t.Range.Type.Kind == protocol.KindRole {
		faulty := func(q claim) int32 {
			first := x.Model.Roles[c.Part.t.Range.Type.Role].First
			return protocol.Truth(x.faulty(first + int(q.Part.frame[c.Part.t.Var]) - 1))
		}
		slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(faulty(a), faulty(b)) })
	}
	return shape, claims
}

// Seen is the evidence for a claim that is the same in all states of some.
func (x *explainer) Seen(c claim, from, to int) []string {
	var all [][]fact
	for _, s := range x.states[from : to+1] {
		if from < to && !x.has(c.Part, c.Want, s) {
			return nil
		}
		all = append(all, x.evidence(c, s))
	}
	literally := func(c claim) (run.Shape, []claim) {
		if binds(c.Part.t.Op) || c.Part.t.Written.Means != nil {
			return run.Fact, nil
		}
		return x.Parts(c)
	}
	return inWords(slices.DeleteFunc(run.Common(all), func(f fact) bool {
		return slices.ContainsFunc(run.Stated(c, literally), func(stated claim) bool {
			return f.text == x.bare(stated.Part, stated.Want)
		})
	}))
}

// Reads is what gives a part its value in a state; nothing if it has none.
func (x *explainer) Reads(c claim, at int, look func(int, run.Places[cellOrMessage])) {
	look(at, x.readsIn(c.Part, x.states[at]))
}

// claimed is what a property asks for that is made of what is true after some rounds, in a state in which that is
// false.
func (x *explainer) claimed(p part, s *protocol.State) part {
	if x.prop.Rounds == nil {
		return p
	}
	for _, after := range x.parts(p) {
		if list := x.parts(after); list != nil && x.has(after, false, s) {
			x.why.Look(claim{Part: list[0], Want: true}, len(x.states)-1) // that the rounds are over
			return list[len(list)-1]
		}
	}
	return p
}

// Said is a part in words; of processes and numbers, that one is not the other.
func (x *explainer) Said(p part) (text, otherwise string) {
	e := x.text(p)
	switch {
	case e.Op == ftdp.Eq && e.Args[0].Op == ftdp.Number && e.Args[1].Op == ftdp.Number:
		role := ""
		if t := p.t.Args[0].Type; t.Kind == protocol.KindRole {
			role = x.Model.Roles[t.Role].Name + " "
		}
		otherwise = fmt.Sprintf("%s%d is not %s%d", role, e.Args[0].Num, role, e.Args[1].Num)
	case e.Op == ftdp.Not:
		otherwise = e.Args[0].String() + " is true"
	}
	return e.String(), otherwise
}
