package ftdp

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/layout"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
)

// Format prints a text canonically: one statement a line, one layout, comments kept, symbols as words. It parses back
// to an equal file, and formatting it again changes nothing.
func Format(f *File) string { return format(f, nil) }

// FormatWith is Format of a text with readings of logs, whose statements laid lays out.
func FormatWith(f *File, laid func(*TraceBlock) ([]Laid, error)) (string, error) {
	blocks := map[*TraceBlock][]Laid{}
	for _, b := range f.Traces() {
		list, err := laid(b)
		if err != nil {
			return "", err
		}
		blocks[b] = list
	}
	return format(f, blocks), nil
}

// Text returns the text that was read; what a pass has made is printed.
func (f *File) Text() string {
	if f.made != nil {
		return Format(f)
	}
	var b strings.Builder
	for _, t := range f.Tokens {
		b.WriteString(t.Value)
	}
	return b.String()
}

// Digest names the text.
func (f *File) Digest() string {
	sum := sha256.Sum256([]byte(f.Text()))
	return hex.EncodeToString(sum[:8])
}

func format(f *File, laid map[*TraceBlock][]Laid) string {
	p := &printer{layout.Printer{Comments: comments(f.Tokens)}, f.Parameterized(), laid}
	p.Fresh = true
	for i, s := range f.Sections {
		p.Trailing(s.Pos.Offset)
		if i > 0 && !(p.sizes && p.joined(f.Sections[i-1], s)) {
			p.Blank()
		}
		p.section(s)
	}
	p.Before(int(^uint(0) >> 1))
	return p.String()
}

type printer struct {
	layout.Printer
	sizes bool // a protocol for all sizes: short sections stand together
	laid  map[*TraceBlock][]Laid
}

// joined reports whether no blank line is between two sections of a protocol for all
// sizes: in its head, and between properties of one line without comments.
func (p *printer) joined(a, b *Section) bool {
	head := func(s *Section) bool {
		return s.Protocol != nil || s.Parameters != nil || s.Assume != nil || s.Faults != nil || s.Messages != nil
	}
	_, first := property(a)
	_, second := property(b)
	comment := len(p.Comments) > 0 && p.Comments[0].Offset < b.Pos.Offset
	return head(a) && head(b) || first && second && !comment
}

// claim is how a property or a lemma begins, and what it says; nil of other sections.
func (s *Section) claim() (head string, says *Expr) {
	switch {
	case s.Invariant != nil:
		return "invariant " + s.Invariant.Name.Name + s.Invariant.after(), s.Invariant.Formula
	case s.Lemma != nil:
		return "lemma " + s.Lemma.Name.Name, s.Lemma.Formula
	case s.LTL == nil:
		return "", nil
	}
	fair := ""
	if s.LTL.Fair != nil {
		fair = " fair"
		if s.LTL.Fair.Rules != nil {
			fair += "(" + namesOf(s.LTL.Fair.Rules) + ")"
		}
	}
	return "ltl " + s.LTL.Name.Name + fair + s.LTL.Almost.String() + s.LTL.When() + s.LTL.after(), s.LTL.Formula
}

// property returns a property as one line, if it is one and fits there.
func property(s *Section) (string, bool) {
	head, says := s.claim()
	if says == nil {
		return "", false
	}
	line := head + ": " + says.String() + ";"
	return line, len(line) <= maxRule
}

// comments lists the comments among tokens.
func comments(tokens []lexer.Token) []layout.Comment {
	var list []layout.Comment
	for _, t := range tokens {
		if t.Type == scan.Comment {
			list = append(list, layout.Comment{Offset: t.Pos.Offset, Line: t.Pos.Line,
				EndLine: t.Pos.Line + strings.Count(t.Value, "\n"), Text: t.Value})
		}
	}
	return list
}

// indented prints something one level deeper.
func (p *printer) indented(f func()) {
	p.Indent++
	f()
	p.Indent--
}

