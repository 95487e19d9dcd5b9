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

// Cases returns how many random cases a test takes: a tenth of the usual ones if TACHECK_CASES is not set, F times as many
// if it is "Fx", and N if it is "N".
func Cases(t testing.TB, usual int) int {
	t.Helper()
	switch n, factor := effort(t); {
	case !factor:
		return n
	case n == few:
		return max(1, usual/10)
	default:
		return usual * n
	}
}

// Every returns the step with which a test goes through a table of which it usually takes each k-th row: five times that
// if TACHECK_CASES is not set, and 1 if it asks for more than the usual.
func Every(t testing.TB, k int) int {
	t.Helper()
	switch n, factor := effort(t); {
	case factor && n == few:
		return 5 * k
	case factor && n == 1:
		return k
	default:
		return 1
	}
}

// Rarely is Every for tables whose rows take long: whole only from five times the usual cases on.
func Rarely(t testing.TB, k int) int {
	t.Helper()
	if n, factor := effort(t); factor && n > 1 && n < 5 {
		return k
	}
	return Every(t, k)
}

// Usual skips a test that takes some seconds, unless TACHECK_CASES is set, as in `make more`.
func Usual(t testing.TB, what string) {
	t.Helper()
	if n, factor := effort(t); factor && n == few {
		t.Skip(what + " is for `make more`: TACHECK_CASES=1x") // CI asks for it
	}
}

// More skips a test that takes much for what it shows, unless TACHECK_CASES asks for more than the usual.
func More(t testing.TB, what string) {
	t.Helper()
	if Every(t, 2) > 1 {
		t.Skip(what + " is for larger runs: TACHECK_CASES=2x") // before a release: docs/testing.md lists them
	}
}

// Seed returns TACHECK_SEED, or usual where that is not set.
func Seed(t testing.TB, usual int) int {
	t.Helper()
	return Number(t, seedVariable, usual)
}

// few is the factor of `make test`: TACHECK_CASES is not set.
const few = 0

// effort reads TACHECK_CASES: a number of cases, or a factor.
func effort(t testing.TB) (n int, factor bool) {
	t.Helper()
	text := os.Getenv(casesVariable)
	if text == "" {
		return few, true
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
