package ftdp

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
)

// The forms of texts, for advice.
const (
	anyForm = iota
	fixedForm
	sizesForm
)

// advised is what to write in place of a word that is not expected where it stands, or behind which nothing fits.
type advised struct {
	form  int
	text  string
	wants string // what was expected instead; "" for whatever was
}

var advices = map[string][]advised{
	"": {{fixedForm, "a rule receives from someone: `receive KIND(v) from j`", `(expected "from"`}},
	"=": {{anyForm, assignment, `":="`},
		{anyForm, "a type stands before the first value: `x: bool = false`", `(expected ":"`}},
	"==": {{anyForm, assignment, `":="`}},
	"{": {{anyForm,
		"blocks are `process node[n] ... end`, `if c then ... endif`, in protocols of fixed size " +
			"`for k: ROLE do ... endfor`", ""}},
	"<=": {{anyForm, assignment, `":="`}},
	"}":  {{sizesForm, "a process ends with `end`, an if with `endif`", ""}},
	":": {{sizesForm, "no colon stands behind `process node[n]`", `"end"`},
		{fixedForm, "fields have no types here: `receive KIND(v) from j`", `token ":" (expected ")")`},
		{fixedForm, "the set of those for which c is true is `{k: ROLE | c}`", `(expected ",")`}},
	"0 )":      {{fixedForm, "a value is asked for: `receive KIND(v) from j if v = 3 then ...`", "a name"}},
	"send x ;": {{fixedForm, "`send KIND to all of ROLE`", `":="`}},
	"for x in": {{fixedForm, "`for k: ROLE do ... endfor`", ""}},
	"sum :": {{fixedForm, "there are no sums: `count (k: ROLE) (c)` counts, a variable that rules " +
		"change adds up", ""}},
	"~":        {{anyForm, "`G (a -> F b)` says that a leads to b", ""}},
	"count {":  {{fixedForm, "`count (k: ROLE) (c)` counts those for which c is true", ""}},
	"for":      {{fixedForm, "`forall (k: ROLE) (c)`", `(expected ")")`}},
	"struct {": {{fixedForm, "`record x: bool; y: 0..3; end`", ""}},
	"active":   {{anyForm, "Promela is for files named .pml; here: `process node[n] ... end`", ""}},
	"relation": {{anyForm, "relations are for first-order systems (.pyv); here, processes have variables: `x: bool`",
		""}},
	"invariant x (": {{anyForm, "the name is missing: `invariant name: e;`", ""}},
	"ltl x (":       {{anyForm, "the name is missing: `ltl name: f;`", ""}},
	"maybe []":      {{fixedForm, "it stands before the label: `[](i: ROLE) maybe label: ...`", ""}},
	"if|":           {{sizesForm, heard, ""}, {fixedForm, OfSets, ""}},
	"[] )": {{fixedForm, "each parameter has a type: `[](i: ROLE) [](j: ROLE) label: receive KIND(v) from j ...`",
		""}},
	"maybe": {{sizesForm, "it stands before the label: `maybe label: if c then ... endif`", `":="`}},
	"bool": {{anyForm, "the name comes first: `x: bool`", "a name"},
		{sizesForm, "the name comes first: `local x: bool;`", `"end"`},
		{sizesForm, "a variable begins with `local` or `input`: `local x: bool;`", "a statement"}},
	"0 ..":         {{sizesForm, "a variable begins with `local` or `input`: `local x: 0..1;`", "a statement"}},
	"in":           {{sizesForm, anyFirst, ""}, {fixedForm, anyValue, `":="`}, {fixedForm, AnyFirst, ""}},
	"initially":    {{sizesForm, anyFirst, ""}, {fixedForm, AnyFirst, ""}},
	"assume ;":     {{anyForm, "commas stand between conditions: `assume n > 2 * t, t >= f;`", sectionsBegin}},
	"parameters ;": {{anyForm, "commas stand between names: `parameters n, t;`", sectionsBegin}},
	"messages ;":   {{anyForm, "commas stand between kinds: `messages A, B;`", sectionsBegin}},
	"message ;":    {{anyForm, "commas stand between kinds: `message A, B(x: 0..1);`", sectionsBegin}},
	"parameters x": {{anyForm, "commas stand between names: `parameters n, t;`", `";"`}},
	"messages x":   {{anyForm, "commas stand between kinds: `messages A, B;`", `";"`}},
	"local x":      {{sizesForm, "commas stand between names: `local x, y: bool;`", `":"`}},
	"input x":      {{sizesForm, "commas stand between names: `input x, y: bool;`", `":"`}},
	"message (":    {{sizesForm, "for all sizes kinds are declared by `messages A, B(0..1);`", "a name"}},
	"send )": {{sizesForm, "without parentheses: `send KIND;`", `":="`},
		{fixedForm, "without parentheses: `send KIND to all`", `":="`}},
	"x if": {{sizesForm, "a colon stands behind the label of a rule: `label: if c then ... endif`", `"end`}},
	"x +":  {{anyForm, "`x += 1;` adds to x", `"end`}}, "x -": {{anyForm, "`x -= 1;` takes from x", `"end`}},
	"ltl": {{sizesForm, noEnd, `"end"`}}, "invariant": {{sizesForm, noEnd, `"end"`}},
	"broadcast": {{sizesForm, "`send KIND;` sends to all", ""}, {fixedForm, "`send KIND to all`", ""}},
	"process":   {{sizesForm, noEnd, `":"`}},
	"in_order":  {{sizesForm, "against processes that move in step: `almost surely in order`", `":"`}},
	"send":      {{fixedForm, "`send KIND to k`, with values `send KIND(v) to k`", ""}},
	"(": {{fixedForm, "parameters of a rule stand before its name: `[](i: ROLE) label: ...`", `":"`},
		{fixedForm, "without parentheses: `for k: ROLE do ... endfor`", "`k: ROLE`)"}, {sizesForm, numbered, `"["`}},
	")":    {{fixedForm, "a field has a type: `no: 0..3`", `":"`}},
	"to":   {{anyForm, "`send KIND to all`: what is sent begins with its kind", ""}},
	"when": {{anyForm, guardedRule, ""}}, "upon": {{sizesForm, countReceived, ""}, {fixedForm, onReceipt, ""}},
	"on":      {{sizesForm, countReceived, ""}, {fixedForm, onReceipt, ""}},
	"require": {{anyForm, guardedRule, ""}}, "then": {{anyForm, guardedRule, `":="`}},
	"parameter": {{anyForm, "`parameters n, f;`", ""}},
	"..": {{fixedForm, "a range is `0..2`, without brackets", `"]"`},
		{sizesForm, "the number of processes stands in brackets: `process node[n]`", `"]"`}},
	"safety": {{anyForm, ofStates, ""}}, "property": {{anyForm, ofStates, ""}}, "assert": {{anyForm, ofStates, ""}},
	"spec": {{anyForm, ofStates, ""}}, "liveness": {{anyForm, ofStates, ""}}, "theorem": {{anyForm, ofStates, ""}},
	"specification": {{anyForm, ofStates, ""}}, "AG": {{anyForm, formulasHave, ""}},
	"AF": {{anyForm, formulasHave, ""}}, "EF": {{anyForm, formulasHave, ""}},
	"variables": {{fixedForm, "`var`, then `node: array[ROLE] of record ... end;`", ""}},
	"rule":      {{fixedForm, "`rules`, then `[](i: ROLE) label: ...`, with `[]` between rules", ""}},
	"return":    {{anyForm, "a rule is over where its statements end", ""}},
	"pass":      {{anyForm, "what does nothing is `skip;`", ""}},
	"choose":    {{fixedForm, anyValue, ""}}, "pick": {{fixedForm, anyValue, ""}}, "any": {{fixedForm, anyValue, ""}},
	"Cardinality": {{fixedForm, OfSets, ""}}, "len": {{fixedForm, "length(s) is of sequences, size(s) of sets", ""}},
	"union": {{fixedForm, OfSets, ""}}, "intersect": {{fixedForm, OfSets, ""}}, "minus": {{fixedForm, OfSets, ""}},
	"|": {{fixedForm, OfSets, ""},
		{sizesForm, heard, ""}},
	"map":     {{fixedForm, "`array[ROLE] of bool`", ""}},
	"receive": {{sizesForm, countReceived, ""}},
	"byz":     {{sizesForm, "what faulty processes do follows from `faults`: they have no rules", ""}},
	"fair": {{sizesForm, "`ltl name fair: ...` asks for fairness, of all rules but those that begin with maybe",
		""}},
	"stable": {{sizesForm, "processes do not restart here: variables are `local x: bool;` or `input x: bool;`", ""},
		{fixedForm, "before the name: `stable x: bool;`", ""}},
	"recovery": {{sizesForm, "processes that crash do not restart: restarts are for protocols of fixed size", ""},
		{fixedForm, "a section of its own: `recovery ROLE;`", ""}},
	"restart": {{sizesForm, "processes that crash do not restart: restarts are for protocols of fixed size", ""}},
	"var": {{sizesForm, "variables of a process are `local x: bool;` or `input x: bool;`", ""},
		{fixedForm,
			"variables are declared in a section `var`, before there are rules; in a rule `let x = e;` names a value",
			""}},
	"role": {{sizesForm, "a type here is bool, enum {A, B} or a range such as 0..3", "a type"},
		{sizesForm, numbered, ""},
		{fixedForm, "the name comes first: `node: role[n];`", ""}},
	"local": {{sizesForm, numbered, `"["`},
		{sizesForm, "variables of a process are declared in front of its rules", `":="`},
		{fixedForm, "variables of a process are fields of its record, `x: bool = false;`", ""}},
	"input": {{sizesForm, numbered, `"["`}, {fixedForm,
		"variables of a process are fields of its record; " + AnyFirst, ""}},
	"while": {{anyForm, "there are no loops of that kind: a rule is one step, and is taken again while it is possible",
		""}},
	"if": {{anyForm, "a colon stands behind the label of a rule: `label: if c then ... endif`", `(expected ":`},
		{sizesForm, "a colon stands behind the label of a rule: `label: if c then ... endif`", `":="`},
		{fixedForm, "a rule has a label: `[](i: ROLE) label: if c then ... endif`", "a name"},
		{sizesForm, "a rule has a label: `label: if c then ... endif`", `"end"`}},
	";": {{sizesForm, ofAll, "what is said of"},
		{sizesForm, "its values stand behind a name: `input x: bool;`", `":"`},
		{fixedForm, "its values stand behind a name: `x: bool;`", `":"`}},
	":=": {{fixedForm, "statements stand behind a label: `init start: if c then x := 1; endif`", `"else"`},
		{anyForm, "first values are `x: bool = false;`", `"end"`},
		{fixedForm, "initial states have a name: `init start: x := 1;`", `";"`},
		{sizesForm, "first values are `local x: bool = false;`", `";"`}},
	"x =": {{anyForm, assignment, `"end`}}, "x !": {{fixedForm, "`send KIND to k`", `"end`}},
	"!":     {{fixedForm, "`send KIND to k`", `":="`}},
	"()":    {{anyForm, "a kind without values has no parentheses: `send KIND`", ""}},
	"await": {{anyForm, guardedRule, ""}}, "goto": {{anyForm, "where a process is, is a variable: `at := NEXT;`", ""}},
	"flip": {{sizesForm, "`toss x; next;` or `coin x; next;` ends a round", ""}, {fixedForm, anyValue, ""}},
	"with": {{fixedForm, anyValue, ""}},
	".": {{sizesForm, ofAll, `":"`}, {anyForm, "a type follows: `forall (i, j: T) ...`", `":"`},
		{fixedForm, "numbers are whole: `$time - 1`", `"to"`}},
	":= []": {{fixedForm, "a sequence without elements is `seq()`, a set `{}`", "an expression"}},
	"[]": {{fixedForm, "a label stands before the colon: `init start: ...`, `[](i: ROLE) label: ...`",
		"an expression"},
		{sizesForm, "a rule of a process without parameters has no []: `label: if c then ... endif`", `"("`}},
	"+": {{anyForm, "`x += 1;` adds to x", `":="`}}, "-": {{anyForm, "comments begin with //", ""}},
	"of": {{fixedForm, "a variable ranges over a named type of single values, not over sets: `forall (k: T) ...`",
		`(expected ")")`}, {fixedForm, "`array[T] of T`, `set of T`, `seq[3] of T`", ""}},
	"exists": {{sizesForm, "`some(c)` is true if c is true of some process", ""}},
	"forall": {{sizesForm, "`all(c)` is true if c is true of all processes", ""}, {fixedForm,
		"`for k: ROLE do ... endfor` does something for all; forall asks whether something is true of all", `"end`}},
	",": {{fixedForm, "`send KIND(v) to all`", `"endif"`},
		{fixedForm, "each parameter has a type: `[](i: ROLE) [](j: ROLE) label: ...`", `(expected ":"`},
		{sizesForm, "variables of one type stand together, `local x, y: bool;`, others in a line of their own", `";"`}},
	"fi":        {{anyForm, "an `if` ends with endif", ""}},
	"byzantine": {{anyForm, "`faults byzantine f;`", ""}},
	"rules":     {{sizesForm, "rules stand behind the variables of their process: `label: if c then ... endif`", ""}},
	"until":     {{anyForm, formulasHave, ""}},
	"not":       {{fixedForm, "`not` stands before what it negates: `not (k in s)`", ""}},
	"end": {{anyForm, "a `for` ends with endfor", `"endfor"`},
		{fixedForm, "rules have no end of their own: the next section follows", ""}},
	"nothing":  {{fixedForm, "it stands behind the label: `[](j: T) [](i: T) label: receive nothing if ...`", ""}},
	"capacity": {{fixedForm, bounded, ""}}, "next": {{fixedForm, formulasHave, ""}},
	"X": {{anyForm, formulasHave, ""}}, "W": {{anyForm, formulasHave, ""}},
	"always": {{anyForm, formulasHave, ""}}, "eventually": {{anyForm, formulasHave, ""}},
	"some": {{fixedForm, "exists (k: ROLE) ... is true of some process", ""}},
	"fifo": {{fixedForm, bounded, `";"`}}, "reliable": {{fixedForm, bounded, `";"`}},
	"heard": {{sizesForm, heard, ""}}, "begin": {{sizesForm, "`process node[n] ... end` has no begin", `":"`}},
	"except": {{fixedForm, "`for k: ROLE do if k != s then send KIND to k; endif endfor`", `":="`}},
	"every":  {{fixedForm, "forall (k: ROLE) ... is true of all processes", ""}},
	"all":    {{fixedForm, "forall (k: ROLE) ... is true of all processes", ""}},
}

