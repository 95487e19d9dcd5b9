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
		found[map[bool]string{true: "kind: valued", false: "kind: plain"}[k.Valued]] = true
		if k.Low > 0 {
			found["kind: values from 1"] = true
		}
	}
	if t.Budget != nil && (t.Budget.Op != "parameter" || t.Budget.Name != "f") {
		found["budget: not f"] = true
	}
	for name, others := range awkward {
		for _, other := range others {
			if t.kind(other) >= 0 || t.variable(other) >= 0 || slices.Contains(t.Parameters, other) {
				found["awkward: "+name] = true
			}
		}
	}
	for _, v := range t.Variables {
		role := "local"
		if v.Input {
			role = "input"
		}
		found[role+": "+v.Type] = true
		if v.Given {
			found["local: start given"] = true
		}
	}
	for _, r := range t.Rules {
		if r.Maybe {
			found["rule: maybe"] = true
		}
		if r.Elsif {
			found["rule: elsif"] = true
		}
		guardFeatures(t, r.Guard, found)
		bodyFeatures(t, r.Body, 0, found)
		if len(r.Body) > 1 && twice(r.Body) {
			found["body: changes twice"] = true
		}
	}
	for _, p := range t.Properties {
		switch {
		case p.Invariant:
			found["property: invariant"] = true
		case p.Fair:
			found["property: fair"] = true
		default:
			found["property: ltl"] = true
		}
		for _, op := range []string{"all", "some", "count", "crashed"} {
			if mentions(p.Formula, op) {
				found["property: "+op] = true
			}
		}
		formulaFeatures(p.Formula, "", found)
	}
	var features []string
	for f := range found {
		features = append(features, f)
	}
	slices.Sort(features)
	return features
}

// counted is how many counts of messages or crashes there are in an expression.
func counted(e *Expr) int {
	if e.Op == "heard" || e.Op == "crashes" {
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
	if e.Op == "heard" && t.Kinds[e.index].Valued {
		switch {
		case len(e.Args) == 0:
			found["heard: any value"] = true
		case e.Args[0].Op == "variable":
			found["heard: value of variable"] = true
		default:
			found["heard: value"] = true
		}
	}
	for _, arg := range e.Args {
		heardFeatures(t, arg, found)
	}
}

func bodyFeatures(t *Text, body []Statement, depth int, found map[string]bool) {
	for _, s := range body {
		switch s.Op {
		case ":=":
			if t.Variables[s.index].Input {
				found["body: input changes"] = true
			}
			if s.Value.Op == "variable" && s.Value.index == s.index {
				found["body: no change"] = true
			}
		case "skip":
			found["body: no change"] = true
		case "send":
			if depth > 0 {
				found["body: send in if"] = true
			}
			if s.Value != nil && s.Value.Op == "variable" {
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
				bodyFeatures(t, b.Body, depth+1, found)
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
	}
	for _, arg := range e.Args {
		formulaFeatures(arg, above, found)
	}
}

// features are those of an instance: sizes that are extreme.
func (in *Instance) features() []string {
	var features []string
	size := scope{in: in, process: -1}.value(in.Text.Size)
	add := func(name string, yes bool) {
		if yes {
			features = append(features, "size: "+name)
		}
	}
	add("n = 1", size == 1)
	add("all faulty", in.Text.Faults != "none" && in.budget >= size)
	add("none faulty", in.Text.Faults != "none" && in.budget == 0)
	t := slices.Index(in.Text.Parameters, "t")
	add("t = 0", t >= 0 && in.Parameters[t] == 0)
	f := slices.Index(in.Text.Parameters, "f")
	add("f > t", t >= 0 && f >= 0 && in.Parameters[f] > in.Parameters[t])
	return features
}
