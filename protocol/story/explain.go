package story

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
	"tacheck/protocol/parametric"
	"tacheck/run"
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
	if r.Model.Made() {
		if x.source, err = parametric.Of(r.Model.Source); err != nil {
			return nil, err
		}
	}
	text := x.propertyText(r.Property)
	if text == nil {
		return nil, nil
	}
	x.rounds = text.Rounds
	top := part{text.Formula, p.LTL, make([]int32, p.Frame)}
	at := moment{}
	if p.Invariant != nil {
		top.t = p.Invariant
		at = moment{from: len(x.states) - 1, to: len(x.states) - 1}
	}
	x.premise = true
	x.visit(top, false, at)
	kept := x.steps()
	x.used(kept)
	x.edge()
	return x.out, x.err
}

type explainer struct {
	*interp.Run
	x       *interp.Interpreter
	prop    *protocol.Prop
	source  *parametric.Source // of an instance
	states  []*protocol.State
	loop    int // position of states at which they go on, or -1
	premise bool
	whole   *ftdp.Expr        // the part that is told
	rounds  *ftdp.Expr        // that are over where the property asks for something; nil if it always does
	looks   []look            // what the explanation looks at
	packets []protocol.Packet // that are received in the step whose guard is looked at
	acting  int               // the process whose guard is looked at, or -1
	refused bool              // a condition that is looked at is false: what was not done is a reason, too
	general bool              // parameters for the process that moves keep their names
	out     run.Explanation
	err     error
}

// part is a part of a formula: as the text has it, with values for variables that are bound outside, and resolved.
type part struct {
	e     *ftdp.Expr
	t     *protocol.Term
	frame []int32
}

// moment is a position of the run, or all from one on.
type moment struct {
	from, to int
	always   bool
	again    bool // in the loop, and so infinitely often
}

// propertyText is a property as it was resolved.
func (x *explainer) propertyText(name string) *ftdp.Property {
	list := x.Model.Source.Sections
	if x.source != nil {
		list = x.source.Props
	}
	for _, s := range list {
		for _, p := range []*ftdp.Property{s.Invariant, s.LTL} {
			if p != nil && p.Name.Name == name {
				return p
			}
		}
	}
	return nil
}

// parts takes a part of a formula apart; nil where its text has another structure.
func (x *explainer) parts(p part) (list []part) {
	e := x.unfolded(p.e)
	if e.Op != p.t.Op || len(e.Args) != len(p.t.Args) {
		return nil
	}
	for i, a := range e.Args {
		list = append(list, part{a, p.t.Args[i], p.frame})
	}
	return list
}

// unfolded is what a definition stands for.
func (x *explainer) unfolded(e *ftdp.Expr) *ftdp.Expr {
	for range protocol.MaxDepth {
		if e.Op != ftdp.Name && e.Op != ftdp.Call || x.source != nil {
			return e.Plain()
		}
		var d *ftdp.Define
		for _, s := range x.Model.Source.Sections {
			if s.Define != nil && s.Define.Name.Name == e.Name && len(s.Define.Params) == len(e.Args) {
				d = s.Define
			}
		}
		if d == nil {
			break
		}
		with := map[string]*ftdp.Expr{}
		for i, param := range d.Params {
			with[param.Name.Name] = e.Args[i]
		}
		e = d.Value.Putting(with)
	}
	return e
}

// bound is the body of a quantifier for a value of its variable.
func (x *explainer) bound(p part, v int32) (part, bool) {
	e := x.unfolded(p.e)
	if e.Op != p.t.Op || p.t.Range == nil || len(e.Args) != len(p.t.Args) {
		return part{}, false
	}
	frame := slices.Clone(p.frame)
	frame[p.t.Var] = v
	value := parametric.TruthValue(v != 0)
	switch p.t.Range.Type.Kind {
	case protocol.KindRole, protocol.KindInt, protocol.KindQuorum:
		value = &ftdp.Expr{Op: ftdp.Number, Num: int64(v)}
	case protocol.KindEnum:
		value = &ftdp.Expr{Op: ftdp.Name, Name: p.t.Range.Type.Format(v)}
	}
	return part{e.Args[0].Putting(map[string]*ftdp.Expr{e.Name: value}), p.t.Args[0], frame}, true
}

// truth returns where a part has a value; nowhere if it has none in some state, since other parts guard it.
func (x *explainer) truth(p part, want bool) []bool {
	f := (&interp.Multiplier{M: x.Model}).Formula(p.t, p.frame, !want)
	v, err := x.x.HoldsAlong(f, x.states, x.loop)
	if err != nil {
		return make([]bool, len(x.states))
	}
	return v
}

func (x *explainer) throughout(p part, want bool, m moment) bool {
	where := x.truth(p, want)
	return !slices.Contains(where[m.from:m.to+1], false)
}

// visit explains why a part has a value throughout a moment.
func (x *explainer) visit(p part, want bool, m moment) {
	if x.err != nil {
		return
	}
	op := p.t.Op
	switch {
	case (op == ftdp.ForAll) != want && (op == ftdp.ForAll || op == ftdp.Exists) && x.chosen(p, want, m):
		return
	case op == ftdp.Implies && !want && x.parts(p) != nil:
		list, outer := x.parts(p), x.premise
		x.visit(list[0], true, m)
		x.premise = false
		x.visit(list[1], false, m)
		x.premise = outer
		return
	case !protocol.Temporal(p.t):
		x.fact(p, want, m)
		return
	}
	list := x.parts(p)
	switch {
	case list == nil:
		x.state(p, want, m, nil)
	case op == ftdp.Not:
		x.visit(list[0], !want, m)
	case (op == ftdp.And || op == ftdp.Or) && (op == ftdp.And) == want:
		for _, q := range list {
			x.visit(q, want, m)
		}
	case op == ftdp.And || op == ftdp.Or || op == ftdp.Implies:
		x.one(p, list, want, m)
	case op == ftdp.Globally && want || op == ftdp.Finally && !want:
		if x.loop >= 0 { // in the loop, "from now on" includes what came before in it
			m.from = min(m.from, x.loop)
		}
		x.visit(list[0], want, moment{from: m.from, to: len(x.states) - 1, always: true})
	case op == ftdp.Globally || op == ftdp.Finally:
		x.eventual(p, list[0], want, m)
	default:
		x.state(p, want, m, nil)
	}
}

