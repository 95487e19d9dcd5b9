// Package mutate makes wrong files of right ones, for tests of what reads them: every
// field is deleted, doubled, renamed and given other values, and the whole is cut,
// doubled and emptied.
package mutate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Mutant is a text that differs from the one that it was made of.
type Mutant struct {
	Where string // the field, such as steps.3.with.i; "" for the whole
	What  string // was done
	Text  []byte
}

// node is a JSON value with its fields in order, so that it can have one twice.
type node struct {
	open   byte // { or [, or 0 for a scalar
	names  []string
	parts  []*node
	scalar string
}

func parse(d *json.Decoder) *node {
	t, err := d.Token()
	if err != nil {
		panic(fmt.Sprintf("mutate: %v", err)) // tests start from files that are right
	}
	delim, compound := t.(json.Delim)
	if !compound {
		text, _ := json.Marshal(t)
		return &node{scalar: string(text)}
	}
	n := &node{open: byte(delim)}
	for d.More() {
		name := ""
		if n.open == '{' {
			key, _ := d.Token()
			name = fmt.Sprint(key)
		}
		n.names, n.parts = append(n.names, name), append(n.parts, parse(d))
	}
	_, _ = d.Token()
	return n
}

func (n *node) write(b *bytes.Buffer) {
	if n.open == 0 {
		b.WriteString(n.scalar)
		return
	}
	b.WriteByte(n.open)
	for i, part := range n.parts {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.open == '{' {
			name, _ := json.Marshal(n.names[i])
			b.Write(name)
			b.WriteByte(':')
		}
		part.write(b)
	}
	b.WriteByte(n.open + 2)
}

func (n *node) text() []byte {
	var b bytes.Buffer
	n.write(&b)
	return append(b.Bytes(), '\n')
}

// scalars are what fields are replaced by.
var scalars = []string{"null", "true", "false", "0", "1", "-1", "2", "0.5", "1e300", "1e2", "9007199254740993", "123456789012345678901234567890",
	`""`, `"zzz"`, `"0"`, `"../x"`, `"a\nb: holds"`, `"\u001b[2J"`, `"; (exit)\n(assert false)"`, "[]", "{}", "[null]", `{"x":1}`}

// JSON returns mutants of a JSON text.
func JSON(text []byte) []Mutant {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	root := parse(d)
	same := string(root.text())
	var list []Mutant
	add := func(where, what string) {
		if t := root.text(); string(t) != same {
			list = append(list, Mutant{where, what, t})
		}
	}
	var walk func(n *node, where string)
	walk = func(n *node, where string) {
		old := *n
		for _, s := range scalars {
			*n = node{scalar: s}
			add(where, "becomes "+s)
		}
		for _, s := range changed(old.scalar) {
			*n = node{scalar: s}
			add(where, "becomes "+s)
		}
		*n = old
		if n.open == '{' {
			n.names, n.parts = append(old.names[:len(old.names):len(old.names)], "new"), append(old.parts[:len(old.parts):len(old.parts)], &node{scalar: "1"})
			add(where, "has a field more")
			*n = old
		}
		for i := range old.parts {
			at := strings.TrimPrefix(fmt.Sprintf("%s.%d", where, i+1), ".")
			if n.open == '{' {
				at = strings.TrimPrefix(where+"."+old.names[i], ".")
			}
			n.names, n.parts = cut(old.names, i), cut(old.parts, i)
			add(at, "is deleted")
			n.names, n.parts = twice(old.names, i), twice(old.parts, i)
			add(at, "is there twice")
			*n = old
			if i > 0 && n.open == '[' {
				n.parts = append([]*node(nil), old.parts...)
				n.parts[i-1], n.parts[i] = n.parts[i], n.parts[i-1]
				add(at, "changes places with the one before")
				*n = old
			}
			if n.open == '{' {
				for _, name := range []string{strings.ToUpper(old.names[i]), old.names[i] + "_"} {
					n.names = append([]string(nil), old.names...)
					n.names[i] = name
					add(at, "is called "+name)
				}
				*n = old
			}
			walk(old.parts[i], at)
		}
	}
	walk(root, "")
	return append(list, Whole(text)...)
}

