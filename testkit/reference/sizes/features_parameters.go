package sizes

import (
	"slices"
	"strings"
)

// parameterFeatures are those of rules and definitions with parameters.
func parameterFeatures(t *Text, found map[string]bool) {
	for i, role := range t.Roles {
		for _, r := range role.Rules {
			if len(r.Parameters) == 0 {
				continue
			}
			found["rule: parameters"] = true
			if i > 0 {
				found["rule: parameters, of another type"] = true
			}
			if r.Maybe {
				found["rule: parameters, maybe"] = true
			}
			if len(r.Parameters) > 1 {
				found["rule: several parameters"] = true
			}
			for _, v := range r.Parameters {
				typeFeatures(t, v, "rule parameter", found)
			}
		}
	}
	for _, d := range t.Definitions {
		if len(d.Parameters) > 0 {
			found["define: parameters"] = true
		}
		if len(d.Parameters) > 1 {
			found["define: several parameters"] = true
		}
		for _, v := range d.Parameters {
			typeFeatures(t, v, "define parameter", found)
		}
	}
	for what := range t.arguments {
		if name, ok := strings.CutPrefix(what, "name "); ok {
			what = "variable"
			switch {
			case slices.ContainsFunc(t.typed(), func(v Variable) bool { return slices.Contains(v.Names, name) }):
				what = "value"
			case slices.Contains(t.Parameters, name) || t.Definitions[name] != nil:
				what = "expression"
			}
		}
		found["argument: "+what] = true
	}
}

// typeFeatures are those of a parameter's name and type.
func typeFeatures(t *Text, v Variable, what string, found map[string]bool) {
	found[what+": "+v.Type] = true
	if v.Low != 0 {
		found[what+": not from 0"] = true
	}
	named := slices.Contains(t.Parameters, v.Name)
	own := v.Type == "enum"
	for _, role := range t.Roles {
		for _, w := range role.Variables {
			named = named || w.Name == v.Name
			own = own && !slices.Equal(w.Names, v.Names)
		}
	}
	for _, k := range t.Kinds {
		for _, f := range k.Fields {
			own = own && !slices.Equal(f.Names, v.Names)
		}
	}
	if named {
		found[what+": another's name"] = true
	}
	if own {
		found[what+": values of its own"] = true
	}
}
