package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"tacheck/internal/report"
	"tacheck/internal/save"
	"tacheck/ta"
	"tacheck/verify"
)

func (c *command) report() *cobra.Command {
	var f verifyFlags
	var out string
	cmd := &cobra.Command{
		Use:   "report FILE...",
		Short: "Verify models and write an HTML report with pictures",
		Long: `Verify models and write one HTML file that needs no network: a table of all
specifications, a picture of each automaton, and counterexamples that one can step
through with buttons or arrow keys.

Exit code as for verify.`,
		Example: "  tacheck report rb.ta broken/rb-n3t.ta -o report.html",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return c.runReport(args, out, f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "output", "o", "report.html", "write the report to this `file`")
	flags.StringArrayVar(&f.specs, "spec", nil, "verify this `specification` only (may be given several times)")
	methodFlags(cmd, &f.Options)
	flags.DurationVar(&f.Timeout, "timeout", 0, "give up on a specification after this time, such as 30s (default no limit)")
	jobsFlag(flags, &f.Jobs, "verify so many specifications at once")
	return cmd
}

func (c *command) runReport(names []string, out string, f verifyFlags) error {
	t := tally{c: c, f: f}
	w := c.watch(len(names), "models")
	defer w.end()
	var list []report.File
	for _, name := range names {
		m, err := c.load(name)
		if err != nil {
			return err
		}
		specs, err := m.specs(f.specs)
		if err != nil {
			return err
		}
		file := report.File{Automaton: m.Automaton, Source: m.source}
		err = c.verifyAll(m, specs, f, func(spec *ta.Spec, r *verify.Result) error {
			file.Results = append(file.Results, r)
			return t.add(m, spec, r)
		})
		if err != nil {
			return err
		}
		list = append(list, file)
		if err := w.next(func() error { return nil }); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := report.Write(c.ctx, &b, release, list); err != nil {
		return err
	}
	if err := save.Text(out, b.String()); err != nil {
		return fmt.Errorf("saving the report: %w", err)
	}
	c.code = t.code()
	return nil
}
