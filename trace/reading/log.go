package reading

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/spell"
)

// maxLine bounds lines of logs.
const maxLine = 1 << 20

// Log reads events, one a line, or as the patterns of a reading say.
type Log struct {
	File  string
	r     *bufio.Reader
	line  int
	rest  []byte   // of a line that is still being written
	open  bool     // the line that was read last has no end: what wrote the log may have been ended in it
	cut   bool     // it was, which shows
	ahead []string // lines that are read, and of no event yet
	of    *Reading // that has patterns; nil if lines are JSON
}

// NewLog reads the log with a name from r.
func (r *Reading) NewLog(file string, from io.Reader) *Log {
	l := &Log{File: file, r: bufio.NewReaderSize(from, 1<<16)}
	if r.patterns != nil {
		l.of = r
	}
	return l
}

// Wrong is an error at the line that was read last, or one more.
func (l *Log) Wrong(more int, format string, args ...any) error {
	return &LogError{Pos: diag.Pos{File: record.Name(l.File), Line: l.line + more, Col: 1},
		Msg: fmt.Sprintf(format, args...)}
}

// read returns the next line without its end, or io.EOF. If more is set, the log is still being written: a last line
// without an end is kept for the next call, and io.EOF may be followed by more.
func (l *Log) read(more bool) (string, error) {
	for {
		part, err := l.r.ReadSlice('\n')
		l.rest = append(l.rest, part...)
		if len(l.rest) > maxLine {
			return "", l.Wrong(1, "the line is longer than %d bytes", maxLine)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (more || len(l.rest) == 0):
			return "", io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return "", err
		}
		text := strings.TrimRight(string(l.rest), "\r\n")
		l.rest, l.open = l.rest[:0], err != nil
		if l.line++; l.line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if l.open && inRune(text) {
			return "", l.incomplete()
		}
		if !utf8.ValidString(text) {
			return "", l.Wrong(0, "this is no UTF-8 text")
		}
		return text, nil
	}
}

// incomplete notes that the last line is.
func (l *Log) incomplete() error {
	l.cut = true
	return io.EOF
}

// inRune reports whether a text ends in the middle of a character.
func inRune(text string) bool {
	for k := 1; k < utf8.UTFMax && k <= len(text); k++ {
		if !utf8.FullRuneInString(text[len(text)-k:]) {
			return true
		}
	}
	return false
}

// Next returns the next event, or io.EOF, as read does. Empty lines are passed over.
func (l *Log) Next(more bool) (*Event, error) {
	if l.of != nil {
		return l.matched(more)
	}
	for {
		line, err := l.read(more)
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		e := &Event{File: l.File, Line: l.line, Text: text}
		e.lead = utf8.RuneCountInString(line[:strings.Index(line, text)])
		err = e.parse()
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) && l.open:
			return nil, l.incomplete()
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, e.wrong(len(e.Text)-1, 1, "this is no JSON: %v", err)
		case err != nil:
			return nil, err
		}
		return e, nil
	}
}

// matched returns the next event of a log whose lines patterns match.
func (l *Log) matched(more bool) (*Event, error) {
	most := 0
	for _, p := range l.of.patterns {
		most = max(most, p.lines)
	}
	for {
		for len(l.ahead) < most {
			text, err := l.read(more)
			if errors.Is(err, io.EOF) && (more || len(l.ahead) == 0) {
				return nil, io.EOF
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			l.ahead = append(l.ahead, text)
		}
		first := l.line - len(l.ahead) + 1
		for _, p := range l.of.patterns {
			if p.lines > len(l.ahead) {
				continue
			}
			e := &Event{File: l.File, Line: first, Text: strings.Join(l.ahead[:p.lines], "\n")}
			if e.match(p.re) {
				l.ahead = l.ahead[p.lines:]
				return e, nil
			}
		}
		e := &Event{File: l.File, Line: first, Text: l.ahead[0]}
		l.ahead = l.ahead[1:]
		head := first == 1 && strings.HasPrefix(e.Text, "(?") // ShiViz's logs begin with the pattern
		if strings.TrimSpace(e.Text) != "" && !head && !l.of.Lax {
			return nil, e.wrong(0, utf8.RuneCountInString(e.Text),
				"no pattern of the reading matches this line (ignore others; passes over such)")
		}
	}
}

// match makes the members of an event: what is JSON is read so, and else it is a text.
func (e *Event) match(re *regexp.Regexp) bool {
	at := re.FindStringSubmatchIndex(e.Text)
	if at == nil {
		return false
	}
	value := map[string]any{}
	e.spans = map[string][2]int{}
	for i, name := range re.SubexpNames() {
		if name == "" || at[2*i] < 0 {
			continue
		}
		text := e.Text[at[2*i]:at[2*i+1]]
		e.spans[name] = [2]int{at[2*i], at[2*i+1]}
		value[name] = text
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if err := record.Alone(d, &v); err == nil {
			value[name] = v
		}
	}
	e.Value = value
	return true
}

// parse reads the value of a line of JSON; its error is io.ErrUnexpectedEOF where more has to follow.
func (e *Event) parse() error {
	d := json.NewDecoder(strings.NewReader(e.Text))
	d.UseNumber()
	err := record.Alone(d, &e.Value)
	var bad *json.SyntaxError
	switch {
	case errors.Is(err, record.ErrMore):
		return e.wrong(int(d.InputOffset()), 1, "a line has one JSON value, and this one has more")
	case errors.As(err, &bad):
		return e.wrong(int(bad.Offset)-1, 1,
			"this is no JSON: %v (of other lines, `lines` in the reading says what they mean)", err)
	case err != nil:
		return err // where the line ends
	}
	if strings.Contains(e.Text, `\u`) {
		if at, is := halved([]byte(e.Text)); is {
			return e.wrong(at, 6, "a text has half of a character (a surrogate without the other one)")
		}
	}
	if _, ok := e.Value.(map[string]any); !ok {
		return e.wrong(0, utf8.RuneCountInString(e.Text), "an event is a JSON object, {...}")
	}
	return nil
}

// halved reports whether a JSON text has one of two surrogates without the other: a reader replaces it, so that
// different texts become the same.
func halved(text []byte) (at int, is bool) {
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
				return i, true
			}
			i += 6 // at the second one
		}
		i++
	}
	return 0, false
}

