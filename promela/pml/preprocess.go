package pml

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

type Macro struct {
	Pos    diag.Pos
	Body   []Token
	Params []string // nil if it takes none
	takes  bool
	Placed []lexer.Position // of the parameters
}

type Preprocessor struct {
	name     string
	macros   map[string]*Macro
	Used     map[string]bool  // names that some #if asks for
	Replaced map[string]bool  // macros that were
	Out      []lexer.Token    // the offsets of their places are their numbers here
	From     []lexer.Position // where they are written
	Asked    []asked
	limit    int
	// The conditionals that are open.
	open []conditional
}

// asked is a place where a macro is used, or asked for; macro is nil if there is none.
type asked struct {
	Name  string
	At    lexer.Position
	Macro *Macro
}

func (p *Preprocessor) ask(name string, at lexer.Position) {
	p.Asked = append(p.Asked, asked{name, at, p.macros[name]})
}

type conditional struct {
	pos       diag.Pos
	active    bool // what follows is read
	taken     bool // some branch has been
	elsewhere bool // everything is left out: an outer conditional says so
	last      bool // #else has been seen
}

// Preprocess returns the tokens of a text in which names have the given definitions. Its error is a diag.List.
func Preprocess(name, text string, defines map[string]string) (*Preprocessor, error) {
	p, err := preprocessed(name, text, defines)
	if err != nil {
		return nil, err
	}
	if n := len(p.open); n > 0 {
		return nil, diag.Wrong(p.open[n-1].pos, 1, "this conditional has no #endif")
	}
	return p, nil
}

// preprocessed is preprocess for a text that may end inside a conditional.
func preprocessed(name, text string, defines map[string]string) (*Preprocessor, error) {
	lines, _, err := Scanned(name, text)
	if err != nil {
		return nil, err
	}
	p := &Preprocessor{name: name, macros: map[string]*Macro{}, Used: map[string]bool{}, Replaced: map[string]bool{},
		limit: maxExpanded}
	for k, v := range defines {
		body, _, err := Scanned("-D "+k, v)
		if err != nil {
			return nil, err
		}
		p.macros[k] = &Macro{Pos: diag.Pos{File: "-D " + k}, Body: body[0]}
	}
	for _, line := range lines {
		p.limit += maxExpandedEach * len(line)
	}
	var pending []Token // text may go on over lines inside a macro's arguments
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

func (p *Preprocessor) active() bool {
	return !slices.ContainsFunc(p.open, func(c conditional) bool { return !c.active })
}

func (p *Preprocessor) flush(pending *[]Token) error {
	list, err := p.expand(*pending, nil)
	*pending = nil
	for _, t := range list {
		t.Pos.Offset = len(p.Out)
		p.Out, p.From = append(p.Out, t.Token), append(p.From, t.From)
	}
	return err
}

var directives = []string{"define", "undef", "ifdef", "ifndef", "if", "elif", "else", "endif", "pragma", "include",
	"error", "warning", "line"}

// directive obeys a line that begins with #.
func (p *Preprocessor) directive(line []Token) error {
	if len(line) == 1 {
		return nil
	}
	word, rest := line[1], line[2:]
	pos := scan.Place(word.Pos)
	switch word.Value {
	case "ifdef", "ifndef", "if":
		if len(p.open) >= maxNesting {
			return diag.Wrong(pos, len(word.Value), "conditionals are nested more than %d deep", maxNesting)
		}
		p.open = append(p.open, conditional{pos: pos, elsewhere: !p.active()})
		return p.branch(word, rest)
	case "elif", "else", "endif":
		if len(p.open) == 0 {
			return diag.Wrong(pos, len(word.Value), "#%s without #if", word.Value)
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
			return diag.Wrong(pos, len(word.Value), "#undef takes a name")
		}
		p.ask(rest[0].Value, rest[0].Pos)
		delete(p.macros, rest[0].Value)
	case "pragma", "line", "warning":
	case "include":
		return diag.Wrong(pos, len(word.Value), "#include is not supported: a model is one file")
	case "error":
		text := ""
		for _, t := range rest {
			text += " " + t.Value
		}
		return diag.Wrong(pos, len(word.Value), "#error%s", text)
	default:
		return diag.Wrong(pos, len(word.Value), "unknown directive #%s%s", word.Value,
			spell.Hint(word.Value, directives))
	}
	return nil
}

// branch begins a branch of the innermost conditional.
func (p *Preprocessor) branch(word Token, rest []Token) error {
	c := &p.open[len(p.open)-1]
	pos := scan.Place(word.Pos)
	if c.last && (word.Value == "else" || word.Value == "elif") {
		return diag.Wrong(pos, len(word.Value), "#%s after #else", word.Value)
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
			return diag.Wrong(pos, len(word.Value), "#%s takes a name", word.Value)
		}
		p.Used[rest[0].Value] = true
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
func (p *Preprocessor) condition(pos diag.Pos, line []Token) (bool, error) {
	var list []Token
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
			return false, diag.Wrong(pos, 2, "defined takes a name")
		}
		value := line[i]
		p.Used[value.Value] = true
		p.ask(value.Value, value.Pos)
		_, known := p.macros[value.Value]
		value.Type, value.Value = scan.Number, map[bool]string{false: "0", true: "1"}[known]
		list = append(list, value)
		if parens {
			if i++; i >= len(line) || line[i].Value != ")" {
				return false, diag.Wrong(pos, 2, "defined( has no closing parenthesis")
			}
		}
	}
	list, err := p.expand(list, nil)
	if err != nil {
		return false, err
	}
	if len(list) == 0 {
		return false, diag.Wrong(pos, 2, "#if takes a condition")
	}
	var toks []lexer.Token
	for _, t := range list {
		if t.Type == scan.Name { // as in C
			t.Type, t.Value = scan.Number, "0"
		}
		toks = append(toks, t.Token)
	}
	e, err := ParseExpr(toks)
	if err != nil {
		return false, err
	}
	n, err := e.Constant()
	return err == nil && n != 0, err
}

