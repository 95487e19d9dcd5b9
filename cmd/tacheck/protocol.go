package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/terminal"
)

// machineFlags are the flags of explore that say how; most are for protocols.
type machineFlags struct {
	symmetry  string
	traffic   string
	crash     string
	jobs      int
	memory    options.ByteSize
	states    int64
	timeout   time.Duration
	partial   string
	split     string
	why       []string
	saveState string
	resume    string
	compact   bool
}

// ofProtocols are those that others cannot do anything with.
var ofProtocols = []string{"symmetry", "traffic", "crash", "por", "split", "why", "save-state", "resume", "swarm",
	"runs", "cover", "compact"}

func (f *machineFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.symmetry, "symmetry", "roles", "protocols: roles, or none to tell processes of a role apart")
	flags.StringVar(&f.traffic, "traffic", "M",
		"protocols: message traffic: M, GRM (delivery is a step) or RM (and is received at once)")
	flags.StringVar(&f.crash, "crash", "", "protocols: "+crashText)
	flags.StringVar(&f.partial, "por", "",
		"protocols: partial orders: auto, none, lpor, lpor-net or dpor (default auto: past 524288 states)")
	flags.StringVar(&f.split, "split", "",
		"protocols: divide rules for partial orders: none, quorum, reply or combined (default combined)")
	flags.StringSliceVar(&f.why, "why", nil,
		"protocols: only say which steps of two rules depend on each other, and why: `RULE,RULE`")
	jobsFlag(flags, &f.jobs)
	flags.Var(&f.memory, "memory", memoryText)
	flags.Int64Var(&f.states, "max-states", 0,
		"give up on an instance with more states (default 1000000; of protocols, no limit)")
	options.SameAs(flags, "states", "max-states")
	flags.DurationVar(&f.timeout, "timeout", 0, stopAfter)
	flags.StringVar(&f.saveState, "save-state", "",
		"protocols: save what was visited in this `file`, once a minute and at the end")
	flags.StringVar(&f.resume, "resume", "",
		"protocols: go on with the exploration that this `file` saves, and update it")
	flags.BoolVar(&f.compact, "compact", false,
		"protocols: keep fingerprints in place of states, and say how probable a miss is; invariants only")
	cmd.MarkFlagsMutuallyExclusive("save-state", "resume")
	cmd.MarkFlagsMutuallyExclusive("states", "max-states")
}

// options resolves the flags.
func (f *machineFlags) options() machine.Options {
	o := machine.Options{Crash: f.crash, Plain: f.symmetry == "none",
		Partial: f.partial, Split: interference.Split(f.split),
		Bounds: explore.Bounds{Jobs: f.jobs, States: f.states, Memory: int64(f.memory)}}
	o.Compact = f.compact
	if o.Partial == "auto" {
		o.Partial = ""
	}
	if f.partial == "" && o.Plain { // who wants no symmetry wants to see all states
		o.Partial = machine.Unreduced
	}
	o.Traffic = interp.Traffic(strings.ToUpper(f.traffic))
	return o
}

// exploreProtocol explores one instance of a protocol of processes with identities, all properties at once.
func (c *command) exploreProtocol(m model.Identified, fixed model.Fixed, f exploreFlags) error {
	o := f.options()
	p, _, err := limit.Heed(c.ctx, func(ctx context.Context) (*protocol.Model, error) { return m.Protocol(ctx, f.set) })
	if err != nil {
		return options.WrongSet(f.set, err)
	}
	switch {
	case f.why != nil:
		return c.whyDependent(p, f.why, o)
	case f.runs != "":
		return c.coverRuns(p, f.states, f.coverFlags)
	}
	props, err := p.Choose(f.specs)
	if err != nil {
		return err
	}
	if f.swarm > 0 {
		return c.swarm(m, p, props, o, f)
	}
	if o.Journal, err = f.journal(p, props, o); err != nil {
		return err
	}
	x, _, err := limit.Heed(c.ctx, func(ctx context.Context) (model.Instance, error) {
		return fixed.Instance(ctx, f.set)
	})
	if err != nil {
		return options.WrongSet(f.set, err)
	}
	ctx := c.ctx
	if f.serve { // what is explored before a user walks
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, cmp.Or(f.timeout, goalTime))
		defer stop()
	}
	w := &terminal.Exploring{Line: c.line(), Start: time.Now()}
	o.Progress = w.Tell
	before := time.Since(c.begin)
	results, err := x.Explore(ctx, f.specs, model.Exploring{Machine: o})
	w.End()
	for _, r := range results {
		r.Time += before
	}
	if err == nil {
		err = c.others(x, results, model.Exploring{Machine: o}, f.kinds)
	}
	if err != nil && len(results) > 0 && !f.serve { // what is violated is told, whatever goes wrong elsewhere
		return errors.Join(c.protocolResults(m, p, results, f), err)
	}
	if err != nil {
		return c.saveFailing(err, f.runFiles)
	}
	if f.serve {
		return c.serve(x, results, uint64(o.Memory))
	}
	if err := c.protocolResults(m, p, results, f); err != nil {
		return err
	}
	specs := f.specs
	var hold []string
	for _, r := range results {
		if r.Space.States > model.MostObserved {
			return nil
		}
		if r.Verdict == verdict.Holds {
			hold = append(hold, r.Spec)
		}
	}
	if len(hold) == 0 {
		return nil
	}
	if len(hold) < len(results) {
		specs = hold
	}
	return c.never(p.File, interp.Text(p), []model.Instance{x}, specs, model.Exploring{Machine: o})
}

