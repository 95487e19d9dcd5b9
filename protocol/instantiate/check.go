package instantiate

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Read reads a text and makes a model of it, with values for constants in
// place of those in the text. Its error is a diag.List.
func Read(name, text string, set map[string]int64) (*protocol.Model, error) {
	f, err := ftdp.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return Model(f, set)
}

// Model resolves names and checks types, with the given values for constants. Its error is a diag.List.
func Model(f *ftdp.File, set map[string]int64) (*protocol.Model, error) { return model(f, set, false) }

// Followed is Model for runs whose steps are known: the parameters of rules may have more values
// than can be explored (Model.Wide), and variables more cells.
func Followed(f *ftdp.File, set map[string]int64) (*protocol.Model, error) {
	return model(f, set, true)
}

func model(f *ftdp.File, set map[string]int64, followed bool) (*protocol.Model, error) {
	if f.Parameterized() {
		return sized(f, set, followed)
	}
	return protocol.Resolve(f, set, followed)
}
