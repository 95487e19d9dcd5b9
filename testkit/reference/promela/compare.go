package promela

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Disagreement is a difference between the program and the reference.
type Disagreement struct {
	Kind   string // explore, verify, witness, ...
	Case   *Case
	Detail string
}

// Limits bound the work for a case.
type Limits struct {
	States int   // of a graph
	Nodes  int   // of a tableau
	Params int64 // greatest value of parameters
}

// A Comparison holds a case against the program.
type Comparison struct {
	Program  *Program
	Folder   string // for files
	Limits   Limits
	Spin     *Spin // nil: no third opinion
	Mistake  func(*Model)
	Refusals map[string]int
	Counts   map[string]int
	Examples []string // of refusals, the first of each kind
	Found    []Disagreement

	c      *Case
	m      *Model
	refuse error // why the reference refuses the text
	cache  map[string]*decided
	graphs map[string]*Graph
	file   string
}

// decided is what the reference says of a formula and an instance.
type decided struct {
	graph *Graph
	run   *Run // nil: no violation
	err   error
}

// NewComparison makes one; files are written to the folder.
func NewComparison(p *Program, folder string) *Comparison {
	return &Comparison{Program: p, Folder: folder, Limits: Limits{States: 1500, Nodes: 60000, Params: 3}, Refusals: map[string]int{}, Counts: map[string]int{}}
}

func (k *Comparison) disagree(kind, format string, args ...any) {
	k.c.Tags["result disagreement"] = true
	k.Found = append(k.Found, Disagreement{kind, k.c, fmt.Sprintf(format, args...)})
}

func (k *Comparison) count(what string) {
	k.Counts[what]++
}

// Case compares one case in all ways.
func (k *Comparison) Case(c *Case) error {
	k.c, k.cache, k.graphs = c, map[string]*decided{}, map[string]*Graph{}
	k.count("cases")
	k.m, k.refuse = Parse(c.Text, c.Defines)
	if k.refuse == nil {
		_, k.refuse = k.m.control()
	}
	if k.refuse == nil && k.Mistake != nil {
		k.Mistake(k.m)
	}
	k.file = filepath.Join(k.Folder, fmt.Sprintf("case%d.pml", c.Seed))
	if err := os.WriteFile(k.file, []byte(c.Text), 0o644); err != nil {
		return err
	}
	defer os.Remove(k.file)
	ok, err := k.explore()
	if err != nil || !ok {
		return err
	}
	if err := k.verify(); err != nil {
		return err
	}
	if c.Seed%5 == 0 && !c.NoFairness {
		if err := k.translate(); err != nil {
			return err
		}
	}
	if k.Spin != nil {
		return k.spin()
	}
	return nil
}

// options are those that go to every command.
func (k *Comparison) options(fairness bool) []string {
	var out []string
	for _, d := range k.c.Defines {
		out = append(out, "-D", d)
	}
	if fairness && k.c.NoFairness {
		out = append(out, "--no-fairness")
	}
	return out
}

func key(params []int64, spec string) string { return fmt.Sprint(params, spec) }

// decide is what the reference says, computed once.
func (k *Comparison) decide(params []int64, spec string) *decided {
	id := key(params, spec)
	if d, ok := k.cache[id]; ok {
		return d
	}
	d := &decided{}
	k.cache[id] = d
	f := k.m.formula(spec)
	if f == nil {
		d.err = fmt.Errorf("there is no formula %s", spec)
		return d
	}
	g, ok := k.graphs[fmt.Sprint(params)]
	if !ok {
		in, err := k.m.NewInstance(params)
		if err == nil {
			limit := k.Limits.States
			if k.c.Deep > 0 {
				limit *= 3
			}
			g, err = in.Explore(limit)
		}
		if err != nil {
			d.err = err
			return d
		}
		k.graphs[fmt.Sprint(params)] = g
	}
	d.graph = g
	d.run, d.err = g.Violation(k.m.Claim(*f, !k.c.NoFairness), k.Limits.Nodes)
	if d.run != nil {
		// The run has to violate the formula by the other decision, too.
		holds, err := g.In.Holds(k.m.Claim(*f, !k.c.NoFairness), d.run.Lasso(g))
		if err != nil || holds {
			k.disagree("reference", "the two decisions of the reference differ: %v %v", id, err)
		}
	}
	return d
}

// position is where a message says that something is wrong.
var position = regexp.MustCompile(`^\S*\.pml:(\d+:)*(\d+:)? `)

// quoted are the parts of a message that differ from text to text.
var quoted = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|\\d+|[pqrf]_?[a-z0-9]*\\b:")

