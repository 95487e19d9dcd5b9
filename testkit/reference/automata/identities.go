package automata

// named is the system whose processes have names: a state says where each process is. Processes are alike, so
// it is enough to begin with one way to name them.
type named struct {
	instance *Instance
	forces   []Force
	states   map[string]namedState
}

type namedState struct {
	at     []int // the location of each process
	shared []int
}

// counted is the configuration of a state.
func (n *named) counted(s namedState) Configuration {
	c := make(Configuration, len(n.instance.Model.Locations))
	for _, l := range s.at {
		c[l]++
	}
	return append(c, s.shared...)
}

func (n *named) key(s namedState) string {
	key := Configuration(s.at).key() + "|" + Configuration(s.shared).key()
	n.states[key] = s
	return key
}

func (n *named) initial() []string {
	var keys []string
	for _, c := range n.instance.Initial {
		s := namedState{shared: c[len(n.instance.Model.Locations):]}
		for l := range n.instance.Model.Locations {
			for k := 0; k < c[l]; k++ {
				s.at = append(s.at, l)
			}
		}
		keys = append(keys, n.key(s))
	}
	return keys
}

func (n *named) next(state string) []string {
	s := n.states[state]
	c := n.counted(s)
	var keys []string
	for process, l := range s.at {
		for _, rule := range n.instance.Model.Rules {
			if rule.From != l || !n.instance.Truth(rule.Guard, c) {
				continue
			}
			after := namedState{at: append([]int{}, s.at...)}
			after.at[process] = rule.To
			after.shared = n.instance.Fire(rule, c)[len(n.instance.Model.Locations):]
			keys = append(keys, n.key(after))
		}
	}
	return keys
}

func (n *named) holds(proposition *Node, state string) bool {
	return n.instance.Truth(proposition, n.counted(n.states[state]))
}

// processes is the greatest number of processes.
func (n *named) processes() int {
	most := 0
	for _, c := range n.instance.Initial {
		total := 0
		for l := range n.instance.Model.Locations {
			total += c[l]
		}
		most = max(most, total)
	}
	return most
}

// fair: for each process and each rule to somewhere else, again and again the process is not where the rule
// begins, or the guard is false.
func (n *named) fair() []func(string) bool {
	var all []func(string) bool
	for process := 0; process < n.processes(); process++ {
		for _, force := range n.forces {
			all = append(all, func(state string) bool {
				s := n.states[state]
				return process >= len(s.at) || s.at[process] != force.Rule.From ||
					!n.instance.Truth(force.Guard, n.counted(s))
			})
		}
	}
	return all
}

// ViolatedFairly says whether some infinite run that is fair violates a specification. It is decided with
// processes that have names, at most most of them.
func (i *Instance) ViolatedFairly(spec *Node, forces []Force, most, limit int) (bool, error) {
	n := &named{instance: i, forces: forces, states: map[string]namedState{}}
	if n.processes() > most {
		return false, errLarge
	}
	return violated(n, spec, false, limit)
}

// RefutesFairly says whether a witness is an infinite run that violates the specification, and that processes
// with names can make fairly: wherever some process stays all through the loop while a guard is true that leads to
// somewhere else, some process leaves, so that those who are there can take turns. A finite run may be any that
// violates it.
func (m *Model) RefutesFairly(w *Witness, forces []Force) (string, error) {
	p, err := m.Follow(w)
	if err != nil {
		return "", err
	}
	if p.back < 0 { // fairness says what happens at last
		return "", m.Refutes(w)
	}
	for _, force := range forces {
		stays := true
		for _, c := range p.configurations[p.back:] {
			stays = stays && c[force.Rule.From] > 0 && p.instance.Truth(force.Guard, c)
		}
		if stays && !p.leaves[force.Rule.From] {
			return "nobody takes rule " + force.Rule.Name, nil
		}
	}
	return "", m.Refutes(w)
}
