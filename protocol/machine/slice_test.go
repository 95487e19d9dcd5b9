package machine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	"github.com/tacheck/tacheck/verify"
)

// claims are false after some steps of random protocols.
var claims = map[string][]string{
	"node": {"forall (k: N) not node[k].done", "forall (k: N) forall (l: N) node[k].x = node[l].x", "forall (k: N) node[k].x = 0",
		"exists (k: N) node[k].x < 1 and not node[k].done", "(count (k: N) node[k].done) < 2"},
	"traffic": {"forall (k: B) b[k].got = 0", "forall (k: A) a[k].pc < 2", "forall (k: A) forall (l: B) a[k].pc <= b[l].got", "(max (k: A) a[k].pc) < 2",
		"forall (k: A) forall (l: B) not (a[k].pc = 2 and b[l].got > 0)"},
}

// TestStoriesSuffice: the steps that the story of a run tells as reasons why an invariant is violated are possible by
// themselves, one after the other, and violate the same instance of the invariant.
func TestStoriesSuffice(t *testing.T) {
	cases, seed := need.Cases(t, 300), need.Seed(t, 1)
	violated, steps, kept := 0, 0, 0
	for i := range cases {
		r := rand.New(rand.NewPCG(uint64(seed+i), 41))
		text := []func(*rand.Rand) string{random.Protocol, random.Channels, random.Collections}[i%3](r)
		about := claims["node"]
		if i%3 == 1 {
			about = claims["traffic"]
		}
		for j, says := range about {
			text += fmt.Sprintf("invariant claim%d: %s;\n", j, says)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed+i, err, text)
		}
		how := interp.Options{Traffic: []interp.Traffic{interp.Direct, interp.Generalized, interp.Reference}[r.IntN(3)], Implicit: r.IntN(2) > 0}
		for _, run := range wandering(m, how, r) {
			violated++
			n, err := suffices(run)
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s\n%s", seed+i, run.Property, err, text, tell(run))
			}
			steps, kept = steps+len(run.Events)-1, kept+n
		}
	}
	t.Logf("%d violations: %d steps, %d of them told", violated, steps, kept)
	if violated < cases/4 || kept == steps {
		t.Errorf("%d violations of %d cases, %d of %d steps told", violated, cases, kept, steps)
	}
}

// flows are texts in which something has to be kept that another step rests on: what is assigned, the condition of an if inside of a
// rule, what comes first in a channel, what leaves room in it, what fills it.
var flows = []struct{ channels, rules, claim string }{
	{"reliable unordered 1", `[](i: N) up: if node[i].a < 2 then node[i].a := node[i].a + 1 endif
  [](i: N) copy: if node[i].b = 0 then node[i].b := node[i].a endif`, "node[k].b < 2"},
	{"reliable unordered 1", `[](i: N) up: if node[i].a < 2 then node[i].a := node[i].a + 1 endif
  [](i: N) mark: if node[i].b < 2 then
    node[i].b := node[i].b + 1;
    if node[i].a = 2 then node[i].c := 1 endif endif`, "node[k].c = 0"},
	{"reliable fifo 2", `[](i: N) first: if node[i].a = 0 then node[i].a := 1; send A(1) to all of N endif
  [](i: N) second: if node[i].a = 1 then node[i].a := 2; send A(2) to all of N endif
  [](i: N) get: receive A(v) from j: N; if true then if v = 2 then node[i].c := 1 endif endif`, "node[k].c = 0"},
	{"reliable unordered 1", `[](i: N) first: if node[i].a = 0 then node[i].a := 1; send A(1) to all of N endif
  [](i: N) second: if node[i].a = 1 then node[i].a := 2; send A(2) to all of N endif
  [](i: N) get: receive A(v) from j: N; if true then if v = 2 then node[i].c := 1 endif endif`, "node[k].c = 0"},
	{"lossy fifo 1", `[](i: N) other: if node[i].b = 0 then node[i].b := 1; send A(1) to all of N endif
  [](i: N) second: if node[i].a = 0 then node[i].a := 1; send A(2) to all of N endif
  [](i: N) third: if node[i].a = 1 then node[i].a := 2; send A(0) to all of N endif
  [](i: N) get: receive A(v) from j: N; if true then if v = 0 then node[i].c := 1 endif endif`, "node[k].c = 0"},
}

