package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tacheck/internal/record"
)

// Event is a line of a log.
type Event struct {
	File  string
	Line  int // from 1
	Value any // as encoding/json reads it, with json.Number for numbers
	Text  string
}

// Place says where an event is.
func (e *Event) Place() string { return fmt.Sprintf("%s:%d", record.Name(e.File), e.Line) }

// maxLine bounds lines of logs.
const maxLine = 1 << 20

// Log reads events, one a line.
type Log struct {
	File string
	r    *bufio.Reader
	line int
	rest []byte // of a line that is still being written
}

// NewLog reads the log with a name from r.
func NewLog(file string, r io.Reader) *Log {
	return &Log{File: file, r: bufio.NewReaderSize(r, 1<<16)}
}

// LogError says what is wrong with a line of a log.
type LogError struct {
	Place string
	Text  string // of the line
	Msg   string
}

func (e *LogError) Error() string { return e.Place + ": " + e.Msg }

// place is the last line that was read.
func (l *Log) place() string { return fmt.Sprintf("%s:%d", record.Name(l.File), l.line) }

// Wrong is an error in a line.
func (e *Event) Wrong(format string, args ...any) error {
	return &LogError{e.Place(), e.Text, fmt.Sprintf(format, args...)}
}

// Next returns the next event, or io.EOF. Empty lines are passed over. If more is set, the log is still being written:
// a last line without an end is kept for the next call, and io.EOF may be followed by more.
func (l *Log) Next(more bool) (*Event, error) {
	for {
		part, err := l.r.ReadSlice('\n')
		l.rest = append(l.rest, part...)
		if len(l.rest) > maxLine {
			return nil, &LogError{fmt.Sprintf("%s:%d", record.Name(l.File), l.line+1), "",
				fmt.Sprintf("the line is longer than %d bytes", maxLine)}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (more || len(l.rest) == 0):
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		l.line++
		text := bytes.TrimSpace(l.rest)
		if l.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 {
			l.rest = l.rest[:0]
			continue
		}
		e := &Event{File: l.File, Line: l.line, Text: string(text)}
		if !utf8.Valid(text) {
			return nil, e.Wrong("this is no UTF-8 text")
		}
		l.rest = l.rest[:0]
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		switch err := record.Alone(d, &e.Value); {
		case errors.Is(err, record.ErrMore):
			return nil, e.Wrong("a line has one JSON value, and this one has more")
		case err != nil:
			return nil, e.Wrong("this is no JSON: %v", err)
		}
		if bytes.Contains(text, []byte(`\u`)) && halved(text) {
			return nil, e.Wrong("a text has half of a character (a surrogate without the other one)")
		}
		if _, ok := e.Value.(map[string]any); !ok {
			return nil, e.Wrong("an event is a JSON object, {...}")
		}
		return e, nil
	}
}

// halved reports whether a JSON text has one of two surrogates without the other: a reader replaces it, so that
// different texts become the same.
func halved(text []byte) bool {
	surrogate := func(at int) rune {
		if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
			return 0
		}
		n, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 32)
		if err != nil || !utf16.IsSurrogate(rune(n)) {
			return 0
		}
		return rune(n)
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if r := surrogate(i); r != 0 {
			if utf16.DecodeRune(r, surrogate(i+6)) == utf8.RuneError {
				return true
			}
			i += 6 // at the second one
		}
		i++
	}
	return false
}

// Cut reports whether the log ends in the middle of a line, which was not looked at.
func (l *Log) Cut() bool { return len(bytes.TrimSpace(l.rest)) > 0 }

// Of makes an event of a Go value, as if it had been written as JSON and read again.
func Of(file string, line int, v any) (*Event, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	l := NewLog(file, bytes.NewReader(data))
	l.line = line - 1
	return l.Next(false)
}

