package sizes

import (
	"fmt"
	"math/rand/v2"
	"regexp"
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
	Tags          map[string]bool
	Disagreements []Disagreement
	Notes         []string // what is no disagreement, but worth counting: refusals, unknown verdicts
	Decided       int      // verdicts of the reference on instances

	random    *rand.Rand
	program   Program
	limit     int    // of states of an instance
	mistake   string // for tests: see Instance
	instances []*Instance
	verdicts  map[string]Verdict // of a property of an instance, by their names
	verified  map[string]result
	misuse    string
}

// Limits of what is asked of the reference.
const (
	largestParameter = 3
	larger           = 4 // the same, where nothing but instances is asked for
	mostProcesses    = 5
	mostInstances    = 32
	mostFollowed     = 8 // processes of an instance of which a run is followed
)

// Compare gives a text to the program and the reference.
func Compare(program Program, seed uint64, source string, limit int) *Case {
	return compare(program, seed, source, limit, "")
}

// CompareInstances gives a text to the program and the reference, and asks only for what is said of all sizes, and of an instance.
func CompareInstances(program Program, seed uint64, source string, limit int) *Case {
	return compareInstances(program, seed, source, limit, "")
}

// compareInstances is CompareInstances with a deliberate mistake in the reference.
func compareInstances(program Program, seed uint64, source string, limit int, mistake string) *Case {
	c := newCase(program, seed, source, limit, mistake)
	if c.Text == nil {
		return c
	}
	c.decide(larger)
	if c.verify() {
		c.exploreOne()
		if c.random.IntN(2) == 0 {
			c.countStates()
		}
	}
	return c
}

// newCase reads a text, and writes it to a file for the program.
func newCase(program Program, seed uint64, source string, limit int, mistake string) *Case {
	c := &Case{Seed: seed, Source: source, Tags: map[string]bool{}, program: program, limit: limit, mistake: mistake, verdicts: map[string]Verdict{}}
	c.random = newRandom(seed)
	text, err := parse(mistaken(source, mistake), mistake)
	if err != nil {
		c.disagree("text", "the reference cannot read it: %v", err)
		return c
	}
	c.Text = text
	for _, f := range Features(text) {
		c.Tags[f] = true
	}
	for _, name := range []string{"text.ftdp", "text.ta", "run.json"} {
		program.remove(name)
	}
	program.write("text.ftdp", source)
	return c
}

// compare is Compare with a deliberate mistake in the reference.
func compare(program Program, seed uint64, source string, limit int, mistake string) *Case {
	c := newCase(program, seed, source, limit, mistake)
	if c.Text == nil {
		return c
	}
	c.decide(largestParameter)
	if !c.verify() {
		return c
	}
	c.exploreInstances()
	switch c.random.IntN(12) {
	case 0, 1:
		c.exploreDefault()
	case 2, 3:
		c.format()
	case 4:
		c.induct()
	}
	if c.random.IntN(4) == 0 {
		c.replayVerified()
	}
	if c.random.IntN(5) < 2 {
		c.translate()
	}
	return c
}

// mistaken is a text as it is read wrongly.
func mistaken(source, mistake string) string {
	if mistake == "arguments have no parentheses" {
		definition := regexp.MustCompile(`define (\w+)\((\w+): [^)]*\) = (.*?);`)
		for _, d := range definition.FindAllStringSubmatch(source, -1) {
			source = strings.Replace(source, d[0], "", 1)
			source = regexp.MustCompile(`\b`+d[1]+`\((.*?)\)`).ReplaceAllStringFunc(source, func(use string) string {
				argument := strings.TrimSuffix(strings.TrimPrefix(use, d[1]+"("), ")")
				return "(" + regexp.MustCompile(`\b`+d[2]+`\b`).ReplaceAllLiteralString(d[3], argument) + ")"
			})
		}
		return source
	}
	if mistake != "definitions have no parentheses" {
		return source
	}
	definition := regexp.MustCompile(`define (\w+) = (.*?);`)
	for _, d := range definition.FindAllStringSubmatch(source, -1) {
		source = strings.Replace(source, d[0], "", 1)
		source = regexp.MustCompile(`\b`+d[1]+`\b`).ReplaceAllString(source, d[2])
	}
	return source
}

func (c *Case) disagree(kind, format string, args ...any) {
	c.Disagreements = append(c.Disagreements, Disagreement{kind, fmt.Sprintf(format, args...)})
}

func (c *Case) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// tag notes that the case has a feature.
func (c *Case) tag(feature string) {
	c.Tags[feature] = true
}

// decide asks the reference for verdicts on instances with parameters up to a number.
func (c *Case) decide(largest int) {
	c.instances = instancesOf(c.Text, largest, c.mistake)
	c.instances = slices.DeleteFunc(c.instances, func(in *Instance) bool { return in.size > mostProcesses })
	if len(c.instances) > mostInstances {
		rest := c.instances[mostInstances/2:]
		c.random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		c.instances = c.instances[:mostInstances]
	}
	for _, in := range c.instances {
		for _, f := range in.features() {
			c.tag(f)
		}
		for _, p := range c.Text.Properties {
			c.verdict(in, p)
		}
	}
}

// verdict is the reference's verdict, or empty if the instance is too large.
func (c *Case) verdict(in *Instance, p Property) Verdict {
	key := in.String() + " " + p.Name
	if v, ok := c.verdicts[key]; ok {
		return v
	}
	v, err := in.Decide(p, c.limit)
	if err != nil && err != ErrLarge {
		c.misuse = err.Error()
	}
	if c.verdicts[key] = v; v != "" {
		c.Decided++
	}
	return v
}

