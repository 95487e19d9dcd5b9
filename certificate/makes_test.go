package certificate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// onPath has only these programs on the PATH: shell scripts by name.
func onPath(t *testing.T, scripts map[string]string) {
	t.Helper()
	bin := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
}

// program returns a script that runs a program, whatever is on the PATH then: the program may be a script that needs others, such
// as those of version managers.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nPATH='%s'\nexport PATH\nexec '%s' \"$@\"\n", os.Getenv("PATH"), path), 0o777); err != nil {
		t.Fatal(err)
	}
	return script
}

// shim has the solvers on the PATH be scripts that bash has to run, and which go on while the solver runs.
func shim(t *testing.T, names ...string) {
	t.Helper()
	bin := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, name), fmt.Appendf(nil, "#!/usr/bin/env bash\n'%s' \"$@\"\n", path), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestMakes: a solver itself says its make, not the name of its file; one that fails
// says nothing about a certificate.
func TestMakes(t *testing.T) {
	need.All(t, "bash")
	shim(t, "z3", "cvc5")
	dir, source := certified(t, "rb.ta", "relay")
	text, _ := benchmarks.Read("bakery.ftdp")
	m, err := instantiate.Read("bakery.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := induct.Prove(context.Background(), m, m.Lookup("mutex"), induct.Options{Solver: z3.New})
	if err != nil || r.Proof == nil {
		t.Fatal(r, err)
	}
	proof := filepath.Join(t.TempDir(), "proof")
	if _, err := MakeInduction(context.Background(), proof, "test", "", m, r); err != nil {
		t.Fatal(err)
	}
	one, two := program(t, "z3"), program(t, "cvc5")
	real := map[string]string{"z3": "exec " + one + ` "$@"`, "cvc5": "exec " + two + ` "$@"`}
	only := func(name string) map[string]string { return map[string]string{name: real[name]} }
	with := func(name, script string) map[string]string {
		list := map[string]string{"z3": real["z3"], "cvc5": real["cvc5"]}
		list[name] = script
		return list
	}
	make := func(solver string) [2]error {
		into := t.TempDir()
		q := Request{Question: question(t, "rb.ta", source, "relay"), Bound: Bound{UpTo: 1, States: 5000}, Options: verify.Options{Solver: solver}, NoProofs: true, NoReview: true}
		first := Make(context.Background(), filepath.Join(into, "c"), q, func(*model.Result, string) error { return nil })
		_, second := MakeInduction(context.Background(), filepath.Join(into, "p"), "test", solver, m, r)
		return [2]error{first, second}
	}
	for _, test := range []struct {
		name    string
		scripts map[string]string
		solver  string
		want    string // when one is made; "" if it is
	}{
		{"the same solver alone", only("z3"), "z3-pipe", "cvc5 is not on the PATH"},
		{"the same solver alone, by default", only("z3"), "", "cvc5 is not on the PATH"},
		{"the other solver alone", only("cvc5"), "", ""},
		{"z3 called cvc5", with("cvc5", "exec "+one+" -in -smt2"), "", "the program cvc5 on the PATH says that it is Z3"},
		{"cvc5 called z3", with("z3", "exec "+two+" --incremental --lang smt2 --quiet"), "", "the program z3 on the PATH says that it is cvc5"},
		{"a command line that is cvc5", only("cvc5"), two + " --incremental --produce-models --lang smt2 --quiet", "z3 is not on the PATH"},
		{"a command line that is z3", real, one + " -in -smt2", ""},
		{"z3 ends", with("z3", "exit 3"), "", "z3: exit status 3"},
		{"cvc5 is killed", with("cvc5", "kill -9 $$"), "", "cvc5: signal: killed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			onPath(t, test.scripts)
			for i, err := range make(test.solver) {
				switch {
				case test.want == "" && err != nil:
					t.Errorf("%d: %v", i, err)
				case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
					t.Errorf("%d: %v, want %q", i, err, test.want)
				case err != nil && strings.HasSuffix(err.Error(), ": "):
					t.Errorf("%d: %q ends with nothing", i, err)
				}
			}
			if strings.Contains(test.want, "not on the PATH") || test.want == "" {
				return
			}
			wantNotChecked(t, dir, test.want)
			wantNotChecked(t, proof, test.want)
		})
	}
}

// TestHuge: files that are too large are refused by their size, without being read.
func TestHuge(t *testing.T) {
	for _, name := range []string{indexFile, modelFile, sumsFile, "specs/relay/queries.smt2"} {
		dir, _ := certified(t, "rb.ta", "relay")
		if err := os.Truncate(filepath.Join(dir, name), 3<<30); err != nil {
			t.Skip(err) // a file system without holes in files, or with a limit on their sizes
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		wantRejected(t, dir, "", "is larger than")
		runtime.ReadMemStats(&after)
		if more := after.TotalAlloc - before.TotalAlloc; more > 1<<30 {
			t.Errorf("%s: %d bytes", name, more)
		}
	}
}
