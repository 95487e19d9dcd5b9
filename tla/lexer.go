package tla

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/diag"
)

type kind uint8

const (
	end kind = iota
	ident
	number
	text
	operator
)

// token is a word of a module.
type token struct {
	kind   kind
	text   string
	pos    diag.Pos
	indent int // the column that it has where tabs go on to the next multiple of eight: lists are read by that
}

// symbols are the operators that are read, longest first.
var symbols = []string{"<=>", "|->", "]_", "==", "=>", "=<", "<=", ">=", "/=", "/\\", "\\/", "..", "<<", ">>", "->",
	"[]", "<>", "~>",
	"'", "~", "=", "<", ">", "+", "-", "*", "(", ")", "[", "]", "{", "}", ",", ":", "!", "@", ".", "#", "\\"}

// others are symbols of TLA+ that are not read.
var others = []string{"::=", "...", "++", "--", "**", "//", "^^", "%%", "##", "$$", "??", "&&", "||", ":=", ":>", "<:",
	"@@", "|-", "|="}

// words are other ways to write operators.
var words = map[string]string{"land": "/\\", "lor": "\\/", "lnot": "~", "neg": "~", "leq": "<=", "geq": ">=",
	"neq": "#", "exists": "\\E", "forall": "\\A", "cup": "\\union", "cap": "\\intersect", "equiv": "<=>"}

// title is where a module begins: what stands before it is no part of it.
var title = regexp.MustCompile(`-{4,}[ \t]*MODULE\b`)

// scan splits the first module of a text into tokens. Its error is a diag.List.
func scan(file, source string) ([]token, error) {
	s := &scanner{file: file, rest: source, line: 1, col: 1, indent: 1}
	if at := title.FindStringIndex(source); at != nil {
		s.skip(at[0])
	}
	for s.rest != "" {
		if err := s.next(); err != nil {
			return nil, err
		}
		if s.done {
			break
		}
	}
	if !s.begun {
		return nil, problem(diag.Pos{File: file, Line: 1, Col: 1}, 1,
			"there is no module (expected `---- MODULE Name ----`)")
	}
	return append(s.out, token{end, "the end of the module", s.pos(), s.indent}), nil
}

type scanner struct {
	file        string
	rest        string
	line, col   int
	indent      int // as of tokens
	begun, done bool
	out         []token
}

func (s *scanner) pos() diag.Pos { return diag.Pos{File: s.file, Line: s.line, Col: s.col} }

// skip goes over some bytes.
func (s *scanner) skip(n int) string {
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	last := taken
	if lines := strings.Count(taken, "\n"); lines > 0 {
		s.line += lines
		s.col, s.indent = 1, 1
		last = taken[strings.LastIndexByte(taken, '\n')+1:]
	}
	for _, r := range last {
		s.col++
		if s.indent++; r == '\t' {
			s.indent += 7 - (s.indent-2)%8
		}
	}
	return taken
}

func (s *scanner) add(k kind, n int) {
	pos, indent := s.pos(), s.indent
	s.out = append(s.out, token{k, s.skip(n), pos, indent})
}

func (s *scanner) next() error {
	c := s.rest[0]
	switch {
	case strings.HasPrefix(s.rest, "----"):
		s.skip(len(s.rest) - len(strings.TrimLeft(s.rest, "-")))
	case strings.HasPrefix(s.rest, "===="):
		s.done = s.begun
		s.skip(len(s.rest) - len(strings.TrimLeft(s.rest, "=")))
	case strings.HasPrefix(s.rest, "\\*"):
		end := strings.IndexByte(s.rest, '\n')
		if end < 0 {
			end = len(s.rest)
		}
		s.skip(end)
	case strings.HasPrefix(s.rest, "(*"):
		return s.comment()
	case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f':
		s.skip(1)
	case !s.begun:
		s.begin()
	case letter(c) || c == '_' || c >= '0' && c <= '9':
		s.word()
	case c == '"':
		end := strings.IndexAny(s.rest[1:], "\"\n\\")
		if end < 0 || s.rest[1+end] != '"' {
			s.add(operator, 1) // it does not end on its line, or has a backslash
			break
		}
		s.add(text, end+2)
	default:
		return s.symbol()
	}
	return nil
}

// begin looks for the word MODULE.
func (s *scanner) begin() {
	if strings.HasPrefix(s.rest, "MODULE") {
		s.begun = true
		return
	}
	_, n := utf8.DecodeRuneInString(s.rest)
	s.skip(n)
}

func (s *scanner) comment() error {
	pos, depth, i := s.pos(), 0, 0
	for i < len(s.rest) {
		switch {
		case strings.HasPrefix(s.rest[i:], "(*"):
			depth++
			i += 2
		case strings.HasPrefix(s.rest[i:], "*)"):
			depth--
			i += 2
			if depth == 0 {
				s.skip(i)
				return nil
			}
		default:
			i++
		}
	}
	return problem(pos, 2, "this comment does not end")
}

func (s *scanner) word() {
	n, digits := 0, true
	for n < len(s.rest) && (letter(s.rest[n]) || s.rest[n] == '_' || s.rest[n] >= '0' && s.rest[n] <= '9') {
		digits = digits && s.rest[n] >= '0' && s.rest[n] <= '9'
		n++
	}
	if digits {
		s.add(number, n)
	} else {
		s.add(ident, n)
	}
}

func (s *scanner) symbol() error {
	if s.rest[0] == '\\' && len(s.rest) > 1 && letter(s.rest[1]) {
		n := 1
		for n < len(s.rest) && letter(s.rest[n]) {
			n++
		}
		pos, indent := s.pos(), s.indent
		word := s.skip(n)
		if other, known := words[word[1:]]; known {
			word = other
		}
		s.out = append(s.out, token{operator, word, pos, indent})
		return nil
	}
	for _, symbol := range slices.Concat(symbols[:2], others, symbols[2:]) {
		if strings.HasPrefix(s.rest, symbol) {
			s.add(operator, len(symbol))
			return nil
		}
	}
	_, n := utf8.DecodeRuneInString(s.rest)
	s.add(operator, n) // which none is
	return nil
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func problem(pos diag.Pos, width int, format string, args ...any) error {
	var l diag.List
	l.Add(pos, width, format, args...)
	return l
}
