package everysize

import (
	"encoding/binary"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/smt"
)

// node is a formula with quantifiers, in negation normal form but for what a lit has in it.
type node interface{}

type (
	lit struct{ f *smt.Formula }
	and []node
	or  []node
	// quant is true of all elements of a domain, or of some.
	quant struct {
		all  bool
		dom  *domain
		body func(b binding) node
		made map[string]node
	}
	// many is true if at least `least` processes of a role satisfy a condition.
	many struct {
		role        int
		least, size smt.Linear
		yes         func(b binding) node
		no          func(b binding) node // its negation
		made        map[string]node
	}
)

var (
	top    node = lit{smt.True}
	bottom node = lit{smt.False}
)

// domain is what a quantifier ranges over: numbers of a range, processes of a role, or the
// messages ever sent from a process to another.
type domain struct {
	role   int // the pool of its elements; noPool for messages
	lo, hi smt.Linear
	sent   *channel
	at     []place // of numbers: what the condition compares them with; of others it rarely says anything
}

// channel is a pair of processes.
type channel struct {
	fromRole, toRole int
	from, to         smt.Linear
}

// binding is what a variable stands for: one value, or the fields of a message.
type binding struct {
	one    value
	fields []value
	in     *set // it is a member
	quorum *set
	atom   *app // of a message that is known to have been sent or not
}

// value is a scalar by cases: exactly one of them is true.
type value []choice

// choice is a case of a value. Numbers have lin, truth values b. Where fine is false,
// evaluating it is an error; where def is false, it is undefined.
type choice struct {
	cond, fine, def *smt.Formula
	lin             smt.Linear
	b               *smt.Formula
}

func number(l smt.Linear) value { return value{{smt.True, smt.True, smt.True, l, nil}} }

func truth(f *smt.Formula) value { return value{{smt.True, smt.True, smt.True, smt.Linear{}, f}} }

func undefinedValue() value { return value{{smt.True, smt.True, smt.False, smt.Linear{}, smt.False}} }

// conjunction joins nodes by and, disjunction by or.
func conjunction(list ...node) node {
	return junction[and](list, smt.And, (*smt.Formula).IsFalse, (*smt.Formula).IsTrue)
}

func disjunction(list ...node) node {
	return junction[or](list, smt.Or, (*smt.Formula).IsTrue, (*smt.Formula).IsFalse)
}

// junction joins nodes: one that decides is all that is left, idle ones are left out.
func junction[J interface {
	and | or
	node
}](list []node, join func(...*smt.Formula) *smt.Formula, decides, idle func(*smt.Formula) bool) node {
	var rest J
	var ground []*smt.Formula
	for _, n := range list {
		switch n := n.(type) {
		case lit:
			if decides(n.f) {
				return n
			}
			ground = append(ground, n.f)
		case J:
			rest = append(rest, n...)
		default:
			rest = append(rest, n)
		}
	}
	switch g := join(ground...); {
	case len(rest) == 0 || decides(g):
		return lit{g}
	case !idle(g):
		rest = append(J{lit{g}}, rest...)
	}
	if len(rest) == 1 {
		return rest[0]
	}
	return rest
}

// not negates a node.
func not(n node) node {
	switch n := n.(type) {
	case lit:
		return lit{smt.Not(n.f)}
	case and:
		list := lists.Map(n, not)
		return disjunction(list...)
	case or:
		list := lists.Map(n, not)
		return conjunction(list...)
	case *quant:
		return quantified(!n.all, n.dom, func(b binding) node { return not(n.body(b)) })
	case *many:
		return &many{role: n.role, least: n.size.Sub(n.least).Plus(1), size: n.size, yes: n.no, no: n.yes}
	}
	panic("everysize: no such node")
}

func quantified(forAll bool, dom *domain, body func(b binding) node) node {
	return &quant{all: forAll, dom: dom, body: body, made: map[string]node{}}
}

func (n *many) yesAt(b binding) node {
	if n.made == nil {
		n.made = map[string]node{}
	}
	key := b.key()
	got, ok := n.made[key]
	if !ok {
		got = n.yes(b)
		n.made[key] = got
	}
	return got
}

// domain is what is looked at: whom there has to be may be anywhere.
func (q *quant) domain() *domain {
	if q.all || q.dom.at == nil {
		return q.dom
	}
	d := *q.dom
	d.at = nil
	return &d
}

