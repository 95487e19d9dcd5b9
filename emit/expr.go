package emit

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/protocol"
)

// expr is an expression of the language that is written: a tree of operators. Only its printer sets brackets, by how tightly the
// operators of the language bind; nobody writes an operator between texts.
type expr struct {
	op    *operator // nil: the text is a name, a number, or stands in brackets of its own
	text  string
	args  []*expr
	value *int64 // of a number
}

// operator is how a language writes an operator between its operands, or before its only one.
type operator struct {
	word  string
	level int  // how tightly it binds
	needs int  // how tightly operands have to bind that stand without brackets
	chain bool // but for those of the same operator: a and b and c
}

// loose is what binds less than any operator, and goes as far to the right as it can: quantifiers, IF.
var loose = &operator{level: 0}

// tight is the level of names and calls.
const tight = 100

func (e *expr) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e *expr) write(b *strings.Builder) {
	if e.args == nil {
		b.WriteString(e.text)
		return
	}
	if len(e.args) == 1 {
		b.WriteString(e.op.word)
	}
	for i, a := range e.args {
		if i > 0 {
			b.WriteString(" " + e.op.word + " ")
		}
		if bare := a.op == nil || a.op.level >= e.op.needs || a.op == e.op && e.op.chain; bare {
			a.write(b)
		} else {
			b.WriteString("(" + a.String() + ")")
		}
	}
}

// closed is a name, or a text that stands in brackets of its own, as a call does; what stands within is written as it is.
func closed(format string, args ...any) *expr { return &expr{text: fmt.Sprintf(format, args...)} }

// ident is a name, or another text that needs no brackets.
func ident(text string) *expr { return &expr{text: text} }

// open is a text that goes as far to the right as it can.
func open(format string, args ...any) *expr {
	return &expr{op: loose, text: fmt.Sprintf(format, args...)}
}

// commas lists expressions.
func commas(list []*expr) string {
	var texts []string
	for _, e := range list {
		texts = append(texts, e.String())
	}
	return strings.Join(texts, ", ")
}

// bracketed is an expression in brackets, unless it is a name or a call.
func bracketed(e *expr) *expr {
	if e.op == nil {
		return e
	}
	return closed("(%s)", e)
}

// grammar is how a language writes conditions and numbers.
type grammar struct {
	operators map[protocol.Op]*operator
	yes, no   *expr
	negative  string // format of a negative number
	choice    func(c, a, b *expr) *expr
	divide    func(a, b *expr) *expr // rounded down
	floors    bool                   // the operator rounds quotients by natural numbers down
}

// operators of numbers, as languages agree on them: operands with another operator stand in brackets.
func arithmetic(comparison, sum, product int, others map[protocol.Op]*operator) map[protocol.Op]*operator {
	for op, word := range map[protocol.Op]string{protocol.Lt: "<", protocol.Le: "<=", protocol.Gt: ">", protocol.Ge: ">="} {
		others[op] = &operator{word: word, level: comparison, needs: sum}
	}
	others[protocol.Plus] = &operator{"+", sum, product, true}
	others[protocol.Sub] = &operator{"-", sum, product, false}
	others[protocol.Times] = &operator{"*", product, tight, true}
	others[protocol.Minus] = &operator{"0 - ", sum, product, false}
	return others
}

