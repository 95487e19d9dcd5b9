package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/spell"
)

type workerFlags struct {
	serverFlags
	jobs   int
	memory options.ByteSize
	slot   bool
}

func (c *command) worker() *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Do work for a cluster",
		Long: `Take tasks from the server of a cluster and do them, until interrupted. Workers may come and
go at any time: another one does what is left unfinished. A worker does tasks of its own
version, with the solvers that are there. tacheck explain cluster says more.`,
		Example: `  tacheck worker --nats nats://server:4222
  tacheck worker --creds worker.creds --tls-ca ca.pem --jobs 8`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.runWorker(f) },
	}
	flags := cmd.Flags()
	natsFlag(flags, &f.serverFlags)
	jobsFlag(flags, &f.jobs)
	flags.Var(&f.memory, "memory", "memory for all tasks together, such as 16GiB (default no limit)")
	flags.BoolVar(&f.slot, "slot", false, "")
	flags.Lookup("slot").Hidden = true
	return cmd
}

func (c *command) runWorker(f workerFlags) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if f.slot {
		handlers, spent := work.Limited(work.Handlers(program), uint64(f.memory))
		return cluster.Serve(c.ctx, c.stdin, c.stdout, handlers, spent)
	}
	var mu sync.Mutex
	say := func(text string) { fmt.Fprintf(c.stderr, "tacheck worker: %s\n", text) }
	log := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		say(text)
	}
	last := ""
	client, err := c.connect(f.serverFlags, func(text string) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case text == "":
			say("the server is there again")
		case text != last:
			say("trouble with the server: " + text)
		}
		last = text
	})
	if err != nil {
		return err
	}
	defer client.Close()
	unhurried.Store(true) // what is not done is handed back
	f.jobs = max(1, f.jobs)
	w := cluster.Worker{Client: client, Jobs: f.jobs, Solvers: solvers(), Log: log, Slot: func() *exec.Cmd {
		cmd := exec.Command(program, "worker", "--slot")
		if f.memory > 0 {
			cmd.Args = append(cmd.Args, fmt.Sprintf("--memory=%dB", uint64(f.memory)/uint64(f.jobs)))
		}
		return cmd
	}}
	log(fmt.Sprintf("tacheck %s, %s at once, solvers: %s", release, spell.Count(f.jobs, "task", "tasks"),
		strings.Join(w.Solvers, ", ")))
	return w.Run(c.ctx)
}
