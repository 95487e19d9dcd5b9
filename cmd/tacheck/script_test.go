package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tacheck/tacheck/cluster/hub"
	"github.com/tacheck/tacheck/testkit/need"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tacheck":     main,
		"badsolver":   badSolver,
		"tacheck-hub": func() { os.Exit(hub.Main()) },
	})
}

// TestScripts runs the scripts in testdata/script. The first word of a name is
// the subcommand.
func TestScripts(t *testing.T) {
	cache := t.TempDir() // what draws graphs is compiled once, not by each command
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			path, err := exec.LookPath("tacheck") // where testscript has put it
			e.Setenv("TACHECK", path)
			e.Setenv("XDG_CACHE_HOME", cache)
			return err
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "small":
				return maySmall(), nil
			case "usual": // what takes seconds is for `make more`
				return need.Every(t, 1) == 1, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":  exits,
			"edit":   edit,
			"same":   same,
			"counts": counts,
			"small":  small,
			"deaf":   deaf,
		},
	})
}

// exits CODE COMMAND...: runs a command that must exit with the code. `!` of
// testscript only knows zero and non-zero.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit interface{ ExitCode() int }
		var ok bool
		if exit, ok = err.(interface{ ExitCode() int }); !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// edit FROM TO OLD NEW: copies a file with the first OLD replaced by NEW.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: edit FROM TO OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[2]) {
		ts.Fatalf("%s does not contain %q", args[0], args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Replace(text, args[2], args[3], 1)), 0o666))
}

// same FILE FILE: compares tables of bench in CSV but for their last four
// columns, which are times and memory.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same FILE FILE")
	}
	strip := func(name string) (out string) {
		for _, line := range strings.Split(ts.ReadFile(name), "\n") {
			if cells := strings.Split(line, ","); len(cells) > 4 {
				out += strings.Join(cells[:len(cells)-4], ",") + "\n"
			}
		}
		return out
	}
	if a, b := strip(args[0]), strip(args[1]); a != b || a == "" {
		ts.Fatalf("the tables differ:\n%s\n%s", a, b)
	}
}

// counts FILE FILE: compares how many shapes were checked and pruned.
func counts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: counts FILE FILE")
	}
	read := func(name string) string {
		return regexp.MustCompile(`searched \(.*?\)`).FindString(ts.ReadFile(name))
	}
	if a, b := read(args[0]), read(args[1]); a != b || a == "" {
		ts.Fatalf("%q and %q", a, b)
	}
}

// execute carries out one command line and returns the exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return (&command{ctx: ctx, args: args, stdin: stdin, stdout: stdout, stderr: stderr}).run()
}
