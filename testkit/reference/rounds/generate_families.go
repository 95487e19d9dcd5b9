package rounds

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// familial makes some texts have rules with parameters: with numbers of its own, so that other texts stay as they are.
func familial(seed uint64, usual string) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 814)), outcomes: 2}
	switch g.IntN(8) {
	case 0, 1:
		if g.IntN(5) == 0 {
			g.turnsOfFamilies()
		} else {
			g.families()
		}
		g.properties()
		return g.named(g.String())
	case 2, 3:
		return g.named(g.spread(usual))
	}
	return ""
}

// A member is what stands for a value in a rule with parameters: the name of the parameter, what else it has, and how its values
// are decided.
type member struct {
	value  string
	decide string
	truth  string // a condition that a parameter is, if there is one
	must   string // what has to be true of the parameters
}

// member makes the parameters of a family.
func (g *generator) member() (head string, m member) {
	name := g.pick("x", "x", "w", "value")
	head = fmt.Sprintf("[](%s: %s) ", name, g.domain())
	m = member{value: name, decide: g.chosen(name)}
	switch g.IntN(7) {
	case 2:
		head += "[](k: -1..0) "
		m.truth, m.must = g.pick("k = 0", "k < 0"), g.pick("(k = 0) = (decided = NO)", "(k = -1 or v = "+g.anyValue()+")")
	case 0:
		head += "[](b: bool) "
		m.truth = "b"
		m.must = g.pick("b = (decided = NO)", "(v = "+g.anyValue()+") = b", "(b or decided = NO)", "not b = sent")
	case 1:
		names := strings.Join([]string{"D0", "D1", "D2"}[:g.outcomes], ", ")
		head += fmt.Sprintf("[](d: enum {NO, %s}) ", names)
		m.decide, m.must = "decided := d;", "("+g.matches(name, "d")+")"
	}
	return head, m
}

// chosen decides the value that an expression has.
func (g *generator) chosen(e string) string {
	if g.outcomes == 3 {
		return fmt.Sprintf("if %s = %s then decided := D0; elsif %s = %s then decided := D1; else decided := D2; endif", e, g.value(0), e, g.value(1))
	}
	return fmt.Sprintf("if %s = %s then decided := D0; else decided := D1; endif", e, g.value(0))
}

// matches says that a decision is that for a value.
func (g *generator) matches(value, decision string) string {
	var all []string
	for i := range g.outcomes {
		all = append(all, fmt.Sprintf("%s = %s and %s = D%d", value, g.value(i), decision, i))
	}
	return strings.Join(all, " or ")
}

// families is a round whose rules have parameters.
func (g *generator) families() {
	g.sane = g.IntN(3) > 0
	if g.IntN(4) == 0 {
		g.outcomes = 3
	}
	g.enum, g.locked = g.IntN(3) == 0, g.IntN(6) == 0
	second := g.IntN(4) == 0
	fields := ""
	if g.IntN(6) == 0 {
		fields = ", bool"
	}
	messages := fmt.Sprintf("VOTE(%s%s)", g.domain(), fields)
	if second {
		messages += fmt.Sprintf(", SURE(%s)", g.domain())
	}
	common := g.IntN(3) > 0
	g.heading(messages)
	if common {
		g.revealed()
	}
	g.kept()
	g.write("  local sent, told, seen: bool;\n  local c: %s;\n", g.domain())
	g.vote(fields)
	last := func(value string) string {
		if fields != "" {
			value += ", " + g.pick("_", "_", "true")
		}
		return "heard(VOTE(" + value + "))"
	}
	begun, enough := "sent", "heard(VOTE) >= "+g.most()
	if g.faults != "symmetric" && g.faults != "omission" && g.IntN(6) == 0 {
		enough = "arrived(VOTE)"
	}
	if second {
		many := g.quorum(last("x"))
		g.write("  [](x: %s) pass: if sent and not told and %s and %s then send SURE(x); told := true; endif", g.domain(), enough, many)
		g.write("  lost: if sent and not told and %s then told := true; endif", enough)
		begun = "told"
		if g.IntN(2) == 0 {
			last = func(value string) string { return "heard(SURE(" + value + "))" }
		}
	}
	if g.IntN(6) == 0 {
		g.write("  [](x: %s) always note: if not seen and %s then seen := true; endif", g.domain(), g.quorum(last("x")))
	}
	g.endings(begun+" and "+enough, last, common)
	g.write("end\n")
}

