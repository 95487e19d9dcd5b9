package pml

import (
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/lists"
)

// Next says what can come after a text.
func Next(text string) index.Wanted {
	if line := text[strings.LastIndexByte(text, '\n')+1:]; strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
		if fields := strings.Fields(strings.ReplaceAll(line, "#", "# ")); len(fields) <= 1 ||
			len(fields) == 2 && !strings.HasSuffix(line, " ") {
			return index.Wanted{Words: directives}
		}
		return index.Wanted{Kinds: []index.Kind{index.Macro, index.MacroParameter, index.Parameter, index.Shared,
			index.Variable, index.Process}, Words: []string{"defined"}}
	}
	w := grammar.Next(text)
	switch opener, rest := innermost(lastItem(text)); {
	case opener == "if" || opener == "do":
		if len(rest) == 0 {
			w.Words = append(w.Words, "else")
		}
		w.Words = append(w.Words, map[string]string{"if": "fi", "do": "od"}[opener])
	}
	return w
}

var grammar = index.Grammar{Keywords: slices.DeleteFunc(slices.Clone(Reserved),
	func(w string) bool { return Reasons[w] != "" && w != "proctype" }), Begins: begins, Part: part, Context: wanted}

// part is the declaration in which a text ends; of a process the innermost list of statements, as if it were all.
func part(text string) string {
	words := lastItem(text)
	if opener, rest := innermost(words); opener != "" {
		return "active proctype P ( ) { " + strings.Join(rest, " ")
	}
	return strings.Join(words, " ")
}

// innermost returns what opens the innermost list of statements of a process that words end in, and the
// words in it: the last alternative of an if or do; "" if they end in no process.
func innermost(words []string) (string, []string) {
	if len(words) == 0 || words[0] != "active" {
		return "", nil
	}
	type list struct {
		opener string
		begin  int
	}
	var open []list
	for i, w := range words {
		switch w {
		case "{", "if", "do":
			open = append(open, list{w, i + 1})
		case "}", "fi", "od":
			open = open[:max(0, len(open)-1)]
		case "::":
			if len(open) > 0 {
				open[len(open)-1].begin = i + 1
			}
		}
	}
	if len(open) == 0 {
		return "", nil
	}
	last := open[len(open)-1]
	return last.opener, words[last.begin:]
}

// prober goes back from every alternative that does not fit, so that it is the one that fits longest in which it
// finds the problem.
var prober = sync.OnceValue(func() *participle.Parser[File] { return build(participle.MaxLookahead) })

// begins reports whether a text without macros is how a model can begin, as far as the grammar goes.
func begins(text string) bool {
	lines, _, err := Scanned("", text)
	if err != nil {
		return false
	}
	var list []lexer.Token
	for _, line := range lines {
		for _, t := range line {
			t.Pos.Offset = len(list)
			list = append(list, t.Token)
		}
	}
	end := lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: len(list)}}
	lex, err := lexer.Upgrade(&tokens{list: list, end: end})
	if err != nil {
		return false
	}
	_, err = prober().ParseFromLexer(lex)
	return index.Reaches(err, len(list))
}

// lastItem returns the words of the declaration in which a text ends, macros replaced where that can be done.
func lastItem(text string) []string {
	var list []lexer.Token
	if pre, err := preprocessed("", text, nil); err == nil {
		list = pre.Out
	} else if lines, _, err := Scanned("", text); err == nil {
		for _, line := range lines {
			for _, t := range line {
				if line[0].Value != "#" {
					list = append(list, t.Token)
				}
			}
		}
	}
	begin, depth := 0, 0
	for i, t := range list {
		switch t.Value {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			depth--
		case "symbolic", "int", "byte", "bit", "bool", "short", "pid", "unsigned", "hidden", "show", "local", "assume",
			"atomic",
			"active", "ltl", "init", "never":
			if depth == 0 && (i == 0 || !slices.Contains([]string{"symbolic", "hidden", "show", "local"},
				list[i-1].Value)) {
				begin = i
			}
		}
	}
	return lists.Map(list[min(begin, len(list)):], func(t lexer.Token) string { return t.Value })
}

// wanted says of what kinds a name after a text can be, and which operators that are words can come.
func wanted(text string) index.Wanted {
	words := lastItem(text)
	if len(words) == 0 {
		return index.Wanted{}
	}
	last := words[len(words)-1]
	numbers := []index.Kind{index.Parameter, index.Macro}
	inProcess := append([]index.Kind{index.Shared, index.Variable, index.Process}, numbers...)
	operators := []string{"and", "or", "not", "implies", "equivalent"}
	switch inside := propositional(words); {
	case inside && last == "@":
		return index.Wanted{Kinds: []index.Kind{index.Label}}
	case inside && last == ":":
		return index.Wanted{Kinds: []index.Kind{index.Variable}}
	case inside:
		return index.Wanted{Kinds: inProcess, Words: operators}
	}
	switch words[0] {
	case "symbolic":
		return index.Wanted{}
	case "atomic", "ltl":
		if !slices.Contains(words, "=") && !slices.Contains(words, "{") {
			return index.Wanted{} // its name
		}
		w := index.Wanted{Kinds: append([]index.Kind{index.Proposition, index.Shared}, numbers...), Words: operators}
		if words[0] == "ltl" {
			w.Words = append(slices.Clone(operators), "U", "V", "W", "always", "eventually", "until", "release",
				"weakuntil")
		}
		return w
	case "active", "init":
		if !slices.Contains(words, "{") {
			return index.Wanted{Kinds: numbers}
		}
		if last == "goto" {
			return index.Wanted{Kinds: []index.Kind{index.Label}}
		}
		return index.Wanted{Kinds: append([]index.Kind{index.Proposition}, inProcess...), Words: operators}
	}
	return index.Wanted{Kinds: numbers, Words: operators}
}

// propositional reports whether words end inside of all(...), some(...) or card(...).
func propositional(words []string) bool {
	return slices.ContainsFunc(index.Open(words),
		func(w string) bool { return slices.Contains([]string{"all", "some", "card"}, w) })
}
