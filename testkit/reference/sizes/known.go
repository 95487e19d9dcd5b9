package sizes

import "slices"

// Known are kinds of disagreements that are known, with what they come from. The campaign counts them, and goes on.
var Known = map[string]string{}

// withoutKnown are the disagreements that are not known.
func withoutKnown(disagreements []Disagreement) []Disagreement {
	return slices.DeleteFunc(slices.Clone(disagreements), func(d Disagreement) bool { return Known[d.Kind] != "" })
}
