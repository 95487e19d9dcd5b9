package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// arrival checks the argument of arrived.
func (s *Source) arrival(e *ftdp.Expr) {
	if len(e.Args) != 1 || e.Args[0].Op != ftdp.Name && e.Args[0].Op != ftdp.Field {
		s.wrong(e, "arrived has one argument: a kind of messages")
		return
	}
	s.heard(e.Args[0])
	if s.Faults.Alike {
		s.wrong(e, "arrived(...) has no meaning with symmetric faults: who sends is not known to be correct")
	}
}

// Awaited reports whether a rule asks whether messages of a kind have arrived.
func (s *Source) Awaited(kind string) bool { return s.Awaits(kind) != nil }

// Awaits is where a rule asks first whether messages of a kind have arrived; nil if none does.
func (s *Source) Awaits(kind string) *ftdp.Expr {
	for _, e := range s.asked() {
		if e.Name == "arrived" && s.Heard(e.Args[0]).Kind.Name == kind {
			return e
		}
	}
	return nil
}

// SentField is what a process of an instance notes when it has sent a message to all.
func SentField(kind string) string { return "sent_" + kind + "_" }

// awaits checks what a rule of a protocol with rounds asks of what has arrived: with crashes, that something has not
// arrived depends on who crashes in other rounds.
func (r *RoundSource) awaits(rule *ftdp.ProcessRule) {
	crashing := slices.ContainsFunc(r.File.Sections, func(s *ftdp.Section) bool {
		if s.Faults == nil {
			return false
		}
		model, _ := counter.FaultsNamed(s.Faults.Model.Name)
		return model.Stop
	})
	body := ftdp.Statements(rule.Body)
	for st := range ftdp.All(body) {
		if !crashing || st.If == nil {
			continue
		}
		more := !slices.Contains(body, st) || st.If.Elsif != nil || st.If.Else != nil // or it goes on after that
		for _, g := range Guards(st.If) {
			if e := notArrived(g, more); e != nil {
				r.wrong(e, "with crashes, that something has not arrived depends on who crashes in other rounds: in "+
					"rounds, `arrived(...)` is for the condition of a rule, without `not`, `elsif` and `else`")
			}
		}
	}
}

// notArrived finds where a condition asks for something that has not arrived; with both, its negation matters, too.
func notArrived(e *ftdp.Expr, both bool) *ftdp.Expr {
	if e.Op == ftdp.Call && e.Name == "arrived" {
		if both {
			return e
		}
		return nil
	}
	for _, a := range e.Args {
		if found := notArrived(a, both || e.Op != ftdp.And && e.Op != ftdp.Or); found != nil {
			return found
		}
	}
	return nil
}
