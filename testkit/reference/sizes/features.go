package sizes

import (
	"fmt"
	"slices"
)

// Features are the constructs that a text uses.
func Features(t *Text) []string {
	found := map[string]bool{}
	found["faults: "+t.Faults] = true
	found[fmt.Sprintf("kinds: %d", len(t.Kinds))] = true
	for _, k := range t.Kinds {
		found[map[bool]string{true: "kind: valued", false: "kind: plain"}[len(k.Fields) > 0]] = true
		if len(k.Fields) > 1 {
			found["kind: several values"] = true
		}
		if len(t.Roles) > 1 {
			found[map[bool]string{true: "kind: from a type", false: "kind: from types"}[len(k.senders) == 1]] = true
		}
		for _, f := range k.Fields {
			found["field: "+f.Type] = true
			if f.Low != 0 {
				found["kind: values not from 0"] = true
			}
		}
	}
	for _, b := range t.Budgets {
		if b.Number.Op != "parameter" || b.Number.Name != "f" {
			found["budget: not f"] = true
		}
		switch {
		case len(b.Of) == 1:
			found["budget: of a type"] = true
		case len(b.Of) > 1:
			found["budget: of types"] = true
		}
	}
	if len(t.Roles) > 1 {
		found["types"] = true
	}
	if len(t.Roles) > 2 {
		found["types: 3"] = true
	}
	typesFeatures(t, found)
	parameterFeatures(t, found)
	if len(t.Budgets) > 1 {
		found["budgets: 2"] = true
	}
	if len(t.Definitions) > 0 {
		found["define"] = true
	}
	if len(t.Init) > 0 {
		found["init"] = true
	}
	for _, a := range t.Assumptions {
		if mentions(a, "/") || mentions(a, "/ up") {
			found["assumption: quotient"] = true
		}
	}
	for name, others := range awkward {
		for _, other := range others {
			if t.kind(other) >= 0 || slices.ContainsFunc(t.Roles, func(r Role) bool { return variable(r, other) >= 0 }) || slices.Contains(t.Parameters, other) {
				found["awkward: "+name] = true
			}
		}
	}
	for _, role := range t.Roles {
		roleFeatures(t, role, found)
	}
	for _, p := range t.Properties {
		propertyFeatures(p, found)
	}
	var features []string
	for f := range found {
		features = append(features, f)
	}
	slices.Sort(features)
	return features
}

// typesFeatures are those of types of processes and how they differ.
func typesFeatures(t *Text, found map[string]bool) {
	for i, r := range t.Roles {
		for _, b := range t.Budgets {
			if b.Of != nil && slices.Contains(b.roles, i) && r.Size.Op == "number" && r.Size.Number == 1 {
				found["faults: of a distinguished process"] = true
			}
		}
		if len(t.Roles) > 1 && r.Size.Op == "parameter" && r.Size.Name == "m" {
			found["types: number of its own"] = true
		}
		for _, v := range r.Variables {
			for _, other := range t.Roles[:i] {
				if j := variable(other, v.Name); j >= 0 && !same(v, other.Variables[j]) {
					found["types: a name with two meanings"] = true
				}
			}
		}
	}
	for _, e := range t.Init {
		for _, op := range []string{"every", "count", "->"} {
			if mentions(e, op) {
				found["init: "+op] = true
			}
		}
	}
	if len(t.Init) > 1 {
		found["init: several"] = true
	}
	if len(t.Definitions) > 1 {
		found["define: several"] = true
	}
}

func roleFeatures(t *Text, role Role, found map[string]bool) {
	for _, v := range role.Variables {
		kind := "local"
		if v.Input {
			kind = "input"
		}
		found[kind+": "+v.Type] = true
		if v.Given {
			found["local: start given"] = true
		}
		if v.Low != 0 || v.Type == "range" && v.High > 1 {
			found["variable: other range"] = true
		}
	}
	for _, rule := range role.Rules {
		if rule.Maybe {
			found["rule: maybe"] = true
		}
		if rule.Elsif {
			found["rule: elsif"] = true
		}
		guardFeatures(t, rule.Guard, found)
		bodyFeatures(t, role, rule.Body, 0, found)
		if count := sendings(rule.Body); count > 1 {
			found["body: several messages"] = true
		}
		if len(rule.Body) > 1 && twice(rule.Body) {
			found["body: changes twice"] = true
		}
	}
}

// sendings is how many kinds of messages some statements may send.
func sendings(body []Statement) int {
	kinds := map[int]bool{}
	var walk func(body []Statement)
	walk = func(body []Statement) {
		for _, s := range body {
			if s.Op == "send" {
				kinds[s.index] = true
			}
			for _, b := range s.Branches {
				walk(b.Body)
			}
		}
	}
	walk(body)
	return len(kinds)
}

func propertyFeatures(p Property, found map[string]bool) {
	switch {
	case p.Invariant:
		found["property: invariant"] = true
	case p.Fair:
		found["property: fair"] = true
	default:
		found["property: ltl"] = true
	}
	for _, op := range []string{"all", "some", "count", "every", "crashed", "/", "*", "<->"} {
		if mentions(p.Formula, op) {
			found["property: "+op] = true
		}
	}
	formulaFeatures(p.Formula, "", found)
}

