package pml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/scan"
)

// Format returns a text in canonical form: lines are indented by what is open before them, lines of the preprocessor
// are not, spaces at ends are gone. Lines stay lines, with their numbers, and what stands in a line stays as it is, so
// that nothing is lost of what the preprocessor would leave out. The error is a diag.List.
func Format(name, text string) (string, error) {
	before, _, err := Scanned(name, text)
	if err != nil {
		return "", err
	}
	tokens := map[int][]Token{} // by line of the text
	for _, line := range before {
		for _, t := range line {
			tokens[t.Pos.Line] = append(tokens[t.Pos.Line], t)
		}
	}
	var out []string
	var open []string // what is
	comment, goesOn, base := false, false, 0
	var opened [][]string // the same at #if, and #else goes back to it
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		list := tokens[i+1]
		trimmed := strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \t\f")
		content := strings.TrimLeft(trimmed, " ")
		inComment := comment
		comment = endsInComment(line, comment)
		switch {
		case inComment || goesOn: // it goes on: as it is, but moved with where it began
			out = append(out, shifted(trimmed, base))
			goesOn = goesOn && strings.HasSuffix(line, "\\")
			continue
		case content == "":
			out = append(out, "") // assertions have the numbers of their lines for names
			continue
		case strings.HasPrefix(content, "#"):
			opened, open = nested(list, opened, open)
			out = append(out, content)
			base = 0
			goesOn = strings.HasSuffix(line, "\\")
			continue
		}
		level := len(open)
		if len(list) > 0 {
			switch first := list[0].Value; {
			case closes(first):
				level--
			case first != "::" && level > 0 && (open[level-1] == "if" || open[level-1] == "do"):
				level++ // what an alternative goes on with
			}
			label := len(list) > 1 && list[0].Type == scan.Name && list[1].Value == ":"
			if label {
				level--
			}
		}
		level = max(0, level)
		indent := 2 * level
		out = append(out, strings.Repeat(" ", indent)+content)
		base = indent - (len(trimmed) - len(content))
		goesOn = strings.HasSuffix(line, "\\")
		for _, t := range list {
			switch {
			case t.Value == "{" || t.Value == "(" || t.Value == "if" || t.Value == "do":
				open = append(open, t.Value)
			case closes(t.Value):
				open = open[:max(0, len(open)-1)]
			}
		}
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	formatted := strings.Join(out, "\n") + "\n"
	after, _, err := Scanned(name, formatted)
	if err != nil || !slices.Equal(words(before), words(after)) {
		return "", fmt.Errorf("%s: internal error, please report: formatting changes the text", name)
	}
	return formatted, nil
}

// nested is what is open behind a line of the preprocessor: at #if it is kept, and #else goes back to it.
func nested(line []Token, opened [][]string, open []string) (kept [][]string, now []string) {
	word := ""
	if len(line) > 1 {
		word = line[1].Value
	}
	switch word {
	case "if", "ifdef", "ifndef":
		return append(opened, slices.Clone(open)), open
	case "else", "elif":
		if len(opened) > 0 {
			return opened, slices.Clone(opened[len(opened)-1])
		}
	case "endif":
		return opened[:max(0, len(opened)-1)], open
	}
	return opened, open
}

func closes(word string) bool { return word == "}" || word == ")" || word == "fi" || word == "od" }

// shifted moves a line to the right, or to the left as far as there is space.
func shifted(line string, by int) string {
	content := strings.TrimLeft(line, " ")
	if content == "" {
		return ""
	}
	return strings.Repeat(" ", max(0, len(line)-len(content)+by)) + content
}

// endsInComment reports whether a comment is open at the end of a line.
func endsInComment(line string, open bool) bool {
	for i := 0; i < len(line); i++ {
		switch rest := line[i:]; {
		case open && strings.HasPrefix(rest, "*/"):
			open = false
			i++
		case open:
		case strings.HasPrefix(rest, "//"):
			return false
		case strings.HasPrefix(rest, "/*"):
			open = true
			i++
		case rest[0] == '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		}
	}
	return open
}

// words lists the tokens of all lines, and where lines end that belong to the preprocessor.
func words(lines [][]Token) []string {
	var out []string
	for _, line := range lines {
		for _, t := range line {
			out = append(out, t.Value)
		}
		if len(line) > 0 && line[0].Value == "#" {
			out = append(out, "\n")
		}
	}
	return out
}
