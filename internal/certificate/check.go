package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"tacheck/smt"
	"tacheck/smt/smtlib"
	"tacheck/ta"
	"tacheck/verify"
	"tacheck/witness"
)

// RejectedError says why a certificate is no good.
type RejectedError struct{ Why string }

func (e *RejectedError) Error() string { return e.Why }

func rejected(format string, args ...any) error {
	return &RejectedError{fmt.Sprintf(format, args...)}
}

// Checked is what Check says of a specification.
type Checked struct {
	Model   string
	Spec    string
	Verdict verify.Verdict
	How     string
}

// Check checks a certificate without trusting who made it: that it is complete
// and unchanged, that the questions follow from the model, that every solver
// that is installed here gives the recorded answers again, that exploration
// finds nothing, and that counterexamples are ones. If model is not empty, the
// certificate must be about that text.
//
// The error is a *RejectedError if the certificate is no good. Anything else
// says that it could not be checked.
func Check(ctx context.Context, dir, model string, report func(Checked) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if in := (folder{root}); isInduction(in) {
		return checkInduction(ctx, in, model, report)
	}
	c := &checker{in: folder{root}}
	if err := c.open(model); err != nil {
		return err
	}
	if c.solvers = installed(); len(c.solvers) == 0 {
		return errors.New("no solver is on the PATH: install z3 or cvc5")
	}
	for _, s := range c.index.Specs {
		done, err := c.spec(ctx, s)
		if err != nil {
			return err
		}
		if err := report(done); err != nil {
			return err
		}
	}
	return nil
}

type checker struct {
	in      folder
	index   index
	a       *ta.Automaton
	solvers []string
}

// open checks the sums, and reads the index and the model.
func (c *checker) open(model string) error {
	recorded, err := c.in.read(sumsFile)
	if err != nil {
		return rejected("%v", err)
	}
	sums, err := c.in.sums()
	if err != nil {
		return rejected("%v", err)
	}
	if sums != string(recorded) {
		return rejected("%s", difference(sums, string(recorded)))
	}
	text, err := c.in.read(indexFile)
	if err != nil {
		return rejected("%v", err)
	}
	if err := decode(text, &c.index); err != nil {
		return rejected("%s: %v", indexFile, err)
	}
	if c.index.Format != formatName || c.index.Version != formatVersion {
		return rejected("%s is not of this format and version", indexFile)
	}
	if b := c.index.Bound; b.UpTo > maxUpTo || b.States > maxStates {
		return rejected("%s asks for more exploration than anybody has made", indexFile)
	}
	source, err := c.in.read(modelFile)
	if err != nil {
		return rejected("%v", err)
	}
	if digest(source) != c.index.Digest {
		return rejected("%s is not the model that was certified", modelFile)
	}
	if model != "" && model != string(source) {
		return rejected("the certificate is about another version of the model")
	}
	if c.a, err = ta.Parse(c.index.Model, string(source)); err != nil {
		return rejected("%v", err)
	}
	return c.complete()
}

// decode reads JSON strictly.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is text after the end")
	}
	return nil
}

// complete checks that specifications are there once each, and that there are
// no files but those that belong to them.
func (c *checker) complete() error {
	known := map[string]bool{indexFile: true, modelFile: true}
	seen := map[string]bool{}
	if len(c.index.Specs) == 0 {
		return rejected("no specification is certified")
	}
	for _, s := range c.index.Specs {
		switch {
		case c.a.SpecNamed(s.Name) == nil:
			return rejected("the model has no specification %q", s.Name)
		case seen[s.Name]:
			return rejected("%q is certified twice", s.Name)
		case s.Verdict == verify.Violated:
			known[witnessFile(s.Name)] = true
		case s.Verdict == verify.Holds:
			known[queriesFile(s.Name)], known[answersFile(s.Name, "recorded")] = true, true
		default:
			return rejected("%q: a verdict %q cannot be certified", s.Name, s.Verdict)
		}
		seen[s.Name] = true
		for _, x := range s.Confirmed {
			if smtlib.Known[x.Solver] == nil {
				return rejected("unknown solver %q", x.Solver)
			}
			known[answersFile(s.Name, x.Solver)] = true
			if x.Proof != "" {
				known[proofFile(s.Name, x.Solver)] = true
			}
		}
	}
	names, err := c.in.list()
	if err != nil {
		return rejected("%v", err)
	}
	for _, name := range names {
		if !known[name] {
			return rejected("%s does not belong to the certificate", name)
		}
		delete(known, name)
	}
	for name := range known {
		return rejected("%s is missing", name)
	}
	return nil
}

