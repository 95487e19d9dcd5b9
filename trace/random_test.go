package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	"github.com/tacheck/tacheck/trace/reading"
)

// TestRandom: of random runs of random protocols, with events and values left out at random,
// logs are explained; with one value changed, exactly those are that an exhaustive search with
// the interpreter explains, and where it does not, the same event is the first that no run
// explains.
func TestRandom(t *testing.T) {
	wanted, seed := need.Cases(t, 15), need.Seed(t, 1) // changed logs that no run has
	count := map[string]int{}
	for i := 0; count["changed, no run"] < wanted; i++ {
		c := newCase(uint64(seed+i), count)
		if c == nil {
			continue
		}
		if err := c.check(); err != nil {
			t.Fatalf("%s\n%s\n%s\nseed %d: %v", c.text, c.reading(), c.logText(), seed+i, err)
		}
		if i > 1000*wanted {
			t.Fatal("too few cases")
		}
	}
	t.Logf("%v", count)
}

// randomCase is a protocol, a run of it and what is logged of the run.
type randomCase struct {
	r       *rand.Rand
	m       *protocol.Model
	x       *interp.Interpreter
	text    string
	silent  []bool // by rule
	hidden  bool   // losses and stops are never logged, else always
	names   []string
	log     []entry
	ordered bool        // without a common clock
	during  bool        // events have intervals
	called  bool        // as lines of a call and of its return
	lines   map[int]int // the entry of a line then, from 1
	block   bool        // the reading is in the protocol's text
	unsound bool        // what some property says of states is an error in some
	count   map[string]int
}

// entry is an event that is logged.
type entry struct {
	kind   string // rule, lost or stopped
	rule   int
	mover  int
	values map[string]any
	from   int
	to     int  // below 0 if there is none
	loose  bool // it may show anything else of its kind, or nothing
}

// logged are the values that an entry may have: parameters, the message, and the variables
// of the process that moves.
func (c *randomCase) logged(e interp.Event, after *protocol.State) entry {
	t := &c.m.Rules[e.Rule]
	out := entry{kind: reading.PartRule, rule: e.Rule, values: map[string]any{}}
	out.mover = interp.Process(c.m, t, t.Executor, e.Frame)
	if e.Fate != interp.Processed {
		out.kind = map[interp.Fate]string{interp.Lost: reading.PartLost, interp.Stopped: reading.PartStopped}[e.Fate]
		out.values["i"], out.values["j"] = c.names[out.mover], c.names[e.Packets[0].From]
		c.message(out, e.Packets[0])
		return out
	}
	for i := range t.Params {
		p := &t.Params[i]
		switch p.Type.Kind {
		case protocol.KindQuorum:
		case protocol.KindRole:
			out.values[p.Name] = c.names[interp.Process(c.m, t, i, e.Frame)]
		default:
			out.values[p.Name] = e.Frame[t.Cell(i)]
		}
	}
	if t.Receives() && !t.Quorum() {
		c.message(out, e.Packets[0])
	}
	role, _ := c.m.RoleOf(out.mover)
	for _, f := range c.m.Roles[role].State.Fields {
		if f.Type.Scalar() {
			out.values["after_"+f.Name] = c.json(f.Type, after.Cells[out.mover][f.Offset])
		}
	}
	return out
}

func (c *randomCase) message(out entry, p protocol.Packet) {
	for _, f := range c.m.Message.Fields {
		out.values["msg_"+f.Name] = c.json(f.Type, p.Message[f.Offset])
	}
}

// json is a value as a log has it.
func (c *randomCase) json(t *protocol.Type, v int32) any {
	switch {
	case v == protocol.Undef:
		return nil
	case t.Kind == protocol.KindRole:
		return c.names[c.m.Roles[t.Role].First+int(v)-1]
	case t.Kind == protocol.KindBool:
		return v != 0
	case t.Kind == protocol.KindEnum:
		return t.Values[v]
	}
	return v
}

// bounded is what the words of channels end with.
var bounded = regexp.MustCompile(`\bbounded [0-9]+`)

