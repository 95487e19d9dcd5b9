package schedule

import (
	"context"
	"errors"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestSabotage puts mistakes into the encoding, one at a time, and demands
// that replay or exploration catches each within 1,000 random cases. It tests
// the tests: what cannot catch these would not catch others.
func TestSabotage(t *testing.T) {
	for _, s := range []sabotage{
		{name: "none"},
		{name: "last flow dropped", shows: 285, encode: func(segments int) Encoding { return &dropping{drop: segments - 1} }},
		{name: "upper guards ignored", shows: 15, problem: ignoreUpperGuards},
		{name: "loop step forgotten", shows: 1, problem: forgetLoopStep},
		{name: "threshold off by one", shows: 89, problem: shiftThreshold(1)},
		{name: "threshold off by minus one", shows: 32, problem: shiftThreshold(-1)},
		{name: "strict thresholds taken for others", shows: 36, problem: notStrict},
		{name: "anchor forgotten", shows: 49, encode: func(int) Encoding { return unwatched{} }},
		{name: "none, growing", model: generate.Growing},
		{name: "support forgotten", shows: 21, model: generate.Growing, problem: func(p *Problem) { p.growing = make([]bool, len(p.growing)) }},
		{name: "ranks the wrong way", shows: 46, model: generate.Growing, problem: func(p *Problem) { p.rankStep = -1 }},
		{name: "growth under a false threshold", shows: 15, model: generate.Growing, problem: func(p *Problem) { p.loop.watched = nil }},
	} {
		t.Run(s.name, func(t *testing.T) {
			limit := 1000
			if s.problem == nil && s.encode == nil {
				limit = need.Cases(t, 20)
			}
			for seed := range need.First(s.shows, int64(limit)) {
				if wrong := s.try(t, s.text(seed)); wrong != "" {
					if strings.HasPrefix(s.name, "none") {
						t.Fatalf("case %d, without any mistake: %s", seed, wrong)
					}
					t.Logf("caught in case %d: %s", seed, wrong)
					return
				}
			}
			if !strings.HasPrefix(s.name, "none") {
				t.Errorf("not caught in %d cases", limit)
			}
		})
	}
}

// sabotage is a mistake in a problem or in an encoding.
type sabotage struct {
	name    string
	shows   int64                   // a case that shows it
	model   func(*rand.Rand) string // generate.Model if nil
	problem func(*Problem)
	encode  func(segments int) Encoding
}

func (s *sabotage) text(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	if s.model != nil {
		return s.model(r)
	}
	return generate.Model(r)
}

// try decides one case with the mistake and says how that shows, or "".
func (s *sabotage) try(t *testing.T, text string) (wrong string) {
	a, err := ta.Parse("random.ta", text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ltl.Parse(a, &a.Specs[0])
	if err != nil {
		t.Fatal(err)
	}
	f = ltl.Negate(f)
	trees, err := ltl.Canonical(f)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, tree := range trees {
		run, outside, err := s.decide(t, a, tree)
		if err != nil {
			return "no run: " + err.Error()
		}
		if outside {
			return ""
		}
		if run == nil {
			continue
		}
		found = true
		configs, err := a.Replay(run)
		if err != nil {
			return "replay: " + err.Error()
		}
		if ok, err := ltl.Holds(a, f, run, configs); err != nil || !ok {
			return "the run does not satisfy the formula"
		}
	}
	if found {
		return ""
	}
	for n := range int64(4) {
		for m := range int64(3) {
			result, err := automata.Find(context.Background(), a, f, []*big.Int{big.NewInt(n), big.NewInt(m)}, automata.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if result.Run != nil {
				return "exploration finds a run"
			}
		}
	}
	return ""
}

func (s *sabotage) decide(t *testing.T, a *ta.Automaton, tree *ltl.Node) (run *ta.Run, outside bool, err error) {
	solver := newSolver(t)
	defer solver.Close()
	ctx := context.Background()
	p, err := NewProblem(ctx, solver, a, tree, false)
	var list diag.List
	if errors.As(err, &list) {
		return nil, true, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	encode := Flow
	if s.encode != nil {
		count := &dropping{drop: -1}
		if _, err := Symbolic.Run(ctx, Workers{Main: solver}, p, count); err != nil {
			t.Fatal(err)
		}
		encode = s.encode(count.segments)
	}
	if s.problem != nil {
		s.problem(p)
	}
	out, err := Symbolic.Run(ctx, Workers{Main: solver}, p, encode)
	if err != nil || out.Status != smt.Sat {
		return nil, false, err
	}
	for i := 0; i < len(out.Run.Steps); i++ { // phantoms are no steps of the automaton
		if out.Run.Steps[i].Rule >= len(a.Rules) {
			out.Run.Steps = append(out.Run.Steps[:i:i], out.Run.Steps[i+1:]...)
			i--
		}
	}
	return out.Run, false, nil
}

// dropping leaves out one segment.
type dropping struct {
	flow
	segments, drop int
}

func (d *dropping) segment(t *timeline, moves []move, ctx knowledge, watched []watch) {
	if d.segments != d.drop {
		d.flow.segment(t, moves, ctx, watched)
	}
	d.segments++
}

// unwatched forgets clauses that must hold throughout a segment.
type unwatched struct{ flow }

func (u unwatched) segment(t *timeline, moves []move, ctx knowledge, _ []watch) {
	u.flow.segment(t, moves, ctx, nil)
}

func ignoreUpperGuards(p *Problem) {
	for i := range p.moves {
		p.moves[i].upper = nil
	}
}

// forgetLoopStep adds steps that can always be made and are none.
func forgetLoopStep(p *Problem) {
	a := *p.automaton
	a.Rules = a.Rules[:len(a.Rules):len(a.Rules)]
	for l := range a.Locations {
		r := &ta.Rule{Index: len(a.Rules), From: l, To: l, Guard: ta.True}
		a.Rules = append(a.Rules, *r)
		p.loopSteps = append(p.loopSteps, move{rule: r})
	}
	p.automaton = &a
}

func shiftThreshold(by int64) func(*Problem) {
	return func(p *Problem) {
		for i := range p.thresholds[:min(1, len(p.thresholds))] {
			p.thresholds[i].Bound = p.thresholds[i].Bound.Add(ta.Int(by))
		}
	}
}

func notStrict(p *Problem) {
	for i := range p.thresholds {
		p.thresholds[i].strict = false
	}
}

// newSolver starts Z3: in process, or over a pipe in builds without it.
func newSolver(t *testing.T) smt.Solver {
	t.Helper()
	start := z3.New
	if !z3.Available {
		start = func() (smt.Solver, error) { return smtlib.New(smtlib.Known["z3-pipe"]) }
	}
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