// difference says which file does not have its recorded sum.
func difference(sums, recorded string) string {
	now := map[string]bool{}
	for line := range strings.Lines(sums) {
		now[line] = true
	}
	for line := range strings.Lines(recorded) {
		if !now[line] {
			_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			return fmt.Sprintf("%s is not as it was when the certificate was made", name)
		}
	}
	return sumsFile + " does not list the files that there are"
}

func (c *checker) spec(ctx context.Context, s spec) (Checked, error) {
	done := Checked{Model: c.index.Model, Spec: s.Name, Verdict: s.Verdict, How: "by the counterexample"}
	if s.Verdict == verify.Violated {
		return done, c.violated(s)
	}
	script, err := c.in.read(queriesFile(s.Name))
	if err != nil {
		return done, rejected("%v", err)
	}
	if err := c.regenerated(ctx, s, script); err != nil {
		return done, err
	}
	for _, x := range append([]Confirmation{{Solver: "recorded"}}, s.Confirmed...) {
		if err := c.answers(s, x.Solver, script); err != nil {
			return done, err
		}
	}
	var names []string
	for _, solver := range c.solvers {
		t, err := confirm(ctx, solver, script)
		switch {
		case ctx.Err() != nil:
			return done, context.Cause(ctx)
		case err != nil:
			return done, rejected("%s: %v", s.Name, err)
		}
		names = append(names, t.Solver)
	}
	n, err := explored(ctx, c.a, c.a.SpecNamed(s.Name), c.index.Bound)
	switch {
	case ctx.Err() != nil:
		return done, context.Cause(ctx)
	case err != nil:
		return done, rejected("%v", err)
	case s.Instances == nil || *n != *s.Instances:
		return done, rejected("%s: %d instances can be explored, which is not what is recorded", s.Name, n.Explored)
	}
	done.How = fmt.Sprintf("%d queries follow from the model and are answered alike by %s; %d instances explored",
		s.Queries, strings.Join(names, " and "), n.Explored)
	return done, nil
}

// violated replays a counterexample.
func (c *checker) violated(s spec) error {
	text, err := c.in.read(witnessFile(s.Name))
	if err != nil {
		return rejected("%v", err)
	}
	w, err := witness.Read(c.a, text)
	switch {
	case err != nil:
		return rejected("%s: %v", s.Name, err)
	case w.Spec != s.Name:
		return rejected("%s: the counterexample is one to %s", s.Name, w.Spec)
	}
	return nil
}

// regenerated verifies once more, with the recorded answers in place of a
// solver's: what is asked must be what the script says.
func (c *checker) regenerated(ctx context.Context, s spec, script []byte) error {
	oracle := func() (smt.Solver, error) { return smtlib.Oracle(s.Solver, script), nil }
	o, again := recording(verify.Options{Search: c.index.Search, Encoding: c.index.Encode, NoSimplify: c.index.Plain}, oracle)
	r, err := verify.Decide(ctx, c.a, c.a.SpecNamed(s.Name), o)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return rejected("%s: the questions do not follow from the model: %v", s.Name, err)
	case r.Verdict != verify.Holds:
		return rejected("%s: the answers do not show that it holds", s.Name)
	case !bytes.Equal(again.Bytes(), script) || r.Queries != s.Queries:
		return rejected("%s: the questions do not follow from the model", s.Name)
	}
	return nil
}

// answers checks that a file of answers agrees with those in the script.
func (c *checker) answers(s spec, solver string, script []byte) error {
	text, err := c.in.read(answersFile(s.Name, solver))
	if err != nil {
		return rejected("%v", err)
	}
	recorded := smtlib.ReadAnswers(script)
	list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(list) != len(recorded) {
		return rejected("%s: %d answers of %s to %d queries", s.Name, len(list), solver, len(recorded))
	}
	for i := range list {
		if list[i] != recorded[i] && recorded[i] != "unknown" {
			return rejected("%s: %s answered %q to query %d, and %q is recorded", s.Name, solver, list[i], i+1, recorded[i])
		}
	}
	return nil
}
