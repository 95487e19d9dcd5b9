package text

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// embedded is the text of an embedded model with a part replaced, and with a line before another.
func embedded(t *testing.T, file, from, to, before, line string) string {
	t.Helper()
	text, ok := benchmarks.Read(file)
	if !ok || !strings.Contains(text, from) || !strings.Contains(text, before) {
		t.Fatalf("%s: no %q or no %q", file, from, before)
	}
	return strings.Replace(strings.Replace(text, from, to, 1), before, line+"\n"+before, 1)
}

// verdicts verifies a text as any other: whether all of its specifications hold.
func verdicts(t *testing.T, file, text string) bool {
	t.Helper()
	m, err := model.Open(context.Background(), file, text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.(model.ForAll).Ask(context.Background(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := true
	err = q.Verify(context.Background(), model.Verifying{Options: verify.Options{Jobs: 1}}, func(r *model.Result) error {
		if r.Verdict == verify.Unknown {
			return fmt.Errorf("%s: %s", r.Spec, r.Reason)
		}
		all = all && r.Verdict == verify.Holds
		return nil
	})
	if err != nil && !errors.As(err, new(*verify.NoRuns)) {
		t.Fatal(err)
	}
	return all
}

// TestOneByOne: what is found is what verifying each text by itself says.
func TestOneByOne(t *testing.T) {
	for i, test := range []struct{ file, from, to, before, line string }{
		{"sources/rb.ftdp", ">= t + 1", ">= a * t + b", "messages ECHO", "unknowns a: 0..2, b: -1..2;"},
		{"sources/rb.ftdp", ">= n - t and sent", ">= n - a * t + b and sent", "messages ECHO", "  unknowns a: -1..1, b: 0..1; // c: 0..1;"},
		{"rb.pml", "heard >= T + 1", "heard >= a * T + b", "int echo;", "unknowns a: 0..2, b: 0..1;"},
		{"rb.pml", "heard >= N - T", "heard >= N - a * T", "int echo;", "unknowns a: -1..2;"},
	} {
		if (i+2)%need.Every(t, 1) > 0 {
			continue
		}
		text := embedded(t, test.file, test.from, test.to, test.before, test.line)
		tmpl, err := Parse(context.Background(), test.file, text, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := tmpl.Search(context.Background(), synth.Options{Vacuous: true, Ahead: 2})
		if err != nil || !found.Complete {
			t.Fatal(err, found)
		}
		some, spared := 0, 0
		each(tmpl.Unknowns, func(v synth.Values) {
			want := verdicts(t, test.file, tmpl.Text(v))
			got := slices.ContainsFunc(found.Solutions, func(s *synth.Solution) bool { return slices.Equal(s.Values, v) })
			by := found.Excluded(v)
			if got != want || got == (by != nil) {
				t.Errorf("%s with %v: solution %v, all hold %v, refuted by %v", test.file, v, got, want, by)
			}
			if by != nil && !slices.Equal(by.Values, v) {
				spared++
			}
			if want {
				some++
			}
		})
		if some == 0 || spared == 0 {
			t.Errorf("%s: %d solutions, %d assignments refuted by runs of others: too easy", test.to, some, spared)
		}
	}
}

func each(unknowns []synth.Unknown, do func(synth.Values)) {
	v := make(synth.Values, len(unknowns))
	var assign func(i int)
	assign = func(i int) {
		if i == len(v) {
			do(slices.Clone(v))
			return
		}
		for v[i] = unknowns[i].Min; v[i] <= unknowns[i].Max; v[i]++ {
			assign(i + 1)
		}
	}
	assign(0)
}

// TestConditions: the minimal conditions are those that verifying the text under each one says.
func TestConditions(t *testing.T) {
	text, _ := benchmarks.Read("rb.pml")
	m, err := model.Open(context.Background(), "rb.pml", text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Condition(m.(model.Conditioned), "N > a*T + b*F", 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Find(context.Background(), synth.Options{Specs: []string{"relay"}, Ahead: 2})
	if err != nil || !r.Complete || fmt.Sprint(r.Condition.Replaced) != "[N > 3 * T]" {
		t.Fatal(err, r)
	}
	each(c.Unknowns, func(v synth.Values) {
		other := strings.Replace(text, "assume(N > 3 * T)", "assume("+c.With(v)+")", 1)
		m, err := model.Open(context.Background(), "rb.pml", other, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.(model.ForAll).Ask(context.Background(), []string{"relay"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.One(context.Background(), "relay", verify.Options{}, verify.Decide)
		if err != nil {
			t.Fatal(err)
		}
		holds := slices.ContainsFunc(r.Regions[0].Minimal, func(m synth.Minimal) bool { return v[0] >= m.Values[0] && v[1] >= m.Values[1] })
		if got.Verdict == verify.Unknown || holds != (got.Verdict == verify.Holds) {
			t.Errorf("%s: in the region: %v, and %s", c.With(v), holds, got.Verdict)
		}
	})
}

// TestText: words are replaced where they are names, and nothing else moves.
func TestText(t *testing.T) {
	f := &family{file: "x.pml", text: "/* a */ x = a;\n  unknowns a: -2..2; // a\ny.a = 2a + a..aa + a;\nunknowns b: 0..1;\nb"}
	var err error
	if f.unknowns, f.where, err = declarations(f.file, f.text); err != nil {
		t.Fatal(err)
	}
	f.find()
	if got, want := f.Text(synth.Values{-2, 1}), "/* a */ x = (-2);\n // a\ny.a = 2a + (-2)..aa + (-2);\n\n1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := fmt.Sprint(f.Effects(synth.Values{1, 0})); got != "[line 1: /* a */ x = 1; line 3: y.a = 2a + 1..aa + 1; line 5: 0]" {
		t.Error(got)
	}
}

// TestWrong: mistakes in declarations have their places.
func TestWrong(t *testing.T) {
	for line, want := range map[string]string{
		"unknowns a: 0..2, a: 0..1;":          `m.ftdp:7:19: "a" is declared again`,
		"unknowns a: 3..1;":                   "m.ftdp:7:10: there is nothing between 3 and 1",
		"unknowns a 0..1;":                    "m.ftdp:7:10: expected an unknown with its range",
		"unknowns a: 0..1":                    "m.ftdp:7:17: expected `;`",
		"unknowns a: 0..1, b: 0..1;":          `m.ftdp:7:19: "b" is not used`,
		"unknowns a: 0..9999999999999999999;": "m.ftdp:7:10: 9999999999999999999 is beyond",
	} {
		text := embedded(t, "sources/rb.ftdp", ">= t + 1", ">= a * t", "faults byzantine f", line)
		if _, err := Parse(context.Background(), "m.ftdp", text, model.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
		_, err := model.Open(context.Background(), "m.ftdp", text, model.Options{})
		if err == nil || !strings.Contains(err.Error(), "m.ftdp:7:1: unknowns have no values yet") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
