package parametric

import (
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// UnusedKinds warns of kinds of messages that no rule counts, and of those that no process can send.
func (s *Source) UnusedKinds() (found diag.List) {
	sent, asked := map[string]bool{}, map[string]bool{}
	for _, r := range s.Rules {
		for st := range ftdp.All(r.Body) {
			switch {
			case st.Send != nil:
				sent[st.Send.Kind.Name] = true
			case st.If != nil:
				for _, g := range Guards(st.If) {
					for e := range g.All() {
						if e.Op == ftdp.Call && (e.Name == "heard" || e.Name == "arrived") {
							asked[s.Heard(e.Args[0]).Kind.Name] = true
						}
					}
				}
			}
		}
	}
	for _, sec := range s.File.Sections {
		for _, k := range sec.Messages {
			switch name := k.Name.Name; {
			case !asked[name]:
				found.Warn(k.Name.Place(), len(name), "no rule asks who has sent %s", name)
			case !sent[name] && !s.Faults.Lie:
				found.Warn(k.Name.Place(), len(name), "nobody sends %s", name)
			}
		}
	}
	return found
}
