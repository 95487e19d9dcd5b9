package syntax

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// Format prints f canonically: one statement a line, one layout, comments
// kept in front of (or on the line of) the statement they stand at. The text
// parses back to an equal file, and formatting it again changes nothing.
func Format(f *File) string {
	p := &printer{comments: f.Comments}
	p.before(f.Pos.Offset)
	header := f.Header
	if header == "" {
		header = "skel"
	}
	p.line(strings.TrimSpace(header+" "+f.Name) + " {")
	p.indent++
	p.fresh = true
	p.source = f.Pos.Line
	for i, s := range f.Sections {
		p.trailing(s.Pos.Offset)
		if i > 0 && !sameBlock(f.Sections[i-1], s) {
			p.blank()
		}
		p.section(s)
	}
	p.before(f.End.Pos.Offset)
	p.indent--
	p.line("}")
	p.source = f.End.Pos.Line
	p.before(int(^uint(0) >> 1))
	return p.b.String()
}

// sameBlock tells the one-line declarations that stand together.
func sameBlock(a, b *Section) bool {
	return kind(a) != "" && (kind(a) == kind(b) || kind(a) != "define" && kind(b) != "define" && kind(b) != "")
}

func kind(s *Section) string {
	switch {
	case s.Local != nil:
		return "local"
	case s.Shared != nil:
		return "shared"
	case s.Parameters != nil:
		return "parameters"
	case s.Unknowns != nil:
		return "unknowns"
	case s.Define != nil:
		return "define"
	}
	return ""
}

type printer struct {
	b        strings.Builder
	indent   int
	comments []Comment // not yet printed
	source   int       // source line of the statement printed last, if comments may join it
	fresh    bool      // nothing since the last opening brace or blank line
}

func (p *printer) line(text string) {
	p.b.WriteString(strings.Repeat("  ", p.indent) + text + "\n")
	p.fresh = false
}

func (p *printer) blank() {
	if !p.fresh {
		p.b.WriteByte('\n')
		p.fresh = true
	}
}

// before prints the comments that stand before the given offset.
func (p *printer) before(offset int) {
	p.trailing(offset)
	p.source = 0
	for len(p.comments) > 0 && p.comments[0].Offset < offset {
		for _, text := range strings.Split(p.comments[0].Text, "\n") {
			text = strings.TrimSpace(text)
			if strings.HasPrefix(text, "*") {
				text = " " + text
			}
			p.b.WriteString(strings.TrimRight(strings.Repeat("  ", p.indent)+text, " ") + "\n")
		}
		p.fresh = false
		p.comments = p.comments[1:]
	}
}

// trailing moves one-line comments that stand before the given offset, on the
// source line of the statement printed last, to the end of its line.
func (p *printer) trailing(offset int) {
	for len(p.comments) > 0 {
		c := p.comments[0]
		if c.Offset >= offset || c.Line != p.source || c.EndLine != p.source {
			return
		}
		text := strings.TrimSuffix(p.b.String(), "\n") + " " + strings.TrimSpace(c.Text) + "\n"
		p.b.Reset()
		p.b.WriteString(text)
		p.comments = p.comments[1:]
	}
}

// statement prints one line with the comments before it and on its line.
func (p *printer) statement(pos lexer.Position, format string, args ...any) {
	p.before(pos.Offset)
	p.line(fmt.Sprintf(format, args...))
	p.source = pos.Line
}

// head prints the first line of a statement that takes several; comments on
// that line of the source stay with it.
func (p *printer) head(pos lexer.Position, format string, args ...any) {
	p.statement(pos, format, args...)
	p.trailing(int(^uint(0) >> 1))
	p.source = 0
}

// maxLine is where formulas are broken.
const maxLine = 100

// formula prints a specification's formula, broken at its outermost operators
// if it is long.
func (p *printer) formula(e *Expr) {
	p.indent++
	lines := broken(e, "", maxLine-2*p.indent)
	for i, l := range lines {
		if i == len(lines)-1 {
			l += ";"
		}
		p.line(l)
	}
	p.indent--
}

