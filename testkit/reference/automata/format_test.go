package automata

import (
	"fmt"
	"os"
	"strings"
)

// dump is all that a model says, in one form.
func dump(m *Model) string {
	var b strings.Builder
	list := func(name string, nodes []*Node) {
		for _, n := range nodes {
			fmt.Fprintln(&b, name, n)
		}
	}
	fmt.Fprintln(&b, m.Name, m.Shared, m.Parameters, m.Unknowns, m.Locations)
	for name, definition := range m.Defines {
		fmt.Fprintln(&b, name, definition)
	}
	list("assumption", m.Assumptions)
	list("init", m.Inits)
	for _, rule := range m.Rules {
		fmt.Fprintln(&b, rule.Name, rule.From, rule.To, rule.Guard, rule.Update, rule.Reset)
	}
	for _, spec := range m.Specs {
		fmt.Fprintln(&b, spec.Name, spec.Formula)
	}
	return b.String()
}

// canonical checks that the canonical form says the same, and that its canonical form is itself.
func (k *check) canonical() {
	k.tag("mode fmt")
	once := ask("fmt", k.file)
	if once.code != 0 {
		k.disagree("fmt fails", "%s", once.err)
		return
	}
	m, err := Parse(once.out)
	if err != nil {
		k.disagree("fmt", "%v\n%s", err, once.out)
		return
	}
	if dump(m) != dump(k.model) {
		k.disagree("fmt", "the canonical form says something else:\n%s", once.out)
	}
	if k.random.Intn(4) > 0 {
		return
	}
	again := k.file + ".canonical.ta"
	if err := os.WriteFile(again, []byte(once.out), 0o600); err != nil {
		panic(err)
	}
	if twice := ask("fmt", again); twice.out != once.out {
		k.disagree("fmt", "the canonical form has another one:\n%s\n%s", once.out, twice.out)
	}
	if checked := ask("fmt", "--check", again); checked.code != 0 {
		k.disagree("fmt", "--check says that the canonical form is none:\n%s", once.out)
	}
}
