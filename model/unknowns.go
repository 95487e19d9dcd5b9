package model

import (
	"regexp"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
)

var (
	unknowns = regexp.MustCompile(`(?m)^[ \t]*unknowns\b[^;\n]*;?`)
	comments = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)|//[^\n]*`)
)

// Unknowns finds the lines of a text that declare unknowns, which are no part of what its kind of models
// is: `unknowns a: 0..2;`. plain is the text with spaces in place of comments, a byte for each.
func Unknowns(text string) (plain string, where [][]int) {
	b := []byte(text)
	for _, m := range comments.FindAllStringIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b), unknowns.FindAllIndex(b, -1)
}

// open reads a text. What is wrong with one that has unknowns is that they have no values.
func (k *Kind) open(file, text string, read func() (Model, error)) (Model, error) {
	m, err := read()
	if err == nil || k == Automata {
		return m, err
	}
	if _, where := Unknowns(text); len(where) > 0 {
		var list diag.List
		line := strings.Count(text[:where[0][0]], "\n") + 1
		part := text[where[0][0]:where[0][1]]
		begin := len(part) - len(strings.TrimLeft(part, " \t"))
		list.Add(diag.Pos{File: file, Line: line, Col: begin + 1}, len(part)-begin,
			"unknowns have no values yet: `tacheck synth` finds those under which specifications hold, of texts for "+
				"all sizes")
		return nil, &InputError{Err: list, Text: text}
	}
	return nil, err
}

// keeping formats a text as if the lines that declare unknowns were comments.
func keeping(format func(file, text string) (string, error)) func(file, text string) (string, error) {
	return func(file, text string) (string, error) {
		mark := "//="
		for strings.Contains(text, mark) {
			mark += "="
		}
		_, where := Unknowns(text)
		masked, at := "", 0
		for _, w := range where {
			masked += text[at:w[0]] + mark + strings.TrimLeft(text[w[0]:w[1]], " \t")
			at = w[1]
		}
		out, err := format(file, masked+text[at:])
		return strings.ReplaceAll(out, mark, ""), err
	}
}
