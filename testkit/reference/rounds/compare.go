package rounds

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Disagreement is something that the program says and the reference does not.
type Disagreement struct {
	Kind, Detail string
}

// A Case is one text, on which program and reference were compared.
type Case struct {
	Seed          uint64
	Source        string
	Text          *Text
	Disagreements []Disagreement
	Notes         []string // what is worth counting: refusals, verdicts
	Limits

	random   *rand.Rand
	program  Program
	mistake  string             // for tests: see Mistakes, and bindingLeftOut
	verified map[string]result  // by properties
	safety   map[string]Verdict // by parameters and properties
}

// Limits say how much is asked of the reference, and how often the program is asked to explore.
type Limits struct {
	States    int // of an instance
	Walks     int // at random, where there are more states
	Instances int
	Explore   int // one instance is explored once in so many texts; 0: never
	Written   int // rules with parameters are written out once in so many texts that have some; 0: never
}

// Usual are the limits of campaigns.
var Usual = Limits{States: 5000, Walks: 60, Instances: 5, Explore: 6, Written: 3}

// bindingLeftOut is a mistake of a program: what is true against adversaries that do not see coins is said to be so against others.
const bindingLeftOut = "binding is left out"

// Compare gives a text to the program and the reference.
func Compare(program Program, seed uint64, source string, limits Limits) *Case {
	return compare(program, seed, source, limits, "")
}

func compare(program Program, seed uint64, source string, limits Limits, mistake string) *Case {
	c := &Case{Seed: seed, Source: source, Limits: limits, program: program, mistake: mistake, safety: map[string]Verdict{}}
	c.random = rand.New(rand.NewPCG(seed, 29))
	text, err := Parse(source)
	if err != nil {
		c.disagree("text", "the reference cannot read it: %v", err)
		return c
	}
	c.Text = text
	defer func() {
		if problem := recover(); problem != nil {
			m, ok := problem.(misuse)
			if !ok {
				panic(problem)
			}
			c.note("misuse: %s", string(m))
			if len(c.verified) > 0 {
				c.disagree("misuse accepted", "%s", string(m))
			}
		}
	}()
	program.write("text.ftdp", c.asked())
	if c.verify() {
		c.explore()
	}
	return c
}

// asked is the text that the program is asked about.
func (c *Case) asked() string {
	if c.mistake != bindingLeftOut {
		return c.Source
	}
	return strings.NewReplacer("surely in order:", "surely unseen:", "surely:", "surely unseen:").Replace(c.Source)
}

func (c *Case) disagree(kind, format string, args ...any) {
	c.Disagreements = append(c.Disagreements, Disagreement{kind, fmt.Sprintf(format, args...)})
}

func (c *Case) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// verify compares what is said of all sizes with small instances. It returns false if the text is refused, and cannot be explored.
func (c *Case) verify() bool {
	a := c.program.run("verify", "text.ftdp", "--json", "--jobs", "1", "--no-sanity")
	if strings.Contains(a.err+a.out, "panic:") || strings.Contains(a.err+a.out, "internal error") {
		c.disagree("broken", "%s%s", a.out, a.err)
	}
	if a.code == 2 {
		c.note("refused: %s", refusal(a.err))
		return strings.Contains(a.err, "explore") // what is not decided for all rounds can be asked of instances
	}
	c.verified = a.results()
	for _, p := range c.Text.Properties {
		r, ok := c.verified[p.Name]
		switch {
		case !ok && a.code >= 0:
			c.disagree("verify", "says nothing of %s", p.Name)
		case r.Verdict == "unknown":
			c.note("%s: unknown: %s", sort(p), reason(r.Reason))
		default:
			c.note("%s: %s", sort(p), r.Verdict)
		}
	}
	c.written()
	c.safe()
	c.almostSure()
	for _, p := range c.Text.Properties {
		if r := c.verified[p.Name]; r.Verdict == "violated" {
			c.replay(p, r)
		}
	}
	return true
}

// sort is the sort of a property, for tables.
func sort(p Property) string {
	switch {
	case p.After != nil:
		return "after some rounds"
	case p.Class == good:
		return "eventually good"
	case p.Invariant:
		return "invariant"
	case p.Class != "":
		return "almost surely " + p.Class
	}
	return "ltl"
}

// refusal is the message of an error, without its place.
func refusal(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	parts := strings.SplitN(line, ": ", 2)
	return parts[len(parts)-1]
}

// reason is the first part of why something is unknown.
func reason(text string) string {
	for _, end := range []string{" (", " with ", ", when", ": "} {
		text, _, _ = strings.Cut(text, end)
	}
	return text
}

// sizes are some values of parameters that the text admits, with so many processes that follow it at most, or one more if
// there are none else. Those in which some process is faulty come first.
func (c *Case) sizes(processes int) [][]int {
	all := Parameters(c.Text, 6, processes)
	if !slices.ContainsFunc(all, c.withFaults) {
		all = append(all, slices.DeleteFunc(Parameters(c.Text, 6, processes+1), func(p []int) bool { return !c.withFaults(p) })...)
	}
	c.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b []int) int { return truth(c.withFaults(b)) - truth(c.withFaults(a)) })
	return all[:min(len(all), c.Instances)]
}

