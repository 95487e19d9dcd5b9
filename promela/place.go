package promela

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tacheck/internal/diag"
)

// Place is the place in the model that something in the automaton's text comes from:
// of a shared variable or a parameter, its declaration; of a specification, the formula; of a rule,
// the last alternative that is taken; else the process. The number says how wide it is.
func (t *Translation) Place(line, col int) (diag.Pos, int) {
	lines := strings.Split(t.Text, "\n")
	if line >= 1 && line <= len(lines) {
		if text := strings.TrimSpace(lines[line-1]); strings.HasPrefix(text, "shared ") || strings.HasPrefix(text, "parameters ") {
			word := lines[line-1][min(max(0, col-1), len(lines[line-1])):]
			word = word[:span(word, func(c byte) bool { return letter(c) || digit(c) })]
			if s, known := t.Model.symbols[word]; known {
				return s.pos, len(word)
			}
		}
		name, _, _ := strings.Cut(strings.TrimSpace(lines[line-1]), ":")
		for _, f := range t.Decided {
			if identifier(f.Name) == name {
				return f.Pos, len(f.Name)
			}
		}
		// A rule has three lines, and the first one has its number.
		for up := line; up >= 1 && up > line-3; up-- {
			name, _, _ := strings.Cut(strings.TrimSpace(lines[up-1]), ":")
			if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(t.moves) && len(t.moves[n-1].taken) > 0 {
				taken := t.moves[n-1].taken
				return taken[len(taken)-1], 2
			}
		}
	}
	return place(t.Model.Loop[0].Pos), 2
}

// Rule says which steps of processes a rule of the automaton is, from 1, in the words of the text.
func (t *Translation) Rule(n int) string {
	if n < 1 || n > len(t.moves) {
		return fmt.Sprintf("rule %d of the automaton", n)
	}
	m := &t.moves[n-1]
	var lines []string
	for _, pos := range m.taken {
		if line := strconv.Itoa(pos.Line); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	out := "the step of a process that is " + t.Names[m.from]
	if m.to != m.from {
		out += " and becomes " + t.Names[m.to]
	}
	switch len(lines) {
	case 0:
		return out
	case 1:
		return out + " (line " + lines[0] + ")"
	}
	return out + " (lines " + strings.Join(lines, " ") + ")"
}
