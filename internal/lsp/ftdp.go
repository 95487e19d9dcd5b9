package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"tacheck/explore"
	"tacheck/internal/diag"
	"tacheck/internal/memory"
	ftdp "tacheck/protocol"
	"tacheck/protocol/machine"
	"tacheck/ta/syntax"
	"tacheck/verify"
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

// patience is how long a property is explored: whoever has more should not
// wait in an editor.
const patience = time.Minute

// explore decides a property with the constants that the text has.
func (d *document) explore(ctx context.Context, name string, o verify.Options) (*finding, error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	bounds := explore.Bounds{Jobs: max(1, o.Jobs), Memory: int64(memory.Free()) / 2}
	results, err := machine.Check(within, d.ftdp, []*ftdp.Prop{d.ftdp.Lookup(name)}, machine.Options{Bounds: bounds})
	f := &finding{verdict: machine.Unknown}
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		f.violated(name, "something is wrong with the model", fmt.Sprintf("%v, after\n%s", bad, told(bad.Run)))
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	switch r := results[0]; r.Verdict {
	case machine.Holds:
		f.verdict = r.Verdict
		f.title = fmt.Sprintf("✓ holds with %s: %d states (%.2f s)", d.ftdp.Assignments(), r.States, r.Time.Seconds())
	case machine.Violated:
		f.verdict = r.Verdict
		f.violated(name, fmt.Sprintf("with %s, in %d steps", d.ftdp.Assignments(), len(r.Run.Events)-1), name+" is violated:\n"+told(r.Run))
	default:
		f.undecided(name, r.Reason)
	}
	return f, nil
}

// told tells a run in a few lines.
func told(r *ftdp.Run) string {
	var lines []string
	for _, b := range r.Story() {
		line := b.Text
		if b.Step > 0 {
			line = fmt.Sprintf("step %d: %s", b.Step, b.Text)
		}
		lines = append(lines, strings.Join(append([]string{line}, append(b.Changes, b.Sends...)...), "\n  "))
	}
	return strings.Join(lines, "\n")
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
