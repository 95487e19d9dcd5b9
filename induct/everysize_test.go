package induct

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"tacheck/explore"
	"tacheck/internal/verdict"
	"tacheck/protocol"
	"tacheck/protocol/everysize"
	"tacheck/protocol/machine"
	"tacheck/smt/z3"
	"tacheck/testkit/need"
	"tacheck/testkit/random"
)

var roleSize = regexp.MustCompile(`(\w+): role\[(\d+)\]`)

// anySize makes sizes of the numbers of processes of a text.
func anySize(text string) string {
	consts, assumed := "", ""
	text = roleSize.ReplaceAllStringFunc(text, func(s string) string {
		p := roleSize.FindStringSubmatch(s)
		consts += "const size" + p[1] + " = " + p[2] + ";\n"
		assumed += "assume size" + p[1] + " >= 1;\n"
		return p[1] + ": role[size" + p[1] + "]"
	})
	return consts + assumed + text
}

// TestRandomSizes proves invariants of random protocols for every size, and explores their
// instances: what is proved is violated by none of them.
func TestRandomSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 292))
	proved, failed, refused := 0, 0, 0
	cases := need.Cases(t, 8)
	for range cases {
		text := anySize(random.Protocol(r))
		m, err := protocol.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range m.Props {
			p := &m.Props[i]
			if p.Invariant == nil {
				continue
			}
			switch is, err := provedForSizes(m, p, r.IntN(4) > 0); {
			case err != nil:
				refused++
			case !is:
				failed++
			default:
				proved++
				violatedNowhere(t, m, p, text)
			}
		}
	}
	t.Logf("%d proved, %d not, %d refused", proved, failed, refused)
	if cases >= 8 && proved == 0 {
		t.Error("nothing was proved")
	}
}

// provedForSizes proves an invariant without looking at instances first.
func provedForSizes(m *protocol.Model, p *protocol.Prop, plain bool) (bool, error) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	x, err := everysize.New(m, machine.Implicit(m, p))
	if err != nil {
		return false, err
	}
	o := Options{Solver: z3.New, Plain: plain}
	q := &everySearch{ctx: ctx, m: m, p: p, x: x, o: o, r: &ForSizes{Sizes: x.Sizes(), Verdict: machine.Unknown, Implicit: x.Implicit}}
	if err := x.Always(ctx, o.Solver); err != nil {
		return false, err
	}
	if err := q.given(); err != nil {
		return false, err
	}
	err = q.run()
	var failure *protocol.Failure
	if errors.As(err, &failure) { // no initial state, or something goes wrong
		return false, nil
	}
	return q.r.Verdict == machine.Holds, err
}

func violatedNowhere(t *testing.T, m *protocol.Model, p *protocol.Prop, text string) {
	t.Helper()
	q := &everySearch{m: m, r: &ForSizes{}}
	for _, k := range m.Constants {
		if k.Size {
			q.r.Sizes = append(q.r.Sizes, k.Name)
		}
	}
	for _, set := range q.assignments() {
		sized, err := m.Source.Model(set)
		if err != nil {
			continue
		}
		list, err := machine.Check(context.Background(), sized, []*protocol.Prop{sized.Lookup(p.Name)}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: 5_000}})
		var bad *machine.ModelError
		switch {
		case errors.As(err, &bad) && len(bad.Run.States) == 0:
			continue // no initial state
		case err != nil:
			t.Fatalf("%s is proved for every size, and with %v: %v\n%s", p.Name, set, err, text)
		case list[0].Verdict == machine.Violated:
			t.Fatalf("%s is proved for every size, and violated with %v\n%s", p.Name, set, text)
		}
	}
}

var lemmas = regexp.MustCompile(`(?s)lemma \w+:.*?;`)

// TestFindForSizes finds the lemmas of two-phase commit for any number of participants, of a lock server, of votes by
// majorities, of echo multicast with Byzantine nodes, and of agreement by a perfect failure detector; and violations of one that commits without having heard of all, of a vote with quorums that need not
// meet, of echo multicast with too few echoes, and of Paxos where majorities are none, promises are not kept, or the lowest
// proposal is taken up.
func TestFindForSizes(t *testing.T) {
	need.Usual(t, "finding lemmas")
	for _, c := range []struct {
		file, old, new string
		want           verdict.Verdict
	}{
		{"commit", "", "", machine.Holds},
		{"commit", "(forall (k: participantID) coordinator[c].yes[k])", "(exists (k: participantID) coordinator[c].yes[k])", machine.Violated},
		{"lock", "", "", machine.Holds},
		{"vote", "", "", machine.Holds},
		{"echo", "", "", machine.Holds},
		{"consensus", "", "", machine.Holds},
		{"vote", "n / 2 + 1", "(n + 1) / 2", machine.Violated},
		{"echo", "(n + t) / 2 + 1", "(n + t) / 2", machine.Violated},
		{"paxos", "n / 2 + 1", "(n + 1) / 2", machine.Violated},
		{"paxos", "msg.no >= acceptor[i].promised then", "true then", machine.Violated},
		{"paxos", "max (q: Q) msg[q].val by msg[q].prev", "min (q: Q) msg[q].val by msg[q].prev", machine.Violated},
	} {
		if c.file == "consensus" && need.Every(t, 2) > 1 {
			continue // it takes the longest
		}
		file := "../protocol/everysize/testdata/" + c.file + ".ftdp"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.ReplaceAll(lemmas.ReplaceAllString(string(text), ""), c.old, c.new)
		if c.old == "" {
			changed = lemmas.ReplaceAllString(string(text), "")
		} else if !strings.Contains(string(text), c.old) {
			t.Fatalf("%s: nothing was changed", c.file)
		}
		m, err := protocol.Read(file, changed, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := EverySize(context.Background(), m, &m.Props[0], Options{Solver: z3.New})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || r.Given != 0 || (r.Run != nil) != (c.want == machine.Violated) {
			t.Errorf("%s %q: %v, want %v (%s)", c.file, c.new, r.Verdict, c.want, r.Failing)
		}
	}
}
