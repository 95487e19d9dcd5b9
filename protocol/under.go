package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Assumed lists the assumptions about parameters.
func Assumed(f *ftdp.File) (list []*ftdp.Expr) {
	for _, sec := range f.Sections {
		list = append(list, sec.Assume...)
	}
	return list
}

// Symbols lists the names in an expression, each once.
func Symbols(e *ftdp.Expr) (list []string) {
	for name := range e.NamesIn() {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Under is the text with a condition in place of the assumptions that drop is true of.
func Under(f *ftdp.File, drop func(e *ftdp.Expr) bool, condition *ftdp.Expr) *ftdp.File {
	out := *f
	out.Sections = nil
	for _, sec := range f.Sections {
		if sec.Assume == nil {
			out.Sections = append(out.Sections, sec)
			continue
		}
		c := *sec
		c.Assume = nil
		for _, e := range sec.Assume {
			if !drop(e) {
				c.Assume = append(c.Assume, e)
			}
		}
		if c.Assume != nil {
			out.Sections = append(out.Sections, &c)
		}
	}
	out.Sections = append(out.Sections, &ftdp.Section{Assume: []*ftdp.Expr{condition}})
	return &out
}
