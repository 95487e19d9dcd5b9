package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/cluster/local"
	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/ta"
)

// serverFlags say how to reach the server of a cluster.
type serverFlags struct {
	url, creds, ca, cert, key string
	patience                  time.Duration
}

func (f *serverFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.creds, "creds", "", "cluster: a credentials `file` of NATS")
	flags.StringVar(&f.ca, "tls-ca", "", "cluster: a PEM `file` with the authorities to trust")
	flags.StringVar(&f.cert, "tls-cert", "", "cluster: a PEM `file` with the certificate to show")
	flags.StringVar(&f.key, "tls-key", "", "cluster: a PEM `file` with its key")
	flags.DurationVar(&f.patience, "patience", cluster.DefaultPatience,
		"cluster: give up if the server is away so long")
}

func (f *serverFlags) options(trouble func(string)) (cluster.Options, error) {
	build, err := buildName()
	return cluster.Options{URL: f.url, Creds: f.creds, CA: f.ca, Cert: f.cert, Key: f.key, Patience: f.patience,
		Build: build, Release: release, Trouble: trouble}, err
}

// buildName names the program as precisely as results depend on it: by its release, or where that says too little by
// its content; and by the solver that is linked.
func buildName() (string, error) {
	name := release
	if release == "devel" || strings.HasSuffix(release, "-dirty") {
		path, err := os.Executable()
		if err != nil {
			return "", err
		}
		content, err := contentOf(path)
		if err != nil {
			return "", err
		}
		name += " " + content
	}
	return name + " " + solverVersion(), nil
}

// contentOf names a program by what is in it: by the note that Go's linker leaves,
// or where there is none by a digest, which takes longer.
func contentOf(path string) (string, error) {
	if f, err := elf.Open(path); err == nil {
		defer f.Close()
		if s := f.Section(".note.go.buildid"); s != nil {
			if note, err := s.Data(); err == nil {
				sum := sha256.Sum256(note)
				return hex.EncodeToString(sum[:8]), nil
			}
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// clusterFlags are the flags of commands that hand out work.
type clusterFlags struct {
	serverFlags
	fresh  bool
	resume bool
}

func (f *clusterFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "cluster", "",
		"have workers do the work: the `URL` of a server (nats://host:port), or local for processes of this machine")
	flags.BoolVar(&f.fresh, "fresh", false, "cluster: do everything anew")
	f.serverFlags.add(flags)
}

// addResumed adds them with --resume, where it means nothing else.
func (f *clusterFlags) addResumed(flags *pflag.FlagSet) {
	f.add(flags)
	flags.BoolVar(&f.resume, "resume", false, "cluster: go on with a run that was interrupted")
}

// ahead is how many tasks are handed out and not done yet: enough for a server and all its workers to be busy.
const ahead = 4096

// session is a run in a cluster.
type session struct {
	*cluster.Run
	client *cluster.Client
	local  *local.Cluster
	watch  *terminal.Watch
	stop   func()
}

// asked is what is asked for: for people, and exactly.
type asked struct {
	what  string
	key   []any
	total int
}

// join begins, or takes up, a run in a cluster. w shows how far it is.
func (c *command) join(f clusterFlags, a asked, jobs int, w *terminal.Watch) (s *session, err error) {
	s = &session{watch: w, stop: func() {}}
	defer func() {
		if err != nil {
			s.leave(c.ctx)
		}
	}()
	o, err := f.options(w.Trouble)
	if err != nil {
		return s, err
	}
	text, err := json.Marshal(append(a.key, c.defines, c.noFairness))
	if err != nil {
		return s, err
	}
	key := string(text)
	if f.url == "local" {
		program, err := os.Executable()
		if err != nil {
			return s, err
		}
		if s.local, err = local.Start(c.ctx, local.Options{Program: program, ID: cluster.RunID(o.Build, key),
			Jobs: jobs, Fresh: f.fresh && !f.resume, Resume: f.resume}); err != nil {
			return s, fmt.Errorf("--cluster local: %w", err)
		}
		o.URL = s.local.URL()
	}
	if s.client, err = cluster.Connect(c.ctx, o); err != nil {
		return s, err
	}
	if s.Run, err = s.client.Start(c.ctx, cluster.RunOptions{What: a.what, Key: key, Total: a.total, Fresh: f.fresh,
		Resume: f.resume}); err != nil {
		return s, err
	}
	ctx, stop := context.WithCancel(c.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.show(ctx)
	}()
	s.stop = func() { stop(); <-done }
	return s, nil
}

// candidates has what a synthesis asks decided: in a cluster if that is wanted, otherwise here. leave ends it.
func (c *command) candidates(f clusterFlags, a asked, jobs int, w *terminal.Watch, o *synth.Options) (*session, error) {
	o.Ahead = jobs
	if f.url == "" {
		return nil, nil
	}
	if _, err := work.SolverOf(o.Solver); err != nil {
		return nil, err
	}
	s, err := c.join(f, a, jobs, w)
	if err != nil {
		return nil, err
	}
	if f.url != "local" { // as many as workers can do at once, now
		p, err := s.Progress(c.ctx)
		if err != nil {
			s.leave(c.ctx)
			return nil, err
		}
		o.Ahead = p.Slots
	}
	o.Decide = work.Candidates(s.Run)
	return s, nil
}

// show keeps what is shown up to date.
func (s *session) show(ctx context.Context) {
	every := 10 * time.Second
	if s.watch.Seen() {
		every = 2 * time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	begin, warned := time.Now(), false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p, err := s.Progress(ctx)
		if err != nil {
			continue // the watch shows the trouble
		}
		s.watch.Elsewhere(p.String())
		if p.Workers == 0 && p.Open > 0 && !warned && time.Since(begin) > 9*time.Second {
			warned = true
			s.watch.Say(fmt.Sprintf("tacheck: tasks are waiting: no worker has this version and the programs that "+
				"they need (other workers: %d)", p.Others))
		}
	}
}

// leave ends the run; nothing if there is none. Results stand even if the server
// cannot be told that they were received.
func (s *session) leave(ctx context.Context) {
	if s == nil {
		return
	}
	s.stop()
	complete := false
	if s.Run != nil {
		if ctx.Err() != nil {
			s.Run.Interrupt()
		}
		var err error
		if complete, err = s.Run.Close(ctx); err != nil {
			s.watch.Say(fmt.Sprintf("tacheck: the cluster's server has not been told that the run has ended: %v", err))
		}
	}
	if s.client != nil {
		s.client.Close()
	}
	if s.local != nil {
		s.local.End(complete)
	}
}

// solvers lists the solvers that are here.
func solvers() (list []string) {
	if z3.Available {
		list = append(list, "z3")
	}
	return append(list, smtlib.Installed()...)
}

func (c *command) clusterCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "cluster", Short: "Look at a cluster", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var f serverFlags
	var asJSON bool
	status := &cobra.Command{
		Use:     "status",
		Short:   "List the runs, queues and workers of a cluster",
		Example: "  tacheck cluster status\n  tacheck cluster status --nats nats://server:4222",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return c.clusterStatus(f, asJSON) },
	}
	natsFlag(status.Flags(), &f)
	status.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(status)
	return cmd
}

