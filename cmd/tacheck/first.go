package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/docs"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/play"
	"github.com/tacheck/tacheck/show/terminal"
)

//go:embed starter.ta
var starter string

//go:embed starter.ftdp
var protocolStarter string

//go:embed starter-sizes.ftdp
var sizesStarter string

// newModel is the command that writes a starter.
func (c *command) newModel() *cobra.Command {
	var asProtocol, forAllSizes bool
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a commented model to start from",
		Long: `Write NAME.ta: a small model that explains itself, with a safety and a liveness property
that hold. A file that is there already is left alone.`,
		Example: `  tacheck new Voting && tacheck verify Voting.ta
  tacheck new --protocol Commit && tacheck explore Commit.ftdp`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if forAllSizes {
				return c.write(args[0], model.Protocols, sizesStarter, "verify")
			}
			if asProtocol {
				return c.write(args[0], model.Protocols, protocolStarter, "explore")
			}
			return c.write(args[0], model.Automata, starter, "verify")
		},
	}
	cmd.Flags().BoolVar(&asProtocol, "protocol", false, "write a protocol of processes with identities, NAME.ftdp")
	cmd.Flags().BoolVar(&forAllSizes, "sizes", false, "write pseudo-code of a protocol for all sizes, NAME.ftdp")
	cmd.MarkFlagsMutuallyExclusive("protocol", "sizes")
	return cmd
}

// write writes a starter.
func (c *command) write(path string, kind *model.Kind, text, command string) error {
	ext := kind.Endings[0]
	path = strings.TrimSuffix(path, ext)
	name := filepath.Base(path)
	if !kind.IsName(name) {
		return fmt.Errorf("%q cannot be the name of a model: use letters, digits and underscores", name)
	}
	text = strings.NewReplacer("NAME:", name+":", "ta NAME", "ta "+name, "protocol NAME", "protocol "+name, "FILE",
		path+ext).Replace(text)
	text, err := kind.Format(path+ext, text) // as fmt has it
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path+ext, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s%s exists already", path, ext)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(err, os.Remove(path+ext))
	}
	return c.say("%[1]s%[2]s: %[3]s it with `tacheck %[3]s %[1]s%[2]s`, and make it yours\n", path,
		ext, command)
}

func (c *command) examples() *cobra.Command {
	return &cobra.Command{
		Use:   "examples [FOLDER]",
		Short: "List the embedded models",
		Long: "List the embedded models, or those of a folder, such as field: faults of real programs.\n" +
			"Their names can be used like files; tacheck show prints one.",
		Example: "  tacheck examples\n  tacheck examples field",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list := embedded()
			if len(args) > 0 {
				folder := strings.TrimSuffix(args[0], "/") + "/"
				list = slices.DeleteFunc(list, func(name string) bool { return !strings.HasPrefix(name, folder) })
				if len(list) == 0 {
					return fmt.Errorf("there is no folder %q among the embedded models", args[0])
				}
			}
			var rows [][]string
			for _, name := range list {
				text, _ := benchmarks.Read(name)
				m, err := c.openAs(name, text, model.Options{Listed: true})
				if err != nil {
					return err
				}
				n := spell.Count(len(m.Specs()), "specification", "specifications")
				if _, identified := m.(model.Identified); identified {
					n = spell.Count(len(m.Specs()), "property", "properties")
				}
				rows = append(rows, []string{name, n, about(text)})
			}
			return c.say("%s\n", terminal.Columns(rows))
		},
	}
}

// about returns the first sentence of a model's header: a comment of lines, or in slashes and stars.
func about(text string) string {
	if header := play.Header(text); header != "" {
		first, _, _ := strings.Cut(header, ". ")
		return strings.TrimSuffix(first, ".") + "."
	}
	_, text, _ = strings.Cut(text, "/*")
	header, _, _ := strings.Cut(text, "*/")
	header, _, _ = strings.Cut(strings.TrimLeft(header, " *\n"), "\n *\n")
	line := strings.Join(strings.Fields(strings.ReplaceAll(header, "\n *", " ")), " ")
	first, _, more := strings.Cut(line, ". ")
	if more {
		return first + "."
	}
	return first
}

func (c *command) show() *cobra.Command {
	return &cobra.Command{
		Use:     "show NAME",
		Short:   "Print an embedded model",
		Example: "  tacheck show rb.ta > mine.ta\n  tacheck show paxos.ftdp",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := benchmarks.Read(args[0])
			if !ok {
				return fmt.Errorf("there is no embedded model %q%s; `tacheck examples` lists them", args[0],
					spell.Hint(args[0], embedded()))
			}
			return c.say("%s", text)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return embedded(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func (c *command) explain() *cobra.Command {
	return &cobra.Command{
		Use:     "explain [TOPIC]",
		Short:   "Print a page of the documentation, or what it says of a topic",
		Example: "  tacheck explain protocols\n  tacheck explain symmetry",
		RunE: func(_ *cobra.Command, args []string) error {
			pages := docs.Pages()
			if len(args) == 0 {
				rows := lists.Map(pages, func(p docs.Page) []string { return []string{p.Name, p.Title} })
				return c.say("%s\n", terminal.Columns(rows))
			}
			topic := strings.Join(args, " ")
			for _, p := range pages {
				if p.Name == topic {
					return c.say("%s", p.Text)
				}
			}
			return c.explainTopic(topic)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			list := lists.Map(docs.Pages(), func(p docs.Page) string { return p.Name + "\t" + p.Title })
			return list, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// explainTopic prints the sections about a topic, and lists those that only mention it.
func (c *command) explainTopic(topic string) error {
	headed, mentioned := docs.Find(topic)
	if len(headed)+len(mentioned) == 0 {
		names := lists.Map(docs.Pages(), func(p docs.Page) string { return p.Name })
		return fmt.Errorf("no page says %q%s; `tacheck explain` lists the pages", topic, spell.Hint(topic, names))
	}
	for _, d := range docs.Defined(topic) {
		if err := c.say("%s: %s\n\n", d[0], d[1]); err != nil {
			return err
		}
	}
	for _, s := range headed {
		if err := c.say("%s: %s\n", s.Page, strings.TrimLeft(strings.TrimSpace(s.Text), "# ")+"\n"); err != nil {
			return err
		}
	}
	if len(mentioned) == 0 {
		return nil
	}
	rows := lists.Map(mentioned, func(s docs.Section) []string { return []string{"  " + s.Page, s.Heading} })
	return c.say("%q stands in these pages and sections, too:\n%s\n", topic, terminal.Columns(rows))
}
