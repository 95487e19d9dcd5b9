package reading

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/spell"
)

// LogError says what is wrong with a line of a log.
type LogError struct {
	Pos   diag.Pos
	Msg   string
	text  string // the line, from its column lead+1 on; "" if it is not shown
	lead  int
	width int
}

func (e *LogError) Error() string { return e.Pos.String() + ": " + e.Msg }

// Render writes it as a diag.List is written.
func (e *LogError) Render(w io.Writer) {
	fmt.Fprintln(w, e.Error())
	if e.text != "" {
		at := e.Pos
		at.Col -= e.lead
		diag.Excerpt(w, at, e.width, e.text)
	}
}

// Wrong is an error in an event.
func (e *Event) Wrong(format string, args ...any) error { return e.wrong(0, 1, format, args...) }

// WrongAt is an error in the value of a path, or where it should be.
func (e *Event) WrongAt(p *Path, format string, args ...any) error {
	if p == nil {
		return e.Wrong(format, args...)
	}
	keys := slices.Concat(p.base(), p.keys)
	e, keys = e.origin(keys, len(p.base()))
	from, to, missing, names := e.locate(keys)
	text := fmt.Sprintf(format, args...)
	if missing < len(keys) {
		to = from + 1
		text += spell.Hint(keys[missing], names)
	}
	return e.wrong(from, utf8.RuneCountInString(e.Text[from:to]), "%s", text)
}

// wrong is an error at an offset into the text of an event.
func (e *Event) wrong(offset, width int, format string, args ...any) error {
	offset = max(0, min(offset, len(e.Text)))
	before := e.Text[:offset]
	begin := strings.LastIndexByte(before, '\n') + 1
	out := &LogError{Msg: fmt.Sprintf(format, args...), width: width, lead: e.lead}
	if begin > 0 {
		out.lead = 0
	}
	out.text, _, _ = strings.Cut(e.Text[begin:], "\n")
	out.Pos = diag.Pos{File: record.Name(e.File), Line: e.Line + strings.Count(before, "\n"),
		Col: out.lead + utf8.RuneCountInString(before[begin:]) + 1}
	return out
}

// locate finds the text of a value, or of what should have it: then it lacks keys[missing], and has names.
func (e *Event) locate(keys []string) (from, to, missing int, names []string) {
	if e.spans != nil {
		if len(keys) > 0 {
			if s, is := e.spans[keys[0]]; is {
				return s[0], s[1], len(keys), nil
			}
		}
		return 0, len(e.Text), 0, slices.Sorted(maps.Keys(e.spans))
	}
	from, to = 0, len(e.Text)
	for k, key := range keys {
		d := json.NewDecoder(strings.NewReader(e.Text[from:to]))
		open, err := d.Token()
		at, end := -1, 0
		names = nil
		for i := 0; err == nil && d.More(); i++ {
			name := strconv.Itoa(i)
			if open == json.Delim('{') {
				var t json.Token
				t, err = d.Token()
				name, _ = t.(string)
				names = append(names, name)
			}
			var raw json.RawMessage
			if err == nil {
				err = d.Decode(&raw)
			}
			if err == nil && name == key { // of several the last one counts
				end = int(d.InputOffset())
				at = end - len(raw)
			}
		}
		if at < 0 {
			return from, to, k, names
		}
		from, to = from+at, from+end
	}
	return from, to, len(keys), nil
}

// origin returns the line in which a value is, and the way to it there.
func (e *Event) origin(keys []string, base int) (*Event, []string) {
	if e.Call == nil || len(keys) <= base {
		return e, keys
	}
	if keys[base] == calling {
		return e.Call, slices.Concat(keys[:base], keys[base+1:])
	}
	if _, _, missing, _ := e.locate(keys); missing > base {
		return e, keys
	}
	if _, _, missing, _ := e.Call.locate(keys); missing > base {
		return e.Call, keys
	}
	return e, keys
}
