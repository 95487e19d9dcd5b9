package picture

import (
	"fmt"
	"strings"

	"github.com/emicklei/dot"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ta"
)

// phase is locations that belong together.
type phase struct {
	name    string
	members []int
}

// phases groups the locations that are shown, by their names: what stands before the first underscore is the round, or
// the place in the program, that a location belongs to (sent_0_1, sent_1_0; r2_wait, r2_done). There are none where
// names do not say so: if a location stands alone with its group, or groups are hardly fewer than locations.
func phases(a *ta.Automaton, hidden func(int) bool) []phase {
	var list, several []phase
	at := map[string]int{}
	shown, alone := 0, 0
	for i, l := range a.Locations {
		if hidden(i) {
			continue
		}
		shown++
		name, _, _ := strings.Cut(l.Name, "_")
		k, known := at[name]
		if !known {
			k = len(list)
			at[name] = k
			list = append(list, phase{name: name})
		}
		list[k].members = append(list[k].members, i)
	}
	for _, group := range list {
		if len(group.members) > 1 {
			several = append(several, group)
		} else {
			alone++
		}
	}
	if len(several) < 2 || 2*(len(several)+alone) > shown {
		return nil
	}
	return several
}

// drawPhases draws a box a phase, with arrows that count the rules between
// them: what can be seen of automata with thousands of arrows.
func drawPhases(a *ta.Automaton, groups []phase, list []*pair) string {
	g := newPicture(a)
	box := make([]int, len(a.Locations))
	for l := range box {
		box[l] = -1
	}
	for k, group := range groups {
		for _, l := range group.members {
			box[l] = k
		}
	}
	for l := range box { // those that stand alone
		if box[l] < 0 {
			box[l] = len(groups)
			groups = append(groups, phase{a.Locations[l].Name, []int{l}})
		}
	}
	counts := map[[2]int]int{}
	var order [][2]int
	drawn := map[int]bool{}
	for _, p := range list {
		key := [2]int{box[p.from], box[p.to]}
		drawn[key[0]], drawn[key[1]] = true, true
		if counts[key] == 0 {
			order = append(order, key)
		}
		counts[key] += len(p.rules)
	}
	nodes := make([]dot.Node, len(groups))
	for k, group := range groups {
		if !drawn[k] {
			continue
		}
		text := group.name
		if len(group.members) > 1 {
			text += fmt.Sprintf("\n%d locations", len(group.members))
		}
		nodes[k] = g.Node(group.name).Label(text).Attr("class", "phase")
	}
	for _, key := range order {
		g.Edge(nodes[key[0]], nodes[key[1]]).Attr("label", spell.Count(counts[key], "rule", "rules"))
	}
	g.Attr("label", fmt.Sprintf("%d locations, %d rules: too many to be shown one by one", len(a.Locations),
		len(a.Rules)))
	g.Attr("labelloc", "b")
	g.Attr("fontsize", "11")
	return g.String()
}
