package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// Disagreement is where the program and the reference say different things.
type Disagreement struct {
	Kind string // for grouping
	Text string
	Args []string
}

// expected is what the reference says of a model with options.
type expected struct {
	graph      *Graph
	complete   bool
	violations map[string]int        // by invariant: the distance, or -1
	verdicts   map[string]Verdict    // by formula
	errors     map[string][]*Failure // by property: of conditions
	orbits     int
	orbitDead  int
	closed     bool
	symmetric  bool // orbits have been counted
}

// judge is the reference's side of a case.
type judge struct {
	model *Model
	limit int
	known map[Options]*expected
}

// expect explores a model, once for all options.
func (j *judge) expect(o Options) *expected {
	if e, ok := j.known[o]; ok {
		return e
	}
	e := &expected{violations: map[string]int{}, verdicts: map[string]Verdict{}, errors: map[string][]*Failure{}}
	e.graph, e.complete = j.model.Explore(o, j.limit)
	j.known[o] = e
	if !e.complete {
		return e
	}
	for _, p := range j.model.Text.Properties {
		if !p.Temporal {
			e.violations[p.Name], e.errors[p.Name] = e.graph.Violation(p)
		}
	}
	return e
}

// verdict decides a formula, once.
func (e *expected) verdict(p *Property) Verdict {
	v, ok := e.verdicts[p.Name]
	if !ok {
		v = e.graph.Decide(p)
		e.verdicts[p.Name] = v
	}
	return v
}

// countOrbits counts orbits, once.
func (e *expected) countOrbits() {
	if !e.symmetric {
		e.orbits, e.orbitDead, e.closed = e.graph.Orbits()
		e.symmetric = true
	}
}

// failureLines are the lines of everything that goes wrong in reachable states: in initial states, steps, and
// conditions of these properties.
func (e *expected) failureLines(properties []*Property) []int {
	var lines []int
	note := func(failures []*Failure) {
		for _, f := range failures {
			lines = append(lines, f.Pos.Line)
		}
	}
	note(e.graph.Failures)
	for _, n := range e.graph.Nodes {
		note(n.Failures)
	}
	for _, p := range properties {
		if p.Temporal {
			note(e.verdict(p).Failures)
		} else {
			note(e.errors[p.Name])
		}
	}
	return lines
}

// unsaid tells whether some state asks for what the documentation does not say.
func (j *judge) unsaid(e *expected) bool {
	for _, p := range j.model.Text.Properties {
		if p.Temporal {
			e.verdict(p)
		}
	}
	return j.model.Unsaid != ""
}

// comparison holds a run of the program against the reference.
type comparison struct {
	*judge
	run        *Run
	properties []*Property
	found      []Disagreement
}

func (c *comparison) report(kind, format string, args ...any) {
	c.found = append(c.found, Disagreement{kind, fmt.Sprintf(format, args...), c.run.Args})
}

// compare holds a run of explore against what is expected. options are those that the run
// asked for; implicit crashes are as the program says, if they are not asked for.
func (j *judge) compare(run *Run, traffic Traffic, properties []*Property) []Disagreement {
	c := &comparison{judge: j, run: run, properties: properties}
	explicit := j.expect(Options{Traffic: traffic})
	if !explicit.complete || j.unsaid(explicit) {
		return nil
	}
	if run.Error != nil {
		c.error(explicit, traffic)
		return c.found
	}
	if len(run.Results) == 0 {
		c.report("no result", "%s", run.Message)
		return c.found
	}
	for _, p := range properties {
		r := run.result(p.Name)
		// An invariant that is violated is not asked any more, so its errors are not those of others.
		lines := explicit.failureLines([]*Property{p})
		switch {
		case r == nil:
			c.report("no result", "%s", p.Name)
		case p.Temporal:
			c.formula(p, r, explicit, len(lines) > 0)
		default:
			c.invariant(p, r, explicit, traffic, len(lines) > 0)
		}
	}
	c.exitCode()
	return c.found
}

// error holds an error in the model against those there are.
func (c *comparison) error(explicit *expected, traffic Traffic) {
	lines := explicit.failureLines(c.properties)
	if len(lines) == 0 {
		// Something may go wrong in states that are only there if crashes are left out, which
		// is not asked of a program.
		implicit := c.expect(Options{Traffic: traffic, Implicit: true})
		if implicit.complete {
			lines = implicit.failureLines(c.properties)
		}
		if len(lines) > 0 {
			c.report("error with implicit crashes only", "%v", c.run.Error)
			return
		}
		c.report("error that is none", "%v", c.run.Error)
		return
	}
	if !slices.Contains(lines, c.run.Error.Pos.Line) {
		c.report("place of an error", "%v, expected in lines %v", c.run.Error, lines)
	}
}

