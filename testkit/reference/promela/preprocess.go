package promela

import (
	"strconv"
	"strings"
)

// A macro is what a name stands for.
type macro struct {
	function   bool // has parameters, maybe none
	parameters []string
	body       []Token
}

// A preprocessor holds definitions, and the conditionals that are open.
type preprocessor struct {
	macros  map[string]macro
	given   map[string]bool // by options, which have the last word
	open    []conditional
	pending []Token // of lines that are not expanded yet
	out     []Token
}

// A conditional is an #if whose #endif has not come.
type conditional struct {
	line   int
	active bool // this branch is taken
	done   bool // a branch has been taken
	parent bool // what is around it is taken
	last   bool // #else has come
}

// Preprocess gives the words of the text that the preprocessor leaves. Definitions are as of -D: NAME or NAME=VALUE.
func Preprocess(text string, defines []string) ([]Token, error) {
	p := &preprocessor{macros: map[string]macro{}, given: map[string]bool{}}
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		body, err := tokens(value, 0)
		if err != nil {
			return nil, err
		}
		p.macros[name], p.given[name] = macro{body: body}, true
	}
	text, err := uncomment(text)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		number, line := i+1, lines[i]
		for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
			i++
			line = line[:len(line)-1] + " " + lines[i]
		}
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "#") {
			if err := p.directive(strings.TrimSpace(trimmed[1:]), number); err != nil {
				return nil, err
			}
			continue
		}
		if !p.active() {
			continue
		}
		words, err := tokens(line, number)
		if err != nil {
			return nil, err
		}
		p.pending = append(p.pending, words...)
	}
	if len(p.open) > 0 {
		return nil, fail(p.open[len(p.open)-1].line, "#if without #endif")
	}
	if err := p.flush(); err != nil {
		return nil, err
	}
	return p.out, nil
}

// uncomment replaces comments by a space, and keeps the ends of lines.
func uncomment(text string) (string, error) {
	var b strings.Builder
	line := 1
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return "", fail(line, "a comment that does not end")
			}
			inside := text[i : i+2+end+2]
			b.WriteByte(' ')
			b.WriteString(strings.Repeat("\n", strings.Count(inside, "\n")))
			line += strings.Count(inside, "\n")
			i += len(inside) - 1
		case strings.HasPrefix(text[i:], "//"):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case text[i] == '"':
			start := i
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			b.WriteString(text[start:min(i+1, len(text))])
		default:
			if text[i] == '\n' {
				line++
			}
			b.WriteByte(text[i])
		}
	}
	return b.String(), nil
}

// active says whether lines are taken here.
func (p *preprocessor) active() bool {
	return len(p.open) == 0 || p.open[len(p.open)-1].active
}

func (p *preprocessor) flush() error {
	words, err := p.expand(p.pending, nil)
	p.out = append(p.out, words...)
	p.pending = nil
	return err
}

// directive does what a line that starts with # says.
func (p *preprocessor) directive(text string, line int) error {
	word, rest := text, ""
	if i := strings.IndexFunc(text, func(r rune) bool { return !letter(byte(r)) }); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	switch word {
	case "ifdef", "ifndef":
		_, defined := p.macros[rest]
		p.begin(line, defined == (word == "ifdef"))
		return nil
	case "if":
		value := false
		if p.active() {
			var err error
			if value, err = p.condition(rest, line); err != nil {
				return err
			}
		}
		p.begin(line, value)
		return nil
	case "elif", "else", "endif":
		if len(p.open) == 0 {
			return fail(line, "#%s without #if", word)
		}
		c := &p.open[len(p.open)-1]
		if word == "endif" {
			p.open = p.open[:len(p.open)-1]
			return nil
		}
		if c.last {
			return fail(line, "#%s after #else", word)
		}
		c.last = word == "else"
		value := true
		if word == "elif" && c.parent && !c.done {
			var err error
			if value, err = p.condition(rest, line); err != nil {
				return err
			}
		}
		c.active = c.parent && !c.done && value
		c.done = c.done || c.active
		return nil
	}
	if !p.active() {
		return nil
	}
	switch word {
	case "pragma", "":
		return nil
	case "define":
		if err := p.flush(); err != nil {
			return err
		}
		return p.define(rest, line)
	case "undef":
		if err := p.flush(); err != nil {
			return err
		}
		delete(p.macros, rest)
		return nil
	}
	return fail(line, "#%s is not supported", word)
}

func (p *preprocessor) begin(line int, value bool) {
	parent := p.active()
	p.open = append(p.open, conditional{line: line, active: parent && value, done: parent && value, parent: parent})
}

