package ftdp

import (
	"iter"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
)

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
					note("always", At(r.Pos))
				}
				if r.Late {
					note("timeout", At(r.Pos))
				}
				lists = append(lists, r.Body)
			}
		}
		for _, list := range lists {
			for st := range All(list) {
				if st.Round() != "" {
					note(st.Round(), At(st.Pos))
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
