package promela

// A reader goes through the words of a text.
type reader struct {
	words    []Token
	i        int
	proctype string // the name of the one kind of processes
	mentions []Token
	chain    bool // p -> q -> r has been read
	places   int  // statements so far
}

// keywords cannot be names.
var keywords = map[string]bool{
	"symbolic": true, "assume": true, "atomic": true, "active": true, "proctype": true, "ltl": true, "int": true, "byte": true, "bit": true, "bool": true,
	"short": true, "pid": true, "unsigned": true, "hidden": true, "show": true, "local": true, "if": true, "fi": true, "do": true, "od": true, "else": true, "skip": true, "goto": true, "break": true, "printf": true, "assert": true,
	"havoc": true, "d_step": true, "run": true, "chan": true, "init": true, "never": true, "typedef": true, "unless": true, "mtype": true,
	"inline": true, "for": true, "select": true,
}

// word is the next word, empty at the end.
func (r *reader) word() string {
	if r.i >= len(r.words) {
		return ""
	}
	return r.words[r.i].Text
}

func (r *reader) at(text string) bool { return r.word() == text }

// peek is the word after the next n words.
func (r *reader) peek(n int) string {
	if r.i+n >= len(r.words) {
		return ""
	}
	return r.words[r.i+n].Text
}

func (r *reader) line() int {
	if r.i < len(r.words) {
		return r.words[r.i].Line
	}
	if len(r.words) == 0 {
		return 1
	}
	return r.words[len(r.words)-1].Line
}

func (r *reader) next() Token {
	w := Token{r.word(), r.line()}
	r.i++
	return w
}

func (r *reader) expect(text string) error {
	if w := r.next(); w.Text != text {
		return fail(w.Line, "%q where %q should be", w.Text, text)
	}
	return nil
}

// name reads a name that is not a keyword.
func (r *reader) name() (Token, error) {
	w := r.next()
	if w.Text == "" || !letter(w.Text[0]) || keywords[w.Text] {
		return w, fail(w.Line, "%q where a name should be", w.Text)
	}
	return w, nil
}

// process remembers that a proctype was named, which may come later in the text.
func (r *reader) process(name Token) error {
	r.mentions = append(r.mentions, name)
	return nil
}
