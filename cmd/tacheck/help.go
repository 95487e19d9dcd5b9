package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/smt/z3"
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

// release is the version; the Makefile stamps it from git.
var release = "devel"

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.say("%s", versionText())
		},
	}
}

// versionText says which program this is, and with which solver.
func versionText() string {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " " + s.Value
			}
		}
	}
	return fmt.Sprintf("tacheck %s%s %s %s/%s\nsolver: %s\n", release, commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH, solverVersion())
}

// solverVersion says which solver this build holds.
func solverVersion() string {
	if z3.Available {
		return "libz3 " + z3.Version()
	}
	if list := smtlib.Installed(); len(list) > 0 {
		return list[0] + ", on the PATH"
	}
	return "none: install z3 or cvc5"
}
