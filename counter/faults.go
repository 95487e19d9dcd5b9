package counter

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
)

// Faults say what faulty processes do that do not follow the text.
type Faults struct {
	Name  string
	Stop  bool // they stop; until then they are as the others
	Some  bool // what they send may reach some only
	Lie   bool // they send anything, at any time
	Alike bool // what they send is the same to all
}

// FaultModels are those that texts name.
var FaultModels = []Faults{
	{Name: "none"},
	{Name: "byzantine", Lie: true},
	{Name: "symmetric", Lie: true, Alike: true},
	{Name: "omission", Some: true},
	{Name: "crash", Stop: true, Some: true},
	{Name: "clean", Stop: true},
}

// FaultsNamed are the faults of a model; false if there is none of that name.
func FaultsNamed(name string) (Faults, bool) {
	i := slices.IndexFunc(FaultModels, func(f Faults) bool { return f.Name == name })
	if i < 0 {
		return Faults{}, false
	}
	return FaultModels[i], true
}

// FaultNames are the names of models.
func FaultNames() []string {
	return lists.Map(FaultModels, func(f Faults) string { return f.Name })
}

// None reports whether there are no faulty processes.
func (f Faults) None() bool { return !f.Stop && !f.Some && !f.Lie }

// Byzantine reports whether faulty processes tell some what they do not tell others: they have no local states.
func (f Faults) Byzantine() bool { return f.Lie && !f.Alike }

// Omit reports whether faulty processes follow the text, but for messages that get lost.
func (f Faults) Omit() bool { return f.Some && !f.Stop }
