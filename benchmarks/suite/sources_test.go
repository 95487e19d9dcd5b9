package suite

import (
	"context"
	"errors"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	"github.com/tacheck/tacheck/verify"
)

// broken are the same mistakes as in the automata of these names.
var broken = []struct {
	name  string
	edits []string // old, new, old, new
}{
	{"rb-n3t", []string{"n > 3 * t", "n >= 3 * t"}},
	{"rb-f1", []string{"t >= f", "t + 1 >= f"}},
	{"aba-n3t", []string{"n > 3 * t", "n >= 3 * t"}},
	{"aba-ready", []string{"heard(READY) >= t + 1", "heard(READY) >= t"}},
	{"bosco-3t-fast", []string{"f = 0 and n > 5 * t or n > 7 * t", "f = 0"}},
	{"bosco-5t-faults", []string{"f = 0 and n > 5 * t or n > 7 * t", "n > 5 * t"}},
	{"bosco-early", []string{"n + 3 * t", "n + t"}},
	{"c1cs-n3t", []string{"n > 3 * t", "n >= 3 * t"}},
	{"cbc-n2t", []string{"n > 2 * t", "n >= 2 * t"}},
	{"cbc-minority", []string{"2 * heard(VOTE(0)) > n", "2 * heard(VOTE(0)) >= n", "2 * heard(VOTE(1)) > n", "2 * heard(VOTE(1)) >= n"}},
	{"cf1s-faults", []string{"f = 0 and ", ""}},
	{"cf1s-most", []string{"heard(VALUE(0)) >= n - t and heard(VALUE(1)) = 0", "heard(VALUE(0)) >= n - 2 * t",
		"heard(VALUE(1)) >= n - t and heard(VALUE(0)) = 0", "heard(VALUE(1)) >= n - 2 * t"}},
	{"frb-accept-first", []string{"clean f", "crash f", "local accepted: bool;", "local accepted, sent: bool;",
		"then send MSG; accepted := true; endif", "then accepted := true; endif\n  send: if accepted and not sent then send MSG; sent := true; endif"}},
	{"nbac-agreement", []string{"ltl validity:", "ltl agreement: G (all(state != COMMIT) or all(state != ABORT));\nltl validity:"}},
	{"nbac-unfair", []string{"F G (all(state != SUSPECTS) and (all(not crashed) or all(state != WAITING)))",
		"G F (all(not crashed) or all(state != WAITING)) and G F all(state != SUSPECTS)"}},
	{"nbacc-early", []string{"heard(VOTE(1)) >= n ", "heard(VOTE(1)) >= n - 1 "}},
	{"nbacg-late", []string{"\nend", "\n  maybe late: if state = WAITING and crashes >= 1 then state := ABORT; endif\nend"}},
}

// decided is a property of a source: by its automaton, and by a run of the
// protocol if it is violated.
type decided struct {
	verdict verdict.Verdict
	run     *interp.Run
	reason  string
}

func decide(t *testing.T, text string) (*ftdp.File, map[string]decided) {
	t.Helper()
	return decideSome(t, text, nil)
}

