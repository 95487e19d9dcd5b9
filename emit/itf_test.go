package emit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// twice is a model one of whose runs lets several processes take a rule at once.
const twice = `ta Twice { shared x; parameters n; assumptions { n >= 2; } locations { a: [0]; b: [1]; } inits { a == n; b == 0; x == 0; }
  rules { 1: a -> b when (true) do { x' == x + 1; }; } specifications { s: [](x <= 1); } }`

// TestTracesAreRuns: each step of a trace in the ITF moves one process.
func TestTracesAreRuns(t *testing.T) {
	w := broken(t, "twice.ta", twice)
	states := trace(t, w)
	if len(states) != 3 || fmt.Sprint(states[1]) != "map[a:1 b:1 x:1]" || fmt.Sprint(states[2]) != "map[a:0 b:2 x:2]" {
		t.Errorf("the states are %v", states)
	}
	for name, text := range brokenTexts() {
		w := broken(t, name, text)
		states := trace(t, w)
		for k := 1; k < len(states); k++ {
			moved := big.NewInt(0)
			for _, n := range w.Automaton.Locations {
				d := new(big.Int).Sub(value(states[k][n.Name]), value(states[k-1][n.Name]))
				moved.Add(moved, d.Abs(d))
			}
			if moved.Cmp(big.NewInt(2)) > 0 {
				t.Errorf("%s: step %d moves several processes: %v, %v", name, k, states[k-1], states[k])
			}
		}
	}
}

// TestTracesTLC: TLC finds that the run of a trace is one of the module that the automaton is written as.
func TestTracesTLC(t *testing.T) {
	jar := need.TLC(t)
	for name, text := range brokenTexts() {
		w := broken(t, name, text)
		files, err := emit.TLA(w.Automaton, w.Run.Start.Params)
		if err != nil {
			t.Fatal(err)
		}
		states := trace(t, w)
		var list []string
		for _, s := range states {
			var parts []string
			for _, v := range variables(w.Automaton) {
				parts = append(parts, s[v])
			}
			list = append(list, "<<"+strings.Join(parts, ", ")+">>")
		}
		module := regexp.MustCompile(`MODULE (\w+)`).FindStringSubmatch(files[".tla"])[1]
		follow := fmt.Sprintf("---- MODULE Follow ----\nEXTENDS %s, Sequences\nVARIABLE at\nTrace == <<%s>>\n"+
			"Begin == Init /\\ at = 1 /\\ vars = Trace[1]\nStep == at < Len(Trace) /\\ at' = at + 1 /\\ [Next]_vars /\\ vars' = Trace[at + 1]\n"+
			"Along == Begin /\\ [][Step]_<<vars, at>>\nShort == at < Len(Trace)\n====\n", module, strings.Join(list, ", "))
		constants := regexp.MustCompile(`(?m)^CONSTANT.*$`).FindAllString(files[".cfg"], -1)
		dir := t.TempDir()
		for file, text := range map[string]string{module + ".tla": files[".tla"], "Follow.tla": follow,
			"Follow.cfg": strings.Join(constants, "\n") + "\nSPECIFICATION Along\nINVARIANT Short\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := run(dir, "java", "-Djava.io.tmpdir="+dir, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g", "-cp", jar, "tlc2.TLC", "-deadlock", "-workers", "1", "Follow")
		if !strings.Contains(out, "Invariant Short is violated") {
			t.Errorf("%s: TLC cannot follow the trace:\n%s\n%s", name, follow, out)
		}
	}
}

func brokenTexts() map[string]string {
	texts := map[string]string{"twice.ta": twice}
	for _, name := range []string{"broken/aba-n3t.ta", "broken/bosco-early.ta", "broken/rb-n3t.ta"} {
		if text, there := benchmarks.Read(name); there {
			texts[name] = text
		}
	}
	return texts
}

// variables are the names of what a state of an automaton consists of.
func variables(a *ta.Automaton) (list []string) {
	for _, v := range slices.Concat(a.Locations, a.Shared) {
		list = append(list, v.Name)
	}
	return list
}

func value(s string) *big.Int {
	n, _ := new(big.Int).SetString(s, 10)
	return n
}

// broken is a counterexample to the first specification of a model that is violated.
func broken(t *testing.T, name, text string) *witness.Witness {
	t.Helper()
	a, err := ta.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Specs {
		r, err := verify.Decide(context.Background(), a, &a.Specs[i], verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Witness != nil {
			return r.Witness
		}
	}
	t.Fatalf("%s: nothing is violated", name)
	return nil
}

// trace reads what is written of a counterexample: its states, without the events.
func trace(t *testing.T, w *witness.Witness) (states []map[string]string) {
	t.Helper()
	data, err := w.Told().ITF()
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		States []map[string]json.RawMessage `json:"states"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, s := range file.States {
		state := map[string]string{}
		for _, v := range variables(w.Automaton) {
			state[v] = regexp.MustCompile(`\d+`).FindString(strings.ReplaceAll(string(s[v]), "#bigint", ""))
		}
		states = append(states, state)
	}
	return states
}
