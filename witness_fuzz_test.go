package tacheck

import (
	"encoding/json"
	"errors"
	"testing"

	"tacheck/benchmarks"
)

// FuzzWitness reads witness files: no panic, and what is accepted is a
// counterexample that is written and read again.
func FuzzWitness(f *testing.F) {
	text, ok := benchmarks.Read("broken/rb-n3t.ta")
	if !ok {
		f.Fatal("no model")
	}
	a := parse(f, "broken/rb-n3t.ta", text)
	w := verify(f, a, "relay", Options{}).Witness
	good, err := json.Marshal(w)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"format":"tacheck-witness","version":1,"spec":"relay","steps":[{"factor":-1}],"loop":9}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := ReadWitness(a, text)
		if err != nil {
			var format *FormatError
			_ = errors.As(err, &format) // any error will do, as long as it is one
			return
		}
		if _, err := check(a, a.SpecNamed(w.Spec), w.Run); err != nil {
			t.Errorf("accepted, but %v", err)
		}
		again, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadWitness(a, again); err != nil {
			t.Errorf("written again it is rejected: %v", err)
		}
	})
}
