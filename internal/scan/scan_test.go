package scan

import (
	"fmt"
	"strings"
	"testing"
)

var language = Language{Names: Symbols, Kinds: []Kind{
	{Type: Space, Match: Blank(" \n")},
	{Type: Other, Match: OneOf([]string{"if", "fi"})},
	{Type: Name, Match: Word, Most: 5},
	{Match: Joined, Wrong: "%q is no number"},
	{Type: Number, Match: Digits},
	{Type: Comment, Match: Line("//")},
	{Type: Comment, Match: Block("/*", "*/")},
	{Match: Prefix("/*"), Wrong: "open"},
	{Type: Comment, Match: Nested("(*", "*)")},
	{Type: Text, Match: Quoted},
	{Type: Sign, Match: Signs("<= < ( )")},
}}

// TestScan: tokens of each kind, with their places; what is wrong, with its width, and what is behind it.
func TestScan(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"\ufeffa_1 <=if", "1:1 name a_1, 1:5 sign <=, 1:7 other if"},
		{"ifa\n é 7", `1:1 name ifa, 2:2 ! 1 unexpected character 'é', 2:4 number 7`},
		{"12a b", `1:1 ! 3 "12a" is no number, 1:5 name b`},
		{"abcdef<", "1:1 ! 1 a name or number is longer than 5 characters, 1:7 sign <"},
		{"/* é\n*/a // b", "1:1 comment /* é\n*/, 2:3 name a, 2:5 comment // b"},
		{"/* a", "1:1 ! 2 open, 1:4 name a"},
		{"(* (* *) a *) b", "1:1 comment (* (* *) a *), 1:15 name b"},
		{"(* (* *)", "1:1 sign (, 1:2 ! 1 unexpected character '*', 1:4 comment (* *)"},
		{`"a\"b" "`, `1:1 text "a\"b", 1:8 ! 1 unexpected character '"'`},
		{"\"a\\\n\"", "1:1 ! 1 unexpected character '\"', 1:2 name a, 1:3 ! 1 unexpected character '\\\\', 2:1 ! 1 unexpected character '\"'"},
		{"\x00\xff", "1:1 ! 1 NUL byte: this is not a text file, 1:2 ! 1 byte 0xff is not valid UTF-8: is this a text file?"},
	} {
		var list []string
		s := New("x", c.text, language.Kinds)
		for {
			tok, err := s.Next()
			if tok.EOF() {
				break
			}
			said := fmt.Sprintf("%d:%d ", tok.Pos.Line, tok.Pos.Column)
			if bad, is := err.(*Error); is {
				said += fmt.Sprintf("! %d %s", bad.Width, bad.Msg)
			} else {
				said += map[bool]string{true: "other"}[tok.Type == Other]
				for name, typ := range map[string]int{"name": int(Name), "number": int(Number), "text": int(Text), "sign": int(Sign), "comment": int(Comment)} {
					if int(tok.Type) == typ {
						said += name
					}
				}
				said += " " + tok.Value
			}
			if tok.Type != Space {
				list = append(list, said)
			}
			if c.text[tok.Pos.Offset:tok.Pos.Offset+len(tok.Value)] != tok.Value {
				t.Errorf("%q: offset %d", c.text, tok.Pos.Offset)
			}
		}
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.text, got, c.want)
		}
	}
}
