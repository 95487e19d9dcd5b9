package promela

import (
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
)

// The preprocessor knows what models need of C's: #define with and without parameters, #undef, #if with defined(),
// #ifdef, #ifndef, #elif, #else, #endif; #pragma and #line are ignored, #include and #error refused. Every token keeps
// its place in the text: those of a macro get the place where it is used.

// maxExpanded bounds the tokens that a text becomes: this many, and a number for each of its own.
const maxExpanded, maxExpandedEach = 100_000, 20

type macro struct {
	pos    diag.Pos
	body   []token
	params []string // nil if it takes none
	takes  bool
	placed []lexer.Position // of the parameters
}

type preprocessor struct {
	name     string
	macros   map[string]*macro
	used     map[string]bool  // names that some #if asks for
	replaced map[string]bool  // macros that were
	out      []lexer.Token    // the offsets of their places are their numbers here
	from     []lexer.Position // where they are written
	asked    []asked
	limit    int
	// The conditionals that are open.
	open []conditional
}

// asked is a place where a macro is used, or asked for; macro is nil if there is none.
type asked struct {
	name  string
	at    lexer.Position
	macro *macro
}

func (p *preprocessor) ask(name string, at lexer.Position) {
	p.asked = append(p.asked, asked{name, at, p.macros[name]})
}

type conditional struct {
	pos       diag.Pos
	active    bool // what follows is read
	taken     bool // some branch has been
	elsewhere bool // everything is left out: an outer conditional says so
	last      bool // #else has been seen
}

// preprocess returns the tokens of a text in which names have the given definitions. Its error is a diag.List.
func preprocess(name, text string, defines map[string]string) (*preprocessor, error) {
	p, err := preprocessed(name, text, defines)
	if err != nil {
		return nil, err
	}
	if n := len(p.open); n > 0 {
		return nil, problem(p.open[n-1].pos, 1, "this conditional has no #endif")
	}
	return p, nil
}

// preprocessed is preprocess for a text that may end inside a conditional.
func preprocessed(name, text string, defines map[string]string) (*preprocessor, error) {
	lines, _, err := scanned(name, text)
	if err != nil {
		return nil, err
	}
	p := &preprocessor{name: name, macros: map[string]*macro{}, used: map[string]bool{}, replaced: map[string]bool{},
		limit: maxExpanded}
	for k, v := range defines {
		body, _, err := scanned("-D "+k, v)
		if err != nil {
			return nil, err
		}
		p.macros[k] = &macro{pos: diag.Pos{File: "-D " + k}, body: body[0]}
	}
	for _, line := range lines {
		p.limit += maxExpandedEach * len(line)
	}
	var pending []token // text may go on over lines inside a macro's arguments
	for _, line := range lines {
		if len(line) > 0 && line[0].Value == "#" {
			if err := p.flush(&pending); err != nil {
				return nil, err
			}
			if err := p.directive(line); err != nil {
				return nil, err
			}
			continue
		}
		if p.active() {
			pending = append(pending, line...)
		}
	}
	if err := p.flush(&pending); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *preprocessor) active() bool {
	return !slices.ContainsFunc(p.open, func(c conditional) bool { return !c.active })
}

func (p *preprocessor) flush(pending *[]token) error {
	list, err := p.expand(*pending, nil)
	*pending = nil
	for _, t := range list {
		t.Pos.Offset = len(p.out)
		p.out, p.from = append(p.out, t.Token), append(p.from, t.from)
	}
	return err
}

var directives = []string{"define", "undef", "ifdef", "ifndef", "if", "elif", "else", "endif", "pragma", "include",
	"error", "warning", "line"}

