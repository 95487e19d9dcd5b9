package everysize

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

func encoded(t *testing.T, file string, change func(text string) string) (*protocol.Model, *Encoding) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text)
	if change != nil {
		if changed = change(changed); changed == string(text) {
			t.Fatal("nothing was changed")
		}
	}
	m, err := instantiate.Read(file, changed, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(m, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Always(context.Background(), z3.New); err != nil {
		t.Fatal(err)
	}
	return m, x
}

// refuted lists the questions that are not proved, and returns the clauses of those that are.
func refuted(t *testing.T, m *protocol.Model, x *Encoding) (failing []string, clauses [][]*smt.Formula) {
	t.Helper()
	var known []Condition
	for _, p := range m.Props {
		known = append(known, Condition{Name: p.Name, Term: p.Invariant})
	}
	for _, p := range m.Lemmas {
		known = append(known, Condition{Name: p.Name, Term: p.Invariant})
	}
	list, err := x.Failures(known)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range known {
		more, err := x.Questions(known, c)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
	}
	for _, q := range list {
		a, err := x.Ask(context.Background(), z3.New, q)
		if err != nil {
			t.Fatal(q, err)
		}
		if a.Proved {
			clauses = append(clauses, a.Cases...)
		} else {
			failing = append(failing, q.String())
		}
	}
	return failing, clauses
}

// TestProofs proves invariants for every size with the lemmas of the text; a solver of another make
// answers the ground clauses alike.
func TestProofs(t *testing.T) {
	names := []string{"bakery", "vote", "consensus", "bracha", "register"}
	if need.Every(t, 1) > 1 {
		names = names[:3] // the others take longer
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			m, x := encoded(t, "testdata/"+name+".ftdp", nil)
			failing, clauses := refuted(t, m, x)
			if len(failing) > 0 {
				t.Errorf("%s: %v", name, failing)
			}
			if name == "consensus" { // accuracy is one of its invariants
				return
			}
			need.Any(t, "cvc5")
			for i, list := range clauses {
				s, err := smtlib.New(smtlib.Known["cvc5"])
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range list {
					s.Assert(f)
				}
				answer, err := s.Check(context.Background())
				if err != nil || answer.Status != smt.Unsat {
					t.Errorf("%s: cvc5 answers question %d with %v, %v", name, i, answer, err)
				}
				s.Close()
			}
		})
	}
}

// TestNever finds the fields that messages of a kind never have, also where one rule of several sends them.
func TestNever(t *testing.T) {
	for _, c := range []struct{ old, with, want string }{
		{"protocol paxos_every", "protocol paxos", "val of PREPARE, prev of PREPARE, prev of ACCEPT, prev of ACCEPTED"},
		{"2learner[k].no := msg.no;", "2learner[k].no := msg.no;\n      2learner[k].prev := msg.no;",
			"val of PREPARE, prev of PREPARE, prev of ACCEPT"},
		{"2acceptor[k].no := c;", "2acceptor[k].no := c;\n      if c > 1 then\n        2acceptor[k].val := 0;\n      endif",
			"prev of PREPARE, prev of ACCEPT, prev of ACCEPTED"},
	} {
		_, x := encoded(t, "testdata/paxos.ftdp", func(text string) string {
			return strings.Replace(text, c.old, c.with, 1)
		})
		want := strings.Split(c.want, ", ")
		got := lists.Map(x.NeverDefined(), func(s string) string { return strings.TrimPrefix(s, "the field ") })
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.with, got, want)
		}
	}
}

var lastLemma = regexp.MustCompile(`(?s)lemma last:.*?;`)

// nobodyWaits has everybody climb the filter, and says what the search finds of it.
func nobodyWaits(text string) string {
	text = strings.ReplaceAll(text, "memory[m].last[l] != i", "true")
	return lastLemma.ReplaceAllString(text, "") + "\nlemma waits: forall (i: procID) proc[i].waiting -> 0 < proc[i].level and proc[i].level < n;\n"
}

