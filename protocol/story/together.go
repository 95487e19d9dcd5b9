package story

import (
	"tacheck/protocol/interp"
)

// mostWaits is how many lines on processes that wait are read one by one. Where there are more, processes of which the
// same is said are named together.
const mostWaits = 6

// wait is why a process does not get further.
type wait struct {
	process int
	text    string
}

// together says who waits and why, each reason in the place where it comes up first:
//
//	node 2, 3 and 4: accept is not possible: heard(ECHO) = 1
func (x *explainer) together(list []wait) (lines []string) {
	var reasons []string
	who := map[string][]string{}
	for _, w := range list {
		name := interp.ProcessName(x.Model, w.process)
		if len(list) <= mostWaits {
			lines = append(lines, name+": "+w.text)
			continue
		}
		if who[w.text] == nil {
			reasons = append(reasons, w.text)
		}
		who[w.text] = append(who[w.text], name)
	}
	for _, text := range reasons {
		lines = append(lines, interp.Enumerate(who[text])+": "+text)
	}
	return lines
}
