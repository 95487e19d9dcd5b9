package automata

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// Limits of the reference: instances with more states are left out.
const (
	startLimit = 200000
	stateLimit = 4000
	// patience is the time that verify has for a specification, in seconds.
	patience = 4
)

// A check compares the program with the reference on one case.
type check struct {
	seed     int64
	c        *Case
	model    *Model
	file     string
	random   *rand.Rand
	problems []string
	tags     map[string]bool
	// known has instances and verdicts of the reference.
	instances map[string]*Instance
	verdicts  map[string]verdict
	// witnesses are those that the program has given.
	witnesses []*Witness
}

type verdict struct {
	violated bool
	err      error
}

func (k *check) tag(format string, args ...any) { k.tags[fmt.Sprintf(format, args...)] = true }

func (k *check) disagree(kind, format string, args ...any) {
	k.problems = append(k.problems, kind+": "+fmt.Sprintf(format, args...))
}

// instance is the reference's instance; open values are tried up to the sum of the parameters.
func (k *check) instance(parameters map[string]int) (*Instance, error) {
	key := fmt.Sprint(parameters)
	if i, ok := k.instances[key]; ok {
		if i == nil {
			return nil, errLarge
		}
		return i, nil
	}
	i, err := NewInstance(k.model, parameters, total(parameters), startLimit)
	if err != nil {
		i = nil
	}
	k.instances[key] = i
	return i, err
}

// violated is the reference's verdict.
func (k *check) violated(spec string, parameters map[string]int) (bool, error) {
	key := spec + fmt.Sprint(parameters)
	if v, ok := k.verdicts[key]; ok {
		return v.violated, v.err
	}
	var v verdict
	i, err := k.instance(parameters)
	if err == nil {
		v.violated, v.err = i.Violated(k.formula(spec), stateLimit)
	} else {
		v.err = err
	}
	k.verdicts[key] = v
	return v.violated, v.err
}

func (k *check) formula(spec string) *Node {
	for _, s := range k.model.Specs {
		if s.Name == spec {
			return s.Formula
		}
	}
	panic("no specification " + spec)
}

func caseFile(folder string, seed int64) string {
	return filepath.Join(folder, fmt.Sprintf("case%d.ta", seed))
}

// newCheck reads the case and writes it to a file.
func newCheck(file string, seed int64, c *Case) *check {
	k := &check{seed: seed, c: c, random: rand.New(rand.NewSource(seed)), tags: map[string]bool{},
		instances: map[string]*Instance{}, verdicts: map[string]verdict{}}
	for tag := range c.Tags {
		k.tags[tag] = true
	}
	k.file = file
	if err := os.WriteFile(k.file, []byte(c.Text), 0o600); err != nil {
		panic(err)
	}
	model, err := Parse(c.Text)
	if err != nil {
		panic(fmt.Sprintf("seed %d: %v\n%s", seed, err, c.Text))
	}
	k.model = model
	return k
}

// all compares everything, or what is drawn for the case.
func (k *check) all() {
	if len(k.c.Unknowns) > 0 {
		k.synthesis()
		return
	}
	k.explore()
	k.verify()
	sometimes := func(n int, mode func()) {
		if k.random.Intn(n) == 0 {
			mode()
		}
	}
	sometimes(2, func() { k.verify(everyWay(k.random)...) })
	sometimes(5, k.canonical)
	sometimes(3, k.replay)
	sometimes(2, k.fairness)
	sometimes(8, k.resilience)
}

func TestCampaign(t *testing.T) {
	cases, seed := need.Cases(t, 10), int64(need.Seed(t, 1))
	folder := t.TempDir()
	coverage := newCoverage()
	groups := map[string][]string{}
	for n := int64(0); n < int64(cases); n++ {
		k := newCheck(caseFile(folder, seed+n), seed+n, Generate(seed+n, (seed+n)%8 == 0))
		k.all()
		coverage.add(k.tags)
		if len(k.problems) > 0 {
			kind, _, _ := strings.Cut(k.problems[0], ":")
			if len(groups[kind]) == 0 {
				t.Logf("seed %d: %s", k.seed, k.problems[0])
			}
			groups[kind] = append(groups[kind], fmt.Sprintf("seed %d\n%s\n%s", k.seed, strings.Join(k.problems, "\n"), k.c.Text))
		}
	}
	report(t, groups)
	if testing.Verbose() {
		t.Log(coverage.table())
	}
	missing := append(coverage.without(textFeatures), coverage.without(runFeatures)...)
	if len(missing) > 0 && cases >= enough {
		t.Errorf("features that do not occur: %s", strings.Join(missing, "; "))
	}
}

// report prints disagreements by kind, the shortest one first.
func report(t *testing.T, groups map[string][]string) {
	t.Helper()
	for kind, list := range groups {
		sort.Slice(list, func(i, j int) bool { return len(list[i]) < len(list[j]) })
		t.Errorf("%d cases: %s", len(list), kind)
		for _, text := range list[:min(3, len(list))] {
			t.Log(text)
		}
	}
}
