// Package benchmarks holds models of fault-tolerant distributed algorithms,
// written from the algorithms' publications, with expected verdicts.
package benchmarks

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sort"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/ta"
)

//go:embed *.ta *.pml broken/*.ta protocols/*.ftdp sources/*.ftdp zoo/*.ftdp rounds/*.ftdp field/*.ftdp tables/*.ftdp tables/ic3po/*.ftdp tables/ic3po/*.pyv peers/*.ftdp tutorial/*
var files embed.FS

// Read returns the text of an embedded model, such as "rb.ta" or "paxos.ftdp".
func Read(name string) (string, bool) {
	text, err := files.ReadFile(name)
	if err != nil {
		text, err = files.ReadFile("protocols/" + name)
	}
	return string(text), err == nil
}

// Protocols lists the embedded protocols in alphabetical order.
func Protocols() []string {
	list := lists.Map(glob("protocols/*.ftdp"), path.Base)
	return list
}

//go:embed protocols/expected.json
var expectedProtocols []byte

// Sources lists the embedded protocols for all sizes, such as "sources/rb.ftdp":
// what the automata of the same names are made from by hand.
func Sources() []string { return glob("sources/*.ftdp") }

// Promela lists the embedded Promela models, such as "rb.pml".
func Promela() []string { return glob("*.pml") }

// ProtocolExpectation is the verdict that a property of an embedded protocol should
// have for some values of its constants, and why.
type ProtocolExpectation struct {
	File     string           `json:"file"`
	Set      map[string]int64 `json:"set"`
	Property string           `json:"property"`
	Verdict  verdict.Verdict  `json:"verdict"` // holds or violated
	Why      string           `json:"why"`
}

// ExpectedProtocols lists the expected verdicts of all embedded protocols.
func ExpectedProtocols() []ProtocolExpectation {
	return embedded[[]ProtocolExpectation]("protocols/expected.json", expectedProtocols)
}

// embedded reads JSON that is part of the program, and tested.
func embedded[T any](name string, text []byte) (out T) {
	if err := json.Unmarshal(text, &out); err != nil {
		panic(name + ": " + err.Error())
	}
	return out
}

// Parse parses an embedded model.
func Parse(name string) (*ta.Automaton, error) {
	text, ok := Read(name)
	if !ok {
		return nil, fmt.Errorf("there is no embedded model %q", name)
	}
	return ta.Parse(name, text)
}

// Names lists the embedded models in alphabetical order, the suite first and then the broken variants, "broken/...".
func Names() []string { return append(glob("*.ta"), glob("broken/*.ta")...) }

func glob(pattern string) []string {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic(err) // patterns are constants
	}
	sort.Strings(names)
	return names
}

//go:embed expected.json
var expected []byte

// Expectation is the verdict that a specification of an embedded model should have, and why.
type Expectation struct {
	File    string          `json:"file"`
	Spec    string          `json:"spec"`
	Verdict verdict.Verdict `json:"verdict"` // holds or violated
	Why     string          `json:"why"`
}

// Expected lists the expected verdicts of all embedded models, in the order of Names and of the specifications in each.
func Expected() []Expectation { return embedded[[]Expectation]("expected.json", expected) }
