package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tacheck/internal/save"
)

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
				return save.Text(args[0], m.Format())
			}
			_, err = fmt.Fprint(c.stdout, m.Format())
			return err
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the result back to the file")
	return cmd
}
