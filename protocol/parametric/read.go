package parametric

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// How a text for all sizes is read, section by section.

// Of reads the protocol for all sizes that the text is. Its error is a diag.List.
func Of(f *ftdp.File) (*Source, error) {
	if what, at := f.InRounds(); what != "" {
		return nil, diag.Wrong(at, 1, "`%s`: a protocol with rounds is read as one", what)
	}
	s := &Source{File: f, Faults: counter.FaultModels[0], Consts: map[string]int64{}, defines: map[string]*definition{},
		values: map[string]literal{}, Here: -1}
	s.distinct(f.Sections)
	sections := s.expanded(f.Sections)
	for _, sec := range sections {
		s.section(sec)
	}
	if len(s.Types) == 0 {
		at := slices.IndexFunc(f.Sections, func(sec *ftdp.Section) bool { return sec.Parameters != nil })
		s.at(f.Sections[at].Parameters[0], "a protocol with parameters needs a process, `process node[n] ... end`; in "+
			"one of fixed size, sizes are constants, `const n = 3;`")
		return nil, s.Errs.Err()
	}
	s.processes(sections)
	for _, sec := range sections {
		s.faults(sec.Faults)
	}
	s.unlisted()
	for _, e := range s.Assume {
		s.want(e, scopeParams, truthType)
	}
	for _, e := range s.Starts {
		if s.want(e, ScopeFormula, truthType); hasTemporal(e) {
			s.wrong(e, "this is about parameters, or initial states: write a formula as ltl")
		}
	}
	for _, p := range s.Props {
		if s.want(p.Formula(), ScopeFormula, truthType); p.Invariant != nil && hasTemporal(p.Formula()) {
			s.wrong(p.Formula(),
				"F and G speak of runs, an invariant or a condition to find of one state: write `ltl NAME: ...`")
		}
		if p.LTL != nil && p.LTL.Fair != nil && p.LTL.Fair.Rules != nil {
			s.at(p.LTL.Fair.Rules[0], "fair is for all rules but those that begin with maybe: mark the others so, in "+
				"place of naming these")
		}
	}
	s.bodies()
	for _, sec := range sections {
		if sec.Define != nil {
			s.unused(sec.Define)
		}
	}
	if err := s.Errs.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// section reads a section, of processes their names and variables only.
func (s *Source) section(sec *ftdp.Section) {
	switch {
	case sec.Protocol != nil:
		s.Name = sec.Protocol.Name
	case sec.Parameters != nil:
		for _, p := range sec.Parameters {
			s.Params = append(s.Params, p.Name)
		}
	case sec.Assume != nil:
		s.Assume = append(s.Assume, sec.Assume...)
	case sec.Starts != nil:
		s.Starts = append(s.Starts, sec.Starts...)
	case sec.Messages != nil:
		for _, m := range sec.Messages {
			s.kind(m)
		}
	case sec.Process != nil:
		s.Types = append(s.Types, ProcessType{Name: sec.Process.Name.Name, Size: sec.Process.Size, Group: -1})
	case sec.Invariant != nil, sec.LTL != nil:
		s.Props = append(s.Props, sec)
	case sec.Faults != nil, sec.Define != nil, sec.Consts != nil, sec.Trace != nil:
		// later, before, or irrelevant
	default:
		s.Errs.Add(scan.Place(sec.Pos), 1,
			"this is for protocols of fixed size; here variables are local or input of a process, and messages "+
				"declares kinds")
	}
}

// faults reads who may be faulty.
func (s *Source) faults(f *ftdp.Faults) {
	if f == nil {
		return
	}
	model, known := counter.FaultsNamed(f.Model.Name)
	if !known {
		names := counter.FaultNames()
		hint := spell.Hint(f.Model.Name, names)
		if slices.Contains(s.Params, f.Model.Name) {
			hint = ", it stands before the number, `faults byzantine " + f.Model.Name + ";`"
		}
		s.at(f.Model, "unknown fault model %q%s: there are %s", f.Model.Name, hint, strings.Join(names, ", "))
		return
	}
	if s.faulted != nil && (s.Faults != model || model.None()) {
		s.at(f.Model, "all faults are of one model, here %s: `faults %s f of TYPE;` names a type", s.Faults.Name,
			s.Faults.Name)
		return
	}
	if s.Faults, s.faulted = model, f; model.None() {
		if f.Count != nil || f.Of != nil {
			s.at(f.Model, "no process is faulty, so there is no number of them: `faults none;`")
		}
		return
	}
	if f.Count == nil {
		s.at(f.Model, "how many? `faults %s f;`", f.Model.Name)
		return
	}
	s.whole(f.Count)
	g := FaultGroup{Count: f.Count}
	for _, id := range f.Of {
		i := slices.IndexFunc(s.Types, func(t ProcessType) bool { return t.Name == id.Name })
		if i < 0 {
			s.at(id, "there are no processes %q%s", id.Name, spell.Hint(id.Name, s.typeNames()))
			continue
		}
		g.Types = append(g.Types, i)
	}
	if f.Of == nil {
		for i := range s.Types {
			g.Types = append(g.Types, i)
		}
	}
	if len(g.Types) > 1 && !s.Faults.Stop {
		name := s.Types[g.Types[0]].Name
		s.at(f.Model, "of which type? `faults %s %s of %s;`, and a number of their own for others", f.Model.Name,
			f.Count, name)
	}
	for _, i := range g.Types {
		if s.Types[i].Group >= 0 {
			s.at(f.Model, "it is said already how many %s are faulty", s.Types[i].Name)
		}
		s.Types[i].Group = len(s.Groups)
	}
	s.Groups = append(s.Groups, g)
}
