package induct

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/everysize"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
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
// instances: what is proved is violated by none of them, and runs of what is violated replay.
func TestRandomSizes(t *testing.T) {
	first, cases := need.Seed(t, 1), need.Cases(t, 3)
	tally := map[string]int{}
	for seed := first; seed < first+cases; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 292))
		text := ""
		switch r.IntN(8) {
		case 0:
			text = anySize(random.Protocol(r))
		case 1:
			text = random.Sets(r)
		case 2, 3:
			text = random.Ordered(r)
		case 4:
			text = random.Restarts(r)
		default:
			text = random.EverySize(r)
		}
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		for i := range m.Props {
			p := &m.Props[i]
			if p.Invariant == nil {
				continue
			}
			got, err := decidedForSizes(m, p, r.IntN(5) == 0)
			if err != nil {
				tally["refused"]++
				continue
			}
			tally[string(got.Verdict)]++
			if testing.Verbose() {
				t.Logf("seed %d: %s is %s, %s", seed, p.Name, got.Verdict, got.Reason)
			}
			if got.Verdict == machine.Violated {
				if err := got.Run.Check(); err != nil {
					t.Fatalf("seed %d: %s: %v\n%s", seed, p.Name, err, text)
				}
			}
			if got.Verdict == machine.Holds {
				for _, what := range saidBy(text, got) {
					tally["holds: "+what]++
				}
				violatedNowhere(t, m, p, fmt.Sprintf("seed %d\n%s", seed, text))
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%5d %s", tally[what], what)
	}
	if cases >= 10 && tally["holds"] == 0 {
		t.Error("nothing was proved")
	}
}

// saidBy names what a protocol has, and the lemmas of a proof of it.
func saidBy(text string, r *ForSizes) (list []string) {
	lemmas := ""
	for _, l := range r.Lemmas {
		lemmas += l.Name + "\n"
	}
	for _, c := range []struct {
		what string
		is   bool
	}{
		{"lemmas", len(r.Lemmas) > 0},
		{"lemmas that count", strings.Contains(lemmas, "count")},
		{"lemmas with order", strings.ContainsAny(strings.ReplaceAll(lemmas, ">= n", ""), "<>")},
		{"lemmas about messages", strings.Contains(lemmas, "sent(")},
		{"messages", strings.Contains(text, "msg.")},
		{"kinds of messages", strings.Contains(text, "message ")},
		{"what is on its way", strings.Contains(lemmas, "transit_")},
		{"several messages in a step", strings.Contains(text, "SECOND")},
		{"quorums of messages", strings.Contains(text, "of N) r")},
		{"counting", strings.Contains(text, "count (")},
		{"sets", strings.Contains(text, "set of")},
		{"global variables", strings.Contains(text, "members")},
		{"what has a name", strings.Contains(text, "let ")},
		{"lemmas about members of sets", strings.Contains(lemmas, " in ")},
		{"Byzantine processes", strings.Contains(text, "status := byz")},
		{"crashes", strings.Contains(text, "status := crash")},
		{"tickets", strings.Contains(text, "ticket")},
		{"numbers in messages", strings.Contains(text, "msg.no")},
		{"processes in messages", strings.Contains(text, "msg.who")},
		{"processes in order", regexp.MustCompile(`\b[ijkl] (<|<=|>|>=) [ijkl]\b|max \(k: N\) k`).MatchString(text)},
		{"lemmas with processes in order", regexp.MustCompile(`\b[ijkl] (<|<=|>|>=) [ijkl]\b`).MatchString(lemmas)},
		{"shared memory only", !strings.Contains(text, "msg")},
	} {
		if c.is {
			list = append(list, c.what)
		}
	}
	return list
}

// decidedForSizes decides an invariant without looking at instances first.
func decidedForSizes(m *protocol.Model, p *protocol.Prop, plain bool) (*ForSizes, error) {
	ctx, stop := context.WithTimeout(context.Background(), randomLimit)
	defer stop()
	x, err := everysize.New(m, machine.Implicit(m, p))
	if err != nil {
		return nil, err
	}
	o := Options{Solver: z3.New, Plain: plain}
	q := &everySearch{ctx: ctx, m: m, p: p, x: x, o: o, efforts: efforts{effort{0, 1, 3}, effort{}},
		r: &ForSizes{Property: p.Name, Sizes: x.Model.Free(), Verdict: machine.Unknown, Implicit: x.Implicit}}
	if err := x.Always(ctx, o.Solver); err != nil {
		return nil, err
	}
	q.r.Defined = x.AlwaysDefined()
	if err := q.given(); err != nil {
		return nil, err
	}
	if err = q.run(); err == nil {
		err = q.once()
	}
	var failure *protocol.Failure
	if errors.As(err, &failure) { // no initial state, or something goes wrong
		return q.r, nil
	}
	return q.r, err
}

