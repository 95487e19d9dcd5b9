package verify

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacheck/benchmarks"
	"tacheck/explore"
	"tacheck/internal/diag"
	"tacheck/internal/need"
	"tacheck/internal/random"
	"tacheck/internal/reduce"
	"tacheck/ta"
)

// TestMutants changes models of the suite, and of the corpus where it is, a
// little, and holds the verdict on every specification against exploration of
// instances with parameters up to 4, as far as these are small. Some are
// decided by other methods or by a second solver.
//
// TACHECK_MUTANTS sets the number of mutants, TACHECK_SEED the seed, and
// TACHECK_SAVE where to save what goes wrong.
func TestMutants(t *testing.T) {
	n, seed := need.Number(t, "TACHECK_MUTANTS", 25), need.Number(t, "TACHECK_SEED", 1)
	if testing.Short() {
		n = min(n, 10)
	}
	sources := mutantSources(t)
	var count tally
	inParallel(t, n, func(i int) (string, tally) {
		r := rand.New(rand.NewSource(int64(seed + i)))
		name := sources.names[r.Intn(len(sources.names))]
		text, what, err := random.Mutant(r, name, sources.text[name])
		if err != nil {
			return err.Error(), tally{}
		}
		a, err := ta.Parse(name, text)
		if what == "" || err != nil {
			return "", tally{} // no mutant, or none that is a model
		}
		var sum tally
		for k := range a.Specs {
			spec := a.Specs[k].Name
			o := mutantMethod(r)
			wrong, n := judge(a, spec, o)
			sum.add(n)
			if wrong != "" {
				return fmt.Sprintf("seed %d: %s: %s: %s %+v: %s", seed+i, name, what, spec, o, reportMutant(t, seed+i, text, spec, o, wrong)), sum
			}
		}
		return "", sum
	}, &count)
	t.Logf("%+v", count)
}

// mutantMethod draws how a mutant is verified: mostly by default.
func mutantMethod(r *rand.Rand) Options {
	switch r.Intn(8) {
	case 0, 1:
		return Options{Search: "incremental", Encoding: EncodingNames[r.Intn(2)], Timeout: patience}
	case 2:
		return Options{Encoding: "path", Timeout: patience}
	}
	return Options{}
}

// modelTexts are models to mutate.
type modelTexts struct {
	names []string
	text  map[string]string
}

func mutantSources(t *testing.T) modelTexts {
	s := modelTexts{text: map[string]string{}}
	for _, name := range benchmarks.Names() {
		text, _ := benchmarks.Read(name)
		s.names, s.text[name] = append(s.names, name), text
	}
	corpus, err := filepath.Glob("../shared/corpus/isola18/*.ta")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range corpus {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s.names, s.text[name] = append(s.names, name), string(text)
	}
	return s
}

// reportMutant makes a mutant that went wrong smaller, and describes it.
func reportMutant(t *testing.T, seed int, text, spec string, o Options, wrong string) string {
	small := reduce.Model(text, func(text string) bool {
		a, err := ta.Parse("mutant.ta", text)
		if err != nil || a.SpecNamed(spec) == nil {
			return false
		}
		wrong, _ := judge(a, spec, o)
		return wrong != ""
	})
	if dir := os.Getenv("TACHECK_SAVE"); dir != "" {
		file := filepath.Join(dir, fmt.Sprintf("mutant-%d.ta", seed))
		if err := os.WriteFile(file, []byte(small), 0o644); err != nil {
			t.Error(err)
		}
		wrong += "\nsaved as " + file
	}
	return wrong + "\n" + small
}

// judge verifies one specification, and explores instances if it holds. It
// says what is wrong, or "".
func judge(a *ta.Automaton, name string, o Options) (wrong string, count tally) {
	spec := a.SpecNamed(name)
	count.Cases = 1
	r, err := Decide(context.Background(), a, spec, o)
	var refused diag.List
	switch {
	case errors.As(err, &refused): // no admissible parameters, or outside the fragment
		count.Refused++
		return "", count
	case err != nil:
		return err.Error(), count
	}
	count.Verdicts++
	switch r.Verdict {
	case Unknown:
		if o.Timeout > 0 && r.Reason == "timeout" {
			count.Timeouts++
			return "", count
		}
		count.Unknown++
		if !strings.Contains(r.Reason, "scale") {
			return "unknown: " + r.Reason, count
		}
		return "", count
	case Violated:
		count.Violated++
		return "", count // replayed already
	}
	count.Holds++
	for n := range int64(5) {
		eachInstance(a, n, func(params []*big.Int) {
			for _, p := range params {
				if wrong != "" || p.Int64() > 4 {
					return
				}
			}
			found, err := violatedAt(a, spec, params, 5000)
			switch {
			case errors.Is(err, explore.ErrTooLarge):
				count.TooLarge++
			case err != nil:
				wrong = err.Error()
			case found:
				wrong = fmt.Sprintf("holds, but is violated with %s", assignment(a, params))
			default:
				count.Instances++
			}
		})
	}
	return wrong, count
}

// TestExplored explores instances with parameters up to 4 of everything that
// holds in the suite.
func TestExplored(t *testing.T) {
	for _, e := range benchmarks.Expected() {
		if e.Verdict == string(Holds) {
			text, _ := benchmarks.Read(e.File)
			exploreMore(t, parse(t, e.File, text), e.Spec)
		}
	}
}

// TestCorpusExplored explores those of public models, where everything holds.
func TestCorpusExplored(t *testing.T) {
	for _, file := range corpus(t) {
		a := loadFile(t, file)
		for i := range a.Specs {
			exploreMore(t, a, a.Specs[i].Name)
		}
	}
}

func exploreMore(t *testing.T, a *ta.Automaton, spec string) {
	wrong, count := judge(a, spec, Options{})
	if wrong != "" {
		t.Errorf("%s: %s: %s", a.File, spec, wrong)
	}
	t.Logf("%s: %s: %+v", a.File, spec, count)
}
