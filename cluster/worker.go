package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	ackWait = 5 * time.Second // without a sign of life, a task is given to another worker
	inWork  = time.Second     // between signs of life to the server

	// plenty is how many tasks are in the queue if it does no harm to take one that no worker here can begin yet.
	plenty = 100

	again = 500 * time.Millisecond // before a task that could not be done is handed out again

	// maxDeaths is how many processes may die of a task before it is given up.
	maxDeaths = 3
	// maxBegun is how many workers may vanish without a reason while they are at a task.
	maxBegun = 9
	// maxMissing is how often a task is given back because its model is not there:
	// longer than it takes the asking command to notice that a server has lost it.
	maxMissing = 50
)

// Worker does tasks.
type Worker struct {
	Client  *Client
	Jobs    int              // at once
	Solvers []string         // that are here
	Slot    func() *exec.Cmd // starts a process that calls Serve
	Log     func(string)     // told what people may want to know

	id       string
	since    time.Time
	slots    chan *slot    // idle ones
	tickets  chan struct{} // for tasks that may be taken from the queue
	busy     atomic.Int32
	done     atomic.Int32
	mu       sync.Mutex
	running  map[string]map[*context.CancelCauseFunc]bool // by run
	models   map[string][]byte                            // the last ones
	foreign  map[string]bool                              // queues of others, that were told of
	inFlight sync.WaitGroup
}

// errCancelled is why a task is not finished that is no longer wanted.
var errCancelled = errors.New("the result is not wanted any more")

// Run works until ctx ends. Tasks under way are given back then.
func (w *Worker) Run(ctx context.Context) error {
	w.id, w.since = rand.Text()[:12], time.Now()
	w.running, w.models, w.foreign = map[string]map[*context.CancelCauseFunc]bool{}, map[string][]byte{},
		map[string]bool{}
	w.slots, w.tickets = make(chan *slot, w.Jobs), make(chan struct{}, w.Jobs)
	for range w.Jobs {
		w.tickets <- struct{}{}
		w.slots <- &slot{command: w.Slot, frozen: frozen}
	}
	sub, err := w.Client.conn.Subscribe(cancelSubject("*"), func(m *nats.Msg) {
		w.cancel(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:])
	})
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }() // the connection may be gone
	if err := w.report(ctx); err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make(chan error, len(w.Solvers)+2)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for _, solver := range append([]string{""}, w.Solvers...) {
		all.Go(func() {
			if err := w.fetch(ctx, solver); err != nil {
				errs <- err
				stop()
			}
		})
	}
	all.Go(func() { w.tend(ctx) })
	all.Wait()
	w.inFlight.Wait()
	close(w.slots)
	for s := range w.slots {
		s.kill()
	}
	select {
	case err := <-errs:
		return err
	default:
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = w.Client.workers.Delete(last, w.id) // it is forgotten soon in any case
	return nil
}

// fetch takes tasks that want a solver, one for each slot that is idle.
func (w *Worker) fetch(ctx context.Context, solver string) error {
	for ctx.Err() == nil {
		var consumer jetstream.Consumer
		err := w.Client.insist(ctx, func(ctx context.Context) (err error) {
			consumer, err = w.Client.consumer(ctx, solver)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return nil
			case t := <-w.tickets:
				w.tickets <- t // others may have use for it before there is a task
			}
			batch, err := consumer.Fetch(1, jetstream.FetchContext(withTimeout(ctx, 5*time.Second)))
			if err == nil {
				for msg := range batch.Messages() {
					select {
					case t := <-w.tickets:
						w.inFlight.Go(func() { w.task(ctx, msg, sync.OnceFunc(func() { w.tickets <- t })) })
					default: // another worker was faster
						_ = msg.Nak() // it comes back in any case
					}
				}
				err = batch.Error()
			}
			if err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
				select { // the server has forgotten who listens, or is away
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
				break
			}
		}
	}
	return nil
}

