package rounds

// written compares a text with the one in which rules with parameters are written for each value, and expressions where their
// names are: it means the same, also where instances are too large for the reference.
func (c *Case) written() {
	if c.Written == 0 || len(c.Text.Families) == 0 && len(c.Text.Definitions) == 0 || c.Seed%uint64(c.Written) != 0 {
		return
	}
	source, err := WrittenOut(c.Source)
	if err != nil {
		c.disagree("text", "it cannot be written out: %v", err)
		return
	}
	c.program.write("written.ftdp", source)
	a := c.program.run("verify", "written.ftdp", "--json", "--jobs", "1", "--no-sanity")
	if a.code == 2 {
		c.disagree("written out", "refused, if it is written out: %s", refusal(a.err))
		return
	}
	results := a.results()
	for _, p := range c.Text.Properties {
		switch one, other := c.verified[p.Name].Verdict, results[p.Name].Verdict; {
		case one == other:
			c.note("written out: the same")
		case decided(one) && decided(other):
			c.disagree("written out", "%s: %s, and %s if it is written out", p.Name, one, other)
		default:
			c.note("written out: %s, and not %s", orNothing(other), orNothing(one))
		}
	}
}

func decided(verdict string) bool { return verdict == "holds" || verdict == "violated" }

func orNothing(verdict string) string {
	if verdict == "" {
		return "nothing, in this time"
	}
	return verdict
}
