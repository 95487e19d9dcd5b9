package promela

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/promela/pml"
)

// A never claim is an automaton that accepts the runs that a formula describes. Spin makes one of each ltl formula,
// which takes minutes where there is much fairness; here they are made as in Gastin and Oddoux, Fast LTL to Büchi
// automata translation (CAV 2001): states are sets of formulas that have to hold from now on, eventualities are put off
// on transitions, and states with the same transitions are one.

// obligation is a transition: under all of these conditions, these formulas have to hold from the next state on, and
// these eventualities have been put off. Lists are sorted.
type obligation struct{ when, next, off []string }

// claimer builds the automaton of a formula.
type claimer struct {
	in            *Instance
	name          string
	props         []string             // name_0, name_1 and so on
	formulas      map[string]*Temporal // by text
	texts         map[*Temporal]string
	eventualities []string
	states        []neverState
	known         map[string]int
}

type neverState struct {
	name  string
	moves []obligation
}

// claim writes a never claim that accepts runs that satisfy a formula from the first state on in which processes are
// ready.
func (in *Instance) claim(name string, f *Temporal) string {
	b := &claimer{in: in, name: name, formulas: map[string]*Temporal{}, texts: map[*Temporal]string{},
		known: map[string]int{}}
	b.state([]string{b.text(f)})
	for i := 0; i < len(b.states); i++ { // grows
		for _, o := range b.states[i].moves {
			b.state(o.next)
		}
	}
	return b.write()
}

// text is the name of a formula, and remembers it.
func (b *claimer) text(f *Temporal) string {
	text := b.texts[f]
	switch {
	case text != "":
		return text
	case f.Op == pml.Name:
		written := b.in.spinFormula(f.Prop)
		i := slices.Index(b.props, written)
		if i < 0 {
			i = len(b.props)
			b.props = append(b.props, written)
		}
		text = fmt.Sprintf("%s_%d", b.name, i)
	default:
		var parts []string
		for _, a := range f.Args {
			parts = append(parts, b.text(a))
		}
		text = string(f.Op) + "(" + strings.Join(parts, ", ") + ")"
	}
	b.texts[f] = text
	if b.formulas[text] == nil {
		b.formulas[text] = f
		if f.Op == pml.Finally || f.Op == pml.Until {
			b.eventualities = append(b.eventualities, text)
		}
	}
	return text
}

// state returns the number of the state in which all of some formulas have to hold.
func (b *claimer) state(list []string) int {
	from := "all of " + strings.Join(list, "; ")
	if i, known := b.known[from]; known {
		return i
	}
	moves := []obligation{{}}
	for _, text := range list {
		moves = both(moves, b.moves(b.formulas[text]))
	}
	moves = undemanding(moves)
	key := fmt.Sprintf("%q", moves)
	i, known := b.known[key]
	if !known {
		i = len(b.states)
		b.known[key] = i
		b.states = append(b.states, neverState{fmt.Sprintf("S%d", i), moves})
	}
	b.known[from] = i
	return i
}

// moves lists the ways in which a formula can hold.
func (b *claimer) moves(f *Temporal) []obligation {
	text := b.text(f)
	later, off := obligation{next: []string{text}}, obligation{next: []string{text}, off: []string{text}}
	var args [][]obligation
	for _, a := range f.Args {
		args = append(args, b.moves(a))
	}
	switch f.Op {
	case pml.And:
		out := []obligation{{}}
		for _, a := range args {
			out = both(out, a)
		}
		return undemanding(out)
	case pml.Or:
		return undemanding(slices.Concat(args...))
	case pml.Globally:
		return both(args[0], []obligation{later})
	case pml.Finally:
		return append(slices.Clip(args[0]), off)
	case pml.Until:
		return append(slices.Clip(args[1]), both(args[0], []obligation{off})...)
	case pml.Release:
		return append(both(args[0], args[1]), both(args[1], []obligation{later})...)
	}
	return []obligation{{when: []string{text}}}
}

// both combines each way of one formula with each of another one.
func both(a, b []obligation) (out []obligation) {
	for _, x := range a {
		for _, y := range b {
			out = append(out, obligation{union(x.when, y.when), union(x.next, y.next), union(x.off, y.off)})
		}
	}
	return out
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// undemanding drops transitions that ask for all that another one asks for.
func undemanding(list []obligation) (out []obligation) {
	for i, x := range list {
		if !slices.ContainsFunc(list[:i], x.asks) && !slices.ContainsFunc(list[i+1:],
			func(y obligation) bool { return x.asks(y) && !y.asks(x) }) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(x, y obligation) int {
		return strings.Compare(fmt.Sprintf("%q", x), fmt.Sprintf("%q", y))
	})
	return out
}

// asks reports whether a transition asks for all that another one asks for.
func (x obligation) asks(y obligation) bool {
	return within(y.when, x.when) && within(y.next, x.next) && within(y.off, x.off)
}

func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// write makes one condition of several: that each eventuality is, again and again, not put off. They are waited for in
// turn.
func (b *claimer) write() string {
	var out strings.Builder
	label := func(state, turn int) string {
		if turn == len(b.eventualities) {
			return fmt.Sprintf("accept_%s", b.states[state].name)
		}
		return fmt.Sprintf("%s_%d", b.states[state].name, turn)
	}
	type place struct{ state, turn int }
	var list []place
	seen := map[place]bool{}
	for i, p := range b.props {
		fmt.Fprintf(&out, "#define %s_%d %s\n", b.name, i, p)
	}
	fmt.Fprintf(&out, "never %s {\nT0_init:\n  if\n  :: (!(ready)) -> goto T0_init\n", b.name)
	moves := func(at place, also string) {
		for _, o := range b.states[at.state].moves {
			turn := at.turn % max(1, len(b.eventualities))
			for turn < len(b.eventualities) && !slices.Contains(o.off, b.eventualities[turn]) {
				turn++
			}
			to := place{b.state(o.next), turn}
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
			fmt.Fprintf(&out, "  :: (%s) -> goto %s\n", strings.Join(append([]string{also}, o.when...), " && "),
				label(to.state, to.turn))
		}
	}
	moves(place{0, 0}, "(ready)")
	out.WriteString("  fi;\n")
	for i := 0; i < len(list); i++ { // grows
		fmt.Fprintf(&out, "%s:\n  if\n", label(list[i].state, list[i].turn))
		moves(list[i], "true")
		out.WriteString("  :: false\n  fi;\n")
	}
	out.WriteString("}\n")
	return out.String()
}

// temporals counts temporal operators.
func (t *Temporal) temporals() (n int) {
	if t.Op != pml.And && t.Op != pml.Or && t.Op != pml.Name {
		n = 1
	}
	for _, a := range t.Args {
		n += a.temporals()
	}
	return n
}
