package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tacheck/internal/diag"
	"tacheck/internal/verdict"
	"tacheck/review"
	"tacheck/verify"
)

// spec is something that can be decided: a specification or a property.
type spec struct {
	name string
	pos  diag.Pos
}

func (d *document) specs() []spec {
	var list []spec
	switch {
	case d.automaton != nil:
		for i := range d.automaton.Specs {
			s := &d.automaton.Specs[i]
			list = append(list, spec{s.Name, s.Pos})
		}
	case d.ftdp != nil:
		for i := range d.ftdp.Props {
			p := &d.ftdp.Props[i]
			list = append(list, spec{p.Name, p.Pos})
		}
	}
	return list
}

// finding is what was found out about a specification.
type finding struct {
	verdict  verdict.Verdict
	title    string // of the lens
	message  string
	bad      bool
	problems []problem
}

type problem struct {
	severity protocol.DiagnosticSeverity
	text     string
}

// lenses are one a specification: its verdict, if it has one, and the command
// to verify it.
func (d *document) lenses() []protocol.CodeLens {
	list := []protocol.CodeLens{}
	verb := "verify"
	if d.ftdp != nil {
		verb = "explore"
	}
	for _, s := range d.specs() {
		title := verb
		if f := d.findings[s.name]; d.busy[s.name] {
			title = "deciding ..."
		} else if f != nil {
			title = f.title + "; " + verb + " again"
		}
		list = append(list, protocol.CodeLens{Range: d.span(s.pos, utf8.RuneCountInString(s.name)),
			Command: &protocol.Command{Title: title, Command: VerifyCommand, Arguments: []any{d.uri, s.name}}})
	}
	return list
}

// decide decides a specification.
func (d *document) decide(ctx context.Context, name string, o verify.Options) (*finding, error) {
	if d.ftdp != nil {
		return d.explore(ctx, name, o)
	}
	r, err := review.Verify(ctx, d.automaton, d.automaton.SpecNamed(name), o)
	if err != nil {
		return nil, err
	}
	f := &finding{verdict: r.Verdict}
	switch r.Verdict {
	case verify.Holds:
		f.title = fmt.Sprintf("✓ holds (%.2f s)", r.Time.Seconds())
	case verify.Violated:
		f.violated(name, r.Witness.Title(), summary(r))
	default:
		f.undecided(name, r.Reason)
	}
	for _, e := range r.Warnings {
		f.problems = append(f.problems, problem{protocol.DiagnosticSeverityWarning, e.Msg})
	}
	return f, nil
}

func (f *finding) violated(name, short, long string) {
	f.bad, f.title, f.message = true, "✗ "+short, name+" is violated: "+short
	f.problems = append(f.problems, problem{protocol.DiagnosticSeverityError, long})
}

func (f *finding) undecided(name, reason string) {
	f.title = "? " + reason
	f.problems = append(f.problems, problem{protocol.DiagnosticSeverityWarning, name + " is undecided: " + reason})
}

// summary tells a counterexample in a few lines.
func summary(r *verify.Result) string {
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
	if !slices.ContainsFunc(d.specs(), func(s spec) bool { return s.name == name }) {
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
	f, err := d.decide(ctx, name, s.options)
	text, _ := d.canonical()
	s.mu.Lock()
	delete(d.busy, name)
	now := s.docs[d.uri]
	current := false
	if now != nil {
		latest, ok := now.canonical()
		current = ok && latest == text
	}
	if err == nil && current {
		now.findings[name] = f
	}
	s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		s.show(ctx, protocol.MessageTypeError, fmt.Sprintf("%s: %v", name, err))
	case !current:
		s.show(ctx, protocol.MessageTypeInfo, name+": the model has changed; decide it again")
	default:
		s.publish(ctx, now)
		message, kind := name+" "+string(f.verdict), protocol.MessageTypeInfo
		if f.bad {
			message, kind = f.message, protocol.MessageTypeWarning
		}
		s.show(ctx, kind, message)
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
