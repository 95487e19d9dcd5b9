package emit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
)

// phrase makes random terms about the process i, in which each operator stands below each other one.
type phrase struct {
	*rand.Rand
	bound []string // processes
	named int
}

// about puts processes for which there are names in the place of #.
func (g *phrase) about(format string) string { return strings.ReplaceAll(format, "#", g.pick(g.bound)) }

func (g *phrase) pick(list []string) string { return list[g.IntN(len(list))] }

// conditions are formats of conditions: %b is one, %n a number, %s a set, %v a new process, %w a variable of a set, # one that has a name.
var conditions = []string{
	"%b and %b", "%b or %b", "not %b", "%b -> %b", "%b <-> %b", "%b xor %b", "%b = %b", "%b != %b", "%n = %n", "%n != %n", "%n < %n", "%n <= %n", "%n > %n",
	"%n >= %n", "%n < %n <= %n", "%n = %n = %n", "%n != %n != %n", "%s = %s", "%s != %s", "%n in %s", "isundefined(node[#].void)",
	"node[#].void = %n", "node[#].void != %n", "forall (%v: N) %b", "exists (%v: N) %b", "%b and %b and %b", "%b or %b or %b", "table[%n %% 3]",
	"node[#].status = byz", "if %b then %b else %b", "%n in {%w | %b}", "{%w | %b} = %s",
}

var numbers = []string{
	"%n + %n", "%n - %n", "%n * %n", "-%n", "%n / 2", "%n / (-2)", "%n %% 2", "%n %% (-2)", "count (%v: N) %b", "max (%v: N) %n", "min (%v: N) %n",
	"max (%v: N) %n by %n", "size(%s)", "%n - %n - %n", "%n + %n + %n", "%n - %n + %n",
	"if %b then %n else %n", "size({%v: N | %b})", "size({%w | %b})",
}

// condition returns a condition of some depth; a top operator of its own stands without brackets.
func (g *phrase) condition(depth int) string {
	if depth == 0 {
		return g.about(g.pick([]string{"node[#].y", "not node[#].y", "node[#].x = 1", "node[#].x > 1", "z", "1 in few", "g = 1", "true", "false"}))
	}
	return g.fill(g.pick(conditions), depth)
}

func (g *phrase) number(depth int) string {
	if depth == 0 {
		return g.about(g.pick([]string{"node[#].x", "node[#].x", "g", "1", "2", "0"}))
	}
	return g.fill(g.pick(numbers), depth)
}

// fill puts terms into a format.
func (g *phrase) fill(format string, depth int) string {
	var b strings.Builder
	defer func(bound []string) { g.bound = bound }(g.bound)
	for {
		before, after, found := strings.Cut(format, "%")
		if b.WriteString(before); !found {
			return g.about(strings.ReplaceAll(b.String(), "\x00", "%"))
		}
		switch after[0] {
		case 'b':
			b.WriteString("(" + g.condition(g.IntN(depth)) + ")")
		case 'n':
			b.WriteString("(" + g.number(g.IntN(depth)) + ")")
		case 's':
			b.WriteString(g.pick([]string{"few", "add(few, 0)", "add(few, 1)", "remove(few, 1)"}))
		case 'v':
			g.named++
			g.bound = append(g.bound[:len(g.bound):len(g.bound)], fmt.Sprint("q", g.named))
			b.WriteString(g.bound[len(g.bound)-1])
		case 'w': // a number of few, or any that it may have
			g.named++
			fmt.Fprintf(&b, "q%d: %s", g.named, g.pick([]string{"few", "0..1"}))
		case '%':
			b.WriteString("\x00")
		}
		format = after[1:]
	}
}

