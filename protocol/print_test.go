package protocol_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestFormat checks that formatting keeps comments and meaning, and settles.
func TestFormat(t *testing.T) {
	files, _ := filepath.Glob("../benchmarks/protocols/*.ftdp")
	sources, _ := filepath.Glob("../benchmarks/sources/*.ftdp")
	files = append(files, sources...)
	if len(files) == 0 {
		t.Fatal("no protocols")
	}
	for i, name := range files {
		if i%need.Every(t, 1) > 0 {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ftdp.Parse(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		once := ftdp.Format(f)
		g, err := ftdp.Parse(name, once)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, once)
		}
		if twice := ftdp.Format(g); twice != once {
			t.Errorf("%s: formatting again changes it:\n%s\n---\n%s", name, once, twice)
		}
		if a, b := strings.Count(string(text), "//"), strings.Count(once, "//"); a != b {
			t.Errorf("%s: %d comments became %d:\n%s", name, a, b, once)
		}
		before, err := instantiate.Model(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		after, err := instantiate.Model(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, b := reachable(t, &interp.Interpreter{Model: before}, 800), reachable(t, &interp.Interpreter{Model: after}, 800)
		if a != b {
			t.Errorf("%s: %d states became %d", name, a, b)
		}
	}
}

// TestConditionPlaces: what is wrong with a condition has its place in it.
func TestConditionPlaces(t *testing.T) {
	text, err := os.ReadFile("../benchmarks/protocols/rb.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read("rb.ftdp", string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	for condition, want := range map[string]string{
		"true)) or (true":                         `lemma:1:5: unexpected token ")"`,
		"  true)) or (true;":                      `lemma:1:5: unexpected token ")"`,
		"forall (i: nodeID)\n node[i].sen = true": `lemma:2:2: there is no field "sen"`,
		"forall (i: nodeID)\n node[i].sent =":     "lemma:2:16: unexpected",
		"forall (i: nodeID) node[1].sent = true":  "lemma:1:25: 1 is no variable",
		"relay":                                   `lemma:1:1: unknown name "relay"`,
		"/* open":                                 "lemma:1:1: comment is not closed",
		"":                                        "lemma:1:1: unexpected",
	} {
		c, err := protocol.ReadCondition(condition)
		if err == nil {
			_, err = m.Condition(c)
		}
		var wrong *protocol.ConditionError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", condition, err, want)
		}
	}
}
