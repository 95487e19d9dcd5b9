package witness

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/boolean"
	"tacheck/ltl"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

// Explanation says in a specification's own terms how a run violates it. The
// lines are for people; their order tells the story.
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

// Explain says why the witness violates its specification: where each part of the formula is seen to be true or false,
// which steps made it so and what their guards saw, who waits for ever and for what. It is found on the run alone; the
// cost is linear in its length times the size of the formula.
func (w *Witness) Explain() (Explanation, error) {
	spec := w.Automaton.SpecNamed(w.Spec)
	if spec == nil {
		return nil, fmt.Errorf("the model has no specification %q", w.Spec)
	}
	return w.explain(spec)
}

func (w *Witness) explain(spec *ta.Spec) (Explanation, error) {
	f, err := ltl.FromExpr(w.Automaton, spec.Formula)
	if err != nil {
		return nil, err
	}
	e := &explainer{Witness: w, premises: ltl.Dissect(spec.Formula).Premises,
		trace: ltl.NewTrace(f, w.Automaton, w.Run, w.Configs)}
	e.at(claim{spec.Formula, false}, 0)
	if e.err != nil {
		return nil, e.err
	}
	e.edge()
	return e.out, nil
}

type explainer struct {
	*Witness
	trace    ltl.Trace
	premises []*syntax.Expr
	premise  bool         // we are inside of one
	named    map[int]bool // steps that are told
	out      Explanation
	err      error
}

// claim says that an expression is true, or that it is false.
type claim struct {
	*syntax.Expr
	want bool
}

// truth returns where the claim is true.
func (e *explainer) truth(c claim) []bool {
	return e.trace.Truth(e.formula(c))
}

func (e *explainer) formula(c claim) ltl.Formula {
	f, err := ltl.FromExpr(e.Automaton, c.Expr)
	if err != nil {
		e.err = err
		return ltl.Prop{Cond: ta.And()}
	}
	if !c.want {
		f = ltl.Negate(f)
	}
	return f
}

// parts reads a claim as a conjunction (all) or disjunction of smaller ones.
func (c claim) parts() (list []claim, all bool) {
	switch c.Op {
	case syntax.Not:
		return []claim{{c.Args[0], !c.want}}, true
	case syntax.And, syntax.Or:
		for _, arg := range c.Args {
			list = append(list, claim{arg, c.want})
		}
		return list, (c.Op == syntax.And) == c.want
	case syntax.Implies:
		last := len(c.Args) - 1
		left := c.Args[0]
		if last > 1 { // a -> b -> c is (a -> b) -> c
			left = &syntax.Expr{Op: syntax.Implies, Pos: c.Pos, Width: c.Width, Args: c.Args[:last]}
		}
		return []claim{{left, !c.want}, {c.Args[last], c.want}}, !c.want
	}
	return nil, false
}

// eventual reads a claim as "now or later".
func (c claim) eventual() (claim, bool) {
	if c.Op == syntax.Finally && c.want || c.Op == syntax.Globally && !c.want {
		return claim{c.Args[0], c.want}, true
	}
	return claim{}, false
}

// lasting reads a claim as "from now on".
func (c claim) lasting() (claim, bool) {
	if c.Op == syntax.Globally && c.want || c.Op == syntax.Finally && !c.want {
		return claim{c.Args[0], c.want}, true
	}
	return claim{}, false
}

// at explains why a claim is true at a position.
func (e *explainer) at(c claim, pos int) { e.visit(c, moment{from: pos, to: pos}) }

// moment is a position, or all from one on.
type moment struct {
	from, to int
	always   bool
	again    bool // in the loop, and so infinitely often
}

// visit explains why a claim is true throughout a moment.
func (e *explainer) visit(c claim, m moment) {
	if e.err != nil {
		return
	}
	if slices.Contains(e.premises, c.Expr) {
		e.premise = true
		defer func() { e.premise = false }()
	}
	if !ltl.Temporal(c.Expr) {
		e.fact(c, m)
		return
	}
	if parts, all := c.parts(); parts != nil {
		e.branch(c, parts, all, m)
		return
	}
	last := len(e.trace.Configs) - 1
	if next, ok := c.lasting(); ok {
		// In the loop, "from now on" includes what came before in it.
		e.visit(next, moment{from: min(m.from, e.trace.Loop), to: last, always: true})
		return
	}
	next, _ := c.eventual()
	where := e.truth(next)
	if m.always { // infinitely often
		m = moment{from: e.trace.Loop, to: last, again: true}
	}
	for i := m.from; i <= last; i++ {
		if where[i] {
			e.visit(next, moment{from: i, to: i, again: m.again})
			return
		}
	}
	for i := e.trace.Loop; i <= last; i++ {
		if where[i] {
			e.visit(next, moment{from: i, to: i, again: true})
			return
		}
	}
	e.whole(c, m)
}

