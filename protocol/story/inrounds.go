package story

import (
	"regexp"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// unrolledName is a name of a text with several rounds, as Unrolled makes them: of a rule that tosses a coin, of a
// rule, or of messages with their values.
var unrolledName = regexp.MustCompile(`\b([A-Za-z]\w*?)_r(\d+)(?:_coin\d+\b|_by\d+\b|(\([^()]*\))|\b)`)

// unrolledConstant are the constants of such a text that its writer has not given it.
var unrolledConstant = regexp.MustCompile(`\b(unrolled_rounds|common_coin)(\d*)\b`)

// Said is a text about a run of the model in the words of its writer: of a text with several rounds, it is the
// message REPORT(0) of round 1, not REPORT_r1(0).
func Said(m *protocol.Model, text string) string {
	if !slices.ContainsFunc(m.Constants, func(k protocol.Constant) bool { return k.Name == parametric.RoundsName }) {
		return text
	}
	text = unrolledName.ReplaceAllString(text, "$1$3 of round $2")
	return unrolledConstant.ReplaceAllStringFunc(text, func(name string) string {
		if name == parametric.RoundsName {
			return "rounds"
		}
		return "coin" + name[len("common_coin"):]
	})
}

// roundless is the name of a rule without the round that it is of.
func roundless(m *protocol.Model, name string) string {
	if Said(m, name) == name {
		return name
	}
	return unrolledName.ReplaceAllString(name, "$1")
}

// said is Said of several texts.
func said(m *protocol.Model, list []string) []string {
	for i, text := range list {
		list[i] = Said(m, text)
	}
	return list
}
