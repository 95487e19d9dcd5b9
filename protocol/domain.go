package protocol

import (
	"slices"
)

// HasSequence reports whether values of a type have sequences in them.
func (t *Type) HasSequence() bool {
	return t.Sequence || t.Kind == KindArray && t.Elem.HasSequence() ||
		slices.ContainsFunc(t.Fields, func(f TypeField) bool { return f.Type.HasSequence() })
}
