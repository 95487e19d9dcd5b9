package threshold

import (
	"strconv"
	"strings"

	"tacheck/internal/diag"
	"tacheck/protocol/parametric"
)

// Place returns the place in the protocol's text that a line of the automaton
// comes from, and its width: a property, an assumption, a rule of the process; or
// the process.
func (t *Translation) Place(line, _ int) (diag.Pos, int) {
	lines := strings.Split(t.Text, "\n")
	line = min(max(line, 1), len(lines))
	section, first := "", 0
	for up := line; up >= 1 && section == ""; up-- {
		if name, found := strings.CutSuffix(strings.TrimSpace(lines[up-1]), " {"); found && strings.HasPrefix(lines[up-1], "  ") {
			section, first = name, up
		}
	}
	s := t.Source
	switch section {
	case "specifications":
		for up := line; up > first; up-- { // formulas have several lines
			name, _, _ := strings.Cut(strings.TrimSpace(lines[up-1]), ":")
			for _, p := range s.Props {
				if id := parametric.Named(p); id.Name == name {
					return id.Place(), len(id.Name)
				}
			}
		}
	case "assumptions":
		if len(s.Assume) > 0 {
			e := s.Assume[min(max(line-first-1, 0), len(s.Assume)-1)]
			return e.Pos, max(1, e.Width)
		}
	case "locations":
		name, _, _ := strings.Cut(strings.TrimSpace(lines[line-1]), ":")
		for _, l := range t.Locations {
			if size := s.Types[l.Type].Size; l.Name == name {
				return size.Pos, max(1, size.Width)
			}
		}
	case "rules":
		for up := line; up > first; up-- {
			name, _, _ := strings.Cut(strings.TrimSpace(lines[up-1]), ":")
			n, err := strconv.Atoi(name)
			if err != nil {
				continue
			}
			if n >= 1 && n <= len(t.Moves) && t.Moves[n-1].Rule >= 0 {
				label := s.Rules[t.Moves[n-1].Rule].Label
				return label.Place(), len(label.Name)
			}
			break
		}
	}
	return s.Types[0].Size.Pos, max(1, s.Types[0].Size.Width)
}
