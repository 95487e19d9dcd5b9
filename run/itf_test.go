package run

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// TestITF: a step of several processes is as many; a loop that raises something comes back to no state; names of the format stay free.
func TestITF(t *testing.T) {
	state := func(a, x int64) State { return State{"event_": big.NewInt(a), "x": big.NewInt(x)} }
	r := &Run{File: "m.ta", Vars: Names([]string{"event", "x"}), States: []State{state(3, 0), state(0, 6), state(0, 7)}, Loop: 1,
		Facts:  Facts{Spec: "s", Values: []Value{{Name: "n", Value: big.NewInt(3)}, {Name: "b", Value: big.NewInt(1), Truth: true}}},
		Events: []Event{{Text: "3 times rule 1", Each: "rule 1", Times: big.NewInt(3)}, {Text: "rule 2", Times: big.NewInt(1)}}}
	type trace struct {
		Meta struct {
			Constants map[string]any
		} `json:"#meta"`
		Vars   []string
		Loop   *int
		States []struct {
			Event  string
			Event_ struct {
				N string `json:"#bigint"`
			} `json:"event_"`
			X struct {
				N string `json:"#bigint"`
			}
		}
	}
	read := func() (out trace) {
		data, err := r.ITF()
		if err == nil {
			err = json.Unmarshal(data, &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := read()
	if len(out.States) != 5 || out.States[1].X.N != "2" || out.States[2].Event_.N != "1" || out.States[3].Event != "rule 1" || out.Loop == nil || *out.Loop != 3 {
		t.Errorf("the trace is %+v", out)
	}
	if out.Meta.Constants["b"] != true || len(out.Vars) != 3 || out.Vars[0] != "event_" {
		t.Errorf("constants and variables are %v, %v", out.Meta.Constants, out.Vars)
	}
	r.Grows = "x by 1"
	if out := read(); out.Loop != nil || out.States[4].Event != "rule 2; steps 4 to 4 repeat for ever, and raise x by 1" {
		t.Errorf("the trace of a loop that raises something is %+v", out)
	}
	for _, times := range []*big.Int{big.NewInt(200_000), new(big.Int).Lsh(big.NewInt(1), 80)} {
		r.Events[0].Times = times
		if _, err := r.ITF(); err == nil {
			t.Errorf("%s steps are written", times)
		}
	}
}

// TestMark: pictures have what breaks, at the last step if it never happens, and who waits; for what, if that is short.
func TestMark(t *testing.T) {
	r := &Run{File: "/a/m.ta", Facts: Facts{Spec: "s", Steps: 3, Failure: "/a/m.ta:1:2: no"}}
	r.Mark(Explanation{{Kind: Happens, Text: "x", Step: 1}, {Kind: Never, Text: "y"}, {Kind: Because, Text: "z", Step: 2},
		Waits("a", "b"), Waits("c", strings.Repeat("d", 300))})
	want := []string{"m.ta:1:2: no", "then x", "s: never y", "waiting: a: b", "waiting: c"}
	for i, w := range r.Wrong {
		if len(r.Wrong) != len(want) || w.Text != want[i] || w.Step != 3 {
			t.Fatalf("%+v is marked, want %q", r.Wrong, want)
		}
	}
}
