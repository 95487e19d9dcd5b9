package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/tacheck/tacheck/cluster/hub"
)

// The kinds of tasks of these tests.
type work struct {
	N     int
	Sleep time.Duration
	Log   string // a file that each beginning is written to
}

var (
	square = Kind[work, int]{"square"}
	killer = Kind[work, int]{"killer"} // kills its process
	maybe  = Kind[work, int]{"maybe"}  // its result is no fact
	wrong  = Kind[work, int]{"wrong"}
	large  = Kind[work, string]{"large"}
)

func handlers() Handlers {
	begin := func(in work) error {
		if in.Log == "" {
			return nil
		}
		f, err := os.OpenFile(in.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "%d\n", in.N)
		return errors.Join(err, f.Close())
	}
	return Handlers{
		square.Name: square.Handle(func(_ context.Context, model []byte, in work) (int, bool, error) {
			err := begin(in)
			time.Sleep(in.Sleep)
			return in.N*in.N + len(model), true, err
		}),
		killer.Name: killer.Handle(func(_ context.Context, _ []byte, in work) (int, bool, error) {
			if err := begin(in); err != nil {
				return 0, false, err
			}
			fmt.Fprintln(os.Stderr, "out of luck")
			return 0, false, syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}),
		maybe.Name: maybe.Handle(func(_ context.Context, _ []byte, in work) (int, bool, error) { return in.N, false, begin(in) }),
		wrong.Name: wrong.Handle(func(context.Context, []byte, work) (int, bool, error) { return 0, false, errors.New("no such luck") }),
		large.Name: large.Handle(func(_ context.Context, _ []byte, in work) (string, bool, error) {
			return strings.Repeat("x", in.N), true, nil
		}),
	}
}

const role, url = "TACHECK_TEST_ROLE", "TACHECK_TEST_URL"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "slot":
		done := 0
		spent := func() bool { done++; return done%7 == 0 } // now and then
		if err := Serve(context.Background(), os.Stdin, os.Stdout, handlers(), spent); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "worker":
		c, err := Connect(context.Background(), Options{URL: os.Getenv(url), Build: "test", Release: "test"})
		if err == nil {
			w := Worker{Client: c, Jobs: 1, Slot: slotCommand, Log: func(s string) { fmt.Fprintln(os.Stderr, s) }}
			err = w.Run(context.Background())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// self runs this program in another role.
func self(as string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	return cmd
}

func slotCommand() *exec.Cmd { return self("slot") }

// place is a server for a test.
type place struct {
	t      testing.TB
	o      hub.Options
	server *server.Server
}

func newPlace(t testing.TB) *place {
	p := &place{t: t, o: hub.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0"}}
	p.start()
	p.o.Listen = p.server.Addr().String() // the same after a restart
	t.Cleanup(p.stop)
	return p
}

func (p *place) start() {
	p.t.Helper()
	var err error
	if p.server, err = hub.Start(p.o); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) stop() {
	p.server.Shutdown()
	p.server.WaitForShutdown()
}

func (p *place) url() string { return "nats://" + p.o.Listen }

func (p *place) client(o Options) *Client {
	p.t.Helper()
	o.URL = p.url()
	if o.Build == "" {
		o.Build, o.Release = "test", "test"
	}
	c, err := Connect(context.Background(), o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(c.Close)
	return c
}

// worker starts a process that works, until the test ends.
func (p *place) worker() *exec.Cmd {
	p.t.Helper()
	cmd := self("worker")
	cmd.Env = append(cmd.Env, url+"="+p.url())
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may be gone
		_ = cmd.Wait()
	})
	return cmd
}

func (p *place) run(c *Client, o RunOptions) *Run {
	p.t.Helper()
	if o.Key == "" {
		o.Key = p.t.Name()
	}
	r, err := c.Start(context.Background(), o)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// squares asks for n squares at once, and checks them.
func squares(t *testing.T, r *Run, n int, in work) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			in := in
			in.N = i
			got, _, err := square.Ask(context.Background(), r, "", []byte("abc"), in)
			if err != nil || got != i*i+3 {
				t.Errorf("%d: %d, %v", i, got, err)
			}
		})
	}
	all.Wait()
}

func closed(t testing.TB, r *Run) {
	t.Helper()
	if _, err := r.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// begun counts how often tasks were begun.
func begun(t *testing.T, log string) int {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing happens: " + what)
		}
	}
}

