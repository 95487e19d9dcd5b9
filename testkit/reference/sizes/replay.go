package sizes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A run is what the program shows of a violation: docs/witness.md. What happens in a step is said in words.
type run struct {
	Steps []runStep
}

// A runStep says what happened.
type runStep struct {
	Text string
}

// A follower is a world that a run may have led to, and who is who in it.
type follower struct {
	world world
	names map[string]int
}

// happenings are the words for what happens in a step: whose step it is, and perhaps which rule.
var happenings = []struct {
	kind  string
	words *regexp.Regexp
}{
	{"nothing", regexp.MustCompile(`^(\w+(?: \d+)?) does nothing$|^nothing happens any more$`)},
	{"hears", regexp.MustCompile(`^(\w+(?: \d+)?) hears (\w+)(?:\((.*)\))? from \w+(?: \d+)?$`)},
	{"crashes", regexp.MustCompile(`^(\w+(?: \d+)?) crashes$`)},
	{"lies", regexp.MustCompile(`^(\w+(?: \d+)?), which is faulty, sends (.*) to all$`)},
	{"takes, crashing", regexp.MustCompile(`^(\w+(?: \d+)?): (\w+), and crashes while it sends$`)},
	{"takes", regexp.MustCompile(`^(\w+(?: \d+)?)(?:, which is faulty)?: (\w+)$`)},
}

// follow says what is wrong with a run that is said to violate a property of an instance: where there is no such step,
// or that it ends in states in which the invariant is true. It is empty if nothing is wrong.
//
// Runs whose words fit more than mostWays states are not followed to their end.
func (in *Instance) follow(p Property, raw json.RawMessage) (problem string) {
	var misused error
	defer func() {
		if misused != nil {
			problem = misused.Error()
		}
	}()
	defer catch(&misused)
	var r run
	if err := json.Unmarshal(raw, &r); err != nil {
		return fmt.Sprintf("no run: %v", err)
	}
	var at []follower
	for _, w := range in.initial() {
		at = append(at, follower{w, map[string]int{}})
	}
	for i, s := range r.Steps {
		kind, words := "", []string(nil)
		for _, h := range happenings {
			if words = h.words.FindStringSubmatch(s.Text); words != nil {
				kind = h.kind
				break
			}
		}
		if kind == "" {
			return fmt.Sprintf("step %d is in other words: %s", i+1, s.Text)
		}
		var next []follower
		seen := map[string]bool{}
		for _, f := range at {
			for _, g := range in.followed(f, kind, words) {
				if key := fmt.Sprint(g.world, g.names); !seen[key] {
					seen[key] = true
					next = append(next, g)
				}
			}
		}
		if at = next; len(at) == 0 {
			return fmt.Sprintf("step %d is not possible: %s", i+1, s.Text)
		}
		if len(at) > mostWays {
			return ""
		}
	}
	if !p.Invariant || slices.ContainsFunc(at, func(f follower) bool { return !(scope{in, f.world, -1}).holds(p.Formula) }) {
		return ""
	}
	return "the invariant is true at the end"
}

const mostWays = 2000

// followed is where a step leads.
func (in *Instance) followed(f follower, kind string, words []string) []follower {
	switch kind {
	case "nothing":
		return []follower{f}
	case "lies":
		var next []follower
		for _, m := range in.moves(f.world) {
			if m.process < 0 {
				next = append(next, follower{m.to, f.names})
			}
		}
		return next
	}
	var next []follower
	for p := range in.processes {
		if !f.may(words[1], p, in) {
			continue
		}
		for _, to := range in.happens(f.world, p, kind, words) {
			g := follower{to, f.names}
			if _, named := f.names[words[1]]; !named {
				g.names = map[string]int{words[1]: p}
				for name, q := range f.names {
					g.names[name] = q
				}
			}
			next = append(next, g)
		}
	}
	return next
}

// may tells whether a process may be that of a name: it is of the type, and has no other name, nor the name another process.
func (f follower) may(name string, process int, in *Instance) bool {
	if named, ok := f.names[name]; ok {
		return named == process
	}
	for _, other := range f.names {
		if other == process {
			return false
		}
	}
	role, _, _ := strings.Cut(name, " ")
	return in.role(process).Name == role
}

// happens are the worlds to which a step of a process leads.
func (in *Instance) happens(w world, process int, kind string, words []string) []world {
	if in.crashed(w, process) {
		return nil
	}
	switch kind {
	case "hears":
		var worlds []world
		for _, to := range in.hearing(w, process) {
			if in.heardIt(w, to, process, words[2], words[3]) {
				worlds = append(worlds, to)
			}
		}
		return worlds
	case "crashes":
		if !in.mayCrash(w, process) {
			return nil
		}
		to := slices.Clone(w)
		in.crash(to, process)
		return []world{to}
	}
	var worlds []world
	for r, rule := range in.role(process).Rules {
		if rule.Label != words[2] || !in.enabled(w, process, r) {
			continue
		}
		for _, m := range in.take(w, process, r) {
			if in.crashed(m.to, process) == (kind == "takes, crashing") {
				worlds = append(worlds, m.to)
			}
		}
	}
	return worlds
}

// heardIt tells whether what a process has heard between two worlds is a message of a kind, with values as they are written.
func (in *Instance) heardIt(before, after world, process int, kind, values string) bool {
	for i, k := range in.Text.Kinds {
		if kind != k.Name {
			continue
		}
		for group := range in.layout.groups {
			for number := range k.values() {
				slot := in.slot(i, group, number)
				if in.heard(before, process, slot) < in.heard(after, process, slot) {
					return k.written(number) == values
				}
			}
		}
	}
	return false
}

// written are the values of the message with a number, as the text has them.
func (k Kind) written(number int) string {
	var values []string
	for i, value := range k.of(number) {
		switch f := k.Fields[i]; f.Type {
		case "bool":
			values = append(values, fmt.Sprint(value == 1))
		case "enum":
			values = append(values, f.Names[value])
		default:
			values = append(values, fmt.Sprint(value))
		}
	}
	return strings.Join(values, ", ")
}