func (p *preprocessor) define(text string, line int) error {
	words, err := tokens(text, line)
	if err != nil {
		return err
	}
	if len(words) == 0 || !letter(words[0].Text[0]) {
		return fail(line, "#define without a name")
	}
	name := words[0].Text
	m := macro{body: words[1:]}
	if len(text) > len(name) && text[len(name)] == '(' {
		m.function = true
		i := 2
		for ; i < len(words) && words[i].Text != ")"; i++ {
			if words[i].Text != "," {
				m.parameters = append(m.parameters, words[i].Text)
			}
		}
		if i >= len(words) {
			return fail(line, "#define: the list of parameters does not end")
		}
		m.body = words[i+1:]
	}
	if !p.given[name] {
		p.macros[name] = m
	}
	return nil
}

// expand replaces macros, but for those that are being replaced.
func (p *preprocessor) expand(words []Token, inside []string) ([]Token, error) {
	var out []Token
	for i := 0; i < len(words); i++ {
		w := words[i]
		m, ok := p.macros[w.Text]
		if !ok || contains(inside, w.Text) {
			out = append(out, w)
			continue
		}
		body := m.body
		if m.function {
			if i+1 >= len(words) || words[i+1].Text != "(" {
				out = append(out, w)
				continue
			}
			arguments, end, err := arguments(words, i+1)
			if err != nil {
				return nil, err
			}
			if len(m.parameters) == 0 && len(arguments) == 1 && len(arguments[0]) == 0 {
				arguments = nil
			}
			if len(arguments) != len(m.parameters) {
				return nil, fail(w.Line, "%s has %d parameters", w.Text, len(m.parameters))
			}
			i = end
			if body, err = p.substitute(m, arguments, inside); err != nil {
				return nil, err
			}
		}
		placed := make([]Token, len(body))
		for k, b := range body {
			placed[k] = Token{b.Text, w.Line}
		}
		replaced, err := p.expand(placed, append(inside[:len(inside):len(inside)], w.Text))
		if err != nil {
			return nil, err
		}
		out = append(out, replaced...)
	}
	return out, nil
}

// arguments reads what is between the parenthesis at i and its end.
func arguments(words []Token, i int) ([][]Token, int, error) {
	out := [][]Token{nil}
	depth := 0
	for k := i; k < len(words); k++ {
		switch words[k].Text {
		case "(":
			depth++
			if depth == 1 {
				continue
			}
		case ")":
			depth--
			if depth == 0 {
				return out, k, nil
			}
		case ",":
			if depth == 1 {
				out = append(out, nil)
				continue
			}
		}
		out[len(out)-1] = append(out[len(out)-1], words[k])
	}
	return nil, 0, fail(words[i].Line, "the arguments of a macro do not end")
}

// substitute puts arguments, expanded, in place of parameters.
func (p *preprocessor) substitute(m macro, arguments [][]Token, inside []string) ([]Token, error) {
	var out []Token
	for _, b := range m.body {
		k := -1
		for n, name := range m.parameters {
			if name == b.Text {
				k = n
			}
		}
		if k < 0 {
			out = append(out, b)
			continue
		}
		words, err := p.expand(arguments[k], inside)
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

// condition evaluates what stands after #if.
func (p *preprocessor) condition(text string, line int) (bool, error) {
	words, err := tokens(text, line)
	if err != nil {
		return false, err
	}
	var plain []Token
	for i := 0; i < len(words); i++ {
		if words[i].Text != "defined" {
			plain = append(plain, words[i])
			continue
		}
		k := i + 1
		if k < len(words) && words[k].Text == "(" {
			k++
		}
		if k >= len(words) {
			return false, fail(line, "defined of what?")
		}
		value := "0"
		if _, ok := p.macros[words[k].Text]; ok {
			value = "1"
		}
		plain = append(plain, Token{value, line})
		if k == i+2 {
			k++
		}
		i = k
	}
	if plain, err = p.expand(plain, nil); err != nil {
		return false, err
	}
	for i, w := range plain {
		if letter(w.Text[0]) {
			plain[i].Text = "0"
		}
	}
	r := &reader{words: plain}
	e, err := r.expression(false)
	if err != nil {
		return false, err
	}
	if !r.at("") {
		return false, fail(line, "#if: unexpected %q", r.word())
	}
	v, err := e.eval(scope{})
	return v != 0, err
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func number(text string) (int64, error) { return strconv.ParseInt(text, 10, 32) }
