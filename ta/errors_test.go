package ta

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestErrors parses the chunks of testdata/errors.ta, each a whole file. A
// line that ends in `// ### "regexp"` must be complained about; there must be
// no complaint about any other.
func TestErrors(t *testing.T) {
	text, err := os.ReadFile("testdata/errors.ta")
	if err != nil {
		t.Fatal(err)
	}
	chunks := strings.Split(string(text), "---\n")
	if len(chunks) < 45 {
		t.Errorf("only %d chunks", len(chunks))
	}
	for _, chunk := range chunks {
		title, _, _ := strings.Cut(chunk, "\n")
		t.Run(strings.TrimPrefix(title, "// "), func(t *testing.T) { checkChunk(t, chunk) })
	}
}

var expectation = regexp.MustCompile(`// ### (".*")$`)

func checkChunk(t *testing.T, chunk string) {
	want := map[int]*regexp.Regexp{}
	for i, line := range strings.Split(chunk, "\n") {
		if m := expectation.FindStringSubmatch(line); m != nil {
			pattern, err := strconv.Unquote(m[1])
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			want[i+1] = regexp.MustCompile(pattern)
		}
	}
	_, err := Parse("errors.ta", chunk)
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("Parse = %v, want problems\n%s", err, chunk)
	}
	for _, e := range list {
		switch re := want[e.Pos.Line]; {
		case re == nil:
			t.Errorf("unexpected: %v", e)
		case !re.MatchString(e.Msg):
			t.Errorf("%v, want a message that matches %q", e, re)
		}
		delete(want, e.Pos.Line)
		if e.Pos.File != "errors.ta" || e.Pos.Col < 1 {
			t.Errorf("bad position %+v", e.Pos)
		}
	}
	for line, re := range want {
		t.Errorf("line %d: no complaint, want %q", line, re)
	}
	var shown bytes.Buffer
	list.Render(&shown, chunk)
	if !strings.Contains(shown.String(), "^") {
		t.Errorf("no caret in:\n%s", shown.String())
	}
}

// TestHostileFiles parses what is hardly a model at all. That this ends soon
// is part of the test: the package's time limit would end it otherwise.
func TestHostileFiles(t *testing.T) {
	mega := need.Cases(t, 10) << 20
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "1:1: the file is empty"},
		{"blank", " \n\t\n", "1:1: the file is empty"},
		{"comment only", "/* nothing */", "unexpected end of file"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", "1:1: unexpected character"},
		{"NUL byte", "ta T {\x00}", "1:7: NUL byte"},
		{"not UTF-8", "ta T {\xff}", "1:7: byte 0xff is not valid UTF-8"},
		{"open comment", "ta T { /* locations", "1:8: comment is not closed"},
		{"nothing but braces", "{{{{", `1:2: unexpected "{"`},
		{"unclosed file", "ta T { shared x;", "unexpected end of file"},
		{"text after the end", "ta T { locations { a; } } }", `unexpected "}"`},
		{"nested parentheses", "ta T { assumptions { " + strings.Repeat("(", mega), "1:522: expression nested more than 500 levels deep"},
		{"negations", "ta T { assumptions { " + strings.Repeat("!", mega), "nested more than 500 levels deep"},
		{"negations in parentheses", "ta T { assumptions { " + strings.Repeat("!(", mega/2), "nested more than 500 levels deep"},
		{"minus signs", "ta T { parameters n; assumptions { n > " + strings.Repeat("- ", mega/2) + "1; } }", "nested more than 500 levels deep"},
		{"one long line", "ta T { " + strings.Repeat("a", mega), "longer than 1000 characters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("h.ta", test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("Parse = %.200v, want %q", err, test.want)
			}
			var list diag.List
			var shown bytes.Buffer
			if !errors.As(err, &list) {
				t.Fatalf("%T is not a diag.List", err)
			}
			list.Render(&shown, test.text)
			if shown.Len() > 2000 {
				t.Errorf("%d bytes are shown", shown.Len())
			}
		})
	}
}