// decideSome decides properties of some names; nil is for all.
func decideSome(t *testing.T, text string, names []string) (*ftdp.File, map[string]decided) {
	t.Helper()
	f, err := ftdp.Parse("source.ftdp", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := model.Open(context.Background(), "source.ftdp", text, model.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	q, err := m.(model.ForAll).Ask(context.Background(), names, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out := map[string]decided{}
	for _, name := range q.Names() {
		r, err := q.One(context.Background(), name, verify.Options{Jobs: 1}, verify.Decide)
		var none *verify.NoRuns
		if errors.As(err, &none) {
			out[name] = decided{verdict: machine.Unknown, reason: err.Error()}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		d := decided{verdict: r.Verdict, reason: r.Reason}
		if x, ok := r.Counterexample.(interface{ Run() *interp.Run }); ok {
			d.run = x.Run()
			if err := d.run.Check(); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
		}
		out[name] = d
	}
	return f, out
}

// edited returns the text of a source with a mistake.
func edited(t *testing.T, name string, edits []string) string {
	t.Helper()
	text, ok := benchmarks.Read("sources/" + name + ".ftdp")
	if !ok {
		t.Fatal(name)
	}
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("%s: there is no %q", name, edits[i])
		}
		text = strings.ReplaceAll(text, edits[i], edits[i+1])
	}
	return text
}

// TestSources: the ten algorithms as pseudo-code have the same verdicts as the automata that were
// made by hand, and so have all broken variants; each counterexample is a run of processes with
// identities.
func TestSources(t *testing.T) {
	// A broken automaton need not have all specifications.
	check := func(t *testing.T, text, automaton string) {
		_, got := decide(t, text)
		n := 0
		for _, e := range benchmarks.Expected() {
			if e.File != automaton {
				continue
			}
			n++
			if d := got[e.Spec]; d.verdict != e.Verdict {
				t.Errorf("%s: %q (%s), and %s of the automaton", e.Spec, d.verdict, d.reason, e.Verdict)
			}
		}
		if n == 0 || n > len(got) || n < len(got) && !strings.HasPrefix(automaton, "broken/") {
			t.Errorf("%d specifications of the automaton, %d of the source", n, len(got))
		}
	}
	for _, file := range benchmarks.Sources() {
		name := strings.TrimSuffix(path.Base(file), ".ftdp")
		t.Run(name, func(t *testing.T) { check(t, edited(t, name, nil), name+".ta") })
	}
	every := need.Every(t, 3)
	for i, b := range broken {
		if i%every > 0 {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			name, _, _ := strings.Cut(b.name, "-")
			check(t, edited(t, name, b.edits), "broken/"+b.name+".ta")
		})
	}
}

// instances yields admissible parameters up to a bound.
func instances(s *parametric.Source, most int64, yield func(map[string]int64)) {
	values := map[string]int64{}
	var choose func(i int)
	choose = func(i int) {
		if i == len(s.Params) {
			if ok, _ := s.Admissible(values); ok {
				yield(values)
			}
			return
		}
		for v := range most + 1 {
			values[s.Params[i]] = v
			choose(i + 1)
		}
	}
	choose(0)
}

// explored holds the verdicts for all parameters against exploring instances.
func explored(t *testing.T, f *ftdp.File, got map[string]decided, most int64, states int64) (complete, all int) {
	t.Helper()
	s, err := parametric.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	instances(s, most, func(values map[string]int64) {
		m, err := instantiate.Model(f, values)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Props {
			p := &m.Props[i]
			r, err := machine.Check(context.Background(), m, []*protocol.Prop{p}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: states}})
			if err != nil {
				t.Fatalf("%v: %v", values, err)
			}
			all++
			if r[0].Verdict != machine.Unknown {
				complete++
			}
			if d := got[p.Name]; r[0].Verdict == machine.Violated && d.verdict == machine.Holds {
				t.Errorf("%s holds for all parameters, and is violated with %v\n%s", p.Name, values, f.Text())
			}
		}
	})
	return complete, all
}

// TestSourcesExplored: exploring instances agrees with the verdicts for all
// parameters.
func TestSourcesExplored(t *testing.T) {
	states := int64(need.Cases(t, 500))
	done, all, row, every := 0, 0, 0, need.Every(t, 3)
	try := func(text string) {
		if row++; row%every > 0 {
			return
		}
		f, got := decide(t, text)
		c, n := explored(t, f, got, 4, states)
		done, all = done+c, all+n
	}
	for _, file := range benchmarks.Sources() {
		text, _ := benchmarks.Read(file)
		try(text)
	}
	for _, b := range broken {
		name, _, _ := strings.Cut(b.name, "-")
		try(edited(t, name, b.edits))
	}
	t.Logf("%d of %d instances explored to their end, up to %d states", done, all, states)
}

