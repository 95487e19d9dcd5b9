package local

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tacheck/tacheck/internal/child"
)

// keep keeps a process running: if it ends, it is started again. line is called
// with what it prints, failed with how it ended before its time.
func (l *Cluster) keep(command func() *exec.Cmd, line func(string), failed func(error)) {
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
func (l *Cluster) once(cmd *exec.Cmd, line func(string)) error {
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
