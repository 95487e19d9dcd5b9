package fol

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
)

// Write is the system as a text that package pyv reads. Its names have to be ones there.
func (s *System) Write() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for _, x := range s.Sorts {
		line("sort %s", x.Name)
	}
	for _, x := range s.Symbols {
		kind := "relation"
		switch {
		case x.Result != nil && len(x.Args) > 0:
			kind = "function"
		case x.Result != nil:
			kind = "constant"
		}
		args, result := "", ""
		if len(x.Args) > 0 {
			names := lists.Map(x.Args, func(a *Sort) string { return a.Name })
			args = "(" + strings.Join(names, ", ") + ")"
		}
		if x.Result != nil {
			result = ": " + x.Result.Name
		}
		changes := map[bool]string{true: "mutable", false: "immutable"}[x.Mutable]
		line("%s %s %s%s%s", changes, kind, x.Name, args, result)
	}
	for _, c := range s.Axioms {
		line("axiom %s", c.Formula)
	}
	for _, c := range s.Init {
		line("init %s", c.Formula)
	}
	for _, t := range s.Transitions {
		var params, modifies []string
		for _, p := range t.Params {
			params = append(params, p.Name+": "+p.Sort.Name)
		}
		for _, x := range t.Modifies {
			modifies = append(modifies, x.Name)
		}
		line("transition %s(%s)\n  modifies %s", t.Name, strings.Join(params, ", "), strings.Join(modifies, ", "))
		parts := []*Term{t.Formula}
		if t.Formula.Op == And && len(t.Formula.Args) > 0 {
			parts = t.Formula.Args
		}
		for _, part := range parts {
			line("  & (%s)", part)
		}
	}
	for _, c := range s.Hints {
		line("invariant [%s] %s", c.Name, c.Formula)
	}
	for _, c := range s.Safety {
		line("safety [%s] %s", c.Name, c.Formula)
	}
	return b.String()
}
