package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/report"
	"github.com/tacheck/tacheck/verify"
)

// untellable is a counterexample that nothing can tell, by a mistake.
type untellable struct{ model.Counterexample }

func (untellable) MarshalJSON() ([]byte, error)  { return []byte("{}"), nil }
func (untellable) Told() *run.Run                { panic("no story") }
func (untellable) Why() (run.Explanation, error) { panic("no reasons") }

// TestUntold: a verdict is told, whatever goes wrong where its run is.
func TestUntold(t *testing.T) {
	m, err := model.Open(context.Background(), "none.ftdp", "protocol none;\ntype N: role[1];\nvar p: array[N] of record x: bool = false; end;\nrules\n  [](i: N) go: p[i].x := true;\n", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &model.Result{Spec: "all", Verdict: verdict.Violated, Counterexample: untellable{}, Search: &verify.Result{}, Space: &model.Space{}}
	var errors bytes.Buffer
	c := &command{ctx: context.Background(), stderr: &errors}
	for name, tell := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error { return (&command{stdout: b}).verifyOutput(nil)(m, r) },
		"json": func(b *bytes.Buffer) error {
			return (&command{stdout: b, output: options.Format{Name: "json"}}).verifyOutput(nil)(m, r)
		},
		"junit": func(b *bytes.Buffer) error {
			c := &command{stdout: b, output: options.Format{Name: "junit"}, answers: &answers{}}
			if err := c.verifyOutput(nil)(m, r); err != nil {
				return err
			}
			return c.finish()
		},
		"report": func(b *bytes.Buffer) error {
			return report.Write(context.Background(), b, "", []report.File{{File: "x", Results: []*model.Result{r}}, {Instance: true, Results: []*model.Result{r}}})
		},
		"explore": func(b *bytes.Buffer) error {
			c := &command{ctx: context.Background(), stdout: b}
			return c.exploreViolated(m, r, exploreFlags{})
		},
	} {
		var b bytes.Buffer
		if err := tell(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if out := b.String(); !strings.Contains(out, "violated") && !strings.Contains(out, "failure") || !strings.Contains(out, "no story") && !strings.Contains(out, "no reasons") {
			t.Errorf("%s:\n%s", name, out)
		}
		if name == "json" && !json.Valid(b.Bytes()) {
			t.Errorf("no JSON: %s", &b)
		}
	}
	if err := c.saveChart("run.svg", untellable{}); err != nil || !strings.Contains(errors.String(), "no story") {
		t.Errorf("%v, %s", err, &errors)
	}
}
