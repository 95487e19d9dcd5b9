package emit_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/need"
)

var roleType = regexp.MustCompile(`(\w+): role\[`)

// TestNames: with a name for a process of each role, a random protocol has the states that it has without, one by one, and so have
// the texts that are written of it for other tools. What the names stand for is told apart there, too.
func TestNames(t *testing.T) {
	need.Usual(t, "random protocols with names in other tools")
	want := need.Cases(t, 20)
	for seed := need.Seed(t, 1); want > 0; seed++ {
		plain, set := randomProtocol(seed)
		m, err := instantiate.Read("random.ftdp", plain, set)
		if err != nil {
			t.Fatal(err)
		}
		without := counted(m, 1000)
		if without < 10 || !strings.Contains(plain, "\nvar") {
			continue
		}
		names, claims := "", ""
		for i, r := range roleType.FindAllStringSubmatch(plain, -1) {
			names += fmt.Sprintf("names somebody%d: %s;\n", i, r[1])
			claims += fmt.Sprintf("invariant one%d: exists (k: %s) k = somebody%d;\ninvariant all%d: forall (k: %s) k = somebody%d;\n", i, r[1], i, i, r[1], i)
		}
		text := strings.Replace(plain, "\nvar", "\n"+names+"var", 1) + "\n" + claims
		if m, err = instantiate.Read("names.ftdp", text, set); err != nil {
			t.Fatal(err, "\n", text)
		}
		s := decide(t, fmt.Sprint("names ", seed), text, m, 1000)
		if s == nil {
			continue
		}
		if s.states != without || s.orbits != without {
			t.Fatalf("seed %d: %d states, %d without names:\n%s", seed, s.states, without, text)
		}
		target := emit.Targets[want%len(emit.Targets)]
		files, err := emit.Protocol(m, target, "model")
		if err != nil {
			t.Fatal(err, "\n", text)
		}
		if s.long(target, files) {
			continue
		}
		want--
		s.right(t, s.elsewhere(t, target, files), files[endings[target]])
		t.Log(target, seed, s.states, s.verdicts)
	}
}
