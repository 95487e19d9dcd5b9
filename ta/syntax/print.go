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
	p.afterLine(f.Pos.Line)
	for i, s := range f.Sections {
		if i > 0 && !sameBlock(f.Sections[i-1], s) {
			p.blank()
		}
		p.section(s)
	}
	p.before(f.End.Pos.Offset)
	p.indent--
	p.line("}")
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

// afterLine moves one-line comments that end the given source line to the end
// of the line just printed.
func (p *printer) afterLine(line int) {
	for len(p.comments) > 0 && p.comments[0].Line == line && p.comments[0].EndLine == line {
		text := strings.TrimSuffix(p.b.String(), "\n") + " " + strings.TrimSpace(p.comments[0].Text) + "\n"
		p.b.Reset()
		p.b.WriteString(text)
		one := strings.HasPrefix(p.comments[0].Text, "//")
		p.comments = p.comments[1:]
		if one {
			return
		}
	}
}

// statement prints one line with the comments before it and on its line.
func (p *printer) statement(pos lexer.Position, format string, args ...any) {
	p.before(pos.Offset)
	p.line(fmt.Sprintf(format, args...))
	p.afterLine(pos.Line)
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
				p.statement(spec.Name.Pos, "%s:", spec.Name.Name)
				p.indent++
				p.line(spec.Formula.String() + ";")
				p.indent--
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
	p.afterLine(end.Pos.Line)
}

func (p *printer) conditions(c *Conditions) {
	for _, cond := range c.List {
		p.statement(cond.Pos, "%s;", cond.Expr)
	}
}

func (p *printer) rules(rules *Rules) {
	for _, r := range rules.List {
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
		p.statement(r.Pos, "%s: %s -> %s", r.ID, r.From.Name, r.To.Name)
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
