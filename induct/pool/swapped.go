package pool

import (
	"regexp"
	"slices"
	"strings"
)

// Clauses made on demand about two processes of one role that say the same with the names of these exchanged: only one
// of them is a lemma to try.

// exchange notes which conditions are others with two names exchanged.
func (c *template) exchange(one, other string) {
	names := regexp.MustCompile(`\b(` + regexp.QuoteMeta(one) + `|` + regexp.QuoteMeta(other) + `)\b`)
	place := map[string]int{}
	for l := range 2 * len(c.atoms) {
		if l%2 == 0 || !c.atoms[l/2].positive() {
			place[inOrder(c.literal(l))] = l
		}
	}
	c.swapped = map[int]int{}
	for _, l := range place {
		text := names.ReplaceAllStringFunc(c.literal(l), func(s string) string {
			if s == one {
				return other
			}
			return one
		})
		if k, ok := place[inOrder(text)]; ok {
			c.swapped[l] = k
		}
	}
}

var comparison = regexp.MustCompile(`^([^ ]+) (=|!=|<|<=|>|>=) ([^ ]+)$`)

// inOrder writes a comparison with its sides in the order of the alphabet, or with the greater one last.
func inOrder(text string) string {
	p := comparison.FindStringSubmatch(text)
	if p == nil {
		return text
	}
	switch op := p[2]; {
	case strings.HasPrefix(op, ">"):
		return p[3] + " " + strings.Replace(op, ">", "<", 1) + " " + p[1]
	case !strings.HasPrefix(op, "<") && p[3] < p[1]:
		return p[3] + " " + op + " " + p[1]
	}
	return text
}

// first reports whether a clause is that one of two which say the same that is to be tried.
func (c *template) first(lits []int) bool {
	other := make([]int, len(lits))
	for k, l := range lits {
		with, ok := c.swapped[l]
		if !ok {
			return true
		}
		other[k] = with
	}
	own := slices.Clone(lits)
	slices.Sort(own)
	slices.Sort(other)
	return slices.Compare(own, other) <= 0
}
