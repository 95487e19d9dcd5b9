package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/verify"
)

// questions lists what can be asked of the text: all sizes, where that can be verified, and a small instance.
func (d *document) questions() (list []question) {
	if d.model == nil {
		return nil
	}
	_, forAll := d.model.(model.ForAll)
	_, fixed := d.model.(model.Fixed)
	for _, s := range d.model.Specs() {
		if forAll {
			list = append(list, question{asked{verifyCommand, s.Name}, s.Pos, "verify for all sizes"})
		}
		if fixed && forAll {
			list = append(list, question{asked{exploreCommand, s.Name}, s.Pos, "explore an instance"})
		} else if fixed {
			list = append(list, question{asked{exploreCommand, s.Name}, s.Pos, "explore"})
		}
	}
	return list
}

// found are the problems that a finding tells of.
func (d *document) found(q question, f *finding) (list []protocol.Diagnostic) {
	for i, p := range f.problems {
		x := protocol.Diagnostic{Range: d.span(q.pos, utf8.RuneCountInString(q.name)), Severity: p.severity,
			Source: "tacheck", Message: p.text}
		if i == 0 {
			for _, s := range f.places {
				if s.Pos.IsValid() {
					x.RelatedInformation = append(x.RelatedInformation,
						protocol.DiagnosticRelatedInformation{Location: d.location(s.Pos, 1), Message: s.Text})
				}
			}
		}
		list = append(list, x)
	}
	for _, e := range f.errors {
		list = append(list, d.diagnostic(e))
	}
	return list
}

// lenses stand over specifications: verdicts, if there are some, and commands to decide them.
func (d *document) lenses() []protocol.CodeLens {
	list := []protocol.CodeLens{}
	for _, q := range d.questions() {
		title := q.verb
		if f := d.findings[q.asked]; d.busy[q.asked] {
			title = "deciding ..."
		} else if f != nil {
			title = f.title + "; " + q.verb + " again"
		}
		list = append(list, protocol.CodeLens{Range: d.span(q.pos, utf8.RuneCountInString(q.name)),
			Command: &protocol.Command{Title: title, Command: q.command, Arguments: []any{d.uri, q.name}}})
	}
	return list
}

// decide answers a question, of a model of its own: models remember what was made of them, and are for one
// caller at a time.
func (d *document) decide(ctx context.Context, a asked, o verify.Options) (*finding, error) {
	m, err := d.kind.Open(ctx, d.file, d.text, model.Options{})
	if err != nil {
		return nil, err
	}
	var r *model.Result
	if a.command == verifyCommand {
		r, err = verifyAll(ctx, m.(model.ForAll), a.name, o)
	} else {
		r, err = exploreSmall(ctx, m.(model.Fixed), a.name, o)
	}
	var in *model.InputError
	switch {
	case errors.As(err, &in): // something is wrong with the text, as shows now
		return d.wrong(a, in), nil
	case err != nil:
		return nil, err
	}
	return newFinding(a, r), nil
}

func verifyAll(ctx context.Context, m model.ForAll, name string, o verify.Options) (found *model.Result, err error) {
	q, err := m.Ask(ctx, []string{name}, nil)
	if err == nil {
		err = q.Verify(ctx, model.Verifying{Options: o}, func(r *model.Result) error { found = r; return nil })
	}
	if err == nil && found == nil {
		err = fmt.Errorf("no answer")
	}
	return found, err
}

// patience is how long an instance is explored: more is for the command, not an editor.
const patience = time.Minute

