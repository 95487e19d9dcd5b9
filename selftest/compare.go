// Package selftest decides random models and mutants in every way that there is, and holds the answers against each
// other and against exploration, which shares no code with them.
package selftest

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"os/exec"
	"strings"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
	"github.com/tacheck/tacheck/witness"
)

// Tally counts what was compared.
type Tally struct {
	Cases     int `json:"cases"`
	Holds     int `json:"holds"`
	Violated  int `json:"violated"`
	Unknown   int `json:"unknown"`
	Outside   int `json:"outside"`
	Refused   int `json:"refused"`
	Timeouts  int `json:"timeouts"`
	Verdicts  int `json:"verdicts"`  // of all methods
	Second    int `json:"second"`    // of them, by the second solver
	Instances int `json:"instances"` // explored
	TooLarge  int `json:"too_large"` // not explored
}

// Add adds.
func (t *Tally) Add(u Tally) {
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

// comparison says how to decide a case.
type comparison struct {
	second  bool             // with a second solver, too
	methods []verify.Options // nil means all
}

// methods are all ways to decide a case, the default first.
func methods() []verify.Options {
	var list []verify.Options
	for _, search := range verify.SearchNames {
		for _, encoding := range verify.EncodingNames {
			list = append(list, verify.Options{Search: search, Encoding: encoding})
		}
	}
	return list
}

// patience bounds searches that need not finish.
const patience = time.Second

const notAModel = "not a model: "

// text decides one case in every way and says what disagrees; "" if nothing.
func (how comparison) text(text string) (what string, count Tally) {
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
	seen, what, decided := how.verdicts(a, spec, violation, &count)
	if !decided {
		return what, count
	}
	_, holds := seen[verify.Holds]
	_, violated := seen[verify.Violated]
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

// verdicts are what all methods say of a specification, with the last that does, and false if it is none that all
// decide, or what is wrong.
func (how comparison) verdicts(a *ta.Automaton, spec *ta.Spec, violation []*big.Int, count *Tally) (
	seen map[verify.Verdict]verify.Options, wrong string, decided bool) {
	list := how.methods
	if list == nil {
		list = methods()
	}
	if _, err := exec.LookPath("cvc5"); how.second && err == nil {
		list = append(list, verify.Options{Solver: "cvc5"})
		count.Second++
	}
	seen = map[verify.Verdict]verify.Options{}
	tooMany := false
	for _, o := range list {
		if tooMany && o.Search == "enumerate" {
			continue
		}
		if o.Search == "incremental" || o.Search == "enumerate" {
			o.Timeout = patience
		}
		r, err := verify.Decide(context.Background(), a, spec, o)
		var refused diag.List
		_, outside := verify.Inspect(a, spec)
		switch {
		case errors.As(err, &refused) && outside != nil:
			count.Outside++
			return nil, "", false
		case errors.As(err, &refused):
			if violation != nil {
				return nil, fmt.Sprintf("%v, but is violated with %s", err, assignment(a, violation)), false
			}
			count.Refused++
			return nil, "", false
		case err != nil:
			return nil, fmt.Sprintf("%+v: %v", o, err), false
		}
		count.Verdicts++
		tooMany = r.Shapes.Reduced != nil && r.Shapes.Reduced.Cmp(big.NewInt(20)) > 0
		if r.Verdict == verify.Unknown && o.Timeout > 0 && r.Reason == "timeout" {
			count.Timeouts++
			continue
		}
		if r.Verdict == verify.Unknown && !strings.Contains(r.Reason, "scale") {
			return nil, fmt.Sprintf("%+v: unknown: %s", o, r.Reason), false
		}
		seen[r.Verdict] = o
		if r.Verdict == verify.Violated {
			if err := witnessedAt(a, spec, r.Witness); err != nil {
				return nil, fmt.Sprintf("%+v: %v", o, err), false
			}
		}
	}
	return seen, "", true
}

// smallViolation explores all instances with the first parameter up to 3 and others up to 2, and returns parameters
// with which the specification is violated, or nil.
func smallViolation(a *ta.Automaton, spec *ta.Spec, count *Tally) (params []*big.Int, err error) {
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

// judge verifies one specification, and explores instances if it holds. It says what is wrong, or "".
func judge(a *ta.Automaton, name string, o verify.Options) (wrong string, count Tally) {
	spec := a.SpecNamed(name)
	count.Cases = 1
	r, err := verify.Decide(context.Background(), a, spec, o)
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
	case verify.Unknown:
		if o.Timeout > 0 && r.Reason == "timeout" {
			count.Timeouts++
			return "", count
		}
		count.Unknown++
		if !strings.Contains(r.Reason, "scale") {
			return "unknown: " + r.Reason, count
		}
		return "", count
	case verify.Violated:
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

// mutantMethod draws how a mutant is verified: mostly by default.
func mutantMethod(r *rand.Rand) verify.Options {
	switch r.Intn(8) {
	case 0, 1:
		return verify.Options{Search: "incremental", Encoding: verify.EncodingNames[r.Intn(2)], Timeout: patience}
	case 2:
		return verify.Options{Encoding: "path", Timeout: patience}
	}
	return verify.Options{}
}

// violatedAt explores one instance; what it finds has been replayed.
func violatedAt(a *ta.Automaton, spec *ta.Spec, params []*big.Int, states int) (bool, error) {
	e, err := automata.Decide(context.Background(), a, spec, params, states)
	if errors.Is(err, automata.ErrNoInitial) {
		return false, nil
	}
	return err == nil && e.Witness != nil, err
}

func assignment(a *ta.Automaton, params []*big.Int) (out string) {
	for i, p := range a.Parameters {
		out += p.Name + "=" + params[i].String() + " "
	}
	return out
}

// eachInstance lists parameters; the first is n.
func eachInstance(a *ta.Automaton, n int64, f func([]*big.Int)) {
	params := make([]*big.Int, len(a.Parameters))
	params[0] = big.NewInt(n)
	var assign func(i int)
	assign = func(i int) {
		if i == len(params) {
			f(append([]*big.Int(nil), params...))
			return
		}
		for v := int64(0); v <= n+1; v++ {
			params[i] = big.NewInt(v)
			assign(i + 1)
		}
	}
	assign(1)
}