func (p *Preprocessor) define(word Token, rest []Token) error {
	if len(rest) == 0 || rest[0].Type != scan.Name {
		return diag.Wrong(scan.Place(word.Pos), len(word.Value), "#define takes a name")
	}
	name, rest := rest[0], rest[1:]
	m := &Macro{Pos: scan.Place(name.Pos)}
	if len(rest) > 0 && rest[0].Value == "(" && !rest[0].spaced {
		m.takes = true
		i := 1
		for ; i < len(rest) && rest[i].Value != ")"; i++ {
			if rest[i].Type == scan.Name {
				m.Params, m.Placed = append(m.Params, rest[i].Value), append(m.Placed, rest[i].Pos)
			} else if rest[i].Value != "," {
				return diag.Wrong(scan.Place(rest[i].Pos), len(rest[i].Value), "expected a parameter of the macro %s",
					name.Value)
			}
		}
		if i == len(rest) {
			return diag.Wrong(m.Pos, len(name.Value), "the parameters of the macro %s have no closing parenthesis",
				name.Value)
		}
		rest = rest[i+1:]
	}
	m.Body = rest
	if old := p.macros[name.Value]; old != nil && old.Pos.File == p.name && !sameTokens(old.Body, m.Body) {
		var l diag.List
		e := l.Add(m.Pos, len(name.Value), "%s is defined again, differently", name.Value)
		e.Notes = append(e.Notes, diag.Note{Pos: old.Pos, Msg: "first defined here"})
		return l
	} else if old != nil && old.Pos.File != p.name {
		return nil // the command line has the last word
	}
	p.macros[name.Value] = m
	p.ask(name.Value, name.Pos)
	return nil
}

func sameTokens(a, b []Token) bool {
	return slices.EqualFunc(a, b, func(x, y Token) bool { return x.Value == y.Value })
}

// expand replaces macros, but not those that are being expanded.
func (p *Preprocessor) expand(list []Token, inside []string) ([]Token, error) {
	var out []Token
	for i := 0; i < len(list); i++ {
		t := list[i]
		m := p.macros[t.Value]
		if t.Type != scan.Name || m == nil || slices.Contains(inside, t.Value) || m.takes &&
			(i+1 >= len(list) || list[i+1].Value != "(") {
			out = append(out, t)
			if p.limit--; p.limit < 0 {
				return nil, diag.Wrong(scan.Place(t.Pos), len(t.Value), "the macros of this text expand to too much")
			}
			continue
		}
		p.Replaced[t.Value] = true
		p.ask(t.Value, t.From)
		body := m.Body
		if m.takes {
			args, n, err := p.arguments(t, list[i+1:])
			if err != nil {
				return nil, err
			}
			if len(args) != len(m.Params) && !(len(m.Params) == 0 && len(args) == 1 && len(args[0]) == 0) {
				return nil, diag.Wrong(scan.Place(t.Pos), len(t.Value), "the macro %s takes %d arguments, not %d",
					t.Value, len(m.Params), len(args))
			}
			i += n
			body = nil
			for _, b := range m.Body {
				if k := slices.Index(m.Params, b.Value); k >= 0 && b.Type == scan.Name {
					body = append(body, args[k]...)
				} else {
					body = append(body, b)
				}
			}
		}
		placed := make([]Token, len(body))
		for k, b := range body {
			b.Pos = t.Pos
			placed[k] = b
		}
		if len(inside) > maxNesting {
			return nil, diag.Wrong(scan.Place(t.Pos), len(t.Value), "macros are nested more than %d deep", maxNesting)
		}
		if p.limit -= len(placed) + 1; p.limit < 0 {
			return nil, diag.Wrong(scan.Place(t.Pos), len(t.Value), "the macros of this text expand to too much")
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
func (p *Preprocessor) arguments(name Token, list []Token) (args [][]Token, n int, err error) {
	depth := 0
	var arg []Token
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
	return nil, 0, diag.Wrong(scan.Place(name.Pos), len(name.Value),
		"the arguments of the macro %s have no closing parenthesis", name.Value)
}

// Constants returns what #define makes names of numbers, such as V0 for 0, in the order of their places.
func (p *Preprocessor) Constants() []Constant {
	var list []Constant
	for name, m := range p.macros {
		if !m.takes && len(m.Body) == 1 && m.Body[0].Type == scan.Number && m.Pos.File == p.name {
			var n int64
			if _, err := fmt.Sscan(m.Body[0].Value, &n); err == nil {
				list = append(list, Constant{name, n, m.Pos})
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
