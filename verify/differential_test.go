package verify

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tacheck/explore"
	"tacheck/internal/diag"
	"tacheck/internal/need"
	"tacheck/internal/ordered"
	"tacheck/internal/random"
	"tacheck/internal/reduce"
	"tacheck/ltl"
	"tacheck/ta"
	"tacheck/witness"
)

// TestDifferential verifies random automata and specifications with every
// search and encoding, some with a second solver, and holds the verdicts
// against each other and against exhaustive exploration of all instances with
// few processes.
//
// TACHECK_CASES sets the number of cases, TACHECK_SEED the first seed. Cases
// that go wrong are made smaller and, if TACHECK_SAVE is set, saved there.
func TestDifferential(t *testing.T) {
	cases, seed := need.Number(t, "TACHECK_CASES", 150), need.Number(t, "TACHECK_SEED", 1)
	if testing.Short() {
		cases = min(cases, 40)
	}
	var count tally
	inParallel(t, cases, func(i int) (string, tally) {
		text := random.Model(rand.New(rand.NewSource(int64(seed + i))))
		how := comparing{second: i%5 == 0}
		what, n := how.all(text)
		if what != "" {
			what = fmt.Sprintf("seed %d: %s", seed+i, how.report(t, fmt.Sprintf("random-%d", seed+i), text, what))
		}
		return what, n
	}, &count)
	t.Logf("%+v", count)
	if cases >= 100 && (count.Holds == 0 || count.Violated == 0) {
		t.Errorf("the cases are one-sided: %+v", count)
	}
}

// TestGrowing does the same with automata that increment on cycles. Each is
// decided by the default and by two of the other methods in turn.
func TestGrowing(t *testing.T) {
	cases, seed := need.Number(t, "TACHECK_GROWING", 60), need.Number(t, "TACHECK_SEED", 1)
	if testing.Short() {
		cases = min(cases, 20)
	}
	var count tally
	others := methods()[1:]
	inParallel(t, cases, func(i int) (string, tally) {
		text := random.Growing(rand.New(rand.NewSource(int64(seed + i))))
		how := comparing{second: i%20 == 0, methods: []Options{{}, others[i%len(others)], others[(i+3)%len(others)]}}
		what, n := how.all(text)
		if what != "" {
			what = fmt.Sprintf("seed %d: %s", seed+i, how.report(t, fmt.Sprintf("growing-%d", seed+i), text, what))
		}
		return what, n
	}, &count)
	t.Logf("%+v", count)
	if cases >= 60 && (count.Holds == 0 || count.Violated == 0) {
		t.Errorf("the cases are one-sided: %+v", count)
	}
}

// tally counts what was compared.
type tally struct {
	Cases, Holds, Violated, Unknown, Outside, Refused, Timeouts int
	Verdicts, Second                                            int // of all methods, of them by the second solver
	Instances, TooLarge                                         int // explored, and not
}

func (t *tally) add(u tally) {
	t.Cases += u.Cases
	t.Holds += u.Holds
	t.Violated += u.Violated
	t.Unknown += u.Unknown
	t.Outside += u.Outside
	t.Refused += u.Refused
	t.Timeouts += u.Timeouts
	t.Verdicts += u.Verdicts
	t.Second += u.Second
	t.Instances += u.Instances
	t.TooLarge += u.TooLarge
}

// inParallel compares cases until one goes wrong.
func inParallel(t *testing.T, cases int, compare func(i int) (string, tally), count *tally) {
	type outcome struct {
		what string
		tally
	}
	ordered.Do(cases, runtime.NumCPU(), func() {},
		func(i int) outcome {
			what, n := compare(i)
			return outcome{what, n}
		},
		func(i int, o outcome) bool {
			count.add(o.tally)
			if o.what != "" {
				t.Error(o.what)
			}
			return o.what == ""
		})
}

// TestFinds repeats the cases in testdata/finds: what random cases found to be
// wrong once.
func TestFinds(t *testing.T) {
	files, err := filepath.Glob("testdata/finds/*.ta")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if what, _ := (comparing{second: true}).all(string(text)); what != "" {
				t.Error(what)
			}
		})
	}
}

// comparing says how to decide a case.
type comparing struct {
	second  bool      // with a second solver, too
	methods []Options // nil means all
}

// report makes a case that went wrong smaller, and describes it.
func (how comparing) report(t *testing.T, name, text, what string) string {
	small := reduce.Model(text, func(text string) bool {
		now, _ := how.all(text)
		return now != "" && strings.Fields(now)[0] == strings.Fields(what)[0]
	})
	if dir := os.Getenv("TACHECK_SAVE"); dir != "" {
		file := filepath.Join(dir, name+".ta")
		if err := os.WriteFile(file, []byte(small), 0o644); err != nil {
			t.Error(err)
		}
		what += "\nsaved as " + file
	}
	return what + "\n" + small
}

// methods are all ways to decide a case, the default first.
func methods() []Options {
	var list []Options
	for _, search := range SearchNames {
		for _, encoding := range EncodingNames {
			list = append(list, Options{Search: search, Encoding: encoding})
		}
	}
	return list
}

