package protocol

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Outcome is what came of a case.
type Outcome struct {
	Case          *Case
	Skipped       string // why there was nothing to compare
	Runs          int
	States        int
	Disagreements []Disagreement
}

// Campaign runs cases against a program.
type Campaign struct {
	Program Program
	Folder  string // for files
	Limit   int    // of states of the reference
	Only    string // if not empty, cases with this feature only
}

// Case generates a case, runs the program in several ways, and compares.
func (c *Campaign) Case(seed uint64) (*Outcome, error) {
	random, j, err := c.generate(seed)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Case: random}
	if c.Only != "" && !o.Case.Features[c.Only] {
		o.Skipped = "not of interest"
		return o, nil
	}
	if e := j.expect(Options{Traffic: Direct}); !e.complete {
		o.Skipped = "too many states"
		return o, nil
	}
	if j.unsaid(j.expect(Options{Traffic: Direct})) {
		o.Skipped = "unsaid: " + j.model.Unsaid
		return o, nil
	}
	o.States = len(j.expect(Options{Traffic: Direct}).graph.Nodes)
	file := filepath.Join(c.Folder, fmt.Sprintf("case%d.ftdp", seed))
	if err := os.WriteFile(file, []byte(o.Case.Text), 0o644); err != nil {
		return nil, err
	}
	defer os.Remove(file)
	r := &runner{Campaign: c, Outcome: o, judge: j, file: file, Rand: rand.New(rand.NewPCG(seed, 0xca5e))}
	return o, r.all()
}

// few is how many states are hardly worth a run of the program.
const few = 4

// generate writes a text, one with more than a few states if one of the first has, and reads it.
func (c *Campaign) generate(seed uint64) (random *Case, j *judge, err error) {
	for try := range uint64(4) {
		random = Generate(seed + try<<32)
		text, err := Parse(random.Text)
		if err != nil {
			return nil, nil, fmt.Errorf("seed %d: %w\n%s", seed, err, random.Text)
		}
		model, err := Load(text, random.Set)
		if err != nil {
			return nil, nil, fmt.Errorf("seed %d: %w\n%s", seed, err, random.Text)
		}
		j = &judge{model: model, limit: c.Limit, known: map[Options]*expected{}}
		e := j.expect(Options{Traffic: Direct})
		if e.complete && len(e.graph.Nodes) > few && model.Unsaid == "" {
			break
		}
	}
	return random, j, nil
}

// runner runs the program in several ways on a case.
type runner struct {
	*Campaign
	*Outcome
	*judge
	*rand.Rand
	file string
}

// base are the arguments of all runs of explore.
func (r *runner) base(extra ...string) []string {
	args := []string{"explore", r.file, "--json"}
	return append(append(args, r.set()...), extra...)
}

func (r *runner) set() []string {
	if len(r.Outcome.Case.Set) == 0 {
		return nil
	}
	var pairs []string
	for name, v := range r.Outcome.Case.Set {
		pairs = append(pairs, fmt.Sprint(name, "=", v))
	}
	slices.Sort(pairs)
	return []string{"--set", strings.Join(pairs, ",")}
}

// explore runs the program and compares.
func (r *runner) explore(traffic Traffic, properties []*Property, args ...string) (*Run, error) {
	run, err := r.Program.run(r.base(args...)...)
	if err != nil {
		return nil, err
	}
	r.Runs++
	r.Disagreements = append(r.Disagreements, r.compare(run, traffic, properties)...)
	r.note(run, properties)
	return run, r.replay(run)
}

// note adds features of what was asked and said.
func (r *runner) note(run *Run, properties []*Property) {
	f := r.Outcome.Case.Features
	if run.Error != nil {
		f.add("verdict error")
		for i, a := range run.Args[:len(run.Args)-1] {
			if a == "--por" || a == "--symmetry" || a == "--traffic" {
				f.add(a[2:] + " " + run.Args[i+1])
			}
		}
	}
	for _, x := range run.Results {
		f.add("por "+x.POR, "symmetry "+x.Symmetry, "traffic "+x.Traffic, "crash "+x.Crash)
		if x.POR != "none" {
			f.add("split " + x.Split)
		}
		for _, p := range properties {
			if p.Name == x.Property {
				kind := "invariant "
				if p.Temporal {
					kind = "formula "
				}
				f.add(kind + x.Verdict)
			}
		}
	}
}

