package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tacheck/tacheck/internal/spell"

	"github.com/nats-io/nats.go/jetstream"
)

// RunOptions say what a run is.
type RunOptions struct {
	What  string // for people: "bench, 200 specifications"
	Key   string // what is asked for: a run that is taken up again has the same
	Total int    // tasks, as far as is known
	// Resume takes up a run that was begun and not ended. It is an error if there is none.
	Resume bool
	// Fresh does not use results that others have asked for.
	Fresh bool
}

// Run is work that a command asks for: tasks that are handed out, results that
// come back. Tasks that were handed out are done even if the command is gone.
type Run struct {
	c     *Client
	info  RunInfo
	ctx   context.Context // ends when the run does
	stop  context.CancelFunc
	ended sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]*waiting
	early   map[string]*record // that are not waited for yet

	announced map[string]bool // solvers for which there is a queue

	done, known, open atomic.Int64
	interrupted       atomic.Bool
	forgot            atomic.Bool // some tasks that may be worked on
}

// waiting is a task that has been handed out.
type waiting struct {
	task   *task
	model  []byte
	done   chan struct{} // closed when the following are set
	record *record
	known  bool // it was asked before
	err    error
	asked  time.Time
	askers int
}

// RunInfo is what everybody can see of a run.
type RunInfo struct {
	ID      string    `json:"id"`
	What    string    `json:"what"`
	Release string    `json:"release"`
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Nonce   string    `json:"nonce,omitempty"`
	Total   int       `json:"total"`
	Done    int       `json:"done"`
	Known   int       `json:"known"` // of them, without any work
	Begun   time.Time `json:"begun"`
	Seen    time.Time `json:"seen"` // when the asking command was there last
	State   string    `json:"state"`
}

// States of runs.
const (
	Running     = "running"
	Complete    = "complete"
	Interrupted = "interrupted"
)

// reconcile is after how much silence a run looks whether its tasks are still there.
const reconcile = 10 * time.Second

// RunID names a run.
func RunID(build, key string) string { return digest([]byte(build + "\n" + key))[:16] }

// Start begins a run, or takes one up.
func (c *Client) Start(ctx context.Context, o RunOptions) (*Run, error) {
	id := RunID(c.o.Build, o.Key)
	var old *RunInfo
	err := c.insist(ctx, func(ctx context.Context) error {
		e, err := c.runs.Get(ctx, id)
		if err == nil {
			old = &RunInfo{}
			err = json.Unmarshal(e.Value(), old)
		}
		return err
	})
	if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, err
	}
	if o.Resume && (old == nil || old.State == Complete) {
		return nil, errors.New("there is no run of this to take up")
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	r := &Run{c: c, waiting: map[string]*waiting{}, early: map[string]*record{}, announced: map[string]bool{}}
	r.info = RunInfo{ID: id, What: o.What, Release: c.o.Release, Host: host, Process: os.Getpid(), Total: o.Total,
		Begun: time.Now(), State: Running}
	switch {
	case o.Resume:
		r.info.Begun, r.info.Nonce = old.Begun, old.Nonce
	case o.Fresh:
		r.info.Nonce = rand.Text()
	}
	if !o.Resume { // what came of an earlier run is no answer, unless it is a fact
		if err := c.purge(ctx, doneStream, "tacheck.done."+id+".>"); err != nil {
			return nil, err
		}
	}
	if err := r.report(ctx); err != nil {
		return nil, err
	}
	r.ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.ended.Go(func() { r.collect(r.ctx) })
	r.ended.Go(func() { r.tend(r.ctx) })
	return r, nil
}

func (c *Client) purge(ctx context.Context, stream, subject string) error {
	return c.insist(ctx, func(ctx context.Context) error {
		s, err := c.js.Stream(ctx, stream)
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		return err
	})
}

// Close ends a run, and reports whether it is complete. If there are tasks left,
// they are no longer wanted; Interrupt says that there would have been more.
func (r *Run) Close(ctx context.Context) (complete bool, err error) {
	r.stop()
	r.ended.Wait()
	r.info.State = Complete
	r.mu.Lock()
	left := len(r.waiting)
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if left > 0 || r.interrupted.Load() {
		r.info.State = Interrupted
	}
	if left > 0 || r.forgot.Load() {
		err = r.c.purge(ctx, taskStream, "tacheck.task.*.*."+r.info.ID+".*")
		err = errors.Join(err, r.c.conn.Publish(cancelSubject(r.info.ID), nil), r.c.conn.FlushWithContext(ctx))
	}
	return r.info.State == Complete, errors.Join(err, r.report(ctx))
}

// Certify notes the digest of a certificate of the result of a task, for those who ask the same.
func (r *Run) Certify(ctx context.Context, from Origin, digest string) error {
	return r.c.certify(ctx, from.Name, digest)
}

// Interrupt says that the run ends before all has been asked for.
func (r *Run) Interrupt() { r.interrupted.Store(true) }

