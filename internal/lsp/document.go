package lsp

import (
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"tacheck/internal/diag"
	"tacheck/ltl"
	"tacheck/promela"
	ftdp "tacheck/protocol"
	"tacheck/ta"
	"tacheck/ta/syntax"
	"tacheck/verify"
)

// document is a text in an editor. It is never changed but for its verdicts,
// which are guarded by the server's lock.
type document struct {
	uri       protocol.DocumentURI
	text      string
	lines     []string
	words     []syntax.Word
	automaton *ta.Automaton // of this text, or nil
	ftdp      *ftdp.Model   // of this text, or nil
	problems  diag.List
	findings  map[string]*finding // by specification; of this text
	busy      map[string]bool
}

// newDocument reads a text. Verdicts are kept if nothing but comments and
// layout has changed.
func newDocument(uri protocol.DocumentURI, text string, before *document) *document {
	d := &document{uri: uri, text: text, lines: strings.Split(text, "\n"), words: syntax.Words(string(uri), text),
		findings: map[string]*finding{}, busy: map[string]bool{}}
	if strings.HasSuffix(string(uri), ".ftdp") {
		d.readProtocol()
		d.keep(before)
		return d
	}
	if strings.HasSuffix(string(uri), ".pml") { // places of problems only
		m, err := promela.Parse("", text, nil)
		if d.add(err); m != nil {
			d.problems = append(d.problems, m.Warnings...)
		}
		return d
	}
	a, err := ta.Parse("", text)
	if err != nil {
		d.add(err)
		return d
	}
	d.automaton = a
	d.problems = append(d.problems, a.Warnings...)
	for i := range a.Specs {
		d.problems = append(d.problems, ltl.Warnings(&a.Specs[i])...)
		_, err := verify.Inspect(a, &a.Specs[i])
		d.add(err)
	}
	d.keep(before)
	return d
}

// keep takes over what was found if the text means the same as before.
func (d *document) keep(before *document) {
	if before == nil {
		return
	}
	now, ok := d.canonical()
	if then, also := before.canonical(); ok && also && now == then {
		d.findings = before.findings
	}
}

func (d *document) add(err error) {
	var list diag.List
	switch {
	case err == nil:
	case errors.As(err, &list):
		d.problems = append(d.problems, list...)
	default:
		d.problems.Add(diag.Pos{Line: 1, Col: 1}, 1, "%v", err)
	}
}

// position converts a place, which counts characters from 1, to the protocol's,
// which counts UTF-16 code units from 0.
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

// span is a range of so many characters on one line.
func (d *document) span(p diag.Pos, width int) protocol.Range {
	end := p
	end.Col += max(1, width)
	return protocol.Range{Start: d.position(p), End: d.position(end)}
}

// diagnostics lists what is wrong, and what has been found to be violated.
func (d *document) diagnostics() []protocol.Diagnostic {
	list := []protocol.Diagnostic{}
	for _, e := range d.problems {
		severity := protocol.DiagnosticSeverityError
		if e.Severity == diag.Warning {
			severity = protocol.DiagnosticSeverityWarning
		}
		x := protocol.Diagnostic{Range: d.span(e.Pos, e.Width), Severity: severity, Source: "tacheck", Message: e.Msg}
		for _, n := range e.Notes {
			x.RelatedInformation = append(x.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: d.uri, Range: d.span(n.Pos, 1)}, Message: n.Msg})
		}
		list = append(list, x)
	}
	for _, spec := range d.specs() {
		if f := d.findings[spec.name]; f != nil {
			for _, p := range f.problems {
				list = append(list, protocol.Diagnostic{Range: d.span(spec.pos, utf8.RuneCountInString(spec.name)), Severity: p.severity, Source: "tacheck", Message: p.text})
			}
		}
	}
	return list
}
