package scan

import "strings"

// First leaves only the first thing that was expected in a message that lists all that could have followed it.
func First(msg string) string {
	head, inner, found := strings.Cut(msg, " (expected ")
	inner, hint, hinted := strings.Cut(inner, " (did you mean ")
	if hinted {
		hint = " (did you mean " + hint
	}
	end := strings.LastIndex(inner, ")")
	if !found || end < 0 || !strings.HasPrefix(msg, "unexpected token") {
		return msg
	}
	wanted := firstOf(inner[:end])
	if wanted == "" {
		return msg
	}
	return head + " (expected " + wanted + ")" + inner[end+1:] + hint
}

// firstOf is what an expression of the grammar begins with; "" if that need not be there.
func firstOf(grammar string) string {
	switch {
	case strings.HasPrefix(grammar, `"`):
		end := strings.Index(grammar[1:], `"`) + 2
		if end < 2 || strings.HasPrefix(grammar[end:], "?") || strings.HasPrefix(grammar[end:], "*") {
			return ""
		}
		return grammar[:end]
	case strings.HasPrefix(grammar, "("):
		end := closing(grammar)
		if end < 0 || strings.HasPrefix(grammar[end+1:], "?") || strings.HasPrefix(grammar[end+1:], "*") {
			return ""
		}
		var list []string
		for _, part := range alternatives(grammar[1:end]) {
			one := firstOf(part)
			if one == "" {
				return ""
			}
			list = append(list, one)
		}
		return strings.Join(list[:len(list)-1], ", ") + map[bool]string{true: " or "}[len(list) > 1] + list[len(list)-1]
	}
	word, _, _ := strings.Cut(grammar, " ")
	if strings.HasSuffix(word, "?") || strings.HasSuffix(word, "*") {
		return ""
	}
	return word
}

// outermost calls f for what stands outside of quotes, with how many parentheses are open behind it, until f is false.
func outermost(grammar string, f func(at int, r rune, open int) bool) {
	open, quoted := 0, false
	for i, r := range grammar {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
			continue
		case r == '(':
			open++
		case r == ')':
			open--
		}
		if !f(i, r, open) {
			return
		}
	}
}

// closing is the offset of the parenthesis that closes the first one; -1 if there is none.
func closing(grammar string) int {
	end := -1
	outermost(grammar, func(i int, r rune, open int) bool {
		if r == ')' && open == 0 {
			end = i
		}
		return end < 0
	})
	return end
}

// alternatives are the parts of an expression of the grammar between bars that are in no parentheses.
func alternatives(grammar string) (list []string) {
	from := 0
	outermost(grammar, func(i int, r rune, open int) bool {
		if r == '|' && open == 0 {
			list, from = append(list, strings.TrimSpace(grammar[from:i])), i+1
		}
		return true
	})
	return append(list, strings.TrimSpace(grammar[from:]))
}
