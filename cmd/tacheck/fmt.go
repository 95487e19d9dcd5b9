package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

func (c *command) format() *cobra.Command {
	var write, check bool
	cmd := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "Print models in canonical form",
		Long: `Print models in canonical form, comments and macros kept.

With --check, print the names of files that are not canonical; then the exit code is 1.`,
		Example: `  tacheck fmt rb.ta
  tacheck fmt -w *.ftdp`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if write && slices.Contains(args, "-") {
				return errors.New("-w writes to files, and - is standard input: leave out -w")
			}
			for _, name := range args {
				text, source, err := c.canonical(name)
				if err != nil {
					return err
				}
				switch {
				case check && text != source:
					c.outcome(verdict.Violated)
					_, err = fmt.Fprintln(c.stdout, record.Name(c.called(name)))
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
	if source, err = c.read(name); err != nil {
		return "", "", err
	}
	file := c.called(name)
	kind, _ := model.KindOf(file)
	if kind.Format == nil {
		return "", "", fmt.Errorf("%s is %s, and there is no canonical form of these: it stays as it is",
			record.Name(file), kind.Name)
	}
	if text, err = kind.Format(record.Name(file), source); err != nil {
		return "", "", &model.InputError{Err: err, Text: source}
	}
	return text, source, nil
}