// branch explains a conjunction or disjunction.
func (e *explainer) branch(c claim, parts []claim, all bool, m moment) {
	if all {
		for _, p := range parts {
			e.visit(p, m)
		}
		return
	}
	for _, p := range parts {
		if e.throughout(p, m) {
			e.visit(p, m)
			return
		}
	}
	e.whole(c, m)
}

func (e *explainer) throughout(c claim, m moment) bool {
	where := e.truth(c)
	for i := m.from; i <= m.to; i++ {
		if !where[i] {
			return false
		}
	}
	return true
}

// whole states a claim that is true for different reasons at different times.
func (e *explainer) whole(c claim, m moment) { e.state(c, m, nil) }

// fact states a claim about configurations.
func (e *explainer) fact(c claim, m moment) {
	f, ok := e.formula(c).(ltl.Prop)
	if !ok {
		return
	}
	configs := e.trace.Configs[m.from : m.to+1]
	atoms, at := evidence(f.Cond, configs), ""
	if len(atoms) == 0 && m.always && m.from < e.trace.Loop { // for what reason at last?
		configs = e.trace.Configs[e.trace.Loop:]
		atoms, at = evidence(f.Cond, configs), "at last "
	}
	values := e.values(atoms, configs)
	if len(values) > 0 {
		values[0] = at + values[0]
	}
	e.state(c, m, values)
	if e.premise {
		return
	}
	if m.always && !c.want {
		e.waiting(atoms)
	} else if !m.always {
		for _, at := range atoms {
			e.because(at, m.from)
		}
	}
}

func (e *explainer) state(c claim, m moment, values []string) {
	kind := Happens
	switch {
	case e.premise:
		kind = Assumed
	case !c.want && m.always:
		kind = Never
	case !c.want:
		kind = Broken
	}
	text := c.String()
	if when := e.when(m, kind); when != "" {
		text = when + ": " + text
	}
	if kind == Broken || kind == Assumed && !c.want {
		text += " is false"
	}
	if len(values) > 0 {
		text += " (" + strings.Join(values, ", ") + ")"
	}
	e.add(Reason{Kind: kind, Text: text, Step: e.trace.Places[m.from].Steps})
}

// add adds a reason, once.
func (e *explainer) add(r Reason) {
	if !slices.ContainsFunc(e.out, r.Equal) {
		e.out = append(e.out, r)
	}
}

// when says in words when something is so.
func (e *explainer) when(m moment, kind Kind) string {
	return When(e.place(m.from), m.from == 0, m.always, m.again, kind)
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

func (e *explainer) place(pos int) string {
	p := e.trace.Places[pos]
	switch {
	case p.Times.Sign() > 0:
		return fmt.Sprintf("in step %d, after %s of %s times", p.Steps+1, p.Times, e.Run.Steps[p.Steps].Factor)
	case p.Steps == 0:
		return "at the start"
	}
	return fmt.Sprintf("after step %d", p.Steps)
}

// evidence lists atoms that make a condition true in all the configurations; none if it is true for different reasons.
func evidence(c *ta.Cond, configs []*ta.Config) []ta.Atom {
	switch c.Op {
	case boolean.OpAtom:
		return []ta.Atom{c.Atom}
	case boolean.OpAnd:
		var list []ta.Atom
		for _, arg := range c.Args {
			list = append(list, evidence(arg, configs)...)
		}
		return list
	}
	for _, arg := range c.Args {
		if !slices.ContainsFunc(configs, func(x *ta.Config) bool { return !ta.Holds(arg, x.Value) }) {
			return evidence(arg, configs)
		}
	}
	return nil
}

// maxValues bounds the values in a line.
const maxValues = 12

// values shows atoms with what they see, each once.
func (e *explainer) values(atoms []ta.Atom, configs []*ta.Config) []string {
	var list []string
	for _, at := range atoms {
		text := e.Automaton.ShowAtom(at, configs[0])
		for _, c := range configs[1:] {
			if e.Automaton.ShowAtom(at, c) != text {
				text = e.Automaton.FormatAtom(at)
				break
			}
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(list) > maxValues {
		list = append(list[:maxValues], "...")
	}
	return list
}
