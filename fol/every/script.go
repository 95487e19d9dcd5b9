package every

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/smt/smtlib"
)

// What is asked of solvers: with quantifiers, about every size. The questions are made of the text and the lemmas
// alone, by code that the search does not use.

// Question is one that has to be unsatisfiable.
type Question struct {
	Text    string // what it says that is not
	Asserts []string
	Lemma   int // that it is about
	by      *fol.Transition
}

type writer struct {
	b       strings.Builder
	names   map[*fol.Var]string
	changed func(*fol.Symbol) bool // there is a new value
	next    int
}

func (w *writer) term(t *fol.Term) {
	w.b.WriteByte(' ')
	list := func(op string, args ...*fol.Term) {
		w.b.WriteString("(" + op)
		for _, a := range args {
			w.term(a)
		}
		w.b.WriteByte(')')
	}
	switch t.Op {
	case fol.And, fol.Or:
		if len(t.Args) == 0 {
			w.b.WriteString(map[fol.Op]string{fol.And: "true", fol.Or: "false"}[t.Op])
			return
		}
		list(map[fol.Op]string{fol.And: "and", fol.Or: "or"}[t.Op], t.Args...)
	case fol.Not:
		list("not", t.Args...)
	case fol.Implies:
		list("=>", t.Args...)
	case fol.Iff, fol.Equal:
		list("=", t.Args...)
	case fol.If:
		list("ite", t.Args...)
	case fol.Use:
		w.b.WriteString(w.names[t.Vars[0]])
	case fol.Apply:
		name := symbolName(t.Symbol, t.New && w.changed(t.Symbol))
		if len(t.Args) == 0 {
			w.b.WriteString(name)
			return
		}
		list(name, t.Args...)
	default:
		w.b.WriteString("(" + map[fol.Op]string{fol.Forall: "forall", fol.Exists: "exists"}[t.Op] + " (")
		for _, v := range t.Vars {
			w.next++
			w.names[v] = fmt.Sprintf("v%d", w.next)
			fmt.Fprintf(&w.b, "(%s s.%s)", w.names[v], v.Sort.Name)
		}
		w.b.WriteByte(')')
		w.term(t.Args[0])
		w.b.WriteByte(')')
	}
}

func symbolName(s *fol.Symbol, after bool) string {
	if after {
		return "n." + s.Name
	}
	return "r." + s.Name
}

// assertion is a formula as an assertion.
func assertion(t *fol.Term, params []*fol.Var, changed func(*fol.Symbol) bool) string {
	w := &writer{names: map[*fol.Var]string{}, changed: changed}
	for _, v := range params {
		w.names[v] = "p." + v.Name
	}
	w.b.WriteString("(assert")
	w.term(t)
	w.b.WriteString(")\n")
	return w.b.String()
}

func never(*fol.Symbol) bool { return false }

// declarations declares sorts and symbols, and says the axioms.
func declarations(s *fol.System) string {
	var b strings.Builder
	for _, x := range s.Sorts {
		fmt.Fprintf(&b, "(declare-sort s.%s 0)\n", x.Name)
	}
	declare := func(x *fol.Symbol, after bool) {
		fmt.Fprintf(&b, "(declare-fun %s (", symbolName(x, after))
		for i, a := range x.Args {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString("s." + a.Name)
		}
		b.WriteString(") ")
		if x.Result == nil {
			b.WriteString("Bool)\n")
		} else {
			b.WriteString("s." + x.Result.Name + ")\n")
		}
	}
	for _, x := range s.Symbols {
		declare(x, false)
		if x.Mutable {
			declare(x, true)
		}
	}
	for _, a := range s.Axioms {
		b.WriteString(assertion(a.Formula, nil, never))
	}
	return b.String()
}

// begins asks whether a lemma is true in initial states, keeps whether a transition keeps it, if these lemmas are
// true before.
func begins(s *fol.System, l *fol.Term, k int) Question {
	q := Question{Text: "initially " + l.String(), Lemma: k}
	for _, c := range s.Init {
		q.Asserts = append(q.Asserts, assertion(c.Formula, nil, never))
	}
	q.Asserts = append(q.Asserts, assertion(fol.Neg(l), nil, never))
	return q
}

func keeps(t *fol.Transition, before []*fol.Term, l *fol.Term, k int) Question {
	q := Question{Text: t.Name + " keeps " + l.String(), Lemma: k, by: t}
	for _, b := range before {
		q.Asserts = append(q.Asserts, assertion(b, nil, never))
	}
	var params strings.Builder
	for _, v := range t.Params {
		fmt.Fprintf(&params, "(declare-fun p.%s () s.%s)\n", v.Name, v.Sort.Name)
	}
	q.Asserts = append(q.Asserts, params.String(), assertion(t.Formula, t.Params, t.Modified),
		assertion(fol.Neg(l.After()), nil, t.Modified))
	return q
}

// Questions are all of a proof: each lemma is true in initial states, and each transition keeps it if all of them are
// true before. What is to be proved is among the lemmas.
func Questions(s *fol.System, lemmas []*fol.Term) (list []Question) {
	for k, l := range lemmas {
		list = append(list, begins(s, l, k))
		for _, t := range s.Transitions {
			list = append(list, keeps(t, lemmas, l, k))
		}
	}
	return list
}

// Script is questions for solvers, each a check.
func Script(s *fol.System, list []Question) []byte {
	var b strings.Builder
	b.WriteString("(set-logic ALL)\n" + declarations(s))
	for _, q := range list {
		b.WriteString("(push 1)\n")
		for _, a := range q.Asserts {
			b.WriteString(a)
		}
		b.WriteString("(check-sat)\n(pop 1)\n")
	}
	return []byte(b.String())
}

// Quantified is the command line with which a known solver is asked questions with quantifiers: it gives up one that
// takes it some ten seconds of work, counted in steps of its own, so that answers do not depend on what else runs.
func Quantified(solver string) []string {
	limit := map[string][]string{"z3-pipe": {"rlimit=150000000"},
		"cvc5": {"--rlimit-per=20000000", "--full-saturate-quant"}}
	return slices.Concat(smtlib.Known[solver], limit[solver])
}

// Solver is the first of the known solvers that is installed: its command line. Its error says what to install.
func Solver() ([]string, error) {
	for _, name := range []string{"z3-pipe", "cvc5"} {
		if _, err := exec.LookPath(smtlib.Known[name][0]); err == nil {
			return Quantified(name), nil
		}
	}
	return nil, errors.New("proofs for every size need a solver that knows quantifiers: install z3 or cvc5")
}

// ask has a solver answer questions: for each whether it is unsatisfiable.
func ask(ctx context.Context, command []string, s *fol.System, list []Question) ([]string, error) {
	t, err := smtlib.Run(ctx, command, Script(s, list), false)
	if err != nil {
		return nil, err
	}
	if len(t.Answers) != len(list) {
		return nil, fmt.Errorf("%s answers %d of %d questions", command[0], len(t.Answers), len(list))
	}
	return t.Answers, nil
}
