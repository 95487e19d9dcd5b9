package rounds

import (
	"fmt"
	"regexp"
)

// words are what a text is made of: space and comments, which are left out, words, numbers and signs.
var words = regexp.MustCompile(`^(?:(\s+|//[^\n]*|(?s:/\*.*?\*/))|([\pL_][\pL\pN_]*|\pN+|<->|:=|\+=|-=|->|!=|<=|>=|\.\.|[][.(){},;:=<>+*/⌈⌉⌊⌋-]))`)

// lex divides a text into words. The last one is empty.
func lex(text string) ([]string, error) {
	var tokens []string
	for text != "" {
		match := words.FindStringSubmatch(text)
		if match == nil {
			return nil, fmt.Errorf("unexpected %.10q", text)
		}
		if match[2] != "" {
			tokens = append(tokens, match[2])
		}
		text = text[len(match[0]):]
	}
	return append(tokens, ""), nil
}

func isNumber(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

func isName(word string) bool {
	return word != "" && !isNumber(word) && words.FindString(word) == word && regexp.MustCompile(`^[\pL_]`).MatchString(word)
}
