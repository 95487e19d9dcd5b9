package induct

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// Texts that assume nothing: numbers of processes are sizes.

// assuming is a text with what is assumed of it for want of assumptions of its own.
type assuming struct {
	given *protocol.Model
	least map[string]int64 // by size; empty where no constant is one
	names []string
	below []string // violations and failures of instances below the least sizes
}

// unassumed finds the sizes of a text that assumes nothing; nil if it does assume something. Constants that are named
// are none.
func unassumed(m *protocol.Model, fixed []string) *assuming {
	names, least := m.Sizes()
	if least == nil {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(fixed, name) })
	a := &assuming{given: m, least: map[string]int64{}, names: names}
	for _, name := range names {
		a.least[name] = min(least[name], value(m, name))
	}
	return a
}

func value(m *protocol.Model, name string) int64 {
	i := slices.IndexFunc(m.Constants, func(k protocol.Constant) bool { return k.Name == name })
	return m.Constants[i].Value
}

// model is the text with what is assumed.
func (a *assuming) model() (*protocol.Model, error) {
	list := lists.Map(a.names, func(name string) *ftdp.Expr { return atLeast(name, a.least[name]) })
	return a.given.Assuming(list)
}

func atLeast(size string, least int64) *ftdp.Expr {
	o := ftdp.Origin{At: diag.Pos{File: "assume", Line: 1, Col: 1}, Width: 1}
	return o.Op(ftdp.Ge, o.Name(size), o.Numeral(least))
}

// Unassumed reports whether conditions are those that EverySize adds to a text which assumes nothing: of some of its
// sizes, in their order, that they are at least what they have to be, or what they are in the text. Of the others the
// values are said.
func Unassumed(m *protocol.Model, said []*ftdp.Expr) bool {
	a, k := unassumed(m, nil), 0
	if a == nil {
		return false
	}
	for _, name := range a.names {
		is := func(least int64) bool { return said[k].Alike(atLeast(name, least)) }
		if k < len(said) && (is(a.least[name]) || is(value(m, name))) {
			k++
		}
	}
	return k > 0 && k == len(said)
}

// raise takes the values of the text for the least sizes, of those that an instance has less of; false if it has not.
func (a *assuming) raise(of *protocol.Model, what string) bool {
	raised := false
	for _, name := range a.names {
		if own := value(a.given, name); value(of, name) < own {
			a.least[name], raised = own, true
		}
	}
	if raised {
		a.below = append(a.below, what+" with "+of.Assignments())
	}
	return raised
}

// decide decides an invariant. What is wrong with an instance that has less of some size than that of the text says
// that no less than this can be meant.
func (a *assuming) decide(ctx context.Context, p *protocol.Prop, o Options) (*ForSizes, error) {
	for {
		m, err := a.model()
		if err != nil {
			return nil, err
		}
		r, err := everySize(ctx, m, m.Lookup(p.Name), o)
		var bad *machine.ModelError
		switch {
		case errors.As(err, &bad) && bad.Run != nil && a.raise(bad.Run.Model, "something goes wrong"):
			continue
		case err != nil:
			return nil, err
		case r.Run != nil && a.raise(r.Run.Model, "violated"):
			continue
		}
		r.Unsaid, r.Below = true, a.below
		if r.Run != nil {
			r.Run, err = followed(a.given, p.Name, r.Run)
		}
		return r, err
	}
}

// followed is a run as one of a text whose model has more assumptions, or variables: the interpreter follows it.
func followed(m *protocol.Model, property string, run *interp.Run) (*interp.Run, error) {
	set := map[string]int64{}
	for _, k := range run.Model.Constants {
		set[k.Name] = k.Value
	}
	own, err := instantiate.Model(m.Source, set)
	if err != nil {
		return nil, err
	}
	out := &interp.Run{Model: own, Options: run.Options, Property: property, Events: run.Events, Loop: -1}
	return out, out.Check()
}

// EverySize decides an invariant, or a formula that says what never happens, for all sizes that a text assumes; where
// it assumes nothing, for all numbers of processes, but for the constants that Options.Fixed names. Instances of sizes
// up to 4 are explored first: a violation of one is the result. What cannot be encoded is unknown, with its place.
// Errors are *protocol.Unsupported for formulas that become no invariant, *machine.ModelError, those of lemmas by hand,
// and internal ones.
func EverySize(ctx context.Context, m *protocol.Model, p *protocol.Prop, o Options) (r *ForSizes, err error) {
	start := time.Now()
	if a := unassumed(m, o.Fixed); a != nil {
		r, err = a.decide(ctx, p, o)
	} else {
		r, err = everySize(ctx, m, p, o)
	}
	if r != nil {
		r.Time = time.Since(start)
	}
	return r, err
}

// Assumed lists what is assumed of constants, as it is written.
func (r *ForSizes) Assumed() []string { return r.Model.Assumed() }

// Sizing says for which sizes something is decided, and with which values of other constants.
func (r *ForSizes) Sizing() string {
	if len(r.Sizes) == 0 {
		return "no constant is a size"
	}
	said := fmt.Sprintf("all %s with %s", strings.Join(r.Sizes, ", "), strings.Join(r.Assumed(), ", "))
	for _, k := range r.Model.Constants {
		if k.Fixed() && !slices.Contains(r.Sizes, k.Name) {
			said += fmt.Sprintf(", %s=%v", k.Name, r.Model.ConstantValues()[k.Name])
		}
	}
	return said
}
