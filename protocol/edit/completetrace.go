package edit

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Words of readings of logs.
var (
	traceStatements = []string{"reading", "events", "clock", "process", "value", "constant", "silent", "visible",
		"ignore", "when"}
	traceParts      = []string{"rule", "see", "sent", "received", "lost", "stopped"}
	traceConditions = []string{"has", "not", "and", "or", "in", "id", "len", "true", "false", "null"}
)

// inTrace says what can come in a reading of logs, whose statements the grammar does not know.
func (b *beginning) inTrace() index.Wanted {
	if len(b.words) == 0 {
		return index.Wanted{} // its name
	}
	_, rest := b.since(";")
	if !slices.Contains(b.words, ";") {
		rest = b.words[1:]
	}
	if len(rest) == 0 {
		return index.Wanted{Words: append(slices.Clone(traceStatements), "end")}
	}
	one := len(rest) == 1
	switch rest[0] {
	case "process":
		if one {
			return index.Wanted{Kinds: []index.Kind{index.Role, index.States}}
		}
		return index.Wanted{Words: []string{"none", "numbers", "is"}}
	case "value":
		return index.Wanted{Kinds: []index.Kind{index.Value, index.Constant}, Words: []string{"or", "true", "false"}}
	case "constant":
		if one {
			return index.Wanted{Kinds: []index.Kind{index.Constant}}
		}
		return index.Wanted{Words: []string{"count", "max", "min"}}
	case "silent":
		return index.Wanted{Kinds: []index.Kind{index.Rule}, Words: []string{"all"}}
	case "visible":
		return index.Wanted{Kinds: []index.Kind{index.Rule}, Words: []string{"lost", "stopped"}}
	case "clock":
		return index.Wanted{Words: []string{"by", "vector"}}
	case "ignore":
		return index.Wanted{Words: append(slices.Clone(traceConditions), "others")}
	case "when":
		return b.inWhen(rest)
	}
	return index.Wanted{}
}

// inWhen says what can come in a statement that says what an event is.
func (b *beginning) inWhen(rest []string) index.Wanted {
	if !slices.Contains(rest, ":") {
		return index.Wanted{Words: traceConditions}
	}
	if last := b.last(1); last == ":" && len(index.Open(rest)) == 0 || last == "then" || last == "rule" {
		return index.Wanted{Kinds: []index.Kind{index.Rule}, Words: traceParts}
	}
	if b.last(1) == "." {
		return index.Wanted{Kinds: []index.Kind{index.Field}, Words: []string{"status", "absent"}}
	}
	kinds := append(slices.Clone(inExpressions), index.Role)
	own := []string{"before", "after", "then", "msg", "isundefined", "forall", "exists"}
	return index.Wanted{Kinds: kinds, Words: slices.Concat(own, traceConditions, statusWords, numberWords)}
}

// Next says what can come after a text.
func Next(text string) index.Wanted {
	if b := begin(strings.TrimRightFunc(text, func(r rune) bool {
		return ftdp.IsName(string(r)) || '0' <= r && r <= '9'
	})); b.where == "trace" && b.last(1) != "end" {
		return b.inTrace()
	}
	return grammar.Next(text)
}
