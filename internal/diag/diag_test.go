package diag

import (
	"errors"
	"strings"
	"testing"
)

// TestRender shows what stands under what: carets under characters and not bytes, tabs as tabs, notes
// after the problem that they belong to, nothing for places that are not in the text.
func TestRender(t *testing.T) {
	const text = "ta x {\n\té: locé -> locS;\r\n}\n"
	var l List
	l.Add(Pos{"x.ta", 2, 5}, 4, "unknown location %q", "locé").Notes = []Note{{Pos{"x.ta", 1, 4}, "in this automaton"}}
	l.Warn(Pos{"x.ta", 2, 13}, 99, "too long for the line")
	l.Hint(Pos{File: "x.ta"}, 1, "no place")
	l.Add(Pos{"x.ta", 9, 1}, 1, "no line")
	const want = `x.ta:2:5: unknown location "locé"
   2 | 	é: locé -> locS;
     | 	   ^^^^
x.ta:1:4: in this automaton
   1 | ta x {
     |    ^
x.ta:2:13: warning: too long for the line
   2 | 	é: locé -> locS;
     | 	           ^^^^^
x.ta: note: no place
x.ta:9:1: no line
`
	var b strings.Builder
	if l.Render(&b, text); b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// TestLongLines: a long line is cut to the part around the place, and the caret stays under its character.
func TestLongLines(t *testing.T) {
	line := strings.Repeat("é ", 300) + "HERE" + strings.Repeat(" é", 300)
	for _, col := range []int{1, 76, 77, 601} {
		var b strings.Builder
		List{{Pos: Pos{"x", 1, col}, Width: 1, Msg: "m"}}.Render(&b, line)
		lines := strings.Split(b.String(), "\n")
		shown, caret := []rune(lines[1]), []rune(lines[2])
		at := len(caret) - 1
		if caret[at] != '^' || len(shown) > maxExcerpt+20 || shown[at] != []rune(line)[col-1] {
			t.Errorf("column %d:\n%s", col, b.String())
		}
	}
}

// TestControl: what a terminal would obey is not printed.
func TestControl(t *testing.T) {
	var b strings.Builder
	List{{Pos: Pos{"x", 1, 1}, Width: 1, Msg: "m"}}.Render(&b, "a\x1b[2Jb\u202ec\x7f")
	if strings.ContainsAny(b.String(), "\x1b\u202e\x7f") {
		t.Errorf("%q", b.String())
	}
}

// TestList: an empty list is no error; others are in the order of the text, and only the first twenty are shown.
func TestList(t *testing.T) {
	var l List
	if l.Err() != nil {
		t.Error("an empty list is an error")
	}
	for k := range 25 {
		l.Add(Pos{"x", 25 - k, 1}, 1, "number %d", 25-k)
	}
	var sorted List
	if !errors.As(l.Err(), &sorted) || sorted[0].Pos.Line != 1 || sorted[24].Pos.Line != 25 {
		t.Errorf("%v", l.Err())
	}
	l = append(l, l[3])
	if again := l.Sorted(); len(again) != 25 || l[25] == nil || l[0].Pos.Line != 25 {
		t.Errorf("%d of %v", len(again), l)
	}
	var b strings.Builder
	if sorted.Render(&b, ""); strings.Count(b.String(), "number") != 20 || !strings.HasSuffix(b.String(), "... and 5 more\n") {
		t.Errorf("%s", b.String())
	}
}