// report lets others see how far the run is.
func (r *Run) report(ctx context.Context) error {
	r.info.Seen, r.info.Done, r.info.Known = time.Now(), int(r.done.Load()), int(r.known.Load())
	r.info.Total = max(r.info.Total, int(r.done.Load()+r.open.Load()))
	text, err := json.Marshal(r.info)
	if err != nil {
		return err
	}
	return r.c.insist(ctx, func(ctx context.Context) error {
		_, err := r.c.runs.Put(ctx, r.info.ID, text)
		return err
	})
}

// do hands out a task and waits for what comes of it. Asking for the same at the same time is asking once.
func (r *Run) do(ctx context.Context, t *task, model []byte) (*record, Origin, error) {
	if model != nil {
		t.Model = digest(model)
	}
	t.Run, t.Nonce = r.info.ID, r.info.Nonce
	t.Name = fingerprint(r.c.o.Build, t)
	from := Origin{Name: t.Name}
	r.open.Add(1)
	defer r.open.Add(-1)
	r.mu.Lock()
	if rec := r.early[t.Name]; rec != nil {
		delete(r.early, t.Name)
		r.mu.Unlock()
		r.done.Add(1)
		return rec, from, nil
	}
	w := r.waiting[t.Name]
	if w == nil {
		w = &waiting{task: t, model: model, done: make(chan struct{}), asked: time.Now()}
		r.waiting[t.Name] = w
		r.ended.Go(func() { r.begin(w) })
	}
	w.askers++
	r.mu.Unlock()
	select {
	case <-ctx.Done():
		r.forget(w)
		return nil, from, context.Cause(ctx)
	case <-w.done:
		if w.err != nil {
			return nil, from, w.err
		}
		from.Known = w.known
		r.done.Add(1)
		return w.record, from, nil
	}
}

// begin looks whether a result is there already, and hands the task out if not.
func (r *Run) begin(w *waiting) {
	rec, err := r.c.known(r.ctx, w.task.Name)
	if err == nil && rec == nil {
		r.mu.Lock()
		wanted := r.waiting[w.task.Name] == w && w.askers > 0
		r.mu.Unlock()
		if wanted {
			err = r.handOut(r.ctx, w.task, w.model)
		}
	}
	switch {
	case err != nil:
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.waiting[w.task.Name] == w {
			delete(r.waiting, w.task.Name)
			w.err = err
			close(w.done)
		}
	case rec != nil:
		r.known.Add(1)
		w.known = true
		r.settle(w.task.Name, rec)
	}
}

// forget takes a task that one of those who asked for it does not want any more
// from the queue, if it was the last, and if it is not worked on yet.
func (r *Run) forget(w *waiting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.askers--; w.askers > 0 || r.waiting[w.task.Name] != w {
		return
	}
	r.forgot.Store(true)
	r.ended.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err := r.c.purge(ctx, taskStream, "tacheck.task.*.*."+r.info.ID+"."+w.task.Name)
		r.mu.Lock()
		again := w.askers > 0 // it was asked for meanwhile
		if err == nil && r.waiting[w.task.Name] == w && !again {
			delete(r.waiting, w.task.Name)
		}
		r.mu.Unlock()
		if again {
			r.begin(w)
		}
	})
}

// handOut puts a task, and the text that it is about, where workers find them.
func (r *Run) handOut(ctx context.Context, t *task, model []byte) error {
	if model != nil {
		if _, err := r.c.store(ctx, model); err != nil {
			return err
		}
	}
	if err := r.announce(ctx, t.Solver); err != nil {
		return err
	}
	return r.c.publish(ctx, t)
}

// announce makes sure that everybody can see that there are tasks for workers with a solver.
func (r *Run) announce(ctx context.Context, solver string) error {
	r.mu.Lock()
	known := r.announced[solver]
	r.announced[solver] = true
	r.mu.Unlock()
	if known {
		return nil
	}
	return r.c.insist(ctx, func(ctx context.Context) error {
		_, err := r.c.consumer(ctx, solver)
		return err
	})
}

// settle gives a result to those who wait for it.
func (r *Run) settle(name string, rec *record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.waiting[name]
	if w == nil {
		r.early[name] = rec
		return
	}
	delete(r.waiting, name)
	w.record = rec
	close(w.done)
}

// collect takes in what comes of tasks. Where it was is remembered here, so
// that a server that was away, or has forgotten who listens, makes no difference.
func (r *Run) collect(ctx context.Context) {
	next := uint64(1)
	for ctx.Err() == nil {
		var consumer jetstream.Consumer
		err := r.c.insist(ctx, func(ctx context.Context) (err error) {
			consumer, err = r.c.js.CreateConsumer(ctx, doneStream, jetstream.ConsumerConfig{
				FilterSubject: "tacheck.done." + r.info.ID + ".*", AckPolicy: jetstream.AckNonePolicy,
				MemoryStorage: true,
				DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: next,
				InactiveThreshold: time.Minute})
			return err
		})
		if err != nil {
			continue // patience has ended: those who ask are told
		}
		for ctx.Err() == nil {
			batch, err := consumer.Fetch(256, jetstream.FetchContext(withTimeout(ctx, 2*time.Second)))
			if err == nil {
				for msg := range batch.Messages() {
					if meta, err := msg.Metadata(); err == nil {
						next = max(next, meta.Sequence.Stream+1)
					}
					r.take(msg)
				}
				err = batch.Error()
			}
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				select { // the consumer, or the server, is gone: begin again after what has come
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
				break
			}
		}
	}
}

