package induct

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
)

// Lemmas that were found are printed as "for all i: R, j: S: a and b -> c or d", about all different processes, in
// conditions of the vocabulary. For some of these the language of protocols has no words: what is on its way, for
// example. People give them as they were printed, by --lemma.

const forAll = "for all "

// printed reads a lemma as Lemma.Text prints it. What is wrong with it is a *protocol.ConditionError.
func (v *vocabulary) printed(text string) (*Lemma, error) {
	l := &Lemma{}
	rest := strings.TrimPrefix(text, forAll)
	wrong := func(format string, args ...any) error {
		var list diag.List
		at := len(text) - len(rest)
		list.Add(diag.Pos{File: "lemma", Line: 1, Col: utf8.RuneCountInString(text[:at]) + 1},
			max(1, utf8.RuneCountInString(rest)), format, args...)
		return &protocol.ConditionError{Text: text, List: list}
	}
	var atoms *encode.Atoms
	for more := true; more; {
		end := strings.IndexAny(rest, ",:")
		if end < 0 || rest[end] != ':' {
			return nil, wrong("expected a process and its role, as in `for all i: %s: ...`", v.x.Model.Roles[0].ID)
		}
		l.Names = append(l.Names, rest[:end])
		role := strings.TrimLeft(rest[end+1:], " ")
		if end = strings.IndexAny(role, ",:"); end < 0 {
			return nil, wrong("expected `:` and a condition behind the roles")
		}
		l.Roles = append(l.Roles, role[:end])
		var err error
		if atoms, err = v.named(l.Roles); err != nil {
			return nil, wrong("%v", err)
		}
		if !slices.Equal(l.Names, atoms.Names) {
			return nil, wrong("the processes of such a lemma are called %s, in this order",
				strings.Join(atoms.Names, ", "))
		}
		more, rest = role[end] == ',', strings.TrimLeft(role[end+1:], " ")
	}
	if l.Literals = atomsOf(atoms.Index).clause(rest); l.Literals == nil {
		return nil,
			wrong("expected conditions as lemmas that were found have them: a and b -> c or d, not (a and b), or a " +
				"or b (other formulas begin with `forall`)")
	}
	l.Class = l.class(atoms)
	return l, nil
}

type atomsOf map[string]int

// clause reads what a lemma says of its processes; nil if it is none.
func (a atomsOf) clause(text string) []Literal {
	if inner, ok := strings.CutPrefix(text, "not ("); ok && strings.HasSuffix(inner, ")") {
		if list := a.list(strings.TrimSuffix(inner, ")"), " and ", true); list != nil {
			return list
		}
	}
	const implies = " -> "
	for at := range text {
		if !strings.HasPrefix(text[at:], implies) {
			continue
		}
		if_, then := a.list(text[:at], " and ", true), a.list(text[at+len(implies):], " or ", false)
		if if_ != nil && then != nil {
			return append(if_, then...)
		}
	}
	return a.list(text, " or ", false)
}

// list reads conditions with a word between them, which they may have in them, too; nil if they are none.
func (a atomsOf) list(text, between string, not bool) []Literal {
	if _, ok := a[text]; ok {
		return []Literal{{text, not}}
	}
	for at := range text {
		if !strings.HasPrefix(text[at:], between) {
			continue
		}
		if _, ok := a[text[:at]]; ok {
			if rest := a.list(text[at+len(between):], between, not); rest != nil {
				return append([]Literal{{text[:at], not}}, rest...)
			}
		}
	}
	return nil
}