// exploreSmall explores a small instance, or the one that the text has.
func exploreSmall(ctx context.Context, m model.Fixed, name string, o verify.Options) (*model.Result, error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	x, err := model.Small(within, m)
	if err != nil {
		return nil, err
	}
	bounds := explore.Bounds{Jobs: max(1, o.Jobs), States: model.DefaultStates, Memory: int64(memory.Free()) / 2}
	list, err := x.Explore(within, []string{name}, model.Exploring{Machine: machine.Options{Bounds: bounds}})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// newFinding makes of a result what is shown.
func newFinding(a asked, r *model.Result) *finding {
	f := &finding{verdict: r.Verdict}
	switch r.Verdict {
	case verify.Holds:
		holds := fmt.Sprintf(" holds (%.2f s)", r.Time.Seconds())
		if s := r.Space; s != nil {
			holds = fmt.Sprintf(" holds with %s: %d states (%.2f s)", run.Assignments(s.Instance), s.States,
				r.Time.Seconds())
		}
		f.title, f.message = "✓"+holds, a.name+holds
	case verify.Violated:
		f.violated(a.name, r)
	default:
		f.title, f.message = "? "+r.Reason, a.name+" is undecided: "+r.Reason
		f.problems = append(f.problems, problem{protocol.DiagnosticSeverityWarning, f.message})
	}
	for _, e := range r.Warnings {
		f.problems = append(f.problems, problem{severities[e.Severity], e.Msg})
	}
	if s := r.Space; s != nil {
		for _, note := range s.Notes {
			f.problems = append(f.problems, problem{protocol.DiagnosticSeverityInformation, a.name + ": " + note})
		}
	}
	return f
}

func (f *finding) violated(name string, r *model.Result) {
	x := r.Counterexample
	if x == nil {
		f.title, f.message = "✗ violated: "+r.Reason, name+" is violated: "+r.Reason
		f.problems = append(f.problems, problem{protocol.DiagnosticSeverityError, f.message})
		return
	}
	facts, err := model.Told(x)
	if err != nil {
		f.title, f.message = "✗ violated", name+" is violated"
		text := name + " is violated: " + err.Error()
		f.problems = append(f.problems, problem{protocol.DiagnosticSeverityError, text})
		return
	}
	short := facts.Title
	long := append([]string{name + " is violated: " + short}, told(facts)...)
	why, err := verdict.Tell(x.Why)
	if err != nil {
		long = append(long, err.Error())
	}
	for _, reason := range why {
		long = append(long, fmt.Sprintf("%s: %s", reason.Kind, reason.Text))
	}
	f.title, f.message = "✗ "+short, name+" is violated: "+short
	f.problems = append(f.problems, problem{protocol.DiagnosticSeverityError, strings.Join(long, "\n")})
	f.places = facts.Places()
}

// told tells a run in a few lines.
func told(s *run.Run) (lines []string) {
	for _, text := range s.Start {
		lines = append(lines, "start: "+text)
	}
	for i, e := range s.Events {
		if s.Columns == nil {
			break
		}
		if i == s.Loop {
			lines = append(lines, "for ever:")
		}
		var cells []string
		for k, text := range e.Cells {
			if text != "" {
				cells = append(cells, s.Columns[k]+" "+strings.ReplaceAll(text, "\n", "; "))
			}
		}
		lines = append(lines, fmt.Sprintf("step %d: %s", i+1, strings.Join(cells, ", ")))
	}
	for _, b := range s.Beats {
		if b.Loop {
			lines = append(lines, "for ever:")
		}
		text := b.Text
		if b.Step > 0 {
			text = fmt.Sprintf("step %d: %s", b.Step, b.Text)
		}
		lines = append(lines, strings.Join(append([]string{text}, b.Details...), "\n  "))
	}
	for _, text := range s.End {
		lines = append(lines, "end: "+text)
	}
	return lines
}

// wrong is a finding about a text in which something is wrong, which shows when it runs, say.
func (d *document) wrong(a asked, in *model.InputError) *finding {
	f := &finding{title: "✗ something is wrong with the model", message: a.name + ": " + in.Error()}
	var list diag.List
	if errors.As(in.Err, &list) && in.Text == d.text {
		f.errors = list
	} else {
		f.problems = append(f.problems, problem{protocol.DiagnosticSeverityError, in.Error()})
	}
	if in.Run != nil {
		lines := append([]string{in.Error() + ", after"}, told(in.Run.Told())...)
		f.problems = append(f.problems, problem{protocol.DiagnosticSeverityError, strings.Join(lines, "\n")})
	}
	return f
}

// execute returns what decides a specification, to go on in the background. Its verdict is
// dropped if the text changes meanwhile.
func (s *server) execute(p *protocol.ExecuteCommandParams) (start func(), err error) {
	if p.Command != verifyCommand && p.Command != exploreCommand {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %q", p.Command)
	}
	var uri protocol.DocumentURI
	a := asked{command: p.Command}
	if len(p.Arguments) != 2 || decode(p.Arguments[0], &uri) != nil || decode(p.Arguments[1], &a.name) != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes a document and the name of a specification",
			p.Command)
	}
	d := s.at(uri)
	is := func(q question) bool { return q.asked == a }
	if !slices.ContainsFunc(d.questions(), is) { // of fixed size: exploring is all that can be done
		if a.command = exploreCommand; p.Command != verifyCommand || !slices.ContainsFunc(d.questions(), is) {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams,
				"%s has no specification %q, or something is wrong with it", uri, a.name)
		}
	}
	s.mu.Lock()
	d.busy[a] = true
	s.mu.Unlock()
	return func() { s.decide(s.ctx, d, a) }, nil
}

func decode(from any, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

func (s *server) decide(ctx context.Context, d *document, a asked) {
	f, err := d.decide(ctx, a, s.options)
	text, _ := d.canonical()
	s.mu.Lock()
	delete(d.busy, a)
	now := s.docs[d.uri]
	current := false
	if now != nil {
		latest, ok := now.canonical()
		current = ok && latest == text
	}
	if err == nil && current {
		if now.text != d.text {
			f.places = nil
		}
		now.findings[a] = f
	}
	s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		s.show(ctx, protocol.MessageTypeError, fmt.Sprintf("%s: %v", a.name, err))
	case !current:
		s.show(ctx, protocol.MessageTypeInfo, a.name+": the model has changed; decide it again")
	default:
		s.publish(ctx, now)
		kind := protocol.MessageTypeInfo
		if f.verdict != verify.Holds {
			kind = protocol.MessageTypeWarning
		}
		s.show(ctx, kind, f.message)
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

// diagnostics lists what is wrong, and what has been found to be violated.
func (d *document) diagnostics() []protocol.Diagnostic {
	list := []protocol.Diagnostic{}
	for _, e := range d.problems {
		list = append(list, d.diagnostic(e))
	}
	for _, a := range d.questions() {
		if f := d.findings[a.asked]; f != nil {
			list = append(list, d.found(a, f)...)
		}
	}
	return list
}
