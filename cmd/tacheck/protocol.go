package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tacheck/explore"
	"tacheck/internal/chart"
	"tacheck/internal/memory"
	"tacheck/internal/record"
	"tacheck/internal/save"
	"tacheck/internal/spell"
	"tacheck/internal/verdict"
	"tacheck/protocol"
	"tacheck/protocol/interference"
	"tacheck/protocol/machine"
	"tacheck/protocol/threshold"
	"tacheck/verify"
)

// isProtocol tells protocols by the names of their files.
func isProtocol(name string) bool { return strings.EqualFold(filepath.Ext(name), ".ftdp") }

// protocolFlags are the flags of explore that are for protocols.
type protocolFlags struct {
	set        []string
	properties []string
	symmetry   string
	traffic    string
	crash      string
	jobs       int
	memory     byteSize
	states     int64
	timeout    time.Duration
	partial    string
	split      string
	why        []string
	chart      string
	saveState  string
	resume     string
}

func (f *protocolFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.set, "set", nil, "protocols: values of constants in place of the model's: `m=2,n=3`")
	flags.StringArrayVar(&f.properties, "property", nil, "protocols: decide this `property` only (may be given several times)")
	flags.StringVar(&f.symmetry, "symmetry", "roles", "protocols: roles, or none to tell processes of a role apart")
	flags.StringVar(&f.traffic, "traffic", "M", "protocols: model of message traffic: M, GRM (delivery is a step) or RM (and everything delivered is received at once)")
	flags.StringVar(&f.crash, "crash", "", "protocols: implicit (those that crash just move no more) or explicit (default implicit where that is exact)")
	flags.StringVar(&f.partial, "por", "", "protocols: partial orders: none, lpor, lpor-net or dpor (default none for the first 524288 states and with --symmetry none, else lpor-net, where that is exact)")
	flags.StringVar(&f.split, "split", "", "protocols: for partial orders, divide rules by whom they receive from: none, quorum, reply or combined (the default)")
	flags.StringSliceVar(&f.why, "why", nil, "protocols: instead of exploring, say which steps of these two rules depend on each other, and why: `RULE,RULE`")
	jobsFlag(flags, &f.jobs, "protocols: explore with so many threads; what is found does not depend on it")
	flags.Var(&f.memory, "memory", "protocols: stop when states take more memory, such as 8GiB (default three quarters of what is free)")
	flags.Int64Var(&f.states, "max-states", 0, "protocols: stop after so many states (default no limit)")
	flags.DurationVar(&f.timeout, "timeout", 0, "protocols: stop after this time, such as 5m (default no limit)")
	flags.StringVar(&f.saveState, "save-state", "", "protocols: when exploration ends before it is complete, and once a minute, save what was visited in this `file`")
	flags.StringVar(&f.resume, "resume", "", "protocols: go on where the exploration that saved its state in this `file` was; it is updated")
	cmd.MarkFlagsMutuallyExclusive("save-state", "resume")
	flags.StringVar(&f.chart, "chart", "", "protocols: draw the first counterexample as a message sequence chart, an SVG `file`")
}

// constants reads --set.
func constants(list []string) (map[string]int64, error) {
	out := map[string]int64{}
	for _, part := range list {
		name, value, found := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		n, err := strconv.ParseInt(value, 10, 32)
		switch value {
		case "true":
			n, err = 1, nil
		case "false":
			n, err = 0, nil
		}
		if !found || err != nil {
			return nil, fmt.Errorf("--set: %q is not NAME=NUMBER", part)
		}
		out[name] = n
	}
	return out, nil
}

// fitting refuses numbers for truth values, and truth values for numbers.
func fitting(m *protocol.Model, set []string) error {
	for _, part := range set {
		name, value, _ := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		truth := value == "true" || value == "false"
		isTruth := slices.ContainsFunc(m.Constants, func(k protocol.Constant) bool { return k.Name == name && k.Bool })
		switch {
		case truth && !isTruth:
			return fmt.Errorf("--set: %s is a number, not %s", name, value)
		case !truth && isTruth:
			return fmt.Errorf("--set: %s is a truth value: true or false, not %s", name, value)
		}
	}
	return nil
}

