package ftdp

import (
	"iter"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
)

// Called is a name in the words of the user, with the values of a message behind it: where the text has several rounds,
// REPORT_r1 with (0) is REPORT(0) of round 1.
func (f *File) Called(name, values string) string {
	if of, is := f.Rounds()[name]; is {
		return of.Name + values + of.Behind()
	}
	return name + values
}

// InWords is an expression in the words of the user.
func (f *File) InWords(e *Expr) *Expr {
	rounds := f.Rounds()
	if rounds == nil {
		return e
	}
	out := *e.Map(f.InWords)
	of, is := rounds[e.Name]
	switch {
	case e.Op == Call && e.Name == "" && out.Args[0].Op == InRound: // TYPE.KIND(values)
		round := *out.Args[0]
		out.Args = append([]*Expr{round.Args[0]}, out.Args[1:]...)
		round.Args = []*Expr{&out}
		return &round
	case !is || e.Op != Name && e.Op != Call && e.Op != Field:
	case of.Behind() != "":
		out.Name = of.Name
		return &Expr{Op: InRound, Pos: e.Pos, Width: e.Width, Args: []*Expr{&out}, Num: int64(of.Round)}
	default:
		out.Name = of.Name
	}
	return &out
}

// InRounds returns the first thing in a text that is for rounds, with its place; "" if there is none.
func (f *File) InRounds() (what string, at diag.Pos) {
	note := func(text string, pos diag.Pos) {
		if what == "" {
			what, at = text, pos
		}
	}
	for _, s := range f.Sections {
		if s.LTL != nil && s.LTL.Almost != nil {
			note("almost surely", s.LTL.Name.Place())
		}
		for _, p := range []*Property{s.Invariant, s.LTL, s.Lemma} {
			if p != nil && (p.After != nil || p.Good) {
				note(strings.TrimPrefix(p.When()+p.after(), " "), p.Name.Place())
			}
		}
		lists := [][]*Statement{}
		if s.Process != nil {
			for _, v := range s.Process.Vars {
				if v.Kept {
					note("kept", v.Names[0].Place())
				}
			}
			for _, r := range s.Process.Rules {
				if r.Always {
					note("always", scan.Place(r.Pos))
				}
				if r.Late {
					note("timeout", scan.Place(r.Pos))
				}
				lists = append(lists, r.Body)
			}
		}
		for _, list := range lists {
			for st := range All(list) {
				if st.Round() != "" {
					note(st.Round(), scan.Place(st.Pos))
				}
			}
		}
	}
	return what, at
}

// NamesIn yields the names in an expression.
func (e *Expr) NamesIn() iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range e.All() {
			if (e.Op == Name || e.Op == Call) && !yield(e.Name) {
				return
			}
		}
	}
}
