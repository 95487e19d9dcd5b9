package parametric

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

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
