package counters

// Meaningless is an error of translating a text that no one can run. Of texts with others, instances can be asked.
type Meaningless struct{ error }

// Unwrap returns a diag.List.
func (e Meaningless) Unwrap() error { return e.error }