// reason is the first line of a refusal without what is only of this text.
func reason(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return quoted.ReplaceAllString(position.ReplaceAllString(line, ""), "_")
}

// refused notes that the program refuses a text; it says whether the answer was one.
func (k *Comparison) refused(command string, a Answer) bool {
	if a.Code != 2 {
		if strings.Contains(a.Message, "panic:") || strings.Contains(a.Message, "goroutine ") {
			k.disagree("panic", "%s: %s", command, a.Message)
			return true
		}
		return false
	}
	r := reason(a.Message)
	if strings.TrimSpace(a.Message) == "" {
		k.disagree("refusal without a message", "%s", command)
	}
	if k.refuse == nil {
		k.Refusals[command+": "+r]++
		if k.Refusals[command+": "+r] == 1 {
			k.Examples = append(k.Examples, fmt.Sprintf("seed %d: %s: %s", k.c.Seed, command, r))
		}
		k.c.Tags["result refused"] = true
	} else {
		k.c.Tags["result both refuse"] = true
		k.count("both refuse")
	}
	return true
}

// values are the parameters in the order of their declaration.
func (k *Comparison) values(p map[string]int64) []int64 {
	var out []int64
	for _, name := range k.m.Params {
		out = append(out, p[name])
	}
	return out
}

// explore compares instances. It says whether the text was accepted by both.
func (k *Comparison) explore() (bool, error) {
	limit := k.Limits.Params
	if k.refuse == nil && len(k.m.Admissible(limit+1)) <= 7 {
		limit++
	}
	a, err := k.Program.Run(append([]string{"explore", k.file, "--all-up-to", fmt.Sprint(limit), "--json", "--states", "8000"}, k.options(true)...)...)
	if err != nil {
		return false, err
	}
	if a.Code == 2 && k.outOfRange(limit) {
		k.count("explore and reference: a value out of range")
		k.c.Tags["result out of range"] = true
		return true, nil
	}
	if k.refused("explore", a) {
		if k.refuse == nil && strings.Contains(a.Message, "no parameters satisfy") && len(k.m.Admissible(limit+1)) > 0 {
			k.disagree("no parameters", "%s", a.Message)
		}
		return false, nil
	}
	if k.refuse != nil {
		k.disagree("accepted", "the reference refuses the text: %v", k.refuse)
		return false, nil
	}
	if a.Code < 0 {
		k.c.Tags["result timeout"] = true
		return false, nil
	}
	list, err := a.Verdicts()
	if err != nil && strings.Contains(err.Error(), "too large") {
		k.count("explore --json: a line that is no JSON: too large")
	} else if err != nil {
		k.disagree("explore --json", "%v", err)
	}
	seen := map[string]bool{}
	tooLarge := strings.Contains(a.Out+a.Message, "too large")
	violated := map[string]bool{} // such a formula is not explored in further instances
	for _, v := range list {
		params := k.values(v.Parameters)
		seen[key(params, v.Spec)] = true
		violated[v.Spec] = violated[v.Spec] || v.Verdict == "violated"
		k.exploredOne(params, v)
	}
	for _, params := range k.m.Admissible(limit) {
		for _, f := range k.m.Formulas {
			if !f.IsFairness() && !violated[f.Name] && !seen[key(params, f.Name)] && !tooLarge {
				k.disagree("explore misses an instance", "%v %s", params, f.Name)
				return true, nil
			}
		}
	}
	return true, k.exploreOther(limit, seen)
}

// outOfRange says whether a variable may get a value that its type does not have.
func (k *Comparison) outOfRange(limit int64) bool {
	if k.refuse != nil {
		return false
	}
	for _, params := range k.m.Admissible(limit) {
		for _, f := range k.m.Formulas {
			if d := k.decide(params, f.Name); faulty(d.err) {
				return true
			}
		}
	}
	return false
}

// exploreOther explores a further instance, at random.
func (k *Comparison) exploreOther(limit int64, seen map[string]bool) error {
	list := k.m.Admissible(limit)
	if len(list) == 0 {
		return nil
	}
	params := list[int(k.c.Seed)%len(list)]
	if k.c.Seed%2 == 0 || seen[key(params, k.m.Formulas[len(k.m.Formulas)-1].Name)] {
		return nil
	}
	var values []string
	for i, p := range k.m.Params {
		values = append(values, fmt.Sprintf("%s=%d", p, params[i]))
	}
	a, err := k.Program.Run(append([]string{"explore", k.file, "--params", strings.Join(values, ","), "--json", "--states", "8000"}, k.options(true)...)...)
	if err != nil {
		return err
	}
	verdicts, err := a.Verdicts()
	if a.Code == 2 && k.outOfRange(limit) {
		return nil
	}
	if a.Code != 3 && err != nil && !strings.Contains(err.Error(), "too large") || a.Code == 2 {
		k.disagree("explore with parameters", "%v: %v %s", values, err, a.Message)
	}
	for _, v := range verdicts {
		k.exploredOne(params, v)
	}
	return nil
}