// broken returns e as lines of at most width characters where that is
// possible; lead stands before the first.
func broken(e *Expr, lead string, width int) []string {
	text := lead + e.String()
	if len(text) <= width || e.Op != Implies && e.Op != And && e.Op != Or {
		return []string{text}
	}
	var out []string
	for i, arg := range e.Args {
		prefix := lead
		if i > 0 {
			prefix = e.Op.String() + " "
		}
		if arg.Op.precedence() > e.Op.precedence() {
			out = append(out, broken(arg, prefix, width)...)
		} else {
			out = append(out, prefix+"("+arg.String()+")")
		}
	}
	return out
}

func (p *printer) section(s *Section) {
	switch {
	case s.Local != nil:
		p.statement(s.Pos, "local %s;", names(s.Local))
	case s.Shared != nil:
		p.statement(s.Pos, "shared %s;", names(s.Shared))
	case s.Parameters != nil:
		p.statement(s.Pos, "parameters %s;", names(s.Parameters))
	case s.Unknowns != nil:
		p.statement(s.Pos, "unknowns %s;", names(s.Unknowns))
	case s.Define != nil:
		p.statement(s.Pos, "define %s == %s;", s.Define.Name.Name, s.Define.Value)
	case s.Assumptions != nil:
		p.block(s.Pos, "assumptions", len(s.Assumptions.List), s.Assumptions.End, func() { p.conditions(s.Assumptions) })
	case s.Inits != nil:
		p.block(s.Pos, "inits", len(s.Inits.List), s.Inits.End, func() { p.conditions(s.Inits) })
	case s.Locations != nil:
		p.block(s.Pos, "locations", len(s.Locations.List), s.Locations.End, func() {
			for _, l := range s.Locations.List {
				if len(l.Vector) == 0 {
					p.statement(l.Pos, "%s;", l.Name.Name)
				} else {
					p.statement(l.Pos, "%s: [%s];", l.Name.Name, strings.Join(l.Vector, "; "))
				}
			}
		})
	case s.Rules != nil:
		p.block(s.Pos, "rules", len(s.Rules.List), s.Rules.End, func() { p.rules(s.Rules) })
	case s.Specifications != nil:
		p.block(s.Pos, "specifications", len(s.Specifications.List), s.Specifications.End, func() {
			for _, spec := range s.Specifications.List {
				p.head(spec.Name.Pos, "%s:", spec.Name.Name)
				p.formula(spec.Formula)
			}
		})
	}
}

func (p *printer) block(pos lexer.Position, name string, n int, end End, body func()) {
	p.statement(pos, "%s (%d) {", name, n)
	p.indent++
	p.fresh = true
	body()
	p.before(end.Pos.Offset)
	p.indent--
	p.line("}")
	p.source = end.Pos.Line
}

func (p *printer) conditions(c *Conditions) {
	for _, cond := range c.List {
		p.statement(cond.Pos, "%s;", cond.Expr)
	}
}

func (p *printer) rules(rules *Rules) {
	for _, r := range rules.List {
		p.trailing(r.Pos.Offset)
		if len(p.comments) > 0 && p.comments[0].Offset < r.Pos.Offset {
			p.blank()
		}
		guard := "true"
		if r.Guard != nil {
			guard = r.Guard.String()
		}
		actions := make([]string, len(r.Actions))
		for i, a := range r.Actions {
			actions[i] = " " + a.String() + ";"
		}
		p.head(r.Pos, "%s: %s -> %s", r.ID, r.From.Name, r.To.Name)
		p.indent += 2
		p.line("when (" + guard + ")")
		p.line("do {" + strings.Join(actions, "") + " };")
		p.indent -= 2
	}
}

// String prints the action without its semicolon.
func (a *Action) String() string {
	if a.Unchanged != nil {
		return "unchanged(" + names(a.Unchanged.Names) + ")"
	}
	return a.Update.Var.Name + "' == " + a.Update.Value.String()
}

func names(ids []*Ident) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id.Name
	}
	return strings.Join(list, ", ")
}
