package cluster

import (
	"context"
	"math/rand"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/tacheck/tacheck/testkit/need"
)

// atWork starts a worker, and has it begin a task that takes a second.
func atWork(t *testing.T, p *place, r *Run) (worker *exec.Cmd, log string, all *sync.WaitGroup) {
	t.Helper()
	worker, log, all = p.worker(), filepath.Join(t.TempDir(), "log"), new(sync.WaitGroup)
	all.Go(func() { squares(t, r, 1, work{Log: log, Sleep: time.Second}) })
	waitFor(t, "the task is begun", func() bool { return begun(t, log) == 1 })
	return worker, log, all
}

// TestWorkerKilled: a task of a worker that is killed is done by another.
func TestWorkerKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r := p.run(p.client(Options{}), RunOptions{})
	defer closed(t, r)
	first, log, all := atWork(t, p, r)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.worker()
	all.Wait()
	if got := begun(t, log); got != 2 {
		t.Errorf("begun %d times", got)
	}
}

// TestWorkerHung: so is the task of a worker that has stopped, and when that goes
// on it does no harm.
func TestWorkerHung(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r := p.run(p.client(Options{}), RunOptions{})
	defer closed(t, r)
	first, _, all := atWork(t, p, r)
	if err := first.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.worker()
	all.Wait()
	if err := first.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	squares(t, r, 20, work{})
}

// TestSlotHung: a process that gives no sign of life is killed.
func TestSlotHung(t *testing.T) {
	s := &slot{command: func() *exec.Cmd { return exec.Command("sleep", "60") }, frozen: 300 * time.Millisecond}
	if _, err := s.do(context.Background(), request{}); err == nil || !strings.Contains(err.Error(), "no sign of life") {
		t.Error(err)
	}
}

// TestPoison: a task that kills every process is given up after three; the
// rest goes on.
func TestPoison(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	log := filepath.Join(t.TempDir(), "log")
	p.worker()
	p.worker()
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	var all sync.WaitGroup
	all.Go(func() { squares(t, r, 40, work{}) })
	_, _, err := killer.Ask(context.Background(), r, "", nil, work{Log: log})
	if want := "given up after 3 attempts: the process ended (signal: killed: out of luck)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	all.Wait()
	if got := begun(t, log); got != 3 {
		t.Errorf("begun %d times", got)
	}
}

// TestVanish: so is a task whose workers vanish without a reason,
// after some more.
func TestVanish(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	w := Worker{Client: c}
	for range maxBegun {
		if reason, err := w.suspect(context.Background(), &task{Name: "vanish"}); reason != "" || err != nil {
			t.Fatal(reason, err)
		}
	}
	if reason, err := w.suspect(context.Background(), &task{Name: "vanish"}); !strings.Contains(reason, "have vanished") || err != nil {
		t.Fatal(reason, err)
	}
}

// TestServerRestarted: a server that is started again knows what it has known.
func TestServerRestarted(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var mu sync.Mutex
	var trouble []string
	c := p.client(Options{Trouble: func(s string) { mu.Lock(); defer mu.Unlock(); trouble = append(trouble, s) }})
	log := filepath.Join(t.TempDir(), "log")
	p.worker()
	p.worker()
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	var all sync.WaitGroup
	all.Go(func() { squares(t, r, 100, work{Log: log, Sleep: 30 * time.Millisecond}) })
	for n := range 2 {
		waitFor(t, "some are done", func() bool { return begun(t, log) > 30*(n+1) })
		p.stop()
		time.Sleep(time.Second)
		p.start()
	}
	all.Wait()
	if got := begun(t, log); got > 110 {
		t.Errorf("begun %d times", got)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(trouble) == 0 || trouble[len(trouble)-1] != "" {
		t.Errorf("told %q", trouble)
	}
}

// TestConnectionLost: a way to the server that leads nowhere, for longer than
// anything waits for an answer, makes no difference.
func TestConnectionLost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	way := newWay(t, p.o.Listen)
	direct := p.o.Listen
	p.o.Listen = way.addr
	c := p.client(Options{})
	worker := p.worker()
	log := filepath.Join(t.TempDir(), "log")
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	var all sync.WaitGroup
	all.Go(func() { squares(t, r, 40, work{Log: log, Sleep: 30 * time.Millisecond}) })
	waitFor(t, "some are done", func() bool { return begun(t, log) > 5 })
	way.cut()
	time.Sleep(time.Duration(min(60, need.Cases(t, 12))) * time.Second)
	way.mend()
	all.Wait()
	if err := worker.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the worker has given up: %v", err)
	}
	p.o.Listen = direct
}

// way is a way to a server that can be cut: what goes in does not come out.
type way struct {
	addr string
	mu   sync.Mutex
	lost bool
}

func newWay(t *testing.T, to string) *way {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // that is how it ends
	w := &way{addr: l.Addr().String()}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close() // clients try again
				continue
			}
			go w.pass(in, out)
			go w.pass(out, in)
		}
	}()
	return w
}

func (w *way) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		w.mu.Lock()
		lost := w.lost
		w.mu.Unlock()
		if lost {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (w *way) cut()  { w.mu.Lock(); w.lost = true; w.mu.Unlock() }
func (w *way) mend() { w.mu.Lock(); w.lost = false; w.mu.Unlock() }

// TestServerLost: a server that has lost everything is set up again, and tasks
// are handed out again.
func TestServerLost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	var all sync.WaitGroup
	all.Go(func() { squares(t, r, 10, work{}) })
	waitFor(t, "all are handed out", func() bool {
		list, err := c.Queues(context.Background())
		return err == nil && len(list) == 1 && list[0].Waiting == 10
	})
	p.stop()
	p.o.Dir = t.TempDir()
	p.start()
	p.worker()
	all.Wait()
}

