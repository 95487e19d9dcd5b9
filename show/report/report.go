// Package report writes verdicts as one HTML file that needs no network: a table of all specifications, a picture of
// each automaton, and counterexamples that can be stepped through.
package report

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

//go:embed report.html report.css report.js
var files embed.FS

// File is a model with what was found out: for all parameters, or of an instance.
type File struct {
	File, Name, Source string        // Name is what it calls itself
	Automaton          *ta.Automaton // that decides it; nil if there is none
	// Says writes thresholds of the automaton in the words of the text; nil if these are the same.
	Says func(ta.Threshold) (string, bool)
	// Instance: its parameters have values, and states were visited.
	Instance bool
	Values   []model.Value
	About    string // more of what an instance is, such as its channels
	Results  []*model.Result
}

// Write writes the report. With a cancelled ctx pictures are left out. Its error is of drawing, or of writing.
func Write(ctx context.Context, w io.Writer, release string, list []File) error {
	style, script := Assets()
	page := page{Release: release, Style: template.CSS(style), Script: template.JS(script)}
	var local []string // readers of the report do not have these folders
	for i, f := range list {
		m, err := describe(ctx, i, f)
		if err != nil {
			return err
		}
		page.Models = append(page.Models, m)
		if filepath.IsAbs(f.File) {
			local = append(local, template.HTMLEscapeString(f.File), template.HTMLEscapeString(filepath.Base(f.File)))
		}
	}
	var b strings.Builder
	if err := pages.Execute(&b, page); err != nil {
		return err
	}
	_, err := strings.NewReplacer(local...).WriteString(w, b.String())
	return err
}

var pages = template.Must(template.ParseFS(files, "report.html"))

type page struct {
	Release string
	Style   template.CSS
	Script  template.JS
	Models  []section
}

// Count returns how many specifications have a verdict.
func (p page) Count(verdict string) (n int) {
	for _, m := range p.Models {
		for _, s := range m.Specs {
			if s.Verdict == verdict {
				n++
			}
		}
	}
	return n
}

// section is a model as the page shows it.
type section struct {
	ID, File, Name, Source string
	For, About             string // which parameters
	Picture                template.HTML
	Specs                  []spec
}

// Wrong are first those that are violated.
func (s section) Wrong() []spec {
	return slices.SortedStableFunc(slices.Values(s.Specs), func(a, b spec) int {
		return cmp.Compare(order[a.Verdict], order[b.Verdict])
	})
}

var order = map[string]int{string(verdict.Violated): 0, string(verdict.Unknown): 1, string(verdict.Holds): 2}

type spec struct {
	ID, Name, Verdict, Formula string
	Figures                    []string // on how it was decided; the first is the most telling one
	Seconds                    string
	Because, Notes             []string
	Runs                       []shown
}

