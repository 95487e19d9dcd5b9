package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"tacheck"
	"tacheck/ta"
)

// resultJSON is the object printed for a specification by --json.
type resultJSON struct {
	File          string              `json:"file"`
	Spec          string              `json:"spec"`
	Verdict       tacheck.Verdict     `json:"verdict"`
	Reason        string              `json:"reason,omitempty"`
	Search        string              `json:"search"`
	Encoding      string              `json:"encoding"`
	Solver        string              `json:"solver"`
	Shapes        shapesJSON          `json:"shapes"`
	Lazy          *tacheck.Lazy       `json:"lazy,omitempty"`
	Queries       int                 `json:"queries"`
	Transitions   int                 `json:"transitions"` // of the longest schema
	Seconds       float64             `json:"seconds"`
	SolverSeconds float64             `json:"solver_seconds"`
	Parameters    map[string]*big.Int `json:"parameters,omitempty"`
	Warnings      []string            `json:"warnings,omitempty"`
	Witness       *tacheck.Witness    `json:"witness,omitempty"`
}

type shapesJSON struct {
	Total   string   `json:"total,omitempty"`   // of the paper's graphs
	Reduced string   `json:"reduced,omitempty"` // of those that are searched
	Checked *big.Int `json:"checked,omitempty"`
	Pruned  *big.Int `json:"pruned,omitempty"`
}

func printJSON(w io.Writer, file string, r *tacheck.Result) error {
	out := resultJSON{File: file, Spec: r.Spec, Verdict: r.Verdict, Reason: r.Reason,
		Search: r.Search, Encoding: r.Encoding, Solver: r.Solver,
		Shapes:  shapesJSON{decimal(r.Shapes.Total), decimal(r.Shapes.Reduced), r.Shapes.Checked, r.Shapes.Pruned},
		Queries: r.Queries, Transitions: r.Longest, Seconds: r.Time.Seconds(), SolverSeconds: r.Solving.Seconds(), Witness: r.Witness}
	if r.Lazy.Rounds > 0 {
		out.Lazy = &r.Lazy
	}
	for _, e := range r.Warnings {
		out.Warnings = append(out.Warnings, e.Error())
	}
	if r.Witness != nil {
		out.Parameters = map[string]*big.Int{}
		for i, p := range r.Witness.Automaton.Parameters {
			out.Parameters[p.Name] = r.Witness.Run.Start.Params[i]
		}
	}
	return encodeJSON(w, out)
}

func decimal(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// printText prints a result for people: one line, and the counterexample if
// there is one.
func printText(w io.Writer, m *model, r *tacheck.Result, width int) error {
	verdict := string(r.Verdict)
	if r.Reason != "" {
		verdict += ": " + r.Reason
	}
	line := fmt.Sprintf("%s: %-*s  %-8s  ", m.File, width, r.Spec, verdict)
	if r.Shapes.Total != nil || r.Verdict != tacheck.Unknown { // counted, or not countable
		line += shapeCount(r.Shapes.Total) + ", "
	}
	if r.Shapes.Checked != nil {
		line += fmt.Sprintf("%s searched (%s checked, %s pruned), ", decimal(r.Shapes.Reduced), r.Shapes.Checked, decimal(r.Shapes.Pruned))
	}
	line += fmt.Sprintf("%s, %.2f s", plural(r.Queries, "query", "queries"), r.Time.Seconds())
	var b strings.Builder
	fmt.Fprintln(&b, line)
	for _, e := range r.Warnings {
		fmt.Fprintf(&b, "  %s\n", e.Error())
	}
	if r.Witness != nil {
		printWitness(&b, r.Witness)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func shapeCount(n *big.Int) string {
	switch {
	case n == nil:
		return "too many lasso shapes to count"
	case n.IsInt64() && n.Int64() == 1:
		return "1 lasso shape"
	}
	return n.String() + " lasso shapes"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// printWitness prints a counterexample as a table of its steps.
func printWitness(w io.Writer, x *tacheck.Witness) {
	a, run := x.Automaton, x.Run
	fmt.Fprintf(w, "\n  counterexample with %s\n", assignments(a.Parameters, run.Start.Params, true))
	fmt.Fprintf(w, "  start: %s\n\n", startLine(a, run.Start))
	rows := [][]string{{"step", "rule", "times", "move", "then"}}
	for i, s := range run.Steps {
		r := &a.Rules[s.Rule]
		rows = append(rows, []string{fmt.Sprint(i + 1), a.RuleName(r), s.Factor.String(),
			a.Locations[r.From].Name + " -> " + a.Locations[r.To].Name, changes(a, x.Configs[i], x.Configs[i+1])})
	}
	for i, line := range columns(rows) {
		if i > 0 && i-1 == run.Loop {
			fmt.Fprintln(w, "  loop:")
		}
		fmt.Fprintln(w, "  "+line)
	}
	if run.Loop != ta.Finite {
		fmt.Fprintf(w, "  and %s for ever\n", loopSteps(run))
	}
	fmt.Fprintln(w)
}

// columns aligns rows.
func columns(rows [][]string) []string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush() // writes to memory
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func loopSteps(run *ta.Run) string {
	if first := run.Loop + 1; first < len(run.Steps) {
		return fmt.Sprintf("steps %d to %d", first, len(run.Steps))
	}
	return fmt.Sprintf("step %d", len(run.Steps))
}

func startLine(a *ta.Automaton, c *ta.Config) string {
	parts := []string{}
	for _, s := range []string{assignments(a.Locations, c.Counters, false), assignments(a.Shared, c.Shared, false)} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return "all 0"
	}
	return strings.Join(parts, ", ") + " (all else 0)"
}

// assignments lists names and values, zeros only if asked.
func assignments(names []ta.Name, values []*big.Int, zeros bool) string {
	var list []string
	for i, n := range names {
		if zeros || values[i].Sign() != 0 {
			list = append(list, fmt.Sprintf("%s = %s", n.Name, values[i]))
		}
	}
	return strings.Join(list, ", ")
}

// changes lists what differs between two configurations.
func changes(a *ta.Automaton, before, after *ta.Config) string {
	var list []string
	diff := func(names []ta.Name, old, now []*big.Int) {
		for i, n := range names {
			if old[i].Cmp(now[i]) != 0 {
				list = append(list, fmt.Sprintf("%s = %s", n.Name, now[i]))
			}
		}
	}
	diff(a.Locations, before.Counters, after.Counters)
	diff(a.Shared, before.Shared, after.Shared)
	if len(list) == 0 {
		return "(no change)"
	}
	return strings.Join(list, ", ")
}

// encodeJSON prints a value on one line.
func encodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // formulas are full of < and >
	return e.Encode(v)
}
