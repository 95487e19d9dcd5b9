package benchmarks_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/partition"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/ta"
)

// head is the beginning of the table that TestForms holds.
const head = `# One algorithm in several languages

Locations, and rules from one to another one, of the automata of each text; then those of the automata whose locations
are merged that no rule tells apart (bisimulation; what formulas ask is left aside).

Merged, what people wrote (.ta) and pseudocode (.ftdp) are of one size for seven of the ten: a location of pseudocode
keeps the values of all variables, what a process has heard that matters later, and that it has crashed. Of rb and aba,
people join the step that sends with the one that accepts. Of cbc, they leave out crashes before anything is sent, and
with a vote for none.
A location of Promela (.pml) says which bounds a receive counter has reached, also where nothing comes of it; and a step
may pass several of them.

The last column compares with the .ta: merged, without shared variables that no guard reads, and up to names. The test
looks for the names, and holds guards against each other for all small values of parameters and variables. Where the
automata are not the same, it says why. The guards of bosco.ta, c1cs.ta and cf1s.ta say less: not of each way to go on that
n - t values were heard in all.

| algorithm | text | locations | rules | merged locations | merged rules | against .ta |
|---|---|---|---|---|---|---|
`

// reasons says why an automaton is not the one that people wrote. If it becomes that, the test fails.
var reasons = map[string]string{
	"aba.pml":  "locations for bounds that are reached and do not matter yet",
	"aba.ftdp": "who echoes has heard enough echoes or enough readies, or has begun with 1: what it has heard stays heard",
	"cbc.ftdp": "crashes before anything is sent, and with a vote for none",
	"frb.pml":  "locations for a message that is heard after all is done, or by who has crashed; a step that hears it first",
	"rb.pml":   "a location for t + 1 messages heard after sending",
	"rb.ftdp":  "a process sends and accepts in two steps; people join them",
}

