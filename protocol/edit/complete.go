package edit

import (
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

var grammar = index.Grammar{Keywords: ftdp.Keywords, Begins: begins,
	Part: func(text string) string { return begin(text).text() }, Context: context}

// prober goes back from every alternative that does not fit, so that it is the one that fits longest in which it
// finds the problem.
var prober = sync.OnceValue(func() *participle.Parser[ftdp.File] {
	return ftdp.Build[ftdp.File](participle.MaxLookahead)
})

// begins reports whether a text is how a protocol can begin, as far as the grammar goes.
func begins(text string) bool {
	if ftdp.Nesting("", text) != nil {
		return false
	}
	_, err := prober().ParseString("", text)
	return index.Reaches(err, len(strings.TrimRight(text, " \t\r\n")))
}

// Words that are names elsewhere.
var (
	sectionWords = []string{"parameters", "assume", "faults", "messages", "process"}
	fixedWords   = []string{"message", "names", "recovery", "trace"} // sections of protocols with identities
	channelWords = []string{"asynchronous", "synchronous", "lossy", "reliable", "authenticated", "anonymous",
		"unordered", "fifo", "bounded", "duplicating"}
	statusWords   = []string{"corr", "crash", "crashed", "byz"}
	numberWords   = []string{"count", "max", "min", "by", "in"}
	temporalWords = []string{"F", "G", "U", "R"}
)

// beginning is a text up to where something is to come.
type beginning struct {
	words []string // those of the section, since its keyword
	where string   // the section
	sizes bool     // a protocol for all sizes
}

// begin finds the section in which a text ends.
func begin(text string) *beginning {
	b := &beginning{}
	hard := []string{"protocol", "const", "channels", "type", "var", "init", "rules", "define", "invariant", "ltl",
		"lemma"}
	depth, out := 0, false // of processes, and what is in them
	for _, t := range ftdp.Tokens("", text) {
		if t.Class == index.Comment {
			continue
		}
		if n := len(b.words); out && n > 0 { // 2acceptor is one word
			out, b.words[n-1] = false, b.words[n-1]+t.Text
			continue
		}
		out = t.Class == index.Operator && t.Text == "2"
		sizes := slices.Contains(sectionWords, t.Text)
		soft := (sizes || slices.Contains(fixedWords, t.Text)) &&
			(b.where == "" || b.last(1) == ";" || b.last(1) == "end")
		if depth == 0 && (t.Class == index.Keyword && slices.Contains(hard, t.Text) || soft) {
			b.where, b.words = t.Text, nil
			b.sizes = b.sizes || soft && sizes
			if t.Text == "process" || t.Text == "trace" {
				depth = 1
			}
			continue
		}
		if depth == 1 && t.Text == "end" {
			depth = 0
		}
		b.words = append(b.words, t.Text)
	}
	return b
}

// text is the section as a text.
func (b *beginning) text() string { return b.where + " " + strings.Join(b.words, " ") }

// last returns the word that is so many before the end, or "".
func (b *beginning) last(n int) string {
	if n > len(b.words) {
		return ""
	}
	return b.words[len(b.words)-n]
}

// since returns the words after the last of some words, and which one that is.
func (b *beginning) since(marks ...string) (string, []string) {
	for i := len(b.words) - 1; i >= 0; i-- {
		if slices.Contains(marks, b.words[i]) {
			return b.words[i], b.words[i+1:]
		}
	}
	return "", b.words
}

// open lists the words before the parentheses that are open in the statement, the innermost first.
func (b *beginning) open() []string {
	_, statement := b.since(";")
	return index.Open(statement)
}

// indexed is the word before the brackets that end before a dot.
func (b *beginning) indexed() string {
	depth := 0
	for i := len(b.words) - 2; i >= 0; i-- {
		switch b.words[i] {
		case "]":
			depth++
		case "[":
			if depth--; depth == 0 && i > 0 {
				return b.words[i-1]
			}
		}
	}
	return ""
}

// inside returns the word before the innermost parenthesis that is open, or "".
func (b *beginning) inside() string { return append(b.open(), "")[0] }

// ranging reports whether a type comes: after name ":" and what ranges are made of.
func (b *beginning) ranging() bool {
	for i := len(b.words) - 1; i >= 2; i-- {
		switch w := b.words[i]; {
		case w == ":":
			return ftdp.IsName(b.words[i-1]) && (b.words[i-2] == "(" || b.words[i-2] == "for")
		case w == "..", w == "+", w == "-", ftdp.IsName(w), '0' <= w[0] && w[0] <= '9':
		default:
			return false
		}
	}
	return false
}

// context finds which kinds of names can follow a text, and which words that are names elsewhere.
func context(text string) index.Wanted {
	b := begin(text)
	w := b.fixed()
	if b.sizes {
		w = b.forSizes()
	}
	if last := b.last(1); w.Only {
		return w
	} else if b.where == "" || last == ";" || last == "end" || last == "." {
		w.Words = slices.Concat(w.Words, sectionWords, fixedWords)
	}
	return w
}

var types = []index.Kind{index.Type, index.Message, index.Role, index.Constant}

var inExpressions = []index.Kind{index.Constant, index.Definition, index.States, index.Variable, index.Bound,
	index.Value}

// fixed is context in a protocol of fixed size.
func (b *beginning) fixed() index.Wanted {
	expression := index.Wanted{Kinds: inExpressions, Words: slices.Concat(statusWords, numberWords,
		ftdp.CollectionWords, []string{"msg"})}
	switch b.where {
	case "const":
		return index.Wanted{Kinds: []index.Kind{index.Constant}}
	case "channels":
		return index.Wanted{Kinds: []index.Kind{index.Constant}, Words: channelWords}
	case "recovery", "names":
		return index.Wanted{Kinds: []index.Kind{index.Role}}
	case "message":
		return index.Wanted{Kinds: types, Words: []string{"seq", "set"}}
	case "type", "var":
		return index.Wanted{Kinds: types, Words: []string{"seq", "set", "stable"}}
	case "ltl":
		expression.Words = append(expression.Words, temporalWords...)
	}
	switch {
	case b.last(1) == "." && b.last(2) == "]":
		words := []string{"status"}
		if b.indexed() == "msg" {
			words = []string{"absent"}
		}
		return index.Wanted{Kinds: []index.Kind{index.Field}, Words: words, Only: true}
	case b.last(1) == ".":
		return index.Wanted{Kinds: []index.Kind{index.Field}, Words: []string{"status", "absent"}}
	case b.inside() == "fair":
		return index.Wanted{Kinds: []index.Kind{index.Rule}}
	case b.where == "rules" && (b.last(1) == "send" || b.last(1) == "receive"):
		return index.Wanted{Kinds: []index.Kind{index.MessageKind, index.Value}}
	case b.where == "rules" && b.last(1) == "to":
		expression.Words = append(expression.Words, "all", "others", "sender")
		return expression
	case b.last(1) == "of":
		return index.Wanted{Kinds: []index.Kind{index.Role}}
	case b.ranging():
		return index.Wanted{Kinds: append([]index.Kind{index.Bound}, types...)}
	}
	if mark, rest := b.since("fair", ":"); mark == "" && len(rest) == 1 {
		expression.Words = append(expression.Words, "fair")
	}
	if b.where == "rules" {
		expression.Words = append(expression.Words, "byz", "maybe", "send", "let", "receive", "from", "to")
	}
	return expression
}

// forSizes is context in a protocol for all sizes.
func (b *beginning) forSizes() index.Wanted {
	numbers := []index.Kind{index.Parameter, index.Constant}
	local := index.Wanted{Kinds: []index.Kind{index.Variable, index.Value, index.Constant}, Words: []string{"crashed"}}
	switch b.where {
	case "const", "messages":
		return index.Wanted{Kinds: []index.Kind{index.Constant}}
	case "assume":
		return index.Wanted{Kinds: numbers}
	case "faults":
		if len(b.words) == 0 {
			return index.Wanted{Words: counter.FaultNames()}
		}
		return index.Wanted{Kinds: numbers}
	case "invariant", "ltl":
		switch b.inside() {
		case "all", "some", "count":
			return local
		case "fair":
			return index.Wanted{Kinds: []index.Kind{index.Rule}}
		}
		if b.within("all", "some", "count") {
			return local
		}
		w := index.Wanted{Kinds: numbers, Words: []string{"all", "some", "count", "fair"}}
		if b.where == "ltl" {
			w.Words = append(w.Words, "F", "G")
		}
		return w
	case "process":
		return b.process(numbers, local)
	}
	return index.Wanted{}
}

// within reports whether some parenthesis that is open stands after one of some words.
func (b *beginning) within(words ...string) bool {
	return slices.ContainsFunc(b.open(), func(word string) bool { return slices.Contains(words, word) })
}

func (b *beginning) process(numbers []index.Kind, local index.Wanted) index.Wanted {
	start := index.Wanted{Words: []string{"input", "local", "maybe"}}
	mark, _ := b.since("if", "then", ":=", "send", ";", "endif", "input", "local", "[", "elsif", "else", "]")
	switch mark {
	case "", "[":
		return index.Wanted{Kinds: numbers}
	case "input", "local": // its type, or first value
		return index.Wanted{Kinds: []index.Kind{index.Value, index.Constant}}
	case "if", "elsif":
		if b.inside() == "heard" {
			return index.Wanted{Kinds: []index.Kind{index.MessageKind}}
		}
		if b.within("heard") {
			return local
		}
		return index.Wanted{Kinds: append(slices.Clone(local.Kinds), numbers...),
			Words: []string{"heard", "arrived", "crashed", "crashes"}}
	case ":=":
		return local
	case "send":
		if b.last(1) == "send" {
			return index.Wanted{Kinds: []index.Kind{index.MessageKind}}
		}
		return local
	}
	if slices.Contains(b.words, "if") {
		if n := count(b.words, "if") - count(b.words, "endif"); n > 0 {
			return index.Wanted{Kinds: []index.Kind{index.Variable}, Words: []string{"send"}}
		}
	}
	return start
}

func count(words []string, word string) (n int) {
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}
