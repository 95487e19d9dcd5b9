package traces

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/testkit/reference/protocol"
)

// Reading is what a log means.
type Reading struct {
	Events       path // where in a line the event is
	Whens        []when
	Ignores      []condition
	IgnoreOthers bool
	Roles        map[string]*naming  // by name of the type
	Texts        map[string][]string // how the log calls values of enumerations, numbers, truth values
	Silent       map[string]bool
	SilentAll    bool
	Visible      map[string]bool
	ClockBy      path
	Vector       path
	Anywhere     bool   // any steps may have been before the log
	From, To     *value // of intervals, or nil
}

// naming is what the reading says of the names of processes of a role.
type naming struct {
	none    map[string]bool
	fixed   map[string]int
	numbers bool
}

// when says what an event is.
type when struct {
	condition condition
	parts     []part
}

// condition is a comparison of values of a line, or several.
type condition struct {
	op   string // "and", "or", "=", "!=", "has", "not has", "in"
	args []condition
	path path
	text []string
}

// path leads to a value in a line.
type path struct {
	names    []string
	optional bool
}

// part is one of the things that an event shows. Kind is "rule", "see", "sent", "received", "lost" or "stopped".
type part struct {
	kind, rule    string
	args          []argument
	before, after []check // of parts that are no rules: before
}

// argument is a parameter with what it is.
type argument struct {
	name, typ string
	value     *value         // of the line
	expr      *protocol.Expr // or in the protocol's words
}

// check is a condition, or a comparison with a value of the line.
type check struct {
	expr     *protocol.Expr
	relation string
	value    *value
}

// value is a value of a line, or one that is written in the reading.
type value struct {
	kind  string // "path", "text", "number", "id", "len"
	path  path
	text  string // also the keys of id
	plus  int
	place int // in the reading
}

// ParseReading reads a reading. It knows what the documentation has; what it does not understand ends it.
func ParseReading(source string) (r *Reading, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("reading: %v", x)
		}
	}()
	r = &Reading{Roles: map[string]*naming{}, Texts: map[string][]string{}, Silent: map[string]bool{}, Visible: map[string]bool{}}
	places := 0
	for _, st := range cut(withoutComments(source), ";") {
		if st == "" {
			continue
		}
		word, rest, _ := strings.Cut(st, " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "reading":
		case "constant": // texts of fixed size: the constants are those of the text
		case "events":
			r.Events = parsePath(rest)
		case "when":
			c, parts, _ := strings.Cut(maskedColon(rest), "\x00")
			w := when{condition: parseCondition(c)}
			for _, p := range cutWord(parts, "then") {
				w.parts = append(w.parts, parsePart(p, &places))
			}
			r.Whens = append(r.Whens, w)
		case "ignore":
			if rest == "others" {
				r.IgnoreOthers = true
			} else {
				r.Ignores = append(r.Ignores, parseCondition(rest))
			}
		case "process":
			r.process(rest)
		case "value":
			for _, one := range cut(rest, ",") {
				name, texts, _ := strings.Cut(one, "=")
				for _, t := range cutWord(texts, "or") {
					r.Texts[strings.TrimSpace(name)] = append(r.Texts[strings.TrimSpace(name)], quoted(t))
				}
			}
		case "silent":
			for _, n := range cut(rest, ",") {
				r.SilentAll = r.SilentAll || n == "all"
				r.Silent[n] = true
			}
		case "visible":
			for _, n := range cut(rest, ",") {
				r.Visible[n] = true
			}
		case "begins":
			r.Anywhere = true
		case "clock":
			rest, during, has := strings.Cut(" "+rest, " from ")
			if has {
				from, to, _ := strings.Cut(during, " to ")
				r.From, r.To = parseValue(from, &places), parseValue(to, &places)
			}
			by, vector, has := strings.Cut(strings.TrimPrefix(rest, " by "), " vector ")
			if by != "" {
				r.ClockBy = parsePath(by)
			}
			if has {
				r.Vector = parsePath(vector)
			}
		default:
			panic("what is " + st)
		}
	}
	return r, nil
}

// process reads what stands behind "process".
func (r *Reading) process(rest string) {
	role, rest, _ := strings.Cut(rest, " ")
	n := r.Roles[role]
	if n == nil {
		n = &naming{none: map[string]bool{}, fixed: map[string]int{}}
		r.Roles[role] = n
	}
	rest = strings.TrimSpace(rest)
	switch {
	case strings.HasPrefix(rest, "none "):
		n.none[quoted(strings.TrimPrefix(rest, "none "))] = true
	case rest == "numbers":
		n.numbers = true
	default:
		for _, p := range cut(rest, ",") {
			name, number, _ := strings.Cut(p, " is ")
			n.fixed[quoted(name)] = atoi(number)
		}
	}
}

