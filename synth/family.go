package synth

import (
	"context"

	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Family is a text with unknowns that is not an automaton's: with values for them, a model that is decided by itself.
type Family interface {
	// Specs lists the specifications.
	Specs() []string
	// Decide decides one with values for the unknowns; the run is there if it is violated.
	Decide(ctx context.Context, v Values, spec string, o verify.Options) (*verify.Result, Run, error)
	// Text is the text with values; Effects lists what they change in it.
	Text(v Values) string
	Effects(v Values) []string
}

// Run is a counterexample to a specification of one of the models.
type Run interface {
	// Refutes replays it in the model with other values.
	Refutes(v Values) bool
	// Parameters are those of the run.
	Parameters() []Parameter
}

// lacking is a Run of a model in which something fails from which the specification would follow: it may hold without.
type lacking interface {
	Run
	// Lacks names what fails.
	Lacks() string
}

// lacks names what fails; "" for a counterexample.
func (r *Refutation) lacks() string {
	if l, ok := r.run.(lacking); ok {
		return l.Lacks()
	}
	return ""
}

// Said says what the run does: it violates the specification, or a condition fails from which that would follow.
func (r *Refutation) Said() string {
	what := r.lacks()
	if what == "" {
		return "violates " + r.String()
	}
	return "does not show " + r.String() + ": " + what + " fails"
}

// Parameter is one with its value.
type Parameter struct{ Name, Value string }

// Of makes a template of a family.
func Of(name string, unknowns []Unknown, f Family) *Template {
	return &Template{Name: name, Unknowns: unknowns, tree: &syntax.File{}, family: f}
}

// Parameters are those of the run.
func (r *Refutation) Parameters() (list []Parameter) {
	if r.run != nil {
		return r.run.Parameters()
	}
	for i, p := range r.Witness.Automaton.Parameters {
		list = append(list, Parameter{p.Name, r.Witness.Configs[0].Params[i].String()})
	}
	return list
}
