package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/smt/z3"
)

// release is the version; the Makefile stamps it from git.
var release = "devel"

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(c.stdout, versionText())
			return err
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
	return "none: use --solver z3-pipe or cvc5"
}
