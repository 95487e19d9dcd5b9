package terminal

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tacheck/tacheck/explore"
)

// mostTold is how many variables and rules of a profile are told to people.
const mostTold = 12

// ProfileJSON is what --profile prints with --json.
type ProfileJSON struct {
	File       string           `json:"file"`
	Parameters map[string]any   `json:"parameters"`
	States     int64            `json:"states"`
	Reason     string           `json:"reason,omitempty"`
	Variables  []explore.Varied `json:"variables"`
	Rules      []explore.Caused `json:"rules"`
}

// Profile tells what matters most.
func (s Screen) Profile(b *strings.Builder, p *explore.Profile) {
	numbers := []table.ColumnConfig{{Number: 2, Align: text.AlignRight}, {Number: 3, Align: text.AlignRight}}
	t := plainTable()
	t.SetColumnConfigs(numbers)
	t.AppendRow(table.Row{"variable", "values", "states without it"})
	for i, v := range p.Variables {
		if i == mostTold || v.Values < 2 {
			break
		}
		t.AppendRow(table.Row{v.Name, v.Values, fmt.Sprintf("%d (1/%.1f)", v.Without,
			float64(p.States)/float64(max(1, v.Without)))})
	}
	s.render(b, t)
	t = plainTable()
	t.SetColumnConfigs(numbers)
	t.AppendRow(table.Row{"rule", "finds states", "steps"})
	found := int64(0)
	for _, r := range p.Rules {
		found += r.States
	}
	for i, r := range p.Rules {
		if i == mostTold {
			break
		}
		share := 100 * float64(r.States) / float64(max(1, found))
		t.AppendRow(table.Row{r.Name, fmt.Sprintf("%d (%.0f %%)", r.States, share), r.Steps})
	}
	fmt.Fprintln(b)
	s.render(b, t)
}
