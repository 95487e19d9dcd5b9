package main

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tacheck/explore"
	"tacheck/internal/spell"
	"tacheck/internal/verdict"
	"tacheck/ta"
	"tacheck/verify"
	"tacheck/witness"
)

type exploreFlags struct {
	specs   []string
	params  string
	upTo    int64
	configs int
	json    bool
	witness string
	serve   bool
	swarm   int
	cluster clusterFlags
	protocolFlags
}

func (c *command) explore() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore FILE",
		Short: "Decide specifications for fixed sizes by visiting every state",
		Long: `Decide specifications for fixed sizes by visiting every state that can be reached,
without a solver.

Of an automaton or a Promela model, for the parameters given. It proves nothing about
other parameters; it is there to be held against verify. Initial values that the model
leaves open are tried up to the sum of the parameters.

Of a protocol (.ftdp), for the constants in its text or those that --set gives. States
that differ by how processes of a role are numbered count once. tacheck explain
protocols says more.

Exit code: 0 no violation, 1 a violation, 2 bad usage or input, 3 if something is too
large or the exploration was interrupted.`,
		Example: `  tacheck explore rb.ta --params n=4,t=1,f=1 --spec relay
  tacheck explore rb.ta --all-up-to 5
  tacheck explore paxos.ftdp --set n=4 --property agreement
  tacheck explore paxos_learner.ftdp --chart run.svg
  tacheck explore paxos.ftdp --serve`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isProtocol(args[0]) && cmd.Flags().Changed("states") {
				if cmd.Flags().Changed("max-states") {
					return errors.New("--states and --max-states are the same for protocols: give one")
				}
				f.states = int64(f.configs)
			}
			return c.runExplore(args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.specs, "spec", nil, "explore this `specification` only (may be given several times)")
	flags.StringVar(&f.params, "params", "", "values of all parameters: `n=4,t=1,f=1`")
	flags.Int64Var(&f.upTo, "all-up-to", -1, "explore all admissible instances with parameters up to this `number`")
	flags.IntVar(&f.configs, "states", 1_000_000, "give up on an instance with more states (of a protocol: as --max-states)")
	flags.BoolVar(&f.json, "json", false, "print one JSON object an instance")
	flags.StringVar(&f.witness, "witness", "", "save the first counterexample to this `file`")
	cmd.MarkFlagsMutuallyExclusive("params", "all-up-to")
	flags.BoolVar(&f.serve, "serve", false, "walk through the model by hand: print the address of a page on this machine, and serve it until interrupted")
	flags.IntVar(&f.swarm, "swarm", 0, "protocols: in place of visiting every state, look for violations with this `number` of bounded searches, all different")
	f.cluster.add(flags)
	f.add(cmd)
	return cmd
}

func (c *command) runExplore(file string, f exploreFlags) error {
	if f.cluster.url != "" && f.swarm == 0 {
		return errors.New("--cluster: exploring is done here; a swarm of searches can be done elsewhere (--swarm)")
	}
	if f.swarm != 0 && !isProtocol(file) {
		return errors.New("--swarm is for protocols")
	}
	if isProtocol(file) {
		if f.params != "" || f.upTo >= 0 {
			return errors.New("--params and --all-up-to are for automata: --set gives values to a protocol's constants")
		}
		return c.exploreProtocol(file, f)
	}
	if len(f.set)+len(f.properties) > 0 {
		return errors.New("--set and --property are for protocols: --params gives values to an automaton's parameters, --spec names specifications")
	}
	if f.params == "" && f.upTo < 0 {
		return errors.New("say which parameters: --params n=4,t=1,f=1 or --all-up-to 5")
	}
	m, err := c.loadConcrete(file)
	if err != nil {
		return err
	}
	if f.serve {
		return c.serveAutomaton(m, f)
	}
	specs, err := m.specs(f.specs)
	if err != nil {
		return err
	}
	instances, err := c.instancesOf(m, f)
	if err != nil {
		return err
	}
	for _, spec := range specs {
		explore := c.exploreSpec
		if m.promela != nil {
			explore = c.explorePromela
		}
		if err := explore(m, spec, instances, f); err != nil {
			return err
		}
	}
	return nil
}

