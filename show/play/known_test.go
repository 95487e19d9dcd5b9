package play

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"testing"
)

// TestKnown: answers are kept, but none that is not final, none that is too large, and not more than there is room for.
func TestKnown(t *testing.T) {
	var k known
	told := func(q question) string {
		w := httptest.NewRecorder()
		if !k.tell(q, newEvents(w)) {
			return ""
		}
		return w.Body.String()
	}
	answer := func(verdict string, size int) *answered {
		a := &answered{}
		a.add(verdictEvent{Verdict: verdict}, bytes.Repeat([]byte("x"), size))
		return a
	}
	k.keep(question{Text: "a"}, answer("holds", 2))
	k.keep(question{Text: "b"}, answer("unknown", 2))
	k.keep(question{Text: "c"}, answer("holds", mostKnown))
	for text, want := range map[string]string{"a": "xx\n", "b": "", "c": "", "d": ""} {
		if got := told(question{Text: text}); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if told(question{Text: "a", Set: map[string]int64{"n": 4}}) != "" {
		t.Error("an instance is another question")
	}
	for i := range 9 {
		k.keep(question{Text: fmt.Sprint(i)}, answer("violated", mostKnown/8))
	}
	if told(question{Text: "a"}) != "" || told(question{Text: "0"}) != "" || told(question{Text: "8"}) == "" || k.size > mostKnown {
		t.Errorf("%d bytes are kept, in %d answers", k.size, len(k.by))
	}
}
