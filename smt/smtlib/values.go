package smtlib

import (
	"bufio"
	"fmt"
	"math/big"
	"strings"
)

// maxAnswer bounds the text of one answer, against a solver gone wild.
const maxAnswer = 64 << 20

// readList reads one parenthesised answer.
func readList(r *bufio.Reader) (string, error) {
	var b strings.Builder
	depth := 0
	for {
		c, err := r.ReadByte()
		if err != nil {
			return "", err
		}
		b.WriteByte(c)
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		switch {
		case depth == 0 && c == ')':
			return b.String(), nil
		case depth == 0 && c > ' ':
			rest, _ := r.ReadString('\n')
			return "", fmt.Errorf("expected a list of values, got %q", string(c)+strings.TrimSpace(rest))
		case b.Len() > maxAnswer:
			return "", fmt.Errorf("the solver's answer is longer than %d bytes", maxAnswer)
		}
	}
}

// parseValues reads ((x 1) (y (- 2)) (b true)).
func parseValues(answer string) (map[string]*big.Int, error) {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(answer))
	bad := func() (map[string]*big.Int, error) {
		if len(answer) > 200 {
			answer = answer[:200] + "..."
		}
		return nil, fmt.Errorf("cannot read the solver's values: %s", answer)
	}
	next := func() string {
		if len(words) == 0 {
			return ""
		}
		w := words[0]
		words = words[1:]
		return w
	}
	values := map[string]*big.Int{}
	if next() != "(" {
		return bad()
	}
	for len(words) > 0 && words[0] == "(" {
		next()
		name, word, negative := next(), next(), false
		if word == "(" {
			if next() != "-" {
				return bad()
			}
			word, negative = next(), true
			if next() != ")" {
				return bad()
			}
		}
		n, ok := parseValue(word)
		if !ok || next() != ")" {
			return bad()
		}
		if negative {
			n.Neg(n)
		}
		values[name] = n
	}
	if next() != ")" || len(words) > 0 {
		return bad()
	}
	return values, nil
}

func parseValue(word string) (*big.Int, bool) {
	switch word {
	case "true":
		return big.NewInt(1), true
	case "false":
		return new(big.Int), true
	}
	return new(big.Int).SetString(word, 10)
}
