package induct

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
)

// Class says what a lemma is about (Bokor, thesis, 5.1).
type Class string

// The classes.
const (
	Definition  Class = "definition"     // parts of the state of one process
	SystemModel Class = "system model"   // faults, bounds
	MessageFlow Class = "message flow"   // messages and the states of those who send or receive
	Validity    Class = "state validity" // states of several processes
	ByHand      Class = "by hand"
	Found       Class = "found" // of proofs for every size, which have other classes
)

// Lemma is a condition that holds for all choices of different processes: a disjunction of atoms and negations.
type Lemma struct {
	Class    Class
	Roles    []string  // of the processes
	Names    []string  // of the processes
	Literals []Literal // at least one of these holds
	// Formula is the text of a lemma in the language of protocols; it has no literals.
	Formula string

	formula   *protocol.ConditionText // what Formula is
	given     bool                    // by hand
	instances []encode.Lit
	all       encode.Lit
}

// Literal is an atom of the vocabulary, or its negation.
type Literal struct {
	Atom string `json:"atom"`
	Not  bool   `json:"not,omitempty"`
}

// Text prints the lemma as an implication. It ends with what the literals that are negated imply.
func (l *Lemma) Text() string {
	if l.Formula != "" {
		return l.Formula
	}
	var if_, then []string
	for _, x := range l.Literals {
		if x.Not {
			if_ = append(if_, x.Atom)
		} else {
			then = append(then, x.Atom)
		}
	}
	text := ""
	for i, n := range l.Names[:min(len(l.Names), len(l.Roles))] {
		sep := ", "
		if i == 0 {
			sep = "for all "
		}
		text += sep + n + ": " + l.Roles[i]
	}
	text += ": "
	switch {
	case then == nil:
		return text + "not (" + strings.Join(if_, " and ") + ")"
	case if_ == nil:
		return text + strings.Join(then, " or ")
	}
	return text + strings.Join(if_, " and ") + " -> " + strings.Join(then, " or ")
}

// make fills in the conditions of a lemma.
func (l *Lemma) make(v *vocabulary) error {
	if l.Formula != "" {
		p, err := v.x.Model.Condition(l.formula)
		if err == nil {
			l.all, _, err = v.x.Holds(p.Invariant, make([]int32, p.Frame))
			l.instances = []encode.Lit{l.all}
		}
		return err
	}
	l.instances = nil
	atoms, err := v.named(l.Roles)
	if err != nil {
		return err
	}
	for t := range atoms.Tuples {
		var list []encode.Lit
		for _, x := range l.Literals {
			a, ok := atoms.Index[x.Atom]
			if !ok {
				return fmt.Errorf("there is no condition %q", x.Atom)
			}
			lit := atoms.Lits[t][a]
			if x.Not {
				lit = lit.Not()
			}
			list = append(list, lit)
		}
		l.instances = append(l.instances, v.x.Or(list...))
	}
	l.all = v.x.And(l.instances...)
	return nil
}

// class says what a lemma is about.
func (l *Lemma) class(a *encode.Atoms) Class {
	whose, mark := uint(0), encode.Mark(0)
	for _, x := range l.Literals {
		i := a.Index[x.Atom]
		whose |= a.List[i].Whose
		mark |= a.List[i].Mark
	}
	switch {
	case mark&encode.Transit != 0:
		return MessageFlow
	case mark&encode.Status != 0:
		return SystemModel
	case mark&(encode.Global|encode.Relation) != 0 || whose&(whose-1) != 0:
		return Validity
	}
	return Definition
}

// vocabulary has the atoms for each choice of roles.
type vocabulary struct {
	x     *encode.Encoding
	atoms map[string]*encode.Atoms
}

func newVocabulary(x *encode.Encoding) *vocabulary {
	return &vocabulary{x: x, atoms: map[string]*encode.Atoms{}}
}

// of returns the vocabulary for processes of some roles; nil if there are not so many.
func (v *vocabulary) of(roles []int) (*encode.Atoms, error) {
	key := fmt.Sprint(roles)
	a, ok := v.atoms[key]
	if !ok {
		var err error
		if a, err = v.x.Atoms(roles); err != nil {
			return nil, err
		}
		v.atoms[key] = a
	}
	return a, nil
}

func (v *vocabulary) named(names []string) (*encode.Atoms, error) {
	var roles []int
	for _, n := range names {
		found := false
		for r := range v.x.Model.Roles {
			if v.x.Model.Roles[r].ID == n {
				roles, found = append(roles, r), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no role %q", n)
		}
	}
	if len(roles) == 0 || len(roles) > maxTuple {
		return nil, fmt.Errorf("a lemma is about one to %d processes", maxTuple)
	}
	a, err := v.of(roles)
	if err == nil && a == nil {
		err = fmt.Errorf("there are no such processes: %v", names)
	}
	return a, err
}

// Given is a lemma that is given: a formula in the language of protocols, or a lemma as those that were found are
// printed.
type Given struct {
	Text    string
	formula *protocol.ConditionText // nil of one that is printed
}

// ReadLemma reads a lemma. What is wrong with it is a *protocol.ConditionError.
func ReadLemma(text string) (g *Given, err error) {
	g = &Given{Text: text}
	if !strings.HasPrefix(text, forAll) {
		g.formula, err = protocol.ReadCondition(text)
	}
	return g, err
}

// lemma is a lemma that is given; nil if it says what was ever sent, which is for proofs that tell no processes apart.
func (v *vocabulary) lemma(g *Given) (*Lemma, error) {
	if g.formula == nil {
		return v.printed(g.Text)
	}
	if _, err := v.x.Model.Condition(g.formula); err != nil {
		if _, err := v.x.Model.Resolved([]*protocol.ConditionText{g.formula}); err == nil {
			return nil, nil
		}
	}
	return &Lemma{Class: ByHand, Formula: g.Text, formula: g.formula}, nil
}

// How many processes lemmas speak of, and those that are looked for where not all states can be visited.
const (
	maxTuple   = 4
	maxUnknown = 3
)

// roles returns all choices of roles, smallest first.
func choices(m *protocol.Model, size int) [][]int {
	var list [][]int
	var choose func(from int, roles []int)
	choose = func(from int, roles []int) {
		if len(roles) == size {
			list = append(list, append([]int(nil), roles...))
			return
		}
		for r := from; r < len(m.Roles); r++ {
			choose(r, append(roles, r))
		}
	}
	choose(0, nil)
	return list
}