// shown is a counterexample: of an automaton a story on its picture, else a run.
type shown struct {
	Kind  string // which it is, of several
	Story *story
	Run   *runPart
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

// describe prepares the i-th model for the page.
func describe(ctx context.Context, i int, f File) (section, error) {
	a := f.Automaton
	m := section{ID: fmt.Sprintf("model-%d", i), File: f.File, Name: cmp.Or(f.Name, f.File), Source: f.Source,
		About: f.About}
	switch {
	case f.Instance:
		m.For = run.Assignments(f.Values)
	case a == nil:
		m.Picture = "<p>There is no automaton to draw: small instances were explored.</p>"
	default:
		m.Name, m.For = a.Name, "all parameters with "+a.FormatCond(a.Resilience)
		svg, err := picture.Render(ctx, picture.Automaton(a, picture.View{Says: f.Says}), "svg")
		switch {
		case err != nil && ctx.Err() != nil: // what is known is worth a report
			m.Picture = "<p>The picture is not drawn: interrupted.</p>"
		case err != nil:
			return m, fmt.Errorf("drawing %s: %w", f.File, err)
		default:
			m.Picture = inline(svg)
		}
	}
	for k, r := range f.Results {
		s := spec{ID: fmt.Sprintf("%s-spec-%d", m.ID, k), Name: r.Spec, Verdict: string(r.Verdict),
			Seconds: fmt.Sprintf("%.2f", r.Time.Seconds())}
		if a != nil {
			s.Formula = formula(a, r.Spec)
		}
		if r.Search != nil {
			s.Figures, s.Because = searched(r.Search), r.Search.Because
		} else if r.Space != nil {
			s.Figures = explored(r.Space)
		}
		if r.Reason != "" {
			s.Figures = append(s.Figures, r.Reason)
		}
		for _, e := range r.Warnings {
			s.Notes = append(s.Notes, e.Error())
		}
		all := r.Others
		if r.Counterexample != nil {
			all = append([]model.Counterexample{r.Counterexample}, all...)
			if story, err := model.Told(r.Counterexample); err == nil {
				s.Formula = cmp.Or(story.Formula, s.Formula) // in the words of the text
			}
		}
		for n, x := range all {
			part, err := show(x)
			if err != nil {
				s.Notes = append(s.Notes, err.Error())
				continue
			}
			if len(all) > 1 {
				part.Kind = fmt.Sprintf("Kind %d of %d", n+1, len(all))
			}
			s.Runs = append(s.Runs, part)
		}
		m.Specs = append(m.Specs, s)
	}
	return m, nil
}

// searched says how a specification of an automaton was decided.
func searched(r *verify.Result) []string {
	list := []string{r.Shapes.String(), spell.Count(int64(r.Queries), "query", "queries")}
	if r.Shapes.Total == nil && r.Search == "" {
		list = list[1:]
	}
	if r.Search != "" {
		list = append(list, "search "+r.Search)
	}
	if r.Encoding != "" {
		list = append(list, "encoding "+r.Encoding)
	}
	return slices.DeleteFunc(append(list, r.Solver), func(text string) bool { return text == "" })
}

// explored says how an instance was.
func explored(s *model.Space) []string {
	list := []string{spell.Count(s.States, "state", "states"), spell.Count(s.Transitions, "transition", "transitions"),
		fmt.Sprintf("depth %d", s.Depth)}
	r := s.Machine
	if r == nil {
		return append(append(list, "every state"), s.Notes...)
	}
	list = append(list, r.Options.CrashName()+" crashes", "traffic "+string(r.Options.TrafficName()))
	if r.Symmetric {
		list = append(list, "role symmetry")
	}
	if r.Partial != machine.Unreduced {
		list = append(list, "partial orders: "+r.Partial)
	}
	if r.Asymmetry != "" {
		list = append(list, "no symmetry: "+r.Asymmetry)
	}
	return list
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
		goal := lists.Map(x.Goal, func(l int) string { return a.Locations[l].Name })
		return how + ": everybody comes to one of " + strings.Join(goal, ", ")
	}
	return ""
}

// show prepares a counterexample. An error says why it cannot be told.
func show(x model.Counterexample) (out shown, err error) {
	if w, is := x.(*witness.Witness); is {
		out.Story, err = verdict.Tell(func() (*story, error) { return tell(w) })
	} else {
		out.Run, err = verdict.Tell(func() (*runPart, error) { return told(x) })
	}
	return out, err
}

var (
	natural  = regexp.MustCompile(`<svg width="([^"]*)"`)
	prologue = regexp.MustCompile(`(?s)^.*?<svg`)
	location = regexp.MustCompile(`id="location&#45;(\d+)"`)
	move     = regexp.MustCompile(`id="move&#45;(\d+)&#45;(\d+)"`)
	anyID    = regexp.MustCompile(` id="[^"]*"`)
	titles   = regexp.MustCompile(`<title>[^<]*</title>\n`)
)

// inline makes a picture part of a page, in which it may come several times: ids become data attributes.
func inline(svg []byte) template.HTML {
	text := prologue.ReplaceAllString(string(svg), "<svg")
	text = natural.ReplaceAllString(text, `<svg style="--wide:$1" width="$1"`)
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
	told := w.Told()
	s := &story{Title: told.Title, Why: why, Loop: w.Run.Loop}
	for _, l := range a.Locations {
		s.Locations = append(s.Locations, l.Name)
	}
	for i, e := range told.Events {
		r := &a.Rules[w.Run.Steps[i].Rule]
		s.Steps = append(s.Steps, step{Times: e.Cells[0], Rule: e.Cells[1],
			Move: strings.Replace(e.Cells[2], "->", "→", 1), Effect: e.Cells[3], From: r.From, To: r.To})
	}
	for _, c := range w.Configs {
		s.Counters = append(s.Counters, lists.Map(c.Counters, float))
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

// runPart is a counterexample: its chart, and the story beside it.
type runPart struct {
	Title  string
	Charts []template.HTML // widest first
	List   []run.Beat
	Why    run.Explanation
}

// told is a run with its charts, if it has any. They escape what comes from the model.
func told(x model.Counterexample) (*runPart, error) {
	story := x.Told()
	why, err := x.Why()
	if err != nil {
		return nil, err
	}
	out := &runPart{Title: story.Title, Why: why}
	drawn, err := model.Chart(x)
	if err != nil {
		return nil, err
	}
	out.Charts = lists.Map(drawn.Sizes(), func(svg string) template.HTML { return template.HTML(svg) })
	for _, b := range story.Entries() {
		if b.Loop {
			b.Text = "again and again: " + b.Text
		}
		out.List = append(out.List, b)
	}
	return out, nil
}
