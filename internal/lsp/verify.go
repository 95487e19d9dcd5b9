package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tacheck/review"
	"tacheck/verify"
)

// lenses are one a specification: its verdict, if it has one, and the command
// to verify it.
func (d *document) lenses() []protocol.CodeLens {
	list := []protocol.CodeLens{}
	if d.automaton == nil {
		return list
	}
	for i := range d.automaton.Specs {
		s := &d.automaton.Specs[i]
		title := "verify"
		switch r := d.verdicts[s.Name]; {
		case d.busy[s.Name]:
			title = "verifying ..."
		case r != nil && r.Verdict == verify.Holds:
			title = fmt.Sprintf("✓ holds (%.2f s); verify again", r.Time.Seconds())
		case r != nil && r.Verdict == verify.Violated:
			title = "✗ " + r.Witness.Title() + "; verify again"
		case r != nil:
			title = "? " + r.Reason + "; verify again"
		}
		list = append(list, protocol.CodeLens{Range: d.span(s.Pos, utf8.RuneCountInString(s.Name)),
			Command: &protocol.Command{Title: title, Command: VerifyCommand, Arguments: []any{d.uri, s.Name}}})
	}
	return list
}

// summary tells a counterexample in a few lines.
func (d *document) summary(r *verify.Result) string {
	w := r.Witness
	lines := []string{fmt.Sprintf("%s is violated: %s", r.Spec, r.Witness.Title())}
	for i, s := range w.Steps() {
		lines = append(lines, fmt.Sprintf("step %d: %s", i+1, s))
	}
	why, err := w.Explain()
	if err != nil {
		return strings.Join(append(lines, err.Error()), "\n")
	}
	for _, line := range why {
		lines = append(lines, fmt.Sprintf("%s: %s", line.Kind, line.Text))
	}
	return strings.Join(lines, "\n")
}

// execute returns a verification, to go on in the background. Its verdict is
// dropped if the text changes meanwhile.
func (s *server) execute(p *protocol.ExecuteCommandParams) (start func(), err error) {
	if p.Command != VerifyCommand {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %q", p.Command)
	}
	var uri protocol.DocumentURI
	var name string
	if len(p.Arguments) != 2 || decode(p.Arguments[0], &uri) != nil || decode(p.Arguments[1], &name) != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes a document and the name of a specification", VerifyCommand)
	}
	d := s.at(uri)
	if d.automaton == nil || d.automaton.SpecNamed(name) == nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s has no specification %q, or something is wrong with it", uri, name)
	}
	s.mu.Lock()
	d.busy[name] = true
	s.mu.Unlock()
	return func() { s.verify(s.ctx, d, name) }, nil
}

func decode(from any, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

func (s *server) verify(ctx context.Context, d *document, name string) {
	r, err := review.Verify(ctx, d.automaton, d.automaton.SpecNamed(name), s.options)
	s.mu.Lock()
	delete(d.busy, name)
	now := s.docs[d.uri]
	current := now != nil && now.automaton != nil && now.automaton.Format() == d.automaton.Format()
	if err == nil && current {
		now.verdicts[name] = r
	}
	s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		s.show(ctx, protocol.MessageTypeError, fmt.Sprintf("%s: %v", name, err))
	case !current:
		s.show(ctx, protocol.MessageTypeInfo, name+": the model has changed; verify it again")
	default:
		s.publish(ctx, now)
		text, kind := fmt.Sprintf("%s %s", name, r.Verdict), protocol.MessageTypeInfo
		if r.Verdict == verify.Violated {
			text, kind = name+" is violated: "+r.Witness.Title(), protocol.MessageTypeWarning
		}
		s.show(ctx, kind, text)
	}
	s.mu.Lock()
	refresh := s.refresh
	s.mu.Unlock()
	if refresh { // the lenses have other titles now; how the editor answers does not matter
		_, _ = s.conn.Call(ctx, protocol.MethodCodeLensRefresh, nil, nil)
	}
}

func (s *server) show(ctx context.Context, kind protocol.MessageType, text string) {
	s.notify(ctx, protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: text})
}
