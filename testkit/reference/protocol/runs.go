package protocol

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// testRun is a run that covers something, as the program under test writes it: with what is to be expected in each state.
type testRun struct {
	Initial []testProcess `json:"initial"`
	Steps   []testStep    `json:"steps"`
}

type testProcess struct {
	Name   string          `json:"name"`
	Status string          `json:"status"`
	State  json.RawMessage `json:"state"`
}

type testStep struct {
	Rule     string                     `json:"rule"`
	Process  string                     `json:"process"`
	Fate     string                     `json:"fate"`
	With     map[string]json.RawMessage `json:"with"`
	Receives []testMessage              `json:"receives"`
	Sends    []testMessage              `json:"sends"`
	Changed  []testProcess              `json:"changed"`
	Refuses  []testStep                 `json:"refuses"`
}

type testMessage struct {
	From    string          `json:"from"`
	To      string          `json:"to"`
	Message json.RawMessage `json:"message"`
	Absent  bool            `json:"absent"`
}

// look is what a run shows of a state: the processes by name, each in its state and with its status.
type look map[string]string

// look shows a state, global variables as those of one more process.
func (m *Model) look(s *State) look {
	l := look{}
	for id := range s.Vars {
		l[m.processName(m.process(id))] = fmt.Sprint(statusType.Names[s.Status[id]], s.Vars[id])
	}
	if len(m.Globals.Fields) > 0 {
		l["shared"] = fmt.Sprint(statusType.Names[statusCorr], s.Global)
	}
	return l
}

// change notes what a run says of processes.
func (m *Model) change(l look, processes []testProcess) error {
	for _, p := range processes {
		t := m.Globals
		for _, r := range m.Roles {
			if name, _, _ := strings.Cut(p.Name, " "); name == r.Name {
				t = r.State
			}
		}
		cells, err := m.decode(t, p.State)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		l[p.Name] = fmt.Sprint(p.Status, cells)
	}
	return nil
}

// same tells whether a state looks like that.
func (l look) same(other look) bool {
	if len(l) != len(other) {
		return false
	}
	for name, v := range l {
		if other[name] != v {
			return false
		}
	}
	return true
}

// check tells what is wrong with a run: its states have to be those of the graph, its steps possible, and what it says is
// refused impossible.
func (t *testRun) check(g *Graph) error {
	m, now := g.Model, look{}
	if err := m.change(now, t.Initial); err != nil {
		return err
	}
	var at []int
	for _, n := range g.Initial {
		if m.look(g.Nodes[n].State).same(now) {
			at = append(at, n)
		}
	}
	if len(at) == 0 {
		return fmt.Errorf("no initial state is %v", now)
	}
	for i, s := range t.Steps {
		if s.Rule == "" && len(s.Refuses) > 0 {
			if err := g.refuses(at, s.Refuses); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
			continue
		}
		if err := m.change(now, s.Changed); err != nil {
			return err
		}
		to := map[int]bool{}
		for _, n := range at {
			for _, e := range g.Nodes[n].Steps {
				if s.matches(m, e.Step) && m.look(e.Step.Next).same(now) {
					to[e.To] = true
				}
			}
		}
		if at = sortedNodes(to); len(at) == 0 {
			return fmt.Errorf("step %d is not possible, or does not lead to %v", i+1, now)
		}
		if err := g.refuses(at, s.Refuses); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// refuses tells whether steps are impossible in some of the states that a run may be in.
func (g *Graph) refuses(at []int, refused []testStep) error {
	for _, r := range refused {
		possible := func(n int) bool {
			return slices.ContainsFunc(g.Nodes[n].Steps, func(e Edge) bool { return e.Step.Rule != nil && r.executes(g.Model, e.Step) })
		}
		if !slices.ContainsFunc(at, func(n int) bool { return !possible(n) }) {
			return fmt.Errorf("%s of %s is said to be refused, and is possible", r.Rule, r.Process)
		}
	}
	return nil
}

// matches tells whether a step is one that a run shows.
func (t testStep) matches(m *Model, s *Step) bool {
	if s.Rule == nil {
		return false
	}
	w := witnessStep{Fate: t.Fate}
	return w.fate(m, s) && t.executes(m, s)
}

// executes tells whether a step is of this rule, process, parameters, and messages.
func (t testStep) executes(m *Model, s *Step) bool {
	name := t.Rule
	if s.Rule == restart && strings.HasPrefix(name, restart.Label) {
		name = restart.Label
	}
	if name != s.Rule.Label || t.Process != m.processName(s.Mover) || !m.sameValues(t.With, s.With) {
		return false
	}
	for _, r := range t.Receives {
		cells, err := m.decode(m.Message, r.Message)
		if err != nil || !slices.ContainsFunc(s.Received, func(o Receipt) bool {
			return r.From == m.processName(o.From) && slices.Equal(cells, o.Message) && r.Absent == o.Absent
		}) {
			return false
		}
	}
	return true
}

// covers has the program write runs that cover the text, and follows them in the graph, state by state.
func (r *runner) covers() error {
	folder := r.file + ".runs"
	defer os.RemoveAll(folder)
	cover := []string{"rules", "pairs", "conditions"}[r.IntN(3)]
	args := append([]string{"explore", r.file, "--runs", folder, "--cover", cover}, r.set()...)
	run, err := r.Program.run(args...)
	if err != nil {
		return err
	}
	r.Runs++
	e := r.expect(Options{Traffic: Direct})
	if !e.complete {
		return nil
	}
	if run.Error != nil {
		if !slices.Contains(e.failureLines(nil), run.Error.Pos.Line) {
			r.Disagreements = append(r.Disagreements, Disagreement{"runs: error that is none", run.Message, args})
		}
		return nil
	}
	r.Outcome.Case.Features.add("--runs " + cover)
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		var t testRun
		if err = json.Unmarshal(source, &t); err == nil {
			err = t.check(e.graph)
		}
		if err != nil {
			r.Disagreements = append(r.Disagreements, Disagreement{"runs", err.Error() + "\n" + string(source), args})
		}
	}
	return nil
}
