package rounds

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// An attack is a prefix after which a coin is seen, and two continuations; each is steps of processes, who are told apart by
// what their variables are.
type attack struct {
	parameters         []int
	prefix, either, or []attackStep
}

// An attackStep is that so many processes go from one place to another.
type attackStep struct {
	count    int
	from, to string
}

var (
	attackHead = regexp.MustCompile(`^an attack with n = (\d+), t = (\d+), f = (\d+) \(replayed\): `)
	attackPart = regexp.MustCompile(`^(\d+) x (\w+) -> (\w+)$`)
)

// readAttack reads what the program says of an attack.
func readAttack(t *testing.T, text string) attack {
	t.Helper()
	head := attackHead.FindStringSubmatch(text)
	if head == nil {
		t.Fatalf("no attack: %s", text)
	}
	var a attack
	for _, n := range head[1:] {
		a.parameters = append(a.parameters, atoi(n))
	}
	lines := strings.Split(strings.TrimSpace(text[len(head[0]):]), "\n")
	if len(lines) != 3 {
		t.Fatalf("a prefix and two continuations should be there: %q", lines)
	}
	for i, steps := range []*[]attackStep{&a.prefix, &a.either, &a.or} {
		line := strings.TrimSpace(lines[i])
		line = strings.TrimPrefix(line, []string{"first ", "either ", "or "}[i])
		line, _, _ = strings.Cut(line, ";")
		for part := range strings.SplitSeq(line, ", ") {
			m := attackPart.FindStringSubmatch(part)
			if m == nil {
				t.Fatalf("not a step: %q", part)
			}
			*steps = append(*steps, attackStep{atoi(m[1]), m[2], m[3]})
		}
	}
	return a
}

// isAt tells whether a process is at a place of the round: who is in it has begun, and has these flags; of who has left it, what
// it has sent counts, until all have.
func (in *Instance) isAt(w world, p int, place string) bool {
	parts := strings.Split(place, "_")
	values := in.variables(w, p, 0)
	left := !slices.Contains(parts, "begun") && (slices.Contains(parts, "coin") || strings.Contains(place, "ended"))
	if left != (in.round(w, p) > 0) {
		return false
	}
	for i, v := range in.Text.Variables {
		has := slices.Contains(parts, v.Name) || slices.Contains(parts, fmt.Sprint(v.Name, values[i]))
		switch {
		case v.Bool && left && (in.over(w, 0) || !strings.HasPrefix(v.Name, "sent") || slices.Contains(parts, "coin")):
		case v.Bool && has != (values[i] == 1), v.Name == "est" && !left && !has:
			return false
		}
	}
	return true
}

// branch is a world of an attack, and what values processes have ended the round with for sure.
type branch struct {
	world world
	sure  string
}

// replayAttack takes steps in all ways.
func (in *Instance) replayAttack(all []branch, steps []attackStep) []branch {
	for _, s := range steps {
		for range s.count {
			met := map[string]bool{}
			var next []branch
			add := func(b branch) {
				if key := string(b.world) + b.sure; !met[key] {
					met[key] = true
					next = append(next, b)
				}
			}
			for _, b := range all {
				for p := range in.processes {
					if !in.isAt(b.world, p, s.from) {
						continue
					}
					if in.round(b.world, p) > 0 && in.isAt(b.world, p, s.to) {
						add(b) // it had sent that before
					}
					for _, m := range in.moves(b.world) {
						for _, to := range m.to {
							if m.process == p && in.isAt(to, p, s.to) {
								add(branch{to, b.sure + in.surely(m, in.round(to, p) > in.round(b.world, p))})
							}
						}
					}
				}
			}
			all = next
		}
	}
	return all
}

// surely is the value with which a rule of the text ends the round, whatever the coin says; empty if there is none.
func (in *Instance) surely(m move, ends bool) string {
	if value, ok := map[string]string{"only0": "0", "only1": "1"}[in.Text.Rules[m.rule].Label]; ok && ends {
		return value
	}
	return ""
}

