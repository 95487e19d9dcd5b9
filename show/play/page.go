package play

import (
	"encoding/json"
	"net/http"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/report"
)

// asset answers with a part of the page.
func (s *server) asset(name, kind string) http.HandlerFunc {
	var text []byte
	style, script := report.Assets()
	switch name {
	case "report.css":
		text = style
	case "report.js":
		text = script
	default:
		var err error
		if text, err = files.ReadFile("page/" + name); err != nil {
			panic(err) // it is part of the program
		}
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text) // the page has gone away if this fails
	}
}

// examples answers with all that can be opened, and what the page begins with.
func (s *server) examples(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, struct {
		Release  string    `json:"release"`
		Start    Example   `json:"start"`
		Endings  []string  `json:"endings"`
		Examples []Example `json:"examples"`
	}{s.Release, s.Start, model.Endings(), s.Examples})
}

// maxBody bounds what a page may send: a text of the size that is read anyway, and a little more.
const maxBody = 5 << 20

// question is what a page asks.
type question struct {
	File string `json:"file"`
	Text string `json:"text"`
	// Set has values of parameters or constants; nil asks for all sizes where there are such.
	Set map[string]int64 `json:"set"`
	// First names specifications whose verdicts are waited for.
	First []string `json:"first"`
	// Form is that of a resilience condition, with unknowns from 0 to Most.
	Form string `json:"form"`
	Most int64  `json:"most"`
	// Run is the file of a run to begin with.
	Run json.RawMessage `json:"run"`
}

// read reads a question; false if there is none, which has been answered.
func read(w http.ResponseWriter, r *http.Request) (q question, ok bool) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := record.Alone(d, &q); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return q, false
	}
	return q, true
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the page has gone away if this fails
}
