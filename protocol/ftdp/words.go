package ftdp

import (
	"tacheck/internal/diag"
)

// Word is a name, keyword or number in a text, with its place.
type Word struct {
	Text   string
	pos    diag.Pos
	number bool
}

// Words lists the names, keywords and numbers of a text, comments left out, up to the first character that does not
// belong into a protocol. The name of a message that is sent, 2acceptor, is the role's.
func Words(name, text string) []Word {
	var list []Word
	lex, err := rules.LexString(name, text)
	if err != nil {
		return nil
	}
	for {
		tok, err := lex.Next()
		if err != nil || tok.EOF() {
			return list
		}
		at := At(tok.Pos)
		switch tok.Type {
		case symbols["Out"]:
			at.Col++
			list = append(list, Word{tok.Value[1:], at, false})
		case symbols["Ident"], symbols["Keyword"], symbols["Number"]:
			list = append(list, Word{tok.Value, at, tok.Type == symbols["Number"]})
		}
	}
}

// IsName reports whether a word can be declared.
func IsName(word string) bool {
	lex, err := rules.LexString("", word)
	if err != nil {
		return false
	}
	tok, err := lex.Next()
	return err == nil && tok.Type == symbols["Ident"] && tok.Value == word
}
