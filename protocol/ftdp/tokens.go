package ftdp

import (
	"github.com/tacheck/tacheck/internal/index"
)

// Tokens lists the words, operators and comments of a text, up to the first character that does
// not belong into a protocol. The name of a message that is sent, 2acceptor, is the role's.
func Tokens(name, text string) []index.Token {
	var list []index.Token
	lex, err := rules.LexString(name, text)
	if err != nil {
		return nil
	}
	for {
		tok, err := lex.Next()
		if err != nil || tok.EOF() {
			return list
		}
		t := index.Token{Pos: At(tok.Pos), Text: tok.Value, Class: index.Operator}
		switch tok.Type {
		case symbols["Space"]:
			continue
		case symbols["Comment"]:
			t.Class = index.Comment
		case symbols["Out"]:
			list = append(list, index.Token{Pos: t.Pos, Text: "2", Class: index.Operator})
			t.Pos.Col++
			t.Text, t.Class = tok.Value[1:], index.Name
		case symbols["Ident"]:
			t.Class = index.Name
		case symbols["Keyword"]:
			t.Class = index.Keyword
		case symbols["Number"]:
			t.Class = index.Number
		case symbols["Text"]:
			t.Class = index.Text
		case symbols["Path"]:
			t.Class = index.Directive // what is replaced by a value of the log
		}
		list = append(list, t)
	}
}