// parsePart reads a part.
func parsePart(s string, places *int) part {
	s = strings.TrimSpace(s)
	labelled := strings.HasPrefix(s, "rule ")
	s = strings.TrimPrefix(s, "rule ")
	name, rest, _ := strings.Cut(s, "(")
	name = strings.TrimSpace(name)
	p := part{kind: "rule", rule: name}
	switch name {
	case "see", "sent", "received", "lost", "stopped":
		if !labelled {
			p.kind, p.rule = name, ""
		}
	}
	inside, rest := closing(rest)
	for _, a := range cut(inside, ",") {
		if a == "" {
			continue
		}
		head, is, has := strings.Cut(a, "=")
		arg := argument{}
		name, typ, _ := strings.Cut(head, ":")
		arg.name, arg.typ = strings.TrimSpace(name), strings.TrimSpace(typ)
		if has {
			if is = strings.TrimSpace(is); ofLine(is) {
				arg.value = parseValue(is, places)
			} else {
				arg.expr = parseExpr(is)
			}
		}
		p.args = append(p.args, arg)
	}
	rest, after := splitWord(rest, "after")
	first, before := splitWord(rest, "before")
	if p.kind == "rule" {
		if strings.TrimSpace(first) != "" {
			panic("checks of a rule need before or after: " + s)
		}
		first = before
	}
	p.before, p.after = parseChecks(first, places), parseChecks(after, places)
	return p
}

// parseChecks reads checks between commas.
func parseChecks(s string, places *int) []check {
	var list []check
	for _, c := range cut(s, ",") {
		if c == "" {
			continue
		}
		list = append(list, parseCheck(c, places))
	}
	return list
}

// parseCheck reads one check. The last sign of comparison outside of parentheses stands before the value of the line.
func parseCheck(s string, places *int) check {
	depth, text := 0, false
	for i := len(s) - 1; i > 0; i-- {
		switch {
		case s[i] == '"':
			text = !text
		case text:
		case s[i] == ')' || s[i] == ']':
			depth++
		case s[i] == '(' || s[i] == '[':
			depth--
		case depth == 0 && strings.ContainsRune("=<>", rune(s[i])):
			start := i
			if s[i] == '=' && strings.ContainsRune("!<>", rune(s[i-1])) {
				start--
			}
			if right := strings.TrimSpace(s[i+1:]); ofLine(right) {
				return check{parseExpr(s[:start]), s[start : i+1], parseValue(right, places)}
			}
			return check{expr: parseExpr(s)}
		}
	}
	return check{expr: parseExpr(s)}
}

// ofLine tells whether something is a value of a line, or a text.
func ofLine(s string) bool {
	return strings.ContainsAny(s[:1], `$"`) || strings.HasPrefix(s, "id(") || strings.HasPrefix(s, "len(")
}

func parseExpr(s string) *protocol.Expr {
	e, err := protocol.ParseExpr(s)
	if err != nil {
		panic(err)
	}
	return e
}

// parseValue reads a value.
func parseValue(s string, places *int) *value {
	*places++
	v := &value{place: *places}
	base := strings.TrimSpace(s)
	for _, sign := range []string{"+", "-"} {
		if b, n, ok := strings.Cut(base, " "+sign+" "); ok {
			base = strings.TrimSpace(b)
			if v.plus = atoi(n); sign == "-" {
				v.plus = -v.plus
			}
		}
	}
	switch {
	case strings.HasPrefix(base, "id("):
		inside, _ := closing(base[3:])
		p, keys, _ := strings.Cut(inside, ",")
		v.kind, v.path, v.text = "id", parsePath(p), strings.TrimSpace(keys)
	case strings.HasPrefix(base, "len("):
		inside, _ := closing(base[4:])
		v.kind, v.path = "len", parsePath(inside)
	case base[0] == '$':
		v.kind, v.path = "path", parsePath(base)
	case base[0] == '"':
		v.kind, v.text = "text", quoted(base)
	default:
		v.kind, v.text = "number", base
	}
	return v
}

// parsePath reads $a.b.0?
func parsePath(s string) path {
	s = strings.TrimSpace(s)
	if s[0] != '$' {
		panic("no path: " + s)
	}
	p := path{optional: strings.HasSuffix(s, "?")}
	for _, n := range cut(strings.TrimSuffix(s[1:], "?"), ".") {
		if n[0] == '"' {
			n = quoted(n)
		}
		p.names = append(p.names, n)
	}
	return p
}

// parseCondition reads a condition: "or" between what has "and" between comparisons.
func parseCondition(s string) condition {
	for _, op := range []string{"or", "and"} {
		if list := cutWord(s, op); len(list) > 1 {
			c := condition{op: op}
			for _, a := range list {
				c.args = append(c.args, parseCondition(a))
			}
			return c
		}
	}
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, "has "):
		return condition{op: "has", path: parsePath(s[4:])}
	case strings.HasPrefix(s, "not has "):
		return condition{op: "not has", path: parsePath(s[8:])}
	}
	for _, op := range []string{" in ", "!=", "="} {
		if left, right, ok := strings.Cut(s, op); ok {
			c := condition{op: strings.TrimSpace(op), path: parsePath(left)}
			for _, t := range cut(strings.Trim(strings.TrimSpace(right), "()"), ",") {
				if t[0] == '"' {
					t = quoted(t)
				}
				c.text = append(c.text, t)
			}
			return c
		}
	}
	panic("what is " + s)
}
