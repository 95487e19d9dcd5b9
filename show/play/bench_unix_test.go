//go:build unix

package play_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/show/play"
	"github.com/tacheck/tacheck/testkit/need"
)

// answers notes when the first and the last verdict came, and the end, in time of processors, and the last one by the clock.
type answers struct {
	*httptest.ResponseRecorder
	b                *testing.B
	begin            time.Duration
	started          time.Time
	first, last, end time.Duration
	clock            time.Duration
}

func (a *answers) Write(text []byte) (int, error) {
	switch at := need.CPU() - a.begin; {
	case bytes.Contains(text, []byte(`"kind":"verdict"`)):
		if a.first == 0 {
			a.first = at
		}
		a.last, a.clock = at, time.Since(a.started)
	case bytes.Contains(text, []byte(`"kind":"end"`)):
		a.end = at
	}
	return a.ResponseRecorder.Write(text)
}

// anew is a text with a comment, so that it has not been asked before.
func anew(name, text string, i int) string {
	if strings.HasSuffix(name, ".ta") {
		return fmt.Sprintf("/* %d */ %s", i, text)
	}
	return fmt.Sprintf("// %d\n%s", i, text)
}

// BenchmarkThreshold changes a number in a model of the suite, as a slider does, and waits for all verdicts and runs. Times
// are of processors, of all together, which other programs change little: until the first verdict, the last one, and the end.
// By the clock is what the page sees, from the change to the last verdict: the shortest time of all changes, since other programs
// make it longer. `make page` prints a table.
func BenchmarkThreshold(b *testing.B) {
	names := slices.DeleteFunc(benchmarks.Names(), func(name string) bool { return strings.Contains(name, "/") })
	for _, name := range append(names, benchmarks.Sources()...) {
		text, _ := benchmarks.Read(name)
		b.Run(name, func(b *testing.B) {
			h := play.Handler(context.Background(), options(), token)
			var first, last, end time.Duration
			clock := time.Hour
			for i := range b.N {
				changed := anew(name, strings.Replace(text, "3 * t", []string{"2 * t", "3 * t"}[i%2], 1), i)
				body, err := json.Marshal(map[string]string{"file": name, "text": changed})
				if err != nil {
					b.Fatal(err)
				}
				w := &answers{ResponseRecorder: httptest.NewRecorder(), b: b, begin: need.CPU(), started: time.Now()}
				r := httptest.NewRequest("POST", "http://127.0.0.1:1/"+token+"/check", strings.NewReader(string(body)))
				h.ServeHTTP(w, r)
				if w.end == 0 {
					b.Fatal(w.Body.String())
				}
				first, last, end, clock = first+w.first, last+w.last, end+w.end, min(clock, w.clock)
			}
			for unit, spent := range map[string]time.Duration{"first-ms": first, "last-ms": last, "end-ms": end} {
				b.ReportMetric(float64(spent.Milliseconds())/float64(b.N), unit)
			}
			b.ReportMetric(float64(clock.Milliseconds()), "clock-ms")
		})
	}
}
