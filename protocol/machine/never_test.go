package machine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/testkit/need"
)

// flips is a text of processes that go round.
func flips(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	cond := func(k string) string {
		return pick("node["+k+"].b", "not node["+k+"].b", "node["+k+"].x = 1", "node["+k+"].x < 2", "begun", "z > 0")
	}
	set := func(k string) string {
		return pick("node["+k+"].b := true;", "node["+k+"].b := false;", "node["+k+"].x := "+pick("0", "1", "2")+";", "z := "+pick("0", "1", "2")+";")
	}
	text := fmt.Sprintf("protocol flips;\ntype N: role[%d];\nvar node: array[N] of record b: bool = false; x: 0..2 = %s; end;\n"+
		"z: 0..2 = 0; begun: bool = false;\nrules\n  [](i: N) first: if not begun then begun := true; %s endif\n", 1+r.IntN(3), pick("0", "1"), set("i"))
	for k := range 2 + r.IntN(2) {
		text += fmt.Sprintf("  []\n  [](i: N) r%d: if begun and %s then %s for q: N do if q != i then %s endif endfor endif\n", k, cond("i"), set("i"), set("q"))
	}
	all := func() string {
		return pick("forall (i: N) "+cond("i"), "exists (i: N) "+cond("i"), "forall (i: N) ("+cond("i")+" and "+cond("i")+")",
			"forall (i: N) ("+cond("i")+" or "+cond("i")+")", "begun and z = 1")
	}
	for k, shape := range []string{"F (%s)", "G (begun -> F (%s))", "F (G (%s))", "G (F (%s))"} {
		text += fmt.Sprintf("ltl p%d: "+shape+";\n", k, all())
	}
	return text
}

var lasting = regexp.MustCompile(`^(?:after step (\d+)(?: for ever)?: |always: )?.*? \((at last )?([^()]*)\)$`)

// TestLastingIsTrue: what is seen where something never is so, or always is, is so in all states that the line speaks of.
func TestLastingIsTrue(t *testing.T) {
	cases, seed := need.Cases(t, 150), uint64(need.Seed(t, 5))
	read := 0
	for i := range uint64(cases) {
		text := flips(rand.New(rand.NewPCG(seed+i, 11)))
		m, err := instantiate.Read("flips.ftdp", text, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for k := range m.Props {
			found, err := machine.Check(context.Background(), m, []*protocol.Prop{&m.Props[k]}, machine.Options{})
			if err != nil || found[0].Run == nil {
				continue
			}
			of := found[0].Run
			why, err := story.Explain(of)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range why {
				said := lasting.FindStringSubmatch(line.Text)
				if said == nil || line.Kind != run.Never && !strings.Contains(line.Text, " for ever: ") {
					continue
				}
				from, _ := strconv.Atoi(said[1])
				if from = min(from, of.Loop-1); said[2] != "" {
					from = of.Loop - 1
				}
				for cond := range strings.SplitSeq(said[3], ", ") {
					w, err := story.NewWatch(m, "line", cond)
					if err != nil {
						continue // a part of the formula, in brackets
					}
					read++
					for at := from; at < len(of.States); at++ {
						is, err := w.True(&interp.Interpreter{Model: m}, of.States[at])
						if err != nil || !is {
							t.Errorf("seed %d: %s: %s is not so after step %d: %v\n%s", seed+i, line.Text, cond, at, err, text)
							break
						}
					}
				}
			}
		}
	}
	if t.Log(read); read < cases/10 {
		t.Errorf("only %d conditions are read", read)
	}
}
