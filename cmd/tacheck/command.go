package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
)

// Exit codes.
const (
	exitHolds    = 0 // every specification holds; the witness is accepted
	exitViolated = 1 // at least one is violated; the witness is rejected
	exitUsage    = 2 // bad usage or bad input
	exitUnknown  = 3 // at least one is undecided, and none is violated
)

// exitCode is the one place that makes an exit code of verdicts.
func exitCode(v verdict.Verdict) int {
	switch verdict.Worst(v) {
	case verdict.Violated:
		return exitViolated
	case verdict.Unknown:
		return exitUnknown
	}
	return exitHolds
}

// command carries what subcommands need of the world.
type command struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	worst  verdict.Verdict // of all that was found out
	args   []string        // of the command line
	begin  time.Time
	// process says that it is what this process was started for: it may end it.
	process bool

	defines    []string // -D
	noFairness bool
	find       string           // --find
	file, name string           // the first that is given; the command's
	stdinName  string           // what standard input is called
	saved      bool             // a run was found, and the files for it are written
	undone     string           // what is said where time is up, or the user has had enough, before all is done
	last       func(why string) // says so to programs
	output     options.Format
	answers    *answers // those that are printed at the end
	aside      bool     // a file among others is not read, which is said
}

// outcome notes a verdict, or what counts as one: the exit code is that of the worst.
func (c *command) outcome(v verdict.Verdict) {
	if c.worst = verdict.Worst(c.worst, v); c.process && v == verdict.Violated && c.find == "" {
		violated.Store(true)
	}
}

// about says which file is worked on, for where that ends too early.
func (c *command) about(file string) {
	c.file = c.called(file)
	c.undone = fmt.Sprintf(" before %s of %s was done: what is not said above is not known", c.name,
		record.Name(c.file))
	if c.process {
		doing.Store(c.undone)
	}
}

// code tells an error, and returns the exit code.
func (c *command) code(err error) int {
	switch {
	case err == nil && c.aside:
		return exitUsage
	case err == nil:
		switch {
		case c.find != "" && c.worst == verdict.Violated:
			return exitHolds // found
		case c.find != "" && c.worst != verdict.Unknown:
			return exitViolated
		}
		return exitCode(c.worst)
	case errors.Is(err, limit.ErrReading):
		c.complain(err)
		c.last(limit.ErrReading.Error())
		return exitCode(verdict.Worst(c.worst, verdict.Unknown))
	case c.ctx.Err() != nil && (errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)):
		c.complain(errors.New(smt.Interrupted(c.ctx) + c.undone))
		c.last(smt.Interrupted(c.ctx) + c.undone)
		return exitCode(verdict.Worst(c.worst, verdict.Unknown))
	default:
		c.complain(err)
		c.fails(c.file, err)
		return exitUsage
	}
}

// wrongFlag says what is wrong with an option, and what may be meant.
func wrongFlag(cmd *cobra.Command, err error) error {
	hint := ""
	if name, is := strings.CutPrefix(err.Error(), "unknown flag: --"); is {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := spell.Nearest(name, known); near != "" {
			hint = " (did you mean --" + near + "?)"
		} else if have, now := having(cmd.Root(), name); now != "" && cmd.Flags().Lookup(now) != nil {
			hint = " (write --" + now + ")"
		} else if now != "" {
			hint = " (" + have + " has --" + now + ")"
		} else if cmd.Flags().Lookup("set") != nil {
			hint = " (a constant or parameter is given by --set " + name + "=...)"
		}
	} else if bad := (*strconv.NumError)(nil); errors.As(err, &bad) {
		said, _, _ := strings.Cut(err.Error(), ": strconv.")
		return fmt.Errorf("%s: a number is wanted\nsee %s --help", said, cmd.CommandPath())
	} else if strings.Contains(err.Error(), "missing unit in duration") {
		hint = ": write 10s or 5m"
	} else if name, is := strings.CutPrefix(err.Error(), "unknown shorthand flag: "); is && len(name) > 2 &&
		cmd.Flags().Lookup("set") != nil {
		hint = " (a constant or parameter is given by --set " + name[1:2] + "=...)"
	}
	return fmt.Errorf("%w%s\nsee %s --help", err, hint, cmd.CommandPath())
}

// having names the first command that has a flag, and what the flag is called now.
func having(root *cobra.Command, flag string) (command, now string) {
	for _, name := range []string{"verify", "explore", "induct", "trace", "translate"} {
		if cmd, _, err := root.Find([]string{name}); err == nil && cmd.Flags().Lookup(flag) != nil {
			return cmd.CommandPath(), options.Now(cmd.Flags().Lookup(flag))
		}
	}
	return "", ""
}

// withUsage has a command that is given the wrong arguments say which are right.
func withUsage(args cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if args == nil {
			return nil
		}
		if err := args(cmd, given); err != nil {
			hint := ""
			for _, arg := range given {
				name, value, is := strings.Cut(arg, "=")
				set := cmd.Flags().Lookup("set")
				if is && scan.IsWord(name) && scan.Digits(value) == len(value) && set != nil {
					hint = "\nvalues are given by --set " + arg
					if set.Changed {
						hint = "\nvalues stand together, with commas: --set n=2," + arg
					}
				}
			}
			return fmt.Errorf("%w%s\nusage: %s", err, hint, cmd.UseLine())
		}
		return nil
	}
}

// say prints on standard output.
func (c *command) say(format string, args ...any) error {
	_, err := fmt.Fprintf(c.stdout, format, args...)
	return err
}

// put writes a file, or prints what would be in it if none is named.
func (c *command) put(file, text string) error {
	if file != "" {
		return save.Text(file, text)
	}
	_, err := io.WriteString(c.stdout, text)
	return err
}

// complain prints an error: problems in a file with their source lines.
func (c *command) complain(err error) {
	var in *model.InputError
	var list diag.List
	if errors.As(err, &in) && errors.As(in.Err, &list) {
		list.Render(c.stderr, in.Text)
		if f := (*trace.Failed)(nil); errors.As(in.Err, &f) {
			fmt.Fprint(c.stderr, f.Story())
		}
		if in.Run == nil {
			return
		}
		fmt.Fprintln(c.stderr, "The run that leads there:")
		c.screen().Beats(c.stderr, in.Run.Told())
		return
	}
	if wrong := (*reading.LogError)(nil); errors.As(err, &wrong) {
		wrong.Render(c.stderr)
		return
	}
	fmt.Fprintf(c.stderr, "tacheck: %s\n", c.harmless(err.Error()))
}

// harmless returns a message in which names that the command line has are printed as names are,
// and which has no control characters but ends of lines.
func (c *command) harmless(text string) string {
	for _, arg := range c.args {
		if _, value, found := strings.Cut(arg, "="); found && strings.HasPrefix(arg, "-") {
			arg = value
		}
		if shown := record.Name(arg); shown != arg && arg != "" {
			text = strings.ReplaceAll(text, arg, shown)
		}
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(record.Printable(line), `\t`, "\t")
	}
	return strings.Join(lines, "\n")
}

// screen is where text for people goes; what is collected is as text in a file.
func (c *command) screen() terminal.Screen {
	if c.collects() {
		return terminal.Screen{Width: terminal.PipeWidth, Finding: c.find != ""}
	}
	return terminal.NewScreen(c.stdout, c.find != "")
}

// line shows a line of text on standard error in place of the one before.
func (c *command) line() func(text string) { return terminal.Line(c.stderr) }

// watch shows how far so many things are.
func (c *command) watch(total int, noun string) *terminal.Watch {
	return terminal.NewWatch(c.stderr, total, noun)
}
