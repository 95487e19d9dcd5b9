package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// exploreInstances compares what exploring says of some instances.
func (c *Case) exploreInstances() {
	for range 1 + c.random.IntN(2) {
		c.exploreOne()
	}
}

// exploreOne compares what exploring says of an instance that the reference can decide.
func (c *Case) exploreOne() {
	var candidates []*Instance
	for _, in := range c.instances {
		if slices.ContainsFunc(c.Text.Properties, func(p Property) bool { return c.verdict(in, p) != "" }) {
			candidates = append(candidates, in)
		}
	}
	if len(candidates) > 0 {
		// Large instances say more: the larger one of two is taken.
		i := max(c.random.IntN(len(candidates)), c.random.IntN(len(candidates)))
		c.explore(candidates[i])
	}
}

// explore compares what exploring says of an instance.
func (c *Case) explore(in *Instance) {
	variants := [][]string{nil, nil, nil, {"--symmetry", "none"}, {"--por", "lpor-net"}, {"--por", "lpor"}, {"--crash", "explicit"}, {"--traffic", "GRM"}}
	c.exploreWith(in, variants[c.random.IntN(len(variants))])
}

// exploreWith compares what exploring says of an instance, with some options.
func (c *Case) exploreWith(in *Instance, variant []string) {
	args := []string{"explore", "text.ftdp", "--set", in.String(), "--json", "--jobs", "1", "--max-states", "20000", "--witness", "run.json"}
	c.program.remove("run.json")
	a := c.program.run(append(args, variant...)...)
	c.broken("explore", a)
	name := strings.Join(append([]string{"explore"}, variant...), " ")
	if a.code == -1 {
		c.note("%s took longer than %v", name, c.program.Patience)
		return
	}
	if a.code == 2 {
		c.note("%s refused: %s", name, refusal(a.err))
		c.misread(name, a.err)
		return
	}
	results := a.results()
	for _, p := range c.Text.Properties {
		if len(variant) > 1 && variant[1] == "GRM" && p.Fair {
			continue
		}
		r := results[p.Name]
		want := c.verdict(in, p)
		if want == "" {
			continue
		}
		if r.Verdict == "unknown" {
			c.note("%s unknown: %s", name, r.Reason)
			continue
		}
		c.tag(name + ": " + string(want))
		if r.Verdict != string(want) {
			c.disagree(name, "%s with %s: %s %s, but it is %s", p.Name, in, r.Verdict, r.Reason, want)
		} else if want == Violated && len(variant) == 0 {
			c.follow(name, in, p, r)
		}
	}
	c.replay(name, "text.ftdp")
}

// replay has the witness checked that the last command has saved, if there is one.
func (c *Case) replay(command, file string) {
	if c.program.read("run.json") == nil {
		return
	}
	c.tag("replay")
	if a := c.program.run("replay", file, "run.json"); a.code != 0 && a.code != -1 {
		c.disagree("replay", "after %s: %s%s", command, a.out, a.err)
	}
}

// replayVerified has counterexamples of verify replayed, for one property.
func (c *Case) replayVerified() {
	for _, p := range c.Text.Properties {
		if c.verified[p.Name].Verdict != "violated" {
			continue
		}
		c.program.remove("run.json")
		a := c.program.run("verify", "text.ftdp", "--spec", p.Name, "--witness", "run.json", "--json", "--timeout", "2s", "--jobs", "1", "--no-sanity")
		c.broken("verify --witness", a)
		if r, ok := a.results()[p.Name]; ok && r.Verdict == "unknown" {
			c.note("verify --spec unknown: %s", r.Reason)
		} else if ok && r.Verdict != "violated" {
			c.disagree("verify --spec", "%s: %s %s alone, violated with others", p.Name, r.Verdict, r.Reason)
		}
		c.replay("verify", "text.ftdp")
		return
	}
}

// exploreDefault compares the instance that is explored if no parameters are given, or one only: the smallest one, with
// a faulty process where there can be one.
func (c *Case) exploreDefault() {
	args := []string{"explore", "text.ftdp", "--json", "--jobs", "1", "--max-states", "20000"}
	given := -1
	var wanted *Instance
	if len(c.instances) > 0 && c.random.IntN(2) == 0 {
		wanted = c.instances[c.random.IntN(len(c.instances))]
		given = c.random.IntN(len(wanted.Parameters))
		args = append(args, "--set", fmt.Sprintf("%s=%d", c.Text.Parameters[given], wanted.Parameters[given]))
	}
	a := c.program.run(args...)
	c.broken("explore", a)
	if a.code == 2 {
		if wanted != nil {
			c.disagree("explore default", "%v: refused, but %s is admissible: %s", args, wanted, a.err)
		} else {
			c.note("explore without --set refused: %s", refusal(a.err))
			c.misread("explore without --set", a.err)
		}
		return
	}
	c.tag("explore default")
	for _, p := range c.Text.Properties {
		r, ok := a.results()[p.Name]
		if !ok || r.Verdict == "unknown" {
			continue
		}
		in := c.instance(r.Constants)
		if in == nil || given >= 0 && in.Parameters[given] != wanted.Parameters[given] {
			c.disagree("explore default", "%v: %v is explored", args, r.Constants)
			return
		}
		if smaller := c.smaller(in, given); smaller != nil {
			c.disagree("explore default", "%v: %s is explored, %s is smaller", args, in, smaller)
			return
		}
		if want := c.verdict(in, p); want != "" && r.Verdict != string(want) {
			c.disagree("explore default", "%s with %s: %s, but it is %s", p.Name, in, r.Verdict, want)
		}
	}
}

// smaller is an admissible instance with no greater parameters, that has a faulty process, too, if this one has;
// or one that has where this one has none. The given parameter (if it is not -1) is the same.
func (c *Case) smaller(in *Instance, given int) *Instance {
	if c.Text.Faults == "none" {
		return nil // a number of faulty processes may be given, and means nothing
	}
	for _, other := range Instances(c.Text, largestParameter) {
		if given >= 0 && other.Parameters[given] != in.Parameters[given] {
			continue
		}
		if in.faults() == 0 && other.faults() > 0 {
			return other
		}
		if slices.Equal(other.Parameters, in.Parameters) || in.faults() > 0 && other.faults() == 0 {
			continue
		}
		greater := false
		for i, value := range other.Parameters {
			greater = greater || value > in.Parameters[i]
		}
		if !greater {
			return other
		}
	}
	return nil
}

// induct compares what induction says of the invariants of an instance.
func (c *Case) induct() {
	if len(c.instances) == 0 || !slices.ContainsFunc(c.Text.Properties, func(p Property) bool { return p.Invariant }) {
		return
	}
	in := c.instances[c.random.IntN(len(c.instances))]
	a := c.program.run("induct", "text.ftdp", "--set", in.String(), "--json", "--timeout", "2s")
	c.broken("induct", a)
	for name, r := range a.results() {
		i := slices.IndexFunc(c.Text.Properties, func(p Property) bool { return p.Name == name })
		if i < 0 || r.Verdict == "unknown" {
			c.note("induct unknown: %s", r.Reason)
			continue
		}
		c.tag("induct")
		if want := c.verdict(in, c.Text.Properties[i]); want != "" && r.Verdict != string(want) {
			c.disagree("induct", "%s with %s: %s, but it is %s", name, in, r.Verdict, want)
		}
	}
}
