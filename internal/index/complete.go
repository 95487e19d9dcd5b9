package index

import (
	"slices"
	"strings"

	"tacheck/internal/diag"
)

// Wanted is what can come at a place.
type Wanted struct {
	Words []string // of the language
	Kinds []Kind   // declared names of these kinds
}

// Grammar is what completion needs to know of a language.
type Grammar struct {
	Words []string // keywords and built-in words that can be written somewhere
	// Begins reports whether a text is how some right text begins, as far as the grammar goes.
	Begins func(text string) bool
	// Kinds says of what kind a name after a text can be, if one can come there at all.
	Kinds func(text string) []Kind
}

// probe stands for any name.
const probe = "zz_"

// Next says what can come after a text: words are tried by reading the text with each of
// them. Where the text is wrong already, all words and kinds can come. Its cost is that of reading
// the text once for every word.
func (g *Grammar) Next(before string) Wanted {
	before = strings.TrimRightFunc(before, wordRune)
	if !g.Begins(before) {
		return Wanted{Words: g.Words, Kinds: g.Kinds(before)}
	}
	var w Wanted
	for _, word := range g.Words {
		if g.Begins(before + " " + word + " ") {
			w.Words = append(w.Words, word)
		}
	}
	if g.Begins(before + " " + probe + " ") {
		w.Kinds = g.Kinds(before)
	}
	return w
}

func wordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// Select lists the symbols of the wanted kinds that can be used at a place.
func (w Wanted) Select(list []*Symbol, at diag.Pos) (out []*Symbol) {
	for _, s := range list {
		if slices.Contains(w.Kinds, s.Kind) && s.Visible(at) {
			out = append(out, s)
		}
	}
	return out
}
