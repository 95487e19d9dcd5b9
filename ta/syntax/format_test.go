package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// models returns the texts of the models in the project and, if it is there,
// of the public corpus beside it.
func models(t testing.TB) map[string]string {
	texts := map[string]string{}
	for _, pattern := range []string{"../../benchmarks/*.ta", "../../benchmarks/broken/*.ta", "../../../shared/corpus/isola18/*.ta"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts[f] = string(text)
		}
	}
	if len(texts) == 0 {
		t.Fatal("no models")
	}
	return texts
}

// TestFormat: the formatted text parses to the same tree, keeps every comment,
// and is stable.
func TestFormat(t *testing.T) {
	for name, text := range models(t) {
		f, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		out := Format(f)
		g, err := Parse(name, out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if again := Format(g); again != out {
			t.Errorf("%s: formatting again changes\n%s\nto\n%s", name, out, again)
		}
		if len(g.Comments) != len(f.Comments) {
			t.Errorf("%s: %d comments, had %d", name, len(g.Comments), len(f.Comments))
		}
		if a, b := skeleton(f), skeleton(g); a != b {
			t.Errorf("%s: the tree changed from\n%s\nto\n%s", name, a, b)
		}
		crlf, err := Parse(name, strings.ReplaceAll(text, "\n", "\r\n"))
		if err != nil {
			t.Errorf("with CRLF: %v", err)
		} else if skeleton(crlf) != skeleton(f) {
			t.Errorf("%s: another tree with CRLF", name)
		}
	}
}

// skeleton prints what a file says, without places and comments.
func skeleton(f *File) string {
	g := *f
	g.Comments = nil
	return Format(&g)
}

// drawExpr draws an expression: of numbers, or of conditions.
func drawExpr(t *rapid.T, depth int, cond bool) *Expr {
	list := func(op Op, n int, cond bool) *Expr {
		e := &Expr{Op: op}
		for range n {
			e.Args = append(e.Args, drawExpr(t, depth-1, cond))
		}
		return e
	}
	pick := func(ops ...Op) Op { return rapid.SampledFrom(ops).Draw(t, "op") }
	switch {
	case depth <= 0 && cond:
		return &Expr{Op: Bool, Name: "true"}
	case depth <= 0:
		return &Expr{Op: Name, Name: rapid.SampledFrom([]string{"a", "b_1"}).Draw(t, "name")}
	case cond:
		switch op := pick(Eq, Lt, Ge, Not, Finally, Globally, And, Or, Implies); op {
		case Eq, Lt, Ge:
			return list(op, 2, false)
		case Not, Finally, Globally:
			return list(op, 1, true)
		default:
			return list(op, rapid.IntRange(2, 3).Draw(t, "n"), true)
		}
	}
	switch op := pick(Neg, Add, Mul, Name); op {
	case Neg:
		return list(op, 1, false)
	case Name:
		return drawExpr(t, 0, false)
	default:
		return list(op, rapid.IntRange(2, 3).Draw(t, "n"), false)
	}
}

// TestExprRoundTrip: what String prints parses back to what String prints.
func TestExprRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawExpr(t, 4, true).String()
		e, err := ParseExpr("e", text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again := e.String(); again != text {
			t.Fatalf("%q is printed as %q", text, again)
		}
	})
}

func TestPrecedence(t *testing.T) {
	for text, want := range map[string]string{
		"! a == 0":                        "!(a == 0)",
		"[]a == 0":                        "[](a == 0)",
		"<>[] a == 0 && b == 0":           "<>[](a == 0) && b == 0",
		"a == 0 -> b == 0 || c == 0":      "a == 0 -> b == 0 || c == 0",
		"(a == 0 -> b == 0) -> c < 1":     "(a == 0 -> b == 0) -> c < 1",
		"a == 0 -> (b == 0 -> c < 1)":     "a == 0 -> (b == 0 -> c < 1)",
		"a - (b - c) * 2 > - - d":         "a - (b - c) * 2 > --d",
		"(a + f) >= (t + 1)":              "a + f >= t + 1",
		"((a)) == 1 && (b == 2 && c < 3)": "a == 1 && (b == 2 && c < 3)",
	} {
		e, err := ParseExpr("e", text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := e.String(); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}

// TestHeaders: every header that users' files have.
func TestHeaders(t *testing.T) {
	for _, header := range []string{"skel P", "thresholdAutomaton P", "threshAuto P", "ta P", "P", "skel", ""} {
		if _, err := Parse("h.ta", header+" { locations (1) { a: [0; 1]; } }"); err != nil {
			t.Errorf("%q: %v", header, err)
		}
	}
}

// TestLongChain: a chain of 100,000 conjuncts is one node.
func TestLongChain(t *testing.T) {
	text := strings.Repeat("a == 0 && ", 100_000) + "a == 0"
	e, err := ParseExpr("e", text)
	if err != nil {
		t.Fatal(err)
	}
	if e.Op != And || len(e.Args) != 100_001 {
		t.Errorf("%v with %d arguments", e.Op, len(e.Args))
	}
}

func BenchmarkParse(b *testing.B) {
	for name, text := range models(b) {
		if filepath.Base(name) != "rb.ta" {
			continue
		}
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := Parse(name, text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