// named are sections whose colon stands behind a name.
var named = map[string]string{"invariant": "invariant name: e;", "ltl": "ltl name: f;", "lemma": "lemma name: e;"}

const (
	assignment    = "`x := e` assigns, and `x = e` compares"
	guardedRule   = "`if c then ... endif`: a rule that has nothing else is possible while c is true"
	countReceived = "processes count what they have received: `if heard(ECHO) >= 1 then ... endif`"
	onReceipt     = "`label: receive KIND(v) from j ...` is a rule"
	ofStates      = "`invariant name: e;` is true in all states, `ltl name: f;` is a formula"
	numbered      = "a type of processes has their number: `process node[n] ... end`"
	heard         = "heard(K) is the number of processes from which a K was received"
	ofAll         = "`all(c)` is true if c is true of all processes, `some(c)` if it is of one"
	noEnd         = "the process before this has no `end`"
	anyFirst      = "what may have any value at first is `input x: 0..2;`; `init all(x != 1);` leaves some out"
	bounded       = "`bounded 2` says how many messages a channel holds"
	anyValue      = "a rule that may take any of several values has them as a parameter: `[](v: 0..2) [](i: ROLE) " +
		"label: ...`"
	OfSets = "union(s, t), intersection(s, t), difference(s, t) and size(s) are for sets; `s += k` makes k a member"
)

