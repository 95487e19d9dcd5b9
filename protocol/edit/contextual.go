package edit

import (
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

var literalWord = regexp.MustCompile(`"([A-Za-z]+)"`)

// contextual lists, in alphabetical order, the words that mean something where the grammar has them, and are names
// elsewhere: all words of the grammar that are not reserved, those that expressions are read by, and built-in names.
var contextual = sync.OnceValue(func() []string {
	words := map[string]bool{"count": true, "max": true, "min": true, "by": true, "default": true} // expr.go
	for _, m := range literalWord.FindAllStringSubmatch(ftdp.Parser().String(), -1) {
		words[m[1]] = true
	}
	for word := range ftdp.Written {
		words[word] = ftdp.IsName(word)
	}
	for word := range builtIn {
		words[word] = true
	}
	for _, word := range ftdp.CollectionWords {
		words[word] = true
	}
	maps.DeleteFunc(words, func(word string, is bool) bool { return !is || slices.Contains(ftdp.Keywords, word) })
	return slices.Sorted(maps.Keys(words))
})
