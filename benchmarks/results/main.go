// Results writes benchmarks/RESULTS.md from saved runs of `tacheck bench`:
//
//	go run ./benchmarks/results SUITE.jsonl > benchmarks/RESULTS.md
//
// The run is of the embedded suite with several methods, the default among them.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/verdict"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: results SUITE.jsonl")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(w io.Writer, suiteFile string) error {
	h, rows, err := suite.Load(suiteFile)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `# Results

Written by `+"`make results`"+`; do not edit. tacheck %s, %s. Machine: %s. Limit: %s a specification and
method; %d run(s) each, medians. Each specification is verified by a process of its own; seconds are
those inside it (starting it takes about 0.01 s more), MiB the most memory that it had.

`, h.Release, h.Solver, h.Machine, h.Timeout, h.Runs)
	defaults, others := split(rows)
	fmt.Fprint(w, `## The suite, default method

All verdicts are for all admissible parameters. *Shapes* is the exact number of lasso shapes: orderings of cut points
and threshold flips. The default search, `+"`lazy`"+`, covers all of them by a few queries (*rounds*, with *lemmas* between
them; *fallbacks* to the symbolic query are rare). Other queries are about thresholds. *Transitions* is how many
accelerated transitions the longest query had.

`)
	if err := suite.Print(w, defaults, suite.Markdown, nil); err != nil {
		return err
	}
	fmt.Fprint(w, "\n![time by file](results/time.svg)\n\n![time against lasso shapes](results/shapes.svg)\n\n")
	paper(w)
	if err := resilience(w); err != nil {
		return err
	}
	fmt.Fprint(w, `
## Every search and encoding

Seconds. `+"`enumerate`"+` asks one query a shape, so what has more than a few thousand shapes runs into the limit.
`+"`incremental`"+` prunes prefixes: how many shapes it had to look at is in the table after.

`)
	if err := suite.Print(w, others, suite.Markdown, nil); err != nil {
		return err
	}
	fmt.Fprint(w,
		"\n### Shapes checked by `incremental`, encoding `flow`\n\n*Searched* counts the shapes of the reduced "+
			"graphs (fairness needs no cut point of its own); they are\nchecked one by one, or pruned with a common "+
			"prefix.\n\n")
	return suite.Print(w, only(others, suite.Method{Search: "incremental", Encoding: "flow"}), suite.Markdown, nil)
}

// split separates rows of the default method from those of named methods.
func split(rows []suite.Row) (defaults, others []suite.Row) {
	for _, r := range rows {
		if (r.Method == suite.Method{}) {
			defaults = append(defaults, r)
		} else {
			others = append(others, r)
		}
	}
	return defaults, others
}

func only(rows []suite.Row, m suite.Method) (out []suite.Row) {
	for _, r := range rows {
		if r.Method == m {
			out = append(out, r)
		}
	}
	return out
}

// paper sets the verdicts beside what the literature says.
func paper(w io.Writer) {
	fmt.Fprint(w, `## Against the literature

The POPL 2017 paper verified safety and liveness of these ten algorithms "in less than a day", and reports
counterexamples to liveness of CF1S and BOSCO exactly in the cases that the literature predicts: when there are not
enough correct processes to reach consensus in one communication step. The same here:

| algorithm | holds | fails, as it should |
| --- | --- | --- |
| bosco | fast for n > 7t, and for n > 5t without faults; safe and live for n > 3t | fast for n > 5t with faults, and for n > 3t without: broken/bosco-5t-faults.ta, broken/bosco-3t-fast.ta |
| cf1s | one step if all propose the same (any f <= t), or all that stay alive if f = 0 | one step if all that stay alive propose the same and f > 0: broken/cf1s-faults.ta |
| the others | everything that their sources claim | with weaker assumptions: the other files in broken/ |

Why each specification should hold or fail:

| file | specification | verdict | why |
| --- | --- | --- | --- |
`)
	for _, e := range benchmarks.Expected() {
		if e.Verdict == verdict.Violated || !strings.HasPrefix(e.File, "broken/") {
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", e.File, e.Spec, e.Verdict, e.Why)
		}
	}
}
