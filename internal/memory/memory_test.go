package memory

import (
	"context"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/tacheck/tacheck/smt"
)

func TestLimit(t *testing.T) {
	ctx, stop := Limit(context.Background(), 1) // any process uses more than a byte
	<-ctx.Done()
	if got := smt.Interrupted(ctx); got != "memory limit" {
		t.Errorf("%q", got)
	}
	stop()

	parent, cancel := context.WithCancel(context.Background())
	ctx, stop = Limit(parent, 1<<50)
	cancel()
	<-ctx.Done()
	if got := smt.Interrupted(ctx); got != "interrupted" {
		t.Errorf("%q", got)
	}
	stop()

	if ctx, stop := Limit(parent, 0); ctx != parent {
		t.Error("no limit needs no context")
	} else {
		stop()
	}
}

// TestUsed: memory of this process and of children is counted.
func TestUsed(t *testing.T) {
	before := used(children())
	block := make([]byte, 64<<20)
	for i := range block {
		block[i] = 1
	}
	if grown := used(children()) - before; grown < 50<<20 {
		t.Errorf("64 MiB more show as %d bytes", grown)
	}
	runtime.KeepAlive(block)
	if runtime.GOOS != "linux" {
		return // elsewhere only this process is counted: used_other.go
	}
	before = used(children())
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	for end := time.Now().Add(10 * time.Second); used(children()) <= before; {
		if time.Now().After(end) {
			t.Fatal("a child's memory is not counted")
		}
		time.Sleep(time.Millisecond)
	}
}
