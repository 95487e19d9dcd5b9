package benchmarks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/verdict"
)

// Variant is a property of an algorithm of the zoo, as it is, with constants, or with a mistake.
type Variant struct {
	File   string
	Name   string           // the mistake, or the constants; "" for the algorithm as it is
	Text   string           // with the mistake; "" without
	Set    map[string]int64 // constants with values of their own
	Spec   string
	Expect verdict.Verdict
	// Command is what is asked of tacheck, where it is not what such files are asked.
	Command []string
}

// variantsIn lists what is expected of the algorithms of a folder, as they are, and with mistakes.
func variantsIn(folder string, animals []Animal) (list []Variant, err error) {
	for _, a := range animals {
		more, err := a.variants(folder + "/" + a.File)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// Variants lists what is expected of the zoo: of the algorithms for all sizes, with their mistakes; of one-step
// consensus, whose mistakes are automata; and of the protocols whose processes have names.
func Variants() ([]Variant, error) {
	list, err := variantsIn("zoo", ExpectedZoo())
	if err != nil {
		return nil, err
	}
	for _, e := range Expected() {
		switch {
		case e.File == "bosco.ta":
			list = append(list, Variant{File: "sources/bosco.ftdp", Spec: e.Spec, Expect: e.Verdict})
		case strings.HasPrefix(e.File, "broken/bosco") && e.Verdict == verdict.Violated:
			list = append(list, Variant{File: e.File, Spec: e.Spec, Expect: e.Verdict})
		}
	}
	for _, e := range ExpectedProtocols() {
		list = append(list, variantOf(e))
	}
	return list, nil
}

// variantOf is a property of a protocol with constants.
func variantOf(e ProtocolExpectation) Variant {
	v := Variant{File: e.File, Set: e.Set, Spec: e.Property, Expect: e.Verdict}
	for i, name := range slices.Sorted(maps.Keys(e.Set)) {
		v.Name += fmt.Sprintf("%s%s=%d", map[bool]string{true: " "}[i > 0], name, e.Set[name])
	}
	return v
}

// variants lists the algorithm and its mistakes.
func (a *Animal) variants(file string) (list []Variant, err error) {
	add := func(name, text string, specs []string, expect verdict.Verdict) {
		for _, s := range specs {
			list = append(list, Variant{File: file, Name: name, Text: text, Spec: s, Expect: expect})
		}
	}
	add("", "", a.Holds, verdict.Holds)
	add("", "", a.Violated, verdict.Violated)
	add("", "", a.Unknown, verdict.Unknown)
	for i := range a.Broken {
		m := &a.Broken[i]
		text, _ := Read(file)
		if text, err = m.In(text); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", file, m.Name, err)
		}
		add(m.Name, text, m.Violated, verdict.Violated)
		add(m.Name, text, m.Unknown, verdict.Unknown)
	}
	return list, nil
}

// In returns the text of an algorithm with the mistake.
func (m *Mistaken) In(text string) (string, error) {
	for i := 0; i < len(m.Edits); i += 2 {
		if !strings.Contains(text, m.Edits[i]) {
			return "", fmt.Errorf("there is no %q", m.Edits[i])
		}
		text = strings.ReplaceAll(text, m.Edits[i], m.Edits[i+1])
	}
	return text, nil
}
