// Package cluster hands out work to any number of machines, and collects what comes of it: tasks are messages in a
// durable work queue of a NATS JetStream server, results are kept under the names of their tasks. It knows nothing of
// verification: what the kinds of tasks are is said by package cluster/work.
package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say how to reach a server, and who does.
type Options struct {
	URL string // nats://host:port or tls://host:port; several with commas
	// Creds is a NATS credentials file; CA, Cert and Key are PEM files for TLS.
	// They are handed to the NATS library as they are; "" means none.
	Creds, CA, Cert, Key string
	// Build names the program: tasks go to workers of the same build.
	Build string
	// Release is what people call the build.
	Release string
	// Patience is how long a server may be away, or refuse to store, before that is an error; 0 means DefaultPatience.
	Patience time.Duration
	// Trouble, if not nil, is told what is wrong with the server when something is, and "" when that is over.
	Trouble func(string)
}

// DefaultPatience outlasts the restart of a server, and most of its machine.
const DefaultPatience = 5 * time.Minute

// Client is a connection to the server. Close it after use. It may be used by several goroutines at once.
type Client struct {
	o        Options
	conn     *nats.Conn
	js       jetstream.JetStream
	results  jetstream.KeyValue // by name of task: results that do not change
	runs     jetstream.KeyValue // by run: who asks for what
	workers  jetstream.KeyValue // by worker: what it does; forgotten after a while
	attempts jetstream.KeyValue // by task: what became of those who worked on it
	models   jetstream.ObjectStore

	mu       sync.Mutex
	troubled bool
}

// What the server keeps, and for how long.
const (
	taskStream = "TACHECK_TASKS"
	doneStream = "TACHECK_DONE"

	keepTasks    = 14 * 24 * time.Hour
	keepDone     = 14 * 24 * time.Hour
	keepResults  = 90 * 24 * time.Hour
	keepRuns     = 30 * 24 * time.Hour
	keepAttempts = 24 * time.Hour
	keepWorkers  = 15 * time.Second
)

// Bounds on what goes through a server, in bytes.
const (
	maxInline = 512 << 10 // in a message; larger results and all models are objects
	// maxObject is how large a model or a result may be.
	maxObject = 64 << 20
)

// Connect connects to a server and creates what is not there yet: streams and
// buckets that exist are left as they are, however they are configured.
func Connect(ctx context.Context, o Options) (*Client, error) {
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	c := &Client{o: o}
	options := []nats.Option{nats.Name("tacheck " + o.Release), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.Timeout(5 * time.Second), nats.ReconnectBufSize(-1), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			c.trouble(err.Error())
		})}
	if o.Creds != "" {
		options = append(options, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	if o.Cert != "" || o.Key != "" {
		options = append(options, nats.ClientCert(o.Cert, o.Key))
	}
	conn, err := nats.Connect(o.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("no connection to the cluster's server: %w", err)
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		conn.Close()
		return nil, err
	}
	c.conn, c.js = conn, js
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := c.create(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("the cluster's server, which has to have JetStream: %w", err)
	}
	return c, nil
}

// Close ends the connection.
func (c *Client) Close() { c.conn.Close() }

// create makes sure that streams and buckets are there.
func (c *Client) create(ctx context.Context) error {
	for _, s := range []jetstream.StreamConfig{
		{Name: taskStream, Description: "tacheck: tasks that wait or are worked on",
			Subjects: []string{"tacheck.task.>"}, Retention: jetstream.WorkQueuePolicy, MaxMsgsPerSubject: 1,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxAge: keepTasks,
			Storage: jetstream.FileStorage},
		{Name: doneStream, Description: "tacheck: what came of tasks, by run", Subjects: []string{"tacheck.done.>"},
			MaxMsgsPerSubject: 1, MaxAge: keepDone, Storage: jetstream.FileStorage},
	} {
		if _, err := c.js.Stream(ctx, s.Name); errors.Is(err, jetstream.ErrStreamNotFound) {
			if _, err := c.js.CreateStream(ctx, s); err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				return err
			}
		} else if err != nil {
			return err
		}
	}
	for _, b := range []struct {
		into *jetstream.KeyValue
		jetstream.KeyValueConfig
	}{
		{&c.results, jetstream.KeyValueConfig{Bucket: "tacheck_results", Description: "tacheck: results, by task",
			TTL: keepResults}},
		{&c.runs, jetstream.KeyValueConfig{Bucket: "tacheck_runs", Description: "tacheck: who asks for what",
			TTL: keepRuns}},
		{&c.workers, jetstream.KeyValueConfig{Bucket: "tacheck_workers", Description: "tacheck: workers",
			TTL: keepWorkers}},
		{&c.attempts, jetstream.KeyValueConfig{Bucket: "tacheck_attempts",
			Description: "tacheck: tasks that went wrong", TTL: keepAttempts}},
	} {
		kv, err := c.js.KeyValue(ctx, b.Bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			if kv, err = c.js.CreateKeyValue(ctx, b.KeyValueConfig); errors.Is(err, jetstream.ErrBucketExists) {
				kv, err = c.js.KeyValue(ctx, b.Bucket)
			}
		}
		if err != nil {
			return err
		}
		if *b.into == nil { // one that is there is good for a bucket that is created again, and others use it
			*b.into = kv
		}
	}
	models := jetstream.ObjectStoreConfig{Bucket: "tacheck_models",
		Description: "tacheck: models and large results, by digest", TTL: keepResults}
	store, err := c.js.ObjectStore(ctx, models.Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		if store, err = c.js.CreateObjectStore(ctx, models); errors.Is(err, jetstream.ErrBucketExists) {
			store, err = c.js.ObjectStore(ctx, models.Bucket)
		}
	}
	if err == nil && c.models == nil {
		c.models = store
	}
	return err
}

