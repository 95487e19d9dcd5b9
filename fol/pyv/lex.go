package pyv

import (
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/layout"
	"github.com/tacheck/tacheck/internal/scan"
)

// token is a word, a sign, or the end ("").
type token struct {
	text   string
	word   bool
	offset int
	pos    diag.Pos
	first  bool // nothing stands before it on its line
	blank  bool // an empty line stands before it, or before the comments before it
}

func (t token) width() int { return max(1, len([]rune(t.text))) }

// IsName reports whether a word can be declared.
func IsName(word string) bool {
	return scan.IsWord(word) && !reserved[word]
}

var kinds = []scan.Kind{
	{Type: scan.Space, Match: scan.Blank(" \t\r\n\v\f")},
	{Type: scan.Comment, Match: scan.Line("#")},
	{Type: scan.Name, Match: scan.Alphanumeric},
	{Type: scan.Sign, Match: scan.Signs("<-> -> <- != := == => ( ) { } [ ] , . : ; & | ! ~ = ' @ + - * <= >= < >")},
}

// lex splits a text into tokens and comments.
func lex(file, text string) (list []token, comments []layout.Comment, problems diag.List) {
	s, first, blank := scan.New(file, text, kinds), true, false
	for {
		tok, err := s.Next()
		pos := scan.Place(tok.Pos)
		switch {
		case tok.EOF():
			return append(list, token{offset: len(text), pos: pos, first: true}), comments, problems
		case tok.Type == scan.Space:
			lines := strings.Count(tok.Value, "\n")
			first, blank = first || lines > 0, blank || lines > 1
			continue
		case tok.Type == scan.Comment:
			c := layout.CommentOf(tok)
			c.Text = strings.TrimRight(c.Text, "\r \t")
			comments, first = append(comments, c), false
			continue
		case err != nil:
			problems.Add(pos, 1, "%q means nothing here", []rune(tok.Value)[0])
		default:
			list = append(list, token{tok.Value, tok.Type == scan.Name, tok.Pos.Offset, pos, first, blank})
		}
		first, blank = false, false
	}
}
