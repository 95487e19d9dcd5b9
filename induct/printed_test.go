package induct

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// queued has lemmas about sequences, messages and what guards count.
const queued = `
const n = 2;
message M(v: 0..2), STOP;
channels asynchronous reliable authenticated unordered bounded 1;
type N: role[n];
var
  node: array[N] of record
    q: seq[2] of N = seq();
    told: bool = false;
    seen: set of N = {};
    stopped: bool = false;
  end;
rules
  [](i: N) tell: if not node[i].told then node[i].told := true; send M(1) to others; endif
  []
  [](i: N) get: receive M(v) from j
    if length(node[i].q) < 1 and v > 0 then
      node[i].q := append(node[i].q, j);
      node[i].seen += j;
      if v > 1 or size(node[i].seen) > 1 then node[i].stopped := true; endif
    endif
invariant heard: forall (i, j: N) i != j and length(node[i].q) > 0 -> node[j].told;
invariant calm: forall (i: N) not node[i].stopped;
`

// TestPrinted: lemmas that a proof is printed with can be given, as they are printed, and are enough for a proof then.
func TestPrinted(t *testing.T) {
	need.Usual(t, "all that is proved soon")
	texts := map[string]string{"queued.ftdp": queued}
	files := []string{"../benchmarks/protocols/peterson.ftdp"}
	if need.Cases(t, 1) > 1 { // whatever is proved soon: minutes
		for _, pattern := range []string{"../benchmarks/protocols/*.ftdp", "../benchmarks/zoo/*.ftdp", "testdata/*/*.ftdp"} {
			list, err := filepath.Glob(pattern)
			if err != nil || len(list) == 0 {
				t.Fatal(pattern, err)
			}
			files = append(files, list...)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	lemmas := 0
	for file, text := range texts {
		m, err := instantiate.Read(file, text, nil)
		if err != nil {
			continue // constants have to be set
		}
		for _, p := range m.Props {
			if p.Invariant == nil {
				continue
			}
			for _, apart := range []bool{false, true} {
				o := Options{Solver: z3.New, apart: apart}
				found := proved(t, m, &p, o, 3*time.Second)
				o.Lemmas = givenLemmas(t, found...)
				lemmas += len(o.Lemmas)
				if len(o.Lemmas) > 0 && proved(t, m, &p, o, time.Minute) == nil {
					t.Errorf("%s: %s has no proof with\n%s", file, p.Name, strings.Join(found, "\n"))
				}
			}
		}
	}
	t.Log(lemmas, "lemmas")
	if lemmas < 10 {
		t.Errorf("%d lemmas", lemmas)
	}
}

// proved are the lemmas of a proof, if there is one soon.
func proved(t *testing.T, m *protocol.Model, p *protocol.Prop, o Options, limit time.Duration) (list []string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	r, err := Prove(ctx, m, p, o)
	var refused *protocol.Unsupported
	if errors.As(err, &refused) || ctx.Err() != nil {
		return nil
	}
	if err != nil {
		t.Errorf("%s: %s, with %d lemmas: %v", m.File, p.Name, len(o.Lemmas), err)
		return nil
	}
	if r.Verdict != machine.Holds {
		return nil
	}
	if r.Every != nil {
		for _, l := range r.Every.Lemmas {
			list = append(list, l.Name)
		}
		return list
	}
	for _, l := range r.Proof.Lemmas {
		list = append(list, l.Text())
	}
	return list
}

func givenLemmas(t *testing.T, texts ...string) (list []*Given) {
	t.Helper()
	for _, text := range texts {
		g, err := ReadLemma(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}

// TestNamed: an invariant of the text is a lemma by its name.
func TestNamed(t *testing.T) {
	m, err := instantiate.Read("named.ftdp", `const n = 2;
type N: role[n];
var node: array[N] of record x: 0..3 = 0; done: bool = false; end;
rules
  [](i: N) go: if node[i].x = 0 then node[i].x := 1; endif
  []
  [](i: N) finish: if node[i].x >= 2 then node[i].done := true; endif
invariant low: forall (i: N) node[i].x < 2;
invariant never: forall (i: N) not node[i].done;
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	never := m.Lookup("never")
	if got := proved(t, m, never, Options{Solver: z3.New, Lemmas: givenLemmas(t, "low"), apart: true}, time.Minute); len(got) != 1 {
		t.Errorf("lemmas %q", got)
	}
}