// insist does something with the server until it works, or fails for a reason
// that does not go away, or patience ends. What it does may be done twice.
func (c *Client) insist(ctx context.Context, do func(context.Context) error) error {
	begin := time.Now()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		attempt, cancel := context.WithTimeout(ctx, min(10*time.Second, c.o.Patience))
		err := do(attempt)
		cancel()
		if err == nil {
			c.trouble("")
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if permanent(err) {
			return err
		}
		if time.Since(begin) > c.o.Patience {
			return fmt.Errorf("the cluster's server, for %v: %s: %w", c.o.Patience, describe(err), err)
		}
		c.trouble(describe(err))
		if missing(err) {
			again, cancel := context.WithTimeout(ctx, 10*time.Second)
			err = c.create(again)
			cancel()
			if err == nil {
				continue
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// permanent reports whether an answer is one that another attempt gets, too.
func permanent(err error) bool {
	return slices.ContainsFunc([]error{jetstream.ErrKeyExists, jetstream.ErrKeyNotFound, jetstream.ErrKeyDeleted,
		jetstream.ErrObjectNotFound, jetstream.ErrMsgNotFound,
		errTwice, errBad, nats.ErrMaxPayload, nats.ErrConnectionClosed, nats.ErrPermissionViolation},
		func(target error) bool { return errors.Is(err, target) })
}

// describe says what is wrong in words that need no knowledge of the library.
func describe(err error) string {
	switch {
	case errors.Is(err, nats.ErrReconnectBufExceeded), errors.Is(err, nats.ErrConnectionReconnecting),
		errors.Is(err, nats.ErrDisconnected):
		return "no connection"
	case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return "no answer"
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "JetStream does not answer (is its disk full?)"
	}
	return err.Error()
}

// missing reports whether streams may have to be created again.
func missing(err error) bool {
	return errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) ||
		errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, nats.ErrNoResponders)
}

// trouble tells what is wrong with the server, or that nothing is any more.
func (c *Client) trouble(what string) {
	c.mu.Lock()
	tell := c.o.Trouble != nil && (what != "" || c.troubled)
	c.troubled = what != ""
	c.mu.Unlock()
	if tell {
		c.o.Trouble(what)
	}
}

// errBad is what is wrong with what was stored.
var errBad = errors.New("not what was stored")

// digest names a text by its content.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// store keeps a text under its digest.
func (c *Client) store(ctx context.Context, text []byte) (string, error) {
	if len(text) > maxObject {
		return "", fmt.Errorf("%d bytes are more than the %d that go through a cluster", len(text), maxObject)
	}
	name := digest(text)
	err := c.insist(ctx, func(ctx context.Context) error {
		if info, err := c.models.GetInfo(ctx, name); err == nil && info.Size == uint64(len(text)) {
			return nil
		}
		_, err := c.models.PutBytes(ctx, name, text)
		return err
	})
	return name, err
}

// load returns a text that was stored. What was put in its place is noticed.
func (c *Client) load(ctx context.Context, name string) (text []byte, err error) {
	err = c.insist(ctx, func(ctx context.Context) error {
		info, err := c.models.GetInfo(ctx, name)
		if err != nil {
			return err
		}
		if info.Size > maxObject {
			return fmt.Errorf("%s has %d bytes: %w", name, info.Size, errBad)
		}
		if text, err = c.models.GetBytes(ctx, name); err == nil && digest(text) != name {
			err = fmt.Errorf("%s: %w", name, errBad)
		}
		return err
	})
	return text, err
}
