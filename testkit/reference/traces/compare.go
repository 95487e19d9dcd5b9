package traces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// Said is what the program says of a case.
type Said struct {
	Code     int
	Message  string
	Verdict  string
	Reason   string
	Events   int
	Violated []struct {
		Property string
		Certain  bool
	}
	Unexplained struct {
		Log  string
		Line int
	}
}

// Write writes a case to files of a folder, and says what the program is asked.
func (c *Case) Write(folder string) (args []string, err error) {
	write := func(name, text string) {
		if e := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); e != nil {
			err = e
		}
	}
	if c.Inside {
		write("random.ftdp", c.Protocol+"\ntrace random\n"+c.Reading+"end\n")
	} else {
		write("random.ftdp", c.Protocol)
		write("random.reading", c.Reading)
	}
	args = []string{"trace", filepath.Join(folder, "random.ftdp"), "--json"}
	for i, lines := range c.Logs {
		name := fmt.Sprintf("log%d.ndjson", i+1)
		write(name, strings.Join(lines, "\n")+"\n")
		args = append(args, filepath.Join(folder, name))
	}
	return args, err
}

// Ask asks the program.
func Ask(program string, args []string) (*Said, error) {
	a, err := need.Ask(time.Minute, "", append([]string{program}, args...)...)
	if err != nil || a.Code < 0 {
		return nil, fmt.Errorf("%v: %w, code %d", args, err, a.Code)
	}
	s := &Said{Code: a.Code, Message: a.Err}
	if a.Out == "" {
		return s, nil
	}
	// "violated" is one object, or several
	var raw struct {
		Verdict, Reason string
		Events          int
		Violated        json.RawMessage
		Unexplained     json.RawMessage
	}
	if err := json.Unmarshal([]byte(a.Out), &raw); err != nil {
		return nil, fmt.Errorf("%v: %w in %s", args, err, a.Out)
	}
	s.Verdict, s.Reason, s.Events = raw.Verdict, raw.Reason, raw.Events
	if len(raw.Unexplained) > 0 {
		if err := json.Unmarshal(raw.Unexplained, &s.Unexplained); err != nil {
			return nil, err
		}
	}
	if text := bytes.TrimSpace(raw.Violated); len(text) > 0 && text[0] == '{' {
		raw.Violated = slices.Concat([]byte("["), text, []byte("]"))
	}
	if len(raw.Violated) > 0 {
		if err := json.Unmarshal(raw.Violated, &s.Violated); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Difference is where the program and the reference say different things.
type Difference struct{ Kind, Text string }

// compare holds what the program says against an answer.
func (a *Answer) compare(s *Said) *Difference {
	differ := func(kind, format string, args ...any) *Difference {
		return &Difference{kind, fmt.Sprintf(format, args...)}
	}
	if s.Code == 2 {
		return differ("refused", "%s", s.Message)
	}
	code := map[string]int{"explained": 0, "not a run": 1, "violated": 1, "unknown": 3}
	if want, known := code[s.Verdict]; !known || want != s.Code {
		return differ("exit code", "%s with %d", s.Verdict, s.Code)
	}
	if !a.Explained {
		switch s.Verdict {
		case "not a run":
		case "unknown":
			return differ("unknown, not a run", "%s", s.Reason)
		default:
			return differ("false "+s.Verdict+", not a run", "the program explains what is no run")
		}
		return nil
	}
	certain := func(name string) bool { return slices.Contains(a.Certain, name) }
	switch s.Verdict {
	case "not a run":
		return differ("false not a run", "line %d of %s", s.Unexplained.Line, s.Unexplained.Log)
	case "explained":
		if !a.Clean() {
			return differ("violation missed", "all runs violate something: %b", a.Masks)
		}
	case "violated":
		if len(a.Certain) == 0 {
			return differ("false certain violation", "%v", s.Violated)
		}
	case "unknown":
		if len(a.Certain) > 0 && a.Single {
			return differ("unknown, violated", "%s; certain are %v", s.Reason, a.Certain)
		}
		if !a.Some() {
			return differ("unknown, explained", "%s", s.Reason)
		}
	}
	for _, v := range s.Violated {
		if v.Certain && !certain(v.Property) {
			return differ("false certain violation", "%s", v.Property)
		}
		if !v.Certain && certain(v.Property) && a.Single {
			return differ("violation not said to be certain", "%s", v.Property)
		}
	}
	return nil
}

// compareEvents holds how many events are said to be explained, and which one is not, against an answer where there is
// one common clock.
func (c *Case) compareEvents(q *Question, a *Answer, s *Said) *Difference {
	h, err := q.Reading.history(q.Logs)
	if err != nil || s.Code == 2 || !a.Single {
		return nil
	}
	if s.Verdict == "not a run" && !a.Explained {
		e := h.lanes[0][a.Events]
		if s.Unexplained.Line != e.line || s.Events != a.Events {
			return &Difference{"another event", fmt.Sprintf("line %d after %d events, not line %d after %d", s.Unexplained.Line, s.Events, e.line, a.Events)}
		}
	}
	return nil
}

// String is all that a case is made of.
func (c *Case) String() string {
	s := "--- random.ftdp\n" + c.Protocol + "--- random.reading\n" + c.Reading
	for i, lines := range c.Logs {
		s += fmt.Sprintf("--- log%d.ndjson\n%s\n", i+1, strings.Join(lines, "\n"))
	}
	return s
}