// TestCluster: tasks are done; facts are remembered, what is not a fact is not;
// errors are told; large results arrive.
func TestCluster(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	p.worker()
	p.worker()
	log := filepath.Join(t.TempDir(), "log")
	for n, want := range []int{40, 40, 80} {
		r := p.run(c, RunOptions{Fresh: n == 2})
		squares(t, r, 40, work{Log: log})
		if got, err := r.Progress(context.Background()); err != nil || got.Done != 40 || got.Workers != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		closed(t, r)
		if got := begun(t, log); got != want {
			t.Errorf("after %d runs, %d tasks were begun; want %d", n+1, got, want)
		}
	}
	for n := range 2 {
		r := p.run(c, RunOptions{})
		if got, from, err := maybe.Ask(context.Background(), r, "", nil, work{N: 7, Log: log}); got != 7 || from.Known || err != nil {
			t.Error(got, from, err)
		}
		if got := begun(t, log); got != 81+n {
			t.Errorf("%d", got)
		}
		if _, _, err := wrong.Ask(context.Background(), r, "", nil, work{}); err == nil || err.Error() != "no such luck" {
			t.Error(err)
		}
		if got, _, err := large.Ask(context.Background(), r, "", nil, work{N: 3 << 20}); len(got) != 3<<20 || err != nil {
			t.Error(len(got), err)
		}
		closed(t, r)
	}
	runs, err := c.Runs(context.Background())
	if err != nil || len(runs) != 1 || runs[0].State != Complete {
		t.Errorf("%+v, %v", runs, err)
	}
}

// TestVersions: tasks are for workers of the same build that have the solver.
func TestVersions(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	mine, other := p.client(Options{}), p.client(Options{Build: "other", Release: "v9"})
	r := p.run(mine, RunOptions{})
	defer closed(t, r)
	result := make(chan error, 1)
	go func() {
		_, _, err := square.Ask(context.Background(), r, "cvc5", nil, work{})
		result <- err
	}()
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	said := make(chan string, 10)
	start := func(c *Client, solvers ...string) {
		all.Go(func() {
			w := Worker{Client: c, Jobs: 1, Slot: slotCommand, Solvers: solvers, Log: func(s string) { said <- s }}
			if err := w.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	start(other, "cvc5")
	start(mine, "z3")
	for range 2 {
		if got, want := <-said, "1 tasks are for tacheck test with cvc5, which this worker is not: left to others"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	select {
	case err := <-result:
		t.Errorf("somebody has done it: %v", err)
	default:
	}
	start(mine, "z3", "cvc5")
	if err := <-result; err != nil {
		t.Error(err)
	}
	stop()
	all.Wait()
}

// TestGarbage: a worker drops what is no task, or not the one that its name says.
func TestGarbage(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	good := task{Run: "run", Kind: square.Name, Input: json.RawMessage(`{"N":2}`)}
	good.Name = fingerprint("test", &good)
	if _, err := parseTask("test", []byte(marshal(t, good))); err != nil {
		t.Error(err)
	}
	renamed, short, elsewhere, path := good, good, good, good
	renamed.Input, short.Name, path.Run = json.RawMessage(`{"N":3}`), "x", "a.b"
	elsewhere.Name = fingerprint("another build", &elsewhere)
	for i, text := range []string{"nonsense", "{}", marshal(t, renamed), marshal(t, short), marshal(t, elsewhere), marshal(t, path), marshal(t, good) + "{}"} {
		if x, err := parseTask("test", []byte(text)); err == nil {
			t.Errorf("%s is a task: %+v", text, x)
		}
		if _, err := c.js.Publish(context.Background(), fmt.Sprintf("%s.run.%d", c.queue(""), i), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	p.worker()
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	squares(t, r, 5, work{})
	waitFor(t, "all are dropped", func() bool {
		list, err := c.Queues(context.Background())
		return err == nil && len(list) == 0
	})
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestForged: what is not what was stored is noticed.
func TestForged(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	ctx := context.Background()
	name, err := c.store(ctx, []byte("model"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.models.PutBytes(ctx, name, []byte("another")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.load(ctx, name); !errors.Is(err, errBad) {
		t.Error(err)
	}
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	for _, text := range []string{`{"output":"no number"}`, `{"output":1}{}`, `{"path":"/etc/passwd"}`, `nonsense`, `{"object":"` + name + `"}`} {
		in := work{N: len(text)}
		go func() {
			for { // until it is asked for
				r.mu.Lock()
				for name := range r.waiting {
					r.mu.Unlock()
					if _, err := c.js.Publish(ctx, doneSubject(r.info.ID, name), []byte(text)); err != nil {
						t.Error(err)
					}
					return
				}
				r.mu.Unlock()
				time.Sleep(time.Millisecond)
			}
		}()
		got, _, err := square.Ask(ctx, r, "", nil, in)
		if err == nil {
			t.Errorf("%s: %d", text, got)
		}
	}
}
