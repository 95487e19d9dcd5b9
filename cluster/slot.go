package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/internal/child"
)

// A worker does not do tasks itself: processes of its own do, so that a task that kills the process that works on it
// leaves a process that tells of it. They are given tasks, and answer, in JSON on their standard streams.

// request is a task for a slot.
type request struct {
	Kind  string          `json:"kind"`
	Model []byte          `json:"model,omitempty"`
	Input json.RawMessage `json:"input"`
}

// response is an answer, or if nothing is set a sign of life.
type response struct {
	Output json.RawMessage `json:"output,omitempty"`
	Keep   bool            `json:"keep,omitempty"`
	Error  string          `json:"error,omitempty"`
	Died   string          `json:"died,omitempty"`
	Spent  bool            `json:"spent,omitempty"` // the process ends: another one has to do what is next
}

const (
	beat   = 500 * time.Millisecond // between signs of life
	frozen = 20 * time.Second       // without one, a process has stopped
)

// Serve is the other end: it does one task after the other, as they come, until
// in ends, or spent (if it is not nil) says that this process had better do no more.
func Serve(ctx context.Context, in io.Reader, out io.Writer, handlers Handlers, spent func() bool) error {
	var mu sync.Mutex
	e := json.NewEncoder(out)
	say := func(r response) error {
		mu.Lock()
		defer mu.Unlock()
		return e.Encode(r)
	}
	d := json.NewDecoder(in)
	for {
		var q request
		if err := d.Decode(&q); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
		stop := make(chan struct{})
		var alive sync.WaitGroup
		alive.Go(func() {
			tick := time.NewTicker(beat)
			defer tick.Stop()
			for {
				select {
				case <-stop:
					return
				case <-tick.C:
					if say(response{}) != nil {
						return
					}
				}
			}
		})
		r := handlers.one(ctx, q)
		close(stop)
		alive.Wait()
		r.Spent = spent != nil && spent()
		if err := say(r); err != nil || r.Spent {
			return err
		}
	}
}

func (h Handlers) one(ctx context.Context, q request) (r response) {
	defer func() {
		if p := recover(); p != nil {
			r = response{Error: fmt.Sprintf("internal error, please report: %v\n%s", p, debug.Stack())}
		}
	}()
	do := h[q.Kind]
	if do == nil {
		return response{Error: fmt.Sprintf("tasks of kind %q are not known here", q.Kind)}
	}
	out, keep, err := do(ctx, q.Model, q.Input)
	var dead *Died
	if errors.As(err, &dead) {
		return response{Died: dead.How}
	}
	if err != nil {
		return response{Error: err.Error()}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return response{Error: err.Error()}
	}
	if len(text) > maxObject {
		return response{Error: fmt.Sprintf("the result has %d bytes: more than the %d that go through a cluster",
			len(text), maxObject)}
	}
	return response{Output: text, Keep: keep}
}

// slot is a process that does tasks, one at a time. It is started when there is something to do.
type slot struct {
	command func() *exec.Cmd
	frozen  time.Duration // without a sign of life
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	stderr  *tail
}

// Died is the error for tasks whose process is gone before it has answered. They are tried again, some times.
type Died struct{ How string }

func (e *Died) Error() string { return e.How }

func (s *slot) start() error {
	s.cmd = s.command()
	child.Detach(s.cmd)
	s.stderr = &tail{}
	s.cmd.Stderr = s.stderr
	var err error
	var out io.ReadCloser
	if s.in, err = s.cmd.StdinPipe(); err == nil {
		if out, err = s.cmd.StdoutPipe(); err == nil {
			err = s.cmd.Start()
		}
	}
	if err != nil {
		s.cmd = nil
		return err
	}
	s.out = json.NewDecoder(out)
	return nil
}

// do has a task done. If ctx ends, or there are no signs of life, the process is killed.
func (s *slot) do(ctx context.Context, q request) (response, error) {
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return response{}, err
		}
	}
	type outcome struct {
		response
		err error
	}
	answers := make(chan outcome)
	done := make(chan struct{})
	defer close(done)
	out, in := s.out, s.in
	go func() {
		send := func(o outcome) bool {
			select {
			case answers <- o:
				return true
			case <-done:
				return false
			}
		}
		if err := json.NewEncoder(in).Encode(q); err != nil {
			send(outcome{err: err})
			return
		}
		for {
			var o outcome
			o.err = out.Decode(&o.response)
			if !send(o) || o.err != nil || o.Output != nil || o.Error+o.Died != "" {
				return
			}
		}
	}()
	silence := time.NewTimer(s.frozen)
	defer silence.Stop()
	for {
		select {
		case <-ctx.Done():
			s.kill()
			return response{}, context.Cause(ctx)
		case <-silence.C:
			s.kill()
			return response{}, &Died{fmt.Sprintf("the process gave no sign of life for %v, and was killed", s.frozen)}
		case o := <-answers:
			switch {
			case o.err != nil:
				return response{}, &Died{"the process ended (" + s.kill() + ")"}
			case o.Died != "" || o.Spent:
				s.kill()
			}
			switch {
			case o.Died != "":
				return response{}, &Died{o.Died}
			case o.Output != nil || o.Error != "":
				return o.response, nil
			}
			silence.Reset(s.frozen)
		}
	}
}

// kill ends the process, and says how it ended.
func (s *slot) kill() string {
	if s.cmd == nil {
		return ""
	}
	// A process that has ended by itself is given the time to say how.
	ended := make(chan error, 1)
	cmd := s.cmd
	go func() { ended <- cmd.Wait() }()
	_ = s.in.Close() // it may be gone
	var err error
	select {
	case err = <-ended:
	case <-time.After(50 * time.Millisecond):
		_ = cmd.Process.Kill() // nothing to be done if it has ended meanwhile
		err = <-ended
	}
	s.cmd = nil
	how := "exit status 0"
	if err != nil {
		how = err.Error()
	}
	if said := s.stderr.String(); said != "" {
		how += ": " + said
	}
	return how
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

const tailBytes = 600

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(p)
	if n := t.buf.Len(); n > 2*tailBytes {
		t.buf.Next(n - tailBytes)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.buf.Bytes()
	return strings.TrimSpace(strings.ToValidUTF8(string(text[max(0, len(text)-tailBytes):]), "?"))
}