// instance is the one with these parameters; nil if it is none.
func (c *Case) instance(parameters map[string]int) *Instance {
	var values []int
	for _, name := range c.Text.Parameters {
		value, ok := parameters[name]
		if !ok {
			return nil
		}
		values = append(values, value)
	}
	return newInstance(c.Text, values, c.mistake)
}

// broken notes answers that no text should have.
func (c *Case) broken(command string, a answer) {
	for _, s := range []string{"internal error", "panic:", "goroutine "} {
		if strings.Contains(a.out, s) || strings.Contains(a.err, s) {
			c.disagree("broken", "%s: %s%s", command, a.out, a.err)
			return
		}
	}
}

// verify compares what is said of all sizes with small instances. It returns false if the text is refused.
func (c *Case) verify() bool {
	a := c.program.run("verify", "text.ftdp", "--json", "--timeout", c.program.timeout(), "--jobs", "1", "--no-sanity")
	c.broken("verify", a)
	if a.code == -1 {
		c.tag("verify: slow")
		c.note("verify took longer than %v", c.program.Patience)
		return true
	}
	if a.code == 2 {
		c.tag("verify: refused")
		reason := refusal(a.err)
		c.note("refused: %s", reason)
		c.misread("verify", a.err)
		if strings.Contains(a.err, "assumptions are about parameters only") {
			c.disagree("parameter named down", "%s", a.err)
		}
		if nothing(reason) && len(c.instances) > 0 {
			c.disagree("refused", "%s admits nothing, but %s is admissible", reason, c.instances[0])
		}
		return !textual(reason)
	}
	if c.misuse != "" {
		c.disagree("misuse accepted", "%s", c.misuse)
	}
	c.verified = a.results()
	for _, p := range c.Text.Properties {
		r, ok := c.verified[p.Name]
		if !ok {
			c.disagree("verify", "says nothing of %s", p.Name)
			continue
		}
		c.tag("verify: " + r.Verdict)
		c.note("verdict: %s", r.Verdict)
		c.compareVerified("verify", p, r, true)
	}
	return true
}

// textual tells whether a reason to refuse a text is one to refuse its instances, too.
func textual(reason string) bool {
	return !strings.Contains(reason, "disjuncts") && !nothing(reason) && !strings.Contains(reason, "fragment")
}

// nothing tells whether a text is refused because it has no run.
func nothing(reason string) bool {
	return strings.Contains(reason, "no parameters") || strings.Contains(reason, "no configuration")
}

// refusal is the message of an error, without its place.
func refusal(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	parts := strings.SplitN(line, ": ", 2)
	return parts[len(parts)-1]
}

// compareVerified compares a verdict for all sizes with small instances. If it is exact, a violation
// has to be one of the instance, too, and its parameters the least.
func (c *Case) compareVerified(command string, p Property, r result, exact bool) {
	switch r.Verdict {
	case "holds":
		nobody := ""
		for _, in := range c.instances {
			if c.verdict(in, p) != Violated {
				continue
			}
			if in.processes > 0 {
				c.disagree(command+" holds", "%s: violated with %s", p.Name, in)
				return
			}
			nobody = in.String()
		}
		if nobody != "" {
			c.disagree(command+" holds (nobody is correct)", "%s: violated with %s", p.Name, nobody)
		}
	case "violated":
		if !exact {
			return
		}
		in := c.instance(r.Parameters)
		if in == nil {
			c.disagree(command+" parameters", "%s: not admissible: %v", p.Name, r.Parameters)
			return
		}
		if c.verdict(in, p) == Holds {
			c.disagree(command+" violated", "%s: holds with %s", p.Name, in)
		}
		c.follow(command, in, p, r)
		for _, smaller := range c.instances {
			if slices.Compare(smaller.Parameters, in.Parameters) < 0 && c.verdict(smaller, p) == Violated {
				// The least one of the automaton may be none of the protocol: then others are asked for.
				c.note("%s: violated with smaller parameters, too", command)
				return
			}
		}
	case "unknown":
		reason := r.Reason
		if i := strings.LastIndex(reason, ": "); i >= 0 {
			reason = reason[i+2:]
		}
		least := ""
		for _, in := range c.instances {
			if c.verdict(in, p) == Violated {
				least = ", violated with small parameters"
				break
			}
		}
		c.note("%s unknown: %s%s", command, reason, least)
		c.misread(command, r.Reason)
	default:
		c.disagree(command, "%s: verdict %q", p.Name, r.Verdict)
	}
}

// follow has the run that shows a violation followed by the reference, if it shows one.
func (c *Case) follow(command string, in *Instance, p Property, r result) {
	if len(r.Witness) == 0 || string(r.Witness) == "null" || in.processes > mostFollowed {
		return
	}
	c.tag(command + ": run followed")
	if problem := in.follow(p, r.Witness); problem != "" {
		c.disagree(command+" run", "%s with %s: %s", p.Name, in, problem)
	}
}

// misread notes messages that a text of which the reference knows all names should not have.
func (c *Case) misread(command, message string) {
	if strings.Contains(message, "unknown name") {
		c.disagree("unknown name", "%s: %s", command, message)
	}
}

// newRandom decides what is asked about the text of a seed.
func newRandom(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 21))
}
