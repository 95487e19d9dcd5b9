package review_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// TestFairCycles holds verdicts under the derived assumption against processes
// with identities: no process stays for ever in a location where an obligation's guard
// stays true. Automata with cycles, of two or three processes.
func TestFairCycles(t *testing.T) {
	counts := map[verify.Verdict]int{}
	cyclic := 0
	for seed := range int64(150) {
		text := fairModel(rand.New(rand.NewSource(seed)))
		a, err := ta.Parse("random.ta", text)
		if err != nil {
			t.Fatal(text, err)
		}
		f, err := review.NewFairness(a, review.FairnessOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, ob := range f.Obligations {
			if len(ob.Cycle) > 0 {
				cyclic++
				break
			}
		}
		spec := f.Assume(a, &a.Specs[0])
		if _, err := verify.Inspect(a, spec); err != nil {
			continue
		}
		r, err := f.Judge(verify.Decide, verify.Decide)(context.Background(), a, spec, verify.Options{})
		if err != nil {
			t.Fatal(text, err)
		}
		counts[r.Verdict]++
		for n := int64(2); n <= 3; n++ {
			if bad := newPeople(a, f, int(n)).violates(); bad && r.Verdict == verify.Holds ||
				!bad && r.Verdict == verify.Violated && r.Witness.Run.Start.Params[0].Int64() == n {
				t.Errorf("%s, and with %d processes violated is %v\n%s\n%s", r.Verdict, n, bad, f.Formula(a), text)
			}
		}
	}
	t.Log(counts, cyclic)
	if counts[verify.Holds] < 20 || counts[verify.Violated] < 20 || cyclic < 50 {
		t.Errorf("hardly anything is tried: %v, %d with cycles", counts, cyclic)
	}
}

// fairModel is a random automaton whose only specification is "eventually".
func fairModel(r *rand.Rand) string {
	names := []string{"a", "b", "c", "d"}
	var rules strings.Builder
	for i := range 4 + r.Intn(4) {
		from, to := r.Intn(4), r.Intn(4)
		update := ""
		if from < to && r.Intn(3) == 0 {
			update = "x' == x + 1;"
		}
		guard := []string{"true", "true", "x >= 1", "x >= n - 1", "x < 1", "x < n"}[r.Intn(6)]
		fmt.Fprintf(&rules, " %d: %s -> %s when (%s) do { %s };", i, names[from], names[to], guard, update)
	}
	claim := []string{"a == 0", "a == 0 && b == 0", "c != 0", "d != 0", "x >= 1", "b + c == 0"}[r.Intn(6)]
	return fmt.Sprintf("ta R { shared x; parameters n; assumptions { n >= 2; n <= 3; } locations { a; b; c; d; } inits { a == n; b == 0; c == 0; d == 0; x == 0; } rules {%s } specifications { s: <>(%s); } }",
		rules.String(), claim)
}

// people are processes with identities.
type people struct {
	a      *ta.Automaton
	f      *review.Fairness
	claim  *ta.Cond
	params []*big.Int
	states []person
	index  map[string]int
	next   [][]int
}

// person is a state: where everybody is, and the shared variable.
type person struct {
	at [3]int
	x  int
}

func newPeople(a *ta.Automaton, f *review.Fairness, n int) *people {
	p := &people{a: a, f: f, params: ta.Ints(int64(n)), index: map[string]int{}}
	claim, err := a.Cond(a.Specs[0].Formula.Args[0])
	if err != nil {
		panic(err)
	}
	p.claim = claim
	p.visit(person{})
	return p
}

func (p *people) config(s person) *ta.Config {
	c := &ta.Config{Params: p.params, Shared: ta.Ints(int64(s.x)), Counters: ta.Ints(0, 0, 0, 0)}
	for i := range p.params[0].Int64() {
		c.Counters[s.at[i]].Add(c.Counters[s.at[i]], big.NewInt(1))
	}
	return c
}

// visit explores what can be reached while the claim is false.
func (p *people) visit(s person) int {
	if ta.Holds(p.claim, p.config(s).Value) {
		return -1
	}
	key := fmt.Sprint(s)
	if k, ok := p.index[key]; ok {
		return k
	}
	k := len(p.states)
	p.index[key] = k
	p.states = append(p.states, s)
	p.next = append(p.next, nil)
	c := p.config(s)
	for i := range p.params[0].Int64() {
		for j := range p.a.Rules {
			r := &p.a.Rules[j]
			if r.From != s.at[i] || !ta.Holds(r.Guard, c.Value) {
				continue
			}
			t := s
			t.at[i] = r.To
			for _, u := range r.Update.Terms() {
				t.x = min(t.x+int(u.Coef.Int64()), 4) // no guard sees more
			}
			if to := p.visit(t); to >= 0 {
				p.next[k] = append(p.next[k], to)
			}
		}
	}
	return k
}

// violates reports whether a fair run never meets the claim.
func (p *people) violates() bool {
	n := len(p.states)
	reach := make([][]bool, n) // by at least one step
	for i := range reach {
		reach[i] = make([]bool, n)
		list := append([]int(nil), p.next[i]...)
		for len(list) > 0 {
			k := list[len(list)-1]
			list = list[:len(list)-1]
			if !reach[i][k] {
				reach[i][k] = true
				list = append(list, p.next[k]...)
			}
		}
	}
	for i := range n {
		if !reach[i][i] {
			continue
		}
		var component []int
		for k := range n {
			if reach[i][k] && reach[k][i] {
				component = append(component, k)
			}
		}
		if p.fair(component) {
			return true
		}
	}
	return false
}

// fair reports whether going round everywhere in a component leaves no process
// where a rule stays enabled.
func (p *people) fair(component []int) bool {
	for i := range p.params[0].Int64() {
		for _, ob := range p.f.Obligations {
			stuck := true
			for _, k := range component {
				s := p.states[k]
				stuck = stuck && s.at[i] == ob.Location && ta.Holds(ob.Guard, p.config(s).Value)
			}
			if stuck {
				return false
			}
		}
	}
	return true
}