// TestRandomSources: random protocols for all sizes; what holds for all parameters is
// violated by no small instance, and counterexamples are runs.
func TestRandomSources(t *testing.T) { randomSources(t, random.Source, need.Cases(t, 5)) }

// TestRandomTypes: the same of protocols with several types of processes, and all that goes with them.
func TestRandomTypes(t *testing.T) { randomSources(t, random.Types, need.Cases(t, 4)) }

// TestRandomTimely: the same of protocols with synchronous exchanges of messages.
func TestRandomTimely(t *testing.T) { randomSources(t, random.Timely, need.Cases(t, 3)) }

func randomSources(t *testing.T, source func(*rand.Rand) string, cases int) {
	first := need.Seed(t, 0)
	tally := map[verdict.Verdict]int{}
	done, all := 0, 0
	for seed := first; seed < first+cases; seed++ {
		text := source(rand.New(rand.NewPCG(uint64(seed), 16)))
		f, got := decide(t, text)
		for name, d := range got {
			tally[d.verdict]++
			if d.verdict == machine.Unknown && testing.Verbose() {
				t.Logf("seed %d: %s: %s", seed, name, d.reason)
			}
		}
		c, n := explored(t, f, got, 3, 1500)
		done, all = done+c, all+n
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%v; %d of %d instances explored to their end", tally, done, all)
}

// TestSourcesSabotage makes mistakes in the automaton of a source. Exploring, or playing
// the counterexample, shows each.
func TestSourcesSabotage(t *testing.T) {
	translated := func(text string) (*ftdp.File, *threshold.Translation) {
		f, err := ftdp.Parse("source.ftdp", text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parametric.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := threshold.Translate(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return f, tr
	}
	decided := func(text, spec string) *verify.Result {
		a, err := ta.Parse("source.ta", text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Decide(context.Background(), a, a.SpecNamed(spec), verify.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	changed := func(text, from, to string) string {
		out := strings.ReplaceAll(text, from, to)
		if out == text {
			t.Fatalf("there is no %q in\n%s", from, text)
		}
		return out
	}
	t.Run("lies are forgotten", func(t *testing.T) {
		f, tr := translated(edited(t, "rb", []string{"t >= f", "t + 1 >= f"}))
		if r := decided(changed(syntax.Format(tr.Tree()), "echo >= t - f + 1", "echo >= t + 1"), "unforgeability"); r.Verdict != verify.Holds {
			t.Fatalf("the mistake does not show: %s", r.Verdict)
		}
		m, err := instantiate.Model(f, map[string]int64{"n": 4, "t": 1, "f": 2})
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Check(context.Background(), m, []*protocol.Prop{m.Lookup("unforgeability")}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: 100_000}})
		if err != nil || r[0].Verdict != machine.Violated {
			t.Errorf("exploring does not show it: %v, %v", r, err)
		}
	})
	t.Run("lies are counted twice", func(t *testing.T) {
		_, tr := translated(edited(t, "rb", nil))
		r := decided(changed(syntax.Format(tr.Tree()), "echo >= t - f + 1", "echo >= t - 2 * f + 1"), "unforgeability")
		if r.Witness == nil {
			t.Fatalf("the mistake does not show: %s", r.Verdict)
		}
		if run, err := tr.Run(context.Background(), r.Witness.Run, "unforgeability"); err == nil {
			t.Errorf("it was played: %v", run.Events)
		}
	})
	t.Run("messages need not arrive", func(t *testing.T) {
		_, tr := translated(edited(t, "rb", nil))
		r := decided(changed(syntax.Format(tr.Tree()), "(sent == 0 || (echo >= t - f + 1 && echo <= n - t - 1))", "(sent == 0 || echo <= n)"), "relay")
		if r.Witness == nil {
			t.Fatalf("the mistake does not show: %s", r.Verdict)
		}
		if run, err := tr.Run(context.Background(), r.Witness.Run, "relay"); err == nil {
			t.Errorf("it was played: %v", run.Events)
		}
	})
}
