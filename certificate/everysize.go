package certificate

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/verify"
)

// A proof for every size is a folder with the protocol, the lemmas, and a script with the ground clauses of all
// questions, which any solver answers: no search, no quantifiers.

const (
	everySizeName = "tacheck-every-size"
	questionsFile = "questions.smt2"

	everySizeVersion = 2
	// everySizeUncompared is the version of before sums of variables had one order. On which the model of a solver
	// depends, and on that, which instances answer a question: questions.smt2 may have others than are chosen now.
	everySizeUncompared = 1
)

// everySize is certificate.json of a proof for every size.
type everySize struct {
	identified
	Sizes     []string         `json:"sizes"` // constants that are any numbers
	Proof     induct.SizesFile `json:"proof"`
	Questions []asked          `json:"questions"` // of questions.smt2, in order
}

// everySizes are certificates of proofs for the values of constants that are no sizes.
var everySizes = proofFormat{
	format: everySizeName, version: everySizeVersion, before: everySizeUncompared, given: protocol.Constant.Fixed,
	assumes: true,
}

// asked is a question: each of its cases is one check of the script, which is to be unsatisfiable.
type asked struct {
	Text  string `json:"text"`
	Cases int    `json:"cases"`
}

// expected is a solver that answers all as a proof has to be answered.
type expected struct{}

func (expected) Push()                                     {}
func (expected) Pop()                                      {}
func (expected) Assert(*smt.Formula)                       {}
func (expected) Close() error                              { return nil }
func (expected) Name() string                              { return "every answer is unsat" }
func (expected) Values([]*smt.Var) ([]*big.Int, error)     { return nil, errors.New("there is no model") }
func (expected) Check(context.Context) (smt.Answer, error) { return smt.Answer{Status: smt.Unsat}, nil }

// questions derives the script of a proof.
func (x *everySize) questions(ctx context.Context, m *protocol.Model, p *protocol.Prop) ([]byte, error) {
	factory, err := verify.SolverFactory(verify.Options{})
	if err != nil {
		return nil, err
	}
	var script closing
	out := smtlib.Record(expected{}, &script)
	x.Questions = nil
	err = x.Proof.Ask(ctx, m, p, x.Implicit, factory, func(question string, cases [][]*smt.Formula) error {
		x.Questions = append(x.Questions, asked{question, len(cases)})
		for _, list := range cases {
			out.Push()
			for _, f := range list {
				out.Assert(f)
			}
			if _, err := out.Check(ctx); err != nil {
				return err
			}
			out.Pop()
		}
		return nil
	})
	return script.Bytes(), errors.Join(err, out.Close())
}

// answered has a solver answer the script: it says whether all is as it has to be.
func (x *everySize) answered(ctx context.Context, solver string, script []byte) error {
	var texts []string
	for _, q := range x.Questions {
		texts = append(texts, slices.Repeat([]string{q.Text}, q.Cases)...)
	}
	return unsatisfiable(ctx, solver, smtlib.Known[solver], script, texts)
}

// unsatisfiable has a solver answer the questions of a script, all of which have to be unsatisfiable.
func unsatisfiable(ctx context.Context, solver string, command []string, script []byte, questions []string) error {
	t, err := smtlib.Run(ctx, command, script, false)
	if err != nil {
		return err
	}
	if n := len(t.Answers); n != len(questions) {
		return &smt.Failure{Err: fmt.Errorf("%s gives %d answers to %d questions", solver, n, len(questions))}
	}
	for i, a := range t.Answers {
		switch a {
		case smt.Unsat.String():
		case smt.Sat.String():
			return fmt.Errorf("it is said to be sat that not: %s", questions[i])
		default:
			return &smt.Failure{Err: fmt.Errorf("%s does not know: %s", solver, questions[i])}
		}
	}
	return nil
}

// MakeEverySize certifies a proof for every size.
func MakeEverySize(ctx context.Context, dir, release, first string, m *protocol.Model,
	r *induct.ForSizes) ([]string, error) {
	return publish(ctx, dir, first, func(solvers []string) (proof, error) {
		x := everySize{identified: identify(everySizes, release, m, r.Property, r.Implicit, solvers), Sizes: r.Sizes,
			Proof: r.File(m)}
		script, err := x.questions(ctx, m, m.Lookup(r.Property))
		return proof{x, map[string][]byte{protocolFile: []byte(interp.Text(m)), questionsFile: script},
			func(solver string) error { return x.answered(ctx, solver, script) }}, err
	})
}

// checkEverySize derives the questions of a proof again, and has every solver that is installed answer them.
func checkEverySize(ctx context.Context, in *sealed, d Demand, report func(Checked) error) (Summary, error) {
	var x everySize
	m, p, err := x.open(in, d, everySizes, &x, questionsFile)
	if err != nil {
		return Summary{}, err
	}
	if sizes := m.Free(); !slices.Equal(sizes, x.Sizes) || (x.Sizes == nil) != (sizes == nil) {
		return Summary{}, rejected("the certificate does not say which constants are any numbers")
	}
	recorded, err := in.read(questionsFile)
	if err != nil {
		return Summary{}, err
	}
	said := x.Questions
	script, err := x.questions(ctx, m, p)
	switch {
	case ctx.Err() != nil:
		return Summary{}, context.Cause(ctx)
	case err != nil:
		return Summary{}, unlessFailed(err, "%s: %v", p.Name, err)
	case !slices.Equal(said, x.Questions) || x.Version != everySizeUncompared && !smtlib.Same(script, recorded):
		return Summary{}, rejected("the questions are not those that follow from the protocol and the lemmas, %s",
			"with this version of tacheck and its solver")
	}
	answered, err := alike(ctx, p.Name+": ",
		func(solver string) error { return x.answered(ctx, solver, script) })
	if err != nil {
		return Summary{}, err
	}
	sizes := "for every " + strings.Join(x.Sizes, ", ")
	if said := m.Assumed(); len(said) > 0 {
		sizes += " with " + strings.Join(said, ", ")
	}
	if len(x.Sizes) == 0 {
		sizes = "for these sizes"
	}
	how := fmt.Sprintf("%s: %s with %s, %s", sizes, spell.Count(len(x.Questions), "question", "questions"),
		spell.Count(len(x.Proof.Lemmas), "lemma", "lemmas"), answered)
	how += x.under(m, func(name string) bool {
		_, fixed := x.Constants[name]
		return fixed
	})
	if x.Version == everySizeUncompared {
		how += "; what is in " + questionsFile + " was not compared, as the certificate is of version 1"
	}
	return Summary{1, len(m.Props)}, report(Checked{File: protocolFile, Spec: p.Name, Verdict: verify.Holds, How: how})
}
