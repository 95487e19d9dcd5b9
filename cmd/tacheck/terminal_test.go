//go:build linux

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/tacheck/tacheck/testkit/need"
)

// keepOutput has a terminal keep what was written and not yet read when Ctrl-C is typed,
// which it otherwise throws away: the second of two would take what the first has brought.
func keepOutput(t *testing.T, screen *os.File) {
	fd := int(screen.Fd())
	mode, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	mode.Lflag |= unix.NOFLSH
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, mode); err != nil {
		t.Fatal(err)
	}
}

// TestTerminal interrupts commands at a terminal, where Ctrl-C is a signal to
// everybody in the foreground, and by SIGTERM: all end soon, with exit code 3, and
// say what they know. The libraries that are linked do not get in the way.
func TestTerminal(t *testing.T) {
	path, err := exec.LookPath("tacheck") // where testscript has put it
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	many := "ta Many { shared x; parameters n, t, f; unknowns a, b, c, d; assumptions { n > 3 * t; t >= f; f >= 0;" +
		" -40 <= a; a <= 40; -40 <= b; b <= 40; -40 <= c; c <= 40; -40 <= d; d <= 40; } locations { V0; V1; AC; }" +
		" inits { V0 + V1 == n - f; AC == 0; x == 0; } rules { 1: V1 -> AC do { x' == x + 1; }; 2: V0 -> AC when (x >= a * t + b - f && x >= c * t + d) do { x' == x + 1; }; }" +
		" specifications { s: V1 == 0 -> [](AC == 0); } }\n"
	if err := os.WriteFile(filepath.Join(dir, "many.ta"), []byte(many), 0o666); err != nil {
		t.Fatal(err)
	}
	slow := []string{"c1cs.ta", "--search", "enumerate"}
	with := func(name string, more ...string) []string { return append(append([]string{name}, slow...), more...) }
	every := need.Every(t, 3)
	for row, test := range []struct {
		args []string
		says string
	}{
		{with("verify"), "unknown: interrupted"},
		{with("verify", "--json", "--jobs", "4"), `"interrupted"`},
		{with("verify", "--certify", "c"), "not certified"},
		{with("report"), "report.html: written"},
		{with("bench"), "interrupted after 0 of 7"},
		{[]string{"explore", "paxos.ftdp", "--set", "n=9", "--property", "agreement"}, "unknown: interrupted"},
		{[]string{"explore", "rb.ta", "--all-up-to", "250"}, "interrupted"},
		{[]string{"explore", "paxos.ftdp", "--set", "n=9", "--property", "agreement", "--swarm", "1000"}, "swarm"},
		{[]string{"induct", "consensus.ftdp", "--set", "n=6", "--invariant", "agreement", "--timeout", "0", "--certify", "p"}, "unknown: interrupted"},
		{[]string{"synth", "many.ta"}, "the search is not complete: interrupted"},
		{[]string{"resilience", "c1cs.ta", "--assume", "n > a*t + b*f + c"}, "undecided: interrupted"},
		{[]string{"selftest", "--cases", "1000000"}, "random: interrupted; "},
		{[]string{"shapes", "c1cs.ta", "--spec", "fast0", "--list"}, "interrupted"},
		{[]string{"verify", "-"}, "interrupted"},
		{[]string{"translate", "-", "--stdin-name", "x.pml"}, "interrupted"},
	} {
		for i, how := range []string{"once", "twice", "SIGTERM"} {
			if (row+i)%every > 0 {
				continue
			}
			t.Run(test.args[0]+" "+how, func(t *testing.T) {
				attempts := 0 // a machine that has too much to do gets another
			again:
				attempts++
				cmd := exec.Command(path, test.args...)
				cmd.Dir = dir
				screen, err := pty.Start(cmd)
				if err != nil {
					t.Fatal(err)
				}
				defer screen.Close()
				keepOutput(t, screen)
				shown := make(chan string)
				go func() {
					text, _ := io.ReadAll(screen) // ends with an error when the other side is closed
					shown <- string(text)
				}()
				time.Sleep(1200 * time.Millisecond) // it is at work
				begin := time.Now()
				switch how {
				case "SIGTERM":
					err = cmd.Process.Signal(syscall.SIGTERM)
				case "twice":
					_, err = io.WriteString(screen, "\x03")
					time.Sleep(50 * time.Millisecond)
					_, _ = io.WriteString(screen, "\x03") // it may have ended
				default:
					_, err = io.WriteString(screen, "\x03")
				}
				if err != nil {
					t.Fatal(err)
				}
				kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
				_ = cmd.Wait() // the exit code says more
				kill.Stop()
				text, took := <-shown, time.Since(begin)
				if attempts < 3 && took > patience && !strings.Contains(text, test.says) {
					goto again
				}
				if cmd.ProcessState.ExitCode() != exitUnknown || !strings.Contains(text, test.says) {
					t.Errorf("%s\n%.3000s", cmd.ProcessState, text)
				}
			})
		}
	}
}

// TestLateInterrupt: a signal that comes when a command has ended changes nothing;
// where it is not ignored, it ends this process.
func TestLateInterrupt(t *testing.T) {
	ctx, stop := interruptible()
	stop()
	if ctx.Err() == nil {
		t.Error("the context goes on")
	}
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(20 * time.Millisecond)
}
