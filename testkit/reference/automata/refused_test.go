package automata

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRefused has texts that the documentation says are refused, and next to each one that is not.
func TestRefused(t *testing.T) {
	for name, part := range map[string]struct{ right, wrong string }{
		"variables of both signs":        {"1: a -> b when (x + y >= 1);", "1: a -> b when (x - y >= 1);"},
		"a variable on each side":        {"1: a -> b when (n - x <= y);", "1: a -> b when (n + x <= y);"},
		"a location in a guard":          {"1: a -> b when (x >= n);", "1: a -> b when (a >= n);"},
		"a negative value":               {"1: a -> b do { x' == 1; };", "1: a -> b do { x' == -1; };"},
		"a parameter is added":           {"1: a -> b do { x' == x + 2; };", "1: a -> b do { x' == x + n; };"},
		"another variable is added":      {"1: a -> b do { x' == x; };", "1: a -> b do { x' == y; };"},
		"a division by a parameter":      {"1: a -> b when (x >= n / 2);", "1: a -> b when (x >= 2 / n);"},
		"a division by 0":                {"1: a -> b when (x >= n / 1);", "1: a -> b when (x >= n / 0);"},
		"a division of a variable":       {"1: a -> b when (x >= 4 / 2);", "1: a -> b when (x / 2 >= 1);"},
		"a product of parameters":        {"1: a -> b when (x >= n * 2);", "1: a -> b when (x >= n * n);"},
		"a location that there is not":   {"1: a -> b;", "1: a -> c;"},
		"a variable that there is not":   {"1: a -> b when (y >= 1);", "1: a -> b when (z >= 1);"},
		"a temporal operator in a guard": {"1: a -> b when (!(x >= 1));", "1: a -> b when (<>(x >= 1));"},
	} {
		for _, rule := range []string{part.right, part.wrong} {
			file := filepath.Join(t.TempDir(), "text.ta")
			text := fmt.Sprintf(`ta T { shared x, y; parameters n; locations { a; b; } inits { a == n; b == 0; x == 0; y == 0; }
			  rules { %s 2: b -> b; } specifications { s: [](n >= 0); } }`, rule)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			want := 0
			if rule == part.wrong {
				want = 2
			}
			for _, args := range [][]string{{"explore", file, "--params", "n=1"}, {"verify", file, "--no-sanity"}} {
				if args[0] == "verify" && want == 0 {
					continue
				}
				if a := ask(args...); a.code != want {
					t.Errorf("%s: %s: exit code %d: %s%s", name, args[0], a.code, a.out, a.err)
				}
			}
		}
	}
}