// AnyFirst is how a variable gets any of several first values in a protocol of fixed size.
const AnyFirst = "initial states give any of several values: `init [](v: 0..1) start: node[1].x := v;`"

const formulasHave = "formulas have F (eventually) and G (always), in protocols of fixed size U and R, too"

// sections are the words behind which statements have ended: an if that is open there has no endif.
var sections = []string{"end", "[]", "rules", "invariant", "ltl", "lemma", "define", "process", "trace", ""}

// advice returns what to write where a word is not expected, or the word before it has nothing to stand on, and which
// word it is about; "" if nothing is known.
func advice(name, text, unexpected, before, msg string, offset int) (what, of string) {
	form := fixedForm
	tokens, _ := allTokens(name, text) // up to what is wrong
	if slices.ContainsFunc(tokens, func(t lexer.Token) bool {
		return t.Value == "process" || t.Value == "parameters"
	}) {
		form = sizesForm
	}
	opened := begun(tokens, offset)
	if opened == ":= []" {
		before = opened
	}
	statement := ended(tokens, offset)
	return instead(form, inWords.Replace(msg), "", statement+" "+unexpected, before+" "+unexpected,
		opened+" "+unexpected, before, unexpected, opened, going(tokens, offset), statement)
}

func instead(form int, msg string, words ...string) (text, of string) {
	for _, word := range words {
		for _, a := range advices[word] {
			if (a.form == form || a.form == anyForm) && strings.Contains(msg, a.wants) {
				return "; " + a.text, word
			}
		}
	}
	return "", ""
}

