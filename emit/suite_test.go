package emit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
)

// fewer changes protocols that are too large for other tools in every size: smaller quorums, so that
// a step that asks for one is possible with two processes, and a view less. What they are for then fails in some sizes.
var fewer = map[string]*strings.Replacer{
	"view_change.ftdp":    strings.NewReplacer("a != b != c then", "a != b then", "primary[2] := c", "primary[2] := a"),
	"zoo/pbft.ftdp":       strings.NewReplacer("3 * t", "t", "2 * t", "t"),
	"zoo/tendermint.ftdp": strings.NewReplacer("3 * t", "t", "2 * t", "t"),
}

// small returns a protocol of the suite, or an instance of one for all sizes, with values of its numbers that give it
// as many states as possible, up to some, or else as few as possible. What a constant has in the text is the most that it gets.
func small(t *testing.T, name string, most int64) (best *exported) {
	t.Helper()
	better := func(n int64) bool {
		return n > 0 && (best == nil || best.states > most && n < best.states || n <= most && n > best.states)
	}
	text, _ := benchmarks.Read(name)
	if f, changed := fewer[name]; changed {
		less := f.Replace(text)
		if less == text {
			t.Fatal("nothing is fewer")
		}
		text = less
	}
	m, err := model.Open(context.Background(), name, text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, forAll := m.(model.ForAll)
	var choose func(rest []model.Parameter, set []model.Setting, changed int)
	choose = func(rest []model.Parameter, set []model.Setting, changed int) {
		if len(rest) == 0 {
			p, err := m.(model.Identified).Protocol(context.Background(), set)
			if err != nil || len(p.Inits) == 0 {
				return
			}
			if better(counted(p, 20_000)) {
				if s := decide(t, fmt.Sprint(name, " ", settingsOf(set)), text, p, 20_000); s != nil {
					best = s
				}
			}
			return
		}
		first, upTo := rest[0], int64(4)
		if !forAll {
			upTo = first.Value.Int64()
			choose(rest[1:], set, changed)
		}
		for v := upTo; v >= 0 && !first.Truth && (forAll || changed < 2); v-- {
			if forAll || v < upTo && v > 0 && (v <= 4 || v == upTo/2) {
				choose(rest[1:], append(set[:len(set):len(set)], model.Setting{Name: first.Name, Value: v}), changed+1)
			}
		}
	}
	choose(m.(interface{ Parameters() []model.Parameter }).Parameters(), nil, 0)
	return best
}

func settingsOf(set []model.Setting) string {
	var list []string
	for _, s := range set {
		list = append(list, fmt.Sprintf("%s=%d", s.Name, s.Value))
	}
	return strings.Join(list, " ")
}

// suite calls f for all protocols of the suite and of the zoo, in small sizes.
func suite(t *testing.T, most int64, f func(t *testing.T, s *exported)) {
	need.More(t, "the suite in other tools")
	for _, name := range append(benchmarks.Protocols(), benchmarks.Zoo()...) {
		t.Run(strings.TrimSuffix(strings.ReplaceAll(name, "/", "_"), ".ftdp"), func(t *testing.T) {
			s := small(t, name, most)
			if s == nil {
				t.Fatal("no size has so few states")
			}
			f(t, s)
			t.Log(s.name, s.states, "states,", s.orbits, "with symmetry", s.verdicts)
		})
	}
}

// TestSuiteTLC: TLC finds the same states in all protocols of the suite, and the same verdicts.
// Formulas take it minutes where there are thousands of states.
func TestSuiteTLC(t *testing.T) {
	jar := need.TLC(t)
	suite(t, 500, func(t *testing.T, s *exported) {
		files, err := emit.Protocol(s.m, "tla", "model")
		if err != nil {
			t.Fatal(err)
		}
		s.right(t, s.tlc(t, jar, files), files[".tla"])
	})
}

// TestSuiteRumur: so does rumur, also with symmetry.
func TestSuiteRumur(t *testing.T) {
	need.Peers(t, "rumur", "gcc")
	suite(t, 3000, func(t *testing.T, s *exported) {
		files, err := emit.Protocol(s.m, "murphi", "model")
		if err != nil {
			t.Fatal(err)
		}
		wrong, _ := s.rumur(t, files[".m"])
		s.right(t, wrong, files[".m"])
	})
}

// TestSuiteSpin: and Spin.
func TestSuiteSpin(t *testing.T) {
	need.Peers(t, "spin", "gcc")
	suite(t, 3000, func(t *testing.T, s *exported) {
		files, err := emit.Protocol(s.m, "promela", "model")
		if err != nil {
			t.Fatal(err)
		}
		s.right(t, s.spin(t, files[".pml"]), files[".pml"])
	})
}

// TestMistakesInText: what is wrong in a text that is written shows in what the other tool says of it.
func TestMistakesInText(t *testing.T) {
	subject := func(name string, n int64) *exported {
		text, _ := benchmarks.Read(name)
		m, err := instantiate.Read(name, text, map[string]int64{"n": n})
		if err != nil {
			t.Fatal(err)
		}
		return decide(t, name, text, m, 10_000)
	}
	lock, vote := subject("lock_server.ftdp", 3), subject("two_phase_commit.ftdp", 2)
	letters, _ := written(t, strings.Replace(several, "ORDER", orders[2], 1), "tla")
	for i, c := range []struct {
		s                            *exported
		target, mistake, right, text string
	}{
		{lock, "murphi", "what is received stays in its channel", "  c.len := c.len - 1;\n", ""},
		{lock, "murphi", "a slice begins at the first element", "queue.items[x1 + 1]", "queue.items[x1]"},
		{lock, "murphi", "an element more", "queue.length := server[s].queue.length + 1", "queue.length := server[s].queue.length"},
		{vote, "murphi", "what is lost stays in its channel", ": lost\"", ": kept\" false & "},
		{vote, "murphi", "who counts is one too many", "best := 0;", "best := 1;"},
		{lock, "promela", "what is received stays in its channel", "l_ = l_ - 1; ", ""},
		{lock, "promela", "an element more", "server[0] = server[0] + 1", "server[0] = server[0]"},
		{vote, "promela", "who counts is one too many", "-> 1 : 0) + ", "-> 1 : 0) + 1 + "},
		{lock, "tla", "what is received stays in its channel", "(channel, message) == Tail(channel)", "(channel, message) == channel"},
		{lock, "tla", "a slice begins at the first element", "list.items[from + x - 1]", "list.items[x]"},
		{lock, "tla", "nobody has to move", "WF_vars(", "WF_vars(FALSE /\\ "},
		{vote, "tla", "nothing arrives", "THEN now[who] ELSE Put", "THEN now[who] ELSE IF TRUE THEN now[who] ELSE Put"},
		{letters, "murphi", "a message takes the place of the first one", "list.cell[list.len] := m", "list.cell[0] := m"},
		{letters, "promela", "a second message is not sent", "count_to_node[0] > 1 ->", "count_to_node[0] > 9 ->"},
		{letters, "tla", "a second message is not sent", "Least({Len(lists[who]), ", "Least({1, Len(lists[who]), "},
	} {
		t.Run(c.target+" "+c.mistake, func(t *testing.T) {
			if i%need.Every(t, 1) > 0 {
				need.Usual(t, "this mistake")
			}
			files, err := emit.Protocol(c.s.m, c.target, "model")
			if err != nil {
				t.Fatal(err)
			}
			if c.target == "tla" {
				need.More(t, "mistakes in TLA+")
			}
			ending := endings[c.target]
			bad := strings.ReplaceAll(files[ending], c.right, c.text)
			if bad == files[ending] {
				t.Fatalf("%q is not written:\n%s", c.right, bad)
			}
			files[ending] = bad
			if c.s.elsewhere(t, c.target, files) == nil {
				t.Errorf("it is not noticed:\n%s", bad)
			}
		})
	}
}

// endings are those of the files of a target.
var endings = map[string]string{"tla": ".tla", "murphi": ".m", "promela": ".pml"}

// elsewhere returns where the tool that a text is for disagrees.
func (s *exported) elsewhere(t *testing.T, target string, files emit.Files) (wrong []string) {
	t.Helper()
	switch target {
	case "tla":
		return s.tlc(t, need.TLC(t), files)
	case "promela":
		need.Peers(t, "spin", "gcc")
		return s.spin(t, files[".pml"])
	}
	need.Peers(t, "rumur", "gcc")
	wrong, _ = s.rumur(t, files[".m"])
	return wrong
}
