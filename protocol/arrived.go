package protocol

import (
	"slices"
)

// arrived(K) is what synchronous exchanges of messages have in place of numbers: every correct process of the types that send K has
// sent it to all, and all of that was received. It is a condition of guards (docs/sizes.md).

// arrival checks the argument of arrived.
func (s *Source) arrival(e *Expr, bad func(string, ...any)) {
	if len(e.Args) != 1 || e.Args[0].Op != Name && e.Args[0].Op != Field {
		bad("arrived has one argument: a kind of messages")
		return
	}
	s.heard(e.Args[0])
	if s.Faults == Symmetric {
		bad("arrived(...) has no meaning with symmetric faults: who sends is not known to be correct")
	}
}

// Awaited reports whether a rule asks whether messages of a kind have arrived.
func (s *Source) Awaited(kind string) bool { return s.Awaits(kind) != nil }

// Awaits is where a rule asks first whether messages of a kind have arrived; nil if none does.
func (s *Source) Awaits(kind string) (at *Expr) {
	for _, r := range s.Rules {
		for st := range all(r.Body) {
			for _, e := range expressions(st) {
				if at == nil {
					at = e.awaits(s, kind)
				}
			}
		}
	}
	return at
}

func (e *Expr) awaits(s *Source, kind string) *Expr {
	for e := range e.All() {
		if e.Op == Call && e.Name == "arrived" {
			if k := s.Heard(e.Args[0]).Kind; k != nil && k.Name == kind {
				return e
			}
		}
	}
	return nil
}

// sentField is what a process of an instance notes when it has sent a message to all.
func sentField(kind string) string { return "sent_" + kind + "_" }

// awaited lists the kinds that processes of a type send of which some rule asks whether they have arrived.
func (g *instantiation) awaited(typ int) (list []*MessageKind) {
	for i := range g.Kinds {
		if k := &g.Kinds[i]; slices.Contains(k.From, typ) && g.Awaited(k.Name) {
			list = append(list, k)
		}
	}
	return list
}

// arrivedFrom says that a process has received all messages of a kind that correct processes send.
func (g *instantiation) arrivedFrom(h Heard, who *Expr) *Expr {
	var parts []*Expr
	for _, from := range h.From {
		other := func(name string) *Expr { return g.of(g.Types[from].Name, g.name("a_"), name) }
		sent := other(sentField(h.Kind.Name))
		over := sent
		switch {
		case g.lying(from):
			over = g.or(sent, g.op(Eq, other("status"), g.name("byz")))
		case g.flagged(from):
			over = g.or(sent, other("faulty"))
		case g.mayCrash(from):
			over = g.or(sent, other("crashed"))
		}
		heard := g.index(g.my(who, g.heardField(h.Kind, from, 0)), g.name("a_"))
		if h.Kind.Valued() {
			heard = g.not(g.op(Undefined, heard))
		}
		parts = append(parts, g.binder(ForAll, "a_", g.ids(from), g.and(over, g.op(Implies, sent, heard))))
	}
	return g.and(parts...)
}

// awaits checks what a rule of a protocol with rounds asks of what has arrived: with crashes, that something has not arrived depends on who
// crashes in other rounds.
func (r *RoundSource) awaits(rule *ProcessRule) {
	crashing := slices.ContainsFunc(r.File.Sections, func(s *Section) bool {
		return s.Faults != nil && (s.Faults.Model.Name == string(Crashes) || s.Faults.Model.Name == string(CleanCrash))
	})
	body := statements(rule.Body)
	for st := range all(body) {
		if !crashing || st.If == nil {
			continue
		}
		more := !slices.Contains(body, st) || st.If.Elsif != nil || st.If.Else != nil // or it goes on after that
		for _, g := range st.If.guards() {
			if e := g.notArrived(more); e != nil {
				r.errs.Add(e.Pos, max(1, e.Width), "with crashes, that something has not arrived depends on who crashes in other rounds: in rounds, `arrived(...)` is for "+
					"the condition of a rule, without `not`, `elsif` and `else`")
			}
		}
	}
}

// notArrived finds where a condition asks for something that has not arrived; with both, its negation matters, too.
func (e *Expr) notArrived(both bool) *Expr {
	if e.Op == Call && e.Name == "arrived" {
		if both {
			return e
		}
		return nil
	}
	for _, a := range e.Args {
		if found := a.notArrived(both || e.Op != And && e.Op != Or); found != nil {
			return found
		}
	}
	return nil
}
