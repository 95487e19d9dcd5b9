package automata

import "testing"

// mistakes are ways to misread a text. The comparison has to notice each of them.
var mistakes = map[string]func(*Model){
	"self-loops are left out": func(m *Model) {
		var rules []Rule
		for _, rule := range m.Rules {
			if rule.From != rule.To {
				rules = append(rules, rule)
			}
		}
		m.Rules = rules
	},
	"guards are forgotten": func(m *Model) {
		for n := range m.Rules {
			m.Rules[n].Guard = &Node{Op: "true"}
		}
	},
	"updates are forgotten": func(m *Model) {
		for n := range m.Rules {
			m.Rules[n].Update = make([]int, len(m.Shared))
		}
	},
	"resets are forgotten": func(m *Model) {
		for n := range m.Rules {
			m.Rules[n].Reset = never(m)
		}
	},
	"assumptions are forgotten": func(m *Model) { m.Assumptions = nil },
	"variables begin with 0 everywhere": func(m *Model) {
		for _, name := range m.Shared {
			m.Inits = append(m.Inits, comparedWithZero(name, "=="))
		}
	},
	">= is >": everywhere(func(n *Node) {
		if n.Op == ">=" {
			n.Op = ">"
		}
	}),
	"== is >=": everywhere(func(n *Node) {
		if n.Op == "==" {
			n.Op = ">="
		}
	}),
	"|| is &&": everywhere(func(n *Node) {
		if n.Op == "||" {
			n.Op = "&&"
		}
	}),
	"-> is to the right": everywhere(func(n *Node) {
		if n.Op == "->" && n.Left.Op == "->" {
			n.Left, n.Right = n.Left.Left, &Node{Op: "->", Left: n.Left.Right, Right: n.Right}
		}
	}),
	"<> is []": everywhere(func(n *Node) {
		if n.Op == "<>" {
			n.Op = "[]"
		}
	}),
}

// everywhere changes nodes of guards and specifications.
func everywhere(change func(*Node)) func(*Model) {
	return func(m *Model) {
		for _, rule := range m.Rules {
			rule.Guard.walk(change)
		}
		for _, spec := range m.Specs {
			spec.Formula.walk(change)
		}
	}
}

func TestMistakesAreNoticed(t *testing.T) {
	folder := t.TempDir()
	for name, mistake := range mistakes {
		noticed := false
		for seed := int64(1); seed <= 1500 && !noticed; seed++ {
			text := Generate(seed, false)
			if name == "resets are forgotten" {
				text = GenerateResets(seed)
			}
			k := newCheck(caseFile(folder, seed), seed, text)
			before := dump(k.model)
			mistake(k.model)
			if dump(k.model) == before {
				continue
			}
			k.explore()
			if noticed = len(k.problems) > 0; noticed {
				t.Logf("%s: noticed in case %d", name, seed)
			}
		}
		if !noticed {
			t.Errorf("not noticed: %s", name)
		}
	}
}
