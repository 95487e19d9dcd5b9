package reading

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// maxReading bounds the size of a reading.
const maxReading = 1 << 20

// Parse reads a reading. Its error is a diag.List.
func Parse(file, text string) (r *Reading, err error) {
	p, err := parse(diag.Pos{File: file, Line: 1, Col: 1}, text)
	if err != nil {
		return nil, err
	}
	return p.r, nil
}

// parse reads a reading whose text stands at a place.
func parse(at diag.Pos, text string) (p *parser, err error) {
	p = &parser{text: text, r: &Reading{File: at.File, Text: text}}
	if len(text) > maxReading {
		p.list.Add(at, 1, "the reading is larger than %d bytes", maxReading)
		return nil, p.list
	}
	p.tokens = lex(at, text)
	defer diag.Caught(func(wrongReading) { p, err = nil, p.list.Err() })
	for p.peek().kind != lexer.EOF {
		p.spans = nil
		begin := p.at
		p.statement()
		p.statements = append(p.statements, statementAt{begin, p.at - 1, p.spans})
	}
	if p.r.Calls != nil && p.r.Clock == nil {
		p.r.Clock = &ClockRule{Pos: p.r.Calls.pos, Lines: true}
	}
	for _, x := range p.paths {
		if x != p.r.root {
			x.root = p.r.root
		}
	}
	return p, nil
}

// parser reads a reading from left to right; the first problem ends it.
type parser struct {
	text       string
	tokens     []token
	at         int
	r          *Reading
	list       diag.List
	statements []statementAt
	paths      []*Path
	spans      []spelled // of the statement that is read
}

type wrongReading struct{}