// directive obeys a line that begins with #.
func (p *preprocessor) directive(line []token) error {
	if len(line) == 1 {
		return nil
	}
	word, rest := line[1], line[2:]
	pos := place(word.Pos)
	switch word.Value {
	case "ifdef", "ifndef", "if":
		if len(p.open) >= maxNesting {
			return problem(pos, len(word.Value), "conditionals are nested more than %d deep", maxNesting)
		}
		p.open = append(p.open, conditional{pos: pos, elsewhere: !p.active()})
		return p.branch(word, rest)
	case "elif", "else", "endif":
		if len(p.open) == 0 {
			return problem(pos, len(word.Value), "#%s without #if", word.Value)
		}
		if word.Value == "endif" {
			p.open = p.open[:len(p.open)-1]
			return nil
		}
		return p.branch(word, rest)
	}
	if !p.active() {
		return nil
	}
	switch word.Value {
	case "define":
		return p.define(word, rest)
	case "undef":
		if len(rest) != 1 || rest[0].Type != scan.Name {
			return problem(pos, len(word.Value), "#undef takes a name")
		}
		p.ask(rest[0].Value, rest[0].Pos)
		delete(p.macros, rest[0].Value)
	case "pragma", "line", "warning":
	case "include":
		return problem(pos, len(word.Value), "#include is not supported: a model is one file")
	case "error":
		text := ""
		for _, t := range rest {
			text += " " + t.Value
		}
		return problem(pos, len(word.Value), "#error%s", text)
	default:
		return problem(pos, len(word.Value), "unknown directive #%s%s", word.Value, spell.Hint(word.Value, directives))
	}
	return nil
}

// branch begins a branch of the innermost conditional.
func (p *preprocessor) branch(word token, rest []token) error {
	c := &p.open[len(p.open)-1]
	pos := place(word.Pos)
	if c.last && (word.Value == "else" || word.Value == "elif") {
		return problem(pos, len(word.Value), "#%s after #else", word.Value)
	}
	c.last = word.Value == "else"
	if c.elsewhere || c.taken {
		c.active = false
		return nil
	}
	holds := true
	switch word.Value {
	case "ifdef", "ifndef":
		if len(rest) == 0 || rest[0].Type != scan.Name {
			return problem(pos, len(word.Value), "#%s takes a name", word.Value)
		}
		p.used[rest[0].Value] = true
		p.ask(rest[0].Value, rest[0].Pos)
		_, defined := p.macros[rest[0].Value]
		holds = defined == (word.Value == "ifdef")
	case "if", "elif":
		var err error
		if holds, err = p.condition(pos, rest); err != nil {
			return err
		}
	}
	c.active, c.taken = holds, holds
	return nil
}

// condition evaluates the expression of an #if.
func (p *preprocessor) condition(pos diag.Pos, line []token) (bool, error) {
	var list []token
	for i := 0; i < len(line); i++ { // defined comes before macros
		if line[i].Value != "defined" {
			list = append(list, line[i])
			continue
		}
		i++
		parens := i < len(line) && line[i].Value == "("
		if parens {
			i++
		}
		if i >= len(line) || line[i].Type != scan.Name {
			return false, problem(pos, 2, "defined takes a name")
		}
		value := line[i]
		p.used[value.Value] = true
		p.ask(value.Value, value.Pos)
		_, known := p.macros[value.Value]
		value.Type, value.Value = scan.Number, map[bool]string{false: "0", true: "1"}[known]
		list = append(list, value)
		if parens {
			if i++; i >= len(line) || line[i].Value != ")" {
				return false, problem(pos, 2, "defined( has no closing parenthesis")
			}
		}
	}
	list, err := p.expand(list, nil)
	if err != nil {
		return false, err
	}
	if len(list) == 0 {
		return false, problem(pos, 2, "#if takes a condition")
	}
	var toks []lexer.Token
	for _, t := range list {
		if t.Type == scan.Name { // as in C
			t.Type, t.Value = scan.Number, "0"
		}
		toks = append(toks, t.Token)
	}
	e, err := parseExpr(toks)
	if err != nil {
		return false, err
	}
	n, err := e.constant()
	return err == nil && n != 0, err
}

