package sizes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// heardOwn is a count of messages with values that a process has itself.
func (g *generator) heardOwn() string {
	own := slices.Concat(g.inputs, g.locals)
	for _, k := range g.kinds {
		if len(k.Fields) == 0 || !g.chance(2) || len(g.senders(k)) == 0 {
			continue
		}
		var values []string
		for _, f := range k.Fields {
			value := g.fieldValue(f, own)
			input := slices.ContainsFunc(g.inputs, func(v Variable) bool { return v.Name == value })
			if f.Type == "range" && f.Low == 0 && f.High == 1 && input && g.chance(3) {
				value = g.pick("1 - "+value, value+" + 1")
			}
			values = append(values, value)
		}
		name := k.Name
		if g.several && g.chance(3) {
			name = g.pick(g.senders(k)...) + "." + name
		}
		return fmt.Sprintf("heard(%s(%s))", name, strings.Join(values, ", "))
	}
	return g.anyHeard()
}

// unusual is a condition on counts of messages as few algorithms have it: with a variable, or a quotient of what was heard.
func (g *generator) unusual(op string) string {
	for _, v := range slices.Concat(g.inputs, g.locals) {
		if v.Type == "range" && g.chance(2) {
			return fmt.Sprintf("%s %s %s", g.heard(), op, g.pick(v.Name, v.Name+" + 1", "n - "+v.Name))
		}
	}
	return fmt.Sprintf("%s %s %s", g.pick(g.heard()+" / 2", "["+g.heard()+" / 2]", "("+g.heard()+" + f) / 2", "(n - "+g.heard()+") / 2"), op, g.bound())
}

// shuffled has declarations in another order, and some of them in parts.
func (g *generator) shuffled(source string) string {
	if list := regexp.MustCompile(`(?m)^assume (.*);$`).FindStringSubmatch(source); list != nil && g.chance(2) {
		source = strings.Replace(source, list[0], "assume "+strings.ReplaceAll(list[1], ", ", ";\nassume ")+";", 1)
	}
	if list := regexp.MustCompile(`(?m)^messages ([A-Z, ]*);$`).FindStringSubmatch(source); list != nil && g.chance(2) {
		source = strings.Replace(source, list[0], "messages "+strings.ReplaceAll(list[1], ", ", ";\nmessages ")+";", 1)
	}
	if strings.Contains(source, "0..2;") {
		source = strings.Replace(strings.ReplaceAll(source, "0..2;", "0..two;"), ";\n", ";\nconst two = 2;\n", 1)
		if g.modern {
			source = strings.ReplaceAll(source, "0..2)", "0..two)")
		}
	}
	blocks := regexp.MustCompile(`(?ms)^process .*?^end$|^\w.*?;$`).FindAllString(source, -1)
	rest := blocks[1:]
	g.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	return strings.Join(blocks, "\n") + "\n"
}

// computed gives a variable a value that depends on others.
func (g *generator) computed(v Variable) string {
	for _, w := range slices.Concat(g.inputs, g.locals) {
		if w.Name != v.Name && same(v, w) && g.chance(2) {
			return fmt.Sprintf("%s := %s;", v.Name, w.Name)
		}
	}
	switch {
	case v.Type == "bool":
		return fmt.Sprintf("%s := %s %s %s;", v.Name, g.test(g.anyVariable()), g.pick("and", "or", "->"), g.test(g.anyVariable()))
	case v.Type == "range":
		if g.chance(2) {
			return fmt.Sprintf("if %s > %d then %s -= 1; else %s := %d; endif", v.Name, v.Low, v.Name, v.Name, v.High)
		}
		return fmt.Sprintf("if %s < %d then %s %s; else %s := %d; endif", v.Name, v.High, v.Name, g.pick("+= 1", ":= "+v.Name+" + 1"), v.Name, v.Low)
	}
	return fmt.Sprintf("if %s then %s := %s; endif", g.test(g.anyVariable()), v.Name, g.constant(v))
}

// written are other ways to write operators.
var written = []struct {
	word   string
	others []string
}{
	{`\band\b`, []string{"∧", "&"}}, {`\bor\b`, []string{"∨", "|"}}, {`\bnot\b`, []string{"¬", "!"}},
	{`->`, []string{"⇒", "=>"}}, {`!=`, []string{"≠"}}, {`>=`, []string{"≥"}}, {`<=`, []string{"≤"}},
}

// symbols writes some operators as papers do, and comments. What is heard from senders or the crashed is left as it is.
func (g *generator) symbols(source string) string {
	source = strings.ReplaceAll(source, "<->", "IFF")
	source = strings.ReplaceAll(source, " or crashed)", " OR crashed)")
	for _, w := range written {
		if g.chance(2) {
			source = regexp.MustCompile(w.word).ReplaceAllString(source, g.pick(w.others...))
		}
	}
	if g.chance(2) {
		source = regexp.MustCompile(`\bG\b`).ReplaceAllString(regexp.MustCompile(`\bF\b`).ReplaceAllString(source, "<>"), "[]")
	}
	if g.chance(2) {
		source = strings.ReplaceAll(source, ";\n", "; // a comment; with \"signs\" and end\n")
	}
	if g.chance(2) {
		source = strings.ReplaceAll(source, " then ", " /* guard */ then\n    ")
	}
	return strings.ReplaceAll(strings.ReplaceAll(source, "IFF", "<->"), " OR crashed)", " or crashed)")
}
