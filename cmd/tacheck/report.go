package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tacheck/explore"
	"tacheck/internal/memory"
	"tacheck/internal/report"
	"tacheck/internal/save"
	"tacheck/protocol/machine"
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
	var protocols []report.Protocol
	for _, name := range names {
		if isProtocol(name) {
			p, err := c.reportProtocol(name, f)
			if err != nil {
				return err
			}
			protocols = append(protocols, p)
			if err := w.next(func() error { return nil }); err != nil {
				return err
			}
			continue
		}
		m, err := c.load(name)
		if err != nil {
			return err
		}
		specs, err := m.specs(f.specs)
		if err != nil {
			return err
		}
		file := report.File{Automaton: m.Automaton, Source: m.source}
		err = c.verifyAll(question{model: m, specs: specs}, f, func(spec *ta.Spec, r *verify.Result) error {
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
	if err := report.Write(c.ctx, &b, release, list, protocols...); err != nil {
		return err
	}
	if err := save.Text(out, b.String()); err != nil {
		return fmt.Errorf("saving the report: %w", err)
	}
	c.code = t.code()
	for _, p := range protocols {
		for _, r := range p.Results {
			switch {
			case r.Verdict == machine.Violated:
				c.code = exitViolated
			case r.Verdict == machine.Unknown && c.code != exitViolated:
				c.code = exitUnknown
			}
		}
	}
	return nil
}

// reportProtocol decides the properties of a protocol.
func (c *command) reportProtocol(name string, f verifyFlags) (report.Protocol, error) {
	m, source, err := c.readProtocol(name, nil)
	if err != nil {
		return report.Protocol{}, err
	}
	props, err := propsOf(m, f.specs)
	if err != nil {
		return report.Protocol{}, err
	}
	ctx, stop := f.Bound(c.ctx)
	defer stop()
	results, err := machine.Check(ctx, m, props, machine.Options{Bounds: explore.Bounds{Jobs: f.Jobs, Memory: int64(memory.Free()) / 4 * 3}})
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		err = c.modelError(m, source, bad)
	}
	return report.Protocol{Model: m, Source: source, Results: results}, err
}
