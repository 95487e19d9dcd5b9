package lsp

import (
	"go.lsp.dev/protocol"

	"tacheck/internal/diag"
	ftdp "tacheck/protocol"
	"tacheck/ta/syntax"
)

// readProtocol reads a protocol of processes with identities.
func (d *document) readProtocol() {
	d.words = nil
	for _, w := range ftdp.Words("", d.text) {
		d.words = append(d.words, syntax.Word(w))
	}
	m, err := ftdp.Read("", d.text, nil)
	if d.add(err); m != nil {
		d.ftdp = m
		d.problems = append(d.problems, m.Asymmetry...)
	}
}

// canonical returns the text in canonical form; false if something is wrong
// with it.
func (d *document) canonical() (string, bool) {
	switch {
	case d.automaton != nil:
		return d.automaton.Format(), true
	case d.ftdp != nil:
		return ftdp.Format(d.ftdp.Source), true
	}
	return "", false
}

// isName reports whether a word can be declared in the document's language.
func (d *document) isName(word string) bool {
	if d.ftdp != nil {
		return ftdp.IsName(word)
	}
	return syntax.IsName(word)
}

// outline calls add for every name that a protocol declares.
func (d *document) outline(add func(kind protocol.SymbolKind, name, detail string, pos diag.Pos)) {
	kinds := map[string]protocol.SymbolKind{"constant": protocol.SymbolKindConstant, "type": protocol.SymbolKindClass, "role": protocol.SymbolKindClass,
		"variables": protocol.SymbolKindVariable, "definition": protocol.SymbolKindFunction, "initial state": protocol.SymbolKindEvent,
		"rule": protocol.SymbolKindEvent, "invariant": protocol.SymbolKindProperty, "formula": protocol.SymbolKindProperty}
	for _, n := range d.ftdp.Names {
		add(kinds[n.Kind], n.Name, n.Kind, n.Pos)
	}
}
