package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// template is a shape of lemmas: quantified variables, and clauses over its atoms, where its guards are false.
type template struct {
	head     []variable // that it is about
	guards   []*ftdp.Expr
	atoms    []atom
	late     int    // so many of these, the last ones, are only in clauses that a CTI asks for
	need     uint64 // variables that have to be spoken of
	most     int    // conditions in a clause
	naming   bool   // one literal says that there is a message
	counting bool   // one literal counts, or is a part of an invariant
	twice    bool   // or two
	chooses  bool   // it says what quorums choose by messages

	table   *interp.Table // of the text
	clauses []*clause
	rows    *rows.Table // what was seen
	looked  int         // at so many samples
}

// clause is a disjunction of conditions, by their numbers: atom i is 2i, its negation 2i+1.
type clause struct {
	of       *template
	lits     []int
	long     bool      // it was made since a CTI asked for it
	stronger []*clause // that say the same of more processes, or fewer
	name     string    // as it is written
	same     string    // key
}

// weak reports whether a stronger one is there.
func (p *Pool) weak(c *clause) bool {
	return slices.ContainsFunc(c.stronger, func(d *clause) bool { return !p.refused[d.key()] })
}

// lemma is what it says.
func (c *clause) lemma() *ftdp.Expr {
	return quantify(ftdp.ForAll, c.of.head,
		flat(ftdp.Or, slices.Concat(c.of.guards, lists.Map(c.lits, c.of.literal))...))
}

func (c *clause) text() string {
	if c.name == "" {
		c.name = c.lemma().String()
	}
	return c.name
}

// key is the same of clauses that say the same, of one template or of two.
func (c *clause) key() string {
	if c.same != "" {
		return c.same
	}
	sorts := lists.Map(c.of.head, func(v variable) string {
		if v.over.Range != nil && v.over.Range.To == nil {
			return "message"
		}
		return v.over.String()
	})
	said := slices.Concat(c.of.guards, lists.Map(c.lits, c.of.literal))
	c.same = rows.Key(sorts, func(names []string) (out []string) {
		with := map[string]*ftdp.Expr{}
		for i, v := range c.of.head {
			with[v.name] = made.Name(names[i])
		}
		for i, v := range c.of.head {
			if sorts[i] == "message" {
				out = append(out, names[i]+": "+v.over.Range.From.Putting(with).String())
			}
		}
		for _, e := range said {
			out = append(out, inOrder(e.Putting(with)).String())
		}
		return out
	})
	return c.same
}

// inOrder is a comparison with its sides in the order of the alphabet, or with the greater one last.
func inOrder(e *ftdp.Expr) *ftdp.Expr {
	switch mirrored := e.Op.Mirrored(); e.Op {
	case ftdp.Gt, ftdp.Ge:
		return made.Op(mirrored, e.Args[1], e.Args[0])
	case ftdp.Eq, ftdp.Ne:
		if e.Args[1].String() < e.Args[0].String() {
			return made.Op(e.Op, e.Args[1], e.Args[0])
		}
	}
	return e
}

func (c *template) literal(l int) *ftdp.Expr {
	if l%2 == 0 {
		return c.atoms[l/2].yes
	}
	return c.atoms[l/2].no
}

// speaks reports whether a clause speaks of all that it has to, and counts, and names messages, as often as it should.
func (c *template) speaks(lits []int, listed bool) bool {
	uses, counts, names, most := uint64(0), 0, 0, 1
	for _, l := range lits {
		a := &c.atoms[l/2]
		if uses |= a.uses; a.counts {
			counts++
		}
		if a.names {
			names++
		}
	}
	if c.twice {
		most = 2
	}
	return counts <= most && uses&c.need == c.need &&
		(!listed || (names == 1 || !c.naming) && (counts > 0 || !c.counting))
}

// pairsOf calls f with roles between which messages are sent.
func (v *vocabulary) pairsOf(f func(from, to int)) {
	if v.m.Message == nil {
		return
	}
	for from := range v.m.Roles {
		for to := range v.m.Roles {
			if sends(v.m, from, to) {
				f(from, to)
			}
		}
	}
}

// variable is that of a process, or of a value of a type.
func (v *vocabulary) variable(s subject) variable {
	if s.role >= 0 {
		return variable{s.name, made.Typed(v.m.Roles[s.role].ID)}
	}
	return variable{s.name, v.over(s.typ)}
}

// over is a type as lemmas quantify over it; nil if they cannot.
func (v *vocabulary) over(t *protocol.Type) *ftdp.TypeExpr {
	switch t.Kind {
	case protocol.KindRole:
		return made.Typed(v.m.Roles[t.Role].ID)
	case protocol.KindBool:
		return made.Bool()
	case protocol.KindEnum:
		if name := v.enumeration(t); name != "" {
			return made.Typed(name)
		}
		return nil
	}
	from, to := bound(t.From, t.Lo), bound(t.To, t.Hi)
	if from == nil || to == nil {
		return nil
	}
	return ranging(from, to)
}

