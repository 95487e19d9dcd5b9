package main

import (
	"errors"

	"tacheck/internal/diag"
)

// What is said of the automaton that a model was translated to has places in a text that nobody
// has written: its file is called this, until the place in the model is put instead.
const translatedFile = " (translated)"

// translation knows which place of a model something in the text of its automaton comes from.
type translation interface {
	Place(line, col int) (diag.Pos, int)
}

// translation is nil if the model is an automaton.
func (m *model) translation() translation {
	switch {
	case m.promela != nil:
		return m.promela
	case m.sizes != nil:
		return m.sizes
	}
	return nil
}

// placed puts places in the model in the place of those in its automaton.
func (m *model) placed(list diag.List) diag.List {
	t := m.translation()
	if t == nil {
		return list
	}
	fits := func(pos diag.Pos) bool { return pos.File == m.File+translatedFile }
	for _, e := range list {
		if fits(e.Pos) {
			e.Pos, e.Width = t.Place(e.Pos.Line, e.Pos.Col)
		}
		var notes []diag.Note
		for _, n := range e.Notes {
			if fits(n.Pos) {
				if n.Pos, _ = t.Place(n.Pos.Line, n.Pos.Col); n.Pos == e.Pos {
					continue // it would point at the same place
				}
			}
			notes = append(notes, n)
		}
		e.Notes = notes
	}
	return list
}

// shown is the text that places are in.
func (m *model) shown() string {
	if m.translation() != nil {
		return m.text
	}
	return m.source
}

// wrong is an error with places in what the user has written.
func (m *model) wrong(err error) error {
	var list diag.List
	if errors.As(err, &list) {
		m.placed(list)
	}
	return &inputError{err: err, source: m.shown()}
}
