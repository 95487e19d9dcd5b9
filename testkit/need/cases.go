package need

import (
	"iter"
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

// Every returns the step with which a test goes through a table of which it takes each k-th row by default; 1 if
// TACHECK_CASES asks for more than the least.
func Every(t testing.TB, k int) int {
	t.Helper()
	n, factor := effort(t)
	if factor && n == 1 {
		return k
	}
	return 1
}

// Rarely is Every for tables whose rows take long: whole only from five times the usual cases on.
func Rarely(t testing.TB, k int) int {
	t.Helper()
	if n, factor := effort(t); factor && n < 5 {
		return k
	}
	return 1
}

// More skips a test that takes much for what it shows, unless TACHECK_CASES asks for more than the least.
func More(t testing.TB, what string) {
	t.Helper()
	if Every(t, 2) > 1 {
		t.Skip(what + " is for larger runs: TACHECK_CASES=2x")
	}
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

// First yields a case that is known to show a deliberate mistake, and then all of them from 0 on, so that it is found
// soon, and still found when what makes the cases changes.
func First(known, limit int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if !yield(known) {
			return
		}
		for n := range limit {
			if n != known && !yield(n) {
				return
			}
		}
	}
}
