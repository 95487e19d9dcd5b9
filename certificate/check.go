package certificate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Check checks a certificate without trusting who made it: that it is complete and unchanged, that the questions follow
// from the model, that every solver that is installed here gives the recorded answers again, that exploration finds
// nothing, and that counterexamples are ones.
//
// Text of a certificate never gets to a solver, into a report, or into a path: what
// solvers are asked is made anew from the model, with recorded answers (one of
// three) and numbers; names are looked up in lists and in the model.
//
// The error is a *RejectedError if the certificate is no good. Anything else says that it could not be checked.
func Check(ctx context.Context, dir string, d Demand, report func(Checked) error) (Summary, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Summary{}, err
	}
	defer root.Close()
	in := &sealed{folder: folder{root}}
	switch formatOf(in.folder) {
	case inductionName:
		return checkInduction(ctx, in, d, report)
	case everySizeName:
		return checkEverySize(ctx, in, d, report)
	case firstOrderName:
		return checkFirstOrder(ctx, in, d, report)
	}
	c := &checker{in: in, demand: d, rounds: map[string]checkedRound{}}
	if err := c.open(ctx); err != nil {
		return Summary{}, err
	}
	for _, s := range c.index.Specs {
		done, err := c.spec(ctx, s)
		if wrong := (diag.List)(nil); errors.As(err, &wrong) { // what its text says of it has no meaning
			err = rejected("%s: %v", s.Name, err)
		}
		if err != nil {
			return Summary{}, err
		}
		if err := report(done); err != nil {
			return Summary{}, err
		}
	}
	return Summary{len(c.index.Specs), len(c.m.Specs())}, c.superfluous()
}

type checker struct {
	in      *sealed
	demand  Demand
	index   index
	m       model.ForAll
	a       *model.Automaton
	solvers []string
	alike   string // their names, as they say
	rounds  map[string]checkedRound
}

// open checks the sums, and reads the index and the model.
func (c *checker) open(ctx context.Context) error {
	if _, err := c.in.folder.read(sumsFile); err != nil {
		return rejected("%v", err)
	}
	if err := c.in.index(&c.index); err != nil {
		return err
	}
	if err := c.fields(); err != nil {
		return err
	}
	known, err := c.files()
	if err != nil {
		return err
	}
	if err := c.in.seal(known); err != nil {
		return err
	}
	source, err := c.in.read(modelFile)
	if err != nil {
		return err
	}
	if digest(source) != c.index.Digest {
		return rejected("%s is not the model that was certified", modelFile)
	}
	text, name := source, modelFile
	if c.index.Text != "" {
		name = c.index.Text
		if text, err = c.in.read(name); err != nil {
			return err
		}
	}
	if m := c.demand.Model; m != nil && *m != string(text) {
		return rejected("the certificate is about another version of the model")
	}
	if err := c.demand.sameReading(&c.index); err != nil {
		return err
	}
	c.m, c.a, err = open(ctx, name, string(text), &c.index)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return rejected("%v", err)
	}
	if c.solvers, err = answering(ctx); err != nil {
		return err
	}
	if c.a, err = written(ctx, c.a, string(source), c.solvers); err != nil {
		return err
	}
	if c.a == nil {
		return rejected("%s is not the automaton that %s translates to", modelFile, name)
	}
	return c.about()
}

// fields checks that everything that the index says is one of the things that can be said.
func (c *checker) fields() error {
	x := &c.index
	for _, text := range []string{x.Release, x.Model} {
		if textFor(text) != text {
			return rejected("%s has a text that is none for people", indexFile)
		}
	}
	switch b, least := x.Bound, c.demand.Bound; {
	case x.Format != formatName || x.Version != formatVersion:
		return rejected("%s is not of this format and version", indexFile)
	case !slices.Contains(verify.SearchNames, x.Search):
		return rejected("unknown search %q", x.Search)
	case !slices.Contains(verify.EncodingNames, x.Encode):
		return rejected("unknown encoding %q", x.Encode)
	case !slices.Contains(solverNames, x.Solver):
		return rejected("unknown solver %q", x.Solver)
	case x.Resets < 0 || x.Resets > maxResets:
		return rejected("%s asks for runs with %d resets", indexFile, x.Resets)
	case b.UpTo > maxUpTo || b.States > maxStates:
		return rejected("%s asks for more exploration than was made", indexFile)
	case b.UpTo < 0 || b.States < 1:
		return rejected("%s asks for no exploration", indexFile)
	case b.UpTo < least.UpTo:
		return rejected("it claims less than usual: instances are explored with parameters up to %d only, and not up "+
			"to %d (--up-to %d accepts that)", b.UpTo, least.UpTo, b.UpTo)
	case b.States < least.States:
		return rejected("it claims less than usual: instances are explored if they have at most %d states, and not %d",
			b.States, least.States)
	case len(x.Specs) == 0:
		return rejected("no specification is certified")
	}
	return x.reading()
}

