package ta

import (
	"fmt"
	"slices"
	"strings"
)

// Bisimilar returns the class of each location, numbered from 0 in the order of their first locations, and how many
// classes there are: locations of a class have the same label, and out of each of them lead rules that do the same to
// the same classes. Rules that do nothing do not count where they stay in a class. (Partition refinement, Paige
// and Tarjan 1987 in its simplest form; at most as many rounds as there are locations, each linear in the rules up to a
// logarithm.)
func (a *Automaton) Bisimilar(label func(l int) string, does func(r *Rule) (what string, nothing bool)) (class []int,
	classes int) {
	n := len(a.Locations)
	keys := make([]string, n)
	for l := range keys {
		keys[l] = label(l)
	}
	what, nothing := make([]string, len(a.Rules)), make([]bool, len(a.Rules))
	for i := range a.Rules {
		what[i], nothing[i] = does(&a.Rules[i])
	}
	class = make([]int, n)
	for {
		number := map[string]int{}
		for l, key := range keys {
			if _, known := number[key]; !known {
				number[key] = len(number)
			}
			class[l] = number[key]
		}
		if len(number) == classes {
			return class, classes
		}
		classes = len(number)
		out := make([][]string, n)
		for i := range a.Rules {
			r := &a.Rules[i]
			if class[r.From] != class[r.To] || !nothing[i] {
				out[r.From] = append(out[r.From], fmt.Sprint(class[r.To], " ", what[i]))
			}
		}
		for l := range keys {
			slices.Sort(out[l])
			keys[l] = fmt.Sprint(class[l], " ", strings.Join(slices.Compact(out[l]), "; "))
		}
	}
}