// exploredOne compares the verdict for an instance.
func (k *Comparison) exploredOne(params []int64, v Verdict) {
	d := k.decide(params, v.Spec)
	if d.err != nil {
		if errors.Is(d.err, ErrAssumptions) {
			k.disagree("explore has a wrong instance", "%v", params)
		}
		k.count("instances the reference gives up on: " + d.err.Error())
		return
	}
	k.count("instances")
	if d.graph.Starts == 0 {
		k.disagree("explore has no start", "%v", params)
	}
	if d.graph.In.Count == 0 {
		k.c.Tags["result no processes"] = true
	}
	if d.graph.Stops > 0 {
		k.c.Tags["result stops"] = true
	}
	switch v.Verdict {
	case "violated":
		k.c.Tags["result explore violated"] = true
		if d.run == nil {
			k.disagree("explore violated"+k.shape(d, v.Spec), "%v %s: the reference finds no violation in %d states", params, v.Spec, len(d.graph.Worlds))
		}
		k.witness("explore", v)
	case "no violation":
		k.c.Tags["result explore holds"] = true
		if d.run != nil {
			k.disagree("explore no violation"+k.shape(d, v.Spec), "%v %s: the reference has a violation: %s", params, v.Spec, d.graph.Story(d.run))
		}
	default:
		k.count("explore " + v.Verdict)
	}
}

// shape groups disagreements.
func (k *Comparison) shape(d *decided, spec string) string {
	s := ""
	if d.graph.In.Count == 0 {
		s += ", no processes"
	}
	if d.graph.Stops > 0 {
		s += ", runs stop"
	}
	if k.m.formula(spec).Chain {
		s += ", p -> q -> r"
	}
	return s
}

// Story shows a run to people.
func (g *Graph) Story(r *Run) string {
	var b strings.Builder
	b.WriteString(g.In.Text(g.Worlds[r.Start]))
	for i, m := range r.Moves {
		if i == r.Loop {
			b.WriteString(" | loop:")
		}
		fmt.Fprintf(&b, " -%d-> %s", m.Proc, g.In.Text(g.Worlds[m.To]))
	}
	return b.String()
}

// witness replays a run of the program here, and has the program replay it.
func (k *Comparison) witness(command string, v Verdict) {
	if len(v.Witness) == 0 {
		k.disagree(command+" without a witness", "%s", v.Spec)
		return
	}
	var w Witness
	if err := json.Unmarshal(v.Witness, &w); err != nil {
		k.disagree(command+" witness is not readable", "%v", err)
		return
	}
	switch {
	case w.Loop > 0:
		k.c.Tags["result witness lasso"] = true
	case w.Stops:
		k.c.Tags["result witness stops"] = true
	default:
		k.c.Tags["result witness finite"] = true
	}
	k.count("witnesses")
	if err := k.m.CheckWitness(&w, !k.c.NoFairness); err != nil {
		k.disagree(command+" witness", "%s: %v: %s", v.Spec, err, v.Witness)
	}
	if k.c.Seed%6 == 0 {
		k.replay(command, v.Witness, true)
	}
}

// replay has the program judge a run.
func (k *Comparison) replay(whose string, text []byte, accept bool) {
	file := k.file + ".json"
	if err := os.WriteFile(file, text, 0o644); err != nil {
		k.disagree("file", "%v", err)
		return
	}
	defer os.Remove(file)
	a, err := k.Program.Run(append([]string{"replay", k.file, file}, k.options(true)...)...)
	if err != nil {
		k.disagree("replay", "%v", err)
		return
	}
	k.count("replays")
	k.c.Tags["result replay"] = true
	if accept && a.Code != 0 {
		k.disagree("replay of "+whose, "exit code %d: %s%s: %s", a.Code, a.Message, a.Out, text)
	}
	if !accept && a.Code == 0 {
		k.disagree("replay of "+whose, "accepted: %s", text)
	}
}

