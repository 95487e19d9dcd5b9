package tacheck_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/tacheck/tacheck"
	"github.com/tacheck/tacheck/benchmarks"
)

var background = context.Background()

// open reads an embedded model, perhaps with a mistake.
func open(name string) tacheck.Model {
	text, _ := benchmarks.Read(name)
	m, err := tacheck.Open(background, name, text, tacheck.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// Models of all kinds list their specifications, with their places.
func ExampleOpen() {
	for _, name := range []string{"rb.ta", "rb.pml", "sources/rb.ftdp", "paxos.ftdp"} {
		m := open(name)
		fmt.Printf("%s is %s:", m.File(), m.What())
		for _, s := range m.Specs() {
			fmt.Printf(" %s (%s, line %d)", s.Name, s.Sort, s.Pos.Line)
		}
		fmt.Println()
	}
	// Output:
	// rb.ta is a threshold automaton: unforgeability (specification, line 77) correctness (specification, line 81) relay (specification, line 88)
	// rb.pml is a Promela model: unforgeability (formula, line 68) correctness (formula, line 69) relay (formula, line 70)
	// sources/rb.ftdp is a protocol for all sizes: unforgeability (formula, line 18) correctness (formula, line 19) relay (formula, line 20)
	// paxos.ftdp is a protocol of fixed size: agreement (invariant, line 118) acceptedIsChosen (invariant, line 122)
}

// A specification that holds for all parameters, of an automaton, of Promela, of pseudo-code.
func ExampleVerify() {
	for _, name := range []string{"rb.ta", "rb.pml", "sources/rb.ftdp"} {
		list, err := tacheck.Verify(background, open(name), tacheck.Options{}, "relay")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(list[0].Spec, list[0].Verdict)
	}
	// Output:
	// relay holds
	// relay holds
	// relay holds
}

// A counterexample: parameters, steps, and what goes wrong.
func ExampleVerify_violated() {
	list, err := tacheck.Verify(background, open("broken/nbacc-early.ta"), tacheck.Options{}, "validity")
	if err != nil {
		log.Fatal(err)
	}
	x := list[0].Counterexample
	fmt.Println(list[0].Verdict, "with", x.Told().Values)
	for _, step := range x.Told().Places() {
		fmt.Println(step.Text)
	}
	why, err := x.Why()
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range why {
		fmt.Println(line.Kind+":", line.Text)
	}
	// Output:
	// violated with [n=2]
	// step 1: 1 times rule 2, v1 -> waiting, yes = 1
	// step 2: 1 times rule 3, waiting -> suspects
	// step 3: 1 times rule 8, suspects -> commit
	// assumed: at the start: v0 != 0 (v0 = 1)
	// broken: after step 3: commit == 0 is false (commit = 1)
	// because: step 1 takes rule 2 (v1 -> waiting)
	// because: step 2 takes rule 3 (waiting -> suspects), by step 1
	// because: step 3 takes rule 8 (suspects -> commit), since yes = 1 >= n - 1 = 1, by steps 1 and 2
}

// A saved run is replayed without a solver when it is read.
func ExampleModel_replay() {
	m := open("broken/rb-n3t.ta")
	list, err := tacheck.Verify(background, m, tacheck.Options{}, "relay")
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(list[0].Counterexample)
	if err != nil {
		log.Fatal(err)
	}
	x, err := m.Replay(text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Told().Spec, "is violated, in", x.Told().Steps, "steps")
	_, err = open("rb.ta").Replay(text)
	fmt.Println(err)
	// Output:
	// relay is violated, in 3 steps
	// the parameters do not satisfy the resilience condition
}

// One instance, without a solver.
func ExampleExplore() {
	set := []tacheck.Setting{{Name: "n", Value: 4}, {Name: "t", Value: 1}, {Name: "f", Value: 0}}
	for _, name := range []string{"rb.ta", "sources/rb.ftdp"} {
		list, err := tacheck.Explore(background, open(name), set, tacheck.Bounds{}, "unforgeability")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(list[0].Spec, list[0].Verdict, "with", list[0].Space.Instance, list[0].Space.States > 0)
	}
	// Output:
	// unforgeability holds with [n=4 t=1 f=0] true
	// unforgeability holds with [n=4 t=1 f=0] true
}

// An invariant proved by induction.
func ExampleProve() {
	proof, err := tacheck.Prove(background, open("bakery.ftdp"), nil, "mutex", tacheck.InductionOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Property, proof.Verdict, proof.Drawn() != nil)
	// Output: mutex holds true
}

// What is probably not meant.
func ExampleLint() {
	m, err := tacheck.Open(background, "idle.ta", `ta idle { shared x; parameters n; assumptions { n >= 1; }
  locations { a; b; } inits { a == n; b == 0; x == 0; }
  rules { 1: a -> b when (x >= 1) do { }; } specifications { s: [](b == 0); } }`, tacheck.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	found, err := tacheck.Lint(background, m, tacheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found[0])
	// Output: idle.ta:1:18: warning: no rule changes x
}

// The assumption of reliable communication, derived from the rules.
func ExampleNewFairness() {
	m := open("rb.ta")
	f, err := tacheck.NewFairness(background, m, tacheck.FairnessOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range f.Obligations {
		fmt.Println(len(o.Rules) > 0)
		break
	}
	// Output: true
}
