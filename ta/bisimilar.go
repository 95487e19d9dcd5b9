package ta

import "github.com/tacheck/tacheck/internal/partition"

// Bisimilar returns the class of each location, and how many there are (partition.Bisimilar): locations of a class have
// the same label, and out of each of them lead rules that do the same to the same classes. Rules that do nothing do not
// count where they stay in a class.
func (a *Automaton) Bisimilar(label func(l int) string, does func(r *Rule) (what string, nothing bool)) (class []int,
	classes int) {
	labels, edges := make([]string, len(a.Locations)), make([]partition.Edge, len(a.Rules))
	for l := range labels {
		labels[l] = label(l)
	}
	for i := range edges {
		what, nothing := does(&a.Rules[i])
		edges[i] = partition.Edge{From: a.Rules[i].From, To: a.Rules[i].To, Does: what, Nothing: nothing}
	}
	return partition.Bisimilar(labels, edges)
}
