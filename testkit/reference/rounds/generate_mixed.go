package rounds

import (
	"fmt"
	"regexp"
	"strings"
)

var firstKind = regexp.MustCompile(`messages (\w+)`)

// mixed adds to one text of ten something that other sorts of texts have.
func (g *generator) mixed(text string) string {
	if g.IntN(10) > 0 {
		return text
	}
	kind := firstKind.FindStringSubmatch(text)[1]
	rule, local := "", ""
	switch g.IntN(7) {
	case 0:
		local = "  local noted: bool;\n"
		rule = fmt.Sprintf("  always noting: if not noted and heard(%s) >= %s then noted := true; endif\n", kind, g.pick("1", "2", "n"))
	case 1:
		rule = fmt.Sprintf("  %s leaving: if heard(%s) >= %s then %snext; endif\n", g.pick("timeout", "timeout", "maybe"), kind, g.pick("1", "n"), g.coined())
	case 2:
		return strings.Replace(text, "\nprocess node", "define SOME = heard("+kind+") >= 1;\n\nprocess node", 1)
	case 3:
		if g.after == "" && !strings.Contains(text, "toss") && !strings.Contains(text, "coin") {
			text = strings.Replace(text, "\nmessages ", "\nmessages LAST, ", 1)
			return strings.Replace(text, "next;", "send LAST; next;", 1)
		}
		return text
	case 6: // some process who never ends the round, though correct
		local = "  local dead: bool;\n"
		rule = fmt.Sprintf("  %sdies: if not dead and %s then dead := true; endif\n", g.pick("maybe ", ""), g.pick("decided = NO", "v = "+g.anyValue(), "heard("+kind+") >= 1"))
		for _, label := range []string{"finish: if ", "choose: if ", "obey:\n    if ", "finish:\n    if ", "only0: if ", "r0: if "} {
			text = strings.Replace(text, "  "+label, "  "+label+"not dead and ", 1)
		}
	case 4:
		local = "  local seen: bool;\n"
		rule = fmt.Sprintf("  looks: if not seen and heard(%s) > n / 2 then seen := true; elsif not seen and heard(%s) >= n then seen := true; endif\n", kind, kind)
	default:
		local = "  local odd: 0..2 = 1;\n"
		rule = fmt.Sprintf("  maybe turns: if odd = 1 and heard(%s) >= 1 then odd := 0; elsif odd = 0 then odd := 2; endif\n", kind)
	}
	text = strings.Replace(text, "  kept ", local+"  kept ", 1)
	return strings.Replace(text, "\nend\n", "\n"+rule+"end\n", 1)
}

// coined is the coin with which every round ends, if it is known after some only.
func (g *generator) coined() string {
	if g.after == "" {
		return ""
	}
	return "coin c" + g.after + "; "
}