func newCase(seed uint64, count map[string]int) *randomCase {
	r := rand.New(rand.NewPCG(seed, 11))
	c := &randomCase{r: r, text: random.Protocol(r), count: count, hidden: r.IntN(2) == 0}
	c.during = r.IntN(4) == 0
	c.called = c.during && r.IntN(2) == 0
	c.ordered = c.during || r.IntN(4) == 0
	if r.IntN(3) == 0 {
		c.text = random.Channels(r)
	}
	if r.IntN(4) == 0 && !strings.Contains(c.text, "duplicating") {
		c.text = bounded.ReplaceAllString(c.text, "$0 duplicating")
	}
	var err error
	if c.m, err = instantiate.Read("random.ftdp", c.text, nil); err != nil {
		panic(err)
	}
	c.x = &interp.Interpreter{Model: c.m}
	if !c.small() {
		return nil
	}
	for p := range c.m.Processes() {
		c.names = append(c.names, fmt.Sprintf("n%d", (p*7+3)%11))
	}
	all := r.IntN(3) == 0
	none := !all && r.IntN(3) == 0
	for range c.m.Rules {
		c.silent = append(c.silent, all || !none && r.IntN(2) == 0)
	}
	c.walk(2 + r.IntN(9))
	if len(c.log) == 0 {
		return nil
	}
	count["cases"]++
	c.block = seed%2 == 0
	if c.m.Channels.Duplicating {
		count["duplicating"]++
	}
	return c
}

// small reports whether all states can be visited, without an error in the model.
func (c *randomCase) small() bool {
	const limit = 1500
	seen := map[string]bool{}
	list, err := c.x.Initial()
	for i := 0; err == nil && i < len(list); i++ {
		if seen[list[i].State.Key()] {
			continue
		}
		if seen[list[i].State.Key()] = true; len(seen) > limit {
			return false
		}
		for k := range c.m.Props {
			p := &c.m.Props[k]
			if _, err := c.x.Holds(list[i].State, interp.Conditions(p), p.Frame); err != nil {
				c.unsound = true
			}
		}
		var next []interp.Successor
		next, err = c.x.Successors(list[i].State)
		list = append(list, next...)
	}
	return err == nil
}

// walk takes a random run and logs it.
func (c *randomCase) walk(steps int) {
	list, _ := c.x.Initial()
	s := list[c.r.IntN(len(list))].State
	wide := 1 + c.r.IntN(25)
	for range steps {
		next, _ := c.x.Successors(s)
		n := next[c.r.IntN(len(next))]
		if n.Event.Fate == interp.Idle {
			return
		}
		s = n.State
		if silent := c.silent[n.Event.Rule]; n.Event.Fate == interp.Processed && silent && c.r.IntN(2) == 0 || n.Event.Fate != interp.Processed && c.hidden {
			continue
		}
		e := c.logged(n.Event, s)
		for name := range e.values {
			if c.r.IntN(4) == 0 && !(c.ordered && name == "i") {
				delete(e.values, name)
			}
		}
		if e.from, e.to = 10*len(c.log)-c.r.IntN(wide), 10*len(c.log)+c.r.IntN(wide); c.during && c.r.IntN(10) == 0 {
			e.to = -1
		}
		c.log = append(c.log, e)
	}
}

