package local

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The programs of the test say what the real ones do: where they are reached, who they reach.
const (
	hubScript    = "#!/bin/sh\necho serving nats://127.0.0.1:4444\nexec sleep 60\n"
	workerScript = "#!/bin/sh\necho \"$NATS_URL\" >>\"$0.log\"\nexit 1\n"
)

func programs(t *testing.T, hub string) (program string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, text := range map[string]string{hubProgram: hub, "tacheck": workerScript} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "tacheck")
}

// A worker that ends is started again, with the address of the server; no other program may use the
// same run; what is left of a run that is not complete can be taken up.
func TestKeep(t *testing.T) {
	o := Options{Program: programs(t, hubScript), ID: "run", Jobs: 1}
	l, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		log, err := os.ReadFile(o.Program + ".log")
		if lines := bytes.Fields(log); err == nil && len(lines) > 1 {
			if string(lines[0]) != l.URL() || !strings.HasSuffix(l.URL(), "@127.0.0.1:4444") {
				t.Errorf("a worker was told %s, and the server is at %s", lines[0], l.URL())
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the worker was not started again")
		}
	}
	if _, err := Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "by another process") {
		t.Errorf("a second process at the same run: %v", err)
	}
	l.End(false)
	o.Resume = true
	if l, err = Start(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	l.End(true)
	if _, err = Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "no run of this") {
		t.Errorf("a run that is complete is taken up: %v", err)
	}
}

// A server that cannot start is an error with what it said last, not a cluster that waits.
func TestNoServer(t *testing.T) {
	o := Options{Program: programs(t, "#!/bin/sh\necho no room >&2\nexit 1\n"), ID: "run"}
	if _, err := Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%v", err)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(o.Program), hubProgram)); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "neither beside it nor on the PATH") {
		t.Errorf("%v", err)
	}
}
