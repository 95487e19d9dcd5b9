package emit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/parametric"
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

// TestTracesTLC: TLC finds that the run of a trace is one of the module that the model, or the instance, is written as:
// of automata, of protocols, and of texts for all sizes, as verify finds it and as explore does.
func TestTracesTLC(t *testing.T) {
	jar := need.TLC(t)
	type row struct{ file, old, new string }
	rows := []row{{file: "twice.ta"}}
	for _, name := range benchmarks.Names() {
		if strings.HasPrefix(name, "broken/") {
			rows = append(rows, row{file: name})
		}
	}
	for _, name := range []string{"protocols/paxos_learner", "protocols/om1_traitors", "protocols/chandra_toueg", "field/deliver_first", "field/half_a_vote",
		"field/heartbeat", "field/stale_read", "field/vote_erased"} {
		rows = append(rows, row{file: name + ".ftdp"})
	}
	rows = append(rows, row{"sources/rb.ftdp", "n > 3 * t", "n >= 3 * t"}, row{"sources/aba.ftdp", "n > 3 * t", "n >= 3 * t"}, row{"sources/cbc.ftdp", "n > 2 * t", "n >= 2 * t"},
		row{"rounds/quorums.ftdp", "n > 2 * t", "n >= 2 * t"}, row{"rounds/rotating.ftdp", "after f + 1 rounds", "after f rounds"},
		row{"rb.pml", "N > 3 * T", "N >= 3 * T"}, row{"aba.pml", "N > 3 * T", "N >= 3 * T"})
	every := need.Every(t, 7)
	for i, r := range rows {
		if i%every != 0 {
			continue
		}
		t.Run(strings.ReplaceAll(r.file, "/", "_"), func(t *testing.T) {
			text, there := benchmarks.Read(r.file)
			if r.file == "twice.ta" {
				text, there = twice, true
			}
			if less := strings.Replace(text, r.old, r.new, 1); !there || less == text && r.old != "" {
				t.Fatal("there is no such text")
			} else {
				text = less
			}
			if strings.HasSuffix(r.file, ".ta") {
				w := broken(t, r.file, text)
				files, err := emit.TLA(w.Automaton, w.Run.Start.Params)
				if err != nil {
					t.Fatal(err)
				}
				follow(t, jar, files, states(t, w.Told().ITF))
				return
			}
			m, set, x := violation(t, r.file, text)
			follow(t, jar, module(t, m, set), states(t, x.Told().ITF))
		})
	}
}

