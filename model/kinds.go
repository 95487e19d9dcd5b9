package model

import (
	"fmt"

	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
	"github.com/tacheck/tacheck/verify"
)

// The kinds that this program has: nothing else knows the endings of files' names.
var (
	Automata = &Kind{Name: "a threshold automaton", Endings: []string{".ta", ".eta"}, Open: openAutomaton, Finds: true,
		Format: formatAutomaton, IsName: syntax.IsName, Names: automatonNames, Next: syntax.Next}
	Processes = &Kind{Preprocessed: true, Finds: true, Name: "a Promela model", Endings: []string{".pml", ".promela"},
		Open: openPromela, Format: pml.Format, Names: promela.Names, Next: pml.Next}
	modules   = &Kind{Name: "a TLA+ module", Endings: []string{".tla"}, Open: openTLA, Finds: true}
	Protocols = &Kind{Name: "a protocol", Endings: []string{".ftdp"}, Open: openProtocol, Finds: true,
		Format: keeping(formatProtocol), IsName: ftdp.IsName, Names: trace.Index, Next: edit.Next}
	firstOrders = &Kind{Name: "a first-order system", Endings: []string{".pyv"}, Open: openFirstOrder, Finds: true,
		Format: pyv.Format, IsName: pyv.IsName}
)

func init() {
	for _, k := range []*Kind{Automata, Processes, modules, Protocols, firstOrders} {
		Register(k)
	}
}

func formatAutomaton(file, text string) (string, error) {
	a, err := ta.Parse(file, text)
	if err != nil {
		return "", err
	}
	return a.Format(), nil
}

// automatonNames says of specifications what counterexamples to them are.
func automatonNames(file, text string) (*index.Index, error) {
	x, err := ta.Names(file, text)
	if err != nil {
		return x, err
	}
	for _, s := range x.Symbols {
		if s.Kind == index.Specification {
			s.About = func() string { return aboutSpec(text, s.Name) }
		}
	}
	return x, nil
}

func aboutSpec(text, name string) string {
	a, err := ta.Parse("", text)
	if err != nil {
		return ""
	}
	s := a.SpecNamed(name)
	kind := "a counterexample is a finite run"
	switch infinite, err := verify.Inspect(a, s); {
	case err != nil:
		kind = "it cannot be decided: see the problem reported"
	case infinite:
		kind = "a counterexample is an infinite run"
	}
	return fmt.Sprintf("specification **%s**: %s\n```\n%s\n```", s.Name, kind, s.Formula)
}

func formatProtocol(file, text string) (string, error) {
	f, err := ftdp.Parse(file, text)
	if err != nil {
		return "", err
	}
	return ftdp.FormatWith(f, reading.Canonical(f))
}
