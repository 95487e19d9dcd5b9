package pyv

import (
	"strings"
	"unicode"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/layout"
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

func isWord(r rune) bool {
	return r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// IsName reports whether a word can be declared.
func IsName(word string) bool {
	if word == "" || reserved[word] || unicode.IsDigit(rune(word[0])) {
		return false
	}
	return strings.IndexFunc(word, func(r rune) bool { return !isWord(r) }) < 0
}

var signs = []string{"<->", "->", "<-", "!=", "(", ")", "{", "}", "[", "]", ",", ".", ":", ";", "&", "|", "!", "~", "=",
	"'", "@", "+", "-", "*", "<=", ">=", "<", ">"}

// lex splits a text into tokens and comments.
func lex(file, text string) (list []token, comments []layout.Comment, problems diag.List) {
	line, col, first, blank := 1, 1, true, false
	since := 0 // lines that are empty, up to here
	for at := 0; at < len(text); {
		r := rune(text[at])
		pos := diag.Pos{File: file, Line: line, Col: col}
		size, chars := 1, 1
		switch {
		case r == '\n':
			if first && since > 0 {
				blank = true
			}
			since++
			line, col, first = line+1, 1, true
			at++
			continue
		case unicode.IsSpace(r):
			at, col = at+1, col+1
			continue
		case r == '#':
			size = strings.IndexByte(text[at:], '\n')
			if size < 0 {
				size = len(text) - at
			}
			comments = append(comments, layout.Comment{Offset: at, Line: line, EndLine: line, Col: col,
				Text: strings.TrimRight(text[at:at+size], "\r \t")})
			chars = len([]rune(text[at : at+size]))
			if first {
				since = 0
			}
			first = false
			at, col = at+size, col+chars
			continue
		case isWord(r):
			for size < len(text)-at && isWord(rune(text[at+size])) {
				size++
			}
			chars = size
			list = append(list, token{text[at : at+size], true, at, pos, first, blank})
		default:
			size = 0
			for _, s := range signs {
				if strings.HasPrefix(text[at:], s) {
					size = len(s)
					break
				}
			}
			chars = size
			if size == 0 {
				bad := []rune(text[at:min(len(text), at+4)])[0]
				size, chars = len(string(bad)), 1
				if bad == unicode.ReplacementChar {
					size = 1
				}
				problems.Add(pos, 1, "%q means nothing here", bad)
			} else {
				list = append(list, token{text[at : at+size], false, at, pos, first, blank})
			}
		}
		first, blank, since = false, false, 0
		at, col = at+size, col+chars
	}
	return append(list, token{offset: len(text), pos: diag.Pos{File: file, Line: line, Col: col}, first: true}),
		comments, problems
}