// withTimeout is a context for a library that ends it itself.
func withTimeout(ctx context.Context, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(ctx, d)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// task does a task, or says why it cannot be done. Only then it is taken from
// the queue. release is called when another one may be taken.
func (w *Worker) task(ctx context.Context, msg jetstream.Msg, release func()) {
	defer release()
	t, err := parseTask(w.Client.o.Build, msg.Data())
	if err != nil {
		w.Log(fmt.Sprintf("a task that cannot be read is dropped: %v", err))
		_ = msg.Term() // or dropped again
		return
	}
	defer w.beat(ctx, msg)()
	rec, keep, err := w.result(ctx, msg, t, release)
	release()
	if errors.Is(err, errBad) { // that is so for everybody else, too
		rec, keep, err = &record{Failure: err.Error(), Worker: w.name()}, false, nil
	}
	last := context.WithoutCancel(ctx) // what is done is said, too
	switch {
	case errors.Is(err, errCancelled):
		_ = msg.Term() // or cancelled again
		return
	case ctx.Err() != nil:
		_ = msg.Nak() // it comes back in any case
		return
	case err != nil: // the process died, or there is trouble with the server: another worker may have more luck
		var dead *Died
		if !errors.As(err, &dead) {
			w.Log(fmt.Sprintf("%s %s is given back: %v", t.Kind, t.Name[:12], err))
		}
		_ = msg.NakWithDelay(again) // it comes back in any case
		return
	}
	if keep {
		err = w.Client.keep(last, t.Name, rec)
	}
	if err == nil {
		err = w.Client.tell(last, t.Run, t.Name, rec)
	}
	if err != nil {
		w.Log(fmt.Sprintf("the result of %s is lost: %v", t.Name[:12], err))
		_ = msg.Nak()
		return
	}
	w.done.Add(1)
	_ = msg.Ack() // otherwise it comes back, and its result is found
}

// beat tells the server that a task is worked on, until stop is called.
func (w *Worker) beat(ctx context.Context, msg jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(inWork)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = msg.InProgress() // if the server is away, it hands the task out again
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// result finds out what comes of a task.
func (w *Worker) result(ctx context.Context, msg jetstream.Msg, t *task,
	release func()) (rec *record, keep bool, err error) {
	c := w.Client
	meta, err := msg.Metadata()
	if err != nil {
		return nil, false, err
	}
	if rec, err := c.known(ctx, t.Name); err != nil || rec != nil {
		return rec, false, err
	}
	if meta.NumDelivered > 1 {
		told, err := c.toldAlready(ctx, t)
		if err != nil || told != nil {
			return told, false, err
		}
	}
	q := request{Kind: t.Kind, Input: t.Input}
	if t.Model != "" {
		q.Model, err = w.model(ctx, t.Model)
		if errors.Is(err, jetstream.ErrObjectNotFound) && meta.NumDelivered > maxMissing {
			return &record{Failure: "the model is not there any more", Worker: w.name()}, false, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
	if meta.NumDelivered > 1 {
		if reason, err := w.suspect(ctx, t); err != nil || reason != "" {
			return &record{Failure: reason, Worker: w.name()}, false, err
		}
	}
	working, done := w.enter(ctx, t.Run)
	defer done()
	var s *slot
	select {
	case <-working.Done():
		return nil, false, context.Cause(working)
	case s = <-w.slots:
	}
	if meta.NumPending >= plenty {
		release() // the next one is prepared meanwhile
	}
	w.busy.Add(1)
	r, err := s.do(working, q)
	w.busy.Add(-1)
	w.slots <- s
	var dead *Died
	switch {
	case errors.As(err, &dead):
		w.Log(fmt.Sprintf("%s %s: %v", t.Kind, t.Name[:12], dead))
		deaths, err := c.attempt(context.WithoutCancel(ctx), t.Name, dead.How)
		if err != nil {
			return nil, false, err
		}
		if len(deaths) < maxDeaths {
			return nil, false, dead
		}
		return &record{Failure: fmt.Sprintf("given up after %d attempts: %s", len(deaths), deaths[len(deaths)-1]),
			Worker: w.name()}, false, nil
	case err != nil:
		return nil, false, err
	}
	rec = &record{Output: r.Output, Failure: r.Error, Worker: w.name()}
	if len(r.Output) > maxInline {
		rec.Output = nil
		if rec.Object, err = c.store(context.WithoutCancel(ctx), r.Output); err != nil {
			return nil, false, err
		}
	}
	return rec, r.Keep && r.Error == "", nil
}

// enter makes a context that ends when results of a run are no longer wanted.
func (w *Worker) enter(ctx context.Context, run string) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[run] == nil {
		w.running[run] = map[*context.CancelCauseFunc]bool{}
	}
	w.running[run][&cancel] = true
	return ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if delete(w.running[run], &cancel); len(w.running[run]) == 0 {
			delete(w.running, run)
		}
		cancel(nil)
	}
}

// cancel stops work for a run.
func (w *Worker) cancel(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for cancel := range w.running[run] {
		(*cancel)(errCancelled)
	}
}

// model returns a model's text; the last ones are remembered.
func (w *Worker) model(ctx context.Context, name string) ([]byte, error) {
	w.mu.Lock()
	text, ok := w.models[name]
	w.mu.Unlock()
	if ok {
		return text, nil
	}
	text, err := w.Client.load(ctx, name)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.models) >= 2*w.Jobs+2 {
		clear(w.models)
	}
	w.models[name] = text
	return text, nil
}

// toldAlready returns what came of a task of this run: the worker that found out had no time left to take it from the
// queue.
func (c *Client) toldAlready(ctx context.Context, t *task) (rec *record, err error) {
	err = c.insist(ctx, func(ctx context.Context) error {
		s, err := c.js.Stream(ctx, doneStream)
		if err != nil {
			return err
		}
		msg, err := s.GetLastMsgForSubject(ctx, doneSubject(t.Run, t.Name))
		if err == nil {
			rec, err = parseRecord(msg.Data)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		err = nil
	}
	return rec, err
}

// history is what became of those who worked on a task.
type history struct {
	Deaths []string `json:"deaths,omitempty"` // how processes ended
	Begun  int      `json:"begun,omitempty"`  // after a worker had not answered
}

// suspect is asked when a worker has not answered before. It returns why the task is given up, if it is.
func (w *Worker) suspect(ctx context.Context, t *task) (reason string, err error) {
	h, err := w.Client.note(ctx, t.Name, func(h *history) { h.Begun++ })
	switch {
	case err != nil:
		return "", err
	case len(h.Deaths) >= maxDeaths:
		return fmt.Sprintf("given up after %d attempts: %s", len(h.Deaths), h.Deaths[len(h.Deaths)-1]), nil
	case h.Begun > maxBegun:
		return fmt.Sprintf("given up after %d workers that were at it have vanished", maxBegun), nil
	}
	return "", nil
}

// attempt notes that a process died of a task, and returns all such deaths.
func (c *Client) attempt(ctx context.Context, name, how string) ([]string, error) {
	h, err := c.note(ctx, name, func(h *history) { h.Deaths = append(h.Deaths, how) })
	return h.Deaths, err
}

// note changes what is known of attempts.
func (c *Client) note(ctx context.Context, name string, change func(*history)) (h history, err error) {
	err = c.insist(ctx, func(ctx context.Context) error {
		h = history{}
		e, err := c.attempts.Get(ctx, name)
		last := uint64(0)
		if err == nil {
			last = e.Revision()
			if err := strictly(e.Value(), &h); err != nil {
				return fmt.Errorf("attempts: %w: %w", errBad, err)
			}
		} else if !errors.Is(err, jetstream.ErrKeyNotFound) {
			return err
		}
		change(&h)
		text, err := json.Marshal(h)
		if err != nil {
			return err
		}
		if _, err = c.attempts.Update(ctx, name, text, last); errors.Is(err, jetstream.ErrKeyExists) {
			err = errors.New("another process writes at the same time")
		}
		return err
	})
	return h, err
}

func (w *Worker) name() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// report lets others see what this worker does.
func (w *Worker) report(ctx context.Context) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	text, err := json.Marshal(WorkerInfo{ID: w.id, Build: buildToken(w.Client.o.Build), Release: w.Client.o.Release,
		Host: host, Process: os.Getpid(), Solvers: w.Solvers, Jobs: w.Jobs, Busy: int(w.busy.Load()),
		Done: int(w.done.Load()), Since: w.since, Seen: time.Now()})
	if err != nil {
		return err
	}
	return w.Client.insist(ctx, func(ctx context.Context) error {
		_, err := w.Client.workers.Put(ctx, w.id, text)
		return err
	})
}

// tend reports now and then, and tells of tasks that are left to others.
func (w *Worker) tend(ctx context.Context) {
	tick := time.NewTicker(4 * time.Second)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := w.report(ctx); err != nil {
			continue // fetch gives up if the server stays away
		}
		if n%4 == 1 {
			w.tellForeign(ctx)
		}
	}
}

// tellForeign tells of queues that have tasks for workers of other kinds.
func (w *Worker) tellForeign(ctx context.Context) {
	list, err := w.Client.Queues(ctx)
	if err != nil {
		return
	}
	own := map[string]bool{}
	for _, solver := range append([]string{""}, w.Solvers...) {
		own["tacheck-"+buildToken(w.Client.o.Build)+"-"+token(solver)] = true
	}
	seen := map[string]bool{}
	for _, q := range list {
		if own[q.own] || q.Waiting == 0 {
			continue
		}
		seen[q.own] = true
		if !w.foreign[q.own] {
			w.Log(fmt.Sprintf("%d tasks are for %s, which this worker is not: left to others", q.Waiting, q.Who))
		}
	}
	w.foreign = maps.Clone(seen)
}
