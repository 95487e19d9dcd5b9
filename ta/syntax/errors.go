package syntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
)

var keywords = []string{"local", "shared", "parameters", "unknowns", "define", "assumptions",
	"locations", "inits", "rules", "specifications"}

// nextValue explains how shared variables change.
const nextValue = ": an update says the next value, `x' == x + 1`"

// missingBefore explains a section's keyword inside another section.
const missingBefore = `a "}" or ";" is missing before it`

func isKeyword(word string) bool {
	return slices.Contains(keywords, word)
}

// expectation is what participle says it wanted, without its grammar notation.
func expectation(e *participle.UnexpectedTokenError) string {
	_, want, found := strings.Cut(e.Message(), "(expected ")
	if !found {
		return ""
	}
	want = strings.TrimSuffix(want, ")")
	if sign, _, _ := strings.Cut(want, " "); strings.HasPrefix(sign, `"`) && strings.HasSuffix(sign, `"`) {
		want = sign
	}
	for from, to := range map[string]string{"<ident>": "a name", "<number>": "a number", "End": `"}"`} {
		want = strings.ReplaceAll(want, from, to)
	}
	return want
}
