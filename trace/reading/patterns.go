package reading

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
)

// govector is how GoVector, ShiViz and ShiVector's libraries for other languages write an event: the process with its
// vector clock, and below it what happened, behind its priority perhaps.
const govector = `(?<host>\S*) (?<clock>\{.*\})\n(?:(?<priority>DEBUG|INFO|WARNING|ERROR|FATAL) )?(?<event>EVENT)`

// pattern reads a regular expression in quotes; with what is put around it.
func (p *parser) pattern(around string) {
	t := p.peek()
	text := ".*"
	switch {
	case t.kind == scan.Text:
		p.next()
		text = t.text[1 : len(t.text)-1]
	case around == "EVENT":
		p.fail(t, "unexpected %s (expected govector, or a regular expression in quotes)%s", shown(t),
			spell.Hint(t.text, []string{"govector"}))
	}
	text = strings.Replace(around, "EVENT", text, 1)
	re, err := regexp.Compile(`^(?:` + text + `)$`)
	if err != nil {
		p.fail(t, "this is no regular expression: %v", err)
	}
	if strings.Join(re.SubexpNames(), "") == "" {
		p.fail(t, "the regular expression has no named group, (?<name>...): nothing of a line would be known")
	}
	p.r.patterns = append(p.r.patterns, linePattern{re, 1 + strings.Count(text, `\n`)})
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