// Instead is what to write in place of a word that means nothing in protocols of fixed size; "" if that is not known.
func Instead(word string) string {
	text, _ := instead(fixedForm, "", word)
	return text
}

// going is what stands behind what is not expected, if that is a name ("x =") or opens a parenthesis.
func going(tokens []lexer.Token, offset int) string {
	i := slices.IndexFunc(tokens, func(t lexer.Token) bool { return t.Pos.Offset == offset })
	if i < 0 {
		return ""
	}
	for _, t := range tokens[i+1:] {
		switch {
		case t.Type == scan.Comment, t.Type == scan.Space:
			continue
		case tokens[i].Type == scan.Name:
			return "x " + t.Value
		case tokens[i].Type == scan.Number:
			return "0 " + t.Value
		}
		return tokens[i].Value + t.Value
	}
	return ""
}

// ended is the first and the last word, x for a name, of what stands before an offset, behind a semicolon or where
// statements begin; of what a semicolon has ended, if nothing follows: "assume ;".
func ended(tokens []lexer.Token, offset int) string {
	words := []string{";"}
	for _, tok := range tokens {
		if tok.Pos.Offset < offset && tok.Type != scan.Comment && tok.Type != scan.Space {
			if slices.Contains([]string{";", "then", "else", "do"}, words[len(words)-1]) || named[tok.Value] != "" {
				words = nil
			}
			words = append(words, tok.Value)
			if len(words) > 1 && tok.Type == scan.Name {
				words[len(words)-1] = "x"
			}
		}
	}
	return words[0] + " " + words[len(words)-1]
}

