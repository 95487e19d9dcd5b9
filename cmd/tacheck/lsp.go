package main

import (
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"tacheck/show/lsp"
	"tacheck/verify"
)

func (c *command) lsp() *cobra.Command {
	var o verify.Options
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: the Language Server Protocol on standard input and output",
		Long: `Serve an editor over the Language Server Protocol, for models of all kinds:
problems as you type, what a name means and where it stands, what can come next,
highlighting, rename, format, outline, and lenses over each specification that
verify it for all sizes and explore an instance (see docs/editors.md).`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return lsp.Serve(c.ctx, stdio{c.stdin, c.stdout}, release, o) },
	}
	cmd.Flags().StringVar(&o.Solver, "solver", "", "solver, or a command line that speaks SMT-LIB 2")
	cmd.Flags().DurationVar(&o.Timeout, "timeout", time.Minute, "give up on a specification after this time")
	return cmd
}

// stdio is standard input and output as one stream.
type stdio struct {
	io.Reader
	io.Writer
}

func (s stdio) Close() error {
	var errs []error
	for _, f := range []any{s.Reader, s.Writer} {
		if f, ok := f.(io.Closer); ok {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