// operators returns a protocol whose state says for each rule whether it is possible, and what it computes: each rule ends the run. All
// operators stand at the top of something.
func operators(seed int) string {
	g := &phrase{Rand: rand.New(rand.NewPCG(uint64(seed), 7)), bound: []string{"i", "k"}}
	rules, claims, named := "", "", ""
	if seed%3 == 0 {
		named = "names first: N;\n"
		g.bound = append(g.bound, "first")
	}
	add := func(format string, args ...any) { rules += fmt.Sprintf("\n  []\n  "+format, args...) }
	const most = 9
	for hit := 1; hit <= most; hit++ {
		p := fmt.Sprintf("[](k: N) [](z: bool) [](i: N) r%d: ", hit)
		c, d := g.condition(2), g.condition(2)
		if hit <= 3 { // one after the other at the top of guards
			c = g.fill(conditions[(3*seed+hit-4)%len(conditions)], 2)
		}
		n := g.fill(numbers[(9*seed+hit-10)%len(numbers)], 2)
		begin := fmt.Sprintf("if hit = 0 and (%s) then hit := %d; node[i].did := true; ", c, hit)
		if hit <= 3 || g.IntN(2) == 0 { // the guard is nothing but the condition
			begin = fmt.Sprintf("if %s then if hit = 0 then hit := %d; else hit := %d; endif node[i].did := true; ", c, hit, most+1)
		}
		switch hit % 5 {
		case 0:
			add("%snumber := %s; endif", p+begin, n)
		case 1:
			add("%sanswer := %s; endif", p+begin, d)
		case 2:
			add("%sif %s then answer := true; endif endif", p+begin, d)
		case 3:
			add("%stable[(%s) %% 3] := %s; endif", p+begin, n, d)
		case 4:
			add("%slet value = %s; let truth = %s; if truth then number := value + 1; endif endif", p+begin, n, d)
		}
		if hit%3 == 0 {
			claims += fmt.Sprintf("invariant i%d: forall (i, k: N) exists (z: bool) (%s);\n", hit, g.fill(conditions[(3*seed+hit/3-4)%len(conditions)], 2))
		}
	}
	first := ""
	if seed%4 > 0 {
		first = "init [](i: N) liar: node[i].status := byz;\n"
	}
	return `protocol operators;
type N: role[2];
` + named + `var
  g: 0..1 = 0;
  few: set of 0..1 = {};
  node: array[N] of record x: 0..2 = 0; y: bool = false; void: 0..1; did: bool = false; end;
  table: array[0..2] of bool = false;
  hit: 0..10 = 0;
  number: -2000..2000 = 0;
  answer: bool = false;
` + first + `rules
  [](i: N) any1: if hit = 0 and node[i].x < 2 then node[i].x := node[i].x + 1; endif
  []
  [](i: N) any2: if hit = 0 then node[i].y := not node[i].y; endif
  []
  [](i: N) any3: if hit = 0 then few := {1}; node[i].void := 1; endif
  []
  [](i: N) any4: if hit = 0 and node[i].x = 1 then g := 1; endif` + rules + "\n" + claims
}

// TestOperators: the operators of all languages mean the same, whatever they stand below, at the top of guards and wherever they can.
func TestOperators(t *testing.T) {
	want, undecided := need.Cases(t, 5), 0
	for seed := need.Seed(t, 1); want > 0; seed++ {
		text := operators(seed)
		m, err := instantiate.Read("operators.ftdp", text, nil)
		if err != nil {
			t.Fatal(err, "\n", text)
		}
		s := decide(t, fmt.Sprint("operators ", seed), text, m, 20_000)
		if s == nil {
			undecided++
			continue
		}
		want--
		for _, target := range emit.Targets {
			t.Run(fmt.Sprint(target, " ", seed), func(t *testing.T) {
				files, err := emit.Protocol(m, target, "model")
				if err != nil {
					t.Fatal(err, "\n", text)
				}
				s.right(t, s.elsewhere(t, target, files), files[endings[target]])
				t.Log(s.states, s.verdicts)
			})
		}
	}
	t.Log(undecided, "have errors")
}