// Mixed conjunctions and disjunctions stand in brackets in all languages, for who reads them; TLA+ asks for that.
var (
	grammarMurphi = grammar{
		operators: arithmetic(4, 5, 6, map[protocol.Op]*operator{
			protocol.Implies: {"->", 1, 2, false}, protocol.Not: {"!", 3, tight, false},
			protocol.Or: {"|", 2, 3, true}, protocol.And: {"&", 2, 3, true},
			protocol.Eq: {"=", 4, 5, false}, protocol.Ne: {"!=", 4, 5, false}, protocol.Iff: {"=", 4, 5, false},
			protocol.Div: {"/", 6, tight, false}, protocol.Mod: {"%", 6, tight, false},
		}),
		yes: closed("true"), no: closed("false"), negative: "(0 - %s)",
		choice: func(c, a, b *expr) *expr { return closed("(%s ? %s : %s)", bracketed(c), bracketed(a), bracketed(b)) },
		divide: func(a, b *expr) *expr { return closed("divide(%s, %s)", a, b) },
	}
	grammarPromela = grammar{
		operators: arithmetic(4, 5, 6, map[protocol.Op]*operator{
			protocol.Or: {"||", 1, 3, true}, protocol.And: {"&&", 2, 3, true}, protocol.Not: {"!", 7, tight, false},
			protocol.Eq: {"==", 3, 5, false}, protocol.Ne: {"!=", 3, 5, false}, protocol.Iff: {"==", 3, 5, false},
			protocol.Div: {"/", 6, tight, false}, protocol.Mod: {"%", 6, tight, false},
			protocol.Globally: {"[]", 7, tight, false}, protocol.Finally: {"<>", 7, tight, false},
		}),
		yes: closed("1"), no: closed("0"), negative: "(-%s)",
		choice: func(c, a, b *expr) *expr { return closed("(%s -> %s : %s)", c, a, b) },
	}
	grammarTLA = grammar{
		operators: arithmetic(4, 5, 6, map[protocol.Op]*operator{
			protocol.Implies: {"=>", 1, 3, false}, protocol.Iff: {"<=>", 2, 3, false}, protocol.Not: {"~", 4, tight, false},
			protocol.Or: {"\\/", 3, 4, true}, protocol.And: {"/\\", 3, 4, true},
			protocol.Eq: {"=", 4, 5, false}, protocol.Ne: {"#", 4, 5, false}, protocol.In: {"\\in", 4, 5, false},
			protocol.Div: {"\\div", 6, tight, false}, protocol.Mod: {"%", 5, tight, false},
			protocol.Globally: {"[]", 4, tight, false}, protocol.Finally: {"<>", 4, tight, false},
		}),
		yes: closed("TRUE"), no: closed("FALSE"), negative: "(-%s)",
		choice: func(c, a, b *expr) *expr { return open("IF %s THEN %s ELSE %s", c, a, b) },
		divide: func(a, b *expr) *expr { return closed("Divide(%s, %s)", a, b) },
		floors: true,
	}
)

// apply writes an operator with its operands.
func (g *grammar) apply(op protocol.Op, args ...*expr) *expr {
	return &expr{op: g.operators[op], args: args}
}

// and writes that all of some conditions hold, or that one does.
func (g *grammar) and(list ...*expr) *expr { return g.join(protocol.And, g.yes, g.no, list) }
func (g *grammar) or(list ...*expr) *expr  { return g.join(protocol.Or, g.no, g.yes, list) }

// join connects conditions: zero is that of none of them, and one decides it alone.
func (g *grammar) join(op protocol.Op, zero, one *expr, list []*expr) *expr {
	list = slices.DeleteFunc(slices.Clone(list), func(e *expr) bool { return e == zero })
	switch {
	case slices.Contains(list, one):
		return one
	case len(list) == 0:
		return zero
	case len(list) == 1:
		return list[0]
	}
	return g.apply(op, list...)
}

func (g *grammar) not(e *expr) *expr {
	switch e {
	case g.yes:
		return g.no
	case g.no:
		return g.yes
	}
	return g.apply(protocol.Not, e)
}

// number writes a whole number.
func (g *grammar) number(v int64) *expr {
	text := fmt.Sprint(v)
	if v < 0 {
		text = fmt.Sprintf(g.negative, strings.TrimPrefix(text, "-"))
	}
	return &expr{text: text, value: &v}
}

// compare writes a comparison; of numbers that are known, what it says.
func (g *grammar) compare(op protocol.Op, a, b *expr) *expr {
	if a.value == nil || b.value == nil {
		return g.apply(op, a, b)
	}
	x, y := *a.value, *b.value
	if op == protocol.Eq && x == y || op == protocol.Gt && x > y || op == protocol.Le && x <= y {
		return g.yes
	}
	return g.no
}

// sum adds; what is known is added up, as in all that follow.
func (g *grammar) sum(a, b *expr) *expr {
	switch {
	case a.value != nil:
		return g.plus(b, *a.value)
	case b.value != nil:
		return g.plus(a, *b.value)
	}
	return g.apply(protocol.Plus, a, b)
}

func (g *grammar) plus(a *expr, b int64) *expr {
	switch {
	case a.value != nil:
		return g.number(*a.value + b)
	case b == 0:
		return a
	case len(a.args) == 2 && a.args[1].value != nil && a.op == g.operators[protocol.Plus]:
		return g.plus(a.args[0], *a.args[1].value+b)
	case len(a.args) == 2 && a.args[1].value != nil && a.op == g.operators[protocol.Sub]:
		return g.plus(a.args[0], b-*a.args[1].value)
	case b < 0:
		return g.apply(protocol.Sub, a, g.number(-b))
	}
	return g.apply(protocol.Plus, a, g.number(b))
}

func (g *grammar) minus(a, b *expr) *expr {
	if b.value != nil {
		return g.plus(a, -*b.value)
	}
	return g.apply(protocol.Sub, a, b)
}

func (g *grammar) times(a *expr, b int64) *expr {
	switch {
	case a.value != nil:
		return g.number(*a.value * b)
	case b == 1:
		return a
	}
	return g.apply(protocol.Times, a, g.number(b))
}
