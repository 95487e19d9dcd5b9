package main

import (
	"context"
	"fmt"
	"log"
	"runtime"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
)

// proofLimit is how long exploring, or a proof, may take.
const proofLimit = 2 * time.Minute

// large are instances that are proved and not explored to their end.
var large = []struct {
	file, property string
	set            map[string]int64
}{
	{"consensus.ftdp", "agreement", map[string]int64{"n": 3}},
	{"consensus.ftdp", "validity", map[string]int64{"n": 3}},
	{"consensus.ftdp", "agreement", nil},
	{"consensus.ftdp", "validity", nil},
	{"consensus.ftdp", "accuracy", nil},
	{"consensus.ftdp", "agreement", map[string]int64{"n": 5}},
	{"bakery.ftdp", "mutex", map[string]int64{"m": 200_000_000}},
	{"bakery.ftdp", "mutex", map[string]int64{"n": 3, "m": 200_000_000}},
	{"rb.ftdp", "unforgeability", map[string]int64{"n": 7, "t": 1}},
}

// inductions explores each invariant of the embedded protocols that holds, and proves it by induction.
func inductions() {
	var rows []table.Row
	proved, all := 0, 0
	add := func(file, property string, set map[string]int64) {
		m := read(file, set)
		p := m.Lookup(property)
		ctx, stop := context.WithTimeout(context.Background(), proofLimit)
		r, err := machine.Check(ctx, m, []*protocol.Prop{p},
			machine.Options{Bounds: explore.Bounds{Jobs: 1, Memory: 8 << 30}})
		stop()
		if err != nil {
			log.Fatal(err)
		}
		explored := fmt.Sprintf("%d states, %.2f s", r[0].States, r[0].Time.Seconds())
		if r[0].Verdict != machine.Holds {
			explored = fmt.Sprintf("%s after %d states, %.0f s", r[0].Reason, r[0].States, r[0].Time.Seconds())
		}
		runtime.GC()
		ctx, stop = context.WithTimeout(context.Background(), proofLimit)
		x, err := induct.Prove(ctx, m, p, induct.Options{Solver: z3.New})
		stop()
		if err != nil {
			log.Fatal(err)
		}
		proof := string(x.Verdict)
		if x.Reason != "" {
			proof += ": " + x.Reason
		}
		if x.Proof != nil {
			proved++
			proof = fmt.Sprintf("depth %d, %d lemmas, %d strengthened guards, %.1f s", x.Proof.K, len(x.Proof.Lemmas),
				len(x.Proof.Strengthened), x.Stats.Time.Seconds())
		}
		if e := x.Every; e != nil {
			proved++
			sizes := "of this instance"
			if e.Sizes != nil {
				sizes = "of all sizes"
			}
			proof = fmt.Sprintf("%d lemmas %s that tell no processes apart, %.1f s", len(e.Lemmas), sizes,
				x.Stats.Time.Seconds())
		}
		all++
		rows = append(rows, table.Row{file, m.Assignments(), property, explored, proof})
		log.Print(rows[len(rows)-1])
	}
	for _, e := range benchmarks.ExpectedProtocols() {
		if p := read(e.File, e.Set).Lookup(e.Property); e.Verdict == machine.Holds && p.Invariant != nil {
			add(e.File, e.Property, e.Set)
		}
	}
	suite, of := proved, all
	for _, l := range large {
		add(l.file, l.property, l.set)
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"protocol", "instance", "invariant", "explored", "proved by induction"})
	t.AppendRows(rows)
	fmt.Printf(`# Proofs by induction

Made by `+"`make inductions`"+`: exploring on one core; induction on one core, and the search for violations on another. Both stop after %s.
No lemma was written by hand. Of the invariants of the suite that hold, %d of %d are proved; the last %d lines are instances that are hard to explore.

%s
`, proofLimit, suite, of, len(large), t.RenderMarkdown())
}
