// Package certificate writes down why a model's specifications hold, and checks that without trusting who wrote it. The
// format is documented in docs/certificate.md.
//
// A certificate is a folder: the model, what the solver was asked about each specification, what several solvers
// answered, proofs where solvers give them, and which instances were explored. A specification that is violated is
// certified by its counterexample. Names of files depend on names of specifications only: nothing in a certificate is a
// path.
package certificate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

const (
	formatName    = "tacheck-certificate"
	formatVersion = 2
)

// Names of files.
const (
	sumsFile  = "SHA256SUMS"
	indexFile = "certificate.json"
	modelFile = "model.ta"
)

// index is certificate.json. What is for people only is not printed, and goes nowhere
// else, when a certificate is checked.
type index struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Release string `json:"release"` // of tacheck, for people
	Model   string `json:"model"`   // the file's name, for people
	Digest  string `json:"digest"`  // SHA-256 of model.ta
	// Text is the file with the text that model.ta was made of; "" if model.ta is what was written.
	Text       string            `json:"text,omitempty"`
	Defines    map[string]string `json:"defines,omitempty"` // with which the text is read
	NoFairness bool              `json:"no_fairness,omitempty"`

	Search string `json:"search"`
	Encode string `json:"encoding"`
	Solver string `json:"solver"` // that verified: one of solverNames
	Plain  bool   `json:"no_simplify,omitempty"`
	Resets int    `json:"resets,omitempty"` // up to which counterexamples were looked for
	Bound  Bound  `json:"bound"`
	Specs  []spec `json:"specs"`
	// Questions are those about single rounds from which specifications about all rounds follow.
	Questions []spec `json:"questions,omitempty"`
}

// other is the name of solvers that have none: those that the user has a command line for.
const other = "other"

var solverNames = append(slices.Clone(verify.SolverNames), other)

// Bound limits the instances that are explored.
type Bound struct {
	UpTo   int64 `json:"up_to"`  // parameters
	States int   `json:"states"` // of an instance; larger ones are left out
}

// Certificates that ask for more are not checked, and not made.
const (
	maxUpTo   = 100
	maxStates = 10_000_000
	maxResets = 1000
)

// DefaultBound is what is explored unless something else is asked for.
var DefaultBound = Bound{UpTo: 5, States: 5000}

// spec is what the index says of a specification.
type spec struct {
	Name      string         `json:"name"`
	Verdict   verify.Verdict `json:"verdict"`
	Queries   int            `json:"queries,omitempty"`
	Solver    string         `json:"solver,omitempty"` // with version, for people
	Confirmed []confirmation `json:"confirmed,omitempty"`
	Instances *counted       `json:"instances,omitempty"`
	Rounds    *rounds.Proof  `json:"rounds,omitempty"` // of what holds in all rounds
}

// confirmation is what another solver said to all queries of a specification.
type confirmation struct {
	Solver  string `json:"solver"`             // how it is called: a name of smtlib.Known
	Version string `json:"version"`            // by its own account, for people
	Proof   string `json:"proof,omitempty"`    // its format
	NoProof string `json:"no_proof,omitempty"` // or why there is none, for people
}

// counted is how much was explored.
type counted struct {
	Explored int `json:"explored"`
	TooLarge int `json:"too_large"`
}

func (n *counted) add(m *counted) {
	n.Explored, n.TooLarge = n.Explored+m.Explored, n.TooLarge+m.TooLarge
}

func specFile(spec, name string) string      { return path.Join("specs", spec, name) }
func queriesFile(spec string) string         { return specFile(spec, "queries.smt2") }
func answersFile(spec, solver string) string { return specFile(spec, solver+".answers") }
func proofFile(spec, solver string) string   { return specFile(spec, solver+".proof.gz") }
func witnessFile(spec string) string         { return specFile(spec, "witness.json") }

// proofCommands are the command lines that produce proofs, and what these are.
var proofCommands = map[string]struct {
	format  string
	command []string
}{
	"cvc5":    {"LFSC", append(smtlib.Known["cvc5"], "--produce-proofs", "--proof-format-mode=lfsc")},
	"z3-pipe": {"z3 proof objects", smtlib.Known["z3-pipe"]},
}

// explored explores all admissible instances within the bound.
func explored(ctx context.Context, a *ta.Automaton, s *ta.Spec, b Bound) (*counted, error) {
	n := &counted{}
	return n, automata.Combinations(len(a.Parameters), b.UpTo, func(params []*big.Int) error {
		if !automata.Admissible(a, params) {
			return nil
		}
		e, err := automata.Decide(ctx, a, s, params, b.States)
		switch {
		case errors.Is(err, explore.ErrTooLarge):
			n.TooLarge++
			return nil
		case errors.Is(err, automata.ErrNoInitial): // nothing was explored
			return nil
		case err != nil:
			return err
		case e.Witness != nil:
			return fmt.Errorf("%q is said to hold, but exploration finds a counterexample with parameters %v", s.Name,
				params)
		}
		n.Explored++
		return nil
	})
}

