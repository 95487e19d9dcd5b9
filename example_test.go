package tacheck_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"tacheck"
	"tacheck/benchmarks"
	"tacheck/ta"
)

// read parses an embedded model.
func read(name string) *ta.Automaton {
	a, err := benchmarks.Parse(name)
	if err != nil {
		log.Fatal(err)
	}
	return a
}

// A specification that holds for all parameters.
func ExampleVerify() {
	a := read("rb.ta")
	r, err := tacheck.Verify(context.Background(), a, a.SpecNamed("relay"), tacheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Spec, r.Verdict, "with", r.Shapes.Total, "lasso shapes")
	// Output: relay holds with 70 lasso shapes
}

// A counterexample: parameters, schedule, and what goes wrong.
func ExampleVerify_violated() {
	a := read("broken/nbacc-early.ta")
	r, err := tacheck.Verify(context.Background(), a, a.SpecNamed("validity"), tacheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	w := r.Witness
	fmt.Println(r.Verdict, "with n =", w.Run.Start.Params[0])
	for _, t := range w.Run.Steps {
		rule := &a.Rules[t.Rule]
		fmt.Printf("%s times rule %s: %s -> %s\n", t.Factor, a.RuleName(rule), a.Locations[rule.From].Name, a.Locations[rule.To].Name)
	}
	why, err := w.Explain()
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range why {
		fmt.Println(line.Kind+":", line.Text)
	}
	// Output:
	// violated with n = 2
	// 1 times rule 2: v1 -> waiting
	// 1 times rule 3: waiting -> suspects
	// 1 times rule 8: suspects -> commit
	// assumed: at the start: v0 != 0 (v0 = 1)
	// broken: after step 3: commit == 0 is false (commit = 1)
	// because: step 3 takes rule 8 (suspects -> commit): yes = 1 >= n - 1 = 1
}

// A witness file is replayed without a solver when it is read.
func ExampleReadWitness() {
	a := read("broken/rb-n3t.ta")
	r, err := tacheck.Verify(context.Background(), a, a.SpecNamed("relay"), tacheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(r.Witness)
	if err != nil {
		log.Fatal(err)
	}
	w, err := tacheck.ReadWitness(a, text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Spec, "is violated, in", len(w.Run.Steps), "steps")
	_, err = tacheck.ReadWitness(read("rb.ta"), text)
	fmt.Println(err)
	// Output:
	// relay is violated, in 3 steps
	// the parameters do not satisfy the resilience condition
}

// One instance, without a solver.
func ExampleExplore() {
	a := read("rb.ta")
	e, err := tacheck.Explore(context.Background(), a, a.SpecNamed("relay"), ta.Ints(4, 1, 1), 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Witness == nil, e.Configs > 10)
	// Output: true true
}

// The assumption of reliable communication, derived from the rules.
func ExampleNewFairness() {
	a := read("rb.ta")
	f, err := tacheck.NewFairness(a, tacheck.FairnessOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range f.Obligations {
		fmt.Println(o.Format(a))
	}
	// Output:
	// []<>(v0 == 0 || echo <= t)
	// []<>(v0 == 0 || echo < n - t)
	// []<>(v1 == 0)
	// []<>(sent == 0 || echo < n - t)
}
