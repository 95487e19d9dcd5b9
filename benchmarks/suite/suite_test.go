package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func rows() []Row {
	return []Row{
		{File: "a.ta", Digest: "1", Spec: "s", Verdict: "holds", Seconds: 1, Shapes: "12", Queries: 3, Expect: "holds"},
		{File: "a.ta", Digest: "1", Spec: "t", Verdict: "violated", Seconds: 2, Shapes: "3", Queries: 4, Expect: "holds"},
	}
}

// TestResume saves rows, cuts the last line as a crash would, and goes on.
func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	h := Header{Release: "r", Solver: "z3", Machine: "m", Timeout: "0s", Runs: 1}
	s, known, err := Resume(name, h)
	if err != nil || len(known) != 0 {
		t.Fatal(known, err)
	}
	for _, r := range append(rows(), rows()[0]) { // a row that is there already is not saved again
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, got, err := Load(name); err != nil || !cmp.Equal(got, rows()) {
		t.Fatal(cmp.Diff(rows(), got), err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text[:len(text)-10], 0o666); err != nil {
		t.Fatal(err)
	}
	s, known, err = Resume(name, h)
	if err != nil || !cmp.Equal(known, rows()[:1]) {
		t.Fatal(cmp.Diff(rows()[:1], known), err)
	}
	if err := s.Add(rows()[1]); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, got, err := Load(name); err != nil || !cmp.Equal(got, rows()) {
		t.Fatal(cmp.Diff(rows(), got), err)
	}
	h.Timeout = "1s"
	if _, _, err := Resume(name, h); err == nil || !strings.Contains(err.Error(), "choose another file") {
		t.Errorf("resumed a run made in another way: %v", err)
	}
	if err := os.WriteFile(name, []byte("hello\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Resume(name, h); err == nil {
		t.Error("resumed what is no run")
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	old := rows()
	old[0].Seconds = 4
	if err := Print(&b, rows(), Text, old[:1]); err != nil {
		t.Fatal(err)
	}
	want := `file   specification     verdict                   shapes  queries  transitions      s  solver s  whole s  MiB  earlier s  ratio
a.ta   s                 holds                         12        3            0  1.000     0.000    0.000    0      4.000   4.00
a.ta   t                 violated, expected holds       3        4            0  2.000     0.000    0.000    0
----------------------------------------------------------------------------------------------------------------------------------
total  2 specifications                                          7               3.000     0.000    0.000    0
1 hold, 1 violated, 0 unknown: 1 of 2 NOT AS EXPECTED
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestMedian(t *testing.T) {
	if m := median([]float64{3, 1, 2}); m != 2 {
		t.Errorf("median = %v", m)
	}
	if m := median([]float64{4, 1, 2, 3}); m != 2.5 {
		t.Errorf("median = %v", m)
	}
}
