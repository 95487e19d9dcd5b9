package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// expr is an expression of the language that is written: a tree of operators. Only its printer sets brackets, by how
// tightly the operators of the language bind; no other code writes operators as text.
type expr struct {
	op    *operator // nil: the text is a name, a number, or stands in brackets of its own
	text  string
	args  []*expr // operands
	parts []*expr // what a text has in it
	value *int64  // of a number
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

// closed is a name, or a text that stands in brackets of its own, as a call does; what stands within is written as it
// is.
func closed(format string, args ...any) *expr {
	return &expr{text: fmt.Sprintf(format, args...), parts: within(args)}
}

// within lists the expressions among what is written.
func within(args []any) (list []*expr) {
	for _, a := range args {
		if e, ok := a.(*expr); ok {
			list = append(list, e)
		}
	}
	return list
}

// mentioned are the names in expressions.
type mentioned map[string]bool

func (m mentioned) add(list ...*expr) {
	if m == nil {
		return
	}
	for _, e := range list {
		m[e.text] = true
		m.add(e.args...)
		m.add(e.parts...)
	}
}

// ident is a name, or another text that needs no brackets.
func ident(text string) *expr { return &expr{text: text} }

// open is a text that goes as far to the right as it can.
func open(format string, args ...any) *expr {
	e := closed(format, args...)
	e.op = loose
	return e
}

// joined lists expressions.
func joined(list []*expr, between string) *expr {
	texts := lists.Map(list, (*expr).String)
	return &expr{text: strings.Join(texts, between), parts: list}
}

func commas(list []*expr) *expr { return joined(list, ", ") }

// bracketed is an expression in brackets, unless it is a name or a call.
func bracketed(e *expr) *expr {
	if e.op == nil {
		return e
	}
	return closed("(%s)", e)
}

// grammar is how a language writes conditions and numbers.
type grammar struct {
	operators map[ftdp.Op]*operator
	yes, no   *expr
	negative  string // format of a negative number
	choice    func(c, a, b *expr) *expr
	divide    func(a, b *expr) *expr // rounded down
	floors    bool                   // the operator rounds quotients by natural numbers down
}

// Levels of operators of numbers.
const (
	comparison = 4
	sum        = 5
	product    = 6
)

// operators of numbers, as languages agree on them: operands with another operator stand in brackets.
func arithmetic(others map[ftdp.Op]*operator) map[ftdp.Op]*operator {
	for op, word := range map[ftdp.Op]string{ftdp.Lt: "<", ftdp.Le: "<=", ftdp.Gt: ">", ftdp.Ge: ">="} {
		others[op] = &operator{word: word, level: comparison, needs: sum}
	}
	others[ftdp.Plus] = &operator{"+", sum, product, true}
	others[ftdp.Sub] = &operator{"-", sum, product, false}
	others[ftdp.Times] = &operator{"*", product, tight, true}
	others[ftdp.Minus] = &operator{"0 - ", sum, product, false}
	return others
}

// Mixed conjunctions and disjunctions stand in brackets in all languages, for who reads them; TLA+ asks for that.
var (
	grammarMurphi = grammar{
		operators: arithmetic(map[ftdp.Op]*operator{
			ftdp.Implies: {"->", 1, 2, false}, ftdp.Not: {"!", 3, tight, false},
			ftdp.Or: {"|", 2, 3, true}, ftdp.And: {"&", 2, 3, true},
			ftdp.Eq: {"=", 4, 5, false}, ftdp.Ne: {"!=", 4, 5, false}, ftdp.Iff: {"=", 4, 5, false},
			ftdp.Div: {"/", 6, tight, false}, ftdp.Mod: {"%", 6, tight, false},
		}),
		yes: closed("true"), no: closed("false"), negative: "(0 - %s)",
		choice: func(c, a, b *expr) *expr { return closed("(%s ? %s : %s)", bracketed(c), bracketed(a), bracketed(b)) },
		divide: func(a, b *expr) *expr { return closed("divide(%s, %s)", a, b) },
	}
	grammarPromela = grammar{
		operators: arithmetic(map[ftdp.Op]*operator{
			ftdp.Or: {"||", 1, 3, true}, ftdp.And: {"&&", 2, 3, true}, ftdp.Not: {"!", 7, tight, false},
			ftdp.Eq: {"==", 3, 5, false}, ftdp.Ne: {"!=", 3, 5, false}, ftdp.Iff: {"==", 3, 5, false},
			ftdp.Div: {"/", 6, tight, false}, ftdp.Mod: {"%", 6, tight, false},
			ftdp.Globally: {"[]", 7, tight, false}, ftdp.Finally: {"<>", 7, tight, false},
		}),
		yes: truthPromela(1), no: truthPromela(0), negative: "(-%s)",
		choice: func(c, a, b *expr) *expr { return closed("(%s -> %s : %s)", c, a, b) },
	}
	grammarTLA = grammar{
		operators: arithmetic(map[ftdp.Op]*operator{
			ftdp.Implies: {"=>", 1, 3, false}, ftdp.Iff: {"<=>", 2, 3, false}, ftdp.Not: {"~", 4, tight, false},
			ftdp.Or: {"\\/", 3, 4, true}, ftdp.And: {"/\\", 3, 4, true},
			ftdp.Eq: {"=", 4, 5, false}, ftdp.Ne: {"#", 4, 5, false}, ftdp.In: {"\\in", 4, 5, false},
			ftdp.Div: {"\\div", 6, tight, false}, ftdp.Mod: {"%", 5, tight, false},
			ftdp.Globally: {"[]", 4, tight, false}, ftdp.Finally: {"<>", 4, tight, false},
		}),
		yes: closed("TRUE"), no: closed("FALSE"), negative: "(-%s)",
		choice: func(c, a, b *expr) *expr { return open("IF %s THEN %s ELSE %s", c, a, b) },
		divide: func(a, b *expr) *expr { return closed("Divide(%s, %s)", a, b) },
		floors: true,
	}
)

// truthPromela is a truth value, which is a number.
func truthPromela(v int64) *expr { return &expr{text: fmt.Sprint(v), value: &v} }

// apply writes an operator with its operands.
func (g *grammar) apply(op ftdp.Op, args ...*expr) *expr {
	return &expr{op: g.operators[op], args: args}
}

// and writes that all of some conditions hold, or that one does.
func (g *grammar) and(list ...*expr) *expr { return g.join(ftdp.And, g.yes, g.no, list) }
func (g *grammar) or(list ...*expr) *expr  { return g.join(ftdp.Or, g.no, g.yes, list) }

// join connects conditions: zero is that of none of them, and one decides it alone.
func (g *grammar) join(op ftdp.Op, zero, one *expr, list []*expr) *expr {
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
	if e.op != nil && e.op == g.operators[ftdp.Eq] {
		return g.apply(ftdp.Ne, e.args...)
	}
	return g.apply(ftdp.Not, e)
}

// number writes a whole number.
func (g *grammar) number(v int64) *expr {
	text := fmt.Sprint(v)
	if v < 0 {
		text = fmt.Sprintf(g.negative, fmt.Sprint(-v))
	}
	return &expr{text: text, value: &v}
}

// compare writes a comparison; of numbers that are known, what it says.
func (g *grammar) compare(op ftdp.Op, a, b *expr) *expr {
	switch {
	case a.value == nil || b.value == nil:
		return g.apply(op, a, b)
	case ftdp.Calculate(op, []ftdp.Between{ftdp.Exactly(*a.value), ftdp.Exactly(*b.value)}) == ftdp.Exactly(1):
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
	return g.apply(ftdp.Plus, a, b)
}

func (g *grammar) plus(a *expr, b int64) *expr {
	switch {
	case a.value != nil:
		return g.number(*a.value + b)
	case b == 0:
		return a
	case len(a.args) == 2 && a.args[1].value != nil && a.op == g.operators[ftdp.Plus]:
		return g.plus(a.args[0], *a.args[1].value+b)
	case len(a.args) == 2 && a.args[1].value != nil && a.op == g.operators[ftdp.Sub]:
		return g.plus(a.args[0], b-*a.args[1].value)
	case b < 0:
		return g.apply(ftdp.Sub, a, g.number(-b))
	}
	return g.apply(ftdp.Plus, a, g.number(b))
}

func (g *grammar) minus(a, b *expr) *expr {
	if b.value != nil {
		return g.plus(a, -*b.value)
	}
	return g.apply(ftdp.Sub, a, b)
}

func (g *grammar) times(a *expr, b int64) *expr {
	switch {
	case a.value != nil:
		return g.number(*a.value * b)
	case b == 1:
		return a
	}
	return g.apply(ftdp.Times, a, g.number(b))
}
