package main

import (
	"strings"

	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/export"
	"github.com/tacheck/tacheck/show/terminal"
)

// exported collects outcomes for a format that is written at the end.
type exported struct {
	c      *command
	format export.Format
	list   []export.Outcome
}

func (x *exported) finish() error { return x.format(x.c.stdout, release, x.list) }

// add notes a result.
func (x *exported) add(m model.Model, r *model.Result) error {
	spec, _ := model.SpecNamed(m, r.Spec)
	o := export.Outcome{File: m.File(), Spec: r.Spec, Pos: spec.Pos, Verdict: r.Verdict, Reason: r.Reason,
		Seconds: r.Time.Seconds(), Warnings: r.Warnings}
	if run := r.Counterexample; run != nil {
		var b strings.Builder
		if err := (terminal.Screen{Width: terminal.PipeWidth}).Counterexample(&b, run); err != nil {
			return err
		}
		o.Text = b.String()
		if story, err := terminal.Told(run); err == nil { // else the text says why not
			for _, p := range story.Places() {
				if !p.Pos.IsValid() {
					p.Pos = spec.Pos
				}
				o.Steps = append(o.Steps, export.Step{Pos: p.Pos, Text: p.Text})
			}
		}
	}
	x.list = append(x.list, o)
	return nil
}

// addRow notes a row of a benchmark.
func (x *exported) addRow(r *suite.Row, pos diag.Pos) {
	o := export.Outcome{File: r.File, Spec: r.Spec, Pos: pos, Verdict: r.Verdict, Expect: r.Expect, Reason: r.Reason,
		Seconds: r.Seconds}
	if r.Parameters != "" {
		o.Text = "with " + r.Parameters
	}
	x.list = append(x.list, o)
}