func (p *preprocessor) define(word token, rest []token) error {
	if len(rest) == 0 || rest[0].Type != scan.Name {
		return problem(place(word.Pos), len(word.Value), "#define takes a name")
	}
	name, rest := rest[0], rest[1:]
	m := &macro{pos: place(name.Pos)}
	if len(rest) > 0 && rest[0].Value == "(" && !rest[0].spaced {
		m.takes = true
		i := 1
		for ; i < len(rest) && rest[i].Value != ")"; i++ {
			if rest[i].Type == scan.Name {
				m.params, m.placed = append(m.params, rest[i].Value), append(m.placed, rest[i].Pos)
			} else if rest[i].Value != "," {
				return problem(place(rest[i].Pos), len(rest[i].Value), "expected a parameter of the macro %s",
					name.Value)
			}
		}
		if i == len(rest) {
			return problem(m.pos, len(name.Value), "the parameters of the macro %s have no closing parenthesis",
				name.Value)
		}
		rest = rest[i+1:]
	}
	m.body = rest
	if old := p.macros[name.Value]; old != nil && old.pos.File == p.name && !sameTokens(old.body, m.body) {
		var l diag.List
		e := l.Add(m.pos, len(name.Value), "%s is defined again, differently", name.Value)
		e.Notes = append(e.Notes, diag.Note{Pos: old.pos, Msg: "first defined here"})
		return l
	} else if old != nil && old.pos.File != p.name {
		return nil // the command line has the last word
	}
	p.macros[name.Value] = m
	p.ask(name.Value, name.Pos)
	return nil
}

func sameTokens(a, b []token) bool {
	return slices.EqualFunc(a, b, func(x, y token) bool { return x.Value == y.Value })
}

// expand replaces macros, but not those that are being expanded.
func (p *preprocessor) expand(list []token, inside []string) ([]token, error) {
	var out []token
	for i := 0; i < len(list); i++ {
		t := list[i]
		m := p.macros[t.Value]
		if t.Type != scan.Name || m == nil || slices.Contains(inside, t.Value) || m.takes &&
			(i+1 >= len(list) || list[i+1].Value != "(") {
			out = append(out, t)
			if p.limit--; p.limit < 0 {
				return nil, problem(place(t.Pos), len(t.Value), "the macros of this text expand to too much")
			}
			continue
		}
		p.replaced[t.Value] = true
		p.ask(t.Value, t.from)
		body := m.body
		if m.takes {
			args, n, err := p.arguments(t, list[i+1:])
			if err != nil {
				return nil, err
			}
			if len(args) != len(m.params) && !(len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0) {
				return nil, problem(place(t.Pos), len(t.Value), "the macro %s takes %d arguments, not %d", t.Value,
					len(m.params), len(args))
			}
			i += n
			body = nil
			for _, b := range m.body {
				if k := slices.Index(m.params, b.Value); k >= 0 && b.Type == scan.Name {
					body = append(body, args[k]...)
				} else {
					body = append(body, b)
				}
			}
		}
		placed := make([]token, len(body))
		for k, b := range body {
			b.Pos = t.Pos
			placed[k] = b
		}
		if len(inside) > maxNesting {
			return nil, problem(place(t.Pos), len(t.Value), "macros are nested more than %d deep", maxNesting)
		}
		if p.limit -= len(placed) + 1; p.limit < 0 {
			return nil, problem(place(t.Pos), len(t.Value), "the macros of this text expand to too much")
		}
		expanded, err := p.expand(placed, append(inside[:len(inside):len(inside)], t.Value))
		if err != nil {
			return nil, err
		}
		out = append(out, expanded...)
	}
	return out, nil
}

// arguments reads a macro's arguments, and returns how many tokens they are.
func (p *preprocessor) arguments(name token, list []token) (args [][]token, n int, err error) {
	depth := 0
	var arg []token
	for i, t := range list {
		switch {
		case t.Value == "(":
			if depth++; depth == 1 {
				continue
			}
		case t.Value == ")":
			if depth--; depth == 0 {
				return append(args, arg), i + 1, nil
			}
		case t.Value == "," && depth == 1:
			args, arg = append(args, arg), nil
			continue
		}
		arg = append(arg, t)
	}
	return nil, 0, problem(place(name.Pos), len(name.Value),
		"the arguments of the macro %s have no closing parenthesis", name.Value)
}

// constants returns what #define makes names of numbers, such as V0 for 0, in the order of their places.
func (p *preprocessor) constants() []Constant {
	var list []Constant
	for name, m := range p.macros {
		if !m.takes && len(m.body) == 1 && m.body[0].Type == scan.Number && m.pos.File == p.name {
			var n int64
			if _, err := fmt.Sscan(m.body[0].Value, &n); err == nil {
				list = append(list, Constant{name, n, m.pos})
			}
		}
	}
	slices.SortFunc(list, func(a, b Constant) int {
		if a.Pos.Before(b.Pos) {
			return -1
		}
		return 1
	})
	return list
}