// TestForms: the table says how large the automata of an algorithm are, in whichever language it is written.
func TestForms(t *testing.T) {
	got := head
	var own *ta.Automaton
	for _, source := range benchmarks.Sources() {
		name := strings.TrimSuffix(path.Base(source), ".ftdp")
		for _, file := range []string{name + ".ta", name + ".pml", source} {
			text, ok := benchmarks.Read(file)
			if !ok {
				continue
			}
			m, err := model.Open(context.Background(), file, text, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a, err := m.(model.ForAll).Automaton(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			rules := moves(a.Automaton)
			class, classes := merged(a.Automaton, rules)
			for i := range rules {
				rules[i].From, rules[i].To = class[rules[i].From], class[rules[i].To]
			}
			different := map[partition.Edge]bool{}
			for _, r := range rules {
				different[r] = true
			}
			against := ""
			if file == name+".ta" {
				own = a.Automaton
			} else if against = compared(own, a.Automaton); against == "" {
				if against = reasons[path.Base(file)]; against == "" {
					t.Errorf("%s: it is not the automaton of the .ta, and nobody says why", file)
				}
			} else if reasons[path.Base(file)] != "" {
				t.Errorf("%s: it is the automaton of the .ta", file)
			}
			got += fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %s |\n", name, path.Base(file), len(a.Locations), len(rules),
				classes, len(different), against)
		}
	}
	const table = "testdata/forms.md"
	if os.Getenv("TACHECK_UPDATE") != "" {
		if err := os.WriteFile(table, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(table); err != nil || string(want) != got {
		t.Errorf("%v: the table is another one (TACHECK_UPDATE=1 writes it):\n%s", err, got)
	}
}

// moves are the rules of an automaton that lead from one location to another one.
func moves(a *ta.Automaton) (list []partition.Edge) {
	for i := range a.Rules {
		if r := &a.Rules[i]; r.From != r.To {
			list = append(list, partition.Edge{From: r.From, To: r.To, Does: a.FormatCond(r.Guard) + a.FormatUpdate(r)})
		}
	}
	return list
}

// merged are the classes of locations that no rule tells apart, and how many there are.
func merged(a *ta.Automaton, rules []partition.Edge) (class []int, classes int) {
	empty := map[string]bool{}
	for _, c := range a.Inits.Conjuncts() {
		empty[a.FormatCond(c)] = true
	}
	var labels []string
	for _, l := range a.Locations {
		labels = append(labels, fmt.Sprint(empty[l.Name+" == 0"]))
	}
	return partition.Bisimilar(labels, rules)
}

// shape is an automaton whose locations are merged, without variables that no guard reads.
type shape struct {
	a     *ta.Automaton
	start []bool
	read  []int                            // shared variables
	moves map[[2]int]map[string][]*ta.Cond // by what is added to those: guards
}

func shapeOf(a *ta.Automaton) *shape {
	x := &shape{a: a, moves: map[[2]int]map[string][]*ta.Cond{}}
	for v := range a.Shared {
		if slices.ContainsFunc(a.Rules, func(r ta.Rule) bool {
			return r.From != r.To && slices.ContainsFunc(r.Guard.Atoms(nil), func(at ta.Atom) bool {
				return at.Linear.Coef(ta.Symbol{Kind: ta.Shared, Index: v}).Sign() != 0
			})
		}) {
			x.read = append(x.read, v)
		}
	}
	var edges []partition.Edge
	var from []*ta.Rule
	for i := range a.Rules {
		if r := &a.Rules[i]; r.From != r.To {
			edges = append(edges, partition.Edge{From: r.From, To: r.To, Does: a.FormatCond(r.Guard) + x.adds(r, x.read)})
			from = append(from, r)
		}
	}
	class, classes := merged(a, edges)
	x.start = make([]bool, classes)
	empty := map[string]bool{}
	for _, c := range a.Inits.Conjuncts() {
		empty[a.FormatCond(c)] = true
	}
	for l, c := range class {
		x.start[c] = !empty[a.Locations[l].Name+" == 0"]
	}
	for i, e := range edges {
		at := [2]int{class[e.From], class[e.To]}
		if x.moves[at] == nil {
			x.moves[at] = map[string][]*ta.Cond{}
		}
		does := x.adds(from[i], x.read)
		x.moves[at][does] = append(x.moves[at][does], from[i].Guard)
	}
	return x
}

// adds says what a rule adds to variables, in their order.
func (x *shape) adds(r *ta.Rule, vars []int) (text string) {
	for _, v := range vars {
		text += " " + r.Update.Coef(ta.Symbol{Kind: ta.Shared, Index: v}).String()
	}
	return text
}

// compared says that two automata are the same up to names, perhaps but for guards; "" if they are not. The one that
// people wrote comes first.
func compared(own, other *ta.Automaton) string {
	a, b := shapeOf(own), shapeOf(other)
	if len(a.start) != len(b.start) || len(a.read) != len(b.read) || len(a.moves) != len(b.moves) {
		return ""
	}
	best := ""
	permutations(len(a.start), func(to []int) {
		for c, d := range to {
			if a.start[c] != b.start[d] {
				return
			}
		}
		for at, does := range a.moves {
			if len(does) != len(b.moves[[2]int{to[at[0]], to[at[1]]}]) {
				return
			}
		}
		permutations(len(a.read), func(named []int) {
			if said := guards(a, b, to, named); best == "" || said == "the same" {
				best = said
			}
		})
	})
	return best
}

// permutations calls do with all orders of so many numbers.
func permutations(n int, do func([]int)) {
	list := make([]int, n)
	var take func(k int)
	take = func(k int) {
		if k == n {
			do(list)
			return
		}
		for v := range n {
			if !slices.Contains(list[:k], v) {
				list[k] = v
				take(k + 1)
			}
		}
	}
	take(0)
}

// guards says whether the moves of two automata add the same, if classes and variables correspond so, and whether their guards say the same then of
// small numbers; "" if they do not, and those of the first one do not say less.
func guards(a, b *shape, to, named []int) string {
	less, more := false, false
	var pairs [][2][]*ta.Cond
	for at, does := range a.moves {
		for adds, list := range does {
			mine := strings.Fields(adds)
			theirs := make([]string, len(mine))
			for i, v := range mine {
				theirs[named[i]] = " " + v
			}
			other := b.moves[[2]int{to[at[0]], to[at[1]]}][strings.Join(theirs, "")]
			if other == nil {
				return ""
			}
			pairs = append(pairs, [2][]*ta.Cond{list, other})
		}
	}
	const most = 7
	value := map[string]int64{}
	shared := make([]int64, len(a.read))
	of := func(x *shape, order func(i int) int) func(ta.Symbol) *big.Int {
		return func(s ta.Symbol) *big.Int {
			if s.Kind == ta.Parameter {
				return big.NewInt(value[x.a.Parameters[s.Index].Name])
			}
			return big.NewInt(shared[order(slices.Index(x.read, s.Index))])
		}
	}
	left := of(a, func(i int) int { return i })
	right := of(b, func(i int) int { return slices.Index(named, i) })
	high := func(n int) []int64 { return slices.Repeat([]int64{most}, n) }
	for params := range lists.Product(make([]int64, len(a.a.Parameters)), high(len(a.a.Parameters))) {
		for i, p := range a.a.Parameters {
			value[p.Name] = params[i]
		}
		if !ta.Holds(a.a.Resilience, left) {
			continue
		}
		for values := range lists.Product(make([]int64, len(shared)), high(len(shared))) {
			copy(shared, values)
			for _, p := range pairs {
				mine, theirs := ta.Holds(ta.Or(p[0]...), left), ta.Holds(ta.Or(p[1]...), right)
				less, more = less || mine && !theirs, more || theirs && !mine
			}
		}
	}
	switch {
	case more:
		return ""
	case less:
		return "the same, but guards of the .ta say less"
	}
	return "the same"
}
