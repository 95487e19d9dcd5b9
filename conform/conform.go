// Package conform is for tests of programs: events are recorded while a program runs, and Check fails the test if they
// are no run of a protocol (docs/traces.md). It needs no solver and no cgo.
//
//	var rec conform.Recorder
//	...
//	rec.Record(map[string]any{"event": "store", "at": "s1", "stamp": 3})
//	...
//	conform.Check(t, conform.Files("abd.ftdp", "abd.reading"), &rec)
//
// The other way round, Drive plays runs of the protocol against a program.
package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
)

// Recorder records events, in the order of the calls. The zero value is ready; it may be used by several goroutines.
type Recorder struct {
	mu     sync.Mutex
	events bytes.Buffer
	time   int64 // of During
	err    error
}

// Record records an event: anything that is a JSON object. What cannot be written as JSON
// fails the test that checks the events.
func (r *Recorder) Record(event any) { r.Step(func() any { return event }) }

// Step runs f and records the event that it returns, if any, while no other call records: so that
// events stand in the order in which they took effect.
func (r *Recorder) Step(f func() any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if event := f(); event != nil {
		r.write(event)
	}
}

// During runs f while others record, and records the event that it returns, if any, as one that happened at some moment
// from its beginning to its end: with numbers "began" and "ended" (clock from $began to $ended). So a program need not
// say when, inside of f, it takes effect.
func (r *Recorder) During(f func() map[string]any) {
	began := r.tick()
	event := f()
	if event == nil {
		return
	}
	event["began"], event["ended"] = began, r.tick()
	r.Record(event)
}

func (r *Recorder) tick() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.time++
	return r.time
}

// write writes an event.
func (r *Recorder) write(event any) {
	data, err := json.Marshal(event)
	if err != nil {
		r.err = errors.Join(r.err, err)
		return
	}
	r.events.Write(append(data, '\n'))
}

// Bytes returns what was recorded, one JSON object a line, as `tacheck trace` reads it.
func (r *Recorder) Bytes() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.events.Bytes())
}

// Model is a protocol with a reading of events.
type Model struct {
	protocol, reading string // names
	text, words       string
	err               error
	Set               map[string]int64 // constants, in place of those of the text or the reading
	Properties        []string         // to be checked along the run; nil for all of the text
	States            int              // that may explain the events at once; 0 for trace.DefaultStates
}

// Files is a model in files: of a protocol (.ftdp), and of a reading, which is "" if it is in the protocol's text, or
// where events are not checked.
func Files(protocol, reading string) *Model {
	m := &Model{protocol: protocol, reading: reading}
	text, err := os.ReadFile(protocol)
	m.text, m.err = string(text), err
	if reading != "" && err == nil {
		text, err = os.ReadFile(reading)
		m.words, m.err = string(text), err
	}
	return m
}

// Texts is a model in texts; the second is "" if the reading is in the protocol's.
func Texts(protocol, reading string) *Model {
	return &Model{protocol: "protocol.ftdp", reading: "protocol.reading", text: protocol, words: reading}
}

// told is how many steps before an event that is not explained are told.
const told = 8

// Check fails the test, with a story, if the events are no run of the protocol, or if the run
// violates a property of it. Where this cannot be decided, and where there are no events, it fails, too.
func Check(t testing.TB, m *Model, events *Recorder) {
	t.Helper()
	out, err := Verdict(t.Context(), m, events)
	if err != nil {
		t.Fatal(err)
	}
	if out.Verdict == trace.Explained && out.Result.Events == 0 {
		t.Error("nothing was recorded that the reading does not ignore: nothing was checked")
	}
	if out.Verdict == trace.Explained {
		return
	}
	var b strings.Builder
	if err := out.Tell(&b, "events", told, nil); err != nil {
		t.Fatal(err)
	}
	t.Error(b.String())
}

// Verdict is Check for others than tests.
func Verdict(ctx context.Context, m *Model, events *Recorder) (*trace.Outcome, error) {
	if err := errors.Join(m.err, events.err); err != nil {
		return nil, err
	}
	text, err := ftdp.Parse(m.protocol, m.text)
	if err != nil {
		return nil, rendered(err, m.text)
	}
	r, err := m.read(text)
	if err != nil {
		return nil, err
	}
	how := trace.How{Options: trace.Options{States: m.States}, Set: m.Set, Properties: m.Properties}
	out, err := trace.Check(ctx, text, r, []trace.Source{trace.Bytes("events", events.Bytes())}, how)
	var bad *trace.Failed
	switch {
	case errors.As(err, &bad):
		where := m.text
		if bad.Pos.File == m.reading {
			where = m.words
		}
		return nil, fmt.Errorf("%w\n%s", rendered(err, where), strings.TrimSpace(bad.Story()))
	case trace.InReading(err, m.reading):
		return nil, rendered(err, m.words)
	case err != nil:
		return nil, rendered(err, m.text)
	}
	return out, nil
}

// read reads what the events are.
func (m *Model) read(text *ftdp.File) (*reading.Reading, error) {
	if m.words != "" {
		r, err := reading.Parse(m.reading, m.words)
		return r, rendered(err, m.words)
	}
	r, err := reading.Block(text, "")
	if err == nil && r == nil {
		err = fmt.Errorf("%s has no reading, which says what the events are (trace NAME ... end)", m.protocol)
	}
	return r, rendered(err, m.text)
}

// rendered is a problem in a text with its lines.
func rendered(err error, text string) error {
	var list diag.List
	if !errors.As(err, &list) {
		return err
	}
	var b strings.Builder
	list.Render(&b, text)
	return errors.New(strings.TrimSpace(b.String()))
}
