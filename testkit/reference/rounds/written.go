package rounds

import (
	"slices"
	"strings"
)

// WrittenOut is a text without rules that have parameters, and without definitions: each rule is written for each value, and
// expressions, in parentheses, in the place of their names. It does so with words, not with what they mean.
func WrittenOut(source string) (string, error) {
	words, err := lex(source)
	if err != nil {
		return "", err
	}
	w := writer{definitions: map[string]macro{}}
	words = w.rules(w.take(words))
	for range len(w.definitions) {
		words = w.expand(words)
	}
	var out strings.Builder
	for _, word := range words {
		out.WriteString(word)
		out.WriteString(map[bool]string{true: "\n", false: " "}[slices.Contains([]string{";", "endif", "end"}, word)])
	}
	return out.String(), nil
}

// A writer knows the words of definitions.
type writer struct {
	definitions map[string]macro
}

type macro struct {
	parameters []Variable
	words      []string
}

// take takes definitions out of a text.
func (w *writer) take(words []string) []string {
	var rest []string
	for i := 0; i < len(words); i++ {
		if words[i] != "define" {
			rest = append(rest, words[i])
			continue
		}
		p := &parser{tokens: words[i+1:]}
		name := p.name()
		var m macro
		if p.accept("(") {
			m.parameters = p.parameters()
		}
		p.expect("=")
		end := slices.Index(p.tokens, ";")
		m.words = p.tokens[:end]
		w.definitions[name] = m
		i = len(words) - len(p.tokens) + end
	}
	return rest
}

// rules writes rules for all values of their parameters.
func (w *writer) rules(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		if words[i] != "[" || words[i+1] != "]" {
			out = append(out, words[i])
			continue
		}
		p := &parser{tokens: words[i:]}
		var parameters []Variable
		for p.accept("[") {
			p.expect("]")
			p.expect("(")
			parameters = append(parameters, p.parameters()...)
		}
		start := p.tokens
		label := p.rule().Label
		for _, one := range writings(start[:len(start)-len(p.tokens)], label, parameters) {
			out = append(out, one...)
		}
		i = len(words) - len(p.tokens) - 1
	}
	return out
}

// expand writes expressions in the place of names, once.
func (w *writer) expand(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		m, ok := w.definitions[words[i]]
		if !ok {
			out = append(out, words[i])
			continue
		}
		stands := map[string][]string{}
		if len(m.parameters) > 0 {
			i++
			for _, v := range m.parameters {
				end := argument(words[i+1:]) + i + 1
				stands[v.Name] = words[i+1 : end]
				i = end
			}
		}
		out = append(out, "(")
		for _, word := range m.words {
			if to := stands[word]; len(to) == 1 {
				out = append(out, to[0]) // also where an expression in parentheses could not stand
			} else if to != nil {
				out = append(out, slices.Concat([]string{"("}, to, []string{")"})...)
			} else {
				out = append(out, word)
			}
		}
		out = append(out, ")")
	}
	return out
}

// argument is where an expression ends: at a comma, or a closing parenthesis.
func argument(words []string) int {
	depth := 0
	for i, word := range words {
		switch {
		case word == "(":
			depth++
		case word == ")" && depth > 0:
			depth--
		case word == ")" || word == "," && depth == 0:
			return i
		}
	}
	fail("a definition is used without a closing parenthesis")
	return 0
}
