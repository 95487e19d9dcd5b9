package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/tacheck/tacheck/internal/save"
)

// man is the command that writes manual pages, for packages.
func (c *command) man(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write manual pages into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := save.Folder(args[0]); err != nil {
				return err
			}
			root.DisableAutoGenTag = true // the same text every time
			err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "tacheck " + release,
				Manual: "tacheck"}, args[0])
			if err != nil {
				return fmt.Errorf("writing manual pages: %w", err)
			}
			return nil
		},
	}
}
