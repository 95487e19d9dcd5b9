package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/cluster/hub"
	"github.com/tacheck/tacheck/testkit/need"
)

// validator returns a function that holds a line against the schema of what --json prints.
func validator(t *testing.T) (*jsonschema.Compiler, func(line string) error) {
	t.Helper()
	c := jsonschema.NewCompiler()
	schema, err := c.Compile("../../docs/results.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return c, func(line string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			return err
		}
		return schema.Validate(v)
	}
}

// TestSchemaOfCommands: every command with --json prints lines as the schema says.
func TestSchemaOfCommands(t *testing.T) {
	_, validate := validator(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"lock.pyv": "sort node\nmutable relation has(node)\ninit !has(N)\ntransition take(i: node)\n  modifies has\n" +
			"  (forall N. !has(N)) & (forall N. new(has(N)) <-> N = i)\n" +
			"safety [mutex] has(N) & has(M) -> N = M\nsafety [never] !has(N)\n",
		"x.ftdp": "protocol x;\ntype c: role[2];\nvar client: array[c] of record got: 0..9 = 0; end;\n" +
			"x: 0..9 = 0;\nrules [](v: 1..9) [](i: c) write: x := v; [] [](i: c) read: client[i].got := x;\n" +
			"invariant small: forall (i: c) client[i].got < 5;\nlemma l: x >= 0;\n" +
			"trace t when $op = \"w\": write(i = $by, v = $v); when $op = \"r\": read(i = $by) after client[i].got = $v; end\n",
		"good.ndjson": `{"op":"w","by":"a","v":1}` + "\n" + `{"op":"r","by":"b","v":1}` + "\n",
		"bad.ndjson":  `{"op":"w","by":"a","v":1}` + "\n" + `{"op":"r","by":"b","v":2}` + "\n",
		"five.ndjson": `{"op":"w","by":"a","v":7}` + "\n" + `{"op":"r","by":"b","v":7}` + "\n",
		"synth.ftdp": "protocol s;\nparameters n, t, f;\nunknowns a: 0..1, b: 0..2;\nassume n > 3 * t, t >= f, t >= 1;\n" +
			"faults byzantine f;\nmessages E;\nprocess p[n]\n input v: bool; local s, d: bool;\n" +
			" e: if (v or heard(E) >= a * t + b) and not s then send E; s := true; endif\nend\n" +
			"ltl u: all(not v) -> G all(not s);\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	every := need.Every(t, 1)
	for i, args := range []string{
		"explore paxos.ftdp", "explore x.ftdp", "explore x.ftdp --all-counterexamples 2", "explore x.ftdp --profile",
		"explore rb.ta --set n=4,t=1,f=1", "explore broken/rb-n3t.ta --set n=3,t=1,f=1", "explore rb.pml --set N=4,T=1,F=1",
		"explore lock.pyv --set node=2", "explore zoo/commit2.ftdp --spec agreement",
		"explore x.ftdp --runs runs --cover rules", "explore peterson.ftdp --runs runs2 --cover pairs",
		"explore bakery.ftdp --runs runs3 --cover conditions",
		"induct peterson.ftdp", "induct x.ftdp --spec small", "induct bakery.ftdp --timeout 1ms",
		"induct lock.pyv", "induct lock.pyv --spec mutex", "induct lock.pyv --timeout 1ns",
		"induct x.ftdp --all-sizes", "induct two_phase_commit.ftdp --all-sizes --spec agreement --timeout 1s",
		"induct peterson.ftdp --all-sizes --spec mutex",
		"trace x.ftdp good.ndjson", "trace x.ftdp bad.ndjson --shrink", "trace x.ftdp five.ndjson",
		"synth synth.ftdp", "synth synth.ftdp --first", "synth broken/cbc-minority.ta --guard MAJORITY",
		"resilience rb.ta --assume n>a*t+b*f", "resilience rb.ta --assume n>a*t --spec relay",
		"resilience zoo/consistent.ftdp --assume n>a*t --spec integrity",
		"fairness rb.ta", "fairness rb.ta --compare", "fairness nbac.ta --compare",
		"lint x.ftdp", "lint c1cs.ta", "lint zoo/commit2.ftdp",
		"trace x.ftdp good.ndjson --timeout 1ns", "explore sources/rb.ftdp --set n=4,t=1,f=1 --timeout 1ns",
		"induct sources/rb.ftdp --set n=4,t=1,f=1 --timeout 1ns", "resilience sources/rb.ftdp --assume n>a*t --timeout 1ns",
		"selftest --cases 2", "lint rb.ta --timeout 1ns", "fairness sources/rb.ftdp --timeout 1ns", "synth synth.ftdp --timeout 1ns",
		"verify synth.ftdp", "verify zoo/commit2.ftdp --spec agreement", "verify rb.pml --spec relay",
	} {
		if i%every > 0 {
			continue
		}
		var out, said bytes.Buffer
		code := execute(context.Background(), append(strings.Fields(args), "--json"), strings.NewReader(""), &out, &said)
		if code == exitUsage && !strings.HasPrefix(args, "verify synth") {
			t.Errorf("%s: %s", args, said.String())
		}
		if strings.HasSuffix(args, " 1ns") && (code != exitUnknown || out.Len() == 0) {
			t.Errorf("%s: exit code %d, and it says %q", args, code, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if err := validate(line); err != nil {
				t.Errorf("%s: %v\n%s", args, err, line)
			}
		}
	}
}

// TestSchemaOfCluster: so does the status of a cluster with a worker.
func TestSchemaOfCluster(t *testing.T) {
	_, validate := validator(t)
	s, err := hub.Start(hub.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "token"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	nats := "--nats=nats://token@" + s.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	var worker sync.WaitGroup
	defer worker.Wait()
	defer stop()
	worker.Go(func() {
		execute(ctx, []string{"worker", nats, "--jobs", "1"}, strings.NewReader(""), io.Discard, io.Discard)
	})
	for seen := false; !seen; time.Sleep(20 * time.Millisecond) {
		var out, said bytes.Buffer
		args := []string{"cluster", "status", nats, "--json"}
		if code := execute(context.Background(), args, strings.NewReader(""), &out, &said); code != 0 {
			t.Fatal(said.String())
		}
		if err := validate(out.String()); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		seen = strings.Contains(out.String(), `"solvers":[`)
	}
}

// TestSchemas: what is printed for programs is as the documented schemas say,
// for every embedded model and several searches, and the schemas refuse what is not.
func TestSchemas(t *testing.T) {
	c, validate := validator(t)
	lines := 0
	var violated string
	check := func(args ...string) {
		t.Helper()
		var out bytes.Buffer
		if code := execute(context.Background(), append(args, "--json"), strings.NewReader(""), &out, io.Discard); code == exitUsage {
			t.Fatal(args)
		}
		for line := range strings.Lines(out.String()) {
			lines++
			if err := validate(line); err != nil {
				t.Errorf("%v: %v\n%s", args, err, line)
			}
			if strings.Contains(line, `"violated"`) {
				violated = line
			}
		}
	}
	every := need.Every(t, 1)
	for i, name := range benchmarks.Names() {
		if i%every == 0 {
			check("verify", name)
		}
	}
	check("verify", "broken/rb-n3t.ta")
	check("verify", "rb.ta", "--search", "incremental")
	check("verify", "rb.ta", "--timeout", "1ns")
	if every == 1 && lines < 130 || violated == "" {
		t.Fatalf("%d lines", lines)
	}
	for _, change := range [][2]string{{`"verdict":"violated"`, `"verdict":"perhaps"`}, {`"queries":`, `"questions":`}, {`"times":`, `"factor":`}, {`"kind":"`, `"kind":"un`}} {
		if !strings.Contains(violated, change[0]) || validate(strings.Replace(violated, change[0], change[1], 1)) == nil {
			t.Errorf("%s is as good as %s", change[1], change[0])
		}
	}

	witness, err := c.Compile("../../docs/witness.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "w.json")
	execute(context.Background(), []string{"verify", "broken/nbac-unfair.ta", "--spec", "termination", "--witness", file, "--quiet"}, strings.NewReader(""), io.Discard, io.Discard)
	text, err := (&command{}).read(file)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if err := witness.Validate(v); err != nil {
		t.Error(err)
	}
}
