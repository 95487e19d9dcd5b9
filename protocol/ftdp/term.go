package ftdp

import (
	"slices"
)

// With is the text with a section more.
func (f *File) With(s *Section) *File {
	out := *f
	out.Sections = append(slices.Clip(f.Sections), s)
	return &out
}