// all runs the program in all ways.
func (r *runner) all() error {
	every := r.model.Text.Properties
	run, err := r.explore(Direct, every, "--symmetry", "none", "--por", "none", "--jobs", "1")
	if err != nil {
		return err
	}
	if run.static() && !slices.Contains(r.expect(Options{Traffic: Direct}).failureLines(every), run.Error.Pos.Line) {
		r.Skipped = "refused: " + run.Error.Error()
		r.Disagreements = append(r.Disagreements, Disagreement{"refused", run.Message, run.Args})
		return nil
	}
	if _, err := r.explore(Direct, every, "--por", "none", "--jobs", "1"); err != nil {
		return err
	}
	if r.IntN(100) < 55 {
		if err := r.reduced(every); err != nil {
			return err
		}
	}
	if r.IntN(100) < 35 {
		if err := r.delivered(every); err != nil {
			return err
		}
	}
	return r.more(every)
}

// reduced runs the program with partial orders.
func (r *runner) reduced(every []*Property) error {
	por := []string{"lpor", "lpor-net", "lpor-net", "dpor"}[r.IntN(4)]
	args := []string{"--jobs", "1", "--por", por}
	if r.IntN(2) == 0 {
		args = append(args, "--split", []string{"none", "quorum", "reply", "combined"}[r.IntN(4)])
	}
	if r.IntN(2) == 0 {
		args = append(args, "--symmetry", "none")
	}
	_, err := r.explore(Direct, every, args...)
	return err
}

// delivered runs the program with message traffic in which delivery is a step.
func (r *runner) delivered(every []*Property) error {
	traffic := []Traffic{Delivered, DeliveredAtOnce}[r.IntN(2)]
	args := []string{"--jobs", "1", "--traffic", string(traffic), "--max-states", "20000"}
	if r.IntN(2) == 0 {
		args = append(args, "--symmetry", "none")
	}
	_, err := r.explore(traffic, every, args...)
	return err
}

// more runs the program in some other way.
func (r *runner) more(every []*Property) error {
	p := every[r.IntN(len(every))]
	var err error
	switch r.IntN(8) {
	case 5:
		r.Outcome.Case.Features.add("--jobs 2")
		_, err = r.explore(Direct, every, "--jobs", "2", "--symmetry", []string{"none", "roles"}[r.IntN(2)])
	case 0:
		crash := []string{"implicit", "explicit"}[r.IntN(2)]
		r.Outcome.Case.Features.add("--crash " + crash)
		_, err = r.explore(Direct, every[:1], "--jobs", "1", "--spec", every[0].Name, "--crash", crash)
	case 1:
		r.Outcome.Case.Features.add("--spec")
		_, err = r.explore(Direct, []*Property{p}, "--spec", p.Name)
	case 2:
		err = r.resume(every)
	case 3:
		r.Outcome.Case.Features.add("--swarm")
		_, err = r.explore(Direct, every[:1], "--spec", every[0].Name, "--swarm", "3", "--max-states", "1000")
	case 4:
		r.Outcome.Case.Features.add("--compact")
		symmetry := []string{"none", "roles"}[r.IntN(2)]
		_, err = r.explore(Direct, every[:1], "--jobs", "1", "--spec", every[0].Name, "--compact", "--symmetry", symmetry)
	}
	if err == nil && r.IntN(12) == 0 {
		err = r.induct()
	}
	if err == nil && r.IntN(5) == 0 {
		err = r.covers()
	}
	if err == nil && r.IntN(4) == 0 {
		err = r.format()
	}
	return err
}

// format has the program write the text in its form, and compares what that means: it is read again by the reference,
// and has the same states, and the same properties are true.
func (r *runner) format() error {
	r.Outcome.Case.Features.add("fmt")
	run, err := r.Program.run("fmt", r.file)
	if err != nil {
		return err
	}
	r.Runs++
	if what := r.reformatted(run.Message); what != "" {
		r.Disagreements = append(r.Disagreements, Disagreement{"fmt", what + ":\n" + run.Message, run.Args})
	}
	file := strings.TrimSuffix(r.file, ".ftdp") + "_formatted.ftdp"
	if err := os.WriteFile(file, []byte(run.Message), 0o644); err != nil {
		return err
	}
	defer os.Remove(file)
	again, err := r.Program.run("fmt", "--check", file)
	if err == nil && again.Code != 0 {
		r.Disagreements = append(r.Disagreements, Disagreement{"fmt twice", again.Message + run.Message, again.Args})
	}
	return err
}

