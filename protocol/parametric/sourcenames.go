package parametric

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// reserved says what names mean that texts do not declare: most of them instances of protocols for all sizes have
// themselves.
var reserved = func() map[string]string {
	is := map[string]string{}
	for meaning, list := range map[string][]string{
		"has a meaning of its own here": {"nodeID", "Msg", "msg", "kind", "val", "sure", "crashed",
			"crashes", "faulty", "status", "absent", "wait", "crash", "start", "corr", "byz", "_"},
		"is a truth value":           {"true", "false"},
		"is a function":              {"all", "some", "every", "heard", "count", "max", "min"},
		"is an operator of formulas": {"F", "G", "U", "R"},
	} {
		for _, name := range list {
			is[name] = meaning
		}
	}
	return is
}()

// betweenFormulas are operators that messages may be called after: these do not stand between formulas.
var betweenFormulas = []string{"U", "R"}

// own is what a name means that is not declared; "" if it can be.
func own(name string) string {
	if strings.HasPrefix(name, "heard_") || strings.HasPrefix(name, "hear_") || strings.HasPrefix(name, "lied_") ||
		strings.HasPrefix(name, "lie_") || strings.HasSuffix(name, "_") {
		return reserved["_"]
	}
	return reserved[name]
}

// unlabelled are names of rules that instances have themselves, which labels are not.
var unlabelled = []string{"wait", "crash", "_", "true", "false"}

// distinct notes what is declared, and checks that names are declared once, and are free to be used. Types of processes
// may have variables of the same name, and the values of an enumeration may be written again.
func (s *Source) distinct(list []*ftdp.Section) {
	s.names = map[string]declaration{}
	typ := -1
	declare := func(id *ftdp.Ident, sort byte) {
		name := id.Name
		old, again := s.names[name]
		switch {
		case again && old.at != id.Place() &&
			(sort != old.sort || sort != 'e' && sort != 'v' || sort == 'v' && typ == old.typ):
			s.at(id, "%q is declared already, in line %d", name, old.at.Line)
		case sort == 'm' && slices.Contains(betweenFormulas, name):
		case own(name) != "":
			s.at(id, "%q %s: take another name", name, own(name))
		}
		s.names[name] = declaration{id.Place(), sort, typ}
	}
	enum := func(t *ftdp.TypeExpr) {
		for _, e := range t.Enum {
			declare(e, 'e')
		}
	}
	for _, sec := range list {
		for _, p := range sec.Parameters {
			declare(p, 0)
		}
		for _, k := range sec.Consts {
			declare(k.Name, 0)
		}
		if sec.Define != nil {
			declare(sec.Define.Name, 0)
		}
		for _, m := range sec.Messages {
			declare(m.Name, 'm')
			for _, f := range m.Fields {
				enum(f.Type)
			}
		}
		if sec.Process == nil {
			continue
		}
		typ++
		declare(sec.Process.Name, 0)
		for _, v := range sec.Process.Vars {
			for _, id := range v.Names {
				declare(id, 'v')
			}
			enum(v.Type)
		}
		for _, r := range sec.Process.Rules {
			if r.Label.Name != sec.Process.Name.Name {
				label := r.Label.Name
				if slices.Contains(unlabelled, label) || strings.HasPrefix(label, "hear_") ||
					strings.HasPrefix(label, "lie_") || strings.HasSuffix(label, "_crashing") ||
					strings.HasSuffix(label, "_faulty") {
					if of, made := s.File.Rounds()[label]; made {
						label = of.Name
					}
					s.at(r.Label, "%q %s: take another name", label, cmp.Or(reserved[r.Label.Name], reserved["_"]))
				}
			}
		}
	}
}

// fresh checks that parameters have names of their own; those of rules are not named as variables of the process are.
func (s *Source) fresh(list []*ftdp.Param, vars []*ftdp.ProcessVar) {
	for i, p := range list {
		named := func(id *ftdp.Ident) bool { return id.Name == p.Name.Name }
		again := slices.ContainsFunc(list[:i], func(o *ftdp.Param) bool { return named(o.Name) })
		again = again || slices.ContainsFunc(vars,
			func(v *ftdp.ProcessVar) bool { return slices.ContainsFunc(v.Names, named) })
		d, taken := s.names[p.Name.Name]
		if again || taken && d.sort != 'v' || reserved[p.Name.Name] != "" {
			s.at(p.Name, "%q %s: take another name for the parameter", p.Name.Name,
				cmp.Or(reserved[p.Name.Name], "is declared already"))
		}
	}
}