// TestSlicesKeepFlows: the same of runs at random of such texts.
func TestSlicesKeepFlows(t *testing.T) {
	for _, f := range flows {
		var loss, order string
		var bound int
		if _, err := fmt.Sscan(f.channels, &loss, &order, &bound); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("protocol flow;\nchannels asynchronous %s authenticated %s bounded %d;\ntype N: role[1];\nmessage A(v: 0..2);\nvar node: array[N] of record a, b, c: 0..2 = 0; end;\nrules\n%s\ninvariant claim: forall (k: N) %s;\n",
			loss, order, bound, strings.ReplaceAll(f.rules, "\n  [](i: N)", "\n  []\n  [](i: N)"), f.claim)
		m, err := instantiate.Read("flow.ftdp", text, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		violated := 0
		for seed := range uint64(60) {
			for _, run := range wandering(m, interp.Options{Traffic: interp.Direct}, rand.New(rand.NewPCG(seed, 43))) {
				violated++
				if _, err := suffices(run); err != nil {
					t.Fatalf("%v\n%s\n%s", err, text, tell(run))
				}
			}
		}
		if violated < 5 {
			t.Errorf("%d violations\n%s", violated, text)
		}
	}
}

// wandering walks at random, and returns runs that violate invariants, with steps that do not matter.
func wandering(m *protocol.Model, how interp.Options, r *rand.Rand) (runs []*interp.Run) {
	x := &interp.Interpreter{Model: m, Options: how}
	list, err := x.Initial()
	run := &interp.Run{Model: m, Options: how, Loop: -1}
	violated := map[string]bool{}
	for len(run.Events) < 25 && err == nil && len(list) < 200 {
		at := list[r.IntN(len(list))]
		run.Events, run.States = append(run.Events, at.Event), append(run.States, at.State)
		for i := range m.Props {
			p := &m.Props[i]
			if p.Invariant == nil || violated[p.Name] || !fails(x, at.State, p.Invariant, make([]int32, p.Frame)) {
				continue
			}
			violated[p.Name] = true
			if len(run.Events) > 1 {
				out := *run
				out.Property, out.Events, out.States = p.Name, slices.Clone(run.Events), slices.Clone(run.States)
				runs = append(runs, &out)
			}
		}
		list, err = x.Successors(at.State)
	}
	return runs
}

func tell(r *interp.Run) (out string) {
	for _, e := range r.Events {
		out += interp.Describe(r.Model, e) + "\n"
	}
	why, _ := story.Explain(r)
	for _, line := range why {
		out += string(line.Kind) + " " + line.Text + "\n"
	}
	return out
}

// suffices plays the steps that a story tells, and counts them.
func suffices(of *interp.Run) (int, error) {
	why, err := story.Explain(of)
	if err != nil {
		return 0, err
	}
	told := map[int]bool{}
	for _, line := range why {
		if line.Kind == run.Because || line.Kind == run.Fault {
			for _, k := range line.Steps {
				told[k] = true
			}
		}
	}
	x := &interp.Interpreter{Model: of.Model, Options: of.Options}
	s := of.States[0]
	for k := 1; k < len(of.Events); k++ {
		if !told[k] {
			continue
		}
		next, _, err := x.Single(s, of.Events[k])
		if err != nil {
			return 0, errors.Join(errors.New("step "+interp.Describe(of.Model, of.Events[k])), err)
		}
		s = next
	}
	return len(told), sameInstance(of, x, s)
}

// sameInstance checks that a state violates an invariant for the same values of its variables as the last state of a run does.
func sameInstance(run *interp.Run, x *interp.Interpreter, s *protocol.State) error {
	p := run.Model.Lookup(run.Property)
	frame := make([]int32, p.Frame)
	t, last := p.Invariant, run.States[len(run.States)-1]
	for t.Op == ftdp.ForAll {
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			if frame[t.Var] = v; fails(x, last, t.Args[0], frame) {
				break
			}
		}
		t = t.Args[0]
	}
	if !fails(x, s, t, frame) {
		return errors.New("the steps that are told do not violate it")
	}
	return nil
}

func fails(x *interp.Interpreter, s *protocol.State, t *protocol.Term, frame []int32) bool {
	holds, err := x.HoldsWith(s, t, frame)
	return err == nil && !holds
}

// TestStoriesOfBrokenSuffice: the same of the embedded protocols whose invariants are violated.
func TestStoriesOfBrokenSuffice(t *testing.T) {
	row, every := 0, need.Every(t, 5)
	for _, e := range benchmarks.ExpectedProtocols() {
		if e.Verdict != verify.Violated {
			continue
		}
		if row++; row%every > 0 {
			continue
		}
		text, _ := benchmarks.Read(e.File)
		m, err := instantiate.Read(e.File, text, e.Set)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Lookup(e.Property)
		if p.Invariant == nil {
			continue
		}
		list, err := Check(context.Background(), m, []*protocol.Prop{p}, Options{Bounds: explore.Bounds{Jobs: 1}})
		if err != nil || list[0].Run == nil {
			t.Fatalf("%s %s: %v", e.File, e.Property, err)
		}
		if _, err := suffices(list[0].Run); err != nil {
			t.Errorf("%s %s: %v\n%s", e.File, e.Property, err, tell(list[0].Run))
		}
	}
}
