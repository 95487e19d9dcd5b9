package certificate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/every"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/verify"
)

// A proof of a first-order system is a folder with the text, the lemmas, and a script with the questions of induction,
// with quantifiers: they follow from the text and the lemmas alone, and every solver has to find them unsatisfiable.

const (
	firstOrderName    = "tacheck-first-order"
	firstOrderVersion = 1

	systemFile = "model.pyv"
)

// firstOrder is certificate.json of a proof of a first-order system.
type firstOrder struct {
	Format     string   `json:"format"`
	Version    int      `json:"version"`
	Release    string   `json:"release"` // for people
	Model      string   `json:"model"`   // for people
	Digest     string   `json:"digest"`  // of the text
	Properties []string `json:"properties"`
	Lemmas     []string `json:"lemmas"`
	Confirmed  []string `json:"confirmed"` // solvers
}

// perQuestion bounds how long a solver thinks about all questions of a proof.
const perQuestion = 10 * time.Minute

// questions derives what is asked of a text.
func (x *firstOrder) questions(text string) (*fol.System, []every.Question, error) {
	s, lemmas, err := pyv.ReadWith(systemFile, text, x.Lemmas)
	if err != nil {
		return nil, nil, err
	}
	if len(x.Properties) == 0 {
		return nil, nil, fmt.Errorf("it is about no property")
	}
	var all []*fol.Term
	for i, name := range x.Properties {
		at := slices.IndexFunc(s.Safety, func(c fol.Claim) bool { return c.Name == name })
		if at < 0 || slices.Contains(x.Properties[:i], name) {
			return nil, nil, fmt.Errorf("the text has no safety property %q, or it is named twice", name)
		}
		all = append(all, s.Safety[at].Formula)
	}
	return s, every.Questions(s, append(all, lemmas...)), nil
}

// answered has a solver answer all questions: it says whether they are as they have to be.
func answeredFirstOrder(ctx context.Context, solver string, script []byte, list []every.Question) error {
	ctx, stop := context.WithTimeoutCause(ctx, perQuestion,
		&smt.Failure{Err: fmt.Errorf("%s does not answer in %s", solver, perQuestion)})
	defer stop()
	return unsatisfiable(ctx, solver, every.Quantified(solver), script,
		lists.Map(list, func(q every.Question) string { return q.Text }))
}

// MakeFirstOrder certifies a proof of a first-order system.
func MakeFirstOrder(ctx context.Context, dir, release, first string, s *fol.System, properties []string,
	lemmas []*fol.Term) ([]string, error) {
	return publish(ctx, dir, first, func(solvers []string) (proof, error) {
		x := firstOrder{firstOrderName, firstOrderVersion, textFor(release), textFor(filepath.Base(s.File)),
			digest([]byte(s.Text)), properties, []string{}, solvers}
		for _, l := range lemmas {
			if !slices.ContainsFunc(s.Safety, func(c fol.Claim) bool { return c.Formula == l }) {
				x.Lemmas = append(x.Lemmas, l.String())
			}
		}
		read, list, err := x.questions(s.Text)
		if err != nil {
			return proof{}, err
		}
		script := every.Script(read, list)
		return proof{x, map[string][]byte{systemFile: []byte(s.Text), questionsFile: script},
			func(solver string) error { return answeredFirstOrder(ctx, solver, script, list) }}, nil
	})
}

// checkFirstOrder derives the questions of a proof again, and has every solver that is installed answer them.
func checkFirstOrder(ctx context.Context, in *sealed, d Demand, report func(Checked) error) (Summary, error) {
	var x firstOrder
	if err := in.begin(&x, systemFile, questionsFile); err != nil {
		return Summary{}, err
	}
	if x.Format != firstOrderName || x.Version != firstOrderVersion {
		return Summary{}, rejected("%s is not of this format and version", indexFile)
	}
	if err := confirmed(x.Confirmed, x.Release); err != nil {
		return Summary{}, err
	}
	text, err := in.read(systemFile)
	if err != nil {
		return Summary{}, err
	}
	switch {
	case digest(text) != x.Digest:
		return Summary{}, rejected("%s is not the text that was certified", systemFile)
	case d.Model != nil && *d.Model != string(text):
		return Summary{}, rejected("it is about another text")
	}
	recorded, err := in.read(questionsFile)
	if err != nil {
		return Summary{}, err
	}
	s, list, err := x.questions(string(text))
	if err != nil {
		return Summary{}, rejected("%v", err)
	}
	script := every.Script(s, list)
	if !bytes.Equal(script, recorded) {
		return Summary{},
			rejected("the questions are not those that follow from the text and the lemmas, with this version of " +
				"tacheck")
	}
	answered, err := alike(ctx, "",
		func(solver string) error { return answeredFirstOrder(ctx, solver, script, list) })
	if err != nil {
		return Summary{}, err
	}
	how := fmt.Sprintf("for every size: %s with %s, %s", spell.Count(len(list), "question", "questions"),
		spell.Count(len(x.Lemmas), "lemma", "lemmas"), answered)
	for _, p := range x.Properties {
		if err := report(Checked{File: systemFile, Spec: p, Verdict: verify.Holds, How: how}); err != nil {
			return Summary{}, err
		}
	}
	return Summary{len(x.Properties), len(s.Safety)}, nil
}
