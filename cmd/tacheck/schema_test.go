package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestSchemas: what is printed for programs is as the documented schemas say,
// for every embedded model and several searches, and the schemas refuse what is not.
func TestSchemas(t *testing.T) {
	c := jsonschema.NewCompiler()
	schema, err := c.Compile("../../docs/results.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(v)
	}
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
