package threshold

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// mostNamed bounds the variables that are named where there are too many local states.
const mostNamed = 4

// refuseTooMany refuses a text with too many local states, and says which variables have most values in them.
func (t *Translation) refuseTooMany() {
	count := make([]int, len(t.Source.Types))
	for i := range t.Locations {
		count[t.Locations[i].Type]++
	}
	typ := slices.Index(count, slices.Max(count))
	different := func(of func(l *Location) any) int {
		seen := map[any]bool{}
		for _, i := range t.places(func(l *Location) bool { return l.Type == typ }) {
			seen[of(&t.Locations[i])] = true
		}
		return len(seen)
	}
	type variable struct {
		name   string
		values int
	}
	var list []variable
	for k, v := range t.Source.Types[typ].Vars {
		if v.Pos != t.placeOf(typ) { // it is one of the text
			list = append(list, variable{v.Name, different(func(l *Location) any { return l.Values[k] })})
		}
	}
	slices.SortStableFunc(list, func(a, b variable) int { return cmp.Compare(b.values, a.values) })
	var most []string
	for _, v := range list[:min(len(list), mostNamed)] {
		if v.values > 1 {
			most = append(most, fmt.Sprintf("%s %d", v.name, v.values))
		}
	}
	text := fmt.Sprintf("a process of %s has more than %d local states, or %d steps between them",
		t.Source.Types[typ].Name, maxLocations, maxMoves)
	if most != nil {
		text += ": the variables with most values have " + strings.Join(most, ", ")
	}
	if sent := different(func(l *Location) any { return l.Sent }); sent > 1 {
		text += fmt.Sprintf("; it may have sent %d sets of messages", sent)
	}
	t.refused.Add(t.placeOf(typ), len(t.Source.Types[typ].Name), "%s", text)
}

// placeOf is where a type of processes is declared; the beginning of the text if it is not known.
func (t *Translation) placeOf(typ int) diag.Pos {
	for _, sec := range t.Source.File.Sections {
		if sec.Process != nil && sec.Process.Name.Name == t.Source.Types[typ].Name {
			return sec.Process.Name.Place()
		}
	}
	return diag.Pos{File: t.Source.File.Pos.Filename, Line: 1, Col: 1}
}

// kindEach says what else can be done where a process sends a kind of messages twice: with different values, perhaps.
func kindEach(k *parametric.MessageKind) string {
	if k.Lo == k.Hi {
		return ""
	}
	if strings.HasSuffix(k.Name, "1") {
		return ", in one variable for all values, or take a kind for each value"
	}
	return fmt.Sprintf(", in one variable for all values, or take a kind for each value: %s%d, %[1]s%[3]d ...", k.Name,
		k.Lo, k.Lo+1)
}