func natsFlag(flags *pflag.FlagSet, f *serverFlags) {
	flags.StringVar(&f.url, "nats", "", "the server's `URL` (default NATS_URL, or nats://127.0.0.1:4222)")
	f.add(flags)
}

// connect connects to the server that --nats names.
func (c *command) connect(f serverFlags, trouble func(string)) (*cluster.Client, error) {
	f.url = cmp.Or(f.url, os.Getenv("NATS_URL"), "nats://127.0.0.1:4222")
	o, err := f.options(trouble)
	if err != nil {
		return nil, err
	}
	return cluster.Connect(c.ctx, o)
}

func (c *command) clusterStatus(f serverFlags, asJSON bool) error {
	client, err := c.connect(f, nil)
	if err != nil {
		return err
	}
	defer client.Close()
	runs, err := client.Runs(c.ctx)
	if err != nil {
		return err
	}
	workers, err := client.Workers(c.ctx)
	if err != nil {
		return err
	}
	queues, err := client.Queues(c.ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return terminal.EncodeJSON(c.stdout, struct {
			Runs    []cluster.RunInfo    `json:"runs"`
			Queues  []cluster.Queue      `json:"queues"`
			Workers []cluster.WorkerInfo `json:"workers"`
		}{runs, queues, workers})
	}
	ago := func(t time.Time) string { return time.Since(t).Round(time.Second).String() }
	out := ""
	add := func(empty string, rows []table.Row, header ...any) {
		if len(rows) == 0 {
			out += empty + "\n"
			return
		}
		t := table.NewWriter()
		t.SetStyle(suite.Style)
		t.SuppressTrailingSpaces()
		t.AppendHeader(header)
		t.AppendRows(rows)
		out += t.Render() + "\n"
	}
	var rows []table.Row
	for _, r := range runs {
		state := r.State
		if state == cluster.Running && time.Since(r.Seen) > 15*time.Second {
			state = "left alone for " + ago(r.Seen)
		}
		rows = append(rows, table.Row{r.What, state, fmt.Sprintf("%d of %d", r.Done, r.Total), r.Known,
			fmt.Sprintf("%s/%d", r.Host, r.Process), ago(r.Begun)})
	}
	add("no runs", rows, "run", "state", "done", "known", "asked by", "begun, ago")
	rows = nil
	for _, q := range queues {
		rows = append(rows, table.Row{q.Who, q.Waiting, q.Busy})
	}
	add("no tasks", rows, "tasks for", "waiting", "at work")
	rows = nil
	for _, w := range workers {
		rows = append(rows, table.Row{fmt.Sprintf("%s/%d", w.Host, w.Process), w.Release, strings.Join(w.Solvers, " "),
			fmt.Sprintf("%d of %d", w.Busy, w.Jobs), w.Done, ago(w.Since)})
	}
	add("no workers", rows, "worker", "version", "solvers", "busy", "done", "here since")
	return c.say("%s", out)
}

// joinVerify begins a run of verify in a cluster, if that is wanted.
func (c *command) joinVerify(list []*model.Question, total int, f verifyFlags, w *terminal.Watch) (*session, error) {
	if f.cluster.url == "" {
		return nil, nil
	}
	if f.DumpSMT != "" {
		return nil, errors.New("--dump-smt: what solvers of a cluster are asked is not here")
	}
	q, err := work.Ask(&ta.Automaton{}, "", f.assumed(), f.Options)
	if err != nil {
		return nil, err
	}
	key := []any{"verify", q, !f.noReview}
	for _, q := range list {
		if q.Automaton == nil {
			return nil, fmt.Errorf("%s: --cluster: its instances are explored here, since it has no automaton",
				q.Model.File())
		}
		key = append(key, q.Automaton.Text())
		for _, name := range q.Names() {
			key = append(key, name)
		}
	}
	return c.join(f.cluster, asked{"verify: " + spell.Count(total, "specification", "specifications"), key, 0}, f.Jobs,
		w)
}

// assumed is which fairness specifications assume.
func (f *verifyFlags) assumed() *review.FairnessOptions {
	if !f.fair {
		return nil
	}
	return &f.fairness
}