// reading is what the log means.
func (c *randomCase) reading() string {
	var b strings.Builder
	for i, silent := range c.silent {
		if silent {
			fmt.Fprintf(&b, "silent %s;\n", c.m.Rules[i].Label)
		}
	}
	if !c.hidden {
		b.WriteString("visible lost, stopped;\n")
	}
	switch {
	case c.called:
		b.WriteString("call $is = \"call\" by $id return $is = \"return\";\n")
	case c.during:
		b.WriteString("clock from $from to $to?;\n")
	case c.ordered:
		b.WriteString("clock by $mover;\n")
	}
	for i := range c.m.Rules {
		t := &c.m.Rules[i]
		var params, before, after []string
		for k := range t.Params {
			if p := &t.Params[k]; p.Type.Kind != protocol.KindQuorum {
				params = append(params, fmt.Sprintf("%s = $%s?", p.Name, p.Name))
			}
		}
		if t.Receives() && !t.Quorum() {
			before = c.messageText()
		}
		role := &c.m.Roles[t.Params[t.Executor].Type.Role]
		for _, f := range role.State.Fields {
			if f.Type.Scalar() {
				after = append(after, fmt.Sprintf("%s[%s].%s = $after_%s?", role.Name, t.Params[t.Executor].Name, f.Name, f.Name))
			}
		}
		fmt.Fprintf(&b, "when $name = %q: rule %s(%s)", t.Label, t.Label, strings.Join(params, ", "))
		for word, list := range map[string][]string{"before": before, "after": after} {
			if list != nil {
				fmt.Fprintf(&b, " %s %s", word, strings.Join(list, ", "))
			}
		}
		b.WriteString(";\n")
	}
	for i := range c.m.Roles {
		for j := range c.m.Roles {
			for _, kind := range []string{reading.PartLost, reading.PartStopped} {
				fmt.Fprintf(&b, "when $name = \"%s_%d_%d\": %s(i: %s = $i?, j: %s = $j?) %s;\n", kind, i, j, kind, c.m.Roles[i].ID, c.m.Roles[j].ID, strings.Join(c.messageText(), ", "))
			}
		}
	}
	return b.String()
}

func (c *randomCase) messageText() (list []string) {
	for _, f := range c.m.Message.Fields {
		list = append(list, fmt.Sprintf("msg.%s = $msg_%s?", f.Name, f.Name))
	}
	return list
}

func (c *randomCase) logText() string {
	var b strings.Builder
	if c.called {
		return c.calls()
	}
	for _, e := range c.log {
		data, _ := json.Marshal(c.line(e))
		fmt.Fprintf(&b, "%s\n", data)
	}
	return b.String()
}

// calls writes each event as a call and its return, in the order of these moments, calls first. What is shown is in
// one of the lines, or in both.
func (c *randomCase) calls() string {
	type line struct {
		at, of int
		ended  bool
		shows  map[string]any
	}
	var list []line
	for i, e := range c.log {
		call, back := map[string]any{"id": i, "is": "call"}, map[string]any{"id": i, "is": "return"}
		for k, v := range c.line(e) {
			way := c.r.IntN(3)
			if way > 0 || e.to < 0 {
				call[k] = v
			}
			if way < 2 {
				back[k] = v
			}
		}
		if list = append(list, line{e.from, i, false, call}); e.to >= 0 {
			list = append(list, line{e.to, i, true, back})
		}
	}
	slices.SortStableFunc(list, func(a, b line) int {
		if a.at == b.at && a.ended != b.ended {
			if a.ended {
				return 1
			}
			return -1
		}
		return a.at - b.at
	})
	var b strings.Builder
	c.lines = map[int]int{}
	for k, l := range list {
		c.lines[k+1] = l.of
		data, _ := json.Marshal(l.shows)
		fmt.Fprintf(&b, "%s\n", data)
	}
	return b.String()
}

// entryOf is which entry an event is.
func (c *randomCase) entryOf(e *reading.Event) int {
	if c.called {
		return c.lines[e.Line]
	}
	return e.Line - 1
}

func (c *randomCase) line(e entry) map[string]any {
	out := map[string]any{"name": c.m.Rules[e.rule].Label, "mover": e.mover}
	if e.kind != reading.PartRule {
		t := &c.m.Rules[e.rule]
		from := t.Params[t.Sender].Type.Role
		to, _ := c.m.RoleOf(e.mover)
		out["name"] = fmt.Sprintf("%s_%d_%d", e.kind, to, from)
	}
	if out["from"] = e.from; e.to >= 0 {
		out["to"] = e.to
	}
	for k, v := range e.values {
		out[k] = v
	}
	return out
}

// verdict is the checker's: the index of the first event that no run explains, or -1.
func (c *randomCase) verdict() (int, error) {
	text, r, err := c.read()
	if err != nil {
		return 0, err
	}
	out, err := Check(context.Background(), text, r, []Source{Bytes("log", []byte(c.logText()))}, c.how())
	if err != nil {
		return 0, err
	}
	if err := errors.Join(c.certain(out), c.broken(out)); err != nil {
		return 0, err
	}
	if u := out.Unexplained; u != nil {
		return c.entryOf(u.Event), nil
	}
	if out.Verdict == Unknown && out.Reason != "" && !strings.HasPrefix(out.Reason, "the run that was found violates") {
		return 0, errors.New(out.Reason)
	}
	return -1, nil
}

