package terminal

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/show/picture"
	"github.com/tacheck/tacheck/synth"
)

// ResilienceText tells what was found.
func ResilienceText(file string, r *synth.Resilience) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", file, r.Sentence())
	if len(r.Condition.Replaced) > 0 {
		fmt.Fprintf(&b, "  in place of %s\n", strings.Join(r.Condition.Replaced, "; "))
	}
	show := func(title string, list []synth.Minimal) {
		if len(list) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n  %s\n", title)
		var rows [][]string
		for _, m := range list {
			rows = append(rows, []string{"    " + r.Condition.With(m.Values), ""})
			for _, w := range m.Weaker {
				rows = append(rows, []string{"      not " + r.Condition.With(w.Values), w.By.Said()})
			}
		}
		fmt.Fprintln(&b, Columns(rows))
	}
	for _, region := range r.Regions {
		show(region.Spec, region.Minimal)
	}
	if len(r.Regions) > 1 {
		show("together", r.Together)
	}
	fmt.Fprintf(&b, "\n  %s, %s, %.2f s\n", spell.Count(r.Verified, "verification", "verifications"),
		spell.Count(len(r.Refutations), "counterexample", "counterexamples"), r.Time.Seconds())
	return b.String()
}

type minimalJSON struct {
	Condition string           `json:"condition"`
	Values    map[string]int64 `json:"values"`
	Weaker    []weakerJSON     `json:"weaker"`
}

type weakerJSON struct {
	Condition string            `json:"condition"`
	Violates  string            `json:"violates"`
	With      map[string]string `json:"with"`
}

// ResilienceJSON is the object printed for a search for resilience conditions by --json.
func ResilienceJSON(file string, r *synth.Resilience) any {
	list := func(minimal []synth.Minimal) []minimalJSON {
		out := []minimalJSON{}
		for _, m := range minimal {
			x := minimalJSON{Condition: r.Condition.With(m.Values), Values: map[string]int64{}, Weaker: []weakerJSON{}}
			for i, u := range r.Condition.Unknowns {
				x.Values[u.Name] = m.Values[i]
			}
			for _, w := range m.Weaker {
				params := map[string]string{}
				for _, p := range w.By.Parameters() {
					params[p.Name] = p.Value
				}
				x.Weaker = append(x.Weaker, weakerJSON{r.Condition.With(w.Values), w.By.Spec, params})
			}
			out = append(out, x)
		}
		return out
	}
	type region struct {
		Spec    string        `json:"spec"`
		Reason  string        `json:"reason,omitempty"`
		Minimal []minimalJSON `json:"minimal"`
	}
	regions := lists.Map(r.Regions, func(x synth.Region) region { return region{x.Spec, x.Reason, list(x.Minimal)} })
	return struct {
		File     string        `json:"file"`
		Sentence string        `json:"sentence"`
		Replaced []string      `json:"replaced"`
		Specs    []region      `json:"specs"`
		Together []minimalJSON `json:"together"`
		Complete bool          `json:"complete"`
		Verified int           `json:"verified"`
		Seconds  float64       `json:"seconds"`
	}{file, r.Sentence(), r.Condition.Replaced, regions, list(r.Together), r.Complete, r.Verified, r.Time.Seconds()}
}

// DrawRegion draws where all specifications hold.
func DrawRegion(r *synth.Resilience, most int64) string {
	u := r.Condition.Unknowns
	title := r.Condition.Expr.String()
	for _, other := range u[2:] {
		title += ", " + other.Name + " = 0"
	}
	return picture.Region(picture.Plane{
		Title: title, X: u[0].Name, Y: u[1].Name, Max: int(most),
		Cell: func(x, y int) (picture.CellKind, string) {
			v := make(synth.Values, len(u))
			v[0], v[1] = int64(x), int64(y)
			text := r.Condition.With(v)
			switch weakest, holds, by := r.At(v); {
			case weakest:
				return picture.Weakest, text
			case holds:
				return picture.Inside, text
			case by != nil:
				text += ": " + by.Said()
			}
			return picture.Outside, text
		},
	})
}