// exploreSpec explores instances until one violates the specification.
func (c *command) exploreSpec(m *model, spec *ta.Spec, instances [][]*big.Int, f exploreFlags) error {
	begin := time.Now()
	w := c.watch(len(instances), "instances")
	defer w.end()
	var sum explore.Exploration
	var explored [][]*big.Int
	for _, params := range instances {
		e, err := explore.Decide(c.ctx, m.Automaton, spec, params, f.configs)
		switch {
		case errors.Is(err, explore.ErrNoInitial) && len(instances) > 1: // the others may have some
			if err := w.next(func() error { return nil }); err != nil {
				return err
			}
			continue
		case errors.Is(err, explore.ErrNoInitial):
			return noInitial(m, assignments(m.Parameters, params, true))
		case errors.Is(err, explore.ErrTooLarge), err != nil && c.ctx.Err() != nil:
			w.end()
			return c.notExplored(m, spec, params, err, f.json)
		case err != nil:
			return m.wrong(err)
		}
		explored = append(explored, params)
		sum.Open = append(sum.Open, e.Open...)
		sum.Configs, sum.States, sum.Transitions = sum.Configs+e.Configs, sum.States+e.States, sum.Transitions+e.Transitions
		sum.Depth = max(sum.Depth, e.Depth)
		err = w.next(func() error {
			if f.json {
				return printExplorationJSON(c, m, e)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if e.Witness != nil {
			w.end()
			return c.exploreViolated(m, e, f)
		}
	}
	w.end()
	if len(explored) == 0 {
		return noInitial(m, "any of these parameters")
	}
	if f.json {
		return nil
	}
	if err := c.noViolation(m, spec, explored, sizes(&sum), begin); err != nil || len(sum.Open) == 0 {
		return err
	}
	_, err := fmt.Fprintf(c.stdout, "  initial values of %s have no upper bound: some were tried\n", m.SymbolName(sum.Open[0]))
	return err
}

// noInitial is the error for a model that cannot begin.
func noInitial(m *model, params string) error {
	return fmt.Errorf("%s: with %s there is no initial configuration: the initial conditions contradict each other", m.File, params)
}

// notExplored says that an instance could not be explored, and why.
func (c *command) notExplored(m *model, spec *ta.Spec, params []*big.Int, why error, asJSON bool) error {
	c.outcome(verdict.Unknown)
	reason := why.Error()
	if c.ctx.Err() != nil {
		reason = "interrupted"
	}
	if asJSON {
		values := map[string]*big.Int{}
		for i, p := range m.Parameters {
			values[p.Name] = params[i]
		}
		return encodeJSON(c.stdout, struct {
			File       string              `json:"file"`
			Spec       string              `json:"spec"`
			Verdict    verify.Verdict      `json:"verdict"`
			Reason     string              `json:"reason"`
			Parameters map[string]*big.Int `json:"parameters"`
		}{m.File, spec.Name, verify.Unknown, reason, values})
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %s with %s: unknown: %s\n", m.File, spec.Name, assignments(m.Parameters, params, true), reason)
	return err
}

// noViolation says that no instance violates a specification.
func (c *command) noViolation(m *model, spec *ta.Spec, instances [][]*big.Int, sizes string, begin time.Time) error {
	what := plural(len(instances), "admissible instance", "admissible instances")
	if len(instances) == 1 {
		what = "with " + assignments(m.Parameters, instances[0], true)
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %s %s: no violation; %s, %.2f s\n", m.File, spec.Name, what, sizes, time.Since(begin).Seconds())
	return err
}

func (c *command) exploreViolated(m *model, e *explore.Exploration, f exploreFlags) error {
	first := c.worst != verdict.Violated
	c.outcome(verdict.Violated)
	if f.witness != "" && first {
		if err := saveWitness(f.witness, e.Witness); err != nil {
			return err
		}
	}
	if f.json {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s with %s: violated; %s, %.2f s\n", m.File, e.Spec, assignments(m.Parameters, e.Params, true), sizes(e), e.Time.Seconds())
	if err := c.screen().witness(&b, e.Witness); err != nil {
		return err
	}
	_, err := fmt.Fprint(c.stdout, b.String())
	return err
}

func sizes(e *explore.Exploration) string {
	return fmt.Sprintf("%s, %s, %s, depth %d", plural(e.Configs, "configuration", "configurations"),
		plural(e.States, "state", "states"), plural(e.Transitions, "transition", "transitions"), e.Depth)
}

func printExplorationJSON(c *command, m *model, e *explore.Exploration) error {
	verdict := "no violation"
	if e.Witness != nil {
		verdict = string(verify.Violated)
	}
	params := map[string]*big.Int{}
	for i, p := range m.Parameters {
		params[p.Name] = e.Params[i]
	}
	return encodeJSON(c.stdout, struct {
		File           string              `json:"file"`
		Spec           string              `json:"spec"`
		Verdict        string              `json:"verdict"`
		Parameters     map[string]*big.Int `json:"parameters"`
		Configurations int                 `json:"configurations"`
		States         int                 `json:"states"`
		Transitions    int                 `json:"transitions"`
		Depth          int                 `json:"depth"`
		Seconds        float64             `json:"seconds"`
		Witness        *witness.Witness    `json:"witness,omitempty"`
	}{m.File, e.Spec, verdict, params, e.Configs, e.States, e.Transitions, e.Depth, e.Time.Seconds(), e.Witness})
}

// mostCombinations is how many combinations of values are held against assumptions.
const mostCombinations = 20_000_000

// instancesOf returns the parameter values to explore.
func (c *command) instancesOf(m *model, f exploreFlags) ([][]*big.Int, error) {
	a, admissible := m.Automaton, func(params []*big.Int) bool { return explore.Admissible(m.Automaton, params) }
	if m.promela != nil {
		admissible = m.instance
	}
	if f.params != "" {
		params, err := parseParams(a, f.params)
		if err == nil && !admissible(params) {
			err = fmt.Errorf("%s does not satisfy the assumptions", f.params)
		}
		return [][]*big.Int{params}, err
	}
	all := new(big.Int).Exp(new(big.Int).Add(big.NewInt(f.upTo), big.NewInt(1)), big.NewInt(int64(len(a.Parameters))), nil)
	if all.Cmp(big.NewInt(mostCombinations)) > 0 {
		return nil, fmt.Errorf("--all-up-to %d: %s combinations of values are too many: at most %d", f.upTo, all, mostCombinations)
	}
	var list [][]*big.Int
	params := make([]*big.Int, len(a.Parameters))
	var assign func(i int)
	assign = func(i int) {
		if i == len(params) {
			if c.ctx.Err() == nil && admissible(params) {
				list = append(list, append([]*big.Int(nil), params...))
			}
			return
		}
		for v := int64(0); v <= f.upTo && c.ctx.Err() == nil; v++ {
			params[i] = big.NewInt(v)
			assign(i + 1)
		}
	}
	assign(0)
	if c.ctx.Err() != nil {
		return nil, errInterrupted
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no parameters up to %d satisfy the assumptions", f.upTo)
	}
	return list, nil
}

// parseParams reads n=4,t=1: a value for every parameter.
func parseParams(a *ta.Automaton, text string) ([]*big.Int, error) {
	params := make([]*big.Int, len(a.Parameters))
	var names []string
	for _, p := range a.Parameters {
		names = append(names, p.Name)
	}
	for _, part := range strings.Split(text, ",") {
		name, value, found := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		n, ok := new(big.Int).SetString(strings.TrimSpace(value), 10)
		if !found || !ok || n.Sign() < 0 || !n.IsInt64() {
			return nil, fmt.Errorf("--params: %q is not NAME=NUMBER", part)
		}
		s, known := a.Lookup(name)
		if !known || s.Kind != ta.Parameter {
			return nil, fmt.Errorf("--params: unknown parameter %q%s", name, spell.Hint(name, names))
		}
		params[s.Index] = n
	}
	for i, p := range params {
		if p == nil {
			return nil, fmt.Errorf("--params: %s has no value", names[i])
		}
	}
	return params, nil
}
