package pml

import (
	"slices"
)

// Names are those in an expression, each once.
func (e *Expr) Names() (list []string) {
	for e := range e.All() {
		if e.Op == Name && e.Process == "" && !slices.Contains(list, e.Name) {
			list = append(list, e.Name)
		}
	}
	return list
}
