package itf

// names gives variables of a model names that the format leaves to them.
type names map[string]bool

// newNames reserves some names beside those of the format.
func newNames(reserved ...string) names {
	n := names{"event": true, "#meta": true}
	for _, name := range reserved {
		n[name] = true
	}
	return n
}

// of is a name for a variable: its own, if that is free.
func (n names) of(name string) string {
	for n[name] {
		name += "_"
	}
	n[name] = true
	return name
}