// files returns the files that belong to the specifications, each of which has to be certified once.
func (c *checker) files() (map[string]bool, error) {
	known := map[string]bool{indexFile: true, modelFile: true}
	if c.index.Text != "" {
		known[c.index.Text] = true
	}
	seen := map[string]bool{}
	for _, s := range slices.Concat(c.index.Specs, c.index.Questions) {
		if !ident(s.Name) {
			return nil, rejected("no specification is called %q", s.Name)
		}
		if seen[s.Name] {
			return nil, rejected("%q is certified twice", s.Name)
		}
		seen[s.Name] = true
		switch s.Verdict {
		case verify.Violated:
			if s.Queries != 0 || s.Solver != "" || s.Confirmed != nil || s.Instances != nil || s.Rounds != nil {
				return nil, rejected("%s: a counterexample is all that it takes", s.Name)
			}
			known[witnessFile(s.Name)] = true
		case verify.Holds:
			if s.Rounds != nil {
				if s.Queries != 0 || s.Solver != "" || s.Confirmed != nil || s.Instances != nil {
					return nil, rejected("%s: a proof is all that it takes", s.Name)
				}
				continue
			}
			known[queriesFile(s.Name)], known[answersFile(s.Name, "recorded")] = true, true
			if err := c.confirmations(s, known); err != nil {
				return nil, err
			}
		default:
			return nil, rejected("%q: a verdict %q cannot be certified", s.Name, s.Verdict)
		}
	}
	return known, nil
}

// confirmations checks what the index says of the solvers that have confirmed a verdict:
// each once, and one of another make than the first.
func (c *checker) confirmations(s spec, known map[string]bool) error {
	if textFor(s.Solver) != s.Solver || s.Queries < 0 {
		return rejected("%s: solver or number of queries are wrong", s.Name)
	}
	seen := map[string]bool{}
	for _, x := range s.Confirmed {
		switch p, ok := proofCommands[x.Solver]; {
		case !ok:
			return rejected("unknown solver %q", x.Solver)
		case seen[x.Solver]:
			return rejected("%s is confirmed twice by %s", s.Name, x.Solver)
		case textFor(x.Version) != x.Version:
			return rejected("%s: the version of %s is wrong", s.Name, x.Solver)
		case x.Proof == "" && textFor(x.NoProof) == x.NoProof:
		case x.Proof == p.format && x.NoProof == "":
			known[proofFile(s.Name, x.Solver)] = true
		default:
			return rejected("%s: what is said of a proof of %s is wrong", s.Name, x.Solver)
		}
		seen[x.Solver] = true
		known[answersFile(s.Name, x.Solver)] = true
	}
	if another := second(c.index.Solver); !seen[another] {
		return rejected("%s is not confirmed by %s", s.Name, another)
	}
	return nil
}

