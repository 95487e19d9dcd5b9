package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tacheck"
	"tacheck/smt/z3"
)

func (c *command) shapes() *cobra.Command {
	var spec string
	var list bool
	var o tacheck.Options
	cmd := &cobra.Command{
		Use:   "shapes FILE --spec NAME",
		Short: "Count the lasso shapes of a specification, or list them",
		Long: `Count the lasso shapes of a specification exactly, without enumerating them,
or list them: the orderings of cut points and threshold flips that a
counterexample can have, one a line.`,
		Example: "  tacheck shapes rb.ta --spec correctness --list",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := c.load(args[0])
			if err != nil {
				return err
			}
			return c.runShapes(m, spec, list, o)
		},
	}
	cmd.Flags().StringVar(&spec, "spec", "", "the `specification`")
	cmd.Flags().BoolVar(&list, "list", false, "list the shapes")
	cmd.Flags().StringVar(&o.Solver, "solver", "", "solver that orders the thresholds")
	if err := cmd.MarkFlagRequired("spec"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

func (c *command) runShapes(m *model, spec string, list bool, o tacheck.Options) error {
	specs, err := m.specs([]string{spec})
	if err != nil {
		return err
	}
	graphs, err := tacheck.ShapesOf(c.ctx, m.Automaton, specs[0], o)
	if err != nil {
		return &inputError{err, m.source}
	}
	out := bufio.NewWriter(c.stdout)
	if list {
		for line := range tacheck.DescribeShapes(m.Automaton, graphs) {
			if _, err := fmt.Fprintln(out, line); err != nil || c.ctx.Err() != nil {
				return errors.Join(err, c.ctx.Err())
			}
		}
		return out.Flush()
	}
	total := new(big.Int)
	for _, g := range graphs {
		n := g.Count()
		if n == nil {
			return errors.New("the threshold graph is too irregular for its orderings to be counted")
		}
		total.Add(total, n)
	}
	fmt.Fprintln(out, total)
	return out.Flush()
}

func (c *command) replay() *cobra.Command {
	return &cobra.Command{
		Use:   "replay FILE WITNESS.json",
		Short: "Check a saved counterexample step by step, without a solver",
		Long: `Check a saved counterexample with exact arithmetic and without a solver: every
guard and counter, the loop, and that the run violates the specification.
Exit code: 0 if it is accepted, 1 if it is rejected, 2 if a file is no good.`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return c.runReplay(args[0], args[1]) },
	}
}

func (c *command) runReplay(file, witness string) error {
	m, err := c.load(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(witness)
	if err != nil {
		return err
	}
	w, err := tacheck.ReadWitness(m.Automaton, text)
	var format *tacheck.FormatError
	switch {
	case errors.As(err, &format):
		return fmt.Errorf("%s: %w", witness, err)
	case err != nil:
		c.code = exitViolated
		_, err = fmt.Fprintf(c.stdout, "%s: rejected: %v\n", witness, err)
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s: accepted: %s of %s is violated, in %s\n",
		witness, w.Spec, m.File, plural(len(w.Run.Steps), "step", "steps"))
	return err
}

// saveWitness writes a witness file: all of it or nothing.
func saveWitness(name string, w *tacheck.Witness) error {
	text, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".tacheck-*")
	if err != nil {
		return fmt.Errorf("saving the witness: %w", err)
	}
	_, err = f.Write(append(text, '\n'))
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("saving the witness: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

func (c *command) format() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "fmt FILE",
		Short: "Print a model in canonical form",
		Long:  "Print a model in canonical form, comments and macros kept.",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := c.load(args[0])
			if err != nil {
				return err
			}
			if write {
				return os.WriteFile(args[0], []byte(m.Format()), 0o666)
			}
			_, err = fmt.Fprint(c.stdout, m.Format())
			return err
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the result back to the file")
	return cmd
}

// release is the version; the Makefile stamps it from git.
var release = "devel"

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			solver := solverVersion()
			commit := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						commit = " " + s.Value
					}
				}
			}
			_, err := fmt.Fprintf(c.stdout, "tacheck %s%s %s %s/%s\nsolver: %s\n",
				release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, solver)
			return err
		},
	}
}

// solverVersion says which solver this build holds.
func solverVersion() string {
	if z3.Available {
		return "libz3 " + z3.Version()
	}
	return "none: use --solver z3-pipe or cvc5"
}