// TestBroken shows that what is wrong of some size is not proved, nor a condition from itself.
func TestBroken(t *testing.T) {
	replace := func(old, with string) func(string) string {
		return func(text string) string { return strings.ReplaceAll(text, old, with) }
	}
	for _, c := range []struct {
		file   string
		change func(string) string
	}{
		{"vote", replace("n / 2 + 1", "(n + 1) / 2")},
		{"filter", func(text string) string { // of two processes there is a state in which no quorum is named
			return strings.ReplaceAll(nobodyWaits(text), "assume n >= 2", "assume n >= 3")
		}},
		{"vote", replace("if voter[i].vote = 0 then", "if true then")},
		{"bakery", replace("proc[i].ticket < proc[j].ticket)", "proc[i].ticket <= proc[j].ticket)")},
		{"bakery", replace("(max (j: procID) proc[j].ticket) + 1", "max (j: procID) proc[j].ticket")},
	} {
		t.Run(c.file, func(t *testing.T) {
			m, x := encoded(t, "testdata/"+c.file+".ftdp", c.change)
			if failing, _ := refuted(t, m, x); len(failing) == 0 {
				t.Error("what is broken is proved")
			}
		})
	}
	t.Run("itself", func(t *testing.T) {
		m, x := encoded(t, "testdata/vote.ftdp", replace("n / 2 + 1", "(n + 1) / 2"))
		known := []Condition{{Name: m.Props[0].Name, Term: m.Props[0].Invariant}, {Name: m.Lemmas[0].Name, Term: m.Lemmas[0].Invariant}}
		_, a, err := x.Follows(context.Background(), z3.New, known, known[0], nil)
		if err != nil || a.Proved {
			t.Errorf("it follows from itself: %+v, %v", a, err)
		}
	})
}

// TestRefused names what cannot be said, with its place.
func TestRefused(t *testing.T) {
	text, err := os.ReadFile("testdata/vote.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"asynchronous lossy", "synchronous lossy", "synchronous"},
		{"voter[i].vote := v;", "voter[i].vote := (count (k: voterID) (voter[k].vote = v)) % 2;", "positive number|number"},
		{"assume n >= 1", "assume n * l >= 1", "product"},
	} {
		m, err := instantiate.Read("vote.ftdp", strings.Replace(string(text), c[0], c[1], 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(m, true)
		if err == nil {
			_, err = x.Failures(nil)
		}
		if err == nil {
			t.Errorf("%s is not refused", c[1])
			continue
		}
		if words := strings.Split(c[2], "|"); !strings.Contains(err.Error(), words[0]) && !strings.Contains(err.Error(), words[len(words)-1]) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

// TestOutside: a quorum of an initial state has as many members as it says, neither less nor more.
func TestOutside(t *testing.T) {
	own := `protocol outside;
const n = 4; t = 1;
assume n >= 3 * t + 1, t >= 0;
type P: role[n];
var p: array[P] of record done: bool = false; end;
init [](F: quorum[t] of P) start: for k: P do if k in F then p[k].status := byz; endif endfor
rules [](i: P) go: if not p[i].done then p[i].done := true; endif
invariant any: count (k: P) (p[k].status = byz) <= n;
lemma most: count (k: P) (p[k].status = byz) <= t;
lemma left: count (k: P) (p[k].status = corr) >= n - t;
lemma exact: count (k: P) (p[k].status = byz) = t;
lemma fewer: count (k: P) (p[k].status = byz) < t;
lemma more: count (k: P) (p[k].status = byz) > t;
lemma others: count (k: P) (p[k].status = corr) > n - t;
`
	m, x := encoded(t, "testdata/echo.ftdp", func(string) string { return own })
	for name, holds := range map[string]bool{"most": true, "left": true, "exact": true, "fewer": false, "more": false, "others": false} {
		if failing := unproved(t, m, x, name); (len(failing) == 0) != holds {
			t.Errorf("%s: not proved: %v", name, failing)
		}
	}
}
