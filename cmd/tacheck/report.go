package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tacheck/explore"
	"tacheck/internal/memory"
	"tacheck/internal/record"
	"tacheck/internal/report"
	"tacheck/internal/save"
	"tacheck/internal/verdict"
	"tacheck/protocol"
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
	jobsFlag(flags, &f.Jobs, "number of specifications verified at the same time")
	return cmd
}

func (c *command) runReport(names []string, out string, f verifyFlags) error {
	list, err := c.toReport(names, f)
	if err != nil {
		return err
	}
	t := tally{c: c, f: f}
	w := c.watch(len(list), "models")
	defer w.end()
	var files []report.File
	var protocols []report.Protocol
	for i, x := range list {
		if i > 0 && c.ctx.Err() != nil {
			w.end()
			for _, x := range list[i:] {
				t.count(verdict.Unknown)
				fmt.Fprintf(c.stderr, "tacheck: interrupted: %s is not in the report\n", record.Name(x.name))
			}
			break
		}
		if x.model == nil {
			p, err := c.reportProtocol(x, f)
			if err != nil {
				return err
			}
			for _, r := range p.Results {
				t.count(r.Verdict)
			}
			protocols = append(protocols, p)
		} else {
			file := report.File{Automaton: x.model.Automaton, Source: x.model.shown(), Played: x.model.played}
			err := c.verifyAll(question{model: x.model, specs: x.specs}, f, func(spec *ta.Spec, r *verify.Result) error {
				file.Results = append(file.Results, r)
				return t.add(x.model, spec, r)
			})
			if err != nil {
				return err
			}
			files = append(files, file)
		}
		if err := w.next(func() error { return nil }); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := report.Write(c.ctx, &b, release, files, protocols...); err != nil {
		return err
	}
	if err := save.Text(out, b.String()); err != nil {
		return fmt.Errorf("saving the report: %w", err)
	}
	w.end()
	_, err = fmt.Fprintf(c.stdout, "%s: written; %d hold, %d violated, %d unknown\n", record.Name(out), t.Holds, t.Violated, t.Unknown)
	return err
}

// reported is a model that a report is about, and what is asked of it.
type reported struct {
	name     string
	model    *model
	specs    []*ta.Spec
	protocol *protocol.Model // if there is no automaton
	source   string
	props    []*protocol.Prop
}

// toReport reads all models, before anything is verified.
func (c *command) toReport(names []string, f verifyFlags) (list []reported, err error) {
	for _, name := range names {
		x := reported{name: name}
		if isProtocol(name) && !c.forAllSizes(name) {
			if x.protocol, x.source, err = c.readProtocol(name, nil); err == nil {
				x.props, err = propsOf(x.protocol, f.specs)
			}
		} else if x.model, err = c.load(name); err == nil {
			x.specs, err = x.model.specs(f.specs)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// reportProtocol decides the properties of a protocol.
func (c *command) reportProtocol(x reported, f verifyFlags) (report.Protocol, error) {
	ctx, stop := f.Bound(c.ctx)
	defer stop()
	results, err := machine.Check(ctx, x.protocol, x.props, machine.Options{Bounds: explore.Bounds{Jobs: f.Jobs, Memory: int64(memory.Free()) / 4 * 3}})
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		err = c.modelError(x.protocol, x.source, bad)
	}
	return report.Protocol{Model: x.protocol, Source: x.source, Results: results}, err
}