// counted is how many counts of messages or crashes there are in an expression.
func counted(e *Expr) int {
	if e.Op == "heard" || e.Op == "heard or crashed" || e.Op == "crashes" {
		return 1
	}
	count := 0
	for _, arg := range e.Args {
		count += counted(arg)
	}
	return count
}

func guardFeatures(t *Text, e *Expr, found map[string]bool) {
	switch {
	case slices.Contains(comparisons, e.Op):
		count := counted(e)
		if count == 0 {
			if mentions(e, "parameter") {
				found["guard: parameters"] = true
			}
			return
		}
		found["guard: "+e.Op] = true
		if count > 1 {
			found["guard: mixed"] = true
		}
		if mentions(e, "*") {
			found["guard: multiple"] = true
		}
		if mentions(e, "crashes") {
			found["guard: crashes"] = true
		}
		if mentions(e, "/") {
			found["guard: quotient"] = true
		}
		if mentions(e, "/ up") {
			found["guard: quotient up"] = true
		}
		heardFeatures(t, e, found)
	case slices.Contains([]string{"or", "not", "->", "<->"}, e.Op):
		if counted(e) > 0 {
			found["guard: "+e.Op] = true
		}
		fallthrough
	default:
		for _, arg := range e.Args {
			guardFeatures(t, arg, found)
		}
	}
}

func heardFeatures(t *Text, e *Expr, found map[string]bool) {
	if e.Op == "heard or crashed" {
		found["heard: or crashed"] = true
	}
	if e.Op == "heard" && e.role >= 0 {
		found["heard: from a type"] = true
	}
	if e.Op == "heard" && len(t.Kinds[e.index].Fields) > 0 {
		switch {
		case slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.Op == "any" }):
			found["heard: some values"] = true
		case len(e.Args) == 0:
			found["heard: any value"] = true
		case mentions(e.Args[0], "variable"):
			found["heard: value of variable"] = true
		default:
			found["heard: value"] = true
		}
	}
	for _, arg := range e.Args {
		heardFeatures(t, arg, found)
	}
}

func bodyFeatures(t *Text, r Role, body []Statement, depth int, found map[string]bool) {
	for _, s := range body {
		switch s.Op {
		case ":=":
			if r.Variables[s.index].Input {
				found["body: input changes"] = true
			}
			switch {
			case s.Value.Op == "variable" && s.Value.Name == s.Name:
				found["body: no change"] = true
			case s.Value.Op != "number":
				found["body: computed"] = true
			}
		case "skip":
			found["body: no change"] = true
		case "send":
			if depth > 0 {
				found["body: send in if"] = true
			}
			if slices.ContainsFunc(s.Values, func(e *Expr) bool { return e.Op == "variable" }) {
				found["body: send variable"] = true
			}
		case "if":
			found["body: if"] = true
			if depth > 0 {
				found["body: nested if"] = true
			}
			for i, b := range s.Branches {
				switch {
				case b.Guard == nil:
					found["body: else"] = true
				case i > 0:
					found["body: elsif"] = true
				}
				if b.Guard != nil {
					guardFeatures(t, b.Guard, found)
					if counted(b.Guard) > 0 {
						found["body: if heard"] = true
					}
				}
				bodyFeatures(t, r, b.Body, depth+1, found)
			}
		}
	}
}

// twice tells whether a list of statements assigns to a variable twice.
func twice(body []Statement) bool {
	seen := map[int]bool{}
	for _, s := range body {
		if s.Op == ":=" {
			if seen[s.index] {
				return true
			}
			seen[s.index] = true
		}
	}
	return false
}

func formulaFeatures(e *Expr, above string, found map[string]bool) {
	switch e.Op {
	case "F", "G":
		found["formula: "+e.Op] = true
		if above != "" && above != e.Op {
			found["formula: "+above+" "+e.Op] = true
		}
		above = e.Op
	case "->", "or", "and":
		if temporal(e) {
			found["formula: "+e.Op] = true
		}
	case "parameter":
		found["property: parameters"] = true
	case "variable":
		if e.Of != "" {
			found["property: of a type"] = true
		}
	}
	for _, arg := range e.Args {
		formulaFeatures(arg, above, found)
	}
}

// features are those of an instance: sizes that are extreme.
func (in *Instance) features() []string {
	var features []string
	add := func(name string, yes bool) {
		if yes {
			features = append(features, "size: "+name)
		}
	}
	add("n = 1", in.size == 1)
	add("all faulty", in.Text.Faults != "none" && in.faults() >= in.size)
	add("none faulty", in.Text.Faults != "none" && in.faults() == 0)
	t := slices.Index(in.Text.Parameters, "t")
	add("t = 0", t >= 0 && in.Parameters[t] == 0)
	f := slices.Index(in.Text.Parameters, "f")
	add("f > t", t >= 0 && f >= 0 && in.Parameters[f] > in.Parameters[t])
	return features
}
