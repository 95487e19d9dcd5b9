package trace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/trace/reading"
)

// Source is a log: it can be opened more than once, to read constants off it first.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
	Ends bool // where it ends, nothing more will be written, although it is followed: a pipe that was closed
}

// Bytes is a log that is there already.
func Bytes(name string, data []byte) Source {
	return Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// The verdicts.
const (
	Explained = "explained" // there is a run that the log shows
	NotARun   = "not a run" // an event is explained by no run
	Violated  = "violated"  // every run that the log shows violates a property
	Unknown   = "unknown"
)

// Outcome is what a log was found to be.
type Outcome struct {
	Verdict     string
	Reason      string // of Unknown
	Model       *protocol.Model
	Result      *Result // nil if nothing was explained for an error
	Unexplained *Unexplained
	Core        *Core    // of what is not explained, with How.Shrink
	Ordered     bool     // the order of events of different processes was searched
	Notes       []string // what else there is to know of the log
	Time        time.Duration
}

// Core is a part of a log that no run explains on its own, whatever happened where the other events stand: what they
// show, anything else that events of their kind could show, or nothing. To leave an event out asks less, so that no run
// explains the whole log either; and where some run explains what is left without an event, it does so without two: one
// pass finds a part of which each event is needed (a minimal unsatisfiable subset).
type Core struct {
	Events []*reading.Event // in the order of the log
	Open   int              // events that may not be needed: it was not decided
}

// How says how to check.
type How struct {
	Options
	Set        map[string]int64 // constants
	Properties []string         // nil for all of the protocol
	Shrink     bool             // look for a part of a log that no run explains that is as small as can be
	Follow     time.Duration    // how often to look whether more was written; 0 if the log is complete
	Progress   func(events int64)
}

// Check reads logs and asks whether they are a run of the protocol. Several logs, or one whose reading has a clock by
// process, have no common clock. Interruption of the context ends in Unknown; of a log that is followed it is the end.
// Its errors are a diag.List, of the reading or the protocol, *LogError, and *machine.ModelError.
func Check(ctx context.Context, text *ftdp.File, r *reading.Reading, logs []Source, h How) (*Outcome, error) {
	begin := time.Now()
	if err := undeclared(text, r).Err(); err != nil {
		return nil, err
	}
	read := logs
	if !r.Constants(h.Set) {
		read = nil // all numbers are in the reading
	} else if h.Follow > 0 {
		return nil,
			errors.New("constants are read off a log that is complete: give them their values where it is followed")
	}
	set, err := measureAll(r, h.Set, read)
	if err != nil {
		return nil, err
	}
	m, err := instantiate.Followed(text, set)
	if err != nil {
		return nil, err
	}
	o := h.Options
	if h.Properties == nil || len(h.Properties) > 0 {
		if o.Properties, err = m.Choose(h.Properties); err != nil {
			return nil, err
		}
	}
	c, err := newChecker(ctx, m, r, o)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Model: m, Ordered: len(logs) > 1 || r.Clock != nil}
	if out.Ordered {
		err = c.several(ctx, logs, h, &out.Notes)
	} else {
		err = c.one(ctx, logs[0], h, &out.Notes)
	}
	if err = out.judge(ctx, c, err, h.Follow > 0); err != nil {
		return nil, err
	}
	if h.Shrink && out.Verdict == NotARun {
		if out.Core, err = c.shrink(ctx, logs, out.Unexplained.Event); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	if out.Verdict == Explained && out.Result.Events == 0 {
		out.Notes = append(out.Notes,
			"there is no event in the log that the reading does not ignore: nothing was checked")
	}
	if out.Verdict != NotARun {
		out.Notes = append(out.Notes, c.exchanged()...)
	}
	out.Time = time.Since(begin)
	return out, nil
}

func measureAll(r *reading.Reading, set map[string]int64, logs []Source) (map[string]int64, error) {
	m := r.Measure(set)
	if _, err := each(r, logs, m.Add); err != nil {
		return nil, err
	}
	return m.Constants()
}

// each calls yield with all events of some logs, and says which of them end in the middle of a line.
func each(r *reading.Reading, logs []Source, yield func(*reading.Event) error) (cut []string, err error) {
	for _, s := range logs {
		more, err := eachOf(r, s, yield)
		if err != nil {
			return nil, err
		}
		cut = append(cut, more...)
	}
	return cut, nil
}

func eachOf(r *reading.Reading, s Source, yield func(*reading.Event) error) (cut []string, err error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []*reading.Event // where calls have to be put together with their returns
	l := r.NewLog(s.Name, f)
	for err == nil {
		var e *reading.Event
		switch e, err = l.Next(false); {
		case err == nil && r.Calls != nil:
			lines = append(lines, e)
		case err == nil:
			err = yield(e)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if r.Calls != nil {
		if lines, err = r.Paired(lines); err != nil {
			return nil, err
		}
	}
	for _, e := range lines {
		if err := yield(e); err != nil {
			return nil, err
		}
	}
	return l.Cut(), nil
}

// one follows a log of one clock.
func (c *checker) one(ctx context.Context, s Source, h How, notes *[]string) error {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	l := c.r.NewLog(s.Name, f)
	for k := int64(0); ; k++ {
		e, err := l.Next(h.Follow > 0 && !s.Ends)
		if errors.Is(err, io.EOF) && h.Follow > 0 && !s.Ends {
			if err := c.replay.settle(c.frontier); err != nil {
				return err
			}
			if h.Progress != nil {
				h.Progress(c.events)
			}
			if err := replaced(f); err != nil {
				return l.Wrong(0, "%s", err)
			}
			select {
			case <-ctx.Done():
				*notes = append(*notes, l.Cut()...)
				return ctx.Err()
			case <-time.After(h.Follow):
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			*notes = append(*notes, l.Cut()...)
			return nil
		}
		if err == nil {
			err = c.room()
		}
		if err == nil {
			err = c.add(ctx, e)
		}
		if err != nil {
			return err
		}
		if k%1024 == 0 {
			if h.Progress != nil {
				h.Progress(c.events)
			}
		}
	}
}

// replaced reports whether a file that is followed was cut off, or another one has its name now. Of
// what is no file nothing is known.
func replaced(r io.ReadCloser) error {
	f, ok := r.(*os.File)
	if !ok {
		return nil
	}
	own, err := f.Stat()
	if err != nil || !own.Mode().IsRegular() {
		return nil
	}
	if at, err := f.Seek(0, io.SeekCurrent); err == nil && own.Size() < at {
		return errors.New("the log became shorter while it was followed: what is written there now is not what follows")
	}
	if named, err := os.Stat(f.Name()); err != nil || !os.SameFile(own, named) {
		return errors.New("the log was renamed or removed while it was followed")
	}
	return nil
}

// several reads logs without a common clock.
func (c *checker) several(ctx context.Context, logs []Source, h How, notes *[]string) error {
	if h.Follow > 0 {
		return errors.New("a log is followed if its events have one clock")
	}
	if c.r.Clock != nil && c.r.Clock.Lines && len(logs) > 1 {
		return errors.New("the lines of several logs are in no order: the reading has to say when calls and returns " +
			"happened (clock from $call.time to $time?)")
	}
	var events []*reading.Event
	cut, err := each(c.r, logs, func(e *reading.Event) error {
		events = append(events, e)
		return c.room()
	})
	if err != nil {
		return err
	}
	*notes = append(*notes, cut...)
	return c.addOrdered(ctx, events)
}

// judge makes a verdict of how checking ended.
func (out *Outcome) judge(ctx context.Context, c *checker, ended error, followed bool) error {
	interrupted := ctx.Err() != nil && errors.Is(ended, ctx.Err())
	switch {
	case errors.As(ended, &out.Unexplained):
		out.Verdict = NotARun
	case errors.Is(ended, errTooMany):
		out.Verdict, out.Reason = Unknown, ended.Error()
	case interrupted && errors.Is(ended, context.DeadlineExceeded) && !followed:
		out.Verdict, out.Reason = Unknown, "timeout"
	case interrupted && !followed:
		out.Verdict, out.Reason = Unknown, "interrupted"
	case interrupted || ended == nil:
		out.Verdict = Explained
	default:
		return ended
	}
	// What was found when time is up is replayed.
	lasting, stop := limit.Lasting(ctx, machine.More)
	defer stop()
	c.ctx = lasting
	var err error
	if out.Result, err = c.result(); err != nil || out.Verdict != Explained || len(out.Result.Broken) == 0 {
		return err
	}
	out.Verdict, out.Reason = Unknown, "the run that was found violates "+out.Result.Broken[0].Property+
		", but others that the log shows may not"
	for _, b := range out.Result.Broken {
		if out.Result.sure(b) {
			out.Verdict, out.Reason = Violated, ""
		}
	}
	return nil
}

// MemoryOver returns a function that reports whether the heap is larger than a limit.
func MemoryOver(limit uint64) func() bool {
	return func() bool {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return limit > 0 && s.HeapAlloc > limit
	}
}

// InReading reports whether an error is about the text of a reading.
func InReading(err error, file string) bool {
	var list diag.List
	return errors.As(err, &list) && len(list) > 0 && list[0].Pos.File == file
}

// newChecker puts a reading together with a model. Its error is a diag.List, of places in the reading, or in the model.
func newChecker(ctx context.Context, m *protocol.Model, r *reading.Reading, o Options) (*checker, error) {
	if o.States == 0 {
		o.States = DefaultStates
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	b := &binder{r: r, m: m, d: compile.NewDirect(m)}
	c := &checker{r: r, m: m, d: b.d, o: o, ctx: ctx, tables: map[string]map[string]int64{}}
	for i := range r.Cases {
		bc := boundCase{ReadCase: &r.Cases[i]}
		for k := range r.Cases[i].Parts {
			if p := b.part(&r.Cases[i].Parts[k]); p != nil {
				bc.parts = append(bc.parts, p)
				c.shows = c.shows || p.Kind == reading.PartSent
			}
		}
		c.cases = append(c.cases, bc)
	}
	for i := range c.cases {
		for x := range values([]*boundCase{&c.cases[i]}) {
			c.numbers = c.numbers || x.How == "id"
		}
	}
	c.silent, c.lost, c.stopped = b.silence()
	c.quiet = !slices.Contains(c.silent, true)
	c.names, c.values = b.names()
	if err := b.list.Err(); err != nil {
		return nil, err
	}
	c.number(m.Asymmetry != nil || b.asymmetric)
	c.watch()
	c.hides = c.lost && m.Channels.Lossy && !m.Channels.FIFO
	c.wants = newWants(m)
	return c, c.begin()
}

// begin makes the initial states those that explain nothing yet.
func (c *checker) begin() error {
	c.frontier, c.replay = newSet(), newReplay(c)
	var failed error
	err := c.d.Initial(c.ctx, func(e interp.Event, p *compile.Point) bool {
		n := &node{point: p, step: &step{event: e}}
		if failed = c.judge(nil, n); failed != nil {
			return false
		}
		c.frontier.add(n)
		return c.frontier.size <= c.o.States
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return c.wrongModel(nil, nil, err)
	}
	c.choice = c.frontier.several() || !c.quiet
	return nil
}

func (c *checker) watch() {
	for _, p := range c.o.Properties {
		if p.Invariant != nil && len(c.watched) < maxWatched {
			c.watched = append(c.watched, watched{p, c.d.Test(p.Invariant), compile.NewSight(c.m, p.Invariant)})
		}
	}
	note := func(t *protocol.Term) {
		c.status = c.status || t.Base == protocol.BaseStatus || t.Base == protocol.BaseWhole
	}
	for i := range c.m.Rules {
		c.m.Rules[i].Touch(func(t *protocol.Term, _ bool) { note(t) })
	}
	for _, p := range c.o.Properties {
		if p.Invariant != nil {
			p.Invariant.Places(note)
		}
	}
	for i := range c.cases {
		for _, p := range c.cases[i].parts {
			for _, list := range [][]check{p.before, p.after} {
				for k := range list {
					list[k].term.Places(note)
				}
			}
			c.status = c.status || p.Kind == reading.PartStopped
		}
	}
}

// maxWatched is how many invariants are checked at once.
const maxWatched = 64
