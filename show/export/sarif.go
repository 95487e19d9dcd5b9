package export

import (
	"io"
	"net/url"
	"path/filepath"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/verify"
)

// Kinds of results.
const (
	ruleViolated = "violated"
	ruleUnknown  = "unknown"
	ruleDoubtful = "doubtful"
)

// writeSARIF writes a SARIF 2.1.0 log: a result a specification at its place. The
// steps of a counterexample are a code flow through the rules.
func writeSARIF(w io.Writer, release string, list []Outcome) error {
	r := sarif.NewReport()
	run := sarif.NewRunWithInformationURI("tacheck", "https://pkg.go.dev/github.com/tacheck/tacheck")
	run.Tool.Driver.WithVersion(release)
	for _, rule := range [][2]string{
		{ruleViolated, "A specification is violated for some parameters."},
		{ruleUnknown, "A specification is undecided."},
		{ruleDoubtful, "A specification holds, or is written, in a way that is probably not meant."},
	} {
		run.AddRule(rule[0]).WithShortDescription(sarif.NewMultiformatMessageString().WithText(rule[1]))
	}
	for i := range list {
		o := &list[i]
		doubts := func() {
			for _, e := range o.Warnings {
				run.CreateResultForRule(ruleDoubtful).WithLevel(levels[e.Severity].sarif).
					WithMessage(sarif.NewTextMessage(e.Msg)).WithLocations([]*sarif.Location{place(o.File, e.Pos)})
			}
		}
		if o.Findings {
			doubts()
			continue
		}
		result := run.CreateResultForRule(ruleViolated)
		switch {
		case o.Verdict == "":
			result.WithKind("notApplicable").WithLevel("none")
		case o.good():
			result.WithKind("pass").WithLevel("none")
		case o.Verdict == verify.Unknown:
			result.WithRuleID(ruleUnknown).WithRuleIndex(1).WithLevel("warning")
		default:
			result.WithLevel("error")
		}
		result.WithMessage(sarif.NewTextMessage(o.message())).WithLocations([]*sarif.Location{place(o.File, o.Pos)})
		if len(o.Steps) > 0 {
			result.WithCodeFlows([]*sarif.CodeFlow{sarif.NewCodeFlow().AddThreadFlow(flow(o))})
		}
		doubts()
	}
	if run.Results == nil {
		run.Results = []*sarif.Result{}
	}
	r.AddRun(run)
	if err := r.PrettyWrite(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func flow(o *Outcome) *sarif.ThreadFlow {
	f := sarif.NewThreadFlow()
	for i, s := range o.Steps {
		at := place(o.File, s.Pos)
		at.WithMessage(sarif.NewTextMessage(s.Text))
		f.AddLocation(sarif.NewThreadFlowLocation().WithLocation(at).WithExecutionOrder(i + 1))
	}
	return f
}

func place(file string, pos diag.Pos) *sarif.Location {
	p := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri(file)))
	if pos.IsValid() {
		p.WithRegion(sarif.NewRegion().WithStartLine(pos.Line).WithStartColumn(pos.Col))
	}
	return sarif.NewLocationWithPhysicalLocation(p)
}

// uri returns a file's name as a relative or absolute URI.
func uri(file string) string {
	return (&url.URL{Path: filepath.ToSlash(file)}).String()
}
