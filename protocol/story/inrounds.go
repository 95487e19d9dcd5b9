package story

import (
	"fmt"
	"regexp"

	"github.com/tacheck/tacheck/protocol"
)

// named is a name in a text, with the values of a message behind it.
var named = regexp.MustCompile(`(\w+)(\([^()]*\))?`)

// Said is a text about a run of the model in the words of its writer: where a text has several rounds and the model
// knows what its names stand for, it is the message REPORT(0) of round 1, not REPORT_r1(0).
func Said(m *protocol.Model, text string) string {
	rounds := m.Source.Rounds()
	if rounds == nil {
		return text
	}
	return named.ReplaceAllStringFunc(text, func(said string) string {
		parts := named.FindStringSubmatch(said)
		of, is := rounds[parts[1]]
		switch {
		case is && of.Round > 0:
			return fmt.Sprintf("%s%s of round %d", of.Name, parts[2], of.Round)
		case is:
			parts[1] = of.Name
		}
		return parts[1] + Said(m, parts[2])
	})
}

// roundless is the name of a rule without the round that it is of.
func roundless(m *protocol.Model, name string) string {
	if of, is := m.Source.Rounds()[name]; is {
		return of.Name
	}
	return name
}

// said is Said of several texts.
func said(m *protocol.Model, list []string) []string {
	for i, text := range list {
		list[i] = Said(m, text)
	}
	return list
}
