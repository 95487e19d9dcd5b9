package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	written "github.com/tacheck/tacheck/internal/record"
)

// task is a piece of work as it lies in the queue.
type task struct {
	Name   string          `json:"name"`            // of all that its result depends on
	Run    string          `json:"run"`             // for which it was asked
	Nonce  string          `json:"nonce,omitempty"` // of a run that does everything anew
	Kind   string          `json:"kind"`
	Solver string          `json:"solver,omitempty"` // that a worker has to have
	Model  string          `json:"model,omitempty"`  // digest of a text
	Input  json.RawMessage `json:"input"`
}

// record is what came of a task.
type record struct {
	Output  json.RawMessage `json:"output,omitempty"`
	Object  string          `json:"object,omitempty"`  // digest of the output, if it is large
	Failure string          `json:"failure,omitempty"` // why there is no output
	Worker  string          `json:"worker,omitempty"`
	// Certificate is the digest of a certificate of the output, if a command has made one.
	Certificate string `json:"certificate,omitempty"`
}

// errTwice says that a task is in the queue already.
var errTwice = errors.New("the task is in the queue")

// fingerprint names a task by all that its result depends on.
func fingerprint(build string, t *task) string {
	var b bytes.Buffer
	for _, part := range []string{build, t.Nonce, t.Kind, t.Solver, t.Model, string(t.Input)} {
		fmt.Fprintf(&b, "%d:%s,", len(part), part)
	}
	return digest(b.Bytes())[:40]
}

// parseTask reads a task from the queue of a build, and makes sure that it is what its name says.
func parseTask(build string, text []byte) (*task, error) {
	t := &task{}
	if err := strictly(text, t); err != nil {
		return nil, err
	}
	if t.Name != fingerprint(build, t) {
		return nil, fmt.Errorf("it is not what its name says: %w", errBad)
	}
	if t.Run != token(t.Run) {
		return nil, fmt.Errorf("%q is no run", t.Run)
	}
	return t, nil
}

// token makes a name a token of a subject.
func token(name string) string {
	if name == "" {
		return "any"
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
}

func buildToken(build string) string { return digest([]byte(build))[:12] }

// queue is the subject of tasks that workers of this build with a solver take, without run and task.
func (c *Client) queue(solver string) string {
	return "tacheck.task." + buildToken(c.o.Build) + "." + token(solver)
}

func doneSubject(run, name string) string { return "tacheck.done." + run + "." + name }

func cancelSubject(run string) string { return "tacheck.cancel." + run }

func consumerDescription(release, solver string) string {
	text := "tacheck " + release
	if solver != "" {
		text += " with " + solver
	}
	return text
}

// publish puts a task in the queue; one that is there already stays.
func (c *Client) publish(ctx context.Context, t *task) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if len(text) > maxInline {
		return fmt.Errorf("a task of %d bytes is larger than %d", len(text), maxInline)
	}
	err = c.insist(ctx, func(ctx context.Context) error {
		_, err := c.js.Publish(ctx, c.queue(t.Solver)+"."+t.Run+"."+t.Name, text)
		var api *jetstream.APIError
		if errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject") {
			return errTwice
		}
		return err
	})
	if errors.Is(err, errTwice) {
		err = nil
	}
	return err
}

// known returns the result of a task that another command has asked for.
func (c *Client) known(ctx context.Context, name string) (*record, error) {
	var r *record
	err := c.insist(ctx, func(ctx context.Context) error {
		e, err := c.results.Get(ctx, name)
		if err == nil {
			r, err = parseRecord(e.Value())
		}
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrKeyDeleted) {
		err = nil
	}
	return r, err
}

func parseRecord(text []byte) (*record, error) {
	r := &record{}
	if err := strictly(text, r); err != nil {
		return nil, fmt.Errorf("a result: %w: %w", errBad, err)
	}
	return r, nil
}

// strictly reads JSON that has to be of a form.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return written.Alone(d, into)
}

// keep writes a result that does not change, once.
func (c *Client) keep(ctx context.Context, name string, r *record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	err = c.insist(ctx, func(ctx context.Context) error {
		_, err := c.results.Create(ctx, name, text)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyExists) {
		err = nil // it has been computed twice, and one is as good as the other
	}
	return err
}

// certify notes that there is a certificate of a result that is kept.
func (c *Client) certify(ctx context.Context, name, certificate string) error {
	return c.insist(ctx, func(ctx context.Context) error {
		e, err := c.results.Get(ctx, name)
		if err != nil {
			return err
		}
		r, err := parseRecord(e.Value())
		if err != nil {
			return err
		}
		r.Certificate = certificate
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err = c.results.Update(ctx, name, text, e.Revision()); errors.Is(err, jetstream.ErrKeyExists) {
			err = errors.New("another process writes at the same time")
		}
		return err
	})
}

// tell says what came of a task of a run.
func (c *Client) tell(ctx context.Context, run, name string, r *record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.insist(ctx, func(ctx context.Context) error {
		_, err := c.js.Publish(ctx, doneSubject(run, name), text)
		return err
	})
}

// output returns the output of a record, wherever it is.
func (c *Client) output(ctx context.Context, r *record) (json.RawMessage, error) {
	if r.Object == "" {
		return r.Output, nil
	}
	return c.load(ctx, r.Object)
}