func (p *printer) section(s *Section) {
	if line, ok := property(s); p.sizes && ok {
		p.Statement(s.Pos, "%s", line)
		return
	}
	switch {
	case s.Protocol != nil:
		p.Statement(s.Pos, "protocol %s;", s.Protocol.Name)
	case s.Consts != nil:
		p.Head(s.Pos, "const")
		p.indented(func() {
			for _, k := range s.Consts {
				p.Statement(k.Name.Pos, "%s = %s;", k.Name.Name, k.Value)
			}
		})
	case s.Channels != nil:
		var words []string
		for _, w := range s.Channels.Words {
			if w.Bound != nil {
				words = append(words, "bounded "+w.Bound.String())
			} else {
				words = append(words, w.Name.Name)
			}
		}
		p.Statement(s.Pos, "channels %s;", strings.Join(words, " "))
	case s.Types != nil:
		p.Head(s.Pos, "type")
		p.indented(func() {
			for _, d := range s.Types {
				if d.Role != nil {
					p.Statement(d.Name.Pos, "%s: role[%s];", d.Name.Name, d.Role)
				} else {
					p.typed(d.Name.Pos, d.Name.Name, d.Type, "")
				}
			}
		})
	case s.Vars != nil:
		p.Head(s.Pos, "var")
		p.indented(func() { p.decls(s.Vars) })
	case s.Init != nil:
		p.rules(s.Pos, "init", s.Init)
	case s.Rules != nil:
		p.rules(s.Pos, "rules", s.Rules)
	case s.Parameters != nil:
		p.Statement(s.Pos, "parameters %s;", namesOf(s.Parameters))
	case s.Assume != nil:
		p.Statement(s.Pos, "assume %s;", listed(s.Assume))
	case s.Faults != nil:
		count := ""
		if s.Faults.Count != nil {
			count = " " + s.Faults.Count.String()
		}
		if s.Faults.Of != nil {
			count += " of " + namesOf(s.Faults.Of)
		}
		p.Statement(s.Pos, "faults %s%s;", s.Faults.Model.Name, count)
	case s.Messages != nil:
		kinds := lists.Map(s.Messages, (*KindDecl).String)
		p.Statement(s.Pos, "messages %s;", strings.Join(kinds, ", "))
	case s.Starts != nil:
		p.Statement(s.Pos, "init %s;", listed(s.Starts))
	case s.Message != nil:
		kinds := lists.Map(s.Message, (*MessageDecl).String)
		if line := "message " + strings.Join(kinds, ", ") + ";"; len(line) <= maxLine {
			p.Statement(s.Pos, "%s", line)
			break
		}
		p.Head(s.Pos, "message")
		p.indented(func() {
			for i, k := range s.Message {
				p.Statement(k.Name.Pos, "%s%s", k, map[bool]string{true: ";", false: ","}[i == len(kinds)-1])
			}
		})
	case s.Names != nil:
		p.Statement(s.Pos, "names %s;", s.Names)
	case s.Recovery != nil:
		p.Statement(s.Pos, "recovery %s;", namesOf(s.Recovery))
	case s.Process != nil:
		p.process(s)
	case s.Trace != nil:
		p.trace(s)
	case s.Define != nil:
		params := lists.Map(s.Define.Params, func(d *Param) string { return strings.TrimPrefix(d.String(), "[]") })
		p.Head(s.Pos, "define %s%s =", s.Define.Name.Name, strings.Join(params, ""))
		p.indented(func() { p.formula(s.Define.Value) })
	default:
		head, says := s.claim()
		p.Head(s.Pos, "%s:", head)
		p.indented(func() { p.formula(says) })
	}
}

func listed(list []*Expr) string {
	texts := lists.Map(list, (*Expr).String)
	return strings.Join(texts, ", ")
}

// process prints the process of a protocol for all sizes. Rules that fit get a line.
func (p *printer) process(s *Section) {
	p.Head(s.Pos, "process %s[%s]", s.Process.Name.Name, s.Process.Size)
	p.indented(func() {
		for _, v := range s.Process.Vars {
			first := ""
			if v.First != nil {
				first = " = " + v.First.String()
			}
			kind := v.Kind
			if v.Kept {
				kind = "kept " + kind
			}
			p.Statement(v.Names[0].Pos, "%s %s: %s%s;", kind, namesOf(v.Names), v.Type, first)
		}
		for i, r := range s.Process.Rules {
			if i == 0 && len(s.Process.Vars) > 0 {
				p.Trailing(r.Pos.Offset)
				p.Blank()
			}
			head := r.Label.Name + ":"
			if r.Maybe {
				head = "maybe " + head
			}
			if r.Late {
				head = "timeout " + head
			}
			if r.Always {
				head = "always " + head
			}
			for _, d := range slices.Backward(r.Params) {
				head = d.String() + " " + head
			}
			if line, ok := p.short(head, r); ok {
				p.Statement(r.Pos, "%s", line)
				continue
			}
			p.Head(r.Pos, "%s", head)
			p.indented(func() { p.block(r.Body, 0) })
		}
		p.Before(s.Process.End.Offset)
	})
	p.Line("end")
}

// maxRule is how long a rule on one line may be.
const maxRule = 130