// read reads the reading: as a file, or as a part of the protocol's text in canonical form.
func (c *randomCase) read() (*ftdp.File, *reading.Reading, error) {
	if !c.block {
		r, err := reading.Parse("random.reading", c.reading())
		return c.m.Source, r, err
	}
	c.count["in the text"]++
	f, err := ftdp.Parse("random.ftdp", c.text+"\ntrace log\n"+c.reading()+"end\n")
	if err != nil {
		return nil, nil, err
	}
	canonical, err := ftdp.FormatWith(f, reading.Canonical(f))
	if err != nil {
		return nil, nil, err
	}
	if f, err = ftdp.Parse("random.ftdp", canonical); err != nil {
		return nil, nil, err
	}
	if again, err := ftdp.FormatWith(f, reading.Canonical(f)); err != nil || again != canonical {
		return nil, nil, fmt.Errorf("%w: the canonical form is not its own:\n%s", err, again)
	}
	r, err := reading.Block(f, "")
	return f, r, err
}

func (c *randomCase) how() How {
	how := How{Options: Options{All: true}}
	if c.unsound {
		how.Properties = []string{}
	}
	return how
}

// broken holds what is said of invariants along the run that was found against that run, in each of whose states they are
// evaluated.
func (c *randomCase) broken(out *Outcome) error {
	if c.unsound || out.Result == nil {
		return nil
	}
	said := map[string]int64{}
	for _, b := range out.Result.Broken {
		said[b.Property] = b.Step
	}
	run := &interp.Run{Model: out.Model, Loop: -1}
	if ok, err := run.Begin(out.Result.All[0]); err != nil || !ok {
		return fmt.Errorf("no beginning: %w", err)
	}
	x := &interp.Interpreter{Model: out.Model}
	s := run.States[0]
	is := map[string]int64{}
	for k, e := range out.Result.All {
		if k > 0 {
			var err error
			if s, _, err = x.Single(s, e); err != nil {
				return err
			}
		}
		for i := range out.Model.Props {
			p := &out.Model.Props[i]
			if _, before := is[p.Name]; p.Invariant == nil || before {
				continue
			}
			if holds, err := x.Holds(s, p.Invariant, p.Frame); err != nil || !holds {
				if is[p.Name] = int64(k); k > 0 {
					c.count["violated later"]++
				}
			}
		}
	}
	for i := range out.Model.Props {
		p := &out.Model.Props[i]
		at, violated := is[p.Name]
		if step, says := said[p.Name]; p.Invariant != nil && (violated != says || at != step) {
			return fmt.Errorf("%s is violated after step %d of the run (%v), and said to be after step %d (%v)", p.Name, at, violated, step, says)
		}
	}
	if out.Result.Given {
		return nil
	}
	if err := out.Result.Whole(out.Model).Check(); err != nil {
		return fmt.Errorf("the run that is saved: %w", err)
	}
	return nil
}

// certain holds what is said of invariants against an exhaustive search among the states in
// which they hold.
func (c *randomCase) certain(out *Outcome) error {
	if out.Unexplained != nil || c.unsound {
		return nil
	}
	for i := range c.m.Props {
		p := &c.m.Props[i]
		if p.Invariant == nil {
			continue
		}
		says := slices.Contains(out.Result.Certain, p.Name)
		is := c.truth(func(s *protocol.State) bool {
			holds, _ := c.x.Holds(s, p.Invariant, p.Frame)
			return holds
		}) >= 0
		if says != is {
			return fmt.Errorf("%s is violated in every run: %v, the checker says %v", p.Name, is, says)
		}
		if is {
			c.count["certainly violated"]++
		}
	}
	return nil
}

