package everysize

import "tacheck/smt"

// hinted assumes conditions that the structure lacks, if there are such ones.
func (t *attempts) hinted(p *prover, query *query) (bool, error) {
	list, err := t.hint(p.partial())
	if err != nil || len(list) == 0 {
		return false, err
	}
	more := hypotheses(query.begin, list, nil)
	p.w.gen, p.base = 0, -1
	for _, h := range more {
		p.of = len(query.known)
		query.known = append(query.known, h)
		p.assume(smt.True, h.node)
	}
	p.of = -1
	t.hints = append(t.hints, list...)
	return true, nil
}

// needed finds which of the conditions that were hinted at a proof needs, one after the other: clauses of others
// are left out of it.
func (t *attempts) needed(p *prover, query *query, own int, a *Answer) error {
	without := map[int]bool{}
	for i := len(query.known) - 1; i >= own; i-- {
		if !p.used[i] {
			without[i] = true
			continue
		}
		without[i] = true
		ok, err := t.unsatisfiable(p, without)
		if err != nil {
			return err
		}
		if !ok {
			delete(without, i)
			a.Hints = append(a.Hints, t.hints[i-own])
		}
	}
	var clauses []*smt.Formula
	for k, c := range p.clauses {
		if !without[p.from[k]] {
			clauses = append(clauses, c)
		}
	}
	a.Cases = [][]*smt.Formula{clauses}
	a.Used = nil
	for i, h := range query.known {
		if p.used[i] && !without[i] {
			a.Used = append(a.Used, h.name)
		}
	}
	return nil
}

// unsatisfiable reports whether the clauses that are not from some conditions are.
func (t *attempts) unsatisfiable(p *prover, without map[int]bool) (bool, error) {
	s, err := t.factory()
	if err != nil {
		return false, err
	}
	defer s.Close()
	for k, c := range p.clauses {
		if !without[p.from[k]] {
			s.Assert(c)
		}
	}
	answer, err := s.Check(t.ctx)
	return answer.Status == smt.Unsat, err
}