// ident reports whether a text is a name as models have them.
func ident(text string) bool {
	for i, r := range text {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != "" && len(text) <= maxText
}

func (c *checker) spec(ctx context.Context, s spec) (Checked, error) {
	done := Checked{File: cmp.Or(c.index.Text, modelFile), Spec: s.Name, Verdict: s.Verdict,
		How: "by the counterexample" + c.index.readWith()}
	if s.Verdict == verify.Violated {
		return done, c.violated(s)
	}
	if s.Rounds != nil {
		return c.roundsSpec(ctx, s, done)
	}
	_, n, err := c.holds(ctx, s, c.a.Automaton, c.a.Spec(s.Name))
	if _, none := errors.AsType[*verify.NoRuns](err); none {
		err = rejected("%s: the questions do not follow from the model: %v", s.Name, err)
	}
	if err != nil {
		return done, err
	}
	done.How = fmt.Sprintf("%d queries follow from the model and are answered alike by %s; %s%s", s.Queries, c.alike,
		n.how(c.index.Bound), c.index.readWith())
	return done, nil
}

// holds checks what is recorded of a specification of an automaton that holds: the questions, the answers, which every
// solver gives again, and the instances. The error is a verify.NoRuns if that is what the answers say.
func (c *checker) holds(ctx context.Context, s spec, a *ta.Automaton, of *ta.Spec) (*verify.Result, *counted, error) {
	recorded, err := c.in.read(queriesFile(s.Name))
	if err != nil {
		return nil, nil, err
	}
	script, r, err := c.regenerated(ctx, s, a, of, recorded)
	none, empty := errors.AsType[*verify.NoRuns](err)
	if err != nil && !empty {
		return nil, nil, err
	}
	for _, x := range append([]confirmation{{Solver: "recorded"}}, s.Confirmed...) {
		if err := c.answers(s, x.Solver, script); err != nil {
			return nil, nil, err
		}
	}
	var names []string
	for _, solver := range c.solvers {
		t, err := confirm(ctx, solver, script)
		switch {
		case ctx.Err() != nil:
			return nil, nil, context.Cause(ctx)
		case err != nil:
			return nil, nil, unlessFailed(err, "%s: %v", s.Name, err)
		}
		names = append(names, textFor(t.Solver))
	}
	n, err := explored(ctx, a, of, c.index.Bound)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		return nil, nil, rejected("%v", err)
	case s.Instances == nil || *n != *s.Instances:
		return nil, nil,
			rejected("%s: %d instances can be explored, and %d are too large, which is not what is recorded", s.Name,
				n.Explored, n.TooLarge)
	}
	if c.alike = strings.Join(names, " and "); len(names) == 1 {
		c.alike += " alone"
	}
	if empty {
		return nil, n, none
	}
	return r, n, nil
}

// violated replays a counterexample.
func (c *checker) violated(s spec) error {
	text, err := c.in.read(witnessFile(s.Name))
	if err != nil {
		return err
	}
	x, err := c.m.Replay(text)
	if err != nil {
		return rejected("%s: %v", s.Name, err)
	}
	switch of := x.Told().Facts; {
	case of.Spec != s.Name:
		return rejected("%s: the counterexample is one to %s", s.Name, of.Spec)
	case len(of.Reading) > 0:
		return rejected("%s: the counterexample is one with %s, and the question is about the model without", s.Name,
			strings.Join(of.Reading, ", "))
	}
	return nil
}

// regenerated verifies once more, with the recorded answers in place of a solver's: what is asked must be what the
// script says. The script that it returns was written here.
func (c *checker) regenerated(ctx context.Context, s spec, a *ta.Automaton, of *ta.Spec,
	recorded []byte) ([]byte, *verify.Result, error) {
	oracle := func() (smt.Solver, error) { return smtlib.Oracle("", recorded), nil }
	o, again := recording(verify.Options{Search: c.index.Search, Encoding: c.index.Encode, NoSimplify: c.index.Plain,
		Events: c.index.Resets}, oracle, func(string) {})
	r, err := verify.Decide(ctx, a, of, o)
	none, empty := errors.AsType[*verify.NoRuns](err)
	queries := 0
	if r != nil && !empty {
		queries = r.Queries
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil && !empty:
		return nil, nil, rejected("%s: the questions do not follow from the model: %v", s.Name, err)
	case !empty && r.Verdict != verify.Holds:
		return nil, nil, rejected("%s: the answers do not show that it holds", s.Name)
	case !smtlib.Same(again.Bytes(), recorded) || queries != s.Queries:
		return nil, nil, rejected("%s: the questions do not follow from the model", s.Name)
	case empty:
		return again.Bytes(), nil, none
	}
	return again.Bytes(), r, nil
}

// answers checks that a file of answers agrees with those in the script.
func (c *checker) answers(s spec, solver string, script []byte) error {
	text, err := c.in.read(answersFile(s.Name, solver))
	if err != nil {
		return err
	}
	recorded := smtlib.ReadAnswers(script)
	list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(list) != len(recorded) {
		return rejected("%s: %d answers of %s to %d queries", s.Name, len(list), solver, len(recorded))
	}
	for i := range list {
		known := list[i] == "sat" || list[i] == "unsat" || list[i] == "unknown"
		if !known || list[i] != recorded[i] && (recorded[i] != "unknown" || solver == "recorded") {
			return rejected("%s: %s answered %q to query %d, and %q is recorded", s.Name, solver, list[i], i+1,
				recorded[i])
		}
	}
	if !bytes.Equal(text, lines(list)) {
		return rejected("%s: the answers of %s do not end as they should", s.Name, solver)
	}
	return nil
}
