package work

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/selftest"
)

// Range is cases of a differential campaign: a kind, and numbers.
type Range struct {
	Kind        string
	First, Last int
}

// Compared is what came of a range.
type Compared struct {
	Tally selftest.Tally `json:"tally"`
	Finds []Find         `json:"finds,omitempty"`
}

// Find is a case that went wrong.
type Find struct {
	Seed  int    `json:"seed"`
	Wrong string `json:"wrong"` // what is
	Text  string `json:"text"`  // the model
}

// Campaign is the kind of tasks that compare cases.
var Campaign = cluster.Kind[Range, Compared]{Name: "campaign"}

// mostCases is how many cases a task has at most.
const mostCases = 10_000

// Compare compares cases.
func Compare(ctx context.Context, _ []byte, q Range) (out Compared, keep bool, err error) {
	if !slices.Contains(selftest.Kinds, q.Kind) || q.Last-q.First >= mostCases {
		return out, false, fmt.Errorf("no cases: %+v", q)
	}
	for seed := q.First; seed <= q.Last; seed++ {
		if ctx.Err() != nil {
			return out, false, context.Cause(ctx)
		}
		wrong, text, t := selftest.Case(q.Kind, seed)
		out.Tally.Add(t)
		if wrong != "" {
			out.Finds = append(out.Finds, Find{seed, wrong, text})
		}
	}
	return out, true, nil
}

// PerRange is how many cases a range should have: they take some seconds, so that
// handing them out costs nothing, and the last one does not take long.
const PerRange = 20