// patience bounds searches that need not finish.
const patience = time.Second

const notAModel = "not a model: "

// all decides one case in every way and says what disagrees; "" if nothing.
func (how comparing) all(text string) (what string, count tally) {
	count.Cases = 1
	a, err := ta.Parse("random.ta", text)
	if err != nil {
		return notAModel + err.Error(), count
	}
	if len(a.Specs) == 0 {
		return notAModel + "no specification", count
	}
	spec := &a.Specs[0]
	if _, err := ltl.Parse(a, spec); err != nil {
		return notAModel + err.Error(), count
	}
	violation, err := smallViolation(a, spec, &count)
	if err != nil {
		return err.Error(), count
	}
	list := how.methods
	if list == nil {
		list = methods()
	}
	if _, err := exec.LookPath("cvc5"); how.second && err == nil {
		list = append(list, Options{Solver: "cvc5"})
		count.Second++
	}
	seen := map[Verdict]Options{}
	tooMany := false
	for _, o := range list {
		if tooMany && o.Search == "enumerate" {
			continue
		}
		if o.Search == "incremental" || o.Search == "enumerate" {
			o.Timeout = patience
		}
		r, err := Decide(context.Background(), a, spec, o)
		var outside diag.List
		switch {
		case errors.As(err, &outside) && strings.Contains(outside.Error(), "outside the fragment"):
			count.Outside++
			return "", count
		case errors.As(err, &outside):
			if violation != nil {
				return fmt.Sprintf("%v, but is violated with %s", err, assignment(a, violation)), count
			}
			count.Refused++
			return "", count
		case err != nil:
			return fmt.Sprintf("%+v: %v", o, err), count
		}
		count.Verdicts++
		tooMany = r.Shapes.Reduced != nil && r.Shapes.Reduced.Cmp(big.NewInt(20)) > 0
		if r.Verdict == Unknown && o.Timeout > 0 && r.Reason == "timeout" {
			count.Timeouts++
			continue
		}
		if r.Verdict == Unknown && !strings.Contains(r.Reason, "scale") {
			return fmt.Sprintf("%+v: unknown: %s", o, r.Reason), count
		}
		seen[r.Verdict] = o
		if r.Verdict == Violated {
			if err := witnessedAt(a, spec, r.Witness); err != nil {
				return fmt.Sprintf("%+v: %v", o, err), count
			}
		}
	}
	_, holds := seen[Holds]
	_, violated := seen[Violated]
	switch {
	case len(seen) > 1:
		return fmt.Sprintf("verdicts differ: %+v", seen), count
	case holds && violation != nil:
		return fmt.Sprintf("holds, but is violated with %s", assignment(a, violation)), count
	case holds:
		count.Holds++
	case violated:
		count.Violated++
	default:
		count.Unknown++
	}
	return "", count
}

// smallViolation explores all instances with the first parameter up to 3 and
// others up to 2, and returns parameters with which the specification is
// violated, or nil.
func smallViolation(a *ta.Automaton, spec *ta.Spec, count *tally) (params []*big.Int, err error) {
	params = make([]*big.Int, len(a.Parameters))
	var assign func(i int) bool
	assign = func(i int) bool {
		if i == len(params) {
			var found bool
			found, err = violatedAt(a, spec, params, 0)
			if errors.Is(err, explore.ErrTooLarge) {
				count.TooLarge++
				err = nil
				return false
			}
			count.Instances++
			return found || err != nil
		}
		for v := range int64(4) {
			if v == 3 && i > 0 {
				break
			}
			if params[i] = big.NewInt(v); assign(i + 1) {
				return true
			}
		}
		return false
	}
	if assign(0) {
		return params, err
	}
	return nil, nil
}

// violatedAt explores one instance. A run that exploration finds has to be
// accepted like any other counterexample.
func violatedAt(a *ta.Automaton, spec *ta.Spec, params []*big.Int, states int) (bool, error) {
	formula, err := ltl.Parse(a, spec)
	if err != nil {
		return false, err
	}
	result, err := explore.Find(context.Background(), a, ltl.Negate(formula), params, explore.Limits{States: states})
	if err != nil || result.Run == nil {
		return false, err
	}
	if _, err := witness.Check(a, spec, result.Run); err != nil {
		return false, fmt.Errorf("exploration's counterexample with %s is rejected: %w", assignment(a, params), err)
	}
	return true, nil
}

// witnessedAt explores the instance of a witness, if it is small.
func witnessedAt(a *ta.Automaton, spec *ta.Spec, w *witness.Witness) error {
	params := w.Run.Start.Params
	for _, p := range params {
		if p.Cmp(big.NewInt(4)) > 0 {
			return nil
		}
	}
	found, err := violatedAt(a, spec, params, 0)
	if errors.Is(err, explore.ErrTooLarge) {
		return nil
	}
	if err == nil && !found {
		err = fmt.Errorf("violated, but not with %s", assignment(a, params))
	}
	return err
}
