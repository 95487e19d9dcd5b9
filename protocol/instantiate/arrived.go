package instantiate

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// awaited lists the kinds from processes of a type that stand in an `arrived` of some rule.
func (g *Instantiation) awaited(typ int) (list []*parametric.MessageKind) {
	for i := range g.Kinds {
		if k := &g.Kinds[i]; slices.Contains(k.From, typ) && g.Awaited(k.Name) {
			list = append(list, k)
		}
	}
	return list
}

// arrivedFrom says that a process has received all messages of a kind that correct processes send.
func (g *Instantiation) arrivedFrom(h parametric.Heard, who *ftdp.Expr) *ftdp.Expr {
	var parts []*ftdp.Expr
	for _, from := range h.From {
		other := func(name string) *ftdp.Expr { return g.Of(g.Types[from].Name, g.Named("a_"), name) }
		sent := other(parametric.SentField(h.Kind.Name))
		over := sent
		switch {
		case g.Lying(from):
			over = g.Or(sent, g.Op(ftdp.Eq, other("status"), g.Named("byz")))
		case g.Flagged(from):
			over = g.Or(sent, other("faulty"))
		case g.MayCrash(from):
			over = g.Or(sent, other("crashed"))
		}
		heard := g.Index(g.my(who, g.HeardField(h.Kind, from, 0)), g.Named("a_"))
		if h.Kind.Valued() {
			heard = g.Not(g.Op(ftdp.Undefined, heard))
		}
		parts = append(parts, g.Binder(ftdp.ForAll, "a_", g.Ids(from), g.And(over, g.Op(ftdp.Implies, sent, heard))))
	}
	return g.And(parts...)
}