// at follows a path into a value.
func (p *path) at(v any) (any, bool) {
	for _, k := range p.keys {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[k]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(k)
			if err != nil || i < 0 || i >= len(x) || strconv.Itoa(i) != k {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// under returns what a reading sees of an event: the value at its root; false if it has none.
func (r *Reading) under(e *Event) (any, bool) {
	if r.Root == nil {
		return e.Value, true
	}
	return r.Root.at(e.Value)
}

// look returns the value of an expression in a line: a text, json.Number, truth value or nil
// (null). It is false if the line does not have it, which is an error unless it is optional.
func (x *logExpr) look(e *Event, v any) (any, bool, error) {
	if x.path == nil {
		return x.literal, true, nil
	}
	got, ok := x.path.at(v)
	if !ok {
		if x.path.optional {
			return nil, false, nil
		}
		return nil, false,
			e.Wrong("there is no %s here (the reading wants it in line %d; %s? if not all events have it)", x.path.text,
				x.pos.Line, x.path.text)
	}
	if x.how == "len" {
		list, isList := got.([]any)
		if !isList {
			return nil, false, e.Wrong("%s is no list", x.path.text)
		}
		return json.Number(strconv.Itoa(len(list))), true, nil
	}
	return got, true, nil
}

// plain is a value as a text, for comparisons of values of a line with each other.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return numeral(v)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	}
	data, _ := json.Marshal(v) // of what was read as JSON
	return string(data)
}

func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(numeral(n), 10, 64)
	return i, err == nil
}

// numeral writes a number in one way, however the log writes it: 1, 1.0 and 10e-1 are 1. Numbers of very many digits
// have an exponent.
func numeral(n json.Number) string {
	text := n.String()
	if !strings.ContainsAny(text, ".eE") && text != "-0" {
		return text
	}
	text, sign := strings.CutPrefix(text, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	whole, part, _ := strings.Cut(mantissa, ".")
	exponent := 0
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return n.String()
		}
	}
	digits := strings.TrimLeft(whole+part, "0")
	exponent -= len(part)
	trimmed := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	const most = 40 // digits that are written
	switch places := len(trimmed) + exponent; {
	case trimmed == "":
		return "0"
	case exponent >= 0 && places <= most:
		text = trimmed + strings.Repeat("0", exponent)
	case exponent < 0 && places > 0:
		text = trimmed[:places] + "." + trimmed[places:]
	case exponent < 0 && places > -most:
		text = "0." + strings.Repeat("0", -places) + trimmed
	default:
		text = trimmed + "e" + strconv.Itoa(exponent)
	}
	if sign {
		return "-" + text
	}
	return text
}

// holds evaluates a condition on a line.
func (c condition) holds(e *Event, v any) (bool, error) {
	for _, all := range c {
		ok := true
		for i := range all {
			is, err := all[i].holds(e, v)
			if err != nil {
				return false, err
			}
			if ok = is; !ok {
				break
			}
		}
		if ok {
			return true, nil
		}
	}
	return len(c) == 0, nil
}

func (r *relation) holds(e *Event, v any) (bool, error) {
	if r.op == "has" || r.op == "not has" {
		_, has := r.left.path.at(v)
		return has == (r.op == "has"), nil
	}
	left, ok, err := r.left.sum(e, v)
	if err != nil || !ok {
		return false, err
	}
	for _, x := range r.right {
		right, ok, err := x.sum(e, v)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		is, err := related(e, r, left, right)
		if err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// sum is look with what is added.
func (x *logExpr) sum(e *Event, v any) (any, bool, error) {
	got, ok, err := x.look(e, v)
	if err != nil || !ok || x.add == 0 {
		return got, ok, err
	}
	n, isInt := integer(got)
	if !isInt {
		return nil, false, e.Wrong("%s is %s, which is no number to add to", x.text, plain(got))
	}
	return json.Number(strconv.FormatInt(n+x.add, 10)), true, nil
}

func related(e *Event, r *relation, left, right any) (bool, error) {
	a, b := plain(left), plain(right)
	switch r.op {
	case "=", "in":
		return a == b, nil
	case "!=":
		return a != b, nil
	}
	n, ok := integer(left)
	m, also := integer(right)
	if !ok || !also {
		return false, e.Wrong("%s %s %s compares what is no number", a, r.op, b)
	}
	return ordered(r.op, n, m), nil
}

func ordered(op string, n, m int64) bool {
	switch op {
	case "=":
		return n == m
	case "!=":
		return n != m
	case "<":
		return n < m
	case "<=":
		return n <= m
	case ">":
		return n > m
	}
	return n >= m
}

// abridged is the text of an event, short enough to be shown.
func (e *Event) abridged() string {
	const most = 300
	text := record.Printable(strings.TrimSpace(e.Text))
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return text
}
