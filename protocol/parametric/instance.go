package parametric

import (
	"fmt"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// MayCrash reports whether processes of a type stop.
func (s *Source) MayCrash(typ int) bool { return s.Faults.Stop && s.Types[typ].Group >= 0 }

// Stopping are the types whose processes stop.
func (s *Source) Stopping() (types []int) {
	for typ := range s.Types {
		if s.MayCrash(typ) {
			types = append(types, typ)
		}
	}
	return types
}

// Flagged reports whether some processes of a type are faulty from the start, and known as such by a flag.
func (s *Source) Flagged(typ int) bool {
	return (s.Faults.Alike || s.Faults.Omit()) && s.Types[typ].Group >= 0
}

// Lying reports whether some processes of a type are Byzantine.
func (s *Source) Lying(typ int) bool { return s.Faults.Byzantine() && s.Types[typ].Group >= 0 }

// HeardField names what a process has heard of a kind, from processes of a type: an array by senders
// of the values of a field, or of truth values.
func (s *Source) HeardField(k *MessageKind, from, field int) string {
	name := "heard_" + k.Name
	if len(k.From) > 1 {
		name += fmt.Sprintf("_%d_", from)
	}
	if field > 0 {
		name += fmt.Sprintf("_%df_", field)
	}
	return name
}

// Hears reports whether processes of a type look at messages of a kind.
func (s *Source) Hears(typ int, kind string) bool {
	if len(s.Types) == 1 {
		return true
	}
	for r, e := range s.asked() {
		if r.Type == typ && s.Heard(e.Args[0]).Kind.Name == kind {
			return true
		}
	}
	return false
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
