package counters

import (
	"errors"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/promela"
)

// Untranslatable says why a text has no automaton, though it is one that the
// interpreter runs: its instances can be asked.
type Untranslatable struct {
	Model *promela.Model
	err   error
}

// Error lists the reasons.
func (e *Untranslatable) Error() string { return e.err.Error() }

// Unwrap returns the reasons, a diag.List.
func (e *Untranslatable) Unwrap() error { return e.err }

// Instances is a translation that has no automaton: each formula is one that
// instances are asked about, for the first of the reasons.
func (e *Untranslatable) Instances() *Translation {
	t := &Translation{Model: e.Model}
	why := e.Error()
	var list diag.List
	if errors.As(e.err, &list) && len(list) > 0 {
		why = list[0].Pos.String() + ": " + list[0].Msg
	}
	for i := range e.Model.Formulas {
		t.Outside = append(t.Outside, Outside{&e.Model.Formulas[i], why})
	}
	return t
}

// meaningless is an error about texts that no one can run.
type meaningless struct{ error }

func (e meaningless) Unwrap() error { return e.error }

// untranslatable says what an error of translating means.
func untranslatable(m *promela.Model, err error) error {
	var no meaningless
	var list diag.List
	switch {
	case errors.As(err, &no):
		return no.error
	case errors.As(err, &list):
		return &Untranslatable{m, err}
	}
	return err
}
