package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/export"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/verify"
)

func (c *command) lint() *cobra.Command {
	var o verify.Options
	var format options.Format
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Look for what is probably not meant",
		Long: `Look for what is probably not meant: rules that never fire, guards that never change,
locations that no process reaches. It also looks for parameters with one possible value,
specifications that hold for no good reason, and premises that are not needed. The solver
decides for all parameters; protocols of fixed size are judged as they are.

Exit code: 0 nothing found, or notes only, 1 warnings, 2 bad usage or input, 3 interrupted.`,
		Example: `  tacheck lint rb.ta
  tacheck lint *.ftdp --timeout 1m`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for i, file := range args {
				c.about(file)
				if err := c.runLint(file, o); err != nil && !c.setsAside(file, err) {
					for _, other := range args[i+1:] {
						c.fails(other, errors.New("there was no time left for it"))
					}
					return err
				}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Solver, "solver", "", solverText)
	format.Flag(cmd, "text", "json")
	return cmd
}

func (c *command) runLint(file string, o verify.Options) error {
	begin := time.Now()
	found, source, failed := c.findings(file, o)
	if failed != nil && c.ctx.Err() == nil {
		return failed
	}
	warnings := 0
	for _, e := range found {
		if e.Severity != diag.Hint {
			warnings++
		}
	}
	if warnings > 0 {
		c.outcome(verdict.Violated)
	}
	switch {
	case c.prints():
		return errors.Join(printFindings(c, found), failed)
	case failed != nil && len(found) == 0:
		return failed
	}
	a := reply{Outcome: export.Outcome{File: record.Name(c.called(file)), Spec: c.name, Verdict: verdict.Holds,
		Said: "nothing found", Warnings: found, Findings: true,
		Seconds: time.Since(begin).Seconds()}}
	if len(found) > 0 {
		a.Said = spell.Count(len(found), "finding", "findings")
	}
	if warnings > 0 {
		a.Verdict = verdict.Violated
	}
	var b strings.Builder
	found.RenderAll(&b, source)
	if len(found) == 0 {
		fmt.Fprintf(&b, "%s: nothing found\n", a.File)
	}
	a.rest = below(b.String(), nil, nil)
	return errors.Join(c.answer(a), failed)
}

// findings lists what is probably not meant in a model, as far as there was time.
func (c *command) findings(file string, o verify.Options) (diag.List, string, error) {
	w := c.watch(1, "model")
	defer w.End()
	m, err := c.openQuietly(file)
	if err != nil {
		return nil, "", err
	}
	found, _, err := limit.Heed(c.ctx, func(ctx context.Context) (diag.List, error) { return model.Lint(ctx, m, o) })
	w.End()
	return found, m.Text(), err
}

func printFindings(c *command, found diag.List) error {
	for _, e := range found {
		err := terminal.EncodeJSON(c.stdout, struct {
			File    string        `json:"file"`
			Line    int           `json:"line"`
			Col     int           `json:"col"`
			Width   int           `json:"width"`
			Kind    diag.Severity `json:"kind"`
			Message string        `json:"message"`
		}{e.Pos.File, e.Pos.Line, e.Pos.Col, e.Width, e.Severity, e.Msg})
		if err != nil {
			return err
		}
	}
	return nil
}
