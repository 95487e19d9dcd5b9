package main

import (
	"errors"

	"tacheck/internal/diag"
)

// What is said of the automaton of a Promela model has places in a text that nobody
// has written: its file is called this, until the place in the model is put instead.
const translatedFile = " (translated)"

// placed puts places in the model in the place of those in its automaton.
func (m *model) placed(list diag.List) diag.List {
	if m.promela == nil {
		return list
	}
	fits := func(pos diag.Pos) bool { return pos.File == m.File+translatedFile }
	for _, e := range list {
		if fits(e.Pos) {
			e.Pos, e.Width = m.promela.Place(e.Pos.Line)
		}
		var notes []diag.Note
		for _, n := range e.Notes {
			if fits(n.Pos) {
				if n.Pos, _ = m.promela.Place(n.Pos.Line); n.Pos == e.Pos {
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
	if m.promela != nil {
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
