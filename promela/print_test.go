package promela

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/promela/pml"
)

// TestPrinted: what is printed of an expression is read as that expression, and has no parentheses that are not needed.
func TestPrinted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	infix := []pml.Op{"->", "<->", "||", "&&", "U", "V", "|", "^", "&", "==", "<", ">=", "<<", "+", "*", "/", "%"}
	var made func(depth int) *pml.Expr
	made = func(depth int) *pml.Expr {
		switch k := r.IntN(8); {
		case depth == 0 || k == 0:
			return &pml.Expr{Op: pml.Name, Name: string(rune('a' + r.IntN(5)))}
		case k == 1:
			return &pml.Expr{Op: pml.Number, Num: r.Int64N(4)}
		case k < 4:
			return &pml.Expr{Op: []pml.Op{pml.Not, pml.Minus, pml.Finally, pml.Globally, pml.All}[r.IntN(5)], Args: []*pml.Expr{made(depth - 1)}}
		}
		return &pml.Expr{Op: infix[r.IntN(len(infix))], Args: []*pml.Expr{made(depth - 1), made(depth - 1)}}
	}
	needed := 0
	for range 3000 {
		text := made(4).String()
		e := parsed(t, text)
		if again := e.String(); again != text {
			t.Fatalf("%s is read as %s", text, again)
		}
		for i, c := range text {
			if c != '(' || i > 1 && strings.HasSuffix(text[:i], string(pml.All)) {
				continue
			}
			depth, end := 0, i
			for ; end == i || depth > 0; end++ {
				depth += map[byte]int{'(': 1, ')': -1}[text[end]]
			}
			if without, ok := read(text[:i] + text[i+1:end-1] + text[end:]); ok && same(without, e) {
				t.Fatalf("%s: the parentheses from column %d are not needed", text, i+1)
			}
			needed++
		}
	}
	if needed < 1000 {
		t.Errorf("only %d parentheses", needed)
	}
}

func same(a, b *pml.Expr) bool {
	if a.Op != b.Op || a.Name != b.Name || len(a.Args) != len(b.Args) || a.Op == pml.Number && a.Num != b.Num {
		return false
	}
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}

func read(text string) (*pml.Expr, bool) {
	pre, err := pml.Preprocess("line", text, map[string]string{})
	if err != nil {
		return nil, false
	}
	e, err := pml.ParseExpr(pre.Out)
	return e, err == nil
}

func parsed(t *testing.T, text string) *pml.Expr {
	t.Helper()
	e, ok := read(text)
	if !ok {
		t.Fatalf("%s cannot be read", text)
	}
	return e
}
