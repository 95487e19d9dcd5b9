package sizes

import "regexp"

// awkward are names like those that the program gives to what it makes of a text, for names that texts have.
var awkward = map[string][]string{
	"A":  {"P_i", "Idle", "B0", "B_some", "DOWN", "A0"},
	"x":  {"idle", "a", "P_sentA", "b", "node1", "a_some"},
	"t":  {"a", "idle", "b0", "down"},
	"i":  {"a", "P_x", "v0"},
	"r1": {"idle", "a", "step"},
}

// rename gives awkward names to some things in a text.
func (g *generator) rename(source string) string {
	for _, name := range []string{"A", "x", "t", "i", "r1"} {
		if !g.chance(2) {
			continue
		}
		other := g.pick(awkward[name]...)
		if regexp.MustCompile(`\b` + other + `\b`).MatchString(source) {
			continue
		}
		source = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(source, other)
	}
	return source
}
