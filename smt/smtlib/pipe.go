// Package smtlib drives any SMT-LIB 2 solver over a pipe: `z3 -in`, cvc5, or a command line that the user gives. No
// shell is involved. It also writes scripts of what a solver was asked.
package smtlib

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/tacheck/tacheck/internal/child"
	"github.com/tacheck/tacheck/smt"
)

// Known are the command lines of the solvers that have a name.
var Known = map[string][]string{
	"z3-pipe": {"z3", "-in", "-smt2"},
	"cvc5":    {"cvc5", "--incremental", "--produce-models", "--lang", "smt2", "--quiet"},
}

// Names are the names of the known solvers, the one to prefer first.
var Names = []string{"z3-pipe", "cvc5"}

// Installed lists the known solvers that are on the PATH, by name.
func Installed() (list []string) {
	for _, name := range Names {
		if _, err := exec.LookPath(Known[name][0]); err == nil {
			list = append(list, name)
		}
	}
	return list
}

// New starts the solver with the given command line, which must read SMT-LIB 2
// from standard input and answer on standard output.
func New(command []string) (smt.Solver, error) {
	if len(command) == 0 {
		return nil, errors.New("the solver's command line is empty")
	}
	cmd := exec.Command(command[0], command[1:]...)
	child.Detach(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var stderr tail
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, &smt.Failure{Err: fmt.Errorf("%s is not on the PATH: install z3 or cvc5",
				command[0])}
		}
		return nil, &smt.Failure{Err: fmt.Errorf("starting the solver: %w", err)}
	}
	s := &pipe{name: strings.Join(command, " "), cmd: cmd, in: stdin, stderr: &stderr,
		out: newWriter(bufio.NewWriter(stdin)), answers: bufio.NewReaderSize(stdout, maxLine),
		release: make(chan struct{}), exited: make(chan struct{})}
	go func() {
		defer close(s.exited)
		<-s.release // the answers are no longer read
		s.exit = cmd.Wait()
	}()
	s.out.text("(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic QF_LIA)\n")
	return s, nil
}

// pipe is a solver process.
type pipe struct {
	name    string
	cmd     *exec.Cmd
	in      io.Closer
	out     *writer
	answers *bufio.Reader
	stderr  *tail
	err     error
	model   bool

	closing sync.Once
	release chan struct{}
	exited  chan struct{}
	exit    error
}

func (s *pipe) Name() string { return s.name }

func (s *pipe) Push() { s.model = false; s.out.push() }
func (s *pipe) Pop()  { s.model = false; s.out.pop() }

func (s *pipe) Assert(f *smt.Formula) { s.model = false; s.out.assert(f) }

func (s *pipe) Check(ctx context.Context) (smt.Answer, error) {
	s.model = false
	if s.err != nil {
		return smt.Answer{}, s.err
	}
	if ctx.Err() != nil {
		return smt.Answer{Reason: smt.Interrupted(ctx)}, nil
	}
	s.out.text("(check-sat)\n")
	line, err := s.ask(ctx, s.readWord)
	switch {
	case err != nil && ctx.Err() != nil:
		s.err = fmt.Errorf("the solver was stopped: %s", smt.Interrupted(ctx))
		return smt.Answer{Reason: smt.Interrupted(ctx)}, nil
	case err != nil:
		return smt.Answer{}, err
	}
	switch word := strings.TrimSpace(line); word {
	case "sat":
		s.model = true
		return smt.Answer{Status: smt.Sat}, nil
	case "unsat":
		return smt.Answer{Status: smt.Unsat}, nil
	case "unknown", "timeout":
		return smt.Answer{Reason: s.name + " answered " + word}, nil
	default:
		s.err = &smt.Failure{Err: fmt.Errorf("the solver answered %q to (check-sat)", word)}
		return smt.Answer{}, s.err
	}
}

// maxLine bounds the line that answers (check-sat).
const maxLine = 64 << 10

// readWord reads the next line that is not blank.
func (s *pipe) readWord() (string, error) {
	for {
		line, err := s.answers.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			err = fmt.Errorf("the solver's answer is longer than %d bytes", maxLine)
		}
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return string(line), err
		}
	}
}

// ask sends what is buffered and reads an answer. When ctx is cancelled, the solver is killed, which ends the reading.
func (s *pipe) ask(ctx context.Context, read func() (string, error)) (string, error) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-ctx.Done():
			s.kill()
		case <-done:
		}
	}()
	err := s.out.w.Flush()
	var answer string
	if err == nil {
		answer, err = read()
	}
	close(done)
	<-gone
	if err != nil {
		s.err = s.broken(err)
		return "", s.err
	}
	return answer, nil
}

// broken explains why the pipe broke.
func (s *pipe) broken(err error) error {
	s.kill()
	s.stop()
	what := "the solver ended"
	if s.exit != nil {
		what += " (" + s.exit.Error() + ")"
	}
	if msg := s.stderr.String(); msg != "" {
		return &smt.Failure{Err: fmt.Errorf("%s: %s", what, msg)}
	}
	return &smt.Failure{Err: fmt.Errorf("%s: %w", what, err)}
}

func (s *pipe) Values(vars []*smt.Var) ([]*big.Int, error) {
	if !s.model {
		return nil, errors.New("there is no model")
	}
	out := make([]*big.Int, len(vars))
	const batch = 500
	for from := 0; from < len(vars); from += batch {
		to := min(from+batch, len(vars))
		if err := s.values(vars[from:to], out[from:to]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *pipe) values(vars []*smt.Var, out []*big.Int) error {
	var names []string
	for _, v := range vars {
		if _, ok := s.out.declared[v.Name]; ok {
			names = append(names, v.Name)
		}
	}
	values := map[string]*big.Int{}
	if len(names) > 0 {
		s.out.text("(get-value (" + strings.Join(names, " ") + "))\n")
		answer, err := s.ask(context.Background(), func() (string, error) { return readList(s.answers) })
		if err != nil {
			return err
		}
		if values, err = parseValues(answer); err != nil {
			s.err = &smt.Failure{Err: err}
			return s.err
		}
	}
	for i, v := range vars {
		if out[i] = values[v.Name]; out[i] == nil {
			if _, ok := s.out.declared[v.Name]; ok {
				return &smt.Failure{Err: fmt.Errorf("the solver gave no value for %s", v.Name)}
			}
			out[i] = new(big.Int) // occurs nowhere: any value will do
		}
	}
	return nil
}

func (s *pipe) Close() error {
	s.out.text("(exit)\n")
	if s.err == nil {
		_ = s.out.w.Flush() // it is going to be killed anyway
	}
	s.kill()
	s.stop()
	if s.err == nil {
		s.err = errors.New("the solver is closed")
	}
	return nil
}

func (s *pipe) kill() { child.Kill(s.cmd.Process) }

// stop waits for the process, whose pipes are no longer read.
func (s *pipe) stop() {
	s.closing.Do(func() {
		s.in.Close()
		close(s.release)
	})
	select {
	case <-s.exited:
	case <-time.After(5 * time.Second):
	}
}

// tail keeps the last part of what a solver writes to standard error.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - 2000; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.buf))
}
