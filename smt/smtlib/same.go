package smtlib

import (
	"bytes"
	"errors"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/linear"
)

// Same reports whether two scripts of Record ask the same, and have the same notes: they are equal, or would be if the
// terms of their sums, and the declarations before a command, stood in the same order. In a script from elsewhere,
// a sum may have several terms for one variable.
func Same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := ordered(a)
	y, errY := ordered(b)
	return errX == nil && errY == nil && slices.Equal(x, y)
}

// ordered returns the lines of a script with sums and declarations in the order of their names.
func ordered(script []byte) ([]string, error) {
	var out []string
	declared := 0 // lines at the end of out
	for line := range bytes.Lines(script) {
		text, whole := strings.CutSuffix(string(line), "\n")
		switch {
		case !whole:
			return nil, errNoTerm
		case strings.HasPrefix(text, "(declare-fun "):
			declared++
		case strings.HasPrefix(text, "(assert "), strings.HasPrefix(text, "(define-fun "):
			r := reader{rest: text}
			var err error
			if text, err = r.term(0); err != nil || r.rest != "" {
				return nil, errors.Join(err, errNoTerm)
			}
			fallthrough
		default:
			slices.Sort(out[len(out)-declared:])
			declared = 0
		}
		out = append(out, text)
	}
	return out, nil
}

var errNoTerm = errors.New("a script that is not one of tacheck's")

// reader reads a command as the writer writes it, and returns it with sums in the order of their variables, and with
// what then is constant left out.
type reader struct{ rest string }

// deepest is how deep formulas of scripts are nested: much less.
const deepest = 10_000

// word reads a name, a number or a parenthesis.
func (r *reader) word() string {
	end := strings.IndexAny(r.rest, " ()")
	switch {
	case end < 0:
		end = len(r.rest)
	case end == 0:
		end = 1
	}
	word := r.rest[:end]
	r.rest = r.rest[end:]
	return word
}

// term reads a term: "x", or "(op x y)".
func (r *reader) term(depth int) (string, error) {
	word := r.word()
	switch {
	case word != "(":
		if word == "" || word == ")" || word == " " {
			return "", errNoTerm
		}
		return word, nil
	case depth > deepest:
		return "", errNoTerm
	case strings.HasPrefix(r.rest, ")"): // of a definition
		r.rest = r.rest[1:]
		return "()", nil
	}
	op := r.word()
	if op == ">=" || op == "=" {
		return r.comparison(op)
	}
	args := []string{op}
	for strings.HasPrefix(r.rest, " ") {
		r.rest = r.rest[1:]
		arg, err := r.term(depth + 1)
		if err != nil {
			return "", err
		}
		args = append(args, arg)
	}
	if r.word() != ")" {
		return "", errNoTerm
	}
	return simplified(args), nil
}

// simplified is a term whose arguments may be constant, as smt makes it.
func simplified(args []string) string {
	neutral, absorbing := "true", "false"
	switch args[0] {
	case "or":
		neutral, absorbing = absorbing, neutral
	case "and":
	default:
		switch text := "(" + strings.Join(args, " ") + ")"; text {
		case "(not true)":
			return "false"
		case "(not false)":
			return "true"
		default:
			return text
		}
	}
	if slices.Contains(args, absorbing) {
		return absorbing
	}
	left := slices.DeleteFunc(args, func(arg string) bool { return arg == neutral })
	switch len(left) {
	case 1:
		return neutral
	case 2:
		return left[1]
	}
	for i, arg := range left { // parts that were left alone in an argument
		if inner, is := strings.CutPrefix(arg, "("+args[0]+" "); is {
			left[i] = strings.TrimSuffix(inner, ")")
		}
	}
	return "(" + strings.Join(left, " ") + ")"
}

// comparison reads what stands behind "(>=" or "(=": a sum, and a number.
func (r *reader) comparison(op string) (string, error) {
	sum := map[linear.Name]linear.Int{}
	if !r.skip(" ") {
		return "", errNoTerm
	}
	if r.skip("(+") {
		for r.skip(" ") {
			if !r.addend(sum) {
				return "", errNoTerm
			}
		}
		if !r.skip(")") {
			return "", errNoTerm
		}
	} else if !r.addend(sum) {
		return "", errNoTerm
	}
	if !r.skip(" ") {
		return "", errNoTerm
	}
	n, ok := r.number()
	if !ok || !r.skip(")") {
		return "", errNoTerm
	}
	var b strings.Builder
	b.WriteString("(" + op)
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		if !sum[name].Is(0) {
			b.WriteString(" " + sum[name].String() + "*" + string(name))
		}
	}
	if b.Len() == len(op)+1 { // 0 is compared with the number
		if n.Is(0) || n.Sign() < 0 && op == ">=" {
			return "true", nil
		}
		return "false", nil
	}
	b.WriteString(" " + n.String() + ")")
	return b.String(), nil
}

func (r *reader) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(r.rest, prefix)
	r.rest = rest
	return ok
}

// addend adds "x" or "(* 3 x)" to a sum.
func (r *reader) addend(sum map[linear.Name]linear.Int) bool {
	coef := linear.N(1)
	times := r.skip("(* ")
	if times {
		var ok bool
		if coef, ok = r.number(); !ok || !r.skip(" ") {
			return false
		}
	}
	name := linear.Name(r.word())
	if name == "" || strings.ContainsAny(string(name[:1]), " ()") {
		return false
	}
	sum[name] = sum[name].Add(coef)
	return !times || r.skip(")")
}

// number reads "3" or "(- 3)".
func (r *reader) number() (linear.Int, bool) {
	minus := r.skip("(- ")
	word := r.word()
	n, ok := new(big.Int).SetString(word, 10)
	if !ok || len(word) > maxDigits || minus && !r.skip(")") {
		return linear.Int{}, false
	}
	if minus {
		n.Neg(n)
	}
	return linear.Big(n), true
}
