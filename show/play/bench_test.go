package play_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tacheck/benchmarks"
	"tacheck/show/play"
)

// BenchmarkThreshold changes a number in a model of the suite, as a slider does, and waits for all verdicts and runs.
func BenchmarkThreshold(b *testing.B) {
	names := slices.DeleteFunc(benchmarks.Names(), func(name string) bool { return strings.Contains(name, "/") })
	for _, name := range append(names, benchmarks.Sources()...) {
		text, _ := benchmarks.Read(name)
		b.Run(name, func(b *testing.B) {
			h := play.Handler(context.Background(), options(), token)
			for i := range b.N {
				changed := strings.Replace(text, "3 * t", []string{"2 * t", "3 * t"}[i%2], 1)
				body, err := json.Marshal(map[string]string{"file": name, "text": changed})
				if err != nil {
					b.Fatal(err)
				}
				w := httptest.NewRecorder()
				r := httptest.NewRequest("POST", "http://127.0.0.1:1/"+token+"/check", strings.NewReader(string(body)))
				h.ServeHTTP(w, r)
				if !strings.Contains(w.Body.String(), `"kind":"end"`) {
					b.Fatal(w.Body.String())
				}
			}
		})
	}
}
