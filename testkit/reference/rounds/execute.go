package rounds

import (
	"fmt"
	"slices"
)

// A misuse of the language, met when a rule is executed.
type misuse string

// An effect is what a rule has done: new values of variables, messages, whether the round has ended.
type effect struct {
	variables []int
	sends     [][2]int // kinds, and numbers of their values
	next      bool
	draw      string // "", toss or coin
	outcomes  int    // of the draw
}

// execute takes a rule whose guard is true. If it draws, the outcome is this one, from 0.
func (t *Text) execute(r *Rule, s scope, outcome int) effect {
	e := effect{variables: slices.Clone(s.variables)}
	s.variables = e.variables
	t.body(r.Body, s, outcome, &e)
	return e
}

func (t *Text) body(body []Statement, s scope, outcome int, e *effect) {
	for _, statement := range body {
		if e.next {
			panic(misuse("something comes after next"))
		}
		switch statement.Op {
		case ":=":
			t.assign(statement.index, s.value(statement.Value), e)
		case "send":
			if e.draw != "" {
				panic(misuse("a message after a draw"))
			}
			var values []int
			for _, v := range statement.Values {
				values = append(values, s.value(v))
			}
			number := t.Kinds[statement.index].number(values)
			if number < 0 {
				panic(misuse("a message with a value that its kind has not"))
			}
			e.sends = append(e.sends, [2]int{statement.index, number})
		case "if":
			for _, b := range statement.Branches {
				if b.Guard == nil || s.holds(b.Guard) {
					t.body(b.Body, s, outcome, e)
					break
				}
			}
		case "toss", "coin":
			if e.draw != "" {
				panic(misuse("two draws in a step"))
			}
			v := t.Variables[statement.index]
			e.draw, e.outcomes = statement.Op, v.High-v.Low+1
			t.assign(statement.index, v.Low+outcome, e)
		case "next":
			e.next = true
		}
	}
}

// assign changes a variable of an effect.
func (t *Text) assign(variable, value int, e *effect) {
	v := t.Variables[variable]
	if value < v.Low || value > v.High {
		panic(misuse(fmt.Sprintf("%s becomes %d", v.Name, value)))
	}
	e.variables[variable] = value
}
