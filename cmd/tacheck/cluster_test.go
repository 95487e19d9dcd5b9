package main

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/cluster/hub"
	"github.com/tacheck/tacheck/testkit/need"
)

// program runs this program in another process, and returns what it prints.
func program(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("tacheck", args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != exitViolated {
		t.Errorf("%v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// withoutTimes is a table of bench without its last four columns.
func withoutTimes(table string) (out string) {
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(line, ",")
		out += strings.Join(cells[:max(0, len(cells)-4)], ",") + "\n"
	}
	return out
}

// clusterModels are what the tests below verify: TACHECK_CLUSTER names files or
// folders instead.
func clusterModels() []string {
	if list := os.Getenv("TACHECK_CLUSTER"); list != "" {
		return strings.Fields(list)
	}
	return []string{"rb.ta", "frb.ta", "aba.ta", "broken/rb-n3t.ta"}
}

// TestClusterKills: while workers are killed at random and the server is restarted
// twice, a table comes out that is that of a run alone, to the byte.
func TestClusterKills(t *testing.T) {
	need.Usual(t, "a cluster whose workers are killed again and again")
	models := clusterModels()
	alone := program(t, nil, append([]string{"bench", "--format", "csv", "--timeout", "60s"}, models...)...)
	o := hub.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "token"}
	var mu sync.Mutex
	start := func() *server.Server {
		s, err := hub.Start(o)
		if err != nil {
			t.Error(err)
		}
		return s
	}
	s := start()
	o.Listen = s.Addr().String()
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		s.Shutdown()
		s.WaitForShutdown()
	}()
	url := "nats://token@" + o.Listen
	stop := make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	defer close(stop)
	for n := range 3 {
		all.Go(func() {
			random := rand.New(rand.NewSource(int64(n)))
			// Each lives longer than the one before, so that work is done by a busy machine, too.
			for life := time.Second; ; life = life * 4 / 3 {
				cmd := exec.Command("tacheck", "worker", "--nats", url, "--jobs", "1")
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				stopped := false
				select {
				case <-stop:
					stopped = true
				case <-time.After(life/3 + time.Duration(random.Int63n(int64(life)))):
				}
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
				_ = cmd.Wait() // it was killed
				if stopped {
					return
				}
			}
		})
	}
	all.Go(func() {
		for range 2 {
			select {
			case <-stop:
				return
			case <-time.After(700 * time.Millisecond):
				mu.Lock()
				s.Shutdown()
				s.WaitForShutdown()
				s = start()
				mu.Unlock()
			}
		}
	})
	together := program(t, nil, append([]string{"bench", "--format", "csv", "--timeout", "60s", "--cluster", url}, models...)...)
	if a, b := withoutTimes(alone), withoutTimes(together); a != b {
		t.Errorf("alone:\n%s\ntogether:\n%s", a, b)
	}
}

// TestAskerKilled: a run whose process is killed is taken up where it was; what it
// has started ends with it.
func TestAskerKilled(t *testing.T) {
	need.Usual(t, "a cluster whose asker is killed")
	models := clusterModels()
	alone := program(t, nil, append([]string{"bench", "--format", "csv"}, models...)...)
	cache := t.TempDir()
	env := []string{"XDG_CACHE_HOME=" + cache}
	args := append([]string{"bench", "--format", "csv", "--cluster", "local", "--jobs", "1"}, models...)
	cmd := exec.Command("tacheck", args...)
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(cache, "tacheck", "cluster", "*", "jetstream", "$G", "streams", "TACHECK_DONE", "msgs", "*.blk")
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		files, err := filepath.Glob(log)
		if err != nil || time.Now().After(end) {
			t.Fatal("nothing is done", err)
		}
		if len(files) > 0 {
			if info, err := os.Stat(files[0]); err == nil && info.Size() > 2000 {
				break
			}
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left := processesWith(t, cache)
		if len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("processes are left: %v", left)
		}
	}
	again := program(t, env, append(args, "--resume")...)
	if a, b := withoutTimes(alone), withoutTimes(again); a != b {
		t.Errorf("alone:\n%s\nagain:\n%s", a, b)
	}
	left, err := filepath.Glob(filepath.Join(cache, "tacheck", "cluster", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestCertifiedTogether: a certificate once made is known to clients that
// ask the same; a forged verdict is believed by those that want none, and by no
// else.
func TestCertifiedTogether(t *testing.T) {
	s, err := hub.Start(hub.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	url := "nats://" + s.Addr().String()
	build, err := buildName()
	if err != nil {
		t.Fatal(err)
	}
	work := func(slot string, do func()) {
		client, err := cluster.Connect(t.Context(), cluster.Options{URL: url, Build: build, Release: release})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			w := cluster.Worker{Client: client, Jobs: 1, Solvers: solvers(), Log: func(string) {}, Slot: func() *exec.Cmd { return exec.Command("sh", "-c", slot) }}
			done <- w.Run(ctx)
		}()
		do()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	dir := t.TempDir()
	ask := func(args ...string) (out string, code int) {
		cmd := exec.Command("tacheck", append([]string{"verify", "--spec", "relay", "--no-sanity", "--cluster", url}, args...)...)
		cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH"))
		text, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(text), cmd.ProcessState.ExitCode()
	}
	work("exec tacheck worker --slot", func() {
		if out, code := ask("rb.ta"); code != exitHolds || strings.Contains(out, "certified") {
			t.Errorf("%d %s", code, out)
		}
		if out, code := ask("rb.ta", "--certify", filepath.Join(dir, "certificate"), "--certify-up-to", "2", "--no-proofs"); code != exitHolds {
			t.Errorf("%d %s", code, out)
		}
		if out, code := ask("rb.ta"); code != exitHolds || !strings.Contains(out, "there is a certificate of it") {
			t.Errorf("%d %s", code, out)
		}
	})
	work(`while read task; do echo '{"output":{"Verdict":"holds"},"keep":true}'; done`, func() {
		if out, code := ask("broken/rb-n3t.ta"); code != exitHolds {
			t.Errorf("%d %s", code, out)
		}
		if out, code := ask("broken/rb-n3t.ta", "--certify", filepath.Join(dir, "forged"), "--certify-up-to", "2", "--no-proofs"); code != exitUsage || !strings.Contains(out, "results are forged") {
			t.Errorf("%d %s", code, out)
		}
	})
}

// processesWith lists the processes that have a text in their environment, where
// the system tells (Linux).
func processesWith(t *testing.T, text string) (list []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(env), text) { // others have ended, or are not ours
			list = append(list, file)
		}
	}
	return list
}