// verify compares the verdict for all parameters.
func (k *Comparison) verify() error {
	a, err := k.Program.Run(append([]string{"verify", k.file, "--json", "--no-sanity", "--timeout", "3s"}, k.options(true)...)...)
	if err != nil {
		return err
	}
	if k.refused("verify", a) {
		return nil
	}
	list, err := a.Verdicts()
	if err != nil {
		k.disagree("verify --json", "%v", err)
	}
	held := map[string]bool{}
	for _, v := range list {
		k.count("verify " + v.Verdict)
		k.c.Tags["result verify "+v.Verdict] = true
		switch v.Verdict {
		case "holds":
			held[v.Spec] = true
			k.holds("verify", v.Spec)
		case "violated":
			k.witness("verify", v)
			k.own(v.Spec)
		}
	}
	if k.c.Deep > 0 && len(held) > 0 {
		return k.deeper(held)
	}
	return nil
}

// deeper asks the program itself for larger instances, where it explores, of what it says to hold.
func (k *Comparison) deeper(held map[string]bool) error {
	a, err := k.Program.Run(append([]string{"explore", k.file, "--all-up-to", fmt.Sprint(k.c.Deep + 2), "--json", "--states", "4000"}, k.options(true)...)...)
	if err != nil {
		return err
	}
	list, _ := a.Verdicts()
	for _, v := range list {
		if held[v.Spec] {
			k.count("larger instances explored: " + v.Verdict)
		}
		if held[v.Spec] && v.Verdict == "violated" {
			k.disagree("verify holds, explore violated", "%v %s", v.Parameters, v.Spec)
		}
	}
	return nil
}

// depth is up to which values of parameters instances are looked at.
func (k *Comparison) depth() int64 { return max(k.Limits.Params, k.c.Deep) }

// holds looks for an instance in which a formula that is said to hold is violated.
func (k *Comparison) holds(command, spec string) {
	for _, params := range k.m.Admissible(k.depth()) {
		d := k.decide(params, spec)
		if d.err == nil && k.c.Deep > 0 {
			k.count(fmt.Sprintf("%s holds, guards with both signs, %d processes", command, d.graph.In.Count))
		}
		if d.err == nil && d.run != nil {
			k.disagree(command+" holds"+k.shape(d, spec), "%v %s: the reference has a violation: %s", params, spec, d.graph.Story(d.run))
			return
		}
	}
}

// own has the program replay a run of the reference, and one that is none.
func (k *Comparison) own(spec string) {
	if k.c.Seed%6 != 1 {
		return
	}
	for _, params := range k.m.Admissible(k.Limits.Params) {
		d := k.decide(params, spec)
		if d.err != nil || d.run == nil {
			continue
		}
		w, err := d.graph.Save(d.run, spec, !k.m.formula(spec).Expr.Infinite())
		if err != nil {
			return
		}
		text, err := json.Marshal(w)
		if err != nil {
			return
		}
		k.replay("a run of the reference"+k.shape(d, spec), text, true)
		if len(w.Steps) > 0 {
			last := &w.Steps[len(w.Steps)-1]
			k.spoil(w, last)
			if text, err = json.Marshal(w); err == nil {
				k.replay("a run that is none", text, false)
			}
		}
		return
	}
}

// spoil makes a run none.
func (k *Comparison) spoil(w *Witness, last *WitnessStep) {
	switch k.c.Seed / 6 % 4 {
	case 0:
		last.Lines = append(last.Lines, last.Lines[0]+1)
	case 1:
		last.After[k.m.Locals[0].Name] += 70
	case 2:
		w.Start = append(w.Start, w.Start[0])
	default:
		last.Shared[k.m.Shared[0].Name] += 7
	}
}

// translate has the automaton verified.
func (k *Comparison) translate() error {
	a, err := k.Program.Run(append([]string{"translate", k.file}, k.options(false)...)...)
	if err != nil {
		return err
	}
	if k.refused("translate", a) || a.Code != 0 {
		return nil
	}
	file := k.file + ".ta"
	if err := os.WriteFile(file, []byte(a.Out), 0o644); err != nil {
		return err
	}
	defer os.Remove(file)
	if a, err = k.Program.Run("verify", file, "--json", "--no-sanity", "--timeout", "3s"); err != nil {
		return err
	}
	if a.Code == 2 {
		k.Refusals["translated: "+reason(a.Message)]++
		return nil
	}
	list, err := a.Verdicts()
	if err != nil {
		k.disagree("verify --json", "%v", err)
	}
	k.c.Tags["result translated"] = true
	for _, v := range list {
		k.count("translated " + v.Verdict)
		if v.Verdict == "holds" {
			k.holds("translated", v.Spec)
		}
	}
	return nil
}

// Kinds counts disagreements by kind.
func (k *Comparison) Kinds() []string {
	n := map[string]int{}
	for _, d := range k.Found {
		n[d.Kind]++
	}
	var out []string
	for kind, count := range n {
		out = append(out, fmt.Sprintf("%5d %s", count, kind))
	}
	slices.Sort(out)
	return out
}
