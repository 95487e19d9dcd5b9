package expr

import (
	"errors"
	"strings"
	"testing"
)

// words are tokens: the words of a text.
type words struct{ list []string }

func (w *words) Peek() string {
	if len(w.list) == 0 {
		return ""
	}
	return w.list[0]
}

func (w *words) Next() string {
	word := w.Peek()
	w.list = w.list[min(1, len(w.list)):]
	return word
}

// read shows how a text is read, all nodes in brackets.
func read(text string, limit int) (string, error) {
	w := &words{strings.Fields(text)}
	p := &Parser[string, string]{
		Tokens: w,
		Infix: map[string]Infix{"->": {1, Right}, "or": {2, Flat}, "and": {3, Flat}, "<": {5, Flat}, "=": {5, Flat}, "<>": {6, Left},
			"+": {7, Left}, "-": {7, Left}, "*": {9, Left}},
		Limit:   limit,
		TooDeep: func(t string) error { return errors.New("deep at " + t) },
		Again: func(before, op string) error {
			if op == "<>" {
				return errors.New("twice")
			}
			return nil
		},
		Join: func(first string, ops, args []string) (string, error) {
			out := "["
			if len(args) == 1 {
				out += ops[0]
				ops = nil
			}
			out += args[0]
			for i, op := range ops {
				out += op + args[i+1]
			}
			return out + "]", nil
		},
	}
	same := func(t string) string { return t }
	p.InfixAt, p.PrefixAt = same, same
	p.Prefix = map[string]Prefix[string]{"not": {Level: 4}, "-": {Level: 8}, "~": {Level: 5, Anywhere: true},
		"all": {Level: 4, Read: func() (string, error) { body, err := p.Read(0); return "[all" + body + "]", err }}}
	p.Operand = func() (string, error) {
		switch t := w.Next(); t {
		case "(":
			e, err := p.Read(0)
			if err == nil && w.Next() != ")" {
				err = errors.New("want )")
			}
			return e, err
		case "", ")", "->", "or", "and", "<", "=", "+", "-", "*", "not", "all":
			return "", errors.New("unexpected " + t)
		default:
			return t, nil
		}
	}
	e, err := p.Read(0)
	if err == nil && w.Peek() != "" {
		err = errors.New("rest " + w.Peek())
	}
	return e, err
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"a - b - c":          "[[a-b]-c]",
		"a -> b -> c":        "[a->[b->c]]",
		"a or b or c and d":  "[aorbor[candd]]",
		"a < b = c + d * e":  "[a<b=[c+[d*e]]]",
		"not not a < b or c": "[[not[not[a<b]]]orc]",
		"- a * b":            "[-[a*b]]",
		"a * - b":            "error: unexpected -",
		"a and all b or c":   "[aand[all[borc]]]",
		"a < not b":          "error: unexpected not",
		"a * ~ b":            "[a*[~b]]",
		"~ a = b":            "[~[a=b]]",
		"a <> b <> c":        "error: twice",
		"( a - b ) * c":      "[[a-b]*c]",
		"( a":                "error: want )",
		"a b":                "error: rest b",
	} {
		got, err := read(text, 20)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestLimit holds that nesting is bounded whatever nests, and that rows of operators are no nesting.
func TestLimit(t *testing.T) {
	for _, c := range []struct{ again, end string }{{"( ", "a"}, {"not ", "a"}, {"all ", "a"}, {"a -> ", "a"}, {"a + ( ", "a"}} {
		if _, err := read(strings.Repeat(c.again, 1000000)+c.end, 200); err == nil || !strings.HasPrefix(err.Error(), "deep") {
			t.Errorf("%q a million times: %v", c.again, err)
		}
	}
	for _, op := range []string{" + ", " and ", " < "} {
		if _, err := read(strings.Repeat("a"+op, 1000)+"a", 20); err != nil {
			t.Errorf("a row of %s: %v", op, err)
		}
	}
}
