package threshold

import (
	"context"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// source reads a protocol for all sizes.
func source(t *testing.T, text string) *parametric.Source {
	t.Helper()
	file, err := ftdp.Parse("test.ftdp", text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parametric.Of(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// only is an assumption that leaves out parameters.
func only(t *testing.T, text string) []*syntax.Expr {
	t.Helper()
	e, err := syntax.ParseExpr("", text)
	if err != nil {
		t.Fatal(err)
	}
	return []*syntax.Expr{e}
}

// never looks for a run of an automaton that violates its specification of that name; nil if there is none.
func never(tree *syntax.File, _ string) (*ta.Run, error) {
	a, err := ta.Resolve("test.ftdp", tree)
	if err != nil {
		return nil, err
	}
	r, err := verify.Decide(context.Background(), a, a.SpecNamed("never"), verify.Options{KeepFirst: true})
	if err != nil || r.Witness == nil {
		return nil, err
	}
	return r.Witness.Run, nil
}
