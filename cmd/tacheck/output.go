package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"tacheck/verify"
	"tacheck/witness"
)

// resultJSON is the object printed for a specification by --json.
type resultJSON struct {
	Version       int                 `json:"version"` // of the format: docs/json.md
	File          string              `json:"file"`
	Spec          string              `json:"spec"`
	Verdict       verify.Verdict      `json:"verdict"`
	Reason        string              `json:"reason,omitempty"`
	Search        string              `json:"search"`
	Encoding      string              `json:"encoding"`
	Solver        string              `json:"solver"`
	Shapes        shapesJSON          `json:"shapes"`
	Lazy          *verify.Lazy        `json:"lazy,omitempty"`
	Queries       int                 `json:"queries"`
	Transitions   int                 `json:"transitions"` // of the longest schema
	Seconds       float64             `json:"seconds"`
	SolverSeconds float64             `json:"solver_seconds"`
	Parameters    map[string]*big.Int `json:"parameters,omitempty"`
	Warnings      []string            `json:"warnings,omitempty"`
	Witness       any                 `json:"witness,omitempty"`
	Explanation   witness.Explanation `json:"explanation,omitempty"`
	Certificate   string              `json:"certificate,omitempty"`
}

type shapesJSON struct {
	Total   string   `json:"total,omitempty"`   // of the paper's graphs
	Reduced string   `json:"reduced,omitempty"` // of those that are searched
	Checked *big.Int `json:"checked,omitempty"`
	Pruned  *big.Int `json:"pruned,omitempty"`
}

func printJSON(w io.Writer, m *model, r *verify.Result) error {
	out := resultJSON{Version: 1, File: m.File, Spec: r.Spec, Verdict: r.Verdict, Reason: r.Reason,
		Search: r.Search, Encoding: r.Encoding, Solver: r.Solver,
		Shapes:  shapesJSON{decimal(r.Shapes.Total), decimal(r.Shapes.Reduced), r.Shapes.Checked, r.Shapes.Pruned},
		Queries: r.Queries, Transitions: r.Longest, Seconds: (r.Time + r.Review).Seconds(), SolverSeconds: r.Solving.Seconds(), Certificate: r.Certificate}
	if r.Lazy.Rounds > 0 {
		out.Lazy = &r.Lazy
	}
	for _, e := range r.Warnings {
		out.Warnings = append(out.Warnings, e.Error())
	}
	if x := m.runs[r.Spec]; x != nil {
		out.Witness = x
		out.Parameters = map[string]*big.Int{}
		for i, p := range m.Parameters {
			out.Parameters[p.Name] = big.NewInt(x.Run.Instance.Params[i])
		}
		var err error
		if out.Explanation, err = x.Explain(); err != nil {
			return err
		}
	} else if x := m.played[r.Spec]; x != nil {
		out.Witness = x
		out.Parameters = map[string]*big.Int{}
		for _, k := range x.Model.Constants {
			out.Parameters[k.Name] = big.NewInt(k.Value)
		}
	} else if r.Witness != nil {
		out.Witness = r.Witness
		out.Parameters = map[string]*big.Int{}
		for i, p := range r.Witness.Automaton.Parameters {
			out.Parameters[p.Name] = r.Witness.Run.Start.Params[i]
		}
		var err error
		if out.Explanation, err = r.Witness.Explain(); err != nil {
			return err
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

// result prints a result for people: one line, and the counterexample if
// there is one.
func (s screen) result(m *model, r *verify.Result, width int) error {
	verdict := fmt.Sprintf("%-8s", r.Verdict)
	if r.Reason != "" {
		verdict = fmt.Sprintf("%s: %s", r.Verdict, r.Reason)
	}
	line := fmt.Sprintf("%s: %-*s  %s  ", m.File, width, r.Spec, s.paint(verdictColour[r.Verdict], verdict))
	if r.Shapes.Total != nil || r.Verdict != verify.Unknown { // counted, or not countable
		line += shapeCount(r.Shapes.Total) + ", "
	}
	if r.Shapes.Checked != nil {
		line += fmt.Sprintf("%s searched (%s checked, %s pruned), ", decimal(r.Shapes.Reduced), r.Shapes.Checked, decimal(r.Shapes.Pruned))
	}
	line += fmt.Sprintf("%s, %.2f s", plural(r.Queries, "query", "queries"), (r.Time + r.Review).Seconds())
	var b strings.Builder
	fmt.Fprintln(&b, line)
	for _, e := range r.Warnings {
		fmt.Fprintf(&b, "  %s\n", e.Error())
	}
	if r.Certificate != "" {
		fmt.Fprintf(&b, "  somebody has certified it: the SHA256SUMS of the certificate have the digest %s\n", r.Certificate)
	}
	if x := m.runs[r.Spec]; x != nil {
		s.promelaRun(&b, x)
	} else if x := m.played[r.Spec]; x != nil {
		s.playedRun(&b, x)
	} else if r.Witness != nil {
		if err := s.witness(&b, r.Witness); err != nil {
			return err
		}
	}
	_, err := io.WriteString(s.w, b.String())
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

// encodeJSON prints a value on one line.
func encodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // formulas are full of < and >
	return e.Encode(v)
}