// changed returns values near one.
func changed(scalar string) []string {
	switch {
	case scalar == "":
		return nil
	case scalar[0] == '"' && len(scalar) > 2:
		inner := scalar[1 : len(scalar)-1]
		return []string{`"` + inner + `x"`, `" ` + inner + `"`, `"` + inner + `\n"`, `"` + inner[:len(inner)-1] + `"`, `"` + strings.ToUpper(inner) + `"`, inner}
	case strings.Trim(scalar, "0123456789") == "":
		return []string{"-" + scalar, scalar + "0", scalar + ".0", scalar + "e0", `"` + scalar + `"`, "1" + scalar, scalar + ".7"}
	}
	return nil
}

func cut[T any](list []T, i int) []T {
	return append(append([]T(nil), list[:i]...), list[i+1:]...)
}

func twice[T any](list []T, i int) []T {
	return append(append([]T(nil), list[:i+1]...), list[i:]...)
}

// near are words and signs that are put in place of others.
var near = strings.NewReplacer("unsat", "sat", "sat", "unsat", "true", "false", "false", "true", "<=", "<", ">=", ">", "<", "<=", ">", ">=",
	" and ", " or ", " or ", " and ", "&&", "||", "||", "&&", "&", "|", "|", "&", "not ", "", "!=", "=", "!", "", "[]", "<>", "<>", "[]",
	"forall", "exists", "exists", "forall", "==", "!=", "+", "-", "init", "initially")

// Lines returns mutants of a text of any kind, line by line: each is deleted, doubled, changes places with the next, is a comment, or
// has other numbers, words and signs.
func Lines(text []byte) []Mutant {
	lines := bytes.SplitAfter(text, []byte("\n"))
	var list []Mutant
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		add := func(what string, rest int, in ...[]byte) {
			t := slices.Concat(bytes.Join(lines[:i], nil), bytes.Join(in, nil), bytes.Join(lines[rest:], nil))
			if !bytes.Equal(t, text) {
				list = append(list, Mutant{fmt.Sprintf("line %d (%.60s)", i+1, bytes.TrimSpace(line)), what, t})
			}
		}
		add("is deleted", i+1)
		add("is there twice", i+1, line, line)
		if i+1 < len(lines) {
			add("changes places with the next", i+2, lines[i+1], line)
		}
		add("is a comment", i+1, []byte("; // # "), line)
		for place := range digits(line) {
			with := slices.Clone(line)
			with[place] = '0' + (line[place]-'0'+1)%10
			add(fmt.Sprintf("has another number in column %d", place+1), i+1, with)
		}
		add("has other words and signs", i+1, []byte(near.Replace(string(line))))
	}
	return list
}

// digits yields the places of last digits of numbers.
func digits(line []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		digit := func(i int) bool { return i < len(line) && '0' <= line[i] && line[i] <= '9' }
		for i := range line {
			if digit(i) && !digit(i+1) && !yield(i) {
				return
			}
		}
	}
}

// Whole returns mutants of a text of any kind, as a whole.
func Whole(text []byte) []Mutant {
	var list []Mutant
	add := func(what string, parts ...[]byte) {
		if t := bytes.Join(parts, nil); !bytes.Equal(t, text) {
			list = append(list, Mutant{"", what, t})
		}
	}
	add("is empty")
	add("is cut in the middle", text[:len(text)/2])
	add("has no last byte", text[:max(0, len(bytes.TrimSpace(text))-1)])
	add("is there twice", text, text)
	add("has something after it", text, []byte("{}\n"))
	add("has something before it", []byte("; x\n"), text)
	add("has a mark of byte order", []byte("\ufeff"), text)
	add("ends in a zero", text, []byte{0})
	add("is garbage", bytes.Repeat([]byte{0xff, 0x1b, '['}, 100))
	if lines := bytes.SplitAfter(text, []byte("\n")); len(lines) > 2 {
		add("has no first line", lines[1:]...)
		add("has its first line last", append(lines[1:len(lines):len(lines)], lines[0])...)
		add("has its second line twice", append([][]byte{lines[0], lines[1]}, lines[1:]...)...)
	}
	return list
}