func (p *parser) fail(t token, format string, args ...any) {
	p.list.Add(t.pos, max(1, utf8.RuneCountInString(t.text)), format, args...)
	panic(wrongReading{})
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != lexer.EOF {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool {
	return p.peek().text == text && p.peek().kind != scan.Text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func shown(t token) string {
	if t.kind == lexer.EOF {
		return "end of the file"
	}
	return strconv.Quote(t.text)
}

func (p *parser) want(text string) {
	if !p.accept(text) {
		p.fail(p.peek(), "unexpected %s (expected %q)%s", shown(p.peek()), text, instead[text+p.peek().text])
	}
}

// instead says what to write where one sign is expected and another one stands.
var instead = map[string]string{
	";and": "; checks are separated by commas", ";&": "; checks are separated by commas",
	":&": "; conditions are joined by `and`", ":|": "; conditions are joined by `or`",
}

const alone = "a value of the log stands alone, on the right of a comparison: `EXPRESSION = $x`"

func (p *parser) name(what string) Word {
	t := p.next()
	if t.kind != scan.Name {
		p.fail(t, "unexpected %s (expected %s)", shown(t), what)
	}
	return Word{t.text, t.pos}
}

func (p *parser) str() string {
	t := p.next()
	var s string
	if t.kind == scan.Number {
		return t.text
	}
	if t.kind != scan.Text || json.Unmarshal([]byte(t.text), &s) != nil {
		p.fail(t, "unexpected %s (expected a text in quotes, as the log has it)", shown(t))
	}
	return s
}

func (p *parser) number() int64 {
	t := p.next()
	n, err := strconv.ParseInt(t.text, 10, 32)
	if t.kind != scan.Number || err != nil {
		p.fail(t, "unexpected %s (expected a number)", shown(t))
	}
	return n
}

func (p *parser) path() *Path {
	t := p.next()
	if t.kind != tokenPath {
		p.fail(t, "unexpected %s (expected a path into the log's lines, such as $state.term)", shown(t))
	}
	out := &Path{pos: t.pos, Text: t.text, optional: strings.HasSuffix(t.text, "?")}
	rest := strings.TrimSuffix(t.text[1:], "?")
	for rest != "" {
		key := rest
		if rest[0] == '"' {
			end := 1
			for rest[end] != '"' {
				if rest[end] == '\\' {
					end++
				}
				end++
			}
			if json.Unmarshal([]byte(rest[:end+1]), &key) != nil {
				p.fail(t, "%s is no JSON text", rest[:end+1])
			}
			rest = rest[end+1:]
		} else {
			key, _, _ = strings.Cut(rest, ".")
			rest = rest[len(key):]
		}
		out.keys = append(out.keys, key)
		rest = strings.TrimPrefix(rest, ".")
	}
	p.paths = append(p.paths, out)
	return out
}

var statementWords = []string{"reading", "events", "lines", "clock", "call", "begins", "process", "value", "constant",
	"silent", "visible", "ignore", "when"}

func (p *parser) statement() {
	t := p.next()
	p.keyword(t)
	switch t.text {
	case "reading":
		p.once(t, p.r.Name != "")
		p.r.Name = p.name("a name").Text
	case "events":
		p.once(t, p.r.root != nil)
		p.r.root = p.path()
	case "lines":
		if p.marked("govector") {
			p.pattern(govector)
		} else {
			p.pattern("EVENT")
		}
	case "clock":
		p.once(t, p.r.Clock != nil)
		p.clock(t)
	case "call":
		p.once(t, p.r.Calls != nil)
		p.calls(t)
	case "begins":
		p.once(t, p.r.Anywhere)
		p.want("anywhere")
		p.r.Anywhere, p.r.Begins = true, t.pos
	case "process":
		p.process()
	case "value":
		p.values()
	case "constant":
		p.constant()
	case "silent":
		p.silent()
	case "visible":
		p.visible()
	case "ignore":
		c := ReadCase{Ignore: true}
		if p.accept("others") {
			p.r.Lax = true
			break
		}
		c.When = p.condition()
		p.r.Cases = append(p.r.Cases, c)
	case "when":
		p.when()
	default:
		p.fail(t, "unexpected %s (expected one of %s)%s", shown(t), strings.Join(statementWords, ", "),
			spell.Hint(t.text, statementWords))
	}
	p.want(";")
}

// clock = [ "by" path { "," path } [ "vector" [ "pairs" ] path ] ] [ "from" value "to" value ], not
// empty.
func (p *parser) clock(t token) {
	k := &ClockRule{Pos: t.pos}
	p.r.Clock = k
	if p.marked("by") {
		k.By = []*Path{p.path()}
		for p.accept(",") {
			k.By = append(k.By, p.path())
		}
		if p.marked("vector") {
			k.pairs = p.marked("pairs")
			k.Vector = p.path()
		}
	}
	if k.By != nil && !p.is("from") {
		return
	}
	if !p.marked("from") {
		p.fail(p.peek(), "unexpected %s (expected by, or from)", shown(p.peek()))
	}
	k.From = p.logExpr()
	p.want("to")
	k.To = p.logExpr()
	for _, x := range []*LogExpr{k.From, k.To} {
		if x.Path == nil || x.How != "" {
			p.list.Add(x.pos, len(x.Text), "expected a path to a time, such as $began")
			panic(wrongReading{})
		}
	}
}

// once refuses a statement that is there already.
func (p *parser) once(t token, said bool) {
	if said {
		p.fail(t, "%s is said already", t.text)
	}
}

// keyword notes a word of the language of readings.
func (p *parser) keyword(t token) { p.r.Keywords = append(p.r.Keywords, Word{t.text, t.pos}) }

func (p *parser) process() {
	out := processNames{Role: p.name("the name of a role"), Numbers: map[string]int32{}}
	for {
		switch {
		case p.accept("none"):
			out.None = append(out.None, p.str())
			for p.accept(",") {
				out.None = append(out.None, p.str())
			}
		case p.accept("numbers"):
			out.Own = true
		case p.peek().kind == scan.Text || p.peek().kind == scan.Number:
			name := p.str()
			if _, said := out.Numbers[name]; said {
				p.fail(p.tokens[p.at-1], "%q has a number already", name)
			}
			p.want("is")
			out.Numbers[name] = int32(p.number())
			p.accept(",")
		default:
			p.r.Processes = append(p.r.Processes, out)
			return
		}
	}
}

// value is a value of the protocol: a name, or a number.
func (p *parser) value() Word {
	if t := p.peek(); t.kind == scan.Number {
		p.number()
		return Word{t.text, t.pos}
	}
	return p.name("a value of the protocol")
}

func (p *parser) values() {
	for {
		v := ValueName{Name: p.value()}
		p.want("=")
		v.Logs = []string{p.str()}
		for p.accept("or") {
			v.Logs = append(v.Logs, p.str())
		}
		p.r.Values = append(p.r.Values, v)
		if !p.accept(",") {
			return
		}
	}
}

func (p *parser) constant() {
	c := constantRule{Name: p.name("a constant of the protocol")}
	if slices.ContainsFunc(p.r.Measured, func(o constantRule) bool { return o.Name.Text == c.Name.Text }) {
		p.fail(p.tokens[p.at-1], "%s has a value already", c.Name.Text)
	}
	p.want("=")
	t := p.next()
	if n, err := strconv.ParseInt(t.text, 10, 32); t.kind == scan.Number && err == nil {
		c.add = n
		p.r.Measured = append(p.r.Measured, c)
		return
	}
	if !slices.Contains([]string{"count", "max", "min"}, t.text) {
		p.fail(t, "unexpected %s (expected a number, count, max or min)", shown(t))
	}
	c.how = t.text
	for more := true; more; more = p.accept(",") {
		if c.how == "count" || p.peek().kind != scan.Number {
			c.paths = append(c.paths, p.path())
			continue
		}
		c.numbers = append(c.numbers, p.number())
	}
	c.add = p.offset()
	p.r.Measured = append(p.r.Measured, c)
}

// offset reads + 1 or - 1, or nothing.
func (p *parser) offset() int64 {
	switch {
	case p.accept("+"):
		return p.number()
	case p.accept("-"):
		return -p.number()
	}
	return 0
}

func (p *parser) silent() {
	if p.accept("all") {
		p.r.AllSilent = true
		return
	}
	p.r.Silent = append(p.r.Silent, p.name("a rule"))
	for p.accept(",") {
		p.r.Silent = append(p.r.Silent, p.name("a rule"))
	}
}

func (p *parser) visible() {
	for {
		w := p.name("a rule, lost or stopped")
		p.r.Visible = append(p.r.Visible, w)
		if !p.accept(",") {
			return
		}
	}
}

// condition = conjunction { "or" conjunction }.
func (p *parser) condition() condition {
	out := condition{p.conjunction()}
	for p.accept("or") {
		out = append(out, p.conjunction())
	}
	return out
}

func (p *parser) conjunction() []relation {
	out := []relation{p.relation()}
	for p.accept("and") {
		out = append(out, p.relation())
	}
	return out
}

func (p *parser) relation() relation {
	not := p.accept("not")
	if p.accept("has") {
		op := "has"
		if not {
			op = "not has"
		}
		path := p.path()
		return relation{left: &LogExpr{pos: path.pos, Path: path, Text: path.Text}, op: op}
	}
	if not {
		p.fail(p.peek(), "unexpected %s (expected has after not)", shown(p.peek()))
	}
	r := relation{left: p.logExpr()}
	t := p.next()
	switch t.text {
	case "=", "!=", "<", "<=", ">", ">=":
		r.op, r.right = t.text, []*LogExpr{p.logExpr()}
	case "in":
		r.op = "in"
		p.want("(")
		r.right = []*LogExpr{p.logExpr()}
		for p.accept(",") {
			r.right = append(r.right, p.logExpr())
		}
		p.want(")")
	case "==", ":=":
		p.fail(t, "values are compared by one `=`")
	default:
		p.fail(t, "unexpected %s (expected a comparison, or in)", shown(t))
	}
	return r
}

// isLog reports whether a value of a line begins at a token.
func isLog(list []token, at int) bool {
	t := list[at]
	return t.kind == tokenPath || t.kind == scan.Text ||
		t.kind == scan.Name && (t.text == "id" || t.text == "len") && list[at+1].text == "(" &&
			list[at+2].kind == tokenPath
}

// logExpr = ( path | "id" "(" path [ "," name ] ")" | "len" "(" path ")" | text | number | "true" | "false" ) [ ("+" |
// "-") number ].
func (p *parser) logExpr() *LogExpr {
	begin := p.peek()
	out := &LogExpr{pos: begin.pos}
	switch {
	case begin.kind == tokenPath:
		out.Path = p.path()
	case begin.kind == scan.Text:
		out.literal = p.str()
	case begin.kind == scan.Number:
		out.literal = json.Number(p.next().text)
	case p.is("true") || p.is("false"):
		out.literal = p.next().text == "true"
	case isLog(p.tokens, p.at):
		out.How = p.next().text
		p.want("(")
		out.Path = p.path()
		if out.How == "id" && p.accept(",") {
			out.Table = p.name("a name").Text
		}
		p.want(")")
	default:
		p.fail(begin, "unexpected %s (expected a value: a path such as $state.term, a text in quotes, a number)",
			shown(begin))
	}
	out.Add = p.offset()
	out.Text = strings.TrimSpace(p.text[begin.offset:p.peek().offset])
	return out
}

func (p *parser) when() {
	c := ReadCase{When: p.condition()}
	p.want(":")
	c.Parts = append(c.Parts, p.part())
	for p.marked("then") {
		c.Parts = append(c.Parts, p.part())
	}
	p.r.Cases = append(p.r.Cases, c)
}

// marked is accept of a word that editors know.
func (p *parser) marked(text string) bool {
	t := p.peek()
	if !p.accept(text) {
		return false
	}
	p.keyword(t)
	return true
}

func (p *parser) part() ReadPart {
	begin := p.peek()
	out := ReadPart{Pos: begin.pos, Kind: PartRule}
	switch {
	case slices.Contains(kindsOfParts, begin.text):
		p.keyword(begin)
		out.Kind = p.next().text
	default:
		p.marked(PartRule)
		out.Rule = p.name("a rule, or " + strings.Join(kindsOfParts, ", "))
	}
	p.want("(")
	for !p.is(")") {
		out.Params = append(out.Params, p.param(out.Kind != PartRule))
		if !p.accept(",") {
			break
		}
	}
	p.want(")")
	for {
		switch {
		case p.marked("before"):
			out.Before = append(out.Before, p.checks()...)
		case p.marked("after"):
			out.After = append(out.After, p.checks()...)
		case out.Kind != PartRule && !p.is(";") && !p.is("then") && len(out.Before) == 0:
			out.Before = p.checks()
		default:
			return out
		}
	}
}

func (p *parser) param(typed bool) ReadParam {
	out := ReadParam{Name: p.name("a parameter")}
	if typed {
		p.want(":")
		w, _ := p.span(",", ")", "=")
		t, err := ftdp.ReadTypeAt(w.Pos, w.Text)
		p.check(err)
		out.Typ = &Typed{w, t}
	}
	if !p.accept("=") {
		if !typed {
			p.want("=")
		}
		return out
	}
	if isLog(p.tokens, p.at) {
		out.Log = p.logExpr()
		return out
	}
	f := p.formula(p.span(",", ")"))
	out.Term = &f
	return out
}

func (p *parser) checks() []ReadCheck {
	list := []ReadCheck{p.compared()}
	for p.accept(",") {
		list = append(list, p.compared())
	}
	return list
}

// compared reads a condition, or EXPRESSION = VALUE.
func (p *parser) compared() ReadCheck {
	begin := p.at
	if isLog(p.tokens, begin) {
		p.fail(p.peek(), alone)
	}
	left, where := p.span(",", ";", "before", "after", "then", "$")
	t := p.tokens[p.at-1]
	if isLog(p.tokens, p.at) {
		if p.at-2 > begin && t.text == "=" && p.tokens[p.at-2].text == "=" || t.text == "==" {
			p.fail(t, "values are compared by one `=`")
		}
		if !slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, t.text) || p.at-1 == begin {
			p.fail(p.peek(), alone)
		}
		text := strings.TrimSpace(p.text[p.tokens[begin].offset:t.offset])
		where.to-- // the sign of the comparison is none of it
		out := ReadCheck{Left: p.formula(Word{text, left.Pos}, where), Op: t.text, Right: p.logExpr()}
		out.Text = text + " " + out.Op + " " + out.Right.Text
		return out
	}
	return ReadCheck{Left: p.formula(left, where), Text: left.Text}
}

// formula is an expression of the protocol, which stands among some tokens.
func (p *parser) formula(w Word, where spelled) Formula {
	e, err := ftdp.ReadExprAt(w.Pos, w.Text)
	p.check(err)
	where.expr = e
	p.spans = append(p.spans, where)
	return Formula{w, e}
}

// check ends with what is wrong, if something is.
func (p *parser) check(err error) {
	var list diag.List
	if errors.As(err, &list) {
		p.list = append(p.list, list...)
		panic(wrongReading{})
	}
}

// span takes tokens up to one of some signs outside of brackets; $ stands for a value of the log.
func (p *parser) span(until ...string) (Word, spelled) {
	begin, first := p.peek(), p.at
	depth := 0
	for ; ; p.at++ {
		t := p.peek()
		stop := t.kind == lexer.EOF || t.text == ";" || depth == 0 && t.kind != scan.Text &&
			slices.Contains(until, t.text)
		if slices.Contains(until, "$") {
			stop = stop || isLog(p.tokens, p.at)
		}
		if stop {
			break
		}
		if t.kind == tokenPath {
			p.fail(t, alone)
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
	}
	if p.tokens[p.at].offset == begin.offset {
		p.fail(begin, "unexpected %s (expected an expression)", shown(begin))
	}
	return Word{strings.TrimSpace(p.text[begin.offset:p.peek().offset]), begin.pos}, spelled{from: first, to: p.at}
}

// spelled is an expression of the protocol, among the tokens of a statement.
type spelled struct {
	from, to int // tokens
	expr     *ftdp.Expr
}

// statementAt is where a statement stands.
type statementAt struct {
	from, to int // tokens, the last of them ;
	spans    []spelled
}

// pattern reads a regular expression in quotes; with what is put around it.
func (p *parser) pattern(around string) {
	t := p.peek()
	text := ".*"
	switch {
	case t.kind == scan.Text:
		p.next()
		text = t.text[1 : len(t.text)-1]
	case around == "EVENT":
		p.fail(t, "unexpected %s (expected govector, or a regular expression in quotes)%s", shown(t),
			spell.Hint(t.text, []string{"govector"}))
	}
	text = strings.Replace(around, "EVENT", text, 1)
	re, err := regexp.Compile(`^(?:` + text + `)$`)
	if err != nil {
		p.fail(t, "this is no regular expression: %v", err)
	}
	if strings.Join(re.SubexpNames(), "") == "" {
		p.fail(t, "the regular expression has no named group, (?<name>...): nothing of a line would be known")
	}
	p.r.patterns = append(p.r.patterns, linePattern{re, 1 + strings.Count(text, `\n`)})
}

// calls = "call" condition "by" path { "," path } "return" condition [ "never" condition ].
func (p *parser) calls(t token) {
	k := &callRule{pos: t.pos, call: p.condition()}
	p.r.Calls = k
	p.keyword(p.peek())
	p.want("by")
	k.by = []*Path{p.path()}
	for p.accept(",") {
		k.by = append(k.by, p.path())
	}
	p.keyword(p.peek())
	p.want("return")
	k.back = p.condition()
	if p.marked("never") {
		k.never = p.condition()
	}
}

// govector is how GoVector, ShiViz and ShiVector's libraries for other languages write an event: the process with its
// vector clock, and below it what happened, behind its priority perhaps.
const govector = `(?<host>\S*) (?<clock>\{.*\})\n(?:(?<priority>DEBUG|INFO|WARNING|ERROR|FATAL) )?(?<event>EVENT)`