// check holds the checker against the truth, for the log and for a changed one.
func (c *randomCase) check() error {
	if c.ordered {
		c.count["ordered"]++
		c.interleave()
	}
	if at, err := c.verdict(); err != nil || at >= 0 {
		return fmt.Errorf("the log of a run is not explained: event %d, %w", at+1, cause(err))
	}
	for range 3 {
		saved := slices.Clone(c.log)
		if !c.change() {
			continue
		}
		truth := c.truth(func(*protocol.State) bool { return true })
		at, err := c.verdict()
		if err != nil {
			return err
		}
		if at != truth && !(c.ordered && at >= 0 && truth >= 0) {
			return fmt.Errorf("changed: the checker says %d, exhaustive search %d", at, truth)
		}
		if truth < 0 {
			c.count["changed, a run"]++
		} else {
			c.count["changed, no run"]++
			if err := c.shrinks(); err != nil {
				return err
			}
		}
		c.log = saved
	}
	return nil
}

// shrinks holds what is said to be enough for a log to be no run against an exhaustive search: no run explains it, and each
// of its events is needed.
func (c *randomCase) shrinks() error {
	text, r, err := c.read()
	if err != nil {
		return err
	}
	how := c.how()
	how.Shrink = true
	out, err := Check(context.Background(), text, r, []Source{Bytes("log", []byte(c.logText()))}, how)
	if err != nil {
		return err
	}
	log := c.log
	defer func() { c.log = log }()
	if c.log = slices.Clone(c.log); !c.ordered {
		c.log = c.log[:out.Unexplained.Event.Line]
	}
	for i := range c.log {
		c.log[i].loose = true
	}
	for _, e := range out.Core.Events {
		c.log[c.entryOf(e)].loose = false
	}
	c.count["left out"] += len(c.log) - len(out.Core.Events)
	every := func(*protocol.State) bool { return true }
	if c.truth(every) < 0 {
		return fmt.Errorf("some run explains what is said to be enough: %v", out.Core.Events)
	}
	for _, e := range out.Core.Events {
		c.log[c.entryOf(e)].loose = true
		if c.truth(every) >= 0 && out.Core.Open == 0 {
			return fmt.Errorf("line %d is not needed", e.Line)
		}
		c.log[c.entryOf(e)].loose = false
	}
	return nil
}

func cause(err error) error {
	if err == nil {
		return errors.New("no run")
	}
	return err
}

// interleave puts the events of different processes into another order.
func (c *randomCase) interleave() {
	if c.during {
		if c.count["intervals"]++; c.called {
			c.count["calls"]++
		}
		c.r.Shuffle(len(c.log), func(i, k int) { c.log[i], c.log[k] = c.log[k], c.log[i] })
		return
	}
	by := map[int][]entry{}
	var movers []int
	for _, e := range c.log {
		if by[e.mover] == nil {
			movers = append(movers, e.mover)
		}
		by[e.mover] = append(by[e.mover], e)
	}
	for i := range c.log {
		k := c.r.IntN(len(movers))
		for len(by[movers[k]]) == 0 {
			k = (k + 1) % len(movers)
		}
		c.log[i], by[movers[k]] = by[movers[k]][0], by[movers[k]][1:]
	}
}

// change changes one value.
func (c *randomCase) change() bool {
	e := &c.log[c.r.IntN(len(c.log))]
	if c.during && c.r.IntN(2) == 0 {
		by := c.r.IntN(120) - 60
		if e.from += by; e.to >= 0 {
			e.to = max(0, e.from, e.to+by)
		}
		return true
	}
	var names []string
	for name := range e.values {
		names = append(names, name)
	}
	if len(names) == 0 {
		return false
	}
	slices.Sort(names)
	name := names[c.r.IntN(len(names))]
	old := e.values[name]
	typ := c.typeOf(e, name)
	v := typ.Lo + int32(c.r.IntN(typ.Size()))
	next := c.json(typ, v)
	if next == old {
		return false
	}
	values := map[string]any{}
	for k, v := range e.values {
		values[k] = v
	}
	values[name] = next
	e.values = values
	return true
}

