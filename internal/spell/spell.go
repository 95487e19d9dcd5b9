// Package spell finds the name that a misspelt one probably meant, chooses by names, and writes how many
// there are of something.
package spell

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/tacheck/tacheck/internal/lists"
)

// Nearest returns the candidate closest to name, or "" if none is close: at most two in five of the name's letters may
// differ, letter case aside, where two that have changed places are one. Else one of them begins with the other, of
// four letters or more. Ties go to the candidate first in the alphabet.
func Nearest(name string, candidates []string) string {
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted)
	best, bestDist := "", len(name)*2/5+1
	low := strings.ToLower(name)
	for _, c := range sorted {
		d := levenshtein.ComputeDistance(low, strings.ToLower(c))
		for i := 1; i < len(low); i++ {
			if low[:i-1]+low[i:i+1]+low[i-1:i]+low[i+1:] == strings.ToLower(c) {
				d = 1
			}
		}
		if d < bestDist && c != name {
			best, bestDist = c, d
		}
	}
	for _, c := range sorted {
		short, long := strings.ToLower(c), strings.ToLower(name)
		if len(short) > len(long) {
			short, long = long, short
		}
		if best == "" && len(short) >= 4 && short != long && strings.HasPrefix(long, short) {
			best = c
		}
	}
	return best
}

// List joins what stands in a list: 1, 2 and 3.
func List(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// Abridged is a text of so many letters at most: of a longer one, the middle is left out.
func Abridged(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most*2/3]) + "…" + string(r[len(r)-most/3+1:])
}

// Hint returns ` (did you mean "x"?)` for the nearest candidate, or "".
func Hint(name string, candidates []string) string {
	if n := Nearest(name, candidates); n != "" {
		return DidYouMean(n)
	}
	return ""
}

// DidYouMean returns ` (did you mean "x"?)`, of which editors make an edit.
func DidYouMean(x string) string { return ` (did you mean "` + x + `"?)` }

// Choose returns the wanted names, each once, or all known ones if none is wanted. It is an error if a file has no such
// thing (specification, property) of a name.
func Choose(file, thing string, wanted, known []string) ([]string, error) {
	if len(wanted) == 0 {
		return known, nil
	}
	var list []string
	for _, name := range wanted {
		if !slices.Contains(known, name) {
			hint := Hint(name, known)
			switch {
			case strings.Contains(name, ","):
				hint = ": say each with an option of its own"
			case hint == "" && len(known) > 0:
				hint = ": choose among " + strings.Join(known, ", ")
			}
			return nil, fmt.Errorf("%s has no %s %q%s", file, thing, name, hint)
		}
		list = lists.Union(list, name)
	}
	return list, nil
}

// Count writes a number of things: 1 state, 2 states.
func Count[N int | int64](n N, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// Rules calls rules by their names: rule a, or rules a, b.
func Rules(names []string) string {
	what := "rules "
	if len(names) == 1 {
		what = "rule "
	}
	return what + strings.Join(names, ", ")
}

// Braces writes names with their common parts once, as shells have it: a_{x,y}_1 for a_x_1 and a_y_1. Parts are between
// underscores. Names of one part are written one by one.
func Braces(names []string) (list []string) {
	boxes := lists.Map(names, func(name string) [][]string {
		return lists.Map(strings.Split(name, "_"), func(part string) []string { return []string{part} })
	})
	for merged := true; merged; {
		merged = false
		for i := 0; i < len(boxes); i++ {
			for j := i + 1; j < len(boxes); j++ {
				if at := onlyDifference(boxes[i], boxes[j]); at >= 0 && len(boxes[i]) > 1 {
					boxes[i][at] = slices.Concat(boxes[i][at], boxes[j][at])
					slices.Sort(boxes[i][at])
					boxes, merged = slices.Delete(boxes, j, j+1), true
					j--
				}
			}
		}
	}
	return lists.Map(boxes, func(box [][]string) string {
		return strings.Join(lists.Map(box, func(parts []string) string {
			if len(parts) == 1 {
				return parts[0]
			}
			return "{" + strings.Join(parts, ",") + "}"
		}), "_")
	})
}

// onlyDifference is the place of the only parts in which names differ that have as many parts; -1 if there are others.
func onlyDifference(a, b [][]string) int {
	at := -1
	for i := range a {
		if len(a) != len(b) || !slices.Equal(a[i], b[i]) {
			if at >= 0 || len(a) != len(b) {
				return -1
			}
			at = i
		}
	}
	return at
}
