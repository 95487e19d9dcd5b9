package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
)

// at returns the symbol at a position, and where its name begins.
func (d *document) at(p protocol.Position) (*index.Symbol, diag.Pos) { return d.names().At(d.place(p)) }

// hover says what the name at a position means.
func (d *document) hover(p protocol.Position) *protocol.Hover {
	s, pos := d.at(p)
	if s == nil {
		return nil
	}
	r := d.span(pos, len(s.Name))
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: s.Described()}, Range: &r}
}

func (d *document) location(pos diag.Pos, width int) protocol.Location {
	return protocol.Location{URI: d.uri, Range: d.span(pos, width)}
}

// definition returns where the name at a position is declared.
func (d *document) definition(p protocol.Position) []protocol.Location {
	s, _ := d.at(p)
	if s == nil || !s.Pos.IsValid() {
		return nil
	}
	return []protocol.Location{d.location(s.Pos, len(s.Name))}
}

// references returns where the name at a position stands.
func (d *document) references(p protocol.Position, declaration bool) []protocol.Location {
	s, _ := d.at(p)
	if s == nil {
		return nil
	}
	list := []protocol.Location{}
	for _, pos := range s.Places() {
		if declaration || pos != s.Pos {
			list = append(list, d.location(pos, len(s.Name)))
		}
	}
	return list
}

// highlights are the places of the name at a position, for marking them.
func (d *document) highlights(p protocol.Position) []protocol.DocumentHighlight {
	s, _ := d.at(p)
	if s == nil {
		return nil
	}
	list := []protocol.DocumentHighlight{}
	if s.Pos.IsValid() {
		list = append(list, protocol.DocumentHighlight{Range: d.span(s.Pos, len(s.Name)),
			Kind: protocol.DocumentHighlightKindText})
	}
	for _, u := range s.Uses {
		kind := protocol.DocumentHighlightKindRead
		if u.Writes {
			kind = protocol.DocumentHighlightKindWrite
		}
		list = append(list, protocol.DocumentHighlight{Range: d.span(u.Pos, len(s.Name)), Kind: kind})
	}
	return list
}

// renamable returns where the name at a position is written, if it can be renamed.
func (d *document) renamable(p protocol.Position) (*protocol.Range, error) {
	s, err := d.names().Renamable(d.place(p))
	if err != nil {
		return nil, err
	}
	_, pos := d.at(p)
	r := d.span(pos, len(s.Name))
	return &r, nil
}

// rename gives the name at a position another one, everywhere.
func (d *document) rename(p protocol.Position, to string) (*protocol.WorkspaceEdit, error) {
	s, err := d.names().Renamable(d.place(p))
	if err != nil {
		return nil, err
	}
	_, places, err := index.Rename(d.text, d.place(p), to, func(text string) (*index.Index,
		error) {
		return d.kind.Names(d.file, text)
	})
	if err != nil {
		return nil, err
	}
	edits := []protocol.TextEdit{}
	slices.SortFunc(places, index.Order)
	for _, pos := range places {
		edits = append(edits, protocol.TextEdit{Range: d.span(pos, len(s.Name)), NewText: to})
	}
	return &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{d.uri: edits}}, nil
}

// format returns the edit that makes the text canonical; none if it is, or if something is wrong with it.
func (d *document) format() []protocol.TextEdit {
	text, ok := d.canonical()
	if !ok || text == d.text {
		return []protocol.TextEdit{}
	}
	end := protocol.Position{Line: uint32(len(d.lines)), Character: 0}
	return []protocol.TextEdit{{Range: protocol.Range{End: end}, NewText: text}}
}

// symbols lists what is declared, for an outline: names inside what they belong to.
func (d *document) symbols() []protocol.DocumentSymbol {
	inside := map[*index.Symbol][]*index.Symbol{}
	for _, s := range d.names().Symbols {
		if s.Pos.IsValid() && !s.Inner {
			inside[s.Within] = append(inside[s.Within], s)
		}
	}
	return d.outline(nil, inside)
}

func (d *document) outline(of *index.Symbol, inside map[*index.Symbol][]*index.Symbol) []protocol.DocumentSymbol {
	list := []protocol.DocumentSymbol{}
	for _, s := range inside[of] {
		r := d.span(s.Pos, len(s.Name))
		x := protocol.DocumentSymbol{Name: s.Name, Detail: string(s.Kind), Kind: shown[s.Kind].symbol, Range: r,
			SelectionRange: r}
		if x.Children = d.outline(s, inside); len(x.Children) == 0 {
			x.Children = nil
		} else {
			x.Range.End = x.Children[len(x.Children)-1].Range.End
		}
		list = append(list, x)
	}
	return list
}

// complete lists what can come at a position: words of the language and declared names. While the
// text is not right, names are also those of the last one that was.
func (d *document) complete(p protocol.Position) *protocol.CompletionList {
	out := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	if d.kind.Next == nil {
		return out
	}
	wanted := d.kind.Next(d.before(p))
	seen := map[string]bool{}
	add := func(item protocol.CompletionItem) {
		if !seen[item.Label] {
			seen[item.Label] = true
			out.Items = append(out.Items, item)
		}
	}
	at := d.place(p)
	known := wanted.Select(d.names().Symbols, at)
	if d.whole != nil && d.model == nil {
		for _, s := range d.whole.Symbols {
			if slices.Contains(wanted.Kinds, s.Kind) && !s.Inner {
				known = append(known, s)
			}
		}
	}
	for _, s := range known {
		if s.Pos.Line == at.Line && s.Pos.Col <= at.Col && at.Col <= s.Pos.Col+len(s.Name) {
			continue // it is being written
		}
		detail := strings.TrimSpace(string(s.Kind) + " " + s.Value)
		add(protocol.CompletionItem{Label: s.Name, Kind: shown[s.Kind].item, Detail: detail, SortText: "1" + s.Name})
	}
	for _, w := range wanted.Words {
		add(protocol.CompletionItem{Label: w, Kind: protocol.CompletionItemKindKeyword, SortText: "2" + w})
	}
	return out
}
