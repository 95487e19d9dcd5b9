package interp

import (
	"slices"
	"strings"
)

// Enumerate joins names: acceptor 1, 2 and 3.
func Enumerate(names []string) string {
	short := slices.Clone(names)
	for i := 1; i < len(names); i++ {
		role, number, found := strings.Cut(names[i], " ")
		if before, _, _ := strings.Cut(names[i-1], " "); found && before == role {
			short[i] = number
		}
	}
	if len(short) < 2 {
		return strings.Join(short, "")
	}
	return strings.Join(short[:len(short)-1], ", ") + " and " + short[len(short)-1]
}
