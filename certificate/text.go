package certificate

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Of a text from which an automaton is made, both are in the certificate: the checker makes the automaton again.
// So the translation is trusted, as the parser of automata is; who made the certificate is not.

// textFile is the file of texts of a kind; "" for automata, whose text is model.ta.
func textFile(k *model.Kind) string {
	if k == model.Automata {
		return ""
	}
	return "text" + k.Endings[0]
}

// knownText reports whether a file is one of a text.
func knownText(name string) bool {
	return slices.ContainsFunc(model.Kinds(), func(k *model.Kind) bool { return textFile(k) == name })
}

// text writes the text that the automaton is made of, if there is one, and returns the automaton's:
// made of the text as the checker makes it.
func (m *maker) text(ctx context.Context) (string, error) {
	from := m.q.Question.Model
	kind, _ := model.KindOf(from.File())
	name := textFile(kind)
	if name == "" {
		return from.Text(), nil
	}
	x := &m.index
	x.Text, x.NoFairness = name, m.q.Read.NoFairness
	if kind.Preprocessed {
		x.Defines = m.q.Read.Defines
	}
	_, a, err := open(ctx, name, from.Text(), x)
	if err != nil {
		return "", err
	}
	return a.Text(), m.out.write(name, []byte(from.Text()))
}

// open reads a text as the index says, and makes its automaton.
func open(ctx context.Context, name, text string, x *index) (model.ForAll, *model.Automaton, error) {
	m, err := model.Open(ctx, name, text, model.Options{Defines: x.Defines, NoFairness: x.NoFairness})
	if err != nil {
		return nil, nil, err
	}
	all, ok := m.(model.ForAll)
	if !ok {
		return nil, nil, errors.New("it is not verified for all parameters")
	}
	a, err := all.Automaton(ctx)
	return all, a, err
}

// reading checks what the index says about how the text is read.
func (x *index) reading() error {
	if !knownText(x.Text) {
		return rejected("no text is in a file %q", x.Text)
	}
	if x.Text == "" && (len(x.Defines) > 0 || x.NoFairness) {
		return rejected("%s says how a text is read, and there is none", indexFile)
	}
	if kind, _ := model.KindOf(x.Text); len(x.Defines) > 0 && !kind.Preprocessed {
		return rejected("%s has definitions, and nothing to define is in %s", indexFile, kind.Name)
	}
	for name, value := range x.Defines {
		if !ident(name) || len(value) > maxText || record.Printable(value) != value {
			return rejected("%s has a definition that is none", indexFile)
		}
	}
	return nil
}

// readWith says how the text is read, if not as it stands.
func (x *index) readWith() string {
	with := definitions(x.Defines, x.NoFairness)
	if with == "" {
		return ""
	}
	return "; read with " + with
}

// definitions are options with which a text is read.
func definitions(defines map[string]string, noFairness bool) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(defines)) {
		value := defines[name]
		if strings.ContainsAny(value, ` "';,`) { // as what is said goes on behind it
			value = strconv.Quote(value)
		}
		list = append(list, "-D "+name+"="+value)
	}
	if noFairness {
		list = append(list, "--no-fairness")
	}
	return strings.Join(list, " ")
}

// sameReading rejects a certificate about the text read in another way than the command reads it: definitions can
// make another model of it.
func (d *Demand) sameReading(x *index) error {
	is, asked := definitions(x.Defines, x.NoFairness), definitions(d.Read.Defines, d.Read.NoFairness)
	if is == asked || d.Model == nil && asked == "" {
		return nil
	}
	return rejected("it is about the text read with %s, and not with %s", cmp.Or(is, "no definitions"),
		cmp.Or(asked, "none"))
}

// method notes how the specifications were decided that hold.
func (m *maker) method(ctx context.Context) (err error) {
	x := &m.index
	if x.Search == "" { // the automaton was asked nothing
		x.Search, x.Encode, x.Solver = verify.SearchNames[0], verify.EncodingNames[0], verify.SolverNames[0]
	}
	x.Solver, err = solverName(ctx, x.Solver)
	return err
}

