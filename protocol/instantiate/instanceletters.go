package instantiate

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// letters reports whether some step sends several messages. Then the instance declares kinds of
// messages, and sends them; otherwise messages are records, whose fields are written.
func letters(s *parametric.Source) bool {
	return slices.ContainsFunc(s.Rules, func(r parametric.SourceRule) bool { return mostSent(r.Body) > 1 })
}

// mostSent is how many messages statements send at most.
func mostSent(list []*ftdp.Statement) int {
	total := 0
	for _, st := range list {
		switch {
		case st.Send != nil:
			total++
		case st.If != nil:
			most := 0
			for _, b := range st.If.Branches() {
				most = max(most, mostSent(b.Body))
			}
			total += most
		}
	}
	return total
}

// letterTypes declares the kinds of messages, with the fields that carry their values.
func (g *Instantiation) letterTypes() (out []*ftdp.MessageDecl) {
	_, of := slots(g.Source)
	for _, k := range g.Kinds {
		d := &ftdp.MessageDecl{Name: g.Ident(k.Name)}
		for _, at := range of[k.Name] {
			d.Fields = append(d.Fields, g.Decl(g.slots[at].name, g.typeOfValue(&g.slots[at].ValueType)))
		}
		if g.Faults.Some {
			d.Fields = append(d.Fields, g.Decl("sure", g.Bool()))
		}
		out = append(out, d)
	}
	return out
}

// letter is what a message carries.
func (g *Instantiation) letter(values []*ftdp.Expr, sure string) []*ftdp.Expr {
	switch {
	case !g.Faults.Some:
		return values
	case sure == "":
		sure = "true"
	}
	return append(values[:len(values):len(values)], g.Named(sure))
}