// turnsOfFamilies is a round in which the coordinator says something, and others do as it says.
func (g *generator) turnsOfFamilies() {
	g.sane, g.ends, g.atLast = true, true, g.IntN(2) == 0
	if g.IntN(5) == 0 {
		g.outcomes = 3
	}
	g.enum = g.IntN(2) == 0
	g.faults = g.pick("none", "crash", "clean", "clean", "byzantine")
	mode, sent := "", "x"
	if g.IntN(2) == 0 {
		mode, sent = ", bool", "x, b"
	}
	g.begin(g.pick("n > f, f >= 1", "n > 2 * f, f >= 1", "n > 3 * f"), fmt.Sprintf("LEAD(%s%s)", g.domain(), mode))
	g.write("  local led: bool;")
	if mode == "" {
		g.write("  [](x: %s) lead: if %snot led and v = x then send LEAD(%s); led := true; endif", g.domain(), g.oddly("coordinator and ", ""), sent)
	} else {
		g.write("  [](x: %s) [](b: bool) lead: if %snot led and v = x and b = (decided = NO) then send LEAD(%s); led := true; endif", g.domain(), g.oddly("coordinator and ", ""), sent)
	}
	heard := func(value, of string) string {
		if mode != "" {
			value += ", " + of
		}
		return fmt.Sprintf("heard(%sLEAD(%s))", g.oddly("coordinator.", ""), value)
	}
	guard := heard("x", "_") + " >= 1"
	if g.IntN(2) == 0 {
		guard = "arrived(coordinator.LEAD) and " + guard
		g.write("  left: if arrived(coordinator.LEAD) and heard(coordinator.LEAD) = 0 then next; endif")
	}
	condition := g.pick("v = x", "x = "+g.anyValue(), "decided = NO", heard("x", "true")+" >= 1")
	g.write("  [](x: %s) follow: if %s then v := x; if %s then %s endif next; endif", g.domain(), guard, condition, g.chosen("x"))
	if g.atLast || g.IntN(3) == 0 {
		g.write("  [](x: %s) %s tire: if %s then %snext; endif", g.domain(), g.pick("timeout", "timeout", "maybe"), g.pick("v = x", "v != x and not led"), g.pick("", "v := x; "))
	}
	g.write("end\n")
}

// vote is the rule, or rules, by which processes say what they have.
func (g *generator) vote(fields string) {
	say := func(value string) string {
		if fields != "" {
			value += ", " + g.pick("true", "decided = NO")
		}
		return "send VOTE(" + value + "); sent := true;"
	}
	switch {
	case g.IntN(3) == 0:
		g.write("  vote: if not sent then %s endif", say("v"))
	case fields != "" && g.IntN(2) == 0:
		g.write("  [](x: %s) [](b: bool) vote: if not sent and v = x and b = (decided = NO) then send VOTE(x, b); sent := true; endif", g.domain())
	default:
		g.write("  [](x: %s) vote: if v = x and not sent then %s endif", g.domain(), say(g.pick("x", "x", "v")))
	}
}

// endings are rules that end rounds: one family or two of them, and what is left.
func (g *generator) endings(begun string, count func(string) string, common bool) {
	many, few := g.quorum("COUNT"), g.quorum("COUNT")
	heads := 1 + g.IntN(2)
	for i := range heads {
		head, m := g.member()
		threshold := []string{many, few}[i]
		guard := begun + " and " + strings.ReplaceAll(threshold, "COUNT", count(m.value))
		if m.must != "" {
			guard += " and " + m.must
		}
		if i == 1 && g.IntN(2) == 0 {
			guard += " and not (" + strings.ReplaceAll(many, "COUNT", count(m.value)) + ")"
		}
		other := ""
		if g.IntN(9) == 0 && !strings.Contains(begun, "arrived") { // with crashes, that stands for the condition of a rule
			other = fmt.Sprintf("\n    elsif %s and v != %s then %s", begun, m.value, g.goOn(m, common))
		}
		g.write("  %s%s%s: if %s then\n      %s%s\n    endif", head, g.sometimes(4, "%s", g.pick("maybe ", "timeout ")), []string{"keep", "weak"}[i], guard, g.nested(m, count, common, 2), other)
	}
	var none []string
	for i := range g.outcomes {
		none = append(none, "not ("+strings.ReplaceAll([]string{many, few}[heads-1], "COUNT", count(g.value(i)))+")")
	}
	guard := strings.Join(none, " and ")
	switch g.IntN(4) {
	case 0: // in a family, too
		head, m := g.member()
		if m.must != "" {
			guard += " and " + m.must
		}
		g.write("  %snone: if %s and v = %s and %s then\n      %s\n    endif", head, begun, m.value, guard, g.nested(m, count, common, 1))
	case 1:
		g.write("  none: if %s and %s then %s endif", begun, guard, g.draw(common))
		g.write("  also: if %s and %s and decided = NO then %s endif", begun, guard, g.goOn(member{value: g.anyValue(), decide: g.decide(0)}, common))
	default:
		g.write("  none: if %s and %s then %s endif", begun, guard, g.draw(common))
	}
}