// rangeOf is a type as it is written, to tell types apart; "" if lemmas cannot quantify over it.
func (v *vocabulary) rangeOf(t *protocol.Type) string {
	if over := v.over(t); over != nil {
		return over.String()
	}
	return ""
}

// enumeration is the name that a text gives to a type of names; "" if it gives it none.
func (v *vocabulary) enumeration(t *protocol.Type) string {
	for _, s := range v.m.Source.Sections {
		for _, d := range s.Types {
			if d.Type != nil && slices.EqualFunc(d.Type.Enum, t.Values,
				func(i *ftdp.Ident, name string) bool { return i.Name == name }) {
				return d.Name.Name
			}
		}
	}
	return ""
}

func bound(t *protocol.Term, n int32) *ftdp.Expr {
	if t != nil {
		return sumOf(t)
	}
	return numeral(n)
}

// counts says of conditions on k that so many processes satisfy them; or would, if Byzantine ones did.
func (v *vocabulary) counts(t threshold, list []atom) []atom {
	var out []atom
	k := subject{name: v.own("k"), role: t.role}
	byz := made.Op(ftdp.Eq, v.status(k), made.Name(protocol.Byzantine.String()))
	for _, a := range list {
		for _, e := range []*ftdp.Expr{a.yes, a.no} {
			if e == nil {
				continue
			}
			out = append(out, v.count(t, e, a.uses))
			if slices.Contains(v.statuses, protocol.Byzantine.String()) && !a.status {
				out = append(out, v.count(t, flat(ftdp.Or, byz, e), a.uses))
			}
		}
	}
	return out
}

func (v *vocabulary) count(t threshold, e *ftdp.Expr, uses uint64) atom {
	k := v.variable(subject{name: v.own("k"), role: t.role})
	count := made.Binder(ftdp.Count, k.name, k.over, e)
	a := compared(count, ftdp.Ge, t.number, uses)
	a.counts, a.counted, a.least = true, count.String(), &t
	return a
}

// heard says of a process how many others it has something of: of those conditions on its cells at these, in which
// others are.
func (v *vocabulary) heard(q threshold, i subject, others []subject, needs uint64) (out []atom) {
	k := subject{name: v.own("k"), role: q.role, bit: closed}
	for _, s := range v.scalars(i, append([]subject{k}, others...)) {
		if s.uses&closed == 0 {
			continue
		}
		for _, a := range v.conditions([]scalar{s}, others) {
			if uses := a.uses &^ closed; uses == needs {
				out = append(out, v.count(q, a.yes, uses))
				if a.no != nil {
					out = append(out, v.count(q, a.no, uses))
				}
			}
		}
	}
	return out
}

// ranges lists the ranges of numbers that arrays have as indices, or that parameters of rules are from; and the
// enumerations and truth values that arrays have as indices.
func (v *vocabulary) ranges() []*protocol.Type {
	var list []*protocol.Type
	add := func(t *protocol.Type) {
		if !slices.ContainsFunc(list, func(u *protocol.Type) bool {
			return u.Kind == t.Kind && v.rangeOf(u) == v.rangeOf(t)
		}) {
			list = append(list, t)
		}
	}
	index := func(t *protocol.Type) {
		if t.Kind == protocol.KindInt || t.Kind == protocol.KindBool || t.Kind == protocol.KindEnum &&
			v.enumeration(t) != "" {
			add(t)
		}
	}
	for i := range v.m.Rules {
		for _, p := range v.m.Rules[i].Params {
			if p.Type.Kind == protocol.KindInt {
				add(p.Type)
			}
		}
	}
	for r := range v.m.Roles {
		for _, f := range v.m.Roles[r].State.Fields {
			for t := f.Type; t.Kind == protocol.KindArray; t = t.Elem {
				index(t.Index)
			}
		}
	}
	return list
}

// sentBy says that a process has sent a message with a number to another one.
func (v *vocabulary) sentBy(from, to, n subject) []atom {
	var out []atom
	if v.m.Message == nil || !sends(v.m, from.role, to.role) {
		return nil
	}
	for _, kind := range v.kinds() {
		for _, f := range v.fields(v.own("y"), kind, n.bit) {
			if v.likeNumber(f.typ, n) {
				says := made.And(append(v.is(v.own("y"), kind), made.Op(ftdp.Eq, f.expr, n.expr()))...)
				out = append(out, atom{yes: exists(says, v.ofMessage("y", from, to)), uses: from.bit | to.bit | n.bit})
			}
		}
	}
	return out
}

// sends reports whether processes of a role send anything to those of another.
func sends(m *protocol.Model, from, to int) bool {
	found := false
	for i := range m.Rules {
		if r := &m.Rules[i]; r.Params[r.Executor].Type.Role == from {
			for s := range protocol.Steps(r.Body) {
				found = found || s.Target != nil && (s.Target.Base == protocol.BaseOut ||
					s.Target.Base == protocol.BaseOuts) && s.Target.Role == to
			}
		}
	}
	return found || m.Roles[from].Strategy
}
