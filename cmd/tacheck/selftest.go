package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/selftest"
	"github.com/tacheck/tacheck/show/terminal"
)

type selftestFlags struct {
	kinds   []string
	cases   int
	seed    int
	save    string
	json    bool
	jobs    int
	cluster clusterFlags
}

func (c *command) selftest() *cobra.Command {
	var f selftestFlags
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Hold this program against itself on random models",
		Long: `Decide random models and mutants of the suite with all searches and encodings, some with a
second solver, and explore instances with few processes. The answers have to agree, and
every counterexample has to replay.

Exit code: 0 all agree, 1 something does not, 2 bad usage, 3 interrupted.`,
		Example: `  tacheck selftest --cases 300
  tacheck selftest --cases 5000 --seed 1000000 --save finds`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.runSelftest(f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.kinds, "kind", selftest.Kinds, "which cases: random, growing, mutants")
	flags.IntVar(&f.cases, "cases", 100, "so many of each kind")
	flags.IntVar(&f.seed, "seed", 1, "number of the first case; the same number is the same case")
	flags.StringVar(&f.save, "save", "", "save models that go wrong in this `folder`")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	jobsFlag(flags, &f.jobs)
	f.cluster.addResumed(flags)
	return cmd
}

func (c *command) runSelftest(f selftestFlags) error {
	for _, kind := range f.kinds {
		if !slices.Contains(selftest.Kinds, kind) {
			return fmt.Errorf("--kind: there are no cases called %q%s", kind, spell.Hint(kind, selftest.Kinds))
		}
	}
	if f.cases < 1 || f.seed < 0 {
		return errors.New("--cases is at least 1, and --seed not negative")
	}
	per := work.PerRange
	if f.cluster.url == "" {
		per = 1
	}
	ranges := (f.cases + per - 1) / per
	w := c.watch(len(f.kinds)*ranges, "ranges of cases")
	defer w.End()
	jobs := f.jobs
	do := func(ctx context.Context, r work.Range) (work.Compared, error) {
		// A case is not waited for.
		out, _, err := limit.HeedFor(ctx, 0, func(ctx context.Context) (work.Compared, error) {
			out, _, err := work.Compare(ctx, nil, r)
			return out, err
		})
		return out, err
	}
	if f.cluster.url != "" {
		s, failed := c.join(f.cluster, asked{fmt.Sprintf("selftest: %s from %d", spell.Count(f.cases, "case", "cases"),
			f.seed), []any{"selftest", f.kinds, f.cases, f.seed}, len(f.kinds) * ranges}, f.jobs, w)
		if failed != nil {
			return failed
		}
		defer s.leave(c.ctx)
		jobs = ahead
		do = func(ctx context.Context, r work.Range) (work.Compared, error) {
			out, _, err := work.Campaign.Ask(ctx, s.Run, "", nil, r)
			return out, err
		}
	}
	for _, kind := range f.kinds {
		if c.ctx.Err() != nil {
			return nil // said already
		}
		if err := c.selftestKind(kind, f, ranges, per, jobs, w, do); err != nil {
			return err
		}
	}
	return nil
}

// selftestKind compares the cases of a kind.
func (c *command) selftestKind(kind string, f selftestFlags, ranges, per, jobs int, w *terminal.Watch,
	do func(context.Context, work.Range) (work.Compared, error)) error {
	type outcome struct {
		work.Compared
		err error
	}
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	var sum work.Compared
	var failed error
	ordered.Do(ranges, jobs, stop, func(i int) outcome {
		first := f.seed + i*per
		x, err := do(ctx, work.Range{Kind: kind, First: first, Last: min(first+per, f.seed+f.cases) - 1})
		return outcome{x, err}
	}, func(_ int, x outcome) bool {
		if failed = x.err; failed != nil {
			return false
		}
		sum.Tally.Add(x.Tally)
		failed = w.Next(func() (err error) {
			for _, find := range x.Finds {
				c.outcome(verdict.Violated)
				sum.Finds = append(sum.Finds, find)
				if !f.json {
					_, err = fmt.Fprintf(c.stdout, "%s %d: %s\n", kind, find.Seed, find.Wrong)
				}
				if f.save != "" && err == nil {
					if err = save.Folder(f.save); err == nil {
						err = save.Text(filepath.Join(f.save, fmt.Sprintf("%s-%d.ta", kind, find.Seed)), find.Text)
					}
				}
			}
			return err
		})
		return failed == nil
	})
	stopped := failed != nil && c.ctx.Err() != nil
	if failed != nil && !stopped {
		return failed
	}
	done := "" // unless all is
	if stopped {
		done = "interrupted; "
		c.outcome(verdict.Unknown)
	}
	w.End()
	t := sum.Tally
	if f.json {
		return terminal.EncodeJSON(c.stdout, struct {
			Kind        string `json:"kind"`
			Interrupted bool   `json:"interrupted,omitempty"`
			work.Compared
		}{kind, stopped, sum})
	}
	_, err := fmt.Fprintf(c.stdout,
		"%s: %s%s: %d hold, %d violated, %d unknown; %d verdicts, %d instances explored; %s\n", kind, done,
		spell.Count(t.Cases, "question", "questions"),
		t.Holds, t.Violated, t.Unknown, t.Verdicts, t.Instances, spell.Count(len(sum.Finds), "disagreement",
			"disagreements"))
	return err
}
