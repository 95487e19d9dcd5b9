package promela

import (
	"context"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

var (
	taken    = regexp.MustCompile(`^step (\d+), lines? [^:]*: .*? (?:becomes|makes) .*?(?:, with ([^;]*?))?(?:, since (.*?))?(?:, by steps? [^=]*)?$`)
	stuck    = regexp.MustCompile(`^(\d+) x (.*?): (line .*)$`)
	refusal  = regexp.MustCompile(`^line \d+: not (.*?)$`)
	withSeen = regexp.MustCompile(`^(.*) \(([^()]* = -?\d+(?:, .* = -?\d+)*)\)$`)
)

// TestBecauseIsTrue reads what explanations say that guards saw, and evaluates it: in the world before the step, and of
// processes that wait in all of the loop.
func TestBecauseIsTrue(t *testing.T) {
	cases, states, seed := need.Cases(t, 60), need.Cases(t, 20_000), need.Seed(t, 3)
	read := map[run.Kind]int{}
	for i := range cases {
		make := []func(*rand.Rand) string{random.Promela, random.PromelaVaried, random.PromelaSums, random.PromelaMixed}[i%4]
		text := make(rand.New(rand.NewSource(int64(seed + i))))
		m, err := Parse("random.pml", text, nil)
		if err != nil {
			continue
		}
		for k := range m.Formulas {
			r := smallest(m, &m.Formulas[k], states)
			if r == nil {
				continue
			}
			why, err := (&Counterexample{Spec: m.Formulas[k].Name, Run: r}).Why()
			if err != nil {
				t.Fatal(err)
			}
			worlds := r.along()
			for _, line := range why {
				check := func(said string, want bool, who int, with string, in []*World) {
					for part := range strings.SplitSeq(said, "; ") {
						if found := refusal.FindStringSubmatch(part); found != nil {
							part = found[1]
						} else if !want {
							continue
						}
						for _, d := range defined.FindAllStringSubmatch(text, -1) { // names of numbers
							part = regexp.MustCompile(`\b`+d[1]+`\b`).ReplaceAllString(part, d[2])
						}
						guard, seen := part, ""
						if found := withSeen.FindStringSubmatch(part); found != nil {
							guard, seen = found[1], found[2]
						}
						for _, w := range in {
							f := &frame{in: r.Instance, local: slices.Clone(w.Processes[who]), shared: w.Shared,
								all: w.Processes, self: who}
							for _, a := range m.Asserts {
								f.local[a.Local] = 0
							}
							for item := range strings.SplitSeq(with, ", ") { // what the step chooses
								name, v, _ := strings.Cut(item, " = ")
								if i := slices.IndexFunc(m.Locals, func(v Variable) bool { return v.Name == name }); i >= 0 {
									f.local[i], _ = strconv.ParseInt(v, 10, 64)
								}
							}
							if v := value(t, f, guard); v != 0 != want {
								t.Errorf("seed %d: %s should be %v\n%s\n%s", seed+i, guard, want, line.Text, text)
							}
							for item := range strings.SplitSeq(seen, ", ") {
								if at := strings.LastIndex(item, " = "); at > 0 {
									n, _ := strconv.ParseInt(item[at+3:], 10, 64)
									if v := value(t, f, item[:at]); v != n {
										t.Errorf("seed %d: %s is %d\n%s\n%s", seed+i, item, v, line.Text, text)
									}
								}
							}
						}
						read[line.Kind]++
					}
				}
				if found := taken.FindStringSubmatch(line.Text); line.Kind == run.Because && found != nil &&
					found[3] != "" {
					k, _ := strconv.Atoi(found[1])
					who := slices.IndexFunc(worlds[k-1].Processes,
						func(l Local) bool { return slices.Equal(l, r.Steps[k-1].Before) })
					check(found[3], true, who, found[2], worlds[k-1:k])
				}
				if found := stuck.FindStringSubmatch(line.Text); line.Kind == run.Waiting && found != nil {
					loop := worlds[r.Loop:]
					who := slices.IndexFunc(loop[0].Processes,
						func(l Local) bool { return r.Instance.Describe(l) == found[2] })
					check(found[3], false, who, "", loop)
				}
			}
		}
	}
	t.Log(read)
	if cases >= 400 && (read[run.Because] == 0 || read[run.Waiting] == 0) {
		t.Errorf("too little is read: %v", read)
	}
}

var defined = regexp.MustCompile(`#define (\w+) (\d+)`)

// value evaluates what a line says of a process.
func value(t *testing.T, f *frame, text string) int64 {
	t.Helper()
	v, err := f.eval(parsed(t, text))
	if err != nil {
		t.Fatal(text, err)
	}
	return v
}

// smallest violates a formula; nil if no run of few processes is found to.
func smallest(m *Model, f *Named, states int) *Run {
	params := make([]int64, len(m.Params))
	for n := range 64 {
		for i, rest := 0, n; i < len(params); i, rest = i+1, rest/4 {
			params[i] = int64(rest % 4)
		}
		in, err := m.NewInstance(slices.Clone(params))
		if err != nil {
			continue
		}
		if x, err := m.Explore(context.Background(), f, in, states); err == nil && x.Run != nil {
			return x.Run
		}
	}
	return nil
}
