package benchmarks

import (
	_ "embed"
)

//go:embed zoo/expected.json
var expectedZoo []byte

// Zoo lists the embedded algorithms for all sizes that were written from their papers, such as "zoo/bracha.ftdp".
func Zoo() []string { return glob("zoo/*.ftdp") }

// Animal is what is expected of an algorithm of the zoo: which properties hold, which do not, and (Unknown) which can
// be neither proved nor refuted, for the reason that Why says.
type Animal struct {
	File     string     `json:"file"`
	Why      string     `json:"why"`
	Holds    []string   `json:"holds"`
	Violated []string   `json:"violated"`
	Unknown  []string   `json:"unknown"`
	Broken   []Mistaken `json:"broken"`
}

// Mistaken is a mistake in an algorithm, as texts and what stands in their place, and what it violates, or makes
// unknown. Story has parts of what is said to go wrong in a run to the first of these: they name the mistake.
type Mistaken struct {
	Name     string   `json:"name"`
	Edits    []string `json:"edits"`
	Violated []string `json:"violated"`
	Story    []string `json:"story"`
	Unknown  []string `json:"unknown"`
}

// ExpectedZoo lists what is expected of all algorithms of the zoo.
func ExpectedZoo() []Animal { return embedded[[]Animal]("zoo/expected.json", expectedZoo) }
