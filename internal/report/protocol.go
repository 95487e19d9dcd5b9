package report

import (
	"fmt"
	"html/template"

	"tacheck/internal/chart"
	"tacheck/protocol"
	"tacheck/protocol/machine"
)

// Protocol is a protocol with what was found out about its properties.
type Protocol struct {
	Model   *protocol.Model
	Source  string
	Results []*machine.Result
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
	Chart template.HTML
	List  []beatPart
}

type beatPart struct {
	Text    string
	Details []string
}

// describeProtocol prepares the i-th protocol for the page.
func describeProtocol(i int, p Protocol) protocolPart {
	m := p.Model
	out := protocolPart{ID: fmt.Sprintf("protocol%d", i), File: m.File, Name: m.Name, Source: p.Source, Constants: m.Assignments(), Channels: m.Channels.String()}
	if out.Name == "" {
		out.Name = m.File
	}
	for k, r := range p.Results {
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
		if r.Run != nil {
			part.Beats = told(r.Run)
		}
		out.Props = append(out.Props, part)
	}
	return out
}

// told is a run with its chart. The chart escapes what comes from the model.
func told(run *protocol.Run) *runPart {
	out := &runPart{Chart: template.HTML(chart.SVG(run))}
	for _, b := range run.Story() {
		text := b.Text
		if b.Loop {
			text = "again and again: " + text
		}
		beat := beatPart{Text: text, Details: b.Changes}
		for _, s := range b.Sends {
			beat.Details = append(beat.Details, "sends "+s)
		}
		out.List = append(out.List, beat)
	}
	return out
}
