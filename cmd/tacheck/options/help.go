package options

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What help prints fits a screen.
const (
	HelpLines   = 40
	HelpColumns = 100
)

// Rare are options that few use: where a command has too many for a screen, its help only names them.
var Rare = []string{"all-counterexamples", "certify-up-to", "compact", "cover", "crash", "creds", "define", "dump-smt",
	"encoding", "except", "except-guard", "first", "format", "fresh", "graph", "hints", "k", "limit", "max",
	"max-states", "no-fairness", "no-proofs", "no-sanity", "no-simplify", "patience", "plain", "plot", "por", "profile",
	"quiet", "resets", "resume", "runs", "save-state", "search", "shrink", "silent", "solver", "span", "split",
	"stdin-name", "story", "swarm", "symmetry", "tls-ca", "tls-cert", "tls-key", "traffic", "vacuous", "why"}

// helpCommand is the command help: --all has no limit.
func Help(root *cobra.Command) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print the help of a command, with --all of all its options",
		Example: "  tacheck help verify\n  tacheck help verify --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return fmt.Errorf("unknown command %q for %q", rest[0], of.CommandPath())
			}
			return PrintHelp(cmd.OutOrStdout(), of, all)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range root.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all options")
	return cmd
}

// help prints what a command does, two examples, and its options: all, or those that fit a screen.
func PrintHelp(out io.Writer, cmd *cobra.Command, all bool) error {
	text := helpText(cmd, nil)
	if few := usually(cmd); !all && strings.Count(text, "\n") > HelpLines {
		text = helpText(cmd, few)
	}
	_, err := io.WriteString(out, text)
	return err
}

// Inherited are the options that all commands with files have: how a file is read.
func Inherited(cmd *cobra.Command) *pflag.FlagSet {
	if !strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "MODEL") {
		return &pflag.FlagSet{}
	}
	return cmd.InheritedFlags()
}

// usually are the options of a command that are not rare.
func usually(cmd *cobra.Command) *pflag.FlagSet {
	few := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(Rare, f.Name) {
			few.AddFlag(f)
		}
	})
	return few
}

// helpText is the help of a command with some options, or with all (nil).
func helpText(cmd *cobra.Command, some *pflag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", description(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "Usage: %s COMMAND\n\n", cmd.CommandPath())
		subcommands(&b, cmd)
		if !cmd.HasParent() {
			fmt.Fprint(&b, "\ntacheck COMMAND --help says more; tacheck explain prints the documentation.\n")
		}
		return b.String()
	}
	fmt.Fprintf(&b, "Usage: %s\n", cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\n%s\n", cmd.Example)
	}
	options := some
	if options == nil {
		options = pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
		options.AddFlagSet(cmd.LocalFlags())
		options.AddFlagSet(Inherited(cmd))
	}
	if f := options.Lookup("help"); f != nil {
		f.Hidden = true
	}
	if options.HasAvailableFlags() {
		fmt.Fprintf(&b, "\n%s", options.FlagUsagesWrapped(HelpColumns))
	}
	if some != nil {
		var more []string
		for _, set := range []*pflag.FlagSet{cmd.LocalFlags(), Inherited(cmd)} {
			set.VisitAll(func(f *pflag.Flag) {
				if f.Hidden || some.Lookup(f.Name) != nil {
					return
				}
				if name := "--" + f.Name; f.Shorthand == "" {
					more = append(more, name)
				} else {
					more = append(more, "-"+f.Shorthand)
				}
			})
		}
		fmt.Fprintf(&b, "\nMore options (tacheck help %s --all):\n", cmd.Name())
		line := " "
		for _, name := range more {
			if len(line)+1+len(name) > HelpColumns {
				fmt.Fprintln(&b, line)
				line = " "
			}
			line += " " + name
		}
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// subcommands lists commands by groups.
func subcommands(b *strings.Builder, cmd *cobra.Command) {
	for _, group := range append(cmd.Groups(), &cobra.Group{}) {
		first := true
		for _, sub := range cmd.Commands() {
			if sub.GroupID != group.ID || !sub.IsAvailableCommand() {
				continue
			}
			if first && group.Title != "" {
				fmt.Fprintln(b, group.Title)
			}
			first = false
			fmt.Fprintf(b, "  %-18s %s\n", sub.Name(), sub.Short)
		}
	}
}

// description is what a command does.
func description(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}
