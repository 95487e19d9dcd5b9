package counter_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/forms"
	"github.com/tacheck/tacheck/testkit/mistake"
	"github.com/tacheck/tacheck/testkit/need"
)

// randomForm makes a form whose guards may be mixed, and what is said of its locations.
func randomForm(r *rand.Rand) (f *Form, labels []string) {
	var o syntax.Origin
	f = &Form{Exact: true, Groups: []Group{{Locations: []int{0, 1}, Count: Of(Parameter, 0)}}}
	f.Called = func(q Quantity) string {
		return map[Kind]string{Parameter: "n", Sent: "s", Difference: "d"}[q.Kind] + fmt.Sprint(q.Index)
	}
	for i := range 5 {
		labels = append(labels, fmt.Sprint(r.IntN(2)))
		f.Locations = append(f.Locations, Location{Name: fmt.Sprint("l", i), At: o, Start: i < 2})
	}
	for k := range 2 {
		f.Shared = append(f.Shared, Shared{Of: Sent.Numbered(k), First: int64(r.IntN(2)),
			Added: map[int]int64{r.IntN(2): int64(r.IntN(2))}})
	}
	for range 3 + r.IntN(6) {
		m := Move{From: r.IntN(5), To: r.IntN(5)}
		again := len(f.Moves) > 0 && r.IntN(4) == 0 // the same, and something else is asked
		if again {
			m = f.Moves[len(f.Moves)-1]
			m.Guard = nil
		}
		for k := range 2 {
			if !again && r.IntN(3) == 0 {
				m.Adds = append(m.Adds, Add{Sent.Numbered(k), int64(1 + r.IntN(2))})
			}
		}
		for range r.IntN(3) {
			l := number(int64(r.IntN(3)-2)).AddScaled(linear.N(int64(r.IntN(2))), Of(Parameter, 0))
			for k := range 2 {
				l = l.AddScaled(linear.N(int64(r.IntN(4)-1)), Of(Sent, k))
			}
			m.Guard = append(m.Guard, l)
		}
		f.Moves = append(f.Moves, m)
	}
	return f, labels
}

const processes, steps = 2, 4

// state is where the processes of a small instance are, by location, and what was sent.
type state struct{ counters, shared []int64 }

func (s state) key(labels []string) string {
	at := map[string]int64{}
	for l, n := range s.counters {
		at[labels[l]] += n
	}
	return fmt.Sprint(at["0"], at["1"], s.shared[:2])
}

// plainly lists what is reached by so many steps or fewer.
func plainly(f *Form, labels []string) map[string]bool {
	out := map[string]bool{}
	var visit func(s state, left int)
	visit = func(s state, left int) {
		if out[s.key(labels)] = true; left == 0 {
			return
		}
		value := func(q Quantity) int64 {
			if q.Kind == Parameter {
				return processes
			}
			return s.shared[q.Index]
		}
		for _, m := range f.Moves {
			if s.counters[m.From] == 0 ||
				slices.ContainsFunc(m.Guard, func(l Sum) bool { return l.At(value).Sign() < 0 }) {
				continue
			}
			next := state{slices.Clone(s.counters), slices.Clone(s.shared)}
			next.counters[m.From]--
			next.counters[m.To]++
			for _, a := range m.Adds {
				next.shared[a.Of.Index] += a.By
			}
			visit(next, left-1)
		}
	}
	for n := range int64(processes + 1) {
		s := state{[]int64{n, processes - n, 0, 0, 0}, nil}
		for _, x := range f.Shared {
			s.shared = append(s.shared, x.First+n*x.Added[0]+(processes-n)*x.Added[1])
		}
		visit(s, steps)
	}
	return out
}

// built lists what the automaton of a form reaches by so many steps or fewer.
func built(t *testing.T, f *Form, labels []string) map[string]bool {
	var o syntax.Origin
	b := &syntax.Builder{Name: "Random", Parameters: o.Idents("n0")}
	f.Build(b)
	a, err := ta.Resolve("random.ta", b.File())
	if err != nil {
		t.Fatal(err, "\n", syntax.Format(b.File()))
	}
	out := map[string]bool{}
	numbers := func(list []int64) []*big.Int { return lists.Map(list, big.NewInt) }
	var visit func(c *ta.Config, left int)
	visit = func(c *ta.Config, left int) {
		plain := func(n *big.Int) int64 { return n.Int64() }
		s := state{lists.Map(c.Counters, plain), lists.Map(c.Shared, plain)}
		if out[s.key(labels)] = true; left == 0 {
			return
		}
		for i := range a.Rules {
			if r := &a.Rules[i]; a.Enabled(c, r, big.NewInt(1)) == nil {
				visit(c.After(r, big.NewInt(1)), left-1)
			}
		}
	}
	for n := range int64(processes + 1) {
		c := &ta.Config{Params: numbers([]int64{processes})}
		counters := make([]int64, len(f.Locations))
		starts := f.Groups[0].Locations
		counters[starts[0]] += n
		counters[starts[len(starts)-1]] += processes - n
		c.Counters = numbers(counters)
		for _, x := range f.Shared {
			sum := x.First
			for l, k := range counters {
				sum += k * x.Added[l]
			}
			c.Shared = append(c.Shared, big.NewInt(sum))
		}
		if err := a.Initial(c); err != nil {
			t.Fatal(err)
		}
		visit(c, steps)
	}
	return out
}

