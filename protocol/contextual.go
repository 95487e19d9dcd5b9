package protocol

import (
	"maps"
	"regexp"
	"slices"
	"sync"
)

var literalWord = regexp.MustCompile(`"([A-Za-z]+)"`)

// Contextual lists, in alphabetical order, the words that mean something where the grammar has them, and are names elsewhere: all
// words of the grammar that are not reserved, those that expressions are read by, and built-in names.
var Contextual = sync.OnceValue(func() []string {
	words := map[string]bool{"count": true, "max": true, "min": true, "by": true, "default": true} // expr.go
	for _, m := range literalWord.FindAllStringSubmatch(parser().String(), -1) {
		words[m[1]] = true
	}
	for word := range written {
		words[word] = IsName(word)
	}
	for word := range builtIn {
		words[word] = true
	}
	for _, word := range collectionWords {
		words[word] = true
	}
	maps.DeleteFunc(words, func(word string, is bool) bool { return !is || slices.Contains(keywords, word) })
	return slices.Sorted(maps.Keys(words))
})
