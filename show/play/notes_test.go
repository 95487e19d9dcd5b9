package play_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/show/play"
)

// TestNotes: that a specification holds for no good reason is told after all verdicts, also when it is asked again.
func TestNotes(t *testing.T) {
	text, _ := benchmarks.Read("sources/rb.ftdp")
	text += "\nltl hollow fair: (some(knows) and all(not knows)) -> F all(accepted);\n"
	h := play.Handler(context.Background(), options(), token)
	for range 2 {
		body, err := json.Marshal(map[string]any{"file": "rb.ftdp", "text": text, "first": []string{"hollow"}})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "http://127.0.0.1:1/"+token+"/check", strings.NewReader(string(body))))
		var kinds []string
		for line := range strings.Lines(w.Body.String()) {
			var e struct {
				Kind, Spec, Verdict string
				Notes               []string
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, e.Kind)
			switch {
			case e.Kind == "verdict" && (e.Verdict != "holds" || e.Notes != nil):
				t.Errorf("%+v", e)
			case e.Kind == "notes" && (e.Spec != "hollow" || len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "holds for no good reason")):
				t.Errorf("%+v", e)
			}
		}
		if got, want := strings.Join(kinds, " "), "model verdict verdict verdict verdict notes end"; got != want {
			t.Errorf("events: %s, want %s", got, want)
		}
	}
}
