package rounds

import "slices"

// familyFeatures are what rules with parameters do, and definitions, and what rounds end with.
func (t *Text) familyFeatures(add func(string, bool)) {
	for _, f := range t.Families {
		f.features(add)
		add("instances go on differently after a coin", t.goesOnDifferently(f))
	}
	for name, d := range t.Definitions {
		add("definition with parameters", len(d.Parameters) > 0)
		add("definition by others", mentionsAny(d.Expr, func(e *Expr) bool { return t.Definitions[e.Name] != nil }))
		for _, v := range d.Parameters {
			add("parameter of a definition named as a variable", slices.ContainsFunc(t.Variables, func(w Variable) bool { return w.Name == v.Name }))
		}
		add("definition in a property", slices.Contains(t.usedInProperties, name))
		add("definition after a coin", slices.Contains(t.usedAfterDraws, name))
	}
	seen := map[string]string{}
	for i, r := range t.Rules {
		ends := 0
		each(r.Body, func(s *Statement) { ends += truth(s.Op == "next") })
		add("several ends in a rule", ends > 1)
		continued(r.Body, func(op, name, after string) {
			key := op + " " + name
			add("other rule with the same coin goes on otherwise", seen[key] != "" && seen[key] != after && t.firstOf(i) == i)
			seen[key] = after
		})
	}
}

// features of a rule with parameters.
func (f Family) features(add func(string, bool)) {
	add("rules with parameters", true)
	add("several parameters of a rule", len(f.Parameters) > 1)
	add("rules with parameters, "+map[bool]string{true: "always", false: "in the own round"}[f.Always], true)
	add("rules with parameters, maybe or timeout", f.Maybe || f.Timeout)
	for _, v := range f.Parameters {
		add("parameter of truth values", v.Bool)
		add("parameter of an enumeration", v.Names != nil)
		add("parameter of a range", !v.Bool && v.Names == nil)
		add("negative parameter", v.Low < 0)
	}
	has := func(e *Expr) bool {
		return e != nil && mentionsAny(e, func(e *Expr) bool {
			return e.Op == "name" && slices.ContainsFunc(f.Parameters, func(v Variable) bool { return v.Name == e.Name })
		})
	}
	add("parameter in the guard", has(f.Guard))
	var visit func(body []Statement, where string, depth int)
	visit = func(body []Statement, where string, depth int) {
		for _, s := range body {
			add("parameter in a message", s.Op == "send" && slices.ContainsFunc(s.Values, has))
			add("parameter assigned "+where, s.Op == ":=" && has(s.Value))
			for _, b := range s.Branches {
				add("parameter in a condition "+where, depth > 0 && has(b.Guard))
				visit(b.Body, where, depth+1)
			}
			if draws(s) {
				where = "after " + s.Op
			}
		}
	}
	visit(f.Body, "before, or without, a draw", 0)
}

// goesOnDifferently tells whether rules of a family do something else after a draw.
func (t *Text) goesOnDifferently(f Family) bool {
	var first []string
	for i := range f.Count {
		var these []string
		continued(t.Rules[f.First+i].Body, func(op, _, after string) { these = append(these, op+after) })
		if i == 0 {
			first = these
		} else if !slices.Equal(first, these) {
			return true
		}
	}
	return false
}

// continued calls a function for all draws of a body, with what is done after them.
func continued(body []Statement, f func(op, name, after string)) {
	for i, s := range body {
		if draws(s) {
			f(s.Op, s.Name, statements(body[i+1:]))
		}
		for _, b := range s.Branches {
			continued(b.Body, f)
		}
	}
}

// statements writes statements, so that different ones are different.
func statements(body []Statement) string {
	out := ""
	for _, s := range body {
		out += s.Op + " " + s.Name + " "
		for _, e := range expressions(&s) {
			out += text(e) + ","
		}
		for _, b := range s.Branches {
			out += "{" + statements(b.Body) + "}"
		}
		out += "; "
	}
	return out
}

// mentionsAny tells whether something is true of an expression, or of a part of it.
func mentionsAny(e *Expr, is func(*Expr) bool) bool {
	return is(e) || slices.ContainsFunc(e.Args, func(a *Expr) bool { return mentionsAny(a, is) })
}