// review asks whether what holds does so for a bad reason.
func (m *maker) review(ctx context.Context, a *ta.Automaton, s *ta.Spec, r *verify.Result) error {
	if r.Verdict != verify.Holds || m.q.NoReview {
		return nil
	}
	begin := time.Now()
	found, err := review.Vacuous(ctx, a, s, m.q.Options)
	if err != nil {
		return err
	}
	r.Review = time.Since(begin)
	r.Warnings = append(r.Warnings, found...)
	return nil
}

// written is an automaton as a certificate has it: itself, if that is its text, or what that says, if this is the same
// in another layout, and with guards that say less, which solvers decide (sayLess); nil if it is not. What holds of
// that holds of the automaton. Lines of that text are in counterexamples.
func written(ctx context.Context, a *model.Automaton, text string, solvers []string) (*model.Automaton, error) {
	if a.Text() == text {
		return a, nil
	}
	b, err := ta.Parse(modelFile, text)
	if err != nil || !slices.Equal(statements(a.Automaton), statements(b)) {
		return nil, nil
	}
	if less, err := sayLess(ctx, a.Automaton, b, solvers); !less || err != nil {
		return nil, err
	}
	out := *a
	b.File, out.Automaton = a.File, b
	return &out, nil
}

// sayLess reports whether guards of an automaton are true, with all parameters that are admitted, wherever those of
// another one are that says the same otherwise. Each solver has to say so. Where fairness would be derived from rules,
// that is not enough.
func sayLess(ctx context.Context, a, less *ta.Automaton, solvers []string) (bool, error) {
	at, natural := symbolic.New(a, "")
	params, quotients := symbolic.Complete(less, "of", at.Params)
	also := symbolic.Config{Counters: at.Counters, Shared: at.Shared, Params: params}
	var wrong []*smt.Formula
	for i := range a.Rules {
		g, h := a.Rules[i].Guard, less.Rules[i].Guard
		if a.FormatCond(g) == less.FormatCond(h) {
			continue
		}
		wrong = append(wrong, smt.And(at.Cond(g), smt.Not(also.Cond(h))))
	}
	if wrong == nil {
		return true, nil
	}
	if r := a.Rounds; r != nil && r.Fair == nil && len(r.Almost) > 0 {
		return false, nil
	}
	for _, name := range solvers {
		s, err := smtlib.New(smtlib.Known[name])
		if err != nil {
			return false, err
		}
		s.Assert(smt.And(natural, quotients, at.Cond(a.Resilience), smt.Or(wrong...)))
		answer, err := s.Check(ctx)
		if err = errors.Join(err, s.Close()); err != nil || answer.Status != smt.Unsat {
			return false, err
		}
	}
	return true, nil
}

// statements are what an automaton says, but for its guards.
func statements(a *ta.Automaton) (list []string) {
	for _, names := range [][]ta.Name{a.Parameters, a.Shared, a.Locations} {
		for _, n := range names {
			list = append(list, n.Name)
		}
		list = append(list, ";")
	}
	for _, c := range []*ta.Cond{a.Resilience, a.Inits} {
		parts := lists.Map(c.Conjuncts(), a.FormatCond)
		slices.Sort(parts)
		list = append(append(list, parts...), ";")
	}
	for i := range a.Rules {
		r := &a.Rules[i]
		list = append(list, r.ID, a.Locations[r.From].Name, a.Locations[r.To].Name, a.FormatUpdate(r))
	}
	for i := range a.Specs {
		text := a.Specs[i].Formula.String()
		if f, err := ltl.Parse(a, &a.Specs[i]); err == nil {
			text = ltl.Format(a, f)
		}
		list = append(list, a.Specs[i].Name, text)
	}
	for _, s := range a.Syntax().Sections {
		if s.Rounds != nil {
			for _, i := range s.Rounds.List {
				list = append(list, i.String())
			}
		}
	}
	return list
}