// formula compares what is said of a formula.
func (c *comparison) formula(p *Property, r *Result, explicit *expected, errors bool) {
	v := explicit.verdict(p)
	if r.Verdict == "unknown" {
		if !c.mayBeUnknown(r) {
			c.report("unknown formula", "%s: %s", p.Name, r.Reason)
		}
		return
	}
	if v.Undecided || len(v.Failures) > 0 || errors {
		return
	}
	if (r.Verdict == "holds") != v.Holds {
		kind := "formula"
		if p.Fair {
			kind = "fair formula"
		}
		c.report(kind+" "+r.POR+" "+r.Symmetry+" "+r.Traffic, "%s: %s, expected holds=%v", p.Name, r.Verdict, v.Holds)
	}
}

// mayBeUnknown tells whether a run had limits, or a method that decides nothing.
func (c *comparison) mayBeUnknown(r *Result) bool {
	for _, a := range c.run.Args {
		if a == "--max-states" || a == "--swarm" {
			return true
		}
	}
	return r.POR == "dpor" || strings.Contains(r.Reason, "subformulas")
}

// invariant compares what is said of an invariant.
func (c *comparison) invariant(p *Property, r *Result, explicit *expected, traffic Traffic, errors bool) {
	violation := explicit.violations[p.Name]
	asked := explicit
	if r.Crash == "implicit" {
		asked = c.expect(Options{Traffic: traffic, Implicit: true})
		if !asked.complete {
			return
		}
		if slices.Contains(c.run.Args, "--crash") {
			violation = asked.violations[p.Name]
		}
		errors = len(asked.failureLines([]*Property{p})) > 0
	}
	switch r.Verdict {
	case "unknown":
		if !c.mayBeUnknown(r) {
			c.report("unknown invariant", "%s: %s", p.Name, r.Reason)
		}
		return
	case "holds":
		c.inexact(p, r)
		if violation >= 0 {
			c.report("invariant holds "+r.POR+" "+r.Symmetry+" "+r.Traffic+" "+r.Crash, "%s: holds, expected violated at %d", p.Name, violation)
			return
		}
		if errors {
			c.report("holds in spite of errors "+r.POR+" "+r.Symmetry+" "+r.Crash, "%s", p.Name)
			return
		}
	case "violated":
		if violation < 0 && errors {
			c.report("violated in spite of errors "+r.POR+" "+r.Symmetry, "%s", p.Name)
			return
		}
		if violation < 0 {
			c.report("invariant violated "+r.POR+" "+r.Symmetry+" "+r.Traffic+" "+r.Crash, "%s: violated, expected holds", p.Name)
			return
		}
		if errors {
			return
		}
	}
	c.numbers(p, r, asked)
}

// inexact compares whether what holds without crashes is said to do so for that reason.
func (c *comparison) inexact(p *Property, r *Result) {
	said := strings.Contains(r.Reason, "not exact")
	if want := r.Crash == "implicit" && c.model.mayCrash() && !c.model.exact(p); said != want {
		c.report("reason of implicit crashes", "%s: %q", p.Name, r.Reason)
	}
}

// numbers compares numbers of states where all have been visited, and distances.
func (c *comparison) numbers(p *Property, r *Result, asked *expected) {
	if slices.Contains(c.run.Args, "--swarm") {
		return
	}
	if r.Verdict == "violated" {
		if want := asked.violations[p.Name]; r.POR == "none" && r.Depth != want {
			c.report("distance of a violation "+r.Symmetry, "%s: %d, expected %d", p.Name, r.Depth, want)
		}
		return
	}
	states, deadlocks := len(asked.graph.Nodes), asked.graph.Deadlocks()
	if r.Symmetry == "roles" {
		asked.countOrbits()
		if !asked.closed {
			c.report("symmetry of what is not symmetric", "%s", p.Name)
			return
		}
		states, deadlocks = asked.orbits, asked.orbitDead
	}
	what := r.Symmetry + " " + r.Traffic + " " + r.Crash
	if r.POR != "none" {
		if r.POR != "dpor" && (r.States > states) {
			c.report("more states with partial orders", "%s: %d, of %d", p.Name, r.States, states)
		}
		if r.POR != "dpor" && r.Deadlocks != deadlocks {
			c.report("deadlocks "+r.POR+" "+what, "%s: %d, expected %d", p.Name, r.Deadlocks, deadlocks)
		}
		return
	}
	if r.States != states {
		c.report("states "+what, "%s: %d, expected %d", p.Name, r.States, states)
		return
	}
	if r.Deadlocks != deadlocks {
		c.report("deadlocks "+what, "%s: %d, expected %d", p.Name, r.Deadlocks, deadlocks)
	}
	if want := asked.graph.Depth(); r.Depth != want {
		c.report("depth "+what, "%s: %d, expected %d", p.Name, r.Depth, want)
	}
}

// exitCode compares the exit code with the verdicts.
func (c *comparison) exitCode() {
	want := 0
	for _, r := range c.run.Results {
		switch {
		case r.Verdict == "violated":
			want = 1
		case r.Verdict == "unknown" && want == 0:
			want = 3
		}
	}
	if c.run.Code != want {
		c.report("exit code", "%d, expected %d: %s", c.run.Code, want, strings.TrimSpace(c.run.Message))
	}
}
