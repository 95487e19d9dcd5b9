package witness_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// FuzzWitness reads witness files: no panic, and what is accepted is a
// counterexample that is written and read again.
func FuzzWitness(f *testing.F) {
	a, err := benchmarks.Parse("broken/rb-n3t.ta")
	if err != nil {
		f.Fatal(err)
	}
	r, err := verify.Decide(context.Background(), a, a.SpecNamed("relay"), verify.Options{})
	if err != nil {
		f.Fatal(err)
	}
	w := r.Witness
	good, err := json.Marshal(w)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"format":"tacheck-run","version":2,"kind":"automaton","property":"relay","steps":[{"times":-1}],"loop":9}`))
	f.Add([]byte(`{"format":"tacheck-witness","version":1,"spec":"relay","steps":[{"factor":-1}],"loop":9}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := witness.Read(a, text)
		if err != nil {
			var format *record.FormatError
			_ = errors.As(err, &format) // any error will do, as long as it is one
			return
		}
		if _, err := witness.Check(a, a.SpecNamed(w.Spec), w.Run); err != nil {
			t.Errorf("accepted, but %v", err)
		}
		again, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := witness.Read(a, again); err != nil {
			t.Errorf("written again it is rejected: %v", err)
		}
	})
}
