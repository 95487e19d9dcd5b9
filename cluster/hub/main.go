package hub

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// tokenVariable is the environment variable with the token that clients have to
// know: where other users of the machine do not see it.
const tokenVariable = "TACHECK_HUB_TOKEN"

// Main is the program: it serves until it is interrupted, and returns the exit
// code. When clients can connect it prints where.
func Main() int {
	var o Options
	cmd := &cobra.Command{
		Use:   "tacheck-hub --dir FOLDER",
		Short: "A server for clusters of tacheck",
		Long: `A server for clusters of tacheck: NATS with JetStream, with storage in a folder.
It prints its address when it is ready, and serves until it is interrupted.

Clients have to know the token in the environment variable ` + tokenVariable + `, if it
is set: they connect to nats://TOKEN@HOST:PORT. For TLS and users, give a
configuration file of NATS, or run nats-server with it: any NATS server with
JetStream does.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Dir == "" && o.Config == "" {
				return fmt.Errorf("say where to keep things: --dir FOLDER, or --config FILE")
			}
			if o.Dir != "" {
				if err := os.MkdirAll(o.Dir, 0o700); err != nil {
					return err
				}
			}
			o.Token = os.Getenv(tokenVariable)
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			s, err := Start(o)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "listening on nats://%s\n", s.Addr()); err != nil {
				return err
			}
			<-ctx.Done()
			s.Shutdown()
			s.WaitForShutdown()
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Dir, "dir", "", "keep everything in this `folder`")
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:4222", "listen at this `address`; port 0 is any that is free")
	flags.Int64Var(&o.Store, "max-store", 0, "store so many `bytes` at most (default three quarters of the disk)")
	flags.StringVar(&o.Config, "config", "", "a configuration `file` of NATS, in place of all else")
	if err := cmd.Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "tacheck-hub: %v\n", err)
		return 2
	}
	return 0
}
