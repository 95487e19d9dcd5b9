package machine

import (
	"context"
	"fmt"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestSuite decides the embedded protocols in all ways: every model of traffic,
// crashes implicit and explicit, with and without symmetry. Verdicts are those
// expected; all properties have one.
func TestSuite(t *testing.T) {
	covered, every, rows := map[string]bool{}, need.Every(t, 5), need.Every(t, 2)
	for row, e := range benchmarks.ExpectedProtocols() {
		if covered[e.File+" "+e.Property] = true; row%rows > 0 {
			continue
		}
		t.Run(fmt.Sprint(e.File, e.Set, e.Property), func(t *testing.T) {
			text, _ := benchmarks.Read(e.File)
			m, err := instantiate.Read(e.File, text, e.Set)
			if err != nil {
				t.Fatal(err)
			}
			if m.Asymmetry != nil {
				t.Fatal(m.Asymmetry)
			}
			p := m.Lookup(e.Property)
			depth := -1
			for i, o := range []Options{{}, {Plain: true}, {Crash: "explicit"}, {Crash: "implicit"}, {Traffic: interp.Generalized}, {Traffic: interp.Reference}} {
				if i > 0 && (row+i)%every > 0 || testing.Short() && (o.Plain || o.Traffic != "") {
					continue
				}
				o.Bounds = explore.Bounds{Jobs: 2, States: 60_000}
				if p.LTL != nil {
					o.States = 10_000
				} else if i == 0 && every == 1 { // a larger run decides what is large
					o.States = 2_000_000
				}
				r, err := Check(context.Background(), m, []*protocol.Prop{p}, o)
				if err != nil {
					t.Fatal(err)
				}
				if r[0].Verdict == Unknown {
					t.Logf("%+v: %s", o, r[0].Reason)
					continue
				}
				if r[0].Verdict != e.Verdict {
					t.Errorf("%+v: %s, want %s: %s", o, r[0].Verdict, e.Verdict, e.Why)
				}
				if o.Traffic == "" && p.Invariant != nil {
					if depth >= 0 && r[0].Verdict == Violated && r[0].Depth != depth {
						t.Errorf("%+v: violated after %d steps, and elsewhere after %d", o, r[0].Depth, depth)
					}
					depth = r[0].Depth
				}
			}
		})
	}
	for _, name := range benchmarks.Protocols() {
		text, _ := benchmarks.Read(name)
		m, err := instantiate.Read(name, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Props {
			if !covered[name+" "+p.Name] {
				t.Errorf("%s: %s has no expectation", name, p.Name)
			}
		}
	}
}