// begun is the quantifier that stands before a parenthesis that has just been opened, or has a name behind it, the
// word with which a statement of three words begins, or what looks like a sequence without elements.
func begun(tokens []lexer.Token, offset int) string {
	var last [3]string
	for _, tok := range tokens {
		if tok.Pos.Offset < offset && tok.Type != scan.Comment && tok.Type != scan.Space {
			last = [3]string{last[1], last[2], tok.Value}
		}
	}
	if last[0] == "send" {
		return "send" // send KIND k: a word is missing
	}
	if last[2] == "[]" && (last[1] == ":=" || last[1] == "=") {
		return ":= []"
	}
	switch last[2] {
	case "(":
		return last[1]
	case ":":
		return last[0] // exists k: ...
	}
	return map[bool]string{true: last[0]}[last[1] == "("]
}

// inWords says what was expected without the names of the grammar.
var inWords = strings.NewReplacer(`Statement+`, "a statement", `Statement*`, "statements", "TypeExpr", "a type",
	"(TypeDecl", "(the declaration of a type", "TypeDecl+", "the declaration of a type", "TypeDecl",
	"the declaration of a type", "ArrayType", "`array[T] of T`", "Expr", "an expression",
	"Quorum", "a quorum", "KindDecl", "a kind of messages", "KindField", "a value", "Almost", "`surely`",
	"(expected For)", "(expected `k: ROLE`)", "Ident", "a name", "<ident>", "a name",
	`token "<EOF>"`, "end of the file", "<EOF>",
	"the end of the file")

