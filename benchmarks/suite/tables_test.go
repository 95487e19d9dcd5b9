package suite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestTables: published tables have a figure at most in each column, and embedded files that are there.
func TestTables(t *testing.T) {
	for _, name := range benchmarks.Tables() {
		table, ok := benchmarks.TableNamed(name)
		if !ok || table.Title == "" || table.Source == "" || len(table.Rows) == 0 || len(table.Command)+len(table.Ways) == 0 {
			t.Fatal(name, "is no table")
		}
		for _, r := range table.Rows {
			_, embedded := benchmarks.Read(r.File)
			switch {
			case r.Spec == "" && table.Ways != nil:
				t.Errorf("%s: %s has no specification", name, r.File)
			case len(r.Figures) > len(table.Columns):
				t.Errorf("%s: %s has %d figures", name, r.File, len(r.Figures))
			case !slices.Contains([]verdict.Verdict{"", verdict.Holds, verdict.Violated}, r.Verdict):
				t.Errorf("%s: %s %s", name, r.File, r.Verdict)
			case (strings.HasPrefix(r.File, "tables/") || name == "peers") && !embedded:
				t.Errorf("%s: no %s", name, r.File)
			}
		}
	}
}

// TestTogether: the answers about a file are one, of the specifications that count.
func TestTogether(t *testing.T) {
	three := `{"spec":"a","verdict":"holds"} {"spec":"b","verdict":"violated"} {"property":"c","verdict":"unknown"} {"warning":"x"}`
	for _, c := range []struct {
		of      []string
		verdict verdict.Verdict
		failure string
	}{
		{nil, verdict.Violated, ""}, {[]string{"a"}, verdict.Holds, ""}, {[]string{"a", "c"}, verdict.Unknown, ""},
		{[]string{"a", "d"}, "", "a, d"},
	} {
		a, err := together(strings.NewReader(three), Task{Of: c.of})
		if c.failure != "" {
			if err == nil || !strings.Contains(err.Error(), c.failure) {
				t.Errorf("of %s: %v", c.of, err)
			}
			continue
		}
		if err != nil || a.Verdict != c.verdict || a.decided != "2 of 3" {
			t.Errorf("of %s: %s, %s, %v", c.of, a.Verdict, a.decided, err)
		}
	}
}

// TestBeside: figures of others stand beside ours, without the folder of the files, and other numbers of states are told.
func TestBeside(t *testing.T) {
	figure := func(v string) []Figure { return []Figure{{"theirs", v}} }
	var b bytes.Buffer
	err := Print(&b, []Row{{File: "x/y/a.ta", Verdict: "holds", Expect: "holds", States: 4, ExpectStates: 5, Published: figure("TO")},
		{File: "x/z.ta", Verdict: "unknown", Expect: "violated", Published: figure("1.5")}}, CSV, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\ny/a.ta,,\"holds, expected 5 states\",", "\nz.ta,,\"unknown, expected violated\",", ",TO\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestWays: what is asked in several ways has a column each, with what is visited or found, and figures of others behind.
func TestWays(t *testing.T) {
	row := func(way string, states int64, lemmas int) Row {
		return Row{File: "a.ftdp", Spec: "s", Method: Method{Way: way}, Verdict: "holds", States: states, Lemmas: lemmas, CPUSeconds: 0.5,
			Published: []Figure{{"theirs", "7"}}}
	}
	var b bytes.Buffer
	if err := Print(&b, []Row{row("explored", 12, 0), row("proved", 0, 1), row("shown", 0, 0)}, CSV, nil); err != nil {
		t.Fatal(err)
	}
	const want = "file,specification,verdict,explored: states / s,proved: lemmas / s,shown s,theirs\na.ftdp,s,holds,12 / 0.50,1 / 0.50,0.50,7\n"
	if b.String() != want {
		t.Errorf("%s, want\n%s", b.String(), want)
	}
}

// TestPeers: other explorers count the states of a lock server.
func TestPeers(t *testing.T) {
	need.More(t, "Spin and rumur on a lock server")
	need.All(t, "spin", "rumur", "gcc")
	text, _ := benchmarks.Read("lock_server.ftdp")
	m, err := instantiate.Read("lock_server.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Peers{TLC: os.Getenv("TACHECK_TLC")}
	for _, o := range p.peers(128) {
		if _, _, states, err := p.measure(context.Background(), m, o); states != 128 && !errors.Is(err, errNotHere) {
			t.Errorf("%s counts %d states, %v", o.name, states, err)
		}
	}
}