// short returns a rule on one line, if it fits there and has no comments.
func (p *printer) short(head string, r *ProcessRule) (string, bool) {
	body := Statements(r.Body)
	if len(body) != 1 || body[0].If == nil || len(body[0].If.Elsif) > 0 || body[0].If.Else != nil {
		return "", false
	}
	for _, c := range p.Comments {
		if c.Offset > r.Pos.Offset && c.Offset < body[0].If.End.Offset {
			return "", false
		}
	}
	line := head + " if " + body[0].If.Guards[0].String() + " then"
	for _, st := range Statements(body[0].If.Thens[0].List) {
		switch {
		case st.Send != nil:
			line += " " + st.Send.String() + ";"
		case st.Assign != nil:
			line += " " + st.Assign.Place.Expr.String() + " " + st.Assign.Op + " " + st.Assign.Value.String() + ";"
		case st.Round() != "":
			line += " " + st.Round() + ";"
		default:
			return "", false
		}
	}
	line += " endif"
	return line, len(line)+2*p.Indent <= maxRule
}

// String prints the statement.
func (s *Send) String() string {
	text := "send " + s.Kind.Name
	if s.Values != nil {
		text += "(" + listed(s.Values) + ")"
	}
	if s.To == nil {
		return text
	}
	if s.To.Who != nil {
		return text + " to " + s.To.Who.String()
	}
	if text += " to " + s.To.All; s.To.Role != nil {
		text += " of " + s.To.Role.Name
	}
	return text
}

// String prints the declaration.
func (k *KindDecl) String() string {
	if k.Fields == nil {
		return k.Name.Name
	}
	var fields []string
	for _, f := range k.Fields {
		text := f.Type.String()
		if f.Name != nil {
			text = f.Name.Name + ": " + text
		}
		fields = append(fields, text)
	}
	return k.Name.Name + "(" + strings.Join(fields, ", ") + ")"
}

// String prints the kind of messages.
func (k *MessageDecl) String() string {
	if k.Fields == nil {
		return k.Name.Name
	}
	fields := lists.Map(k.Fields, (*Decl).String)
	return k.Name.Name + "(" + strings.Join(fields, ", ") + ")"
}

// String prints the head of a rule.
func (r *Receive) String() string {
	text := "receive " + r.Kind.Name
	if r.Fields != nil {
		text += "(" + namesOf(r.Fields) + ")"
	}
	text += " from " + r.From.Name
	switch {
	case r.Quorum != nil:
		text += ": " + r.Quorum.String()
	case r.Role != nil:
		text += ": " + r.Role.String()
	}
	return text
}

// String prints the quorum.
func (q *Quorum) String() string {
	least := ""
	if q.AtLeast {
		least = ">= "
	}
	return "quorum[" + least + q.Size.String() + "] of " + q.Role.Name
}

func (p *printer) decls(list []*Decl) {
	for _, d := range list {
		p.typed(d.Names[0].Pos, d.names(), d.Type, d.first())
	}
}

// typed prints a declaration; the fields of records get lines of their own.
func (p *printer) typed(pos lexer.Position, name string, t *TypeExpr, first string) {
	prefix := ""
	for t.Array != nil || t.Seq != nil {
		if t.Seq != nil {
			prefix += "seq[" + t.Seq.Max.String() + "] of "
			t = t.Seq.Of
			continue
		}
		prefix += "array[" + t.Array.Index.String() + "] of "
		t = t.Array.Of
	}
	if t.Record == nil {
		p.Statement(pos, "%s: %s%s%s;", name, prefix, t, first)
		return
	}
	p.Head(pos, "%s: %srecord", name, prefix)
	p.indented(func() {
		p.decls(t.Record.Fields)
		p.Before(t.Record.End.Offset)
	})
	p.Line("end" + first + ";")
}

// maxLine is where formulas are broken.
const maxLine = 110

// formula prints a formula, broken at its outermost operators if it is long.
func (p *printer) formula(e *Expr) {
	lines := broken(e, "", maxLine-2*p.Indent)
	for i, l := range lines {
		if i == len(lines)-1 {
			l += ";"
		}
		p.Line(l)
	}
}

// broken returns e as lines of at most width characters where that is possible.
func broken(e *Expr, lead string, width int) []string {
	text := lead + e.String()
	if len(text) <= width {
		return []string{text}
	}
	switch e.Op {
	case ForAll, Exists:
		head := lead + string(e.Op) + " (" + e.Name + ": " + e.Type.String() + ")"
		rest := broken(e.Args[0], "", width-2)
		if beginsRecord(rest[0]) {
			rest[0] = "(" + rest[0]
			rest[len(rest)-1] += ")"
		}
		if e.Args[0].Op == ForAll || e.Args[0].Op == Exists {
			return append([]string{head + " " + rest[0]}, rest[1:]...)
		}
		out := []string{head}
		for _, l := range rest {
			out = append(out, "  "+l)
		}
		return out
	case And, Or, Implies:
		op := string(e.Op)
		var out []string
		for i, arg := range e.Args {
			prefix := lead
			if i > 0 {
				prefix = op + " "
			}
			if e.Op == Implies && i == 1 && arg.Op.Strength() == Iff.Strength() || (e.Op != Implies || i == 0) &&
				arg.Op.Strength() <= e.Op.Strength() {
				out = append(out, prefix+"("+arg.String()+")")
			} else {
				out = append(out, broken(arg, prefix, width)...)
			}
		}
		return out
	}
	return []string{text}
}