// unclosed returns an if of the statements before an offset that has no endif: the outermost that has another one
// behind its else, and that one as well, or else the innermost. What is chosen in an expression has no endif.
func unclosed(name, text string, offset int) (open, behindElse *lexer.Token) {
	type choice struct {
		at, behindElse *lexer.Token
		expression     bool
	}
	var stack []choice
	var last lexer.Token
	tokens, _ := allTokens(name, text)
	for i, tok := range tokens {
		if tok.Pos.Offset >= offset {
			break
		}
		n := len(stack)
		switch tok.Value {
		case "if":
			inside := n > 0 && stack[n-1].expression && (last.Value == "then" || last.Value == "else")
			begins := last.Type == scan.Name || last.Type == scan.Number ||
				slices.Contains(beforeIf, last.Value)
			if begins && !inside && last.Value == "else" && n > 0 {
				stack[n-1].behindElse = &tokens[i]
			}
			stack = append(stack, choice{&tokens[i], nil, inside || !begins})
		case ";", ":=", "send", "endif", "endfor", "rules", "invariant", "ltl", "[]", "end":
			for n > 0 && stack[n-1].expression {
				n--
			}
			if tok.Value == "endif" && n > 0 {
				n--
			}
			stack = stack[:n]
		}
		if tok.Type != scan.Space && tok.Type != scan.Comment {
			last = tok
		}
	}
	for _, c := range stack {
		if c.expression {
			continue
		}
		if open = c.at; c.behindElse != nil {
			return open, c.behindElse
		}
	}
	return open, nil
}

// labels reports whether what stands at an offset is the label of a rule.
func labels(name, text string, offset int) bool {
	tokens, _ := allTokens(name, text)
	return going(tokens, offset) == "x :"
}

// beforeIf are the words behind which an if is a statement.
var beforeIf = []string{";", ":", ")", "]", "then", "else", "do", "endif", "endfor", "skip"}

