// The tacheck command verifies threshold automata. It parses flags, prints
// what package tacheck found out, and sets the exit code.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/show/terminal"
)

func main() { os.Exit(process()) }

// process runs the command of this process.
func process() int {
	// A reader of standard output that goes away is not the end: see output.
	signal.Ignore(syscall.SIGPIPE)
	collect()
	ctx, stop := interruptible()
	defer stop()
	c := &command{ctx: ctx, args: os.Args[1:], stdin: os.Stdin, stdout: &output{file: os.Stdout}, stderr: os.Stderr,
		process: true}
	return c.run()
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