// typeOf returns the type of a value of an entry.
func (c *randomCase) typeOf(e *entry, name string) *protocol.Type {
	t := &c.m.Rules[e.rule]
	if f, ok := strings.CutPrefix(name, "msg_"); ok {
		return c.m.Message.Fields[slices.IndexFunc(c.m.Message.Fields, func(g protocol.TypeField) bool { return g.Name == f })].Type
	}
	if f, ok := strings.CutPrefix(name, "after_"); ok {
		fields := c.m.Roles[t.Params[t.Executor].Type.Role].State.Fields
		return fields[slices.IndexFunc(fields, func(g protocol.TypeField) bool { return g.Name == f })].Type
	}
	if e.kind != reading.PartRule {
		param := t.Sender
		if name == "i" {
			param = t.Executor
		}
		role := t.Params[param].Type.Role
		return &protocol.Type{Kind: protocol.KindRole, Lo: 1, Hi: int32(c.m.Roles[role].Size), Role: role, Cells: 1}
	}
	return t.Params[slices.IndexFunc(t.Params, func(p protocol.ParamInfo) bool { return p.Name == name })].Type
}

// shows reports whether an event of the interpreter is one that an entry may stand for.
func (c *randomCase) shows(e entry, n interp.Successor) bool {
	fate := map[string]interp.Fate{reading.PartRule: interp.Processed, reading.PartLost: interp.Lost, reading.PartStopped: interp.Stopped}[e.kind]
	if n.Event.Fate != fate || fate == interp.Processed && n.Event.Rule != e.rule {
		return false
	}
	if fate != interp.Processed { // of the same roles
		t, u := &c.m.Rules[e.rule], &c.m.Rules[n.Event.Rule]
		if t.Params[t.Executor].Type.Role != u.Params[u.Executor].Type.Role || t.Params[t.Sender].Type.Role != u.Params[u.Sender].Type.Role {
			return false
		}
	}
	if e.loose {
		return true
	}
	would := c.logged(n.Event, n.State)
	for name, v := range e.values {
		if would.values[name] != v {
			return false
		}
	}
	return true
}

// unseen reports whether an event may happen without being logged.
func (c *randomCase) unseen(e interp.Event) bool {
	switch e.Fate {
	case interp.Processed:
		return c.silent[e.Rule]
	case interp.Lost, interp.Stopped:
		return c.hidden
	}
	return false
}

// truth visits all states that explain the events so far, of some, for the names that the log was
// written with: processes are interchangeable. It returns the first event that no run
// explains, or -1.
func (c *randomCase) truth(only func(*protocol.State) bool) int {
	type place struct {
		s  *protocol.State
		at []int
	}
	threads := [][]entry{c.log}
	if c.ordered {
		threads = make([][]entry, c.m.Processes())
		for _, e := range c.log {
			threads[e.mover] = append(threads[e.mover], e)
		}
	}
	if c.during {
		threads = nil
		for _, e := range c.log {
			threads = append(threads, []entry{e})
		}
	}
	first := func(at []int, k int) bool { // no other event was over before it began
		for i, e := range threads {
			if c.during && i != k && at[i] == 0 && e[0].to >= 0 && e[0].to < threads[k][0].from {
				return false
			}
		}
		return true
	}
	seen := map[string]bool{}
	var queue []place
	most := 0
	add := func(s *protocol.State, at []int) {
		if !only(s) {
			return
		}
		key := s.Key() + fmt.Sprint(at)
		if !seen[key] {
			seen[key] = true
			queue = append(queue, place{s, at})
		}
		done := 0
		for _, k := range at {
			done += k
		}
		most = max(most, done)
	}
	list, _ := c.x.Initial()
	for _, n := range list {
		add(n.State, make([]int, len(threads)))
	}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		next, _ := c.x.Successors(p.s)
		for k, events := range threads { // it may not have happened
			if p.at[k] < len(events) && first(p.at, k) && (events[p.at[k]].loose || c.during && events[0].to < 0) {
				at := slices.Clone(p.at)
				at[k]++
				add(p.s, at)
			}
		}
		for _, n := range next {
			if n.Event.Fate == interp.Idle {
				continue
			}
			if c.unseen(n.Event) {
				add(n.State, p.at)
			}
			for k, events := range threads {
				if p.at[k] < len(events) && first(p.at, k) && c.shows(events[p.at[k]], n) {
					at := slices.Clone(p.at)
					at[k]++
					add(n.State, at)
				}
			}
		}
	}
	if most == len(c.log) {
		return -1
	}
	return most
}
