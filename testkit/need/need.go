// Package need says what tests take from outside the module: numbers of cases, solvers, a browser,
// tools that check or make files. `make test` installs solvers and xmllint, and CI
// the browser, Spin, rumur and TLC. Where something is missing, the test that needs it is skipped, so
// that a plain `go test` works anywhere; with TACHECK_ALL_TESTS set, as in CI, it
// fails, so that nothing is skipped unseen.
package need

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// All skips the test, or fails it, if one of the programs is not on the PATH.
func All(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		Any(t, p)
	}
}

// Any skips the test, or fails it, if none of the programs is on the PATH.
func Any(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err == nil {
			return
		}
	}
	missing(t, strings.Join(programs, " or ")+" is not installed")
}

// Peers is All for programs that `make test` does not install: other model checkers, a browser. Such a test takes seconds,
// and is for `make more`.
func Peers(t testing.TB, programs ...string) {
	t.Helper()
	Usual(t, programs[0])
	All(t, programs...)
}

// TLC is Peers for Java and TLC, and returns where the latter is: TACHECK_TLC names tla2tools.jar (`make tlc` gets it).
func TLC(t testing.TB) string {
	t.Helper()
	Peers(t, "java")
	jar := os.Getenv("TACHECK_TLC")
	if info, err := os.Stat(jar); err != nil || info.IsDir() {
		missing(t, "TLC is not there (make tlc): TACHECK_TLC="+jar)
	}
	return jar
}

// missing skips a test, and fails it where nothing may be skipped.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("TACHECK_ALL_TESTS") != "" {
		t.Fatal(what)
	}
	t.Skip(what) // a program is not installed, and not all have to be, as CI does
}

// Number returns the value of an environment variable that says how much a test does,
// or what it does otherwise.
func Number(t testing.TB, name string, otherwise int) int {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%s=%q is not a number", name, s)
	}
	return n
}
