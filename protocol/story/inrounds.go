package story

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/protocol"
)

// Said is a text about a run of the model in the words of its writer: where a text has several rounds and the model
// knows what its names stand for, it is the message REPORT(0) of round 1, not REPORT_r1(0).
func Said(m *protocol.Model, text string) string {
	rounds := m.Source.Rounds()
	if rounds == nil {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		word := text[i : i+1]
		if end := strings.IndexFunc(text[i:], func(c rune) bool { return !inName(c) }); end != 0 {
			if word = text[i:]; end > 0 {
				word = text[i : i+end]
			}
		}
		i += len(word)
		of, is := rounds[word]
		if !is {
			b.WriteString(word)
			continue
		}
		if b.WriteString(of.Name); of.Round == 0 {
			continue
		}
		if values := arguments(text[i:]); values != "" {
			b.WriteString(values)
			i += len(values)
		}
		fmt.Fprintf(&b, " of round %d", of.Round)
	}
	return b.String()
}

func inName(c rune) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// arguments are the values of a message that a text begins with; "" if it does not.
func arguments(text string) string {
	values, rest, closed := strings.Cut(text, ")")
	if !closed || !strings.HasPrefix(values, "(") || strings.Contains(values[1:], "(") {
		return ""
	}
	return text[:len(text)-len(rest)]
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