// options resolves the flags.
func (f *protocolFlags) options() (machine.Options, error) {
	o := machine.Options{Crash: f.crash, Plain: f.symmetry == "none", Bounds: explore.Bounds{Jobs: f.jobs, States: f.states, Memory: int64(f.memory)}}
	choices := func(flag, value string, list ...string) error {
		for _, l := range list {
			if l == value {
				return nil
			}
		}
		return fmt.Errorf("--%s: choose one of %s%s", flag, strings.Join(list, ", "), spell.Hint(value, list))
	}
	if err := errors.Join(choices("symmetry", f.symmetry, "roles", "none"), choices("traffic", strings.ToUpper(f.traffic), "M", "GRM", "RM")); err != nil {
		return o, err
	}
	if f.crash != "" {
		if err := choices("crash", f.crash, "implicit", "explicit"); err != nil {
			return o, err
		}
	}
	if f.partial != "" {
		if err := choices("por", f.partial, machine.Unreduced, machine.LPOR, machine.LPORNet, machine.DPOR); err != nil {
			return o, err
		}
	}
	if f.split != "" {
		if err := choices("split", f.split, string(interference.None), string(interference.Quorum), string(interference.Reply), string(interference.Combined)); err != nil {
			return o, err
		}
	}
	o.Partial, o.Split = f.partial, interference.Split(f.split)
	if f.partial == "" && o.Plain { // who wants no symmetry wants to see all states
		o.Partial = machine.Unreduced
	}
	o.Traffic = protocol.Traffic(strings.ToUpper(f.traffic))
	if o.Memory == 0 {
		o.Memory = int64(memory.Free()) / 4 * 3
	}
	return o, nil
}

// readProtocol reads a protocol; problems are shown with their lines.
func (c *command) readProtocol(name string, set map[string]int64) (*protocol.Model, string, error) {
	text, err := c.read(name)
	if err != nil {
		return nil, "", err
	}
	m, err := protocol.Read(record.Name(name), text, set)
	if err == nil && m.Source.Parameterized() {
		var s *protocol.Source
		if s, err = m.Source.Source(); err == nil {
			err = threshold.Check(c.ctx, s)
		}
	}
	if err != nil {
		return nil, text, &inputError{err: err, source: text}
	}
	return m, text, nil
}

func (c *command) exploreProtocol(name string, f exploreFlags) error {
	set, err := constants(f.set)
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	m, source, err := c.readProtocol(name, set)
	if err == nil {
		err = fitting(m, f.set)
	}
	if err != nil {
		return err
	}
	if f.why != nil {
		return c.whyDependent(m, f.why, o)
	}
	props, err := propsOf(m, append(f.properties, f.specs...))
	if err != nil {
		return err
	}
	if f.swarm < 0 {
		return errors.New("--swarm: say how many searches")
	}
	if f.swarm > 0 {
		return c.swarm(m, source, set, props, o, f)
	}
	if name := f.saveState + f.resume; name != "" {
		for _, p := range props {
			if p.Invariant == nil {
				return fmt.Errorf("--save-state and --resume are for invariants: name them with --property (%s is a formula)", p.Name)
			}
		}
		if f.saveState != "" {
			if err := explore.Replaceable(name); err != nil {
				return fmt.Errorf("--save-state: %w", err)
			}
		}
		unhurried.Store(true) // what was visited is saved
		o.Journal = &explore.Journal{File: name, Resume: f.resume != "", Identity: identity(m, props, o)}
	}
	ctx := c.ctx
	if f.serve && f.timeout == 0 {
		f.timeout = 10 * time.Second // for counterexamples to jump to
	}
	if f.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.timeout)
		defer stop()
	}
	w := c.follow()
	o.Progress = w.tell
	var results []*machine.Result
	if len(props) == 0 {
		var r *machine.Result
		r, err = machine.Count(ctx, m, o)
		results = append(results, r)
	} else {
		results, err = machine.Check(ctx, m, props, o)
	}
	w.end()
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		return errors.Join(c.modelError(m, source, bad), saveFailing(bad, f.witness))
	}
	if err != nil {
		return err
	}
	if f.serve {
		return c.serveProtocol(m, results, o)
	}
	return c.protocolResults(m, results, f)
}

// whyDependent prints which steps of two rules depend on each other.
func (c *command) whyDependent(m *protocol.Model, rules []string, o machine.Options) error {
	if len(rules) != 2 {
		return errors.New("--why takes the names of two rules: RULE,RULE")
	}
	var labels []string
	for i := range m.Rules {
		labels = append(labels, m.Rules[i].Label)
	}
	for _, r := range rules {
		if !slices.Contains(labels, r) {
			return fmt.Errorf("%s has no rule %q%s", m.File, r, spell.Hint(r, labels))
		}
	}
	split := o.Split
	if split == "" {
		split = interference.Combined
	}
	a := interference.New(m, protocol.Options{Traffic: o.Traffic, Implicit: o.Crash == "implicit"}, split)
	var b strings.Builder
	for t := range a.Transitions {
		for u := range a.Transitions {
			if t == u || m.Rules[a.Transitions[t].Rule].Label != rules[0] || m.Rules[a.Transitions[u].Rule].Label != rules[1] {
				continue
			}
			list := a.Why(t, u)
			if list == nil {
				fmt.Fprintf(&b, "%s does not depend on %s\n", a.Name(t), a.Name(u))
				continue
			}
			fmt.Fprintf(&b, "%s and %s:\n", a.Name(t), a.Name(u))
			for _, reason := range list {
				fmt.Fprintf(&b, "  %s\n", reason)
			}
		}
	}
	_, err := fmt.Fprint(c.stdout, b.String())
	return err
}