// TestPasses: what a form reaches, its automaton does after its locations are merged and its guards are no longer
// mixed; it reaches nothing else, unless it is told that guards say less.
func TestPasses(t *testing.T) {
	merged, exact, bounded, weaker := 0, 0, 0, 0
	first := need.Seed(t, 0)
	for seed := first; seed < first+need.Cases(t, 300); seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 45))
		f, labels := randomForm(r)
		want := plainly(f, labels)
		g := &Guards{Known: &Known{Cases: [][]Sum{{Of(Parameter, 0).Plus(-1)}}},
			First: func(q Quantity) int64 { return f.Shared[q.Index].First }}
		most := int64(12 * r.IntN(2)) // of a sum
		before := len(f.Locations)
		less := f.Unmix(g, most)
		class, kept := f.Merge(labels)
		of := make([]string, len(f.Locations))
		for l, c := range class {
			of[c] = labels[l]
		}
		if err := forms.Check(f); err != nil || len(kept) != len(f.Moves) {
			t.Fatalf("case %d: %v", seed, err)
		}
		got := built(t, f, of)
		missing := slices.ContainsFunc(slices.Collect(maps.Keys(want)), func(k string) bool { return !got[k] })
		if missing || len(less) == 0 && len(got) > len(want) {
			t.Fatalf("case %d: %d states, not %d, of which some are missing: %v; %d guards say less\n%s", seed, len(got),
				len(want), missing, len(less), forms.Text(f))
		}
		if len(f.Locations) < before {
			merged++
		}
		switch {
		case len(less) > 0 && most == 0:
			weaker++
		case len(less) > 0:
			bounded++
		case f.Differences != nil:
			exact++
		}
	}
	tried := merged > 0 && exact > 0 && bounded > 0 && weaker > 0
	if t.Logf("%d merged, %d with differences, %d bounded, %d weaker", merged, exact, bounded, weaker); !tried &&
		need.Cases(t, 300) > 1 {
		t.Error("not all passes are tried")
	}
}

// TestMistakes: mistakes in passes are noticed.
func TestMistakes(t *testing.T) {
	const all = 300
	mistake.Noticed(t, []mistake.Mistake{
		{Name: "moves do not change differences", Test: "TestPasses", Cases: all, Edits: mistake.At("mixed.go",
			".Int64(); n > 0 {", ".Int64(); n > 0 && !MISTAKE {")},
		{Name: "differences become smaller", Test: "TestPasses", Cases: all, Edits: mistake.At("mixed.go",
			"	if falls {", "	if falls && !MISTAKE {")},
		{Name: "who begins adds nothing", Test: "TestPasses", Cases: all, Edits: mistake.At("mixed.go",
			"			added[l], falls = n, falls || n < 0\n",
			"			added[l], falls = n, falls || n < 0\n			if MISTAKE {\n				delete(added, l)\n			}\n")},
		{Name: "locations are not told apart by labels", Test: "TestPasses", Cases: all, Edits: mistake.At("merge.go",
			"	keys := slices.Clone(labels)\n",
			"	keys := slices.Clone(labels)\n	if MISTAKE {\n		keys = make([]string, len(labels))\n	}\n")},
		{Name: "moves that ask for something else are left out", Test: "TestPasses", Cases: all,
			Edits: mistake.At("guards.go", "inside = inside && mine[k]", "inside = inside && (mine[k] || MISTAKE)")},
		{Name: "a rest may be as large as what divides", Test: "TestFloors", Cases: all, Edits: mistake.At("floor.go",
			"out = out.Plus(f.By - 1)", "out = out.Plus(f.By - 1 + map[bool]int64{true: 1}[MISTAKE])")},
		{Name: "quotients are too small", Test: "TestFloors", Cases: all, Edits: mistake.At("floor.go",
			"Number(k.Floors[i].By-1).Sub(rest)", "Number(k.Floors[i].By-1-map[bool]int64{true: 1}[MISTAKE]).Sub(rest)")},
	}...)
}