func (r *Run) take(msg jetstream.Msg) {
	name := msg.Subject()[strings.LastIndexByte(msg.Subject(), '.')+1:]
	rec, err := parseRecord(msg.Data())
	if err != nil {
		rec = &record{Failure: err.Error()}
	}
	r.settle(name, rec)
}

// tend tells others how far the run is, and looks now and then whether tasks that nothing is heard of are still there.
func (r *Run) tend(ctx context.Context) {
	tick := time.NewTicker(4 * time.Second)
	defer tick.Stop()
	heard, since := int64(-1), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := r.report(ctx); err != nil {
			continue // those who wait for results are told
		}
		if n := r.done.Load(); n != heard {
			heard, since = n, time.Now()
		}
		if time.Since(since) > reconcile {
			r.reconcile(ctx)
			since = time.Now()
		}
	}
}

// reconcile hands out again what has been lost: a server may have been set up anew, or its queue may have been emptied.
func (r *Run) reconcile(ctx context.Context) {
	r.mu.Lock()
	var list []*waiting
	for _, w := range r.waiting {
		if time.Since(w.asked) > reconcile {
			list = append(list, w)
		}
	}
	clear(r.announced)
	r.mu.Unlock()
	for _, w := range list {
		rec, err := r.c.known(ctx, w.task.Name)
		switch {
		case err != nil:
			return // there is a next time
		case rec != nil:
			r.settle(w.task.Name, rec)
		default: // one that waits or is worked on stays as it is
			if err := r.handOut(ctx, w.task, w.model); err != nil {
				return
			}
		}
	}
}

// Progress says how far a run is.
type Progress struct {
	Done, Open, Known int // tasks
	Busy              int // of the open ones, are worked on
	Workers, Others   int // workers of this build, and of others
	Slots             int // tasks that workers of this build can do at once
}

// Progress asks the server how far things are.
func (r *Run) Progress(ctx context.Context) (Progress, error) {
	p := Progress{Done: int(r.done.Load()), Open: int(r.open.Load()), Known: int(r.known.Load())}
	list, err := r.c.Workers(ctx)
	for _, w := range list {
		if w.Build != buildToken(r.c.o.Build) {
			p.Others++
			continue
		}
		p.Workers++
		p.Slots += w.Jobs
		p.Busy += w.Busy
	}
	p.Busy = min(p.Busy, p.Open)
	return p, err
}

// String is a few words for people.
func (p Progress) String() string {
	count := func(n int, what string) string { return spell.Count(n, what, what+"s") }
	text := fmt.Sprintf("%d running, %d waiting, %s", p.Busy, p.Open-p.Busy, count(p.Workers, "worker"))
	if p.Others > 0 {
		text += fmt.Sprintf(" (and %d of other versions)", p.Others)
	}
	return text
}

// consumer returns who hands out the tasks that want a solver. Those who ask
// and those who work create it: the first one does.
func (c *Client) consumer(ctx context.Context, solver string) (jetstream.Consumer, error) {
	return c.js.CreateOrUpdateConsumer(ctx, taskStream, jetstream.ConsumerConfig{
		Durable:       "tacheck-" + buildToken(c.o.Build) + "-" + token(solver),
		Description:   consumerDescription(c.o.Release, solver),
		FilterSubject: c.queue(solver) + ".>",
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
		MaxDeliver:    -1,
		MaxAckPending: 1 << 16,
	})
}

// Ask has a worker that has the solver ("" if none is needed) do a task, and
// waits for what comes of it. The error is *Failed if nothing does.
func (k Kind[In, Out]) Ask(ctx context.Context, r *Run, solver string, model []byte,
	in In) (out Out, from Origin, err error) {
	input, err := json.Marshal(in)
	if err != nil {
		return out, from, err
	}
	rec, from, err := r.do(ctx, &task{Kind: k.Name, Solver: solver, Input: input}, model)
	if err != nil {
		return out, from, err
	}
	from.Worker, from.Certificate = rec.Worker, rec.Certificate
	if rec.Failure != "" {
		return out, from, &Failed{rec.Failure, rec.Worker}
	}
	text, err := r.c.output(ctx, rec)
	if err != nil {
		return out, from, err
	}
	if err := strictly(text, &out); err != nil {
		return out, from, &Failed{fmt.Sprintf("the result of %s cannot be read: %v", rec.Worker, err), rec.Worker}
	}
	return out, from, nil
}