// identity names all that the states of an exploration depend on.
func identity(m *protocol.Model, props []*protocol.Prop, o machine.Options) string {
	text := fmt.Sprint(m.Digest(), " ", m.Assignments(), " ", o.Traffic, " ", o.Crash, " ", o.Plain, " ", o.Partial, " ", o.Split, " ", release)
	for _, p := range props {
		text += " " + p.Name
	}
	return text
}

// follow shows how far an exploration is.
func (c *command) follow() *exploring { return &exploring{line: c.line(), start: time.Now()} }

type exploring struct {
	mu    sync.Mutex
	line  func(string)
	start time.Time
}

func (x *exploring) tell(p explore.Progress) {
	if time.Since(x.start) < quiet {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.line(fmt.Sprintf("%d states, %d a second, %d to be visited, depth %d, %.0f s", p.States, int(p.Rate), p.Queue, p.Depth, time.Since(x.start).Seconds()))
}

func (x *exploring) end() { x.line("") }

func propsOf(m *protocol.Model, names []string) ([]*protocol.Prop, error) {
	var list []*protocol.Prop
	var known []string
	for i := range m.Props {
		known = append(known, m.Props[i].Name)
		if len(names) == 0 {
			list = append(list, &m.Props[i])
		}
	}
	for _, name := range names {
		p := m.Lookup(name)
		if p == nil {
			return nil, fmt.Errorf("%s has no property %q%s", m.File, name, spell.Hint(name, known))
		}
		list = append(list, p)
	}
	return list, nil
}

// modelError tells an error in a model that shows when it runs.
func (c *command) modelError(m *protocol.Model, source string, e *machine.ModelError) error {
	var b strings.Builder
	if len(e.Run.Events) > 0 {
		fmt.Fprintf(&b, "The run that leads there:\n")
		c.screen().protocolRun(&b, e.Run)
	}
	return &inputError{err: e.Problem(), source: source, more: b.String()}
}

// protocolJSON is the object printed for a property by --json.
type protocolJSON struct {
	File        string           `json:"file"`
	Property    string           `json:"property,omitempty"`
	Verdict     verdict.Verdict  `json:"verdict"`
	Reason      string           `json:"reason,omitempty"`
	Constants   map[string]any   `json:"constants"`
	Symmetry    string           `json:"symmetry"`
	Traffic     protocol.Traffic `json:"traffic"`
	Crash       string           `json:"crash"`
	States      int64            `json:"states"`
	Transitions int64            `json:"transitions"`
	Depth       int              `json:"depth"`
	Seconds     float64          `json:"seconds"`
	Bytes       float64          `json:"bytes_per_state"`
	Partial     string           `json:"por"`
	Split       string           `json:"split"`
	Deadlocks   int64            `json:"deadlocks"`
	Witness     *protocol.Run    `json:"witness,omitempty"`
}

func (c *command) protocolResults(m *protocol.Model, results []*machine.Result, f exploreFlags) error {
	s := c.screen()
	width := 0
	for _, r := range results {
		width = max(width, len(r.Property))
	}
	saved := false
	for _, r := range results {
		switch r.Verdict {
		case machine.Violated:
			c.outcome(verdict.Violated)
			if !saved {
				saved = true
				if err := saveRun(r.Run, f); err != nil {
					return err
				}
			}
		case machine.Unknown:
			c.outcome(verdict.Unknown)
		}
		if f.json {
			out := protocolJSON{m.File, r.Property, r.Verdict, r.Reason, m.ConstantValues(), symmetryName(r), r.Options.TrafficName(), r.Options.CrashName(),
				r.States, r.Transitions, r.Depth, r.Time.Seconds(), r.Bytes, r.Partial, string(r.Split), r.Deadlocks, r.Run}
			if err := encodeJSON(c.stdout, out); err != nil {
				return err
			}
			continue
		}
		var b strings.Builder
		s.protocolResult(&b, m, r, width)
		if _, err := fmt.Fprint(c.stdout, b.String()); err != nil {
			return err
		}
	}
	if f.chart != "" && !saved {
		c.notDrawn("chart", f.chart, "counterexample")
	}
	return nil
}

func symmetryName(r *machine.Result) string {
	if r.Symmetric {
		return "roles"
	}
	return "none"
}

// saveFailing writes the run to an error in a model into a file, if one is given.
func saveFailing(e *machine.ModelError, witness string) error {
	if witness == "" || e.Run == nil || len(e.Run.Events) == 0 {
		return nil
	}
	return saveJSON(witness, e.Run)
}

// saveRun writes the files that the flags ask for.
func saveRun(r *protocol.Run, f exploreFlags) error {
	if f.witness != "" {
		if err := saveJSON(f.witness, r); err != nil {
			return err
		}
	}
	if f.chart != "" {
		return save.Text(f.chart, chart.SVG(r))
	}
	return nil
}

// protocolResult prints a result for people.
func (s screen) protocolResult(b *strings.Builder, m *protocol.Model, r *machine.Result, width int) {
	verdict := fmt.Sprintf("%-8s", r.Verdict)
	if r.Reason != "" {
		verdict = fmt.Sprintf("%s: %s", r.Verdict, r.Reason)
	}
	name := m.File
	if a := m.Assignments(); a != "" {
		name += " (" + a + ")"
	}
	if r.Property != "" {
		fmt.Fprintf(b, "%s: %-*s  %s  ", name, width, r.Property, s.paint(verdictColour[verify.Verdict(r.Verdict)], verdict))
	} else {
		fmt.Fprintf(b, "%s: no properties; ", name)
	}
	var how []string
	if r.Symmetric {
		how = append(how, "role symmetry")
	}
	if t := r.Options.TrafficName(); t != protocol.Direct {
		how = append(how, "traffic "+string(t))
	}
	how = append(how, r.Options.CrashName()+" crashes")
	if r.Partial != machine.Unreduced {
		how = append(how, r.Partial)
		if r.Split != interference.Combined {
			how = append(how, "split "+string(r.Split))
		}
	}
	depth := ""
	if r.Depth > 0 { // formulas that hold have none
		depth = fmt.Sprintf("depth %d, ", r.Depth)
	}
	fmt.Fprintf(b, "%s, %s, %s%.2f s (%s)\n", plural(int(r.States), "state", "states"), plural(int(r.Transitions), "transition", "transitions"), depth, r.Time.Seconds(), strings.Join(how, ", "))
	if r.Asymmetry != "" {
		fmt.Fprintf(b, "  no symmetry: %s\n", r.Asymmetry)
	}
	if r.Whole != "" {
		fmt.Fprintf(b, "  all steps are followed: %s\n", r.Whole)
	}
	if r.Run != nil {
		s.protocolRun(b, r.Run)
	}
}

// protocolRun tells a run.
func (s screen) protocolRun(b *strings.Builder, r *protocol.Run) {
	for _, beat := range r.Story() {
		if beat.Loop {
			fmt.Fprintln(b, "  and then, again and again:")
		}
		if beat.Step == 0 {
			fmt.Fprintf(b, "  %s\n", beat.Text)
		} else {
			fmt.Fprintf(b, "  %3d  %s\n", beat.Step, beat.Text)
		}
		for _, c := range beat.Changes {
			fmt.Fprintf(b, "       %s\n", c)
		}
		for _, c := range beat.Sends {
			fmt.Fprintf(b, "       sends %s\n", c)
		}
	}
	if r.Failure != nil {
		return
	}
	fmt.Fprintln(b, "  at the end")
	last := r.States[len(r.States)-1]
	for p := range last.Cells {
		if text := r.Model.StateText(last, p); text != "" {
			fmt.Fprintf(b, "       %s: %s\n", r.Model.ProcessName(p), text)
		}
	}
}

// replayProtocol checks a saved run.
func (c *command) replayProtocol(file, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := c.read(file)
	if err != nil {
		return err
	}
	source, err := protocol.Parse(record.Name(file), text)
	if err != nil {
		return &inputError{err: err, source: text}
	}
	if err := protocol.RunOf(source, data); err != nil {
		return c.rejects(name, err)
	}
	set, err := protocol.RunConstants(data)
	if err != nil {
		return c.rejects(name, err)
	}
	m, _, err := c.readProtocol(file, set)
	if _, own, wrong := c.readProtocol(file, nil); err != nil && wrong == nil && own == text {
		return c.rejects(name, err) // the text is right, and these constants are not
	}
	if err != nil {
		return err
	}
	r, err := protocol.ReadRun(m, data)
	if err != nil {
		return c.rejects(name, err)
	}
	if err := r.Check(); err != nil {
		return c.rejects(name, err)
	}
	return c.accepted(name, ofProtocol(m.File, r))
}
