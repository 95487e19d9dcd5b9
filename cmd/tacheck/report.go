package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/report"
)

func (c *command) report() *cobra.Command {
	var f verifyFlags
	var out string
	var kinds int
	cmd := &cobra.Command{
		Use:   "report FILE...",
		Short: "Verify models and write an HTML report with pictures",
		Long: `Verify models and write one HTML file: a table of all specifications, a picture of each
automaton, and counterexamples to step through. The file needs no network.

Exit codes are those of verify.`,
		Example: `  tacheck report rb.ta broken/rb-n3t.ta -o report.html
  tacheck report paxos.ftdp --set n=3`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runReport(args, out, kinds, f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&out, "output", "o", "report.html", "write the report to this `file`")
	flags.StringArrayVar(&f.specs, "spec", nil, onlySpec)
	options.Set(flags, &f.set)
	manyKinds(flags, &kinds)
	methodFlags(cmd, &f.Options)
	flags.DurationVar(&f.Timeout, "timeout", 0, giveUpAfter)
	jobsFlag(flags, &f.Jobs)
	return cmd
}

func (c *command) runReport(names []string, out string, kinds int, f verifyFlags) error {
	list, err := c.toReport(names, f)
	if err != nil {
		return err
	}
	t := tally{c: c, f: f}
	w := c.watch(len(list), "models")
	defer w.End()
	var files []report.File
	for i, x := range list {
		if i > 0 && c.ctx.Err() != nil {
			w.End()
			for _, x := range list[i:] {
				t.count(verdict.Unknown)
				fmt.Fprintf(c.stderr, "tacheck: interrupted: %s is not in the report\n", record.Name(x.name))
			}
			break
		}
		if x.question == nil {
			file, err := c.reportInstance(x, kinds, f)
			if err != nil {
				return err
			}
			for _, r := range file.Results {
				t.count(r.Verdict)
			}
			files = append(files, file)
		} else {
			if kinds > 1 {
				return fmt.Errorf("--%s is for instances: --set says which one of %s", options.ManyFlag, x.model.File())
			}
			file := report.File{File: x.model.File(), Source: x.model.Text()}
			if a := x.question.Automaton; a != nil {
				file.Automaton, file.Says = a.Automaton, a.Says
			}
			err := c.verifyAll(x.question, f, func(r *model.Result) error {
				file.Results = append(file.Results, r)
				return t.add(x.model, r)
			})
			if err != nil {
				return err
			}
			files = append(files, file)
		}
		if err := w.Next(func() error { return nil }); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := report.Write(c.ctx, &b, release, files); err != nil {
		return err
	}
	if err := save.Text(out, b.String()); err != nil {
		return fmt.Errorf("saving the report: %w", err)
	}
	w.End()
	return c.say("%s: written; %d hold, %d violated, %d unknown\n", record.Name(out), t.Holds,
		t.Violated, t.Unknown)
}

// reported is a model that a report is about, and what is asked of it.
type reported struct {
	name     string
	model    model.Model
	question *model.Question // for all parameters
	instance model.Instance  // or of these
	names    []string
}

// toReport reads all models, before anything is verified. What can be verified for all parameters
// is, unless an instance is asked for.
func (c *command) toReport(names []string, f verifyFlags) (list []reported, err error) {
	set, specs := f.set, f.specs
	var all []model.Model
	of := map[string]model.Model{}
	for _, name := range names {
		if len(names) == 1 || len(set)+len(specs) == 0 || name == "-" { // that can be read once
			continue
		}
		if m, err := c.openQuietly(name); err == nil { // else the error is told below
			of[name], all = m, append(all, m)
		}
	}
	for _, name := range names {
		x := reported{name: name}
		f.set, f.specs = set, specs
		if m := of[name]; m != nil {
			f.set = fitting(set, m, all, func(m model.Model, s model.Setting) bool { return takes(m, s.Name) })
			if f.specs = fitting(specs, m, all, has); len(specs) > 0 && len(f.specs) == 0 {
				continue
			}
		}
		var t translated
		if len(f.set) == 0 {
			t, err = c.translated(name, f.Timeout)
			x.model = t.Model
		} else {
			x.model, err = c.open(name, f.set...)
		}
		if err != nil {
			return nil, options.WrongSet(f.set, err)
		}
		if t.forAll != nil {
			x.question, err = t.ask(c.ctx, f.specs, nil)
		} else {
			err = c.toReportInstance(&x, f)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// takes reports whether a model has a parameter or constant of a name.
func takes(m model.Model, name string) bool {
	fixed, is := m.(model.Fixed)
	return is && slices.ContainsFunc(fixed.Parameters(), func(p model.Parameter) bool { return p.Name == name })
}

// toReportInstance prepares to explore one instance.
func (c *command) toReportInstance(x *reported, f verifyFlags) error {
	fixed, err := able[model.Fixed](x.model, "report")
	if err != nil {
		return err
	}
	unknown := func(s model.Setting) bool { return !takes(x.model, s.Name) }
	if open := unset(fixed, f.set); open != "" && !slices.ContainsFunc(f.set, unknown) {
		return fmt.Errorf("%s: a report shows an instance of it: say which, by --set %s", x.model.File(), open)
	}
	x.names = f.specs
	if len(x.names) > 0 || len(x.model.Specs()) > 0 {
		if x.names, err = model.Select(x.model, f.specs); err != nil {
			return err
		}
	}
	x.instance, err = fixed.Instance(c.ctx, f.set)
	return options.WrongSet(f.set, err)
}

// reportInstance explores an instance.
func (c *command) reportInstance(x reported, kinds int, f verifyFlags) (report.File, error) {
	ctx, stop := f.Bound(c.ctx)
	defer stop()
	how := machine.Options{Bounds: explore.Bounds{Jobs: f.Jobs}}
	p, identified := x.instance.(interface{ Protocol() *protocol.Model })
	if !identified {
		how.States = model.DefaultStates
	}
	results, err := x.instance.Explore(ctx, x.names, model.Exploring{Machine: how})
	if errors.Is(err, model.ErrNoStart) {
		return report.File{}, noInitial(x.model, run.Assignments(x.instance.Values()), err)
	}
	if err == nil {
		err = c.others(x.instance, results, model.Exploring{Machine: how}, kinds)
	}
	out := report.File{File: x.model.File(), Source: x.model.Text(), Instance: true, Values: x.instance.Values(),
		Results: results}
	if identified {
		out.Name, out.About = p.Protocol().Name, "channels "+p.Protocol().Channels.String()
	}
	return out, err
}
