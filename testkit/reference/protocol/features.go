package protocol

import "slices"

// Features is what a case has: constructs of its text, options, models, verdicts.
type Features map[string]bool

// add notes a feature.
func (f Features) add(names ...string) {
	for _, n := range names {
		f[n] = true
	}
}

// List is the features in order.
func (f Features) List() []string {
	var list []string
	for n := range f {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}