// wrong is the problem at a token that was not expected; before is the name in front of it.
func wrong(name, text, unexpected, before, msg string, pos diag.Pos, offset, width int) error {
	told := inWords.Replace(scan.First(msg))
	if strings.HasSuffix(told, `(expected "endif")`) && (slices.Contains(sections, unexpected) || labels(name, text, offset)) ||
		unexpected == ":" && strings.Contains(told, `(expected ":="`) { // it is the label of another rule
		open, behindElse := unclosed(name, text, offset)
		switch {
		case behindElse != nil:
			return diag.Wrong(scan.Place(behindElse.Pos), len("if"),
				"an endif is missing: behind else, an if has its own (did you mean \"elsif\" in place of \"else if\"?)")
		case open != nil:
			return diag.Wrong(scan.Place(open.Pos), len(open.Value), "this if has no endif")
		}
	}
	end, comment := behind(name, text, offset)
	for _, sign := range []string{`";"`, `"then"`, `"do"`} {
		if strings.HasSuffix(told, "(expected "+sign+")") && end.Line < pos.Line {
			return diag.Wrong(end, 1, "%s is missing here", sign)
		}
	}
	if after := strings.TrimSpace(strings.TrimPrefix(comment.Value, "//")); scan.Digits(after+" ") > 0 {
		return diag.Wrong(scan.Place(comment.Pos), len("//"), "a comment begins here: `/` divides, and rounds down")
	}
	advice, of := advice(name, text, unexpected, before, msg, offset)
	if at := last(name, text, offset); advice != "" && of == at.Value && at.Type == scan.Name &&
		!slices.Contains(slices.Concat(ofProcesses, ofRules, ofFormulas), of) {
		return diag.Wrong(scan.Place(at.Pos), len(of), "unexpected token %q%s", of, advice)
	}
	if advice != "" {
		told, _, _ = strings.Cut(told, " (did you mean ")
		told, _, _ = strings.Cut(told, sectionsBegin)
	}
	return diag.Wrong(pos, width, "%s", told+advice)
}

// last is the last token before an offset.
func last(name, text string, offset int) (found lexer.Token) {
	for tok := range rules.Tokens(name, text) {
		if tok.Pos.Offset >= offset {
			break
		}
		if tok.Type != scan.Comment && tok.Type != scan.Space {
			found = tok
		}
	}
	return found
}

// behind is the place where the last token before an offset has ended, and the comment that stands there in its line.
func behind(name, text string, offset int) (end diag.Pos, comment lexer.Token) {
	for tok := range rules.Tokens(name, text) {
		if tok.Pos.Offset >= offset {
			break
		}
		switch {
		case tok.Type == scan.Comment && comment.Value == "" && tok.Pos.Line == end.Line:
			comment = tok
		case tok.Type != scan.Comment && tok.Type != scan.Space:
			tok.Pos.Advance(tok.Value)
			end, comment = scan.Place(tok.Pos), lexer.Token{}
		}
	}
	return end, comment
}

// modifiers are words in front of the labels of rules.
var modifiers = map[string]bool{"always": true, "maybe": true, "timeout": true}

// reservedName returns the reserved word that stands in front of a colon where a name should: at an offset, behind
// words that may be in front of a label there, or just before the offset.
func reservedName(name, text string, offset int) (found lexer.Token, ok bool) {
	var last lexer.Token
	for tok := range rules.Tokens(name, text) {
		switch {
		case tok.Type == scan.Comment, tok.Type == scan.Space:
		case tok.Pos.Offset < offset:
			last = tok
		case found.Value != "":
			return found, tok.Value == ":"
		case tok.Value == ":" && last.Type == tokKeyword && last.Value != "init":
			return last, true
		case modifiers[tok.Value]:
		case tok.Type == tokKeyword:
			found = tok
		default:
			return found, false
		}
	}
	return found, false
}

const sectionsBegin = ": sections begin with "

// allTokens lists the tokens of a text, with what comes after the last section.
func allTokens(name, text string) (list []lexer.Token, err error) {
	s := scan.New(name, text, rules.Kinds)
	for {
		tok, err := s.Next()
		if err != nil || tok.EOF() {
			return list, err
		}
		list = append(list, tok)
	}
}
