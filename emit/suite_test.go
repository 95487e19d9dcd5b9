package emit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tacheck/benchmarks"
	"tacheck/emit"
	"tacheck/model"
	"tacheck/testkit/need"
)

// small returns a protocol of the suite, or an instance of one for all sizes, with values of its numbers that give it
// as many states as possible, up to some. What a constant has in the text is the most that it gets.
func small(t *testing.T, name string, most int64) (best *exported) {
	t.Helper()
	text, _ := benchmarks.Read(name)
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
			if n := counted(p, most); n > 0 && (best == nil || n > best.states) {
				if s := decide(t, fmt.Sprint(name, " ", settingsOf(set)), text, p, most); s != nil {
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
func TestSuiteTLC(t *testing.T) {
	jar := need.TLC(t)
	suite(t, 3000, func(t *testing.T, s *exported) {
		files, err := emit.Protocol(s.m, "tla", "model")
		if err != nil {
			t.Fatal(err)
		}
		s.tlc(t, jar, files)
	})
}

// TestSuiteRumur: so does rumur, also with symmetry.
func TestSuiteRumur(t *testing.T) {
	need.All(t, "rumur", "gcc")
	suite(t, 10_000, func(t *testing.T, s *exported) {
		files, err := emit.Protocol(s.m, "murphi", "model")
		if err != nil {
			t.Fatal(err)
		}
		s.rumur(t, files[".m"])
	})
}
