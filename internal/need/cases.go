package need

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// casesVariable and seedVariable say how much random tests do, and where they begin: docs/testing.md.
const casesVariable, seedVariable = "TACHECK_CASES", "TACHECK_SEED"

// Cases returns how many random cases a test takes: usual ones, times F if TACHECK_CASES is "Fx",
// or N if it is "N".
func Cases(t testing.TB, usual int) int {
	t.Helper()
	n, factor := effort(t)
	if factor {
		return usual * n
	}
	return n
}

// Every returns the step with which a test goes through a table of which it takes each k-th row by default. With
// TACHECK_CASES=Fx it takes F times as many rows, with a number of cases all of them.
func Every(t testing.TB, k int) int {
	t.Helper()
	n, factor := effort(t)
	if !factor {
		return 1
	}
	return max(1, k/n)
}

// Seed returns TACHECK_SEED, or usual where that is not set.
func Seed(t testing.TB, usual int) int {
	t.Helper()
	return Number(t, seedVariable, usual)
}

// effort reads TACHECK_CASES: a number of cases, or a factor, which is 1 if nothing is said.
func effort(t testing.TB) (n int, factor bool) {
	t.Helper()
	text := os.Getenv(casesVariable)
	if text == "" {
		return 1, true
	}
	digits, factor := strings.CutSuffix(text, "x")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is no number of cases, such as 500, and no factor, such as 10x", casesVariable, text)
	}
	return n, factor
}

// Save writes a case that went wrong to a file in the folder that TACHECK_SAVE names, if it names one, and logs where.
func Save(t testing.TB, name, text string) {
	t.Helper()
	dir := os.Getenv("TACHECK_SAVE")
	if dir == "" {
		return
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Error(err)
		return
	}
	t.Log("saved as", file)
}
