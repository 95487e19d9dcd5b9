package ftdp

import (
	"slices"
)

// Parameterized reports whether the text is a protocol for all sizes.
func (f *File) Parameterized() bool {
	return slices.ContainsFunc(f.Sections, func(s *Section) bool { return s.Process != nil || s.Parameters != nil })
}

// Formula returns what a property says.
func (s *Section) Formula() *Expr {
	if s.Invariant != nil {
		return s.Invariant.Formula
	}
	return s.LTL.Formula
}
