// Package local runs a cluster of this machine: a server with a folder, and worker processes,
// which are started again should they end (keep.go).
package local

import (
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
)

// Cluster is a cluster of this machine: a server with a folder, and worker processes. Those that end are started again.
// All end with this process; the folder stays until the run is complete, so that it can be taken up.
type Cluster struct {
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
		return "", fmt.Errorf("%s, which comes with tacheck, is neither beside it nor on the PATH", hubProgram)
	}
	return path, nil
}

// Options say what a cluster is for.
type Options struct {
	Program string // the file of tacheck
	ID      string // of the run (cluster.RunID)
	Jobs    int    // workers; at least one
	Fresh   bool   // forget what is left of the run
	Resume  bool   // it is an error if nothing is left of it
}

// Start starts a server and workers for a run. What is left of the run, if it was interrupted, is
// used. Its errors say what is missing, or that another process is at the same.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	hub, err := findHub(o.Program)
	if err != nil {
		return nil, err
	}
	l := &Cluster{token: rand.Text()}
	if err := l.claim(o); err != nil {
		return nil, err
	}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := l.serve(ctx, hub); err != nil {
		l.End(false)
		return nil, fmt.Errorf("%s: %w", hubProgram, err)
	}
	for range max(1, o.Jobs) {
		l.keep(func() *exec.Cmd {
			cmd := exec.Command(o.Program, "worker", "--jobs", "1")
			cmd.Env = append(os.Environ(), "NATS_URL="+l.URL())
			return cmd
		}, func(string) {}, func(error) {})
	}
	return l, nil
}

// claim makes the run's folder this process's own.
func (l *Cluster) claim(o Options) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("a run is kept in the folder for caches: %w", err)
	}
	l.dir = filepath.Join(cache, "tacheck", "cluster", o.ID)
	if _, err := os.Stat(l.dir); o.Resume && errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no run of this to take up")
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	if l.lock, err = os.Create(filepath.Join(l.dir, "lock")); err != nil {
		return err
	}
	if err := syscall.Flock(int(l.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(errors.New("the same is being done already, by another process"), l.lock.Close())
	}
	if o.Fresh {
		if err := os.RemoveAll(filepath.Join(l.dir, "jetstream")); err != nil {
			return errors.Join(err, l.lock.Close())
		}
	}
	return nil
}

// serve starts the server, and waits until it can be reached.
func (l *Cluster) serve(ctx context.Context, hub string) error {
	ready := make(chan error, 1)
	l.keep(func() *exec.Cmd {
		listen := "127.0.0.1:0"
		if addr := l.address(); addr != "" {
			listen = addr
		}
		cmd := exec.Command(hub, "--dir", l.dir, "--listen", listen)
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
	case err := <-ready:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Cluster) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.addr
}

// URL is where the server is reached, with what it takes to be let in.
func (l *Cluster) URL() string { return "nats://" + l.token + "@" + l.address() }

// End ends all processes. If the run is complete there is nothing to take up.
func (l *Cluster) End(complete bool) {
	l.stop()
	l.ended.Wait()
	if complete {
		_ = os.RemoveAll(l.dir) // what is left takes room, and does no harm
	}
	_ = l.lock.Close()
}