// String prints the parameter: [](i: T).
func (d *Param) String() string {
	if q := d.Quorum; q != nil {
		return "[](" + d.Name.Name + ": " + q.String() + ")"
	}
	return "[](" + d.Name.Name + ": " + d.Type.String() + ")"
}

func (p *printer) rules(pos lexer.Position, name string, list []*Rule) {
	p.Head(pos, "%s", name)
	p.indented(func() {
		for i, r := range list {
			if i > 0 {
				p.Line("[]")
			}
			if r.Else {
				p.Statement(r.Pos, "ELSE")
				continue
			}
			head := lists.Map(r.Params, (*Param).String)
			if r.Byz {
				head = append(head, "byz")
			}
			if r.Maybe {
				head = append(head, "maybe")
			}
			head = append(head, r.Label.Name+":")
			if r.Inner {
				head = append(head, "receive nothing")
			}
			if r.Head != nil {
				head = append(head, r.Head.String())
			}
			p.Head(r.Pos, "%s", strings.Join(head, " "))
			p.indented(func() { p.block(r.Body, r.End.Offset) })
		}
	})
}

// block prints statements, and the comments before the place where they end.
func (p *printer) block(list []*Statement, end int) {
	list = Statements(list)
	for _, s := range list {
		p.statement(s)
	}
	if end > 0 && len(list) > 0 {
		p.Trailing(end)
	}
}

func (p *printer) statement(s *Statement) {
	switch {
	case s.Round() != "":
		p.Statement(s.Pos, "%s;", s.Round())
	case s.If != nil:
		p.Head(s.Pos, "if %s then", s.If.Guards[0])
		p.indented(func() { p.block(s.If.Thens[0].List, 0) })
		for _, e := range s.If.Elsif {
			p.indented(func() { p.Before(e.Pos.Offset) })
			p.Head(e.Pos, "elsif %s then", e.Guard)
			p.indented(func() { p.block(e.Then.List, 0) })
		}
		if s.If.Else != nil {
			p.indented(func() { p.Before(s.If.Else.Pos.Offset) })
			p.Head(s.If.Else.Pos, "else")
			p.indented(func() { p.block(s.If.Else.Body.List, 0) })
		}
		p.indented(func() { p.Before(s.If.End.Offset) })
		p.Line("endif")
	case s.For != nil:
		p.Head(s.Pos, "for %s: %s do", s.For.Var.Name, s.For.Type)
		p.indented(func() { p.block(s.For.Body.List, 0) })
		p.indented(func() { p.Before(s.For.End.Offset) })
		p.Line("endfor")
	case s.Undefine != nil:
		p.Statement(s.Pos, "undefine %s;", s.Undefine)
	case s.Send != nil:
		p.Statement(s.Pos, "%s;", s.Send)
	case s.Skip:
		p.Statement(s.Pos, "skip;")
	case s.Let != nil:
		p.Statement(s.Pos, "let %s = %s;", s.Let.Name.Name, s.Let.Value)
	default:
		p.Statement(s.Pos, "%s %s %s;", s.Assign.Place.Expr.String(), s.Assign.Op, s.Assign.Value)
	}
}

// Round prints a statement of rounds; "" for others.
func (s *Statement) Round() string {
	switch {
	case s.Next:
		return "next"
	case s.Toss != nil:
		return "toss " + s.Toss.Name
	case s.Coin != nil && s.Coin.After != nil:
		return "coin " + s.Coin.Var.Name + " after " + s.Coin.After.String()
	case s.Coin != nil:
		return "coin " + s.Coin.Var.Name
	}
	return ""
}

// String prints it with a blank in front; "" for nil.
func (a *Almost) String() string {
	if a == nil {
		return ""
	}
	text := " almost surely"
	for _, w := range a.How {
		text += " " + w
	}
	return text
}

// When prints which runs a property is about: those whose rounds are good at last, or all.
func (p *Property) When() string {
	if p.Good {
		return " eventually good"
	}
	return ""
}

// after prints after how many rounds a property is asked.
func (p *Property) after() string {
	if p.After == nil {
		return ""
	}
	return " after " + p.After.String() + " rounds"
}

// trace prints a reading.
func (p *printer) trace(s *Section) {
	p.Head(s.Pos, "trace %s", s.Trace.Name.Name)
	p.indented(func() {
		for _, st := range p.laid[s.Trace] {
			p.Statement(lexer.Position{Offset: st.Offset, Line: st.From}, "%s", st.Lines[0])
			for _, line := range st.Lines[1:] {
				p.Line(line)
			}
			p.Source = st.To
		}
		p.Before(s.Trace.End.Offset)
	})
	p.Line("end")
}
