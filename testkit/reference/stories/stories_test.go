package stories

import (
	"context"
	"math/rand"
	randv2 "math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	promela "github.com/tacheck/tacheck/testkit/reference/promela"
	protocol "github.com/tacheck/tacheck/testkit/reference/protocol"
	rounds "github.com/tacheck/tacheck/testkit/reference/rounds"
	sizes "github.com/tacheck/tacheck/testkit/reference/sizes"
	"github.com/tacheck/tacheck/verify"
)

type source struct {
	kind, ending string
	text         func(seed int64) string
}

func old(f func(*rand.Rand) string) func(int64) string {
	return func(seed int64) string { return f(rand.New(rand.NewSource(seed))) }
}

func now(f func(*randv2.Rand) string) func(int64) string {
	return func(seed int64) string { return f(randv2.New(randv2.NewPCG(uint64(seed), 9))) }
}

var sources = []source{
	{"identities", ".ftdp", now(random.Protocol)}, {"automata", ".ta", old(generate.Model)}, {"Promela", ".pml", old(random.Promela)},
	{"sizes", ".ftdp", now(random.Source)}, {"identities", ".ftdp", now(random.Channels)}, {"Promela", ".pml", old(random.PromelaMixed)},
	{"sizes", ".ftdp", func(seed int64) string { return sizes.Generate(uint64(seed)) }},
	{"rounds", ".ftdp", func(seed int64) string { return rounds.Generate(uint64(seed)) }},
	{"identities", ".ftdp", now(random.Collections)}, {"Promela", ".pml", func(seed int64) string { return promela.Generate(seed).Text }},
	{"identities", ".ftdp", now(random.Kinds)}, {"identities", ".ftdp", func(seed int64) string { return protocol.Generate(uint64(seed)).Text }},
	{"automata", ".ta", old(generate.Growing)},
	{"first-order", ".pyv", old(random.FirstOrder)}, {"Promela", ".pml", old(random.PromelaVaried)}, {"identities", ".ftdp", now(random.Types)}, {"identities", ".ftdp", now(random.Sets)},
}

// TestStoriesAreTrue reads the stories of what random models of all kinds violate.
func TestStoriesAreTrue(t *testing.T) {
	cases, seed := need.Cases(t, 100), need.Seed(t, 1)
	mistakes := 0
	told, readOf, unread := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range cases {
		from := sources[i%len(sources)]
		text := from.text(int64(seed + i))
		m, err := model.Open(context.Background(), "random"+from.ending, text, model.Options{})
		if err != nil {
			continue
		}
		each := func(r *model.Result) error {
			if r.Counterexample == nil {
				return nil
			}
			told[from.kind]++
			s, err := Read(text, r.Counterexample.Told())
			if err != nil {
				t.Errorf("seed %d, %s, %s: %v", seed+i, from.kind, r.Spec, err)
			}
			why, err := r.Counterexample.Why()
			if err != nil {
				t.Errorf("seed %d: %v", seed+i, err)
			}
			for _, line := range why {
				before := len(s.Unread)
				if err := s.Check(line); err != nil {
					t.Errorf("seed %d, %s, %s: %s: %v", seed+i, from.kind, r.Spec, line.Kind, err)
				}
				if wrong, changed := falsified(line); changed && len(s.Unread) == before {
					s, _ := Read(text, r.Counterexample.Told())
					if mistakes++; s.Check(wrong) == nil {
						t.Errorf("seed %d: %q is not seen to be false", seed+i, wrong.Text)
					}
				}
			}
			if r.Spec != "" && len(why) == 0 {
				t.Errorf("seed %d, %s, %s: no reason", seed+i, from.kind, r.Spec)
			}
			if last := s.run.Steps; from.kind == "first-order" && last > 0 &&
				!slices.ContainsFunc(why, func(line run.Reason) bool { return slices.Contains(line.Steps, last) }) {
				t.Errorf("seed %d: what the last step does is not told", seed+i)
			}
			readOf[from.kind] += s.Read
			unread[from.kind] += len(s.Unread)
			for _, u := range s.Unread {
				t.Logf("unread: %d %s: %s", seed+i, from.kind, u)
			}
			return nil
		}
		results(m, each)
	}
	for kind, n := range told {
		t.Logf("%s: %d stories, %d parts are true, %d are not read", kind, n, readOf[kind], unread[kind])
		if n > 20 && unread[kind] > readOf[kind]/5 {
			t.Errorf("%s: of what is said of %d runs, %d parts are not read", kind, n, unread[kind])
		}
	}
	t.Logf("%d lines were made false, and seen to be", mistakes)
	if len(told) == 0 || mistakes == 0 {
		t.Error("nothing is violated")
	}
}

var (
	number   = regexp.MustCompile(`, since .*?[^=!<>]= (\d+)`)
	relation = regexp.MustCompile(`, since (!?)\w+(?:\(|,|$)`)
)

// falsified is a line of what guards saw with another number, or with what is not so; false for one without.
func falsified(line run.Reason) (run.Reason, bool) {
	if line.Kind != run.Because {
		return line, false
	}
	if at := number.FindStringSubmatchIndex(line.Text); at != nil {
		n, err := strconv.Atoi(line.Text[at[2]:at[3]])
		line.Text = line.Text[:at[2]] + strconv.Itoa(n+1) + line.Text[at[3]:]
		return line, err == nil
	}
	at := relation.FindStringSubmatchIndex(line.Text)
	if at == nil {
		return line, false
	}
	line.Text = line.Text[:at[2]] + strings.TrimPrefix("!", line.Text[at[2]:at[3]]) + line.Text[at[3]:]
	return line, true
}

// results decides what a model says.
func results(m model.Model, each func(*model.Result) error) {
	ctx, stop := context.WithTimeout(context.Background(), 4*time.Second)
	defer stop()
	if x, ok := m.(model.ForAll); ok {
		if q, err := x.Ask(ctx, nil, nil); err == nil {
			q.Verify(ctx, model.Verifying{Options: verify.Options{}}, each)
			return
		}
	}
	fixed := m.(model.Fixed)
	instances, err := fixed.Instances(ctx, 2) // of sizes
	if x, wrong := fixed.Instance(ctx, nil); wrong == nil {
		instances, err = []model.Instance{x}, nil
	}
	if err != nil {
		return
	}
	for _, x := range instances {
		list, err := x.Explore(ctx, nil, model.Exploring{Machine: machine.Options{Bounds: explore.Bounds{States: 30000}}})
		if err != nil {
			continue
		}
		for _, r := range list {
			each(r)
		}
	}
}
