// Package names makes names that nothing else has.
package names

import "fmt"

// Taken are names that something has.
type Taken map[string]bool

// Fresh takes a name, or the first one like it that is free: name, then name2 or, with "_" as sep, name_2.
func (t Taken) Fresh(name, sep string) string {
	out := Free(name, sep, func(n string) bool { return t[n] })
	t[out] = true
	return out
}

// Underscored is a name, or the first one with underscores behind it that is not taken.
func Underscored(name string, taken func(string) bool) string {
	for taken(name) {
		name += "_"
	}
	return name
}

// Free is a name, or the first one like it that is not taken.
func Free(name, sep string, taken func(string) bool) string {
	out := name
	for n := 2; taken(out); n++ {
		out = fmt.Sprint(name, sep, n)
	}
	return out
}
