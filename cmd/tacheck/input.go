package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/model"
)

// open reads a model of any kind, and prints what is odd about it: standard input for "-", a
// file, or else the embedded model of that name.
func (c *command) open(name string, set ...model.Setting) (model.Model, error) {
	m, err := c.openQuietly(name, set...)
	if err == nil {
		m.Warnings().Render(c.stderr, m.Text())
	}
	return m, err
}

// findFlag adds --find.
func (c *command) findFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.find, "find", "",
		"look for a run in which this `condition` becomes true; decide no specification")
}

// asked are the specifications that are decided.
func (c *command) asked(specs []string) []string {
	if c.find != "" {
		return []string{model.Sought}
	}
	return specs
}

func (c *command) openQuietly(name string, set ...model.Setting) (model.Model, error) {
	text, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return c.openText(c.called(name), text, set...)
}

// openText reads a text.
func (c *command) openText(file, text string, set ...model.Setting) (model.Model, error) {
	o, err := c.reading()
	if err != nil {
		return nil, err
	}
	o.Set = set
	return c.openAs(file, text, o)
}

func (c *command) openAs(file, text string, o model.Options) (model.Model, error) {
	m, _, err := limit.Heed(c.ctx, func(ctx context.Context) (model.Model, error) {
		return model.Open(ctx, file, text, o)
	})
	return m, err
}

// reading says how texts are read.
func (c *command) reading() (model.Options, error) {
	defines, err := c.defined()
	return model.Options{Defines: defines, NoFairness: c.noFairness, Find: c.find}, err
}

// called is the name of an input: its ending says its kind.
func (c *command) called(name string) string {
	if name == "-" {
		return c.stdinName
	}
	return name
}

func (c *command) read(name string) (string, error) {
	if name == "-" {
		return readAll(c.ctx, c.stdin)
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if embedded, ok := benchmarks.Read(name); ok {
			return embedded, nil
		}
		hint := spell.Hint(name, embedded())
		if hint == "" && scan.IsWord(name) {
			hint = " (--spec " + name + " chooses a specification)"
		}
		return "", fmt.Errorf("%w%s", err, hint)
	}
	return string(text), err
}

// defined reads -D NAME=VALUE.
func (c *command) defined() (map[string]string, error) {
	out := map[string]string{}
	for _, d := range c.defines {
		name, value, found := strings.Cut(d, "=")
		if !found {
			value = "1"
		}
		if name == "" {
			return nil, fmt.Errorf("-D %s: expected NAME or NAME=VALUE", d)
		}
		out[name] = value
	}
	return out, nil
}

// able asks whether a model can do what a command is for. If it cannot, the error says what can
// be done with it instead.
func able[T any](m model.Model, what string) (T, error) {
	x, ok := m.(T)
	if !ok {
		return x, fmt.Errorf("%s is %s, and `tacheck %s` is not for these: %s", m.File(), m.What(), what, instead(m))
	}
	return x, nil
}

// instead says how a model's specifications are decided.
func instead(m model.Model) string {
	_, forAll := m.(model.ForAll)
	_, identified := m.(model.Identified)
	_, firstOrder := m.(model.FirstOrder)
	switch {
	case forAll:
		return "`tacheck verify` decides its specifications for all parameters, `tacheck explore` for some"
	case identified, firstOrder:
		return "`tacheck explore` and `tacheck induct` decide its properties"
	}
	return "`tacheck lint` says what is known of it"
}

// forAll reads a model that is verified for all parameters.
func (c *command) forAll(name, what string) (model.ForAll, error) {
	m, err := c.open(name)
	if err != nil {
		return nil, err
	}
	return able[model.ForAll](m, what)
}

// automaton reads a model, and returns the automaton that decides it.
func (c *command) automaton(name, what string) (model.ForAll, *model.Automaton, error) {
	m, err := c.forAll(name, what)
	if err != nil {
		return nil, nil, err
	}
	a, err := m.Automaton(c.ctx)
	return m, a, err
}

// embedded lists the embedded models.
func embedded() []string {
	return slices.Concat(benchmarks.Names(), benchmarks.Protocols(), benchmarks.Sources(), benchmarks.Zoo(),
		benchmarks.Rounds(), benchmarks.Field())
}

// complete has shells propose models where a command takes files, and the
// specifications of the model where it takes their names.
func complete(cmd *cobra.Command) {
	if strings.Contains(cmd.Use, "FILE") && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, start string) ([]string,
			cobra.ShellCompDirective) {
			list := lists.Keep(embedded(), func(name string) bool { return strings.HasPrefix(name, start) })
			return list, cobra.ShellCompDirectiveDefault // and files
		}
	}
	for _, name := range []string{"spec", "cut"} {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		// Registering fails only for a flag that does not exist.
		_ = cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, _ string) ([]string,
			cobra.ShellCompDirective) {
			c := &command{ctx: context.Background(), stdin: strings.NewReader("")}
			var list []string
			for _, file := range args {
				if m, err := c.openQuietly(file); err == nil {
					for _, s := range m.Specs() {
						list = append(list, s.Name)
					}
				}
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		})
	}
}
