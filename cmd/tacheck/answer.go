package main

import (
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/export"
	"github.com/tacheck/tacheck/show/terminal"
)

// answers are printed together at the end, also where the process is ended.
type answers struct {
	sync.Mutex
	list []export.Outcome
}

func (a *answers) add(o export.Outcome) {
	a.Lock()
	defer a.Unlock()
	a.list = append(a.list, o)
}

// reply is what a command says of a specification: an object, or lines for people.
type reply struct {
	export.Outcome
	run    model.Counterexample
	object func() (any, error)   // what --json prints; nil for nothing
	head   string                // the verdict in a line, and what belongs to it
	rest   func(io.Writer) error // what is told below, such as the run; nil for nothing
}

// replyOf is an answer to a specification of a model.
func replyOf(m model.Model, r *model.Result) reply {
	spec, _ := model.SpecNamed(m, r.Spec)
	return reply{Outcome: export.Outcome{File: m.File(), Spec: r.Spec, Pos: spec.Pos, Verdict: r.Verdict,
		Reason: r.Reason, Seconds: r.Time.Seconds(), Warnings: r.Warnings}, run: r.Counterexample}
}

// inducted is an answer to a property, of induction.
func inducted(m model.Model, property string, v verdict.Verdict, reason string, took time.Duration,
	run model.Counterexample) reply {
	return replyOf(m, &model.Result{Spec: property, Verdict: v, Reason: reason, Time: took, Counterexample: run})
}

// below tells a text, and after it a run, if there is one.
func below(text string, run model.Counterexample,
	tell func(io.Writer, model.Counterexample) error) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		if run != nil && err == nil {
			err = tell(w, run)
		}
		return err
	}
}

// collects reports whether answers are printed at the end, in a format that other programs read.
func (c *command) collects() bool {
	_, is := c.output.Exported()
	return is
}

// prints reports whether answers are objects.
func (c *command) prints() bool { return c.output.Name == "json" }

// answer prints an answer in the format that is asked for; other formats than text and JSON are printed at the end.
func (c *command) answer(a reply) error {
	switch {
	case c.output.Quiet:
		return nil
	case c.collects():
		return c.keep(a)
	case !c.prints():
		err := c.say("%s", a.head)
		if a.rest != nil && err == nil {
			err = a.rest(c.stdout)
		}
		return err
	case a.object == nil:
		return nil
	}
	object, untold := a.object()
	return errors.Join(untold, terminal.EncodeJSON(c.stdout, object))
}

// keep notes an answer that is printed at the end.
func (c *command) keep(a reply) error {
	if a.rest != nil {
		var b strings.Builder
		if err := a.rest(&b); err != nil {
			return err
		}
		a.Text = b.String()
	}
	if a.run != nil {
		if story, err := model.Told(a.run); err == nil { // else the text says why not
			for _, p := range story.Places() {
				if !p.Pos.IsValid() {
					p.Pos = a.Pos
				}
				a.Steps = append(a.Steps, export.Step{Pos: p.Pos, Text: p.Text})
			}
		}
	}
	c.answers.add(a.Outcome)
	return nil
}

// fails notes, if answers are collected, why there are no others of a file.
func (c *command) fails(file string, err error) {
	if !c.collects() {
		return
	}
	o := export.Outcome{File: record.Name(c.called(file)), Spec: c.name, Failed: true, Verdict: verdict.Unknown,
		Said: "no verdict", Reason: err.Error()}
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		o.Pos = list[0].Pos
	}
	c.answers.add(o)
}

// setsAside tells what is wrong with a file, among answers to others, if answers are collected.
func (c *command) setsAside(file string, err error) bool {
	if !c.collects() || c.ctx.Err() != nil {
		return false
	}
	c.complain(err)
	c.fails(file, err)
	c.aside = true
	return true
}

// doubts adds warnings to what was answered last, if answers are collected.
func (c *command) doubts(list diag.List) {
	if !c.collects() {
		return
	}
	c.answers.Lock()
	defer c.answers.Unlock()
	if n := len(c.answers.list); n > 0 {
		c.answers.list[n-1].Warnings = slices.Concat(c.answers.list[n-1].Warnings, list)
	}
}

// finish prints what was collected.
func (c *command) finish() error {
	write, collected := c.output.Exported()
	if !collected {
		return nil
	}
	c.answers.Lock()
	defer c.answers.Unlock()
	return write(c.stdout, release, c.answers.list)
}

// answerRow notes a row of a benchmark.
func (c *command) answerRow(r *suite.Row, pos diag.Pos) {
	o := export.Outcome{File: r.File, Spec: r.Spec, Pos: pos, Verdict: r.Verdict, Expect: r.Expect, Reason: r.Reason,
		Seconds: r.Seconds}
	if r.Parameters != "" {
		o.Text = "with " + r.Parameters
	}
	c.answers.add(o)
}