// nested is what a rule of a family does, up to ends of the round: several, perhaps.
func (g *generator) nested(m member, count func(string) string, common bool, depth int) string {
	if depth == 0 || g.IntN(5) > 1 {
		return g.goOn(m, common)
	}
	one, other := g.nested(m, count, common, depth-1), g.nested(m, count, common, depth-1)
	condition := g.pick(m.value+" = "+g.anyValue(), "v = "+m.value, "decided = NO", g.quorum(count(m.value)))
	if m.truth != "" && g.IntN(2) == 0 {
		condition = m.truth
	}
	if g.IntN(4) == 0 {
		return fmt.Sprintf("if %s then %s\n      elsif v = %s then %s\n      else %s endif", condition, one, g.pick(m.value, g.anyValue()), other, g.goOn(m, common))
	}
	return fmt.Sprintf("if %s then %s\n      else %s endif", condition, one, other)
}

// goOn ends a round, mostly by a draw, and uses parameters before and after it.
func (g *generator) goOn(m member, common bool) string {
	before := g.pick("", "", "v := X; ", "if decided = NO then v := X; endif ")
	if g.after == "" && g.IntN(8) == 0 {
		common = !common
	}
	coin, variable := "toss ", g.pick("c", "c", "c", "v")
	if common {
		coin, variable = "coin ", "c"
	}
	after := g.pick("v := X; ", "v := X; if c = X then DECIDE endif ", "v := X; if c = X then DECIDE endif ", "v := X; if c = X then DECIDE endif ", "v := c; ",
		"if c != X then v := c; else v := X; endif ", "if c = X then DECIDE endif v := c; ", "if X = ONE then v := c; else v := X; endif ",
		"if c = X and v = X then DECIDE elsif c = ONE then v := c; endif ", "if c = ONE then v := X; else v := ONE; endif ")
	if m.truth != "" && g.IntN(2) == 0 {
		after = g.pick("if TRUTH then v := X; else v := c; endif ", "if c = X and TRUTH then DECIDE endif v := X; ", "v := X; if TRUTH or c = X then DECIDE endif ")
	}
	if variable == "v" {
		after = g.pick("", "if v = X then DECIDE endif ", "if v != X then v := ONE; endif ", "v := X; ")
	}
	draw := coin + variable + g.after + "; "
	switch {
	case g.after != "":
	case g.IntN(8) == 0:
		draw, after = "", g.pick("v := X; DECIDE ", "v := X; ", "DECIDE ")
	}
	text := before + draw + after + g.lock() + "next;"
	text = strings.NewReplacer("X", m.value, "DECIDE", m.decide, "TRUTH", m.truth).Replace(text)
	for strings.Contains(text, "ONE") {
		text = strings.Replace(text, "ONE", g.anyValue(), 1)
	}
	return text
}

var (
	ruleHead = regexp.MustCompile(`(?m)^  ((?:always |maybe |timeout )*)(\w+):(\s+)if (.*?) then`)
	ofV      = regexp.MustCompile(`kept \w+ v: (0\.\.\d|enum \{[^}]*\})`)
	flagOf   = regexp.MustCompile(`local (\w+)[^;]*: bool`)
	assigned = regexp.MustCompile(`v := (?:V?\d);|LEAD\(v\)|VALUE\(v\)|VOTE\(v\)`)
)

// spread gives some rules of a text parameters: one for each value of something.
func (g *generator) spread(text string) string {
	domain := ofV.FindStringSubmatch(text)[1]
	flag := ""
	if found := flagOf.FindStringSubmatch(text); found != nil {
		flag = found[1]
	}
	head, tail, _ := strings.Cut(text, "\nprocess ")
	rules, properties, _ := strings.Cut(tail, "\nend\n")
	all := ruleHead.FindAllStringIndex(rules, -1)
	for i := len(all) - 1; i >= 0; i-- {
		end := len(rules)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		if rule := rules[all[i][0]:end]; g.IntN(2) == 0 {
			rules = rules[:all[i][0]] + g.ofFamily(rule, domain, flag) + rules[end:]
		}
	}
	return head + "\nprocess " + rules + "\nend\n" + properties
}

