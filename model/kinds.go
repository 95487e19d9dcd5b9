package model

import (
	"tacheck/promela"
	"tacheck/protocol"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

const protocolKind = "a protocol"

// The kinds that this program has: nothing else knows the endings of files' names.
func init() {
	Register(&Kind{Name: "a threshold automaton", Endings: []string{".ta"}, Open: openAutomaton, Format: formatAutomaton, IsName: syntax.IsName})
	Register(&Kind{Name: "a Promela model", Endings: []string{".pml", ".promela"}, Open: openPromela, Format: promela.Format})
	Register(&Kind{Name: protocolKind, Endings: []string{".ftdp"}, Open: openProtocol, Format: formatProtocol, IsName: protocol.IsName})
}

func formatAutomaton(file, text string) (string, error) {
	a, err := ta.Parse(file, text)
	if err != nil {
		return "", err
	}
	return a.Format(), nil
}

func formatProtocol(file, text string) (string, error) {
	f, err := protocol.Parse(file, text)
	if err != nil {
		return "", err
	}
	return protocol.Format(f), nil
}
