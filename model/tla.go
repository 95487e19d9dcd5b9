package model

import (
	"context"

	"tacheck/tla"
)

// openTLA opens a TLA+ module of a counter system, which is translated to an automaton action by action.
func openTLA(_ context.Context, file, text string, _ Options) (Model, error) {
	t, err := tla.Translate(file, text)
	if err != nil {
		return nil, &InputError{Err: err, Text: text}
	}
	a, err := made(file, text, t.Tree)
	if err != nil {
		return nil, err
	}
	a.Warnings = append(a.Warnings, t.Notes...)
	return &automaton{base{file, text, "a TLA+ module", a.Warnings, ""}, a}, nil
}
