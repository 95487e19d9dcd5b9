package model

import (
	"context"

	"github.com/tacheck/tacheck/tla"
)

// openTLA opens a TLA+ module of a counter system, which is translated to an automaton action by action.
func openTLA(_ context.Context, file, text string, o Options) (Model, error) {
	t, err := tla.Translate(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	a, err := made(file, text, t.Tree)
	if err == nil && o.Find != "" {
		a.find = o.Find
		if a.Automaton, err = a.seeking(o.Find); err != nil {
			err = wrongIn(err, text, o.Find)
		}
	}
	if err != nil {
		return nil, err
	}
	a.Warnings = append(a.Warnings, t.Notes...)
	return &automaton{base{file, text, "a TLA+ module", a.Warnings, o.Find}, a}, nil
}