// Cut says where the log ends in the middle of a line, which was not looked at; nothing if it does not.
func (l *Log) Cut() []string {
	line := l.line
	if len(bytes.TrimSpace(l.rest)) > 0 {
		line++
	} else if !l.cut {
		return nil
	}
	return []string{fmt.Sprintf("%s:%d: the last line is incomplete: it was not looked at", record.Name(l.File), line)}
}

// at follows a path into a value.
func (p *Path) at(v any) (any, bool) {
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

// Under returns what a reading sees of an event: the value at its root; false if it has none.
func (r *Reading) Under(e *Event) (any, bool) {
	if r.root == nil {
		return e.Value, true
	}
	return r.root.at(e.Value)
}

// Look returns the value of an expression in a line: a text, json.Number, truth value or nil
// (null). It is false if the line does not have it, which is an error unless it is optional.
func (x *LogExpr) Look(e *Event, v any) (any, bool, error) {
	if x.Path == nil {
		return x.literal, true, nil
	}
	got, ok := x.Path.at(v)
	if !ok {
		if x.Path.optional {
			return nil, false, nil
		}
		return nil, false,
			e.WrongAt(x.Path, "there is no %s here (the reading wants it in line %d; %s? if not all events have it)",
				x.Path.Text,
				x.pos.Line, x.Path.Text)
	}
	if x.How == "len" {
		list, isList := got.([]any)
		if !isList {
			return nil, false, e.WrongAt(x.Path, "%s is no list", x.Path.Text)
		}
		return json.Number(strconv.Itoa(len(list))), true, nil
	}
	return got, true, nil
}

// Plain is a value as a text, for comparisons of values of a line with each other.
func Plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return Numeral(v)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	}
	data, _ := json.Marshal(v) // of what was read as JSON
	return string(data)
}

func Integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(Numeral(n), 10, 64)
	return i, err == nil
}

// MostDigits is how many digits of a number are written without an exponent.
const MostDigits = 40

// Numeral writes a number in one way, however the log writes it: 1, 1.0 and 10e-1 are 1. Numbers of very many digits
// have an exponent.
func Numeral(n json.Number) string {
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
	switch places := len(trimmed) + exponent; {
	case trimmed == "":
		return "0"
	case exponent >= 0 && places <= MostDigits:
		text = trimmed + strings.Repeat("0", exponent)
	case exponent < 0 && places > 0:
		text = trimmed[:places] + "." + trimmed[places:]
	case exponent < 0 && places > -MostDigits:
		text = "0." + strings.Repeat("0", -places) + trimmed
	default:
		text = trimmed + "e" + strconv.Itoa(exponent)
	}
	if sign {
		return "-" + text
	}
	return text
}

// Holds evaluates a condition on a line.
func (c condition) Holds(e *Event, v any) (bool, error) {
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
		_, has := r.left.Path.at(v)
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
func (x *LogExpr) sum(e *Event, v any) (any, bool, error) {
	got, ok, err := x.Look(e, v)
	if err != nil || !ok || x.Add == 0 {
		return got, ok, err
	}
	n, isInt := Integer(got)
	if !isInt {
		return nil, false, e.WrongAt(x.Path, "%s is %s, which is no number to add to", x.Text, Plain(got))
	}
	return json.Number(strconv.FormatInt(n+x.Add, 10)), true, nil
}

func related(e *Event, r *relation, left, right any) (bool, error) {
	a, b := Plain(left), Plain(right)
	switch r.op {
	case "=", "in":
		return a == b, nil
	case "!=":
		return a != b, nil
	}
	n, ok := Integer(left)
	m, also := Integer(right)
	if !ok || !also {
		return false, e.WrongAt(r.left.Path, "%s %s %s compares what is no number", a, r.op, b)
	}
	return Ordered(r.op, n, m), nil
}

func Ordered(op string, n, m int64) bool {
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

// abridged is a line, short enough to be shown.
func abridged(text string) string {
	return spell.Abridged(record.Printable(strings.TrimSpace(text)), 300)
}

func Listed(names []string) string {
	var list []string
	for i, name := range names {
		if i == 3 && len(names) > 4 {
			list = append(list, "...")
			break
		}
		list = append(list, strconv.Quote(name))
	}
	return strings.Join(list, ", ")
}

func IntegerText(s string) (int64, bool) {
	n := int64(0)
	for _, r := range s {
		if r < '0' || r > '9' || n > math.MaxInt32 {
			return 0, false
		}
		n = 10*n + int64(r-'0')
	}
	return n, s != ""
}
