package parametric

import (
	"fmt"
)

// MayCrash reports whether processes of a type stop.
func (s *Source) MayCrash(typ int) bool { return s.Faults.Stop && s.Types[typ].Group >= 0 }

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
