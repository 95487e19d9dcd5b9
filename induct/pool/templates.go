package pool

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/rows"
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
	guarded Things        // what the guards speak of
	about   []Things      // what each atom speaks of
	clauses []*clause
	rows    *rows.Table // what was seen
	looked  int         // at so many samples
}

// cost is that of the cheapest lemmas of a template: its variables, one more where it counts, two where a message is
// there.
func (c *template) cost() int {
	cost := len(c.head)
	if c.counting {
		cost++
	}
	if c.twice {
		cost++
	}
	if c.naming {
		cost += 2
	}
	return cost
}

// counts reports whether clauses may say how many processes satisfy a condition.
func (c *template) counts() bool {
	return slices.ContainsFunc(c.atoms, func(a atom) bool { return a.counts })
}

// clause is a disjunction of conditions, by their numbers: atom i is 2i, its negation 2i+1.
type clause struct {
	of       *template
	lits     []int
	long     bool      // it was made since a CTI asked for it
	stronger []*clause // that say the same of more processes, or fewer
	closer   []*clause // that say more of what is counted, or of a message
	name     string    // as it is written
	same     string    // key
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
