package benchmarks

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/verdict"
)

//go:embed field/expected.json
var expectedField []byte

// Field lists the embedded faults of real programs, such as "field/vote_erased.ftdp".
func Field() []string { return glob("field/*.ftdp") }

// Fault is a fault of a real program: what is known of its text, in which the constant "repaired" is false, and of the
// repaired text, in which it is true and every property holds.
type Fault struct {
	File     string                `json:"file"`
	Title    string                `json:"title"`
	Source   string                `json:"source"` // project, number of the report, year
	What     string                `json:"what"`   // happens
	Repair   string                `json:"repair"`
	Violated []Broken              `json:"violated"`
	Holds    []string              `json:"holds"` // with the fault, too
	More     []ProtocolExpectation `json:"more"`  // with other values of constants
	Every    Every                 `json:"every"`
}

// Every is what is proved of the repaired text for every size, with lemmas by hand, and why it is not more.
type Every struct {
	Proved []string `json:"proved"`
	Lemmas []string `json:"lemmas"`
	Not    string   `json:"not"`
}

// Says is how the gallery says it.
func (e *Every) Says() string {
	if len(e.Proved) == 0 {
		return ""
	}
	text := "*Every size:* `" + strings.Join(e.Proved, "` and `") + "` proved"
	if n := len(e.Lemmas); n > 0 {
		text += fmt.Sprintf(" with %d lemmas by hand", n)
	}
	return text
}

// Broken is a property that a fault violates. Steps is the length of a shortest run to it, 0 for a loop.
type Broken struct {
	Property string `json:"property"`
	Steps    int    `json:"steps"`
}

// Faults lists what is expected of all embedded faults.
func Faults() []Fault { return embedded[[]Fault]("field/expected.json", expectedField) }

// FieldVariants lists what is expected of the faults of real programs, as they are, repaired, and with other constants.
func FieldVariants() ([]Variant, error) {
	var list []Variant
	for _, f := range Faults() {
		for _, e := range f.expectations() {
			list = append(list, variantOf(e))
		}
		for _, name := range f.Every.Proved {
			v := variantOf(ProtocolExpectation{File: "field/" + f.File, Set: map[string]int64{"repaired": 1},
				Property: name, Verdict: verdict.Holds})
			v.Command = []string{"induct", "--all-sizes"}
			for _, l := range f.Every.Lemmas {
				v.Command = append(v.Command, "--lemma", l)
			}
			list = append(list, v)
		}
	}
	return list, nil
}

// expectations lists the verdicts of a fault's properties.
func (f *Fault) expectations() (list []ProtocolExpectation) {
	add := func(property string, v verdict.Verdict, set map[string]int64) {
		list = append(list, ProtocolExpectation{File: "field/" + f.File, Set: set, Property: property, Verdict: v})
	}
	for _, b := range f.Violated {
		add(b.Property, verdict.Violated, nil)
		add(b.Property, verdict.Holds, map[string]int64{"repaired": 1})
	}
	for _, name := range f.Holds {
		add(name, verdict.Holds, nil)
		add(name, verdict.Holds, map[string]int64{"repaired": 1})
	}
	for _, e := range f.More {
		e.File = "field/" + f.File
		list = append(list, e)
	}
	return list
}
