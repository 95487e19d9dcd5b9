package traces

import (
	"strconv"
	"strings"
)

// withoutComments leaves comments out of a text.
func withoutComments(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			end := i + 1 + strings.IndexByte(s[i+1:], '"')
			b.WriteString(s[i : end+1])
			i = end
		case strings.HasPrefix(s[i:], "//"):
			i += strings.IndexByte(s[i:]+"\n", '\n')
			b.WriteByte('\n')
		case strings.HasPrefix(s[i:], "/*"):
			i += strings.Index(s[i:], "*/") + 1
			b.WriteByte(' ')
		case s[i] == '\n' || s[i] == '\t':
			b.WriteByte(' ')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// places calls f at each place of a text that is outside of parentheses and of what is in quotes, until f says true.
func places(s string, f func(int) bool) {
	depth, text := 0, false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			text = !text
		case text:
		case strings.IndexByte("([{", s[i]) >= 0:
			depth++
		case strings.IndexByte(")]}", s[i]) >= 0:
			depth--
		case depth == 0 && f(i):
			return
		}
	}
}

// cut cuts a text at a sign, and trims the pieces.
func cut(s, sign string) []string {
	var list []string
	from := 0
	places(s, func(i int) bool {
		if s[i:i+1] == sign {
			list = append(list, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
		return false
	})
	return append(list, strings.TrimSpace(s[from:]))
}

// wordAt tells whether a word stands at a place.
func wordAt(s string, i int, word string) bool {
	end := i + len(word)
	return strings.HasPrefix(s[i:], word) && (i == 0 || s[i-1] == ' ' || s[i-1] == ')') && (end == len(s) || s[end] == ' ' || s[end] == '(')
}

// cutWord cuts a text at a word.
func cutWord(s, word string) []string {
	var list []string
	for {
		head, tail := splitWord(s, word)
		if head == s {
			return append(list, strings.TrimSpace(s))
		}
		list, s = append(list, strings.TrimSpace(head)), tail
	}
}

// splitWord cuts a text at the first place of a word.
func splitWord(s, word string) (head, tail string) {
	at := -1
	places(s, func(i int) bool {
		if wordAt(s, i, word) {
			at = i
		}
		return at >= 0
	})
	if at < 0 {
		return s, ""
	}
	return s[:at], s[at+len(word):]
}

// maskedColon marks the colon behind a condition.
func maskedColon(s string) string {
	at := -1
	places(s, func(i int) bool {
		if s[i] == ':' {
			at = i
		}
		return at >= 0
	})
	return s[:at] + "\x00" + s[at+1:]
}

// closing cuts at the parenthesis that closes what stands before.
func closing(s string) (inside, rest string) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i], s[i+1:]
			}
		}
	}
	panic("no ) in " + s)
}

// quoted is a text without its quotes.
func quoted(s string) string {
	t, err := strconv.Unquote(strings.TrimSpace(s))
	if err != nil {
		panic(s + ": " + err.Error())
	}
	return t
}

func atoi(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		panic(err)
	}
	return n
}
