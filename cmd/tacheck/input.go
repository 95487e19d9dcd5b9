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

	"tacheck/benchmarks"
	"tacheck/internal/record"
	"tacheck/internal/spell"
	"tacheck/promela"
	"tacheck/protocol"
	"tacheck/protocol/threshold"
	"tacheck/ta"
)

// model is an automaton with the text it was read from.
type model struct {
	*ta.Automaton
	source string // the automaton's text
	text   string // what was read: of other models, not that

	promela *promela.Translation               // of a Promela model
	precise *model                             // the same, more precisely
	runs    map[string]*promela.Counterexample // its counterexamples, by specification

	sizes  *threshold.Translation   // of a protocol for all sizes
	played map[string]*protocol.Run // its counterexamples, by property
}

// load reads a model, and prints what is odd about it.
func (c *command) load(name string) (*model, error) {
	m, err := c.parse(name)
	if err == nil {
		m.Warnings.Render(c.stderr, m.shown())
	}
	return m, err
}

// parse reads a model: standard input for "-", a file, or else the embedded
// benchmark of that name.
func (c *command) parse(name string) (*model, error) {
	text, err := c.read(name)
	if err != nil {
		return nil, err
	}
	if name == "-" {
		name = c.stdinName
	}
	m, err := c.parseText(name, text)
	if err == nil {
		m.text = text
	}
	return m, err
}

func (c *command) parseText(name, text string) (*model, error) {
	switch {
	case isProtocol(name):
		return c.parseSizes(name, text)
	case isPromela(name):
		return c.parsePromela(name, text)
	case len(text) > largeModel:
		collect(usualCollection)
	}
	a, err := ta.Parse(record.Name(name), text)
	if err != nil {
		return nil, &inputError{err: err, source: text}
	}
	return &model{Automaton: a, source: text}, nil
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
		return "", fmt.Errorf("%w%s", err, spell.Hint(name, embedded()))
	}
	return string(text), err
}

// embedded lists the embedded models.
func embedded() []string {
	return slices.Concat(benchmarks.Names(), benchmarks.Protocols(), benchmarks.Sources())
}

// specs returns the specifications with the given names, or all of them.
func (m *model) specs(names []string) ([]*ta.Spec, error) {
	var list []*ta.Spec
	if len(names) == 0 {
		for i := range m.Specs {
			list = append(list, &m.Specs[i])
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%s has no specifications", m.File)
		}
		return list, nil
	}
	var known []string
	for _, s := range m.Specs {
		known = append(known, s.Name)
	}
	for _, name := range names {
		s := m.SpecNamed(name)
		if s == nil {
			return nil, fmt.Errorf("%s has no specification %q%s", m.File, name, spell.Hint(name, known))
		}
		list = append(list, s)
	}
	return list, nil
}

// complete has shells propose models where a command takes files, and the
// specifications of the model where it takes their names.
func complete(cmd *cobra.Command) {
	if strings.Contains(cmd.Use, "FILE") && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			var list []string
			for _, name := range embedded() {
				if strings.HasPrefix(name, start) {
					list = append(list, name)
				}
			}
			return list, cobra.ShellCompDirectiveDefault // and files
		}
	}
	for _, name := range []string{"spec", "cut"} {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		// Registering fails only for a flag that does not exist.
		_ = cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			c := &command{ctx: context.Background(), stdin: strings.NewReader("")}
			var list []string
			for _, file := range args {
				if m, err := c.parse(file); err == nil {
					for _, s := range m.Specs {
						list = append(list, s.Name)
					}
				}
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		})
	}
}
