package sizes

import (
	"reflect"
	"strings"
)

// format has the text written in canonical form, which has to be the same text.
func (c *Case) format() {
	a := c.program.run("fmt", "text.ftdp")
	c.broken("fmt", a)
	if a.code == -1 {
		c.note("fmt took longer than %v", c.program.Patience)
		return
	}
	c.tag("fmt")
	again, err := Parse(a.out)
	if err != nil {
		c.disagree("fmt", "cannot be read: %v\n%s%s", err, a.out, a.err)
	} else if !reflect.DeepEqual(c.Text, again) {
		c.disagree("fmt", "another text:\n%s", a.out)
	}
}

// translate compares what is said of the automaton with what is said of the text.
func (c *Case) translate() {
	a := c.program.run("translate", "text.ftdp")
	c.broken("translate", a)
	if a.code == -1 {
		c.note("translate took longer than %v", c.program.Patience)
		return
	}
	if a.code != 0 {
		if c.verified != nil {
			c.disagree("translate", "refused: %s", refusal(a.err))
		}
		return
	}
	c.program.write("text.ta", a.out)
	if c.verified != nil && !c.Tags["verify: unknown"] || c.random.IntN(4) == 0 {
		c.verifyAutomaton()
	}
	if len(c.instances) > 0 {
		c.exploreAutomaton(c.instances[c.random.IntN(len(c.instances))])
	}
	if c.random.IntN(8) == 0 {
		c.resilience()
	}
}

// verifyAutomaton: what verify says of the text is what it says of the automaton.
func (c *Case) verifyAutomaton() {
	a := c.program.run("verify", "text.ta", "--json", "--timeout", "2s", "--jobs", "1", "--no-sanity")
	c.broken("verify text.ta", a)
	if a.code == -1 {
		return
	}
	if a.code == 2 {
		if c.verified != nil {
			if why := refusal(a.err); strings.Contains(why, "outside the fragment") || strings.Contains(why, "more than") { // of a text, one property is unknown; of an automaton, all are refused
				c.note("verify text.ta refused: %s", why)
				return
			}
			c.disagree("verify text.ta", "refused: %s", refusal(a.err))
		}
		return
	}
	results := a.results()
	for _, p := range c.Text.Properties {
		r := results[p.Name]
		c.tag("automaton: " + r.Verdict)
		c.compareVerified("verify text.ta", p, r, false)
		of := c.verified[p.Name].Verdict
		if of == "violated" && r.Verdict == "holds" || of == "holds" && r.Verdict == "violated" {
			c.disagree("verify text.ta", "%s: %s, of the text %s", p.Name, r.Verdict, of)
		}
	}
}

// exploreAutomaton: each run of processes is one of the automaton.
func (c *Case) exploreAutomaton(in *Instance) {
	a := c.program.run("explore", "text.ta", "--params", in.String(), "--json", "--states", "100000")
	c.broken("explore text.ta", a)
	if a.code == -1 || a.code == 2 {
		return
	}
	for _, p := range c.Text.Properties {
		r, ok := a.results()[p.Name]
		if !ok {
			continue
		}
		c.tag("explore automaton: " + r.Verdict)
		if c.verdict(in, p) == Violated && r.Verdict == "holds" {
			c.disagree("explore text.ta", "%s with %s: holds, but it is violated", p.Name, in)
		}
	}
}
