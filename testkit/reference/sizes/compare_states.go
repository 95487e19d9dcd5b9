package sizes

import "strings"

// mostStates are so many that the reference counts.
const mostStates = 4000

// countStates compares how many states exploring visits of an instance, with symmetry or without.
func (c *Case) countStates() {
	if len(c.instances) == 0 || c.mistake != "" {
		return
	}
	in := c.instances[max(c.random.IntN(len(c.instances)), c.random.IntN(len(c.instances)))]
	symmetry := c.random.IntN(2) == 0
	want, err := in.States(symmetry, mostStates)
	if err != nil {
		return
	}
	source := strings.TrimRight(c.Source, "\n") + "\ninvariant counted: f >= 0;\n"
	c.program.write("states.ftdp", source)
	args := []string{"explore", "states.ftdp", "--set", in.String(), "--json", "--jobs", "1", "--spec", "counted", "--por", "none"}
	if !symmetry {
		args = append(args, "--symmetry", "none")
	}
	a := c.program.run(args...)
	c.broken("explore", a)
	r, ok := a.results()["counted"]
	if !ok || r.Verdict != "holds" {
		c.note("states were not counted: %s%s", r.Reason, refusal(a.err))
		return
	}
	c.tag("states")
	if r.States != want {
		c.disagree("states", "%s, symmetry %v: %d, but there are %d", in, symmetry, r.States, want)
	}
}
