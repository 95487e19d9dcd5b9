package pyv

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/layout"
	"github.com/tacheck/tacheck/internal/lists"
)

// Format prints a text in canonical form: a declaration a line, a conjunct a line in what is long, comments kept.
func Format(file, text string) (string, error) {
	t, err := parse(file, text)
	if err != nil {
		return "", err
	}
	p := &layout.Printer{Comments: t.comments, Fresh: true}
	for _, d := range t.decls {
		p.Before(d.first.offset)
		if d.first.blank {
			p.Blank()
		}
		p.Source = d.last.pos.Line
		p.Before(d.first.offset)
		printDecl(p, d)
	}
	p.Before(len(text) + 1)
	return p.String(), nil
}

func at(t token) lexer.Position { return lexer.Position{Offset: t.offset, Line: t.pos.Line} }

func printDecl(p *layout.Printer, d *decl) {
	head := words(d.words)
	if d.skipped != nil {
		printSkipped(p, d, head)
		return
	}
	switch d.kind() {
	case "transition", "definition", "sort", "relation", "function", "constant":
		head += " " + d.name.text
	default:
		if d.name.text != "" {
			head += " [" + d.name.text + "]"
		}
	}
	if d.args != nil {
		head += "(" + join_(d.args) + ")"
	}
	if d.params != nil || d.kind() == "transition" || d.kind() == "definition" {
		head += "(" + bindings(d.params) + ")"
	}
	if d.result.text != "" {
		head += ": " + d.result.text
	}
	for _, n := range d.notes {
		head += " " + n
	}
	switch {
	case d.body == nil:
		p.Statement(at(d.first), "%s", head)
		p.Source = d.last.pos.Line
		return
	case d.is("derived"):
		head += ":"
	case d.kind() == "definition" && d.modifies == nil:
		head += " ="
	}
	whole := head + " " + show(d.body, levelAny)
	if d.kind() != "transition" && d.modifies == nil && len(whole) <= widest {
		p.Statement(at(d.first), "%s", whole)
		p.Source = d.last.pos.Line
		return
	}
	p.Head(at(d.first), "%s", head)
	p.Indent++
	if d.modifies != nil {
		p.Statement(at(d.modifies[0]), "modifies %s", join_(d.modifies))
	}
	if d.body.op == "&" {
		for _, part := range flat(d.body) {
			p.Statement(at(start(part)), "& %s", show(part, levelAnd))
		}
	} else {
		p.Statement(at(start(d.body)), "%s", show(d.body, levelAny))
	}
	p.Indent--
	p.Source = d.last.pos.Line
}

// widest is the longest line that is not broken.
const widest = 110

// flat lists the conjuncts of conjuncts.
func flat(n *node) (list []*node) {
	if n.op != "&" {
		return []*node{n}
	}
	for _, a := range n.args {
		list = append(list, flat(a)...)
	}
	return list
}

// start is the first token of an expression, brackets apart.
func start(n *node) token {
	t := n.tok
	for _, a := range n.args {
		if first := start(a); first.offset < t.offset {
			t = first
		}
	}
	return t
}

func words(list []token) string {
	parts := lists.Map(list, func(t token) string { return t.text })
	return strings.Join(parts, " ")
}

func join_(list []token) string { return strings.ReplaceAll(words(list), " ", ", ") }

func bindings(list []binding) string {
	var parts []string
	for _, b := range list {
		text := b.name.text
		if b.sort.text != "" {
			text += ": " + b.sort.text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// printSkipped prints what is read over as it is written, but for white space.
func printSkipped(p *layout.Printer, d *decl, head string) {
	open := slices.IndexFunc(d.skipped, func(t token) bool { return t.text == "{" })
	p.Head(at(d.first), "%s %s", head, words(d.skipped[:open+1]))
	line := ""
	indent := 1
	d.skipped = d.skipped[open+1:]
	flush := func(next token) {
		if line != "" {
			p.Line(strings.Repeat("  ", indent) + line)
		}
		line = ""
		p.Before(next.offset)
	}
	for i, t := range d.skipped {
		if t.first {
			flush(t)
		}
		if t.text == "}" && line == "" {
			indent--
		}
		glued := line == "" || strings.ContainsAny(t.text[:1], "),.:'") ||
			i > 0 && (strings.ContainsAny(d.skipped[i-1].text, "(!~@") && d.skipped[i-1].text != "!=") ||
			t.text == "(" && i > 0 && d.skipped[i-1].word && IsName(d.skipped[i-1].text)
		if !glued {
			line += " "
		}
		line += t.text
		if t.text == "{" && i+1 < len(d.skipped) && d.skipped[i+1].first {
			flush(d.skipped[i+1])
			indent++
		}
	}
	flush(d.last)
	p.Source = d.last.pos.Line
}

func show(n *node, least int) string {
	text, level := "", levelEqual+1
	list := func(sign string, level int) string {
		parts := lists.Map(n.args, func(a *node) string { return show(a, level) })
		return strings.Join(parts, sign)
	}
	switch n.op {
	case "&", "|", "<->", "=", "!=":
		level = infix[n.op].Level
		text = list(" "+n.op+" ", level)
	case "->":
		level = levelImplies
		text = show(n.args[0], level) + " -> " + show(n.args[1], level-1)
	case "!":
		level = levelNot
		text = "!" + show(n.args[0], levelNot)
	case "forall", "exists":
		level = levelAny
		text = n.op + " " + strings.ReplaceAll(bindings(n.vars), ": ", ":") + ". " + list("", levelAny)
	case "if":
		level = levelAny
		text = "if " + show(n.args[0], levelAny) + " then " + show(n.args[1], levelAny) + " else " +
			show(n.args[2], levelAny)
	case "let":
		level = levelAny
		text = "let " + bindings(n.vars) + " = " + show(n.args[0], levelAny) + " in " + show(n.args[1], levelAny)
	case "new", "old", "distinct":
		text = n.op + "(" + list(", ", levelAny) + ")"
	case "true", "false":
		text = n.op
	default:
		text = n.tok.text
		if n.prime {
			text += "'"
		}
		if n.args != nil {
			text += "(" + list(", ", levelAny) + ")"
		}
	}
	if level <= least && !(level == levelAny && least == levelAny) {
		return "(" + text + ")"
	}
	return text
}
