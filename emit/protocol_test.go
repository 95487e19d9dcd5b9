package emit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	reference "github.com/tacheck/tacheck/testkit/reference/protocol"
)

// counted counts the states of a protocol, one by one; -1 where there are more than some, or an error.
func counted(m *protocol.Model, most int64) int64 {
	o := machine.Options{Crash: "explicit", Plain: true, Bounds: explore.Bounds{Jobs: 1, States: most}}
	r, err := machine.Count(context.Background(), m, o)
	if err != nil || r.Reason != "" {
		return -1
	}
	return r.States
}

// exported is a protocol, how many states it has, and which properties are violated.
type exported struct {
	name, text string
	m          *protocol.Model
	states     int64
	orbits     int64
	verdicts   map[string]verdict.Verdict
}

// decide counts the states of a protocol and decides its properties; nil where there are more than some, or an error.
func decide(t *testing.T, name, text string, m *protocol.Model, most int64) *exported {
	t.Helper()
	e := &exported{name: name, text: text, m: m, verdicts: map[string]verdict.Verdict{}}
	for _, plain := range []bool{true, false} {
		o := machine.Options{Crash: "explicit", Plain: plain, Bounds: explore.Bounds{Jobs: 1, States: most}}
		r, err := machine.Count(context.Background(), m, o)
		var wrong *machine.ModelError
		if errors.As(err, &wrong) || err == nil && r.Reason != "" {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		if plain {
			e.states = r.States
		} else {
			e.orbits = r.States
		}
	}
	for i := range m.Props {
		p := &m.Props[i]
		o := machine.Options{Crash: "explicit", Bounds: explore.Bounds{Jobs: 1, States: 30 * most}}
		r, err := machine.Check(context.Background(), m, []*protocol.Prop{p}, o)
		var wrong *machine.ModelError
		if errors.As(err, &wrong) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		if r[0].Verdict == machine.Unknown {
			return nil
		}
		e.verdicts[p.Name] = r[0].Verdict
	}
	return e
}

// randomProtocol returns the text of a random protocol of one of four kinds, and values of its constants.
func randomProtocol(seed int) (text string, set map[string]int64) {
	r := rand.New(rand.NewPCG(uint64(seed), 31))
	switch seed % 4 {
	case 0:
		return random.Protocol(r), nil
	case 1:
		return random.Channels(r), nil
	case 2:
		return random.Collections(r), nil
	}
	c := reference.Generate(uint64(seed))
	set = map[string]int64{}
	for name, value := range c.Set {
		set[name] = int64(value)
	}
	return c.Text, set
}

// protocols yields random protocols that have not too many states. All languages can say all that there is in them.
func protocols(t *testing.T, want int, most int64, target string, f func(s *exported, files emit.Files)) {
	t.Helper()
	letters, long := 0, 0
	for seed, done := need.Seed(t, 1), 0; done < want; seed++ {
		text, set := randomProtocol(seed)
		m, err := instantiate.Read("random.ftdp", text, set)
		if err != nil {
			t.Fatal(err)
		}
		s := decide(t, fmt.Sprint("random", seed), text, m, most)
		if s == nil || s.states < 10 { // says little
			continue
		}
		files, err := emit.Protocol(m, target, "model")
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if s.long(target, files) {
			long++
			continue
		}
		if done++; m.Letters() {
			letters++
		}
		f(s, files)
		t.Log(s.name, s.states, "states,", s.orbits, "with symmetry", s.verdicts)
	}
	t.Log(want, "protocols,", letters, "with several messages to a process,", long, "too long")
}

// long reports whether a tool takes its time: Spin and the compiler for long texts, and TLC for formulas.
func (s *exported) long(target string, files emit.Files) bool {
	return target == "promela" && len(files[".pml"]) > 60_000 ||
		target == "tla" && s.states > 40 && strings.Contains(files[".cfg"], "PROPERTY")
}

// TestProtocolsTLC: TLC finds as many distinct states, and the same verdicts.
func TestProtocolsTLC(t *testing.T) {
	need.Usual(t, "random protocols in TLC")
	jar := need.TLC(t)
	protocols(t, need.Cases(t, 2), 3000, "tla", func(s *exported, files emit.Files) { s.right(t, s.tlc(t, jar, files), files[".tla"]) })
}

func (s *exported) tlc(t *testing.T, jar string, files emit.Files) (wrong []string) {
	t.Helper()
	return tlc(t, jar, files, s.states, func(property string) bool {
		return property != "TypeOK" && s.verdict(t, property) == machine.Violated
	})
}

// verdict returns the verdict of a property by its name in a written text.
func (s *exported) verdict(t *testing.T, written string) verdict.Verdict {
	t.Helper()
	return s.verdicts[ours(t, s.verdicts, written)]
}

// tlc runs TLC with what holds, and for each property that is violated, and returns where it disagrees.
func tlc(t *testing.T, jar string, files emit.Files, states int64, isViolated func(property string) bool) (wrong []string) {
	t.Helper()
	property := regexp.MustCompile(`(?m)^(?:INVARIANT|PROPERTY) (.*)\n`)
	head, holds := property.ReplaceAllString(files[".cfg"], ""), ""
	var violated []string
	for _, m := range property.FindAllStringSubmatch(files[".cfg"], -1) {
		if isViolated(m[1]) {
			violated = append(violated, m[0])
		} else {
			holds += m[0]
		}
	}
	check := func(properties string, bad bool) {
		t.Helper()
		dir := t.TempDir() // TLC's own folder in it is named by the second
		for name, text := range map[string]string{"model.tla": files[".tla"], "model.cfg": head + properties} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		// TLC unpacks its own modules into the folder for temporary files, where others may be at it.
		out := run(dir, "java", "-Djava.io.tmpdir="+dir, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g",
			"-cp", jar, "tlc2.TLC", "-deadlock", "-workers", "1", "model")
		good := strings.Contains(out, "No error has been found")
		was := strings.Contains(out, "violated") || strings.Contains(out, "is equal to FALSE") // whatever the state
		if was != bad || good == bad {
			wrong = append(wrong, fmt.Sprintf("TLC says otherwise than that %q is violated: %v\n%s", properties, bad, out))
		} else if good {
			if got := number(t, out, `, (\d+) distinct states found, 0 states left`); got != fmt.Sprint(states) {
				wrong = append(wrong, fmt.Sprintf("TLC finds %s states, and %d can be reached", got, states))
			}
		}
	}
	check(holds, false)
	for _, v := range violated {
		check(v, true)
	}
	return wrong
}

// right reports what a tool says otherwise.
func (s *exported) right(t *testing.T, wrong []string, text string) {
	t.Helper()
	for _, w := range wrong {
		t.Errorf("%s: %s\n%s\n%s", s.name, w, s.text, text)
	}
}

// TestProtocolsRumur: rumur counts as many states without symmetry, as many as there are up to permutation with it, and has
// the same verdicts.
func TestProtocolsRumur(t *testing.T) {
	need.Peers(t, "rumur", "gcc")
	scalarsets := 0
	protocols(t, need.Cases(t, 2), 10_000, "murphi", func(s *exported, files emit.Files) {
		wrong, symmetric := s.rumur(t, files[".m"])
		if s.right(t, wrong, files[".m"]); symmetric {
			scalarsets++
		}
	})
	t.Log(scalarsets, "with scalarsets")
}

// rumur runs rumur with what holds, without and with symmetry, and with what is violated. It returns where it disagrees, and whether
// all roles are scalarsets.
func (s *exported) rumur(t *testing.T, text string) (wrong []string, symmetric bool) {
	t.Helper()
	dir := t.TempDir()
	invariant := regexp.MustCompile(`(?m)^invariant "(.*)"\n.*\n`)
	part := func(violated bool) string {
		return invariant.ReplaceAllStringFunc(text, func(i string) string {
			if (s.verdict(t, invariant.FindStringSubmatch(i)[1]) == machine.Violated) == violated {
				return i
			}
			return ""
		})
	}
	check := func(text, symmetry string, bad bool, states int64) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "model.m"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out := run(dir, "rumur", "--deadlock-detection=off", "--threads=1", "--symmetry-reduction="+symmetry, "model.m", "-o", "model.c") +
			run(dir, "gcc", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread") + run(dir, "./model")
		good := strings.Contains(out, "No error found")
		switch {
		case bad && !regexp.MustCompile(`invariant .* failed`).MatchString(out), good == bad:
			wrong = append(wrong, fmt.Sprintf("rumur (symmetry %s) says otherwise than %v:\n%s", symmetry, bad, out))
		case !bad:
			if got := number(t, out, `(\d+) states,`); got != fmt.Sprint(states) {
				wrong = append(wrong, fmt.Sprintf("rumur (symmetry %s) finds %s states, and there are %d", symmetry, got, states))
			}
		}
	}
	check(part(false), "off", false, s.states)
	symmetric = s.m.Asymmetry == nil
	for _, r := range s.m.Roles {
		symmetric = symmetric && (r.Size == 1 || regexp.MustCompile(`(?m)^  `+r.ID+`: scalarset`).MatchString(text))
	}
	if symmetric {
		check(part(false), "exhaustive", false, s.orbits)
	}
	if holds := part(true); holds != part(false) && invariant.MatchString(holds) {
		check(holds, "heuristic", true, 0)
	}
	return wrong, symmetric
}

// TestProtocolsSpin: Spin stores as many states, and the one before the first values, and has the same verdicts.
func TestProtocolsSpin(t *testing.T) {
	need.Peers(t, "spin", "gcc")
	protocols(t, need.Cases(t, 3), 3000, "promela", func(s *exported, files emit.Files) {
		s.right(t, s.spin(t, files[".pml"]), files[".pml"])
	})
}

// spin runs Spin without claims, and with each invariant, and returns where it disagrees.
func (s *exported) spin(t *testing.T, text string) (wrong []string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.pml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := run(dir, "spin", "-a", "model.pml") + run(dir, "gcc", "-w", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=8192", "-o", "count", "pan.c") +
		run(dir, "./count", "-E", "-m1000000")
	if got := regexp.MustCompile(`(\d+) states, stored`).FindStringSubmatch(out); got == nil || got[1] != fmt.Sprint(s.states+1) {
		return []string{fmt.Sprintf("Spin stores not %d states:\n%s", s.states+1, out)}
	}
	invariants := regexp.MustCompile(`(?m)^never (\w+) `).FindAllStringSubmatch(text, -1)
	if invariants == nil {
		return nil
	}
	out = run(dir, "gcc", "-w", "-DVECTORSZ=8192", "-o", "check", "pan.c")
	for _, m := range invariants {
		said := out + run(dir, "./check", "-a", "-E", "-m1000000", "-N", m[1])
		bad := !strings.Contains(said, "errors: 0")
		if bad != (s.verdict(t, m[1]) == machine.Violated) || bad && !strings.Contains(said, "errors: 1") {
			wrong = append(wrong, fmt.Sprintf("Spin says otherwise than that %s: %s\n%s", m[1], s.verdict(t, m[1]), said))
		}
	}
	return wrong
}
