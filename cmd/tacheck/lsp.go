package main

import (
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/show/lsp"
	"github.com/tacheck/tacheck/verify"
)

func (c *command) lsp() *cobra.Command {
	var o verify.Options
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: the Language Server Protocol on standard input and output",
		Long: `Serve an editor over the Language Server Protocol: problems as you type, meanings of names,
completion, highlighting, rename, format, outline. Lenses verify a specification, or explore
an instance. tacheck explain editors says how to set it up.`,
		Example: "  tacheck lsp\n  tacheck lsp --solver cvc5 --timeout 30s",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return lsp.Serve(c.ctx, stdio{c.stdin, c.stdout}, release, o) },
	}
	cmd.Flags().StringVar(&o.Solver, "solver", "", solverText)
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