// chosen explains a quantifier by a value of its variable that decides.
func (x *explainer) chosen(p part, want bool, m moment) bool {
	for v := p.t.Range.Type.Lo; v <= p.t.Range.Type.Hi; v++ {
		if q, ok := x.bound(p, v); ok && x.throughout(q, want, m) {
			x.visit(q, want, m)
			return true
		}
	}
	return false
}

// one explains a disjunction by a part of it.
func (x *explainer) one(p part, list []part, want bool, m moment) {
	for i, q := range list {
		value := want != (p.t.Op == ftdp.Implies && i == 0)
		if x.throughout(q, value, m) {
			x.visit(q, value, m)
			return
		}
	}
	x.state(p, want, m, nil)
}

// eventual explains what is so now or later.
func (x *explainer) eventual(p, next part, want bool, m moment) {
	where, last := x.truth(next, want), len(x.states)-1
	again := m.always // infinitely often
	from := m.from
	if again && x.loop >= 0 {
		from = x.loop
	}
	for i := from; i <= last; i++ {
		if where[i] {
			x.premise = x.premise && p.t.Op == ftdp.Globally
			x.visit(next, want, moment{from: i, to: i, again: again})
			return
		}
	}
	for i := max(0, x.loop); x.loop >= 0 && i <= last; i++ {
		if where[i] {
			x.visit(next, want, moment{from: i, to: i, again: true})
			return
		}
	}
	x.state(p, want, m, nil)
}

// fact states what is so in states, and what made it so.
func (x *explainer) fact(p part, want bool, m moment) {
	at := m.from
	if m.always && x.loop >= 0 { // for what reason at last?
		at = x.loop
	}
	claim := x.claimed(p, x.states[at])
	x.whole = claim.e
	seen := x.evidence(claim, want, x.states[at])
	x.whole = nil
	x.state(claim, want, m, seen)
	if m.always && !want {
		x.waiting(p, at)
	}
	if !x.premise || !m.always && m.from > 0 {
		x.looksAt(p, at)
	}
}

// claimed is what a property asks for that is made of what is true after some rounds, in a state in which that is
// false.
func (x *explainer) claimed(p part, s *protocol.State) part {
	if x.rounds == nil {
		return p
	}
	for _, after := range x.parts(p) {
		if list := x.parts(after); list != nil && x.has(after, false, s) {
			return list[len(list)-1]
		}
	}
	return p
}

// state adds a line about a part of the formula.
func (x *explainer) state(p part, want bool, m moment, seen []string) {
	kind := run.Happens
	switch {
	case x.premise && m.from == 0 && want:
		kind = run.Assumed
	case !want && m.always:
		kind = run.Never
	case !want:
		kind = run.Broken
	}
	text := p.e.String()
	if kind == run.Broken {
		text = x.broken(p)
	}
	when := x.when(m, kind)
	if x.rounds != nil {
		when += ", when all have ended " + x.rounds.String() + " rounds"
	}
	if when != "" {
		text = when + ": " + text
	}
	said := p.e.String()
	seen = slices.DeleteFunc(distinct(seen), func(text string) bool {
		return strings.Contains(said, strings.TrimPrefix(text, "not "))
	})
	if len(seen) > 0 {
		text += " (" + strings.Join(seen, ", ") + ")"
	}
	x.add(kind, m.from, text)
}

// broken says that a part is false.
func (x *explainer) broken(p part) string {
	switch {
	case p.t.Op == ftdp.Eq && p.e.Op == ftdp.Eq && p.e.Args[0].Op == ftdp.Number && p.e.Args[1].Op == ftdp.Number:
		role := ""
		if t := p.t.Args[0].Type; t != nil && t.Kind == protocol.KindRole {
			role = x.Model.Roles[t.Role].Name + " "
		}
		return fmt.Sprintf("%s%d is not %s%d", role, p.e.Args[0].Num, role, p.e.Args[1].Num)
	case p.t.Op == ftdp.Not && p.e.Op == ftdp.Not:
		return p.e.Args[0].String() + " is true"
	}
	return p.e.String() + " is false"
}

func (x *explainer) add(kind run.Kind, step int, text string) {
	x.put(run.Reason{Kind: kind, Text: Said(x.Model, text), Step: step})
}

// put adds a line, once.
func (x *explainer) put(reason run.Reason) {
	if !slices.ContainsFunc(x.out, reason.Equal) {
		x.out = append(x.out, reason)
	}
}

// when says in words when something is so.
func (x *explainer) when(m moment, kind run.Kind) string {
	place := "at the start"
	if m.from > 0 {
		place = fmt.Sprintf("after step %d", m.from)
	}
	return run.When(place, m.from == 0, m.always, m.again, kind)
}

// distinct leaves out what is there already.
func distinct(list []string) (out []string) {
	for _, text := range list {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
