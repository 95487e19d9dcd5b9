// Package stories checks that what is said of a counterexample is so. It knows stories by docs/counterexamples.md, and
// what a condition is by the documentation of the languages: nothing of what makes them.
package stories

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/run"
)

// Story is a run with what is said of it.
type Story struct {
	text   string // of the model
	run    *run.Run
	states []map[string]any       // by the lines of the story
	heard  []map[string][]hearing // before each step, by who has heard
	Read   int                    // parts of lines that were evaluated
	Unread []string               // parts that could not be read
}

type hearing struct{ message, from string }

// Read reads a story: the states that its lines tell have to be those of the run.
func Read(text string, told *run.Run) (*Story, error) {
	s := &Story{text: comments.ReplaceAllString(text, ""), run: told}
	for _, state := range told.States {
		values := map[string]any{}
		for name, v := range state {
			values[name] = valueOf(v)
		}
		if all, ok := values["shared"].(array); ok && len(all.list) == 1 {
			for name, v := range all.list[0].(record) {
				values[name] = v
			}
		}
		s.states = append(s.states, values)
	}
	s.hear()
	return s, s.lines()
}

var comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|\(\*.*?\*\)`)

// valueOf is a value of a trace.
func valueOf(v any) any {
	switch v := v.(type) {
	case *big.Int:
		return int(v.Int64())
	case int:
		return v
	case string:
		return symbol(v)
	case []any:
		list := []any{}
		for _, x := range v {
			list = append(list, valueOf(x))
		}
		return list
	case map[string]any:
		return mapped(v)
	case run.State:
		return mapped(v)
	}
	return v
}

func mapped(v map[string]any) any {
	if pairs, ok := v["#map"].([]any); ok {
		m := array{}
		for _, p := range pairs {
			pair := p.([]any)
			m.keys = append(m.keys, valueOf(pair[0]))
			m.list = append(m.list, valueOf(pair[1]))
		}
		return m
	}
	if elements, ok := v["#set"].([]any); ok {
		m := set{}
		for _, x := range elements {
			m[fmt.Sprint(valueOf(x))] = true
		}
		return m
	}
	if v["#unserializable"] != nil {
		return nil
	}
	r := record{}
	for name, x := range v {
		r[name] = valueOf(x)
	}
	if items, ok := r["items"].(array); ok && len(r) == 2 { // a sequence
		if n, ok := r["length"].(int); ok {
			return items.list[:n]
		}
	}
	return r
}

var (
	hears   = regexp.MustCompile(`^(.+?) hears (.+) from (.+)$`)
	becomes = regexp.MustCompile(`^(?:(shared|\w+(?: \d+)?): )?([\w.\[\]]+) becomes (.*?)(?: \(was (.*)\))?$`)
	has     = regexp.MustCompile(`^([\w.\[\]]+) ?= ?(.*)$`)
)

// hear notes who has heard what from whom, before each step and at the end.
func (s *Story) hear() {
	now := map[string][]hearing{}
	for k := range s.states {
		copied := map[string][]hearing{}
		for who, list := range now {
			copied[who] = slices.Clone(list)
		}
		s.heard = append(s.heard, copied)
		if k < len(s.run.Events) {
			if found := hears.FindStringSubmatch(s.run.Events[k].Text); found != nil {
				now[found[1]] = append(now[found[1]], hearing{found[2], found[3]})
			}
		}
	}
}

// parts takes a list apart at its commas outside of brackets.
func parts(text string, at string) (list []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '<':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '=' && text[i+1] != '-' {
				depth++
			}
		case '>':
			if i > 0 && text[i-1] != ' ' && text[i-1] != '-' || i > 0 && text[i-1] == ' ' && i+1 == len(text) {
				depth = max(0, depth-1)
			}
		}
		if depth == 0 && strings.HasPrefix(text[i:], at) {
			list, from = append(list, text[from:i]), i+len(at)
		}
	}
	return append(list, text[from:])
}

// named reads who is meant: node 1, 2 and 3.
func named(text string) (role string, numbers []int) {
	text = strings.ReplaceAll(text, " and ", ", ")
	for i, part := range strings.Split(text, ", ") {
		words := strings.Fields(part)
		if i == 0 {
			role = words[0]
			if words = words[1:]; len(words) == 0 {
				return role, []int{1}
			}
		}
		n, err := strconv.Atoi(words[len(words)-1])
		if err != nil {
			return "", nil
		}
		numbers = append(numbers, n)
	}
	return role, numbers
}

// process is the record of a process in a state.
func (s *Story) process(k int, role string, number int) (record, bool) {
	v, err := element(s.states[k][role], number)
	r, ok := v.(record)
	return r, ok && err == nil
}

// lines compares what the story says of states with those of the run.
func (s *Story) lines() error {
	for _, beat := range s.run.Beats { // processes with identities
		if beat.Step > 0 {
			continue
		}
		for _, line := range beat.Details {
			if err := s.state(0, line); err != nil {
				return err
			}
		}
	}
	if s.run.Beats != nil {
		for _, line := range s.run.End {
			if err := s.state(len(s.states)-1, line); err != nil {
				return err
			}
		}
		return s.changes()
	}
	if s.firstOrder() {
		return s.atoms()
	}
	return s.table()
}

// state compares a line with a state: node 1 and 2: crash, x=0.
func (s *Story) state(k int, line string) error {
	who, what, ok := strings.Cut(line, ": ")
	if !ok {
		return nil
	}
	role, numbers := named(who)
	told := map[string]bool{}
	for _, part := range parts(what, ", ") {
		found := has.FindStringSubmatch(part)
		if found == nil {
			continue
		}
		want, err := constant(found[2])
		if err != nil {
			s.Unread = append(s.Unread, part)
			continue
		}
		told[found[1]] = true
		for _, n := range numbers {
			var is any
			if role == "shared" {
				is = s.states[k][found[1]]
			} else if r, ok := s.process(k, role, n); ok {
				is = r[found[1]]
			} else {
				return fmt.Errorf("there is no %s %d of %q", role, n, line)
			}
			if !shown(is, want) {
				return fmt.Errorf("state %d: %q, but %s is %v", k, line, found[1], is)
			}
			s.Read++
		}
	}
	return nil
}

// constant reads a value as it is printed.
func constant(text string) (any, error) {
	n, err := read(text, true)
	if err != nil {
		return nil, err
	}
	return (&scope{unknown: func(name string) (any, bool) { return symbol(name), true }}).eval(n)
}

// shown tells whether a value is printed so: fields without values are left out, arrays of truth values are sets.
func shown(is, want any) bool {
	if want == nil {
		return empty(is)
	}
	switch is := is.(type) {
	case array:
		switch want := want.(type) {
		case parted:
			for i, x := range is.list {
				if w := want[fmt.Sprint(is.key(i))]; w == nil && !empty(x) || w != nil && !shown(x, w) {
					return false
				}
			}
			return true
		case array:
			if len(is.list) != len(want.list) {
				return false
			}
			for i := range is.list {
				if !shown(is.list[i], want.list[i]) {
					return false
				}
			}
			return true
		case set:
			n := 0
			for i, x := range is.list {
				if x == true {
					if n++; !want[fmt.Sprint(is.key(i))] {
						return false
					}
				}
			}
			return n == len(want)
		}
	case record:
		w, ok := want.(record)
		for name, x := range is {
			if !empty(x) && !(ok && shown(x, w[name])) {
				return false
			}
		}
		return ok
	case []any:
		w, ok := want.([]any)
		if !ok || len(w) != len(is) {
			return false
		}
		for i := range is {
			if !shown(is[i], w[i]) {
				return false
			}
		}
		return true
	}
	return same(is, want)
}

// changes looks whether each change is told, and each told change happens.
func (s *Story) changes() error {
	for k, e := range s.run.Events {
		for _, line := range e.Changes {
			owner := ""
			for _, part := range parts(line, ", ") {
				found := becomes.FindStringSubmatch(part)
				if found == nil {
					s.Unread = append(s.Unread, part)
					continue
				}
				if found[1] != "" {
					owner = found[1]
				}
				if err := s.change(k, e, owner, found); err != nil {
					return fmt.Errorf("step %d: %s: %q: %w", k+1, e.Text, part, err)
				}
			}
		}
	}
	return nil
}

var mover = regexp.MustCompile(`^(\w+)(?: (\d+))?(?:, which is faulty)?(?:: | hears | crashes| restarts|$)`)

// who moves in a step.
func (s *Story) who(k int) (role string, number int) {
	if found := mover.FindStringSubmatch(s.run.Events[k].Text); found != nil {
		number, err := strconv.Atoi(found[2])
		if err != nil {
			number = 1
		}
		return found[1], number
	}
	return "", 0
}

func (s *Story) change(k int, e run.Event, owner string, found []string) error {
	role, number := s.who(k)
	if owner != "" && owner != "shared" {
		var numbers []int
		if role, numbers = named(owner); len(numbers) != 1 {
			return errUnread
		}
		number = numbers[0]
	}
	for i, text := range []string{found[4], found[3]} {
		if i == 0 && text == "" {
			continue
		}
		own := record(s.states[k+i])
		if owner != "shared" {
			var ok bool
			if own, ok = s.process(k+i, role, number); !ok {
				return fmt.Errorf("there is no %s %d", role, number)
			}
		}
		want, err := constant(text)
		n, wrong := read(found[2], false)
		if err != nil || wrong != nil {
			s.Unread = append(s.Unread, found[0])
			return nil
		}
		is, err := (&scope{names: own, unknown: func(name string) (any, bool) { return symbol(name), true }}).eval(n)
		if err != nil {
			s.Unread = append(s.Unread, found[0])
			return nil
		}
		if text == "undefined" {
			want = nil
		}
		if !shown(is, want) {
			return fmt.Errorf("it is %v", is)
		}
		s.Read++
	}
	return nil
}

// table compares the lines of a table: what is not told is 0, or stays.
func (s *Story) table() error {
	now := map[string]int{}
	moved := regexp.MustCompile(`^(\w+) -> (\w+)$`)
	told := func(k int, lines []string) {
		for _, line := range lines {
			for _, part := range parts(strings.TrimSuffix(line, " (all else 0)"), ", ") {
				found := has.FindStringSubmatch(part)
				if found == nil {
					continue
				}
				if _, shared := s.states[k][found[1]].(int); !shared {
					continue
				}
				n, err := strconv.Atoi(found[2])
				if err != nil {
					continue
				}
				now[found[1]] = n
			}
		}
	}
	check := func(k int) error {
		for name, v := range s.states[k] {
			if is, ok := v.(int); ok && is != now[name] && !slices.ContainsFunc(s.run.Values, func(v run.Value) bool { return v.Name == name }) {
				return fmt.Errorf("state %d: %s is %d, the story says %d", k, name, is, now[name])
			}
			s.Read++
		}
		return nil
	}
	told(0, s.run.Start)
	if err := check(0); err != nil {
		return err
	}
	for k, e := range s.run.Events {
		for _, cell := range e.Cells {
			if found := moved.FindStringSubmatch(cell); found != nil {
				times := 1
				if e.Times != nil {
					times = int(e.Times.Int64())
				}
				now[found[1]] -= times
				now[found[2]] += times
			}
			told(k+1, strings.Split(cell, "\n"))
		}
		if err := check(k + 1); err != nil {
			return err
		}
	}
	return nil
}