// at is the body for a binding, made once.
func (q *quant) at(b binding) node {
	key := b.key()
	n, ok := q.made[key]
	if !ok {
		n = q.body(b)
		q.made[key] = n
	}
	return n
}

func (b binding) key() string {
	if b.atom != nil {
		return b.atom.v.Name
	}
	if b.fields != nil {
		s := ""
		for _, f := range b.fields {
			s += f.key() + ";"
		}
		return s
	}
	if b.quorum != nil {
		return b.quorum.name
	}
	return b.one.key()
}

func (v value) key() string {
	if len(v) == 1 && v[0].b == nil && v[0].cond.IsTrue() && v[0].fine.IsTrue() && v[0].def.IsTrue() {
		return v[0].lin.Key() // which has no "/"
	}
	s := ""
	for _, c := range v {
		s += formulaKey(c.cond) + "|" + formulaKey(c.fine) + "|" + formulaKey(c.def) + "|"
		if c.b != nil {
			s += formulaKey(c.b)
		} else {
			s += c.lin.Key()
		}
		s += "/"
	}
	return s
}

// formulaKey is a text that only equal formulas share.
func formulaKey(f *smt.Formula) string {
	switch f.Op {
	case smt.OpVar:
		return f.Var.Name
	case smt.OpGE:
		return ">" + f.Linear.Key()
	case smt.OpEQ:
		return "=" + f.Linear.Key()
	}
	s := string(rune('A'+f.Op)) + "("
	for _, a := range f.Args {
		s += formulaKey(a) + ","
	}
	return s + ")"
}

// compare is a comparison of numbers.
func compare(op ftdp.Op, a, b smt.Linear) *smt.Formula {
	d := a.Sub(b)
	zero := smt.Linear{}
	switch op {
	case ftdp.Eq:
		return smt.EQ(d, zero)
	case ftdp.Ne:
		return smt.Not(smt.EQ(d, zero))
	case ftdp.Lt:
		return smt.Not(smt.GE(d, zero))
	case ftdp.Le:
		return smt.Not(smt.GE(d, smt.N(1)))
	case ftdp.Gt:
		return smt.GE(d, smt.N(1))
	}
	return smt.GE(d, zero)
}

func equal(a, b smt.Linear) *smt.Formula { return compare(ftdp.Eq, a, b) }

// values are a key of numbers.
func valuesKey(list []int64) string {
	b := make([]byte, 0, 8*len(list))
	for _, v := range list {
		b = binary.AppendVarint(b, v)
	}
	return string(b)
}

// leaf is a scalar part of the state of a process, or of a message, for all indices of the arrays that it is in.
type leaf struct {
	id     int
	role   int // -1 for fields of messages
	offset int
	name   string
	dims   []*protocol.Type
	typ    *protocol.Type
	status bool
}

// function is a function of numbers: a cell, whether it is defined, the relation of messages
// ever sent, the members of a set, a part of the messages of a quorum.
type function struct {
	name   string
	sort   smt.Sort
	closed bool  // what is not known of it is false
	args   []int // the pools that arguments belong to
	about  func(a *app) []fact
	result int       // the pool that values belong to; noPool for none
	sent   *sentSort // of the relation of messages
	leaf   *leaf     // of cells
	what   string
}

// fact is something known of a term, and the condition under which it is a member of a pool.
type fact struct{ f *smt.Formula }

// sentSort is a pair of roles with messages between them.
type sentSort struct{ from, to int }

// app is a function of ground terms.
type app struct {
	f     *function
	args  []smt.Linear
	bools []*smt.Formula
	v     *smt.Var
	def   *smt.Formula // under which its value is one
	parts []value      // of a message: its fields
	gen   int
}

// symbol is a constant: a witness, a parameter, a name of a formula.
type symbol struct {
	pool  int
	means []node // of a name: told when it is used
	gen   int
}

// set has processes of a role, at least so many: a quorum, or those that satisfy a condition.
type set struct {
	name string
	role int
	size smt.Linear
	in   *function            // of quorums
	yes  func(b binding) node // who is in it
	when *smt.Formula         // under which there is such a set
	gen  int
	of   int // the condition that it is from; -1 for the step
	// named are different members, as many as it has.
	named []smt.Linear
}

// place is where ground terms are found: the argument of a function, or its values (-1).
type place struct {
	f   *function
	arg int
}