// allInvariants refuses formulas, where something is for invariants.
func allInvariants(what string, props []*protocol.Prop) error {
	for _, p := range props {
		if p.Invariant == nil {
			return fmt.Errorf("%s invariants: name them with --spec (%s is a formula)", what, p.Name)
		}
	}
	return nil
}

// journal is where an exploration saves what it has visited, if that is wanted.
func (f *machineFlags) journal(p *protocol.Model, props []*protocol.Prop, o machine.Options) (*explore.Journal, error) {
	name := f.saveState + f.resume
	if name == "" {
		return nil, nil
	}
	if err := allInvariants("--save-state and --resume are for", props); err != nil {
		return nil, err
	}
	if f.saveState != "" {
		if err := explore.Replaceable(name); err != nil {
			return nil, fmt.Errorf("--save-state: %w", err)
		}
	}
	unhurried.Store(true) // what was visited is saved
	return &explore.Journal{File: name, Resume: f.resume != "", Identity: identity(p, props, o)}, nil
}

// whyDependent prints which steps of two rules depend on each other.
func (c *command) whyDependent(m *protocol.Model, rules []string, o machine.Options) error {
	if len(rules) != 2 {
		return errors.New("--why takes the names of two rules: RULE,RULE")
	}
	labels := lists.Make(len(m.Rules), func(i int) string { return m.Rules[i].Label })
	for _, r := range rules {
		if !slices.Contains(labels, r) {
			return fmt.Errorf("%s has no rule %q%s", m.File, r, spell.Hint(r, labels))
		}
	}
	split := o.Split
	if split == "" {
		split = interference.Combined
	}
	a, err := interference.New(c.ctx, m, interp.Options{Traffic: o.Traffic, Implicit: o.Crash == "implicit"}, split)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, pair := range a.Between(rules[0], rules[1]) {
		if pair.Why == nil {
			fmt.Fprintf(&b, "%s does not depend on %s\n", a.Name(pair.T), a.Name(pair.U))
			continue
		}
		fmt.Fprintf(&b, "%s and %s:\n", a.Name(pair.T), a.Name(pair.U))
		for _, reason := range pair.Why {
			fmt.Fprintf(&b, "  %s\n", reason)
		}
	}
	return c.say("%s", b.String())
}

// identity names all that the states of an exploration depend on. What is not given is as it is then.
func identity(m *protocol.Model, props []*protocol.Prop, o machine.Options) []explore.Setting {
	crash, partial := o.Crash, cmp.Or(o.Partial, machine.Unreduced)
	if crash == "" {
		crash = interp.Options{Implicit: !slices.ContainsFunc(props,
			func(p *protocol.Prop) bool { return !machine.Implicit(m, p) })}.CrashName()
	}
	split := string(cmp.Or(o.Split, interference.Combined))
	if partial == machine.Unreduced {
		split = "-"
	}
	specs := lists.Map(props, func(p *protocol.Prop) string { return p.Name })
	list := lists.Map([][2]string{{"tacheck", release}, {"the text", m.Digest()}, {"--set", m.Assignments()},
		{"--spec", strings.Join(specs, ",")}, {"--traffic", string(o.Traffic)},
		{"--crash", crash}, {"--symmetry", map[bool]string{false: "roles", true: "none"}[o.Plain]}, {"--por",
			partial}, {"--split", split}},
		func(s [2]string) explore.Setting { return explore.Setting{Name: s[0], Value: s[1]} })
	return list
}

func (c *command) protocolResults(m model.Model, p *protocol.Model, results []*model.Result, f exploreFlags) error {
	s := c.screen()
	width := 0
	for _, r := range results {
		width = max(width, len(r.Spec))
	}
	noted := map[string]bool{}
	for _, r := range results {
		c.outcome(r.Verdict)
		if err := c.saveFirst(f.runFiles, r.Counterexample, r.Others...); err != nil {
			return err
		}
		a := replyOf(m, r)
		a.object = func() (any, error) {
			x := r.Space.Machine
			run, untold := terminal.Found(r)
			return terminal.ProtocolJSON{AnswerJSON: terminal.Answer(p, r.Spec, r.Verdict, r.Reason),
				Symmetry: terminal.SymmetryName(x), Traffic: x.Options.TrafficName(), Crash: x.Options.CrashName(),
				States: x.States, Transitions: x.Transitions, Depth: x.Depth, Seconds: r.Time.Seconds(),
				Bytes: x.Bytes, Partial: x.Partial, Split: string(x.Split), Saving: x.Saving,
				Deadlocks: x.Deadlocks, FoundJSON: run}, untold
		}
		a.head = s.ProtocolResult(p, r, width, noted)
		a.rest = func(w io.Writer) error { return tellRuns(w, s, r, f.kinds, s.Run) }
		if err := c.answer(a); err != nil {
			return err
		}
	}
	c.unsaved(f.runFiles)
	return nil
}
