//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestInterrupt cancels a verification whose solver never answers, as Ctrl-C
// does: the verdict is unknown, and the solver is gone.
func TestInterrupt(t *testing.T) {
	for _, test := range []struct {
		name, reason string
		args         []string
		cancel       bool
	}{
		{"interrupt", "unknown: interrupted", nil, true},
		{"timeout", "unknown: timeout", []string{"--timeout", "200ms"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			dir := t.TempDir()
			script, pidFile := filepath.Join(dir, "solver.sh"), filepath.Join(dir, "pid")
			text := "echo $$ > " + pidFile + ".part; mv " + pidFile + ".part " + pidFile + "; exec sleep 1000\n"
			if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var stdout, stderr bytes.Buffer
			code := make(chan int)
			go func() {
				args := append([]string{"verify", "rb.ta", "--spec", "relay", "--solver", "sh " + script}, test.args...)
				code <- execute(ctx, args, strings.NewReader(""), &stdout, &stderr)
			}()
			pid := waitForPid(t, pidFile)
			if test.cancel {
				cancel()
			}
			if got := <-code; got != exitUnknown || !strings.Contains(stdout.String(), test.reason) {
				t.Errorf("exit code %d\n%s%s", got, stdout.String(), stderr.String())
			}
			if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
				t.Errorf("the solver's process %d: %v", pid, err)
			}
		})
	}
}

// waitForPid waits until the solver has written its process number.
func waitForPid(t *testing.T, file string) int {
	for {
		if text, err := os.ReadFile(file); err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		time.Sleep(5 * time.Millisecond) // until the file is there
	}
}

// TestKilled kills the program in a way that it cannot notice: the solver that
// it has started dies with it. That is a service of the Linux kernel, which
// docs/reliability.md promises for Linux only.
func TestKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux") // which docs/reliability.md promises this for
	}
	path, err := exec.LookPath("tacheck") // where testscript has put it
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script, pidFile := filepath.Join(dir, "solver.sh"), filepath.Join(dir, "pid")
	text := "echo $$ > " + pidFile + ".part; mv " + pidFile + ".part " + pidFile + "; exec sleep 1000\n"
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "verify", "rb.ta", "--solver", "sh "+script)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := waitForPid(t, pidFile)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // says that it was killed
	for end := time.Now().Add(10 * time.Second); running(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the solver's process %d is still there", pid)
		}
	}
}

// running reports whether a process runs: it exists, and is no zombie.
func running(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
