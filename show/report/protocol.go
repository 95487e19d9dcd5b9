package report

import (
	"fmt"
	"html/template"

	"tacheck/model"
	"tacheck/protocol"
	"tacheck/protocol/machine"
	"tacheck/witness"
)

// Protocol is a protocol with what was found out about its properties.
type Protocol struct {
	Model   *protocol.Model
	Source  string
	Results []*model.Result
}

// protocolPart is a protocol as the page shows it.
type protocolPart struct {
	ID, File, Name, Source, Constants, Channels string
	Props                                       []propPart
}

type propPart struct {
	ID, Property, Verdict, Reason, How, Seconds string
	States, Transitions                         int64
	Depth                                       int
	Beats                                       *runPart
}

// runPart is a counterexample: its chart, and the story beside it.
type runPart struct {
	Title string
	Chart template.HTML
	List  []beatPart
	Why   witness.Explanation
}

type beatPart struct {
	Step, Last int // that are told as one
	Text       string
	Details    []string
}

// describeProtocol prepares the i-th protocol for the page.
func describeProtocol(i int, p Protocol) (protocolPart, error) {
	m := p.Model
	out := protocolPart{ID: fmt.Sprintf("protocol%d", i), File: m.File, Name: m.Name, Source: p.Source, Constants: m.Assignments(), Channels: m.Channels.String()}
	if out.Name == "" {
		out.Name = m.File
	}
	for k, result := range p.Results {
		r := result.Space.Machine
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
		part := propPart{ID: fmt.Sprintf("%s-%d", out.ID, k), Property: r.Property, Verdict: string(r.Verdict), Reason: r.Reason, How: how,
			Seconds: fmt.Sprintf("%.2f", r.Time.Seconds()), States: r.States, Transitions: r.Transitions, Depth: r.Depth}
		if x := result.Counterexample; x != nil {
			var err error
			if part.Beats, err = told(x); err != nil {
				return out, err
			}
		}
		out.Props = append(out.Props, part)
	}
	return out, nil
}

// told is a run with its chart, if it has one. The chart escapes what comes from the model.
func told(x model.Counterexample) (*runPart, error) {
	story, err := x.Story()
	if err != nil {
		return nil, err
	}
	out := &runPart{Title: story.Title, Why: story.Why}
	if drawn := x.Chart(); drawn != nil {
		out.Chart = template.HTML(drawn.SVG())
	}
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
	for i, p := range x.Places() {
		out.List = append(out.List, beatPart{Step: i + 1, Last: i + 1, Text: p.Text})
	}
	last := &out.List[len(out.List)-1]
	last.Details = append(last.Details, story.End...)
	return out, nil
}
