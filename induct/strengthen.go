package induct

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Strengthened is a guard that was strengthened: what has been the case since the rules
// before it in its process's plan, whatever others did meanwhile (Bokor, thesis, 5.2.3).
type Strengthened struct {
	Rule  string
	Guard []string // what it asks of its own process
	And   string   // and what that was shown to imply
	lemma *Lemma
	rule  int
}

// strengthenings proposes conditions on the process that moves which hold whenever the part of a rule's guard does that
// speaks of this process alone. They are true in all samples.
func (q *search) strengthenings() ([]*Strengthened, error) {
	var list []*Strengthened
	for k := range q.x.Model.Rules {
		t := &q.x.Model.Rules[k]
		role := t.Params[t.Executor].Type.Role
		atoms, err := q.v.of([]int{role})
		if err != nil || atoms == nil || t.Guard == nil {
			continue
		}
		r, err := q.samples.of([]int{role})
		if err != nil {
			return nil, err
		}
		own, err := ownGuard(q.x, t, atoms)
		if err != nil {
			return nil, err
		}
		if own == nil {
			continue
		}
		lits := lists.Map(own, func(g guarded) int { return unlike(g.atom, g.holds) })
		for i, a := range atoms.List {
			if a.Mark != 0 || slices.ContainsFunc(own, func(g guarded) bool { return g.atom == i }) {
				continue
			}
			for _, holds := range []bool{true, false} {
				if not := unlike(i, !holds); r.Without(append(slices.Clip(lits), not)...) > 0 || r.Without(not) == 0 {
					continue
				}
				c := candidate{atoms, []int{unlike(i, !holds)}}
				s := &Strengthened{Rule: t.Label, rule: k, And: a.Text}
				if !holds {
					s.And = "not " + a.Text
				}
				for _, g := range own {
					c.lits = append(c.lits, unlike(g.atom, g.holds))
					text := atoms.List[g.atom].Text
					if !g.holds {
						text = "not " + text
					}
					s.Guard = append(s.Guard, text)
				}
				if s.lemma, err = q.lemma(c); err != nil {
					return nil, err
				}
				if s.lemma.all != encode.True && q.initially(s.lemma.all) {
					list = append(list, s)
				}
			}
		}
	}
	return list, nil
}

type guarded struct {
	atom  int
	holds bool
}

// ownGuard returns the parts of a guard that are atoms of the process that moves.
func ownGuard(x *encode.Encoding, t *protocol.Transition, atoms *encode.Atoms) ([]guarded, error) {
	if t.Guard == nil {
		return nil, nil
	}
	parts := []*protocol.Term{t.Guard}
	if t.Guard.Op == ftdp.And {
		parts = t.Guard.Args
	}
	_, number := x.Model.RoleOf(atoms.Tuples[0][0])
	frame := make([]int32, t.Frame)
	frame[t.Cell(t.Executor)] = int32(number)
	var own []guarded
	for _, p := range parts {
		used := map[int]bool{}
		ofStates, _ := p.Free(used)
		delete(used, t.Cell(t.Executor))
		if !ofStates || len(used) > 0 {
			continue
		}
		l, _, err := x.Holds(p, frame)
		if err != nil {
			return nil, err
		}
		for i, a := range atoms.Lits[0] {
			if atoms.List[i].Mark == 0 && (a == l || a == l.Not()) {
				own = append(own, guarded{i, a == l})
				break
			}
		}
	}
	return own, nil
}

// strengthen proves, of the proposals, all that can be proved together, and returns the guards of the steps with them.
func (q *search) strengthen() ([]*Strengthened, []encode.Lit, error) {
	list, err := q.strengthenings()
	if err != nil {
		return nil, nil, err
	}
	targets := lists.Map(list, func(s *Strengthened) *target { return q.add(s.lemma, s.lemma.all) })
	for {
		t, _, _, err := q.find(targets, targets)
		if t == nil || err != nil {
			return list, q.with(list, q.x.Steps), err
		}
		q.stats.Dropped++
		i := slices.Index(targets, t)
		targets, list = slices.Delete(targets, i, i+1), slices.Delete(list, i, i+1)
	}
}

// with returns the guards of steps, strengthened.
func (q *search) with(list []*Strengthened, steps []*encode.Step) []encode.Lit {
	return strengthened(q.x, list, steps)
}

// strengthened returns the guards of steps, strengthened. What was proved holds for all
// processes; in a step it is asked of the one that moves.
func strengthened(x *encode.Encoding, list []*Strengthened, steps []*encode.Step) []encode.Lit {
	var guards []encode.Lit
	for _, st := range steps {
		g := st.Guard
		for _, s := range list {
			if s.rule == st.Rule {
				_, number := x.Model.RoleOf(st.Me)
				g = x.And(g, s.lemma.instances[number-1])
			}
		}
		guards = append(guards, g)
	}
	return guards
}
