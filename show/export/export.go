// Package export writes verdicts in the formats that other programs read: JUnit XML for build servers, SARIF for code
// scanning, the workflow commands that make GitHub annotate lines, and CSV for spreadsheets.
package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/verify"
)

// Outcome is a verdict with what there is to say about it.
type Outcome struct {
	File, Spec string
	Pos        diag.Pos       // of the specification
	Verdict    verify.Verdict // "" of what is left out
	Expect     verify.Verdict // the verdict that is expected; "" means holds
	Reason     string         // why it is unknown, or left out
	Said       string         // what is said in place of the verdict
	Seconds    float64
	Text       string // the counterexample, for people
	Steps      []Step
	Warnings   diag.List
	Failed     bool // there is no verdict, for an error
	Findings   bool // the warnings are what was looked for, and say it all
}

// levels are the severities as the formats call them.
var levels = map[diag.Severity]struct{ sarif, gitHub string }{diag.Problem: {"error", "error"},
	diag.Warning: {"warning", "warning"}, diag.Hint: {"note", "notice"}}

// Step is a step of a counterexample and the place of its rule.
type Step struct {
	Pos  diag.Pos
	Text string
}

// good reports whether the verdict is the one that is hoped for.
func (o *Outcome) good() bool {
	switch {
	case o.Spec == run.Sought:
		return o.Verdict == verify.Violated
	case o.Expect != "":
		return o.Expect == o.Verdict
	}
	return o.Verdict == verify.Holds
}

// title says in a line what is wrong, or right.
func (o *Outcome) title() string {
	text := fmt.Sprintf("%s %s", o.Spec, o.Verdict)
	switch {
	case o.Verdict == "":
		text = fmt.Sprintf("%s is %s", o.Spec, o.Reason)
	case o.Said != "" && o.Reason != "":
		text = fmt.Sprintf("%s: %s: %s", o.Spec, o.Said, o.Reason)
	case o.Said != "":
		text = fmt.Sprintf("%s: %s", o.Spec, o.Said)
	case o.Spec == run.Sought && o.Verdict == verify.Holds:
		text = o.Spec + ": there is none"
	case o.Spec == run.Sought && o.Verdict == verify.Violated:
		text = o.Spec + ": found"
	case o.Verdict == verify.Violated:
		text = o.Spec + " is violated"
	case o.Verdict == verify.Unknown:
		text = fmt.Sprintf("%s is undecided: %s", o.Spec, o.Reason)
	}
	if o.Expect != "" && !o.good() {
		text += ", expected to be " + string(o.Expect)
	}
	return text
}

// message is the title and the counterexample.
func (o *Outcome) message() string {
	return strings.TrimSpace(o.title() + "\n" + strings.TrimRight(o.Text, "\n"))
}

// Format writes outcomes.
type Format func(w io.Writer, release string, list []Outcome) error
