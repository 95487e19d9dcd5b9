package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/layout"
	"github.com/tacheck/tacheck/internal/lists"
)

// Format prints f canonically: one statement a line, one layout, comments kept in front of (or on the line of) the
// statement they stand at. The text parses back to an equal file, and formatting it again changes nothing.
func Format(f *File) string {
	p := &printer{layout.Printer{Comments: f.Comments}}
	p.Before(f.Pos.Offset)
	for _, text := range f.Remarks {
		p.Line("// " + text)
	}
	header := f.Header
	if header == "" {
		header = "skel"
	}
	p.Line(strings.TrimSpace(header+" "+f.Name) + " {")
	p.Indent++
	p.Fresh = true
	p.Source = f.Pos.Line
	for i, s := range f.Sections {
		p.Trailing(s.Pos.Offset)
		if i > 0 && !sameBlock(f.Sections[i-1], s) {
			p.Blank()
		}
		p.section(s)
	}
	p.Before(f.End.Pos.Offset)
	p.Indent--
	p.Line("}")
	p.Source = f.End.Pos.Line
	p.Before(int(^uint(0) >> 1))
	return p.String()
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

type printer struct{ layout.Printer }

// maxLine is where formulas are broken.
const maxLine = 100

// formula prints a specification's formula, broken at its outermost operators if it is long.
func (p *printer) formula(e *Expr) {
	p.Indent++
	lines := broken(e, "", maxLine-2*p.Indent)
	for i, l := range lines {
		if i == len(lines)-1 {
			l += ";"
		}
		p.Line(l)
	}
	p.Indent--
}

// broken returns e as lines of at most width characters where that is possible; lead stands before the first.
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
		p.Statement(s.Pos, "local %s;", names(s.Local))
	case s.Shared != nil:
		p.Statement(s.Pos, "shared %s;", names(s.Shared))
	case s.Parameters != nil:
		p.Statement(s.Pos, "parameters %s;", names(s.Parameters))
	case s.Unknowns != nil:
		p.Statement(s.Pos, "unknowns %s;", names(s.Unknowns))
	case s.Define != nil:
		p.Statement(s.Pos, "define %s == %s;", s.Define.Name.Name, s.Define.Value)
	case s.Assumptions != nil:
		p.block(s.Pos, "assumptions", len(s.Assumptions.List), s.Assumptions.End,
			func() { p.conditions(s.Assumptions) })
	case s.Inits != nil:
		p.block(s.Pos, "inits", len(s.Inits.List), s.Inits.End, func() { p.conditions(s.Inits) })
	case s.Locations != nil:
		p.block(s.Pos, "locations", len(s.Locations.List), s.Locations.End, func() {
			for _, l := range s.Locations.List {
				if len(l.Vector) == 0 {
					p.Statement(l.Pos, "%s;", l.Name.Name)
				} else {
					p.Statement(l.Pos, "%s: [%s];", l.Name.Name, strings.Join(l.Vector, "; "))
				}
			}
		})
	case s.Rules != nil:
		p.block(s.Pos, "rules", len(s.Rules.List), s.Rules.End, func() { p.rules(s.Rules) })
	case s.Rounds != nil:
		p.block(s.Pos, "rounds", len(s.Rounds.List), s.Rounds.End, func() { p.rounds(s.Rounds) })
	case s.Specifications != nil:
		p.block(s.Pos, "specifications", len(s.Specifications.List), s.Specifications.End, func() {
			for _, spec := range s.Specifications.List {
				p.Head(spec.Name.Pos, "%s:", spec.Name.Name)
				p.formula(spec.Formula)
			}
		})
	}
}

func (p *printer) block(pos lexer.Position, name string, n int, end End, body func()) {
	p.Statement(pos, "%s (%d) {", name, n)
	p.Indent++
	p.Fresh = true
	body()
	p.Before(end.Pos.Offset)
	p.Indent--
	p.Line("}")
	p.Source = end.Pos.Line
}

func (p *printer) conditions(c *Conditions) {
	for _, cond := range c.List {
		p.Statement(cond.Pos, "%s;", cond.Expr)
	}
}

func (p *printer) rules(rules *Rules) {
	for _, r := range rules.List {
		p.Trailing(r.Pos.Offset)
		if len(p.Comments) > 0 && p.Comments[0].Offset < r.Pos.Offset {
			p.Blank()
		}
		guard := "true"
		if r.Guard != nil {
			guard = r.Guard.String()
		}
		actions := lists.Map(r.Actions, func(a *Action) string { return " " + a.String() + ";" })
		remark := ""
		if r.Remark != "" {
			remark = " // " + r.Remark
		}
		p.Head(r.Pos, "%s: %s -> %s%s", r.ID, r.From.Name, r.To.Name, remark)
		p.Indent += 2
		p.Line("when (" + guard + ")")
		p.Line("do {" + strings.Join(actions, "") + " };")
		p.Indent -= 2
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
	list := lists.Map(ids, func(id *Ident) string { return id.Name })
	return strings.Join(list, ", ")
}

// String prints the item without its semicolon.
func (i *RoundsItem) String() string {
	switch {
	case i.Throughout != nil:
		return "throughout " + names(i.Throughout)
	case i.Missing != nil:
		return "missing " + i.Missing.Var.Name + " (" + names(i.Missing.At.Names) + ") " + i.Missing.Total.String()
	case i.Late != nil:
		return "late " + strings.Join(i.Late, ", ")
	case i.Leader != nil:
		text := "coordinator (" + names(i.Leader.At.Names) + ") most " + i.Leader.Most.String()
		if i.Leader.When != nil {
			text += " when " + i.Leader.When.Name
		}
		return text
	case i.After != nil:
		return i.Name.Name + ": after " + i.After.Rounds.String() + ": " + i.After.Formula.String()
	case i.Values != nil:
		parts := lists.Map(i.Values, func(g *Group) string { return "(" + names(g.Names) + ")" })
		return "values " + strings.Join(parts, " ")
	case i.Revealed != nil:
		return "revealed " + i.Revealed.String()
	case i.Fair != nil:
		return "fair " + i.Fair.String()
	case i.Timely != nil:
		return "timely " + i.Timely.String()
	case i.Almost != nil:
		return i.Name.Name + ": " + i.Almost.Kind + " " + i.Almost.Goal.String()
	case i.Switch.To != nil:
		return i.Name.Name + " -> " + i.Switch.To.Name
	}
	return i.Name.Name + " -> " + i.Switch.Kind + "(" + names(i.Switch.Group.Names) + ")"
}

// rounds prints the section.
func (p *printer) rounds(r *Rounds) {
	for _, i := range r.List {
		switch {
		case i.Fair != nil:
			p.Head(i.Pos, "fair")
			p.formula(i.Fair)
		case i.Timely != nil:
			p.Head(i.Pos, "timely")
			p.formula(i.Timely)
		default:
			p.Statement(i.Pos, "%s;", i)
		}
	}
}