// withFaults tells whether some process is faulty.
func (c *Case) withFaults(parameters []int) bool {
	return c.Text.Number != nil && scope{parameters: parameters}.value(c.Text.Number) > 0
}

// safe compares what never happens.
func (c *Case) safe() {
	held := slices.ContainsFunc(c.Text.Properties, func(p Property) bool {
		return p.Class == "" && c.verified[p.Name].Verdict == "holds"
	})
	if !held && c.mistake == "" {
		return
	}
	for _, parameters := range c.sizes(4) {
		for stages := 1; stages <= 3; stages++ {
			in := NewInstance(c.Text, parameters, stages, "", c.mistake)
			verdicts := in.Safety(c.States, c.Walks, c.random)
			for i, p := range c.Text.Properties {
				if verdicts[i] == Violated && c.verified[p.Name].Verdict == "holds" {
					c.disagree("wrong: holds", "%s: violated with %s in %d rounds", p.Name, in, stages)
					return
				}
			}
			if c.open(verdicts) {
				break // more rounds have more states
			}
			c.note("reference: all states of an instance of %d rounds", stages)
		}
	}
}

// open tells whether not all states were visited.
func (c *Case) open(verdicts []Verdict) bool {
	return slices.ContainsFunc(c.Text.Properties, func(p Property) bool {
		return violation(p) != nil && verdicts[slices.IndexFunc(c.Text.Properties, func(q Property) bool { return q.Name == p.Name })] == ""
	})
}

// almostSure compares what happens with probability one.
func (c *Case) almostSure() {
	for _, p := range c.Text.Properties {
		r := c.verified[p.Name]
		if p.Class == "" || r.Verdict != "holds" {
			continue
		}
		if c.Text.Faults == "omission" && p.Class != good {
			c.disagree("omission", "%s is said to hold; of omission, termination is not decided", p.Name)
		}
		for _, parameters := range c.sizes(4) {
			windows := 1
			if p.Class == seen || p.Class == good {
				windows = 2
			}
			for stages := 1; stages <= windows; stages++ {
				in := NewInstance(c.Text, parameters, stages, p.Class, c.mistake)
				strategy, complete := in.Adversary(p, c.States)
				if strategy != "" {
					c.disagree("wrong: almost surely", "%s: not so with %s: %s", p.Name, in, strategy)
					return
				}
				if complete {
					c.note("reference: all decisions of an instance, %d rounds at a time", stages)
				}
			}
		}
	}
}

// explore compares what is said of an instance with so many rounds.
func (c *Case) explore() {
	if c.Explore == 0 || len(c.verified) > 0 && c.random.IntN(c.Explore) > 0 || !slices.ContainsFunc(c.Text.Properties, func(p Property) bool { return p.Class == "" }) {
		return
	}
	sizes := c.sizes(3)
	if len(sizes) == 0 {
		return
	}
	rounds := 1 + c.random.IntN(3)
	in := NewInstance(c.Text, sizes[c.random.IntN(len(sizes))], rounds, "", c.mistake)
	verdicts := in.Safety(10*c.States, c.Walks, c.random)
	args := []string{"explore", "text.ftdp", "--json", "--set", fmt.Sprintf("%s,rounds=%d", in, rounds)}
	for _, p := range c.Text.Properties {
		if p.Class == "" {
			args = append(args, "--spec", p.Name)
		}
	}
	a := c.program.run(args...)
	if a.code == 2 {
		c.note("explore refused: %s", refusal(a.err))
		return
	}
	results := a.results()
	for i, p := range c.Text.Properties {
		r := results[p.Name]
		if r.Verdict == "no violation" {
			r.Verdict = string(Holds)
		}
		switch {
		case p.Class != "":
		case p.After != nil && scope{parameters: in.Parameters}.value(p.After) > rounds:
			c.note("explore: too few rounds")
		case verdicts[i] == "" || r.Verdict != "holds" && r.Verdict != "violated":
			c.note("explore: not compared")
		case string(verdicts[i]) != r.Verdict:
			c.disagree("explore", "%s with %s, %d rounds: %s, and the reference says %s", p.Name, in, rounds, r.Verdict, verdicts[i])
		default:
			c.note("explore: %s", r.Verdict)
			if r.Verdict == "violated" {
				c.replay(p, r)
			}
		}
	}
}

// Verdicts are what the program says of the properties, in their order.
func (c *Case) Verdicts() []string {
	var verdicts []string
	if c.Text == nil || len(c.verified) == 0 {
		return []string{"refused, or too slow"}
	}
	for _, p := range c.Text.Properties {
		verdicts = append(verdicts, sort(p)+" "+c.verified[p.Name].Verdict)
	}
	return verdicts
}
