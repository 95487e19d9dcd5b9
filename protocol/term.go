package protocol

import (
	"errors"
	"fmt"
	"strings"

	"tacheck/internal/diag"
)

// Free adds the cells of a frame that a term reads and does not bind to used. It reports
// whether the term is one of states, without parts of messages and quorums, and whether it
// speaks of several processes at once: by a quantifier, a count, a maximum.
func (t *Term) Free(used map[int]bool) (ofStates, aggregates bool) {
	ofStates = true
	var walk func(t *Term, bound map[int]bool)
	walk = func(t *Term, bound map[int]bool) {
		if t == nil {
			return
		}
		switch t.Op {
		case Name:
			if !bound[t.Var] {
				used[t.Var] = true
			}
		case In:
			ofStates = false
		case ForAll, Exists, Count, Max, Min:
			aggregates = true
			ofStates = ofStates && t.Range.Quorum < 0
			inner := map[int]bool{t.Var: true}
			for v := range bound {
				inner[v] = true
			}
			bound = inner
		case opPlace:
			switch t.Base {
			case BaseMsg, BaseAbsent, BaseOut, BaseOuts:
				ofStates = false
			case BaseWhole:
				aggregates = true
			}
			walk(t.Who, bound)
			for _, x := range t.Indices {
				walk(x.Index, bound)
			}
		}
		for _, a := range t.Args {
			walk(a, bound)
		}
	}
	walk(t, map[int]bool{})
	return ofStates, aggregates
}

// Excerpt returns the text of a term, if it is in one line, or says where it is.
func (m *Model) Excerpt(t *Term) string {
	lines := strings.Split(m.Text(), "\n")
	if t.Width > 1 && t.Pos.Line >= 1 && t.Pos.Line <= len(lines) {
		line := []rune(lines[t.Pos.Line-1])
		if from, to := t.Pos.Col-1, t.Pos.Col-1+t.Width; from >= 0 && to <= len(line) {
			return strings.TrimSpace(string(line[from:to]))
		}
	}
	return fmt.Sprintf("the condition at %d:%d", t.Pos.Line, t.Pos.Col)
}

// Condition reads a condition of states, in the words of the model. Its error is a diag.List
// whose positions are in the condition, on line 1.
func (m *Model) Condition(text string) (*Prop, error) {
	name := "condition"
	for m.Lookup(name) != nil {
		name += "_"
	}
	if strings.Contains(strings.TrimSuffix(strings.TrimSpace(text), ";"), ";") {
		return nil, fmt.Errorf("%.60q is more than one formula", text)
	}
	head := m.Text() + "\ninvariant " + name + ":\n"
	line := strings.Count(head, "\n")
	move := func(err error) error {
		var list diag.List
		if errors.As(err, &list) {
			for _, e := range list {
				e.Pos.Line = max(1, e.Pos.Line-line)
			}
		}
		return err
	}
	f, err := Parse(m.File, head+strings.TrimSuffix(strings.TrimSpace(text), ";")+";\n")
	if err != nil {
		return nil, move(err)
	}
	set := map[string]int64{}
	for _, k := range m.Constants {
		set[k.Name] = k.Value
	}
	with, err := f.Model(set)
	if err != nil {
		return nil, move(err)
	}
	if m.Asymmetry == nil && with.Asymmetry != nil {
		return nil, move(with.Asymmetry.Err())
	}
	return with.Lookup(name), nil
}
