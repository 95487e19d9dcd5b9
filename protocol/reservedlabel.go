package protocol

import "github.com/alecthomas/participle/v2/lexer"

// modifiers are words in front of the labels of rules.
var modifiers = map[string]bool{"always": true, "maybe": true, "timeout": true}

// reservedLabel returns the reserved word that stands where a rule's label should, at an offset or behind words that may be in front
// of a label there.
func reservedLabel(name, text string, offset int) (found lexer.Token, ok bool) {
	lex, err := rules.LexString(name, text)
	for err == nil {
		var tok lexer.Token
		if tok, err = lex.Next(); err != nil || tok.EOF() {
			return found, false
		}
		switch {
		case tok.Pos.Offset < offset, tok.Type == symbols["Comment"], tok.Type == symbols["Space"]:
		case found.Value != "":
			return found, tok.Value == ":"
		case modifiers[tok.Value]:
		case tok.Type == symbols["Keyword"]:
			found = tok
		default:
			return found, false
		}
	}
	return found, false
}
