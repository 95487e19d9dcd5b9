package ftdp

import (
	"github.com/alecthomas/participle/v2/lexer"
)

// modifiers are words in front of the labels of rules.
var modifiers = map[string]bool{"always": true, "maybe": true, "timeout": true}

// reservedName returns the reserved word that stands in front of a colon where a name should: at an offset, behind
// words that may be in front of a label there, or just before the offset.
func reservedName(name, text string, offset int) (found lexer.Token, ok bool) {
	lex, err := rules.LexString(name, text)
	var last lexer.Token
	for err == nil {
		var tok lexer.Token
		if tok, err = lex.Next(); err != nil || tok.EOF() {
			return found, false
		}
		switch {
		case tok.Type == symbols["Comment"], tok.Type == symbols["Space"]:
		case tok.Pos.Offset < offset:
			last = tok
		case found.Value != "":
			return found, tok.Value == ":"
		case tok.Value == ":" && last.Type == symbols["Keyword"] && last.Value != "init":
			return last, true
		case modifiers[tok.Value]:
		case tok.Type == symbols["Keyword"]:
			found = tok
		default:
			return found, false
		}
	}
	return found, false
}
