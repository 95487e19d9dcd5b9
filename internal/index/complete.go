package index

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
)

// Wanted is what can come at a place.
type Wanted struct {
	Words []string // of the language
	Kinds []Kind   // declared names of these kinds
	Any   bool     // the text is wrong before that: all words of the language are here
	Only  bool     // nothing else can, whatever is wrong before that
}

// Grammar is what completion needs to know of a language.
type Grammar struct {
	// Keywords can stand nowhere else: where they can come is found out by reading.
	Keywords []string
	// Part returns what is enough to know of a text: its last section, say.
	Part func(text string) string
	// Begins reports whether a part is how some right text begins, as far as the grammar goes.
	Begins func(text string) bool
	// Context says of what kinds a name after a text can be, if a name can come there at all, and
	// which words can, that are names elsewhere.
	Context func(text string) Wanted
}

// probe stands for any name.
const probe = "zz_"

// Next says what can come after a text: words are tried by reading the text with each of them. Where the text is wrong
// already, all words and kinds can come. Its cost is that of reading that part of the text once for every word.
func (g *Grammar) Next(before string) Wanted {
	before = strings.TrimRightFunc(before, wordRune)
	context := g.Context(before)
	part := g.Part(before)
	if context.Only {
		return context
	}
	if !g.Begins(part) {
		context.Words, context.Any = append(slices.Clone(g.Keywords), context.Words...), true
		return context
	}
	var w Wanted
	for _, word := range append(slices.Clone(g.Keywords), context.Words...) {
		if g.Begins(part + " " + word + " ") {
			w.Words = append(w.Words, word)
		}
	}
	if g.Begins(part + " " + probe + " ") {
		w.Kinds = context.Kinds
	}
	return w
}

// Reaches reports whether what is wrong with a text, if anything, is where it ends.
func Reaches(err error, end int) bool {
	var at participle.Error
	return err == nil || errors.As(err, &at) && at.Position().Offset >= end
}

// Open lists the words before the parentheses that are open at the end, the innermost first.
func Open(words []string) (before []string) {
	depth := 0
	for i := len(words) - 1; i >= 1; i-- {
		switch words[i] {
		case ")":
			depth++
		case "(":
			if depth--; depth < 0 {
				depth = 0
				before = append(before, words[i-1])
			}
		}
	}
	return before
}

func wordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// Select lists the symbols of the wanted kinds that can be used at a place.
func (w Wanted) Select(list []*Symbol, at diag.Pos) []*Symbol {
	return lists.Keep(list, func(s *Symbol) bool { return slices.Contains(w.Kinds, s.Kind) && s.Visible(at) })
}
