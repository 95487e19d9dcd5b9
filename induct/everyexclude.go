package induct

import (
	"slices"

	"tacheck/protocol/everysize"
)

// What is tried to exclude a state: so many lemmas that are false in it, each with lemmas that it rests on, these with
// theirs, so many levels deep, and so many steps that fail.
const (
	fewLemmas  = 10
	fewLevels  = 2
	fewFailing = 8
)

// exclude takes a lemma of the pool that is false in the state before a step that fails: one that can be proved, with
// lemmas that it takes for that; else the first, which may turn out to be right later.
func (q *everySearch) exclude(a *everysize.Answer) (bool, error) {
	if a.Structure == nil {
		return false, nil
	}
	denied, err := q.denied(a.Structure, fewLemmas)
	if err != nil || len(denied) == 0 {
		return false, err
	}
	for level := 0; level <= fewLevels; level++ {
		for _, c := range denied {
			if ok, err := q.supported(c, level); ok || err != nil {
				return ok, err
			}
		}
	}
	q.take(denied[0])
	return true, nil
}

// denied lists the first lemmas of the pool that are false in a state.
func (q *everySearch) denied(s *everysize.Structure, most int) ([]everysize.Condition, error) {
	var list []everysize.Condition
	for _, c := range q.pool {
		if len(list) == most || q.ctx.Err() != nil {
			break
		}
		is, err := s.Denies(c)
		if err != nil {
			return nil, err
		}
		if is {
			list = append(list, c)
		}
	}
	return list, nil
}

func (q *everySearch) take(c everysize.Condition) {
	q.active = append(q.active, c)
	q.pool = slices.DeleteFunc(q.pool, func(d everysize.Condition) bool { return d.Name == c.Name })
}

// supported takes a lemma, and others that it needs to be kept, if there are such ones so few levels deep; else nothing.
func (q *everySearch) supported(c everysize.Condition, level int) (ok bool, err error) {
	active, pool := slices.Clone(q.active), slices.Clone(q.pool)
	defer func() {
		if !ok {
			q.active, q.pool = active, pool
			q.forget()
		}
	}()
	if s := q.failed[c.Name]; s != nil && level == 0 {
		if still, err := q.possible(s); still || err != nil {
			return false, err
		}
	}
	q.take(c)
	list, err := q.x.Questions(q.active, c)
	if err != nil {
		return false, err
	}
	for range fewFailing {
		var failing *everysize.Answer
		for _, question := range list {
			if failing, err = q.ask(question); failing != nil || err != nil {
				break
			}
		}
		if failing == nil || err != nil {
			return err == nil, err
		}
		if failing.Structure == nil || q.ctx.Err() != nil {
			return false, nil
		}
		q.failed[c.Name] = failing.Structure
		if level == 0 {
			return false, nil
		}
		if helped, err := q.help(failing.Structure, level-1); !helped || err != nil {
			return false, err
		}
		if list, err = q.x.Questions(q.active, c); err != nil {
			return false, err
		}
	}
	return false, nil
}

// help takes a lemma that is false in a state and can be proved.
func (q *everySearch) help(s *everysize.Structure, level int) (bool, error) {
	denied, err := q.denied(s, fewLemmas)
	if err != nil {
		return false, err
	}
	for l := 0; l <= level; l++ {
		for _, c := range denied {
			if ok, err := q.supported(c, l); ok || err != nil {
				return ok, err
			}
		}
	}
	return false, nil
}

// possible reports whether what is known says nothing against a state.
func (q *everySearch) possible(s *everysize.Structure) (bool, error) {
	for _, c := range q.active[q.fixed:] {
		if is, err := s.Denies(c); is || err != nil {
			return false, err
		}
	}
	return true, nil
}
