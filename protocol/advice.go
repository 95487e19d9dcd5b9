package protocol

import (
	"strings"

	"tacheck/internal/diag"
)

// The forms of texts, for advice.
const (
	anyForm = iota
	fixedForm
	sizesForm
)

// advised is what to write in place of a word that is not expected where it stands, or behind which nothing fits.
type advised struct {
	form int
	text string
}

var advices = map[string][]advised{
	"receive": {{sizesForm, "processes count what they have received: `if heard(ECHO) >= 1 then ... endif`"}},
	"byz":     {{sizesForm, "what faulty processes do follows from `faults`: they have no rules"}},
	"fair":    {{sizesForm, "`ltl name fair: ...` asks for fairness, of all rules but those that begin with maybe"}},
	"stable":  {{sizesForm, "processes do not restart here: variables are `local x: bool;` or `input x: bool;`"}, {fixedForm, "before the name: `stable x: bool;`"}},
	"recovery": {{sizesForm, "processes that crash do not restart: restarts are for protocols of fixed size"},
		{fixedForm, "a section of its own: `recovery ROLE;`"}},
	"restart": {{sizesForm, "processes that crash do not restart: restarts are for protocols of fixed size"}},
	"var":     {{sizesForm, "variables of a process are `local x: bool;` or `input x: bool;`"}},
	"role":    {{sizesForm, "a type here is bool, enum {A, B} or a range such as 0..3"}},
	"local":   {{fixedForm, "variables of a process are fields of its record, `x: bool = false;`"}},
	"input":   {{fixedForm, "variables of a process are fields of its record; initial states give them any value, `init [](v: bool) start: node[1].x := v;`"}},
	"while":   {{anyForm, "there are no loops of that kind: a rule is one step, and is taken again while it is possible"}},
	"if":      {{anyForm, "a value is no `if`: write `if c then x := 1; else x := 2; endif`"}},
	"X":       {{anyForm, formulasHave}}, "W": {{anyForm, formulasHave}}, "always": {{anyForm, formulasHave}},
	"eventually": {{anyForm, formulasHave}}, "next": {{fixedForm, formulasHave}},
	"some":  {{fixedForm, "exists (k: ROLE) ... is true of some process"}},
	"every": {{fixedForm, "forall (k: ROLE) ... is true of all processes"}},
	"all":   {{fixedForm, "forall (k: ROLE) ... is true of all processes"}},
}

const formulasHave = "formulas have F (eventually) and G (always), in protocols of fixed size U and R, too"

// advice returns what to write where a word is not expected, or the word before it has nothing to stand on; "" if nothing is known.
func advice(name, text, unexpected, before string) string {
	form := fixedForm
	for _, w := range Words(name, text) {
		if w.Text == "process" || w.Text == "parameters" {
			form = sizesForm
		}
	}
	for _, word := range []string{unexpected, before} {
		for _, a := range advices[word] {
			if a.form == form || a.form == anyForm {
				return "; " + a.text
			}
		}
	}
	return ""
}

// inWords says what was expected without the names of the grammar.
var inWords = strings.NewReplacer(`Statement+`, "a statement", `Statement*`, "statements", "TypeExpr", "a type", "Expr", "an expression",
	"Quorum", "a quorum", "Ident", "a name", "<ident>", "a name", `token "<EOF>"`, "end of the file", "<EOF>", "the end of the file")

// wrong is the problem at a token that was not expected; before is the name in front of it.
func wrong(name, text, unexpected, before, msg string, pos diag.Pos, width int) error {
	return problem(pos, width, "%s", inWords.Replace(msg)+advice(name, text, unexpected, before))
}

// unexpectedIn is the token that the message of an expression's error names.
func unexpectedIn(msg string) string {
	rest, found := strings.CutPrefix(msg, `unexpected "`)
	if !found {
		return ""
	}
	token, _, _ := strings.Cut(rest, `"`)
	return token
}
