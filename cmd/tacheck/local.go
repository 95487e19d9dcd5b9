package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"tacheck/internal/child"
)

// localCluster is a cluster of this machine: a server with a folder, and worker
// processes. Those that end are started again. All end with this process; the folder
// stays until the run is complete, so that it can be taken up.
type localCluster struct {
	dir   string
	lock  *os.File
	token string
	ctx   context.Context
	stop  context.CancelFunc
	ended sync.WaitGroup

	mu   sync.Mutex
	addr string
}

// hubProgram is the server's program, beside this one or on the PATH.
const hubProgram = "tacheck-hub"

func findHub(self string) (string, error) {
	beside := filepath.Join(filepath.Dir(self), hubProgram)
	if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
		return beside, nil
	}
	path, err := exec.LookPath(hubProgram)
	if err != nil {
		return "", fmt.Errorf("--cluster local: %s, which comes with tacheck, is neither beside it nor on the PATH", hubProgram)
	}
	return path, nil
}

// startLocal starts a server and so many workers for a run. What is left of the
// run, if it was interrupted, is used: it has to be there for resume, and is removed
// for fresh.
func startLocal(ctx context.Context, id string, jobs int, fresh, resume bool) (l *localCluster, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	hub, err := findHub(self)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("--cluster local keeps a run in the folder for caches: %w", err)
	}
	dir := filepath.Join(cache, "tacheck", "cluster", id)
	if _, err := os.Stat(dir); resume && errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no run of this to take up")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l = &localCluster{dir: dir, token: rand.Text()}
	if l.lock, err = os.Create(filepath.Join(dir, "lock")); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(l.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(errors.New("the same is being done already, by another process"), l.lock.Close())
	}
	if fresh {
		if err := os.RemoveAll(filepath.Join(dir, "jetstream")); err != nil {
			return nil, errors.Join(err, l.lock.Close())
		}
	}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	ready := make(chan error, 1)
	l.keep(func() *exec.Cmd {
		listen := "127.0.0.1:0"
		if addr := l.address(); addr != "" {
			listen = addr
		}
		cmd := exec.Command(hub, "--dir", dir, "--listen", listen)
		cmd.Env = append(os.Environ(), "TACHECK_HUB_TOKEN="+l.token)
		return cmd
	}, func(line string) {
		if _, addr, found := strings.Cut(line, "nats://"); found && l.address() == "" {
			l.mu.Lock()
			l.addr = addr
			l.mu.Unlock()
			ready <- nil
		}
	}, func(err error) {
		select {
		case ready <- err:
		default:
		}
	})
	select {
	case err = <-ready:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		l.end(false)
		return nil, fmt.Errorf("%s: %w", hubProgram, err)
	}
	for range max(1, jobs) {
		l.keep(func() *exec.Cmd {
			cmd := exec.Command(self, "worker", "--jobs", "1")
			cmd.Env = append(os.Environ(), "NATS_URL="+l.url())
			return cmd
		}, func(string) {}, func(error) {})
	}
	return l, nil
}

func (l *localCluster) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.addr
}

func (l *localCluster) url() string { return "nats://" + l.token + "@" + l.address() }

// keep keeps a process running: if it ends, it is started again. line is called
// with what it prints, failed with how it ended before its time.
func (l *localCluster) keep(command func() *exec.Cmd, line func(string), failed func(error)) {
	l.ended.Go(func() {
		for l.ctx.Err() == nil {
			cmd := command()
			child.Detach(cmd)
			name := filepath.Join(l.dir, "log")
			log, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err == nil {
				cmd.Stderr = log
				err = errors.Join(l.once(cmd, line), log.Close())
			}
			if l.ctx.Err() != nil {
				return
			}
			if text, e := os.ReadFile(name); e == nil && len(text) > 0 {
				err = errors.Join(err, errors.New(lastLine(string(text))))
			}
			failed(err)
			select {
			case <-l.ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
}

func lastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// once runs a process until it ends, or is told to.
func (l *localCluster) once(cmd *exec.Cmd, line func(string)) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(l.ctx, func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		time.Sleep(5 * time.Second)
		_ = cmd.Process.Kill() // as usual
	})
	defer stop()
	s := bufio.NewScanner(out)
	for s.Scan() {
		line(s.Text())
	}
	return errors.Join(s.Err(), cmd.Wait())
}

// end ends all processes. If the run is complete there is nothing to take up.
func (l *localCluster) end(complete bool) {
	l.stop()
	l.ended.Wait()
	if complete {
		_ = os.RemoveAll(l.dir) // what is left takes room, and does no harm
	}
	_ = l.lock.Close()
}