// reformatted says what is wrong with a text in place of that of the case, or "".
func (r *runner) reformatted(source string) string {
	text, err := Parse(source)
	if err != nil {
		return err.Error()
	}
	model, err := Load(text, r.Outcome.Case.Set)
	if err != nil {
		return err.Error()
	}
	before := r.expect(Options{Traffic: Direct})
	after := (&judge{model: model, limit: r.limit, known: map[Options]*expected{}}).expect(Options{Traffic: Direct})
	if len(before.graph.Nodes) != len(after.graph.Nodes) || len(before.graph.Initial) != len(after.graph.Initial) {
		return fmt.Sprintf("%d states, expected %d", len(after.graph.Nodes), len(before.graph.Nodes))
	}
	for i, n := range before.graph.Nodes {
		if n.State.Key() != after.graph.Nodes[i].State.Key() {
			return "other states"
		}
	}
	for i, p := range r.model.Text.Properties {
		q := model.Text.Properties[i]
		if p.Temporal && before.verdict(p).Holds != after.verdict(q).Holds {
			return p.Name + " is another property"
		}
		if !p.Temporal && before.violations[p.Name] != after.violations[q.Name] {
			return p.Name + " is another property"
		}
	}
	return ""
}

// resume explores with a limit, and goes on where that ended.
func (r *runner) resume(every []*Property) error {
	r.Outcome.Case.Features.add("--resume")
	saved := r.file + ".state"
	defer os.Remove(saved)
	limit := fmt.Sprint(1 + r.IntN(max(1, r.States)))
	only := every[:1]
	args := []string{"--jobs", "1", "--spec", only[0].Name, "--symmetry", []string{"none", "roles"}[r.IntN(2)]}
	if _, err := r.explore(Direct, only, append(args, "--max-states", limit, "--save-state", saved)...); err != nil {
		return err
	}
	if _, err := os.Stat(saved); err != nil {
		return nil
	}
	_, err := r.explore(Direct, only, append(args, "--resume", saved)...)
	return err
}

// inductTimeout is how long a proof may take.
var inductTimeout = "3s"

// induct asks for proofs of invariants.
func (r *runner) induct() error {
	r.Outcome.Case.Features.add("induct")
	run, err := r.Program.run(append([]string{"induct", r.file, "--json", "--timeout", inductTimeout}, r.set()...)...)
	if err != nil {
		return err
	}
	r.Runs++
	c := &comparison{judge: r.judge, run: run}
	for _, p := range r.model.Text.Properties {
		if !p.Temporal {
			c.properties = append(c.properties, p)
		}
	}
	explicit := r.expect(Options{Traffic: Direct})
	if run.unable() {
		r.Outcome.Case.Features.add("induct cannot follow")
		return nil
	}
	if run.Error != nil {
		r.Outcome.Case.Features.add("induct error")
		c.error(explicit, Direct)
	}
	lines := explicit.failureLines(nil)
	for _, x := range run.Results {
		r.Outcome.Case.Features.add("induct " + x.Verdict)
		violation := explicit.violations[x.Property]
		switch {
		case x.Verdict == "holds" && violation >= 0:
			c.report("induct holds", "%s: holds, expected violated at %d", x.Property, violation)
		case x.Verdict == "holds" && len(lines)+len(explicit.errors[x.Property]) > 0:
			c.report("induct holds in spite of errors", "%s", x.Property)
		case x.Verdict == "violated" && violation < 0:
			c.report("induct violated", "%s: violated, expected holds", x.Property)
		}
	}
	r.Disagreements = append(r.Disagreements, c.found...)
	return r.replay(run)
}

// replay has the program check what it found.
func (r *runner) replay(run *Run) error {
	for _, x := range run.Results {
		if len(x.Witness) == 0 {
			if x.Verdict == "violated" {
				r.Disagreements = append(r.Disagreements, Disagreement{"violated without a run", x.Property, run.Args})
			}
			continue
		}
		r.witness(x, run)
		if r.IntN(6) > 0 {
			continue
		}
		r.Outcome.Case.Features.add("replay")
		file := r.file + ".run.json"
		if err := os.WriteFile(file, x.Witness, 0o644); err != nil {
			return err
		}
		again, err := r.Program.run("replay", r.file, file)
		os.Remove(file)
		if err != nil {
			return err
		}
		r.Runs++
		if again.Code != 0 {
			r.Disagreements = append(r.Disagreements, Disagreement{"replay", x.Property + ": " + again.Message, run.Args})
		}
	}
	return nil
}

// witness follows a run that the program found in the graph of the reference.
func (r *runner) witness(x Result, run *Run) {
	var w witness
	err := json.Unmarshal(x.Witness, &w)
	if err == nil {
		e := r.expect(Options{Traffic: Traffic(w.Options["traffic"]), Implicit: w.Options["crash"] == "implicit"})
		if !e.complete {
			return
		}
		for _, p := range r.model.Text.Properties {
			if p.Name == x.Property {
				err = w.check(e.graph, p)
			}
		}
	}
	if err != nil {
		r.Disagreements = append(r.Disagreements, Disagreement{"run", x.Property + ": " + err.Error() + string(x.Witness), run.Args})
	}
}
