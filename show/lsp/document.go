package lsp

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strings"
	"sync"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/run"
)

// document is a text in an editor. It is never changed but for its verdicts, which are guarded by the server's lock.
type document struct {
	uri      protocol.DocumentURI
	file     string // a name that tells the kind
	kind     *model.Kind
	text     string
	lines    []string
	model    model.Model // nil if something is wrong with the text
	problems diag.List
	names    func() *index.Index // made when it is asked for
	whole    *index.Index        // the names of this text, or the last one before it that was right; nil if none was
	findings map[asked]*finding  // of this text
	busy     map[asked]bool
}

// newDocument reads a text. Verdicts are kept if nothing but comments and layout has changed.
func newDocument(ctx context.Context, uri protocol.DocumentURI, language protocol.LanguageIdentifier, text string,
	before *document) *document {
	d := &document{uri: uri, text: text, lines: strings.Split(text, "\n")}
	d.findings, d.busy = map[asked]*finding{}, map[asked]bool{}
	d.file, d.kind = kindOf(uri, language)
	if before != nil {
		d.file, d.kind = before.file, before.kind
	}
	m, err := d.kind.Open(ctx, d.file, text, model.Options{})
	if d.problems = problemsOf(err); err == nil {
		d.model = m
		d.problems = model.Inspect(m)
	}
	d.names = sync.OnceValue(func() *index.Index {
		if d.kind.Names == nil {
			return index.NewBuilder(nil, nil).Index(false)
		}
		x, _ := d.kind.Names(d.file, text) // what is wrong is among the problems
		return x
	})
	d.keep(before)
	return d
}

// kindOf tells the kind of a document by its name, or else by the language that the editor says.
func kindOf(uri protocol.DocumentURI, language protocol.LanguageIdentifier) (string, *model.Kind) {
	file := path.Base(string(uri))
	if u, err := url.Parse(string(uri)); err == nil {
		file = path.Base(u.Path)
	}
	k, known := model.KindOf(file)
	if !known {
		if other, known := model.KindOf("model." + string(language)); known {
			return "model." + string(language), other
		}
	}
	return file, k
}

// keep takes over what was found if the text means the same as before, and names that can be
// offered while a text is not right.
func (d *document) keep(before *document) {
	if d.model != nil {
		d.whole = d.names()
	} else if before != nil {
		d.whole = before.whole
	}
	if before == nil {
		return
	}
	now, ok := d.canonical()
	if then, also := before.canonical(); ok && also && now == then {
		for a, f := range before.findings {
			moved := *f
			moved.places = nil // they are those of the text before
			d.findings[a] = &moved
		}
		if d.text == before.text {
			d.findings = before.findings
		}
	}
}

// canonical returns the text in canonical form; false if something is wrong with it.
func (d *document) canonical() (string, bool) {
	if d.model == nil || d.kind.Format == nil {
		return "", false
	}
	text, err := d.kind.Format(d.file, d.text)
	return text, err == nil
}

// problemsOf are the problems that an error stands for.
func problemsOf(err error) diag.List {
	var list diag.List
	if err != nil && !errors.As(err, &list) {
		list.Add(diag.Pos{Line: 1, Col: 1}, 1, "%v", err)
	}
	return list
}

// position converts a place, which counts characters from 1, to the protocol's, which counts UTF-16 code units from 0.
func (d *document) position(p diag.Pos) protocol.Position {
	if !p.IsValid() || p.Line > len(d.lines) {
		return protocol.Position{}
	}
	units, col := 0, 1
	for _, r := range d.lines[p.Line-1] {
		if col >= p.Col {
			break
		}
		units += utf16.RuneLen(r)
		col++
	}
	return protocol.Position{Line: uint32(p.Line - 1), Character: uint32(units)}
}

// place is the reverse of position.
func (d *document) place(p protocol.Position) diag.Pos {
	out := diag.Pos{Line: int(p.Line) + 1, Col: 1}
	if out.Line > len(d.lines) {
		return out
	}
	units := 0
	for _, r := range d.lines[out.Line-1] {
		if units >= int(p.Character) {
			break
		}
		units += utf16.RuneLen(r)
		out.Col++
	}
	return out
}

// before is the text up to a position.
func (d *document) before(p protocol.Position) string {
	at := d.place(p)
	if at.Line > len(d.lines) {
		return d.text
	}
	line := []rune(d.lines[at.Line-1])
	return strings.Join(append(d.lines[:at.Line-1:at.Line-1], string(line[:min(at.Col-1, len(line))])), "\n")
}

// span is a range of so many characters on one line.
func (d *document) span(p diag.Pos, width int) protocol.Range {
	end := p
	end.Col += max(1, width)
	return protocol.Range{Start: d.position(p), End: d.position(end)}
}

var severities = map[diag.Severity]protocol.DiagnosticSeverity{diag.Problem: protocol.DiagnosticSeverityError,
	diag.Warning: protocol.DiagnosticSeverityWarning, diag.Hint: protocol.DiagnosticSeverityInformation}

func (d *document) diagnostic(e *diag.Error) protocol.Diagnostic {
	x := protocol.Diagnostic{Range: d.span(e.Pos, e.Width), Severity: severities[e.Severity], Source: "tacheck",
		Message: e.Msg}
	for _, n := range e.Notes {
		x.RelatedInformation = append(x.RelatedInformation, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: d.uri, Range: d.span(n.Pos, 1)}, Message: n.Msg})
	}
	return x
}

// asked is what is asked of a specification: a command, and its name.
type asked struct{ command, name string }

// question is what can be asked, with the specification's place.
type question struct {
	asked
	pos  diag.Pos
	verb string
}

// finding is what was found out about a specification.
type finding struct {
	verdict  verdict.Verdict
	title    string // of the lens
	message  string
	problems []problem
	places   []run.At  // of the steps of a counterexample
	errors   diag.List // with places of their own
}

type problem struct {
	severity protocol.DiagnosticSeverity
	text     string
}
