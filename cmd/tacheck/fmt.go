package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tacheck/internal/record"
	"tacheck/internal/save"
	"tacheck/internal/verdict"
	"tacheck/promela"
	"tacheck/protocol"
)

func (c *command) format() *cobra.Command {
	var write, check bool
	cmd := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "Print models in canonical form",
		Long: `Print models in canonical form, comments and macros kept.

With --check, the names of files that are not canonical are printed instead, and
the exit code is 1 if there are any.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				text, source, err := c.canonical(name)
				if err != nil {
					return err
				}
				switch {
				case check && text != source:
					c.outcome(verdict.Violated)
					_, err = fmt.Fprintln(c.stdout, record.Name(name))
				case check:
				case write:
					err = save.Text(name, text)
				default:
					_, err = fmt.Fprint(c.stdout, text)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the results back to the files")
	cmd.Flags().BoolVar(&check, "check", false, "only say which files are not canonical")
	cmd.MarkFlagsMutuallyExclusive("write", "check")
	return cmd
}

// canonical returns a model's text in canonical form, and as it is.
func (c *command) canonical(name string) (text, source string, err error) {
	if isProtocol(name) {
		if source, err = c.read(name); err != nil {
			return "", "", err
		}
		f, err := protocol.Parse(record.Name(name), source)
		if err != nil {
			return "", "", &inputError{err: err, source: source}
		}
		return protocol.Format(f), source, nil
	}
	if isPromela(name) {
		if source, err = c.read(name); err != nil {
			return "", "", err
		}
		if text, err = promela.Format(record.Name(name), source); err != nil {
			return "", "", &inputError{err: err, source: source}
		}
		return text, source, nil
	}
	m, err := c.load(name)
	if err != nil {
		return "", "", err
	}
	return m.Format(), m.source, nil
}
