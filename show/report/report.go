// Package report writes verdicts as one HTML file that needs no network: a table of all specifications, a picture of
// each automaton, and counterexamples that can be stepped through.
package report

import (
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"regexp"
	"strings"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

//go:embed report.html report.css report.js
var files embed.FS

// File is a model that was verified for all parameters, with what was found out.
type File struct {
	Name      string        // of the file
	Automaton *ta.Automaton // that decides it; nil if there is none
	Source    string
	Results   []*model.Result
	// Says writes thresholds of the automaton in the words of the text; nil if these are the same.
	Says func(ta.Threshold) (string, bool)
}

// Write writes the report. With a cancelled ctx pictures are left out. Its error is of drawing, or of writing.
func Write(ctx context.Context, w io.Writer, release string, list []File, protocols ...Instance) error {
	page := page{Release: release}
	for _, name := range []string{"report.css", "report.js"} {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if name == "report.css" {
			page.Style = template.CSS(text)
		} else {
			page.Script = template.JS(text)
		}
	}
	for i, f := range list {
		m, err := describe(ctx, i, f)
		if err != nil {
			return err
		}
		page.Models = append(page.Models, m)
	}
	for i, p := range protocols {
		page.Protocols = append(page.Protocols, describeProtocol(i, p))
	}
	return pages.Execute(w, page)
}

var pages = template.Must(template.ParseFS(files, "report.html"))

type page struct {
	Release string
	Style   template.CSS
	Script  template.JS
	Models  []section

	Protocols []protocolPart
}

// Count returns how many specifications have a verdict.
func (p page) Count(verdict string) (n int) {
	for _, m := range p.Models {
		for _, s := range m.Specs {
			if string(s.Verdict) == verdict {
				n++
			}
		}
	}
	for _, m := range p.Protocols {
		for _, s := range m.Props {
			if s.Verdict == verdict {
				n++
			}
		}
	}
	return n
}

// section is a model as the page shows it.
type section struct {
	ID, File, Name string
	Assumptions    string
	Source         string
	Picture        template.HTML
	Specs          []spec
}

type spec struct {
	*verify.Result
	ID      string
	Formula string
	Shapes  string
	Seconds string
	Notes   []string
	Story   *story
	Beats   *runPart // of a protocol for all sizes, in place of Story
}

// story is a counterexample as the page's script plays it.
type story struct {
	Title     string
	Why       run.Explanation `json:"-"`
	Locations []string
	Steps     []step
	Counters  [][]float64 // by configuration and location
	Loop      int         // index of the loop's first step, or -1
	Gauges    []gauge
}

type step struct {
	Rule, Times, Move, Effect string
	From, To                  int
}

// gauge is a sum of shared variables with the thresholds that guards compare it with.
type gauge struct {
	Name   string
	Values []float64 // by configuration
	Bounds []bound
}

type bound struct {
	Text  string
	Value float64
}

func describe(ctx context.Context, index int, f File) (section, error) {
	a := f.Automaton
	m := section{ID: fmt.Sprintf("model-%d", index), File: f.Name, Name: f.Name, Source: f.Source}
	if a == nil {
		m.Picture = "<p>There is no automaton to draw: small instances were explored.</p>"
	} else {
		m.Name, m.Assumptions = a.Name, a.FormatCond(a.Resilience)
		svg, err := picture.Render(ctx, picture.Automaton(a, picture.View{Says: f.Says}), "svg")
		switch {
		case err != nil && ctx.Err() != nil: // what is known is worth a report
			m.Picture = "<p>The picture is not drawn: interrupted.</p>"
		case err != nil:
			return m, fmt.Errorf("drawing %s: %w", f.Name, err)
		default:
			m.Picture = inline(svg)
		}
	}
	for i, r := range f.Results {
		s := spec{Result: r.Search, ID: fmt.Sprintf("%s-spec-%d", m.ID, i),
			Seconds: fmt.Sprintf("%.2f", r.Time.Seconds()), Shapes: "too many to count"}
		switch {
		case r.Search.Shapes.Total != nil:
			s.Shapes = r.Search.Shapes.Total.String()
		case r.Search.Search == "":
			s.Shapes = "no"
		}
		if a != nil {
			s.Formula = formula(a, r.Spec)
		}
		for _, e := range r.Warnings {
			s.Notes = append(s.Notes, e.Error())
		}
		if x := r.Counterexample; x != nil {
			var err error
			if s.Story, s.Beats, err = shown(x); err != nil {
				s.Notes = append(s.Notes, err.Error())
			}
		}
		m.Specs = append(m.Specs, s)
	}
	return m, nil
}

// formula is a specification as the page has it, also one about all rounds.
func formula(a *ta.Automaton, name string) string {
	if x := a.SpecNamed(name); x != nil {
		return x.Formula.String()
	}
	if a.Rounds == nil {
		return ""
	}
	for _, x := range a.Rounds.After {
		if x.Name == name {
			return fmt.Sprintf("after %s rounds: %s", a.FormatLinear(x.Rounds), x.Formula)
		}
	}
	for _, x := range a.Rounds.Almost {
		if x.Name != name {
			continue
		}
		how := map[ta.Adversary]string{ta.Unseen: "almost surely, unseen", ta.InOrder: "almost surely, in order",
			ta.Any: "almost surely", ta.AtLast: "when rounds are good at last"}[x.Against]
		var goal []string
		for _, l := range x.Goal {
			goal = append(goal, a.Locations[l].Name)
		}
		return how + ": everybody comes to one of " + strings.Join(goal, ", ")
	}
	return ""
}

// shown prepares a counterexample: of an automaton a story on its picture, else a run. An error says why it cannot be
// told.
func shown(x model.Counterexample) (*story, *runPart, error) {
	if w, is := x.(*witness.Witness); is {
		s, err := verdict.Tell(func() (*story, error) { return tell(w) })
		return s, nil, err
	}
	r, err := verdict.Tell(func() (*runPart, error) { return told(x) })
	return nil, r, err
}

var (
	prologue = regexp.MustCompile(`(?s)^.*?<svg`)
	location = regexp.MustCompile(`id="location&#45;(\d+)"`)
	move     = regexp.MustCompile(`id="move&#45;(\d+)&#45;(\d+)"`)
	anyID    = regexp.MustCompile(` id="[^"]*"`)
	titles   = regexp.MustCompile(`<title>[^<]*</title>\n`)
)

// inline makes a picture part of a page, in which it may come several times: ids become data attributes.
func inline(svg []byte) template.HTML {
	text := prologue.ReplaceAllString(string(svg), "<svg")
	text = location.ReplaceAllString(text, `data-location="$1"`)
	text = move.ReplaceAllString(text, `data-move="$1-$2"`)
	text = anyID.ReplaceAllString(text, "")
	text = titles.ReplaceAllString(text, "") // they name nodes as Graphviz counts them
	return template.HTML(text)               // made by us: names are escaped
}

func tell(w *witness.Witness) (*story, error) {
	a := w.Automaton
	why, err := w.Why()
	if err != nil {
		return nil, err
	}
	s := &story{Title: w.Title(), Why: why, Loop: w.Run.Loop}
	for _, l := range a.Locations {
		s.Locations = append(s.Locations, l.Name)
	}
	for _, t := range w.Steps() {
		s.Steps = append(s.Steps, step{Rule: t.Name, Times: t.Times.String(),
			Move:   strings.Replace(t.Move, "->", "→", 1),
			Effect: strings.Join(t.Messages, ", "), From: t.Rule.From, To: t.Rule.To})
	}
	for _, c := range w.Configs {
		var row []float64
		for _, n := range c.Counters {
			row = append(row, float(n))
		}
		s.Counters = append(s.Counters, row)
	}
	s.Gauges = gauges(w)
	return s, nil
}

// float is for drawing.
func float(n *big.Int) float64 {
	v, _ := new(big.Float).SetInt(n).Float64()
	return v
}

func gauges(w *witness.Witness) []gauge {
	a := w.Automaton
	var list []gauge
	at := map[string]int{}
	for _, th := range a.GuardThresholds() {
		name := a.FormatLinear(th.LHS)
		k, known := at[name]
		if !known {
			k = len(list)
			at[name] = k
			g := gauge{Name: name}
			for _, c := range w.Configs {
				g.Values = append(g.Values, float(th.LHS.Eval(c.Value)))
			}
			list = append(list, g)
		}
		list[k].Bounds = append(list[k].Bounds,
			bound{a.FormatLinear(th.Bound), float(th.Bound.Eval(w.Run.Start.Value))})
	}
	return list
}
