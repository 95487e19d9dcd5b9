package everysize

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"tacheck/protocol"
	"tacheck/smt/z3"
)

func TestScratch(t *testing.T) {
	for _, file := range []string{os.Getenv("SCRATCH")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := protocol.Read(file, string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(m, true)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := x.Always(context.Background(), z3.New); err != nil {
			t.Fatal(err)
		}
		t.Log(x.AlwaysDefined(), time.Since(start))
		var known []Condition
		for _, p := range m.Props {
			if p.Invariant != nil && os.Getenv("SPEC") == "" || p.Name == os.Getenv("SPEC") {
				known = append(known, Condition{p.Name, p.Invariant})
			}
		}
		for _, p := range m.Lemmas {
			known = append(known, Condition{p.Name, p.Invariant})
		}
		list, err := x.Failures(known)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range known {
			more, err := x.Questions(known, c)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, more...)
		}
		for _, q := range list {
			if only := os.Getenv("ONLY"); only != "" && q.String() != only {
				continue
			}
			begin := time.Now()
			a, err := x.Ask(context.Background(), z3.New, q)
			if err != nil {
				t.Fatal(q, err)
			}
			if a.Structure != nil {
				t.Log(strings.Join(a.Structure.Lines(), "\n"))
			}
			t.Log(q, a.Proved, a.Reason, "clauses", len(a.Clauses), "rounds", a.Rounds, time.Since(begin).Round(time.Millisecond))
		}
		t.Log(time.Since(start))
	}
}
