package sizes

import (
	"bytes"
	"slices"
)

// A named is a state as docs/sizes.md has it ("What explore counts"): processes by their numbers, and each message by who
// has sent it and to whom. It is all bytes, so that states can be compared and processes exchanged.
//
//   - for each process: whether it is faulty, and whether it has crashed;
//   - for each process: its variables, above the least value;
//   - for each receiver, kind and sender: what was heard, 1 more than the number of its values, or 0;
//   - for each sender, kind and receiver: what is on its way, the same twice, and 1 more if it is not sure; or 0;
//   - for each process and kind: whether a faulty one has sent it to all alike.
type named []byte

// A namer counts named states of an instance.
type namer struct {
	*Instance
	types     []int    // of all processes
	looked    [][]bool // for each type and kind, whether messages of the kind are for it
	kept      [][]bool // for each type and variable, whether it is kept in a crash
	variables int
}

// States is how many states of an instance can be reached: with symmetric, those that differ by permutations of the
// processes of a type count once.
func (in *Instance) States(symmetric bool, limit int) (count int, err error) {
	defer catch(&err)
	n := newNamer(in)
	permutations := [][]int{nil}
	if symmetric {
		permutations = n.permutations()
	}
	seen := map[string]bool{}
	var states []named
	visit := func(s named) {
		least := s
		for _, p := range permutations {
			if p == nil {
				break
			}
			if t := n.permuted(s, p); bytes.Compare(t, least) < 0 {
				least = t
			}
		}
		if !seen[string(least)] {
			seen[string(least)] = true
			states = append(states, least)
		}
	}
	n.begin(visit)
	for i := 0; i < len(states); i++ {
		n.steps(states[i], visit)
		if len(states) > limit {
			return 0, ErrLarge
		}
	}
	return len(states), nil
}

func newNamer(in *Instance) *namer {
	n := &namer{Instance: in, variables: in.layout.variables}
	s := scope{in: in, process: -1}
	for i, role := range in.Text.Roles {
		for range s.value(role.Size) {
			n.types = append(n.types, i)
		}
		var looked []bool
		for k := range in.Text.Kinds {
			looked = append(looked, len(in.Text.Roles) == 1 || looks(role, k))
		}
		n.looked = append(n.looked, looked)
		kept := make([]bool, len(role.Variables))
		for _, p := range in.Text.Properties {
			keeps(p.Formula, i, kept)
		}
		n.kept = append(n.kept, kept)
	}
	return n
}

// looks tells whether a type of processes asks for messages of a kind.
func looks(role Role, kind int) bool {
	asks := func(e *Expr) bool { return asksFor(e, kind) }
	var inside func(body []Statement) bool
	inside = func(body []Statement) bool {
		return slices.ContainsFunc(body, func(s Statement) bool {
			return slices.ContainsFunc(s.Branches, func(b Branch) bool { return b.Guard != nil && asks(b.Guard) || inside(b.Body) })
		})
	}
	return slices.ContainsFunc(role.Rules, func(r Rule) bool { return asks(r.Guard) || inside(r.Body) })
}

func asksFor(e *Expr, kind int) bool {
	if (e.Op == "heard" || e.Op == "heard or crashed") && e.index == kind {
		return true
	}
	return slices.ContainsFunc(e.Args, func(arg *Expr) bool { return asksFor(arg, kind) })
}

// keeps notes the variables of a type that a formula asks for with crashed, or of every process.
func keeps(e *Expr, role int, kept []bool) {
	switch e.Op {
	case "all", "some", "count", "every":
		if (e.Op == "every" || mentions(e.Args[0], "crashed")) && slices.Contains(e.roles, role) {
			note(e.Args[0], role, kept)
		}
		return
	}
	for _, arg := range e.Args {
		keeps(arg, role, kept)
	}
}

func note(e *Expr, role int, kept []bool) {
	if e.Op == "variable" && e.indices[role] >= 0 {
		kept[e.indices[role]] = true
	}
	for _, arg := range e.Args {
		note(arg, role, kept)
	}
}

// Where the parts of a state are.
func (n *namer) faultyAt(p int) int      { return p }
func (n *namer) crashedAt(p int) int     { return len(n.types) + p }
func (n *namer) variableAt(p, v int) int { return 2*len(n.types) + p*n.variables + v }
func (n *namer) heardAt(to, kind, from int) int {
	return n.variableAt(len(n.types), 0) + (to*len(n.Text.Kinds)+kind)*len(n.types) + from
}
func (n *namer) wayAt(from, kind, to int) int {
	return n.heardAt(len(n.types), 0, 0) + n.heardAt(from, kind, to) - n.heardAt(0, 0, 0)
}
func (n *namer) liedAt(p, kind int) int {
	return n.wayAt(len(n.types), 0, 0) + p*len(n.Text.Kinds) + kind
}
func (n *namer) size() int { return n.liedAt(len(n.types), 0) }

// permutations are all those that exchange processes of a type.
func (n *namer) permutations() [][]int {
	var all [][]int
	var extend func(p []int)
	extend = func(p []int) {
		if len(p) == len(n.types) {
			all = append(all, slices.Clone(p))
			return
		}
		for q, role := range n.types {
			if role == n.types[len(p)] && !slices.Contains(p, q) {
				extend(append(slices.Clone(p), q))
			}
		}
	}
	extend(nil)
	return all
}

// permuted is a state in which process p has become process to[p].
func (n *namer) permuted(s named, to []int) named {
	t := make(named, len(s))
	for p := range n.types {
		t[n.faultyAt(to[p])] = s[n.faultyAt(p)]
		t[n.crashedAt(to[p])] = s[n.crashedAt(p)]
		for v := range n.variables {
			t[n.variableAt(to[p], v)] = s[n.variableAt(p, v)]
		}
		for k := range n.Text.Kinds {
			t[n.liedAt(to[p], k)] = s[n.liedAt(p, k)]
			for q := range n.types {
				t[n.heardAt(to[p], k, to[q])] = s[n.heardAt(p, k, q)]
				t[n.wayAt(to[p], k, to[q])] = s[n.wayAt(p, k, q)]
			}
		}
	}
	return t
}