// TestAttack: the attack on the termination of Mostefaoui, Moumen and Raynal's consensus of 2014 that the program has shown for four processes is one: when
// the coin of a round is seen, processes can still end the round with either value, whatever the coin has said.
func TestAttack(t *testing.T) {
	file := filepath.Join("..", "..", "..", "benchmarks", "rounds", "mmr.ftdp")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Parse(string(source))
	if err != nil {
		t.Fatal(err)
	}
	played := func(said string) {
		a := readAttack(t, said)
		if outcomes := NewInstance(text, a.parameters, 1, "", "").attacked(a); len(outcomes) != 2 {
			t.Errorf("not an attack: played for the outcomes %v\n%s", outcomes, said)
		}
		if outcomes := NewInstance(text, []int{4, 1, 0}, 1, "", "").attacked(a); len(outcomes) > 0 {
			t.Errorf("it is played without a faulty process, for the outcomes %v\n%s", outcomes, said)
		}
	}
	names := []string{"mmr-attack.txt", "mmr-attack-in-order.txt"} // with processes that arrive one by one, and that begin the round together
	for _, name := range names[:2/min(2, need.Every(t, 1))] {
		said, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		played(string(said))
	}
	if need.Every(t, 1) > 1 {
		return // what the program says now takes it seconds
	}
	out, _ := exec.Command(program, "verify", file, "--spec", "in_order", "--no-sanity", "--json").Output() // what it says is that it is not shown
	var result struct{ Because []string }
	if err := json.Unmarshal(out, &result); err != nil || len(result.Because) < 3 {
		t.Fatalf("%v: %s", err, out)
	}
	played(strings.Join(result.Because[len(result.Because)-3:], "\n"))
}

// attacked are the outcomes of the coin for which an attack can be played.
func (in *Instance) attacked(a attack) map[byte]bool {
	begin, steps := in.arriving(a)
	outcomes := map[byte]bool{}
	for _, b := range in.replayAttack([]branch{{world: begin}}, steps) {
		coin := in.shared(b.world, 0)[in.layout.coin]
		if coin == 0 || b.sure != "" {
			continue
		}
		one, other := in.replayAttack([]branch{b}, a.either), in.replayAttack([]branch{b}, a.or)
		for _, x := range one {
			for _, y := range other {
				if x.sure != "" && y.sure != "" && !strings.ContainsAny(x.sure, y.sure) {
					outcomes[coin] = true
				}
			}
		}
	}
	return outcomes
}

// arriving is the world in which all have begun the round as they do in the first steps, or are where they take some first, and what follows.
func (in *Instance) arriving(a attack) (world, []attackStep) {
	w := slices.Clone(in.initial()[0])
	p, steps := 0, a.prefix
	for len(steps) > 0 && strings.HasPrefix(steps[0].from, "late") {
		for range steps[0].count {
			in.begin(w, p, steps[0].to)
			p++
		}
		steps = steps[1:]
	}
	if p > 0 {
		return w, steps
	}
	first := map[string]int{}
	for _, way := range [][]attackStep{a.either, a.or} {
		less := map[string]int{}
		for _, s := range slices.Concat(steps, way) {
			less[s.from] += s.count
			less[s.to] -= s.count
		}
		for place, n := range less {
			first[place] = max(first[place], n)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(first)) {
		for range first[place] {
			in.begin(w, p, place)
			p++
		}
	}
	return w, steps
}

// begin has a process begin a round with what is kept at a place.
func (in *Instance) begin(w world, p int, place string) {
	for i, v := range in.Text.Variables {
		for value := v.Low; value <= v.High && v.Kept; value++ {
			name := fmt.Sprint(v.Name, value)
			if v.Names != nil {
				name = v.Names[value]
			}
			if slices.Contains(strings.Split(place, "_"), name) {
				in.keptOf(w, p)[in.layout.place[i]] = byte(value - v.Low)
			}
		}
	}
}

// TestAttackFound: the reference finds by itself that with n = 4 and t = 1 an adversary that sees coins keeps these processes from
// deciding for ever, even one that lets no process begin a round before all have ended the one before.
func TestAttackFound(t *testing.T) {
	need.More(t, "a decision process of 60,000 states")
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "benchmarks", "rounds", "mmr.ftdp"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := Parse(string(source))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(text.Properties, func(p Property) bool { return p.Class == inOrder })
	in := NewInstance(text, []int{4, 1, 1}, 1, inOrder, "")
	if strategy, _ := in.Adversary(text.Properties[i], 60000); strategy != Forever {
		t.Errorf("%q", strategy)
	}
}
