package lsp

import (
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"tacheck/internal/diag"
	"tacheck/ta"
	"tacheck/ta/syntax"
)

// word returns the word at a position, or nil.
func (d *document) word(p protocol.Position) *syntax.Word {
	for i := range d.words {
		w := &d.words[i]
		if w.Pos.Line-1 != int(p.Line) {
			continue
		}
		r := d.span(w.Pos, len(w.Text)) // words are ASCII
		if r.Start.Character <= p.Character && p.Character <= r.End.Character {
			return w
		}
	}
	return nil
}

// declared returns where a name is declared.
func (d *document) declared(name string) (diag.Pos, bool) {
	if a := d.automaton; a != nil {
		for _, list := range [][]ta.Name{a.Parameters, a.Shared, a.Locations} {
			for _, n := range list {
				if n.Name == name {
					return n.Pos, true
				}
			}
		}
		if s := a.SpecNamed(name); s != nil {
			return s.Pos, true
		}
	}
	if d.ftdp != nil {
		for _, n := range d.ftdp.Names {
			if n.Name == name {
				return n.Pos, true
			}
		}
	}
	for i := 1; i < len(d.words); i++ {
		if d.words[i].Text == name && d.words[i-1].Text == "define" {
			return d.words[i].Pos, true
		}
	}
	return diag.Pos{}, false
}

// definition returns where the name at a position is declared.
func (d *document) definition(p protocol.Position) []protocol.Location {
	w := d.word(p)
	if w == nil || w.Number {
		return nil
	}
	pos, ok := d.declared(w.Text)
	if !ok {
		return nil
	}
	return []protocol.Location{{URI: d.uri, Range: d.span(pos, len(w.Text))}}
}

// rename gives a declared name another name, everywhere.
func (d *document) rename(p protocol.Position, name string) (*protocol.WorkspaceEdit, error) {
	w := d.word(p)
	switch {
	case d.automaton == nil && d.ftdp == nil:
		return nil, fmt.Errorf("correct what is wrong with the model first")
	case w == nil || w.Number:
		return nil, fmt.Errorf("there is no name here")
	case !d.isName(name):
		return nil, fmt.Errorf("%q cannot be a name: use letters, digits and underscores, and no word of the language", name)
	}
	if _, ok := d.declared(w.Text); !ok {
		return nil, fmt.Errorf("%s is not declared in this model", w.Text)
	}
	if slices.ContainsFunc(d.words, func(v syntax.Word) bool { return v.Text == name }) {
		return nil, fmt.Errorf("there is a %s already", name)
	}
	var edits []protocol.TextEdit
	for _, v := range d.words {
		if v.Text == w.Text {
			edits = append(edits, protocol.TextEdit{Range: d.span(v.Pos, len(v.Text)), NewText: name})
		}
	}
	return &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{d.uri: edits}}, nil
}

// format returns the edit that makes the text canonical; none if it is, or if
// something is wrong with it.
func (d *document) format() []protocol.TextEdit {
	text, ok := d.canonical()
	if !ok || text == d.text {
		return []protocol.TextEdit{}
	}
	end := protocol.Position{Line: uint32(len(d.lines)), Character: 0}
	return []protocol.TextEdit{{Range: protocol.Range{End: end}, NewText: text}}
}

// symbols lists what is declared, for an outline.
func (d *document) symbols() []protocol.DocumentSymbol {
	list := []protocol.DocumentSymbol{}
	add := func(kind protocol.SymbolKind, name, detail string, pos diag.Pos) {
		r := d.span(pos, len(name))
		list = append(list, protocol.DocumentSymbol{Name: name, Detail: detail, Kind: kind, Range: r, SelectionRange: r})
	}
	if d.ftdp != nil {
		d.outline(add)
	}
	a := d.automaton
	if a == nil {
		return list
	}
	for _, group := range []struct {
		names  []ta.Name
		detail string
		kind   protocol.SymbolKind
	}{{a.Parameters, "parameter", protocol.SymbolKindConstant}, {a.Shared, "shared", protocol.SymbolKindVariable}, {a.Locations, "location", protocol.SymbolKindClass}} {
		for _, n := range group.names {
			add(group.kind, n.Name, group.detail, n.Pos)
		}
	}
	for _, s := range a.Specs {
		add(protocol.SymbolKindProperty, s.Name, "specification", s.Pos)
	}
	return list
}
