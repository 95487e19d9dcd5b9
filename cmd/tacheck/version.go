package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tacheck/smt/z3"
)

// release is the version; the Makefile stamps it from git.
var release = "devel"

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			solver := solverVersion()
			commit := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						commit = " " + s.Value
					}
				}
			}
			_, err := fmt.Fprintf(c.stdout, "tacheck %s%s %s %s/%s\nsolver: %s\n",
				release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, solver)
			return err
		},
	}
}

// solverVersion says which solver this build holds.
func solverVersion() string {
	if z3.Available {
		return "libz3 " + z3.Version()
	}
	return "none: use --solver z3-pipe or cvc5"
}
