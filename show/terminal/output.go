package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/verify"
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
	Explanation   run.Explanation     `json:"explanation,omitempty"`
	Certificate   string              `json:"certificate,omitempty"`
	Epochs        *epochsJSON         `json:"epochs,omitempty"` // where rules reset or decrease variables
	Because       []string            `json:"because,omitempty"`
	Lacks         []rounds.Lack       `json:"lacks,omitempty"`
}

type epochsJSON struct {
	Rules     int `json:"rules"`
	Resets    int `json:"resets"`
	Induction int `json:"induction,omitempty"`
}

type shapesJSON struct {
	Total   string   `json:"total,omitempty"`   // of the paper's graphs
	Reduced string   `json:"reduced,omitempty"` // of those that are searched
	Checked *big.Int `json:"checked,omitempty"`
	Pruned  *big.Int `json:"pruned,omitempty"`
}

// ResultJSON is the answer of verify as an object.
func ResultJSON(m model.Model, result *model.Result) any {
	r := result.Search
	out := resultJSON{Version: 1, File: m.File(), Spec: result.Spec, Verdict: result.Verdict, Reason: result.Reason,
		Search: r.Search, Encoding: r.Encoding, Solver: r.Solver,
		Shapes:  shapesJSON{decimal(r.Shapes.Total), decimal(r.Shapes.Reduced), r.Shapes.Checked, r.Shapes.Pruned},
		Queries: r.Queries, Transitions: r.Longest, Seconds: result.Time.Seconds(), SolverSeconds: r.Solving.Seconds(),
		Certificate: r.Certificate}
	out.Because, out.Lacks = r.Because, result.Lacks
	if e := r.Epochs; e != nil {
		out.Epochs = &epochsJSON{e.Rules, e.Events, e.Induction}
	}
	if r.Lazy.Rounds > 0 {
		out.Lazy = &r.Lazy
	}
	for _, e := range result.Warnings {
		out.Warnings = append(out.Warnings, e.Error())
	}
	if x := result.Counterexample; x != nil {
		out.Witness = x
		story, untold := model.Told(x)
		if untold == nil {
			out.Parameters = story.Parameters()
			out.Explanation, untold = verdict.Tell(x.Why)
		}
		if untold != nil {
			out.Warnings = append(out.Warnings, untold.Error())
		}
	}
	return out
}

func decimal(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// Result is a result for people: one line, and what belongs to it.
func (s Screen) Result(m model.Model, result *model.Result, width int) string {
	r := result.Search
	line := fmt.Sprintf("%s: %-*s  %s  ", m.File(), width, result.Spec, s.verdict(result.Verdict, result.Reason))
	if e := r.Epochs; e != nil {
		line += fmt.Sprintf("%d of %s can fire, ", e.Rules, spell.Count(e.All, "rule", "rules"))
		if e.Events > 0 {
			line += spell.Count(e.Events, "reset", "resets") + ", "
		}
	} else if r.Shapes.Total != nil || r.Search != "" && r.Verdict != verify.Unknown { // counted, or not countable
		line += r.Shapes.String() + ", "
	}
	if r.Shapes.Checked != nil {
		line += fmt.Sprintf("%s searched (%s checked, %s pruned), ", decimal(r.Shapes.Reduced), r.Shapes.Checked,
			decimal(r.Shapes.Pruned))
	}
	line += fmt.Sprintf("%s, %.2f s", spell.Count(r.Queries, "query", "queries"), result.Time.Seconds())
	var b strings.Builder
	fmt.Fprintln(&b, line)
	for _, why := range r.Because {
		fmt.Fprintf(&b, "  %s\n", why)
	}
	for _, e := range result.Warnings {
		fmt.Fprintf(&b, "  %s\n", e.Error())
	}
	if r.Certificate != "" {
		fmt.Fprintf(&b, "  there is a certificate of it: the SHA256SUMS of the certificate have the digest %s\n",
			r.Certificate)
	}
	return b.String()
}

// Results tells the counterexample of a result, or what lacks.
func (s Screen) Results(w io.Writer, result *model.Result) error {
	if x := result.Counterexample; x != nil {
		return s.Counterexample(w, x)
	}
	return s.lacking(w, result)
}

// lacking shows a round in which a condition fails, where nothing else does: binding has an attack.
func (s Screen) lacking(w io.Writer, r *model.Result) error {
	i := slices.IndexFunc(r.Lacks, func(l rounds.Lack) bool {
		return !l.Untold && l.Run != nil && l.Condition != "binding"
	})
	if i < 0 || r.Counterexample != nil {
		return nil
	}
	story, err := model.Told(r.Lacks[i].Run)
	if err != nil {
		return untold(w, err)
	}
	var b strings.Builder
	s.schedule(&b, "a round in which "+r.Lacks[i].Condition+" fails"+strings.TrimPrefix(story.Title, "counterexample"),
		story)
	_, err = io.WriteString(w, b.String()+"\n")
	return err
}

// EncodeJSON prints a value on one line.
func EncodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // formulas are full of < and >
	return e.Encode(v)
}