// TestPatience: a server that stays away is an error.
func TestPatience(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{Patience: 500 * time.Millisecond})
	r := p.run(c, RunOptions{})
	p.stop()
	if _, _, err := square.Ask(context.Background(), r, "", nil, work{}); err == nil || !strings.Contains(err.Error(), "the cluster's server, for 500ms") {
		t.Error(err)
	}
	r.stop()
	r.ended.Wait()
	p.start()
}

// TestDiskFull: a server that cannot store says so, and goes on when it can.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.stop()
	p.o.Store = 4 << 20
	p.start()
	said := make(chan string, 1000)
	c := p.client(Options{Trouble: func(s string) { said <- s }})
	p.worker()
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	squares(t, r, 3, work{})
	fill(t, c, 3900<<10)
	var all sync.WaitGroup
	all.Go(func() {
		got, _, err := large.Ask(context.Background(), r, "", nil, work{N: 400 << 10})
		if err != nil || len(got) != 400<<10 {
			t.Error(len(got), err)
		}
	})
	all.Go(func() {
		if _, err := c.store(context.Background(), make([]byte, 300<<10)); err != nil {
			t.Error(err)
		}
	})
	if got := <-said; !strings.Contains(got, "insufficient") && !strings.Contains(got, "resource") && !strings.Contains(got, "storage") {
		t.Errorf("told %q", got)
	}
	// Room is made.
	if err := c.js.DeleteStream(context.Background(), "FILLER"); err != nil {
		t.Fatal(err)
	}
	all.Wait()
}

// fill takes room on the server.
func fill(t *testing.T, c *Client, bytes int) {
	t.Helper()
	ctx := context.Background()
	_, err := c.js.CreateStream(ctx, jetstream.StreamConfig{Name: "FILLER", Subjects: []string{"filler"}})
	for range bytes / (100 << 10) {
		if err == nil {
			_, err = c.js.Publish(ctx, "filler", make([]byte, 100<<10))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAskerGone: what was asked for is done when the client is gone; a client that
// resumes the run has the results.
func TestAskerGone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	log := filepath.Join(t.TempDir(), "log")
	{
		c := p.client(Options{})
		r := p.run(c, RunOptions{Fresh: true})
		for i := range 10 {
			go func() { // there is no receiver any more
				_, _, _ = square.Ask(context.Background(), r, "", []byte("abc"), work{N: i, Log: log})
			}()
		}
		waitFor(t, "all are handed out", func() bool {
			list, err := c.Queues(context.Background())
			return err == nil && len(list) == 1 && list[0].Waiting == 10
		})
		r.stop()
		r.ended.Wait()
		c.Close()
	}
	p.worker()
	waitFor(t, "all are done", func() bool { return begun(t, log) == 10 })
	c := p.client(Options{})
	r := p.run(c, RunOptions{Resume: true})
	squares(t, r, 10, work{Log: log})
	closed(t, r)
	if got := begun(t, log); got != 10 {
		t.Errorf("begun %d times", got)
	}
	if _, err := c.Start(context.Background(), RunOptions{Key: t.Name(), Resume: true}); err == nil || !strings.Contains(err.Error(), "no run") {
		t.Error(err)
	}
}

// TestInterrupted: what is not begun when a run is interrupted never is, and
// what is begun stops.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	log := filepath.Join(t.TempDir(), "log")
	p.worker()
	r := p.run(c, RunOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			if _, _, err := square.Ask(ctx, r, "", nil, work{N: i, Log: log, Sleep: time.Hour}); err == nil {
				t.Error("done")
			}
		})
	}
	waitFor(t, "one is begun", func() bool { return begun(t, log) == 1 })
	cancel()
	all.Wait()
	closed(t, r)
	again := p.run(c, RunOptions{Key: "another"})
	squares(t, again, 3, work{}) // the worker is there for others
	closed(t, again)
	if got := begun(t, log); got != 1 {
		t.Errorf("begun %d times", got)
	}
	waitFor(t, "the queue is empty", func() bool {
		list, err := c.Queues(context.Background())
		return err == nil && len(list) == 0
	})
}

// TestKills: workers are killed at random and the server is restarted twice:
// every result is there, and is stored once.
func TestKills(t *testing.T) {
	need.Usual(t, "workers that are killed again and again")
	t.Parallel()
	p := newPlace(t)
	c := p.client(Options{})
	r := p.run(c, RunOptions{})
	defer closed(t, r)
	stop := make(chan struct{})
	var all sync.WaitGroup
	kill := func(seed int64) {
		random := rand.New(rand.NewSource(seed))
		for {
			cmd := p.worker()
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(500+random.Intn(1500)) * time.Millisecond):
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for n := range 3 {
		all.Go(func() { kill(int64(n)) })
	}
	all.Go(func() {
		for range 2 {
			select {
			case <-stop:
				return
			case <-time.After(3 * time.Second):
				p.stop()
				p.start()
			}
		}
	})
	squares(t, r, 1000, work{Sleep: 20 * time.Millisecond})
	close(stop)
	all.Wait()
	status, err := c.results.Status(context.Background())
	if err != nil || status.Values() != 1000 {
		t.Errorf("%v, %v", status, err)
	}
	waitFor(t, "the queue is empty", func() bool {
		list, err := c.Queues(context.Background())
		return err == nil && len(list) == 0
	})
}