// textFor makes of a text for people one that is: printable, and not long.
func textFor(people string) string {
	text := record.Printable(people)
	if len(text) > maxText {
		text = text[:maxText]
	}
	if text = strings.ToValidUTF8(strings.TrimSpace(text), "?"); text == "" {
		text = "?"
	}
	return text
}

// maxText bounds texts for people.
const maxText = 300

// confirm has a solver repeat all answers. The script has to be one that this process has written. A solver's unknown
// neither confirms nor contradicts; recorded ones are not compared.
func confirm(ctx context.Context, solver string, script []byte) (*smtlib.Transcript, error) {
	t, err := smtlib.Run(ctx, smtlib.Known[solver], script, false)
	if err != nil {
		return nil, err
	}
	want := smtlib.ReadAnswers(script)
	if len(want) != len(t.Answers) {
		return nil, &smt.Failure{Err: fmt.Errorf("%s gave %d answers to %d queries", solver, len(t.Answers), len(want))}
	}
	for i, answer := range t.Answers {
		if want[i] == "unknown" || want[i] == answer {
			continue
		}
		if answer == "unknown" {
			return nil, fmt.Errorf("%s does not know the answer to query %d", solver, i+1)
		}
		return nil, fmt.Errorf("solvers disagree on query %d: %s answers %s, and %s was recorded", i+1, solver, answer,
			want[i])
	}
	return t, nil
}

// prove returns all proofs that a solver gives, or why it gives none.
func prove(ctx context.Context, solver string, script []byte) (proof string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, proofTime, errors.New("it took too long"))
	defer cancel()
	t, err := smtlib.Run(ctx, proofCommands[solver].command, script, true)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, p := range t.Proofs {
		if p != "" {
			fmt.Fprintf(&b, "; query %d\n%s", i+1, p)
		}
	}
	if b.Len() == 0 {
		return "", errors.New("no query is unsatisfiable")
	}
	return b.String(), nil
}

// proofTime bounds the time for the proofs of a specification.
const proofTime = time.Minute

// RejectedError says why a certificate is no good.
type RejectedError struct{ Why string }

// Error says it on one line, with nothing that a terminal would act upon.
func (e *RejectedError) Error() string {
	text := []rune(record.Printable(e.Why))
	if len(text) > 3*maxText {
		return string(text[:3*maxText]) + "..."
	}
	return string(text)
}

func rejected(format string, args ...any) error {
	return &RejectedError{fmt.Sprintf(format, args...)}
}

// Demand is what a check asks of a certificate.
type Demand struct {
	Model *string // the text that it has to be about; nil for any
	Bound Bound   // so many instances, at least, have to be explored
	// Read is how the text is read that it has to be about: the same definitions, and fairness or none. If
	// nothing is said of the text, and nothing here, any way will do: what is reported says which it was.
	Read model.Options
}

// Checked is what Check says of a specification.
type Checked struct {
	File    string // of the folder: the model
	Spec    string
	Verdict verify.Verdict
	How     string
}

// Summary is what Check says of a certificate that it accepts.
type Summary struct {
	Certified, Specs int // of so many that the model has
}

// unlessFailed is the error of a certificate at which a solver says something else; if the solver
// itself failed, nothing is known about the certificate.
func unlessFailed(err error, format string, args ...any) error {
	var bad *smt.Failure
	if errors.As(err, &bad) {
		return fmt.Errorf("not checked: "+format, args...)
	}
	return rejected(format, args...)
}

// how says which instances were explored.
func (n *counted) how(b Bound) string {
	text := fmt.Sprintf("%d instances with parameters up to %d explored", n.Explored, b.UpTo)
	if n.TooLarge > 0 {
		text += fmt.Sprintf(", %d too large", n.TooLarge)
	}
	return text
}

// ErrNotCertified says that something could not be confirmed; nothing is written then.
var ErrNotCertified = errors.New("not certified")

// closing is a buffer that can be closed.
type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }

// nameless keeps a solver's name out of scripts: nothing that a solver calls itself, or is
// said to, gets to another one.
type nameless struct{ smt.Solver }

func (nameless) Name() string { return "asked by tacheck" }

// recording returns options under which the solver is recorded, and told is called with its name.
func recording(o verify.Options, start smt.Factory, told func(string)) (verify.Options, *closing) {
	var script closing
	o.OneSolver = true
	o.Start = func() (smt.Solver, error) {
		s, err := start()
		if err != nil {
			return nil, err
		}
		told(s.Name())
		return smtlib.Record(nameless{s}, &script), nil
	}
	return o, &script
}

func lines(list []string) []byte { return []byte(strings.Join(list, "\n") + "\n") }
