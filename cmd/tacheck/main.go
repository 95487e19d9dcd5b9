// The tacheck command verifies threshold automata. It parses flags, prints
// what package tacheck found out, and sets the exit code.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
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

// Models are small and runs are short: collecting garbage seldom saves a third
// of the time. Large models get what is usual.
const (
	lazyCollection  = 800
	usualCollection = 100
	largeModel      = 1 << 20 // bytes
)

// collect sets how much garbage there may be, unless the user has said so.
func collect(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

func main() { os.Exit(process()) }

// process runs the command of this process.
func process() int {
	// A reader of standard output that goes away is not the end: see output.
	signal.Ignore(syscall.SIGPIPE)
	collect(lazyCollection)
	ctx, stop := interruptible()
	defer stop()
	c := &command{ctx: ctx, args: os.Args[1:], stdin: os.Stdin, stdout: &output{file: os.Stdout}, stderr: os.Stderr,
		process: true}
	return c.run()
}

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

// outcome notes a verdict, or what counts as one: the exit code is that of the worst.
func (c *command) outcome(v verdict.Verdict) {
	if c.worst = verdict.Worst(c.worst, v); c.process && v == verdict.Violated && c.find == "" {
		violated.Store(true)
	}
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
	undone     string           // what is said where time is up, or the user has had enough, before all is done
	last       func(why string) // says so to programs
	output     options.Format
	answers    *answers // those that are printed at the end
	aside      bool     // a file among others is not read, which is said
}

// run carries out the command line, and returns the exit code.
func (c *command) run() int {
	c.begin, c.last, c.output = time.Now(), func(string) {}, options.Format{}
	c.answers = &answers{}
	root := c.root()
	root.SetArgs(c.args)
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	code := c.code(c.commandless(root.ExecuteContext(c.ctx)))
	if err := c.finish(); err != nil {
		c.complain(err)
		return exitUsage
	}
	return code
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
	case errors.Is(err, errLate):
		c.complain(err)
		c.last(errLate.Error())
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

// root returns the command with all subcommands.
func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tacheck",
		Short: "Verify fault-tolerant distributed algorithms for all n, t, f",
		Long: `tacheck proves properties of fault-tolerant distributed algorithms, or shows a counterexample:
verify for every number of processes, explore and induct for one. It reads threshold automata
(.ta), parametric Promela (.pml), pseudo-code and protocols (.ftdp), TLA+ (.tla) and .pyv.`,
		Version:       release,
		SilenceErrors: true,
		SilenceUsage:  true,

		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := options.Check(cmd); err != nil {
				return err
			}
			c.output, c.name = options.FormatOf(cmd), cmd.Name()
			if len(args) > 0 {
				c.about(args[0])
				c.last = func(why string) { c.fails(c.file, errors.New(why)) }
				if c.prints() {
					c.last = func(why string) {
						_ = terminal.EncodeJSON(c.stdout, lastJSON{c.file, verdict.Unknown, why})
					}
				}
				if c.process {
					last.Store(func(why string) {
						c.last(why)
						_ = c.finish()
					})
				}
			}
			return c.checkApplying(cmd, args)
		},
	}
	root.SetVersionTemplate(versionText())
	root.AddGroup(
		&cobra.Group{ID: "verify", Title: "Verify:"}, &cobra.Group{ID: "see", Title: "Look at:"},
		&cobra.Group{ID: "trust", Title: "Check again:"}, &cobra.Group{ID: "write", Title: "Write models:"},
		&cobra.Group{ID: "help", Title: "Help:"})
	root.SetHelpCommandGroupID("help")
	root.SetCompletionCommandGroupID("help")
	for group, list := range map[string][]*cobra.Command{
		"verify": {c.verify(), c.explore(), c.limit(c.synth()), c.induct(), c.limit(c.resilience()), c.report(),
			c.bench(), c.worker()},
		"see": {c.limit(c.graph()), c.limit(c.shapes()), c.limit(c.fairness()), c.limit(c.lint()),
			c.clusterCommand()},
		"trust": {c.limit(c.replay()), c.limit(c.trace()), c.limit(c.checkCertificate()), c.selftest()},
		"write": {c.newModel(), c.limit(c.translate()), c.examples(), c.show(), c.format(), c.lsp(), c.play()},
		"help":  {c.explain(), c.version(), c.man(root)},
	} {
		for _, cmd := range list {
			cmd.GroupID = group
			cmd.DisableFlagsInUseLine = true
			cmd.Args = withUsage(cmd.Args)
			complete(cmd)
			root.AddCommand(cmd)
		}
	}
	root.PersistentFlags().StringArrayVarP(&c.defines, "define", "D", nil,
		"Promela: define a `name` for the preprocessor: NAME or NAME=VALUE")
	root.PersistentFlags().BoolVar(&c.noFairness, "no-fairness", false, "Promela: formulas assume no other formulas")
	root.PersistentFlags().StringVar(&c.stdinName, "stdin-name", "-",
		"call standard input (-) by this `name`; its ending says what it is")
	root.SetHelpCommand(options.Help(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_ = options.PrintHelp(cmd.OutOrStdout(), cmd, false) // a reader that goes away is not the end: see output
	})
	root.SetFlagErrorFunc(wrongFlag)
	return root
}

// wrongFlag says what is wrong with an option, and what may be meant.
func wrongFlag(cmd *cobra.Command, err error) error {
	hint := ""
	if name, is := strings.CutPrefix(err.Error(), "unknown flag: --"); is {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := spell.Nearest(name, known); near != "" {
			hint = " (did you mean --" + near + "?)"
		} else if have := having(cmd.Root(), name); have != "" {
			hint = " (" + have + " has it)"
		} else if cmd.Flags().Lookup("set") != nil {
			hint = " (a constant or parameter is given by --set " + name + "=...)"
		}
	} else if bad := (*strconv.NumError)(nil); errors.As(err, &bad) {
		said, _, _ := strings.Cut(err.Error(), ": strconv.")
		return fmt.Errorf("%s: a number is wanted\nsee %s --help", said, cmd.CommandPath())
	} else if strings.Contains(err.Error(), "missing unit in duration") {
		hint = ": write 10s or 5m"
	}
	return fmt.Errorf("%w%s\nsee %s --help", err, hint, cmd.CommandPath())
}

// having names the first command that has a flag.
func having(root *cobra.Command, flag string) string {
	for _, name := range []string{"verify", "explore", "induct", "trace", "translate"} {
		if cmd, _, err := root.Find([]string{name}); err == nil && cmd.Flags().Lookup(flag) != nil {
			return cmd.CommandPath()
		}
	}
	return ""
}

// commandless says what to do with a model that stands where a command should; other errors stay as they are.
func (c *command) commandless(err error) error {
	if err == nil || !strings.HasPrefix(err.Error(), "unknown command") || len(c.args) == 0 {
		return err
	}
	file := record.Name(c.args[0])
	switch filepath.Ext(file) {
	case ".ta", ".pml", ".tla":
		return fmt.Errorf("say what to do with it: tacheck verify %s", file)
	case ".ftdp":
		return fmt.Errorf("say what to do with it: tacheck verify %[1]s, for all sizes, or tacheck explore %[1]s", file)
	case ".pyv":
		return fmt.Errorf("say what to do with it: tacheck induct %s", file)
	}
	return err
}

// withUsage has a command that is given the wrong arguments say which are right.
func withUsage(args cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if args == nil {
			return nil
		}
		if err := args(cmd, given); err != nil {
			return fmt.Errorf("%w\nusage: %s", err, cmd.UseLine())
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