// ofFamily gives a rule a parameter.
func (g *generator) ofFamily(rule, domain, flag string) string {
	m := ruleHead.FindStringSubmatch(rule)
	parameter, condition := "[](x: "+domain+") ", "v = x"
	switch {
	case strings.Contains(m[1], "always") && flag == "":
		return rule
	case strings.Contains(m[1], "always") || flag != "" && g.IntN(3) == 0:
		parameter, condition = "[](x: bool) ", g.pick(flag+" = x", "x = "+flag, "("+flag+" or x)")
	case g.IntN(4) == 0:
		parameter, condition = "[](x: -1..1) ", g.pick("(x = -1) = (decided = NO)", "(x <= 0 or decided = NO)")
	case g.IntN(2) == 0:
		place := assigned.FindStringIndex(rule)
		if place != nil {
			rule = rule[:place[0]] + regexp.MustCompile(`V?\d;|v\)`).ReplaceAllStringFunc(rule[place[0]:place[1]], func(s string) string {
				return "x" + s[len(s)-1:]
			}) + rule[place[1]:]
		}
		condition = g.pick("v = x", "v = x", "v != x")
	}
	if !strings.Contains(m[1], "always") && g.IntN(5) == 0 {
		parameter += "[](b: bool) "
		condition += g.pick(" and (b or decided = NO)", " and b = (decided = NO)")
	}
	guard := "(" + m[4] + ") and " + condition
	if g.IntN(3) == 0 {
		guard = condition + " and (" + m[4] + ")"
	}
	inner := ""
	if !strings.Contains(m[1], "always") && g.IntN(5) == 0 {
		inner = fmt.Sprintf(" if %s then skip; endif", g.pick(condition, condition+" and decided = NO"))
	}
	return strings.Replace(rule, m[0], "  "+parameter+m[1]+m[2]+":"+m[3]+"if "+guard+" then"+inner, 1)
}

var (
	heardOf  = regexp.MustCompile(`and heard\((\w+)\((x|w|value)\)\) (>=|>) ([^;()]*?) (then|and|or)`)
	compared = regexp.MustCompile(`c (=|!=) (x|w|value)\b`)
	notBoth  = "all(decided != D0) or all(decided != D1)"
)

// named puts definitions in the place of conditions: in rules, after coins, and in properties.
func (g *generator) named(text string) string {
	domain := ofV.FindStringSubmatch(text)[1]
	var defines []string
	if m := heardOf.FindStringSubmatch(text); m != nil && g.IntN(2) == 0 {
		old := fmt.Sprintf("and heard(%s(%s)) %s %s %s", m[1], m[2], m[3], m[4], m[5])
		defines = append(defines, fmt.Sprintf("define MANY(%s: %s) = heard(%s(%s)) %s %s;", m[2], domain, m[1], m[2], m[3], m[4]))
		text = strings.ReplaceAll(text, old, fmt.Sprintf("and MANY(%s) %s", m[2], m[5]))
	}
	if m := compared.FindStringSubmatch(text); m != nil && g.IntN(2) == 0 {
		name := g.pick("a", "v", "x") // a parameter may be named as a variable is
		defines = append(defines, fmt.Sprintf("define SAME(%s: %s, other: %s) = %s %s other;", name, domain, domain, name, m[1]))
		text = strings.ReplaceAll(text, m[0], fmt.Sprintf("SAME(c, %s)", m[2]))
	}
	if strings.Contains(text, notBoth) && g.IntN(2) == 0 {
		three := strings.Contains(text, "D2}")
		names := "NO, D0, D1"
		if three {
			names += ", D2"
		}
		defines = append(defines, "define NOBODY(d: enum {"+names+"}) = all(decided != d);", "define AGREED = NOBODY(D0) or NOBODY(D1);")
		text = strings.ReplaceAll(text, notBoth, g.pick("AGREED", "AGREED", "NOBODY(D0) or NOBODY(D1)"))
	}
	if len(defines) > 0 {
		text = strings.Replace(text, "\nprocess ", "\n"+strings.Join(defines, "\n")+"\n\nprocess ", 1)
	}
	return text
}
