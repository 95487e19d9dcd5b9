package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tacheck/internal/diag"
)

// Free adds the cells of a frame that a term reads and does not bind to used. It reports
// whether the term is one of states, without parts of messages and quorums, and whether it
// speaks of several processes at once: by a quantifier, a count, a maximum.
func (t *Term) Free(used map[int]bool) (ofStates, aggregates bool) {
	ofStates = true
	var walk func(t *Term, bound map[int]bool)
	walk = func(t *Term, bound map[int]bool) {
		if t == nil {
			return
		}
		switch t.Op {
		case Name:
			if !bound[t.Var] {
				used[t.Var] = true
			}
		case In:
			ofStates = false
		case ForAll, Exists, Count, Max, Min, Collect:
			aggregates = true
			ofStates = ofStates && t.Range.Quorum < 0
			inner := map[int]bool{t.Var: true}
			for v := range bound {
				inner[v] = true
			}
			bound = inner
		case opPlace:
			switch t.Base {
			case BaseMsg, BaseAbsent, BaseOut, BaseOuts, BaseLet, BaseSent:
				ofStates = false
			case BaseWhole:
				aggregates = true
			}
			walk(t.Who, bound)
			for _, x := range t.Indices {
				walk(x.Index, bound)
			}
		}
		for _, a := range t.Args {
			walk(a, bound)
		}
	}
	walk(t, map[int]bool{})
	return ofStates, aggregates
}

// Excerpt returns the text of a term, if it is in one line, or says where it is.
func (m *Model) Excerpt(t *Term) string {
	lines := strings.Split(m.Text(), "\n")
	if t.Width > 1 && t.Pos.Line >= 1 && t.Pos.Line <= len(lines) {
		line := []rune(lines[t.Pos.Line-1])
		if from, to := t.Pos.Col-1, t.Pos.Col-1+t.Width; from >= 0 && to <= len(line) {
			return strings.TrimSpace(string(line[from:to]))
		}
	}
	return fmt.Sprintf("the condition at %d:%d", t.Pos.Line, t.Pos.Col)
}

// ConditionError says what is wrong with a condition: the positions are in its text.
type ConditionError struct {
	Text string
	List diag.List
}

func (e *ConditionError) Error() string { return e.List.Error() }

func (e *ConditionError) Unwrap() error { return e.List }

// Condition reads a condition of states, in the words of the model. What is wrong with it is
// a *ConditionError, whose positions have the name what for a file.
func (m *Model) Condition(what, text string) (*Prop, error) {
	return m.condition(what, "invariant", text)
}

// condition reads a condition as a section of a kind.
func (m *Model) condition(what, kind, text string) (*Prop, error) {
	name := "condition"
	for m.Lookup(name) != nil || slices.ContainsFunc(m.Lemmas, func(l Prop) bool { return l.Name == name }) {
		name += "_"
	}
	body := strings.TrimSuffix(strings.TrimSpace(text), ";")
	if strings.Contains(body, ";") {
		return nil, fmt.Errorf("%.60q is more than one formula", text)
	}
	head := m.Text() + "\n" + kind + " " + name + ":\n"
	line := strings.Count(head, "\n")
	lines := strings.Count(body, "\n") + 1
	// place makes a place behind the text one at the end of the condition, and one in
	// the model part of a message.
	place := func(pos diag.Pos) diag.Pos {
		switch n := pos.Line - line; {
		case n > lines:
			last := body[strings.LastIndex(body, "\n")+1:]
			return diag.Pos{File: what, Line: lines, Col: utf8.RuneCountInString(last) + 1}
		case n > 0:
			return diag.Pos{File: what, Line: n, Col: pos.Col}
		}
		return diag.Pos{File: pos.String()}
	}
	move := func(err error) error {
		var list diag.List
		if !errors.As(err, &list) {
			return err
		}
		for _, e := range list {
			e.Pos = place(e.Pos)
			for i := range e.Notes {
				e.Notes[i].Pos = place(e.Notes[i].Pos)
			}
		}
		return &ConditionError{Text: body, List: list}
	}
	f, err := Parse(m.File, head+body+";\n")
	if err != nil {
		return nil, move(err)
	}
	set := map[string]int64{}
	for _, k := range m.Constants {
		set[k.Name] = k.Value
	}
	with, err := f.Model(set)
	if err != nil {
		return nil, move(err)
	}
	for _, hints := range [][2]diag.List{{m.Asymmetry, with.Asymmetry}, {m.Numbering, with.Numbering}} {
		if hints[0] == nil && hints[1] != nil && (kind == "lemma" || m.Asymmetry == nil) {
			for _, e := range hints[1] {
				e.Severity = diag.Problem
			}
			return nil, move(hints[1].Err())
		}
	}
	if kind == "lemma" {
		return &with.Lemmas[len(with.Lemmas)-1], nil
	}
	return with.Lookup(name), nil
}
