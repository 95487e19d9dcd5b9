package report

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
)

// Instance is an instance of a model with what was found out about its specifications.
type Instance struct {
	File, Name, Source string
	Values             []model.Value
	About              string // more of what it is, such as its channels
	Results            []*model.Result
}

// protocolPart is a protocol as the page shows it.
type protocolPart struct {
	ID, File, Name, Source, Constants, About string
	Props                                    []propPart
}

type propPart struct {
	ID, Property, Verdict, Reason, How, Seconds string
	States, Transitions                         int64
	Depth                                       int
	Beats                                       *runPart
	Untold                                      string // why there are none
}

// runPart is a counterexample: its chart, and the story beside it.
type runPart struct {
	Title string
	Chart template.HTML
	List  []beatPart
	Why   run.Explanation
}

type beatPart struct {
	Step, Last int // that are told as one
	Text       string
	Details    []string
}

// describeProtocol prepares the i-th protocol for the page.
func describeProtocol(i int, p Instance) protocolPart {
	out := protocolPart{ID: fmt.Sprintf("protocol%d", i), File: p.File, Name: cmp.Or(p.Name, p.File), Source: p.Source,
		Constants: assignments(p.Values), About: p.About}
	for k, result := range p.Results {
		s := result.Space
		part := propPart{ID: fmt.Sprintf("%s-%d", out.ID, k), Property: result.Spec, Verdict: string(result.Verdict),
			Reason: result.Reason, How: how(s),
			Seconds: fmt.Sprintf("%.2f", result.Time.Seconds()), States: s.States, Transitions: s.Transitions,
			Depth: s.Depth}
		if x := result.Counterexample; x != nil {
			var err error
			if _, part.Beats, err = shown(x); err != nil {
				part.Untold = err.Error()
			}
		}
		out.Props = append(out.Props, part)
	}
	return out
}

// assignments are values as protocols print them: n=4 t=1.
func assignments(list []model.Value) string {
	var parts []string
	for _, v := range list {
		parts = append(parts, v.String())
	}
	return strings.Join(parts, " ")
}

// how says how an instance was explored.
func how(s *model.Space) string {
	r := s.Machine
	if r == nil {
		return strings.Join(append([]string{"every state"}, s.Notes...), ", ")
	}
	how := r.Options.CrashName() + " crashes, traffic " + string(r.Options.TrafficName())
	if r.Symmetric {
		how += ", role symmetry"
	}
	if r.Partial != machine.Unreduced {
		how += ", partial orders: " + r.Partial
	}
	if r.Asymmetry != "" {
		how += ", no symmetry: " + r.Asymmetry
	}
	return how
}

// told is a run with its chart, if it has one. The chart escapes what comes from the model.
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
	out.Chart = template.HTML(drawn.SVG())
	for _, b := range story.Beats {
		text := b.Text
		if b.Loop {
			text = "again and again: " + text
		}
		out.List = append(out.List, beatPart{Step: b.Step, Last: b.Last, Text: text, Details: b.Details})
	}
	if story.Beats != nil {
		return out, nil
	}
	out.List = append(out.List, beatPart{Text: "at first", Details: story.Start})
	for i, e := range story.Events {
		out.List = append(out.List, beatPart{Step: i + 1, Last: i + 1, Text: e.Text})
	}
	last := &out.List[len(out.List)-1]
	last.Details = append(last.Details, story.End...)
	return out, nil
}