// module is what an instance is written as; of Promela, its automaton, which has the same shared variables.
func module(t *testing.T, m model.Model, set []model.Setting) (files emit.Files) {
	t.Helper()
	ctx := context.Background()
	if strings.HasSuffix(m.File(), ".pml") {
		a, err := m.(model.ForAll).Automaton(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var params []*big.Int
		for _, s := range set {
			params = append(params, big.NewInt(s.Value))
		}
		if files, err = emit.TLA(a.Automaton, params); err != nil {
			t.Fatal(err)
		}
		return files
	}
	if u, is := m.(model.Unrolling); is {
		for i := range set {
			set[i].Name = strings.Replace(set[i].Name, parametric.RoundsName, "rounds", 1)
		}
		var err error
		if m, set, err = u.Unrolled(set); err != nil {
			t.Fatal(err)
		}
	}
	p, err := m.(model.Identified).Protocol(ctx, set)
	if err != nil {
		t.Fatal(err)
	}
	if files, err = emit.Protocol(p, "tla", "model"); err != nil {
		t.Fatal(err)
	}
	return files
}

// violation is a counterexample, with the values of the instance that it is of.
func violation(t *testing.T, file, text string) (m model.Model, set []model.Setting, x model.Counterexample) {
	t.Helper()
	ctx := context.Background()
	m, err := model.Open(ctx, file, text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := func(r *model.Result) error {
		if x == nil {
			x = r.Counterexample
		}
		return nil
	}
	if all, is := m.(model.ForAll); is {
		q, err := all.Ask(ctx, nil, nil)
		if err == nil {
			err = q.Verify(ctx, model.Verifying{Options: verify.Options{Jobs: 1}, Decide: verify.Decide}, found)
		}
		if err != nil || x == nil {
			t.Fatal(x, err)
		}
		for _, v := range x.Told().Values {
			set = append(set, model.Setting{Name: v.Name, Value: v.Value.Int64(), Truth: v.Truth})
		}
	} else {
		in, err := m.(model.Fixed).Instance(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := in.Explore(ctx, nil, model.Exploring{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			found(r)
		}
	}
	if x == nil {
		t.Fatal("nothing is violated")
	}
	return m, set, x
}

// follow has TLC look for the run of a trace in a module.
func follow(t *testing.T, jar string, files emit.Files, list []map[string]any) {
	t.Helper()
	var match strings.Builder
	for k, s := range list {
		fmt.Fprintf(&match, "%s at = %d -> %s\n", map[bool]string{true: "CASE", false: "[]"}[k == 0], k+1, strings.Join(same(files[".tla"], s), " /\\ "))
	}
	module := regexp.MustCompile(`MODULE (\w+)`).FindStringSubmatch(files[".tla"])[1]
	along := fmt.Sprintf("---- MODULE Follow ----\nEXTENDS %s, TLC\nVARIABLE at\nMatch == %s"+
		"Begin == at = 1 /\\ Init /\\ Match\nStep == at < %[3]d /\\ at' = at + 1 /\\ [Next]_vars /\\ Match'\n"+
		"Along == Begin /\\ [][Step]_<<vars, at>>\nShort == at < %[3]d\n====\n", module, match.String(), len(list))
	constants := regexp.MustCompile(`(?m)^CONSTANT.*$`).FindAllString(files[".cfg"], -1)
	dir := t.TempDir()
	for file, text := range map[string]string{module + ".tla": files[".tla"], "Follow.tla": along,
		"Follow.cfg": strings.Join(constants, "\n") + "\nSPECIFICATION Along\nINVARIANT Short\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := run(dir, "java", "-Djava.io.tmpdir="+dir, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g", "-cp", jar, "tlc2.TLC", "-deadlock", "-workers", "1", "Follow")
	if !strings.Contains(out, "Invariant Short is violated") {
		t.Errorf("TLC cannot follow the trace:\n%s\n%s", along, out)
	}
}

// same says in TLA+ that a state of the module is one of a trace: of what both have. A module has the status of
// processes, and what is on its way, in variables of its own.
func same(module string, state map[string]any) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(state)) {
		if !regexp.MustCompile(`(?m)^  ` + name + `,?( |$)`).MatchString(module[strings.Index(module, "VARIABLES"):strings.Index(module, "vars ==")]) {
			continue
		}
		role, isRole := state[name].(map[string]any)["#map"]
		if !isRole {
			list = append(list, name+" = "+valueTLA(state[name]))
			continue
		}
		for _, pair := range role.([]any) {
			who, fields := name+"["+valueTLA(pair.([]any)[0])+"]", pair.([]any)[1].(map[string]any)
			status := fields["status"].(string)
			if strings.Contains(module, name+"_status,") {
				list = append(list, fmt.Sprintf("%s_status%s = %q", name, strings.TrimPrefix(who, name), status))
			}
			for _, f := range slices.Sorted(maps.Keys(fields)) {
				if f != "status" && status != "byz" {
					list = append(list, who+"."+f+" = "+valueTLA(fields[f]))
				}
			}
		}
	}
	return list
}

// valueTLA is a value of a trace in TLA+.
func valueTLA(v any) string {
	switch v := v.(type) {
	case bool:
		return strings.ToUpper(fmt.Sprint(v))
	case string:
		return fmt.Sprintf("%q", v)
	case map[string]any:
		if n, is := v["#bigint"]; is {
			return n.(string)
		}
		if _, is := v["#unserializable"]; is {
			return "Undef"
		}
		var parts []string
		if pairs, is := v["#map"]; is {
			for _, p := range pairs.([]any) {
				parts = append(parts, valueTLA(p.([]any)[0])+" :> "+valueTLA(p.([]any)[1]))
			}
			return "(" + strings.Join(parts, " @@ ") + ")"
		}
		for _, f := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, f+" |-> "+valueTLA(v[f]))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	panic(fmt.Sprintf("%T is no value of a trace", v))
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

// states reads what is written of a run: its states. The last one is that to which a loop comes back.
func states(t *testing.T, itf func() ([]byte, error)) []map[string]any {
	t.Helper()
	data, err := itf()
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		States []map[string]any `json:"states"`
		Loop   *int             `json:"loop"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, s := range file.States {
		delete(s, "event")
		delete(s, "#meta")
	}
	if last := len(file.States) - 1; file.Loop != nil && !reflect.DeepEqual(file.States[*file.Loop], file.States[last]) {
		t.Errorf("the loop from state %d on comes back to %v, not to %v", *file.Loop, file.States[last], file.States[*file.Loop])
	}
	return file.States
}

// trace is a counterexample as it is written: its states, without the events.
func trace(t *testing.T, w *witness.Witness) (list []map[string]string) {
	t.Helper()
	for _, s := range states(t, w.Told().ITF) {
		state := map[string]string{}
		for name, v := range s {
			state[name] = valueTLA(v)
		}
		list = append(list, state)
	}
	return list
}
