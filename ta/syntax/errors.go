package syntax

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"

	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
)

var keywords = []string{"local", "shared", "parameters", "unknowns", "define", "assumptions",
	"locations", "inits", "rules", "specifications"}

// explain turns participle's error into one in the user's terms: it names the unexpected word, says what the grammar
// wanted, and hints at a misspelt keyword or a brace that is missing.
func explain(name, text string, err error) error {
	var unexpectedToken *participle.UnexpectedTokenError
	if !errors.As(err, &unexpectedToken) {
		return asProblem(name, err)
	}
	tok := unexpectedToken.Unexpected
	msg := "unexpected " + describe(&tok)
	at := endOf(text[:tok.Pos.Offset])
	switch want := expectation(unexpectedToken); {
	case tok.EOF():
		msg += `: a "}" or ";" is missing`
	case isKeyword(tok.Value):
		msg += ": " + missingBefore
	case spell.Nearest(tok.Value, keywords) != "" && tok.Type == scan.Name && strings.Contains(want, `"}"`):
		msg += spell.Hint(tok.Value, keywords)
	case words[strings.ToLower(tok.Value)] != "":
		msg += spell.DidYouMean(words[strings.ToLower(tok.Value)])
	case strings.HasPrefix(want, `"'"`):
		msg += nextValue
	case want == `":"` && slices.Contains(at.statement, "->"):
		msg += ": a guard stands behind when, `1: a -> b when (x >= n) do { ... }`"
	case want == `":"` && tok.Value == "->":
		msg += ": a rule has a number or a name, `1: a -> b when ...`"
	case at.depth == 1 && tok.Type == scan.Name && strings.Contains(want, `"}"`):
		msg += ": sections are " + strings.Join(keywords, ", ")
	case tok.Value == "(" && want == `";"`:
		msg += ` (expected ";"): temporal operators are [] (always) and <> (at some time)`
	case want != "":
		msg += " (expected " + want + ")"
	}
	return problem(tok.Pos, len(tok.Value), "%s", msg)
}

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