// How long a proof may take of a random protocol, and how much is explored of its instances: states of each, and of all.
const (
	randomLimit  = 12 * time.Second
	randomStates = 3_000
	randomAll    = 60_000
)

func violatedNowhere(t *testing.T, m *protocol.Model, p *protocol.Prop, text string) {
	t.Helper()
	q := &everySearch{ctx: context.Background(), m: m, p: p, r: &ForSizes{Sizes: m.Free()}}
	left := int64(randomAll)
	for set := range q.assignments() {
		sized, err := instantiate.Model(m.Source, set)
		if err != nil || left <= 0 {
			continue
		}
		list, err := machine.Check(q.ctx, sized, []*protocol.Prop{sized.Lookup(p.Name)}, machine.Options{Bounds: explore.Bounds{Jobs: 1, States: min(randomStates, left)}})
		var bad *machine.ModelError
		switch {
		case errors.As(err, &bad) && len(bad.Run.States) == 0:
			continue // no initial state
		case err != nil:
			t.Fatalf("%s is proved for every size, and with %v: %v\n%s", p.Name, set, err, text)
		case list[0].Verdict == machine.Violated:
			t.Fatalf("%s is proved for every size, and violated with %v\n%s", p.Name, set, text)
		}
		left -= list[0].States
	}
	if err := q.swarm(effort{0, 1, 3}); err != nil {
		t.Fatalf("%s is proved for every size, and some instance: %v\n%s", p.Name, err, text)
	}
	if q.r.Run != nil {
		t.Fatalf("%s is proved for every size, and violated with %s\n%s", p.Name, q.r.Run.Model.Assignments(), text)
	}
}

var lemmas = regexp.MustCompile(`(?s)lemma \w+:.*?;`)

// TestPaxosByHand proves Paxos for every size with the lemmas of its text.
func TestPaxosByHand(t *testing.T) {
	need.Usual(t, "a text with fifteen lemmas")
	text, err := os.ReadFile("../protocol/everysize/testdata/paxos.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read("paxos.ftdp", string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := EverySize(context.Background(), m, m.Lookup("agreement"), Options{Solver: z3.New})
	if err != nil || r.Verdict != machine.Holds || r.Given != 15 || len(r.Lemmas) != 15 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestFindForPaxos proves Paxos with no lemma by hand.
func TestFindForPaxos(t *testing.T) {
	need.Usual(t, "all lemmas of Paxos are found")
	text, err := os.ReadFile("../protocol/everysize/testdata/paxos.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read("paxos.ftdp", lemmas.ReplaceAllString(string(text), ""), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := EverySize(context.Background(), m, m.Lookup("agreement"), Options{Solver: z3.New})
	if err != nil || r.Verdict != machine.Holds || r.Given != 0 || len(r.Lemmas) < 10 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestFindForSizes finds the lemmas of two-phase commit for any number of participants, of lock servers with numbered grants and without, of votes by
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
		{"once", "", "", machine.Holds},
		{"phases", "", "", machine.Holds},
		{"once", "unordered bounded 2", "unordered bounded 2 duplicating", machine.Violated},
		{"vote", "", "", machine.Holds},
		{"echo", "", "", machine.Holds},
		{"consensus", "", "", machine.Holds},
		{"hierarchy", "", "", machine.Holds},
		{"threephase", "", "", machine.Holds},
		{"vote", "n / 2 + 1", "(n + 1) / 2", machine.Violated},
		{"echo", "(n + t) / 2 + 1", "(n + t) / 2", machine.Violated},
		{"paxos", "n / 2 + 1", "(n + 1) / 2", machine.Violated},
		{"paxos", "msg.no >= acceptor[i].promised then", "true then", machine.Violated},
		{"paxos", "max (q: Q) msg[q].val by msg[q].prev", "min (q: Q) msg[q].val by msg[q].prev", machine.Violated},
	} {
		if slices.Contains([]string{"consensus", "once", "hierarchy", "threephase"}, c.file) && need.Every(t, 2) > 1 {
			continue // they take the longest
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
		m, err := instantiate.Read(file, changed, nil)
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
