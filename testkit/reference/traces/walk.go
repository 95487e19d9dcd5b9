package traces

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/testkit/reference/protocol"
)

// walker walks through a protocol and writes down what a reading says that a program shows.
type walker struct {
	*generator
	*search
	state  *protocol.State
	events []map[string]any
	clocks map[string]map[string]int
	fresh  []unshown
}

// shownPart is what happens in a part of an event: the state before it and after it, and what can be asked of it.
type shownPart struct {
	before, after protocol.View
}

// walk takes some steps from an initial state.
func (w *walker) walk() bool {
	starts, failures := w.Model.Initial()
	if len(failures) > 0 {
		return false
	}
	w.state = pick(w.generator, starts...).Next
	w.clocks = map[string]map[string]int{}
	length, most := 2+w.IntN(9), 30
	if w.narrow {
		length = 4 + w.IntN(6)
	}
	for range most {
		if len(w.events) >= length {
			break
		}
		w.looks()
		w.useless()
		steps := w.search.from(w.state)
		if len(steps) == 0 {
			break
		}
		step := pick(w.generator, steps...)
		if step.Fate != "processed" && w.chance(50) {
			step = pick(w.generator, steps...)
		}
		w.step(step)
	}
	return true
}

// step takes a step, if the reading says how the log shows it, or that it may happen unseen.
func (w *walker) step(step protocol.Step) {
	v := w.view(step)
	before, after := v, v
	before.State, after.State = w.state, step.Next
	after.Sent = step.Sent
	mover := step.Mover
	if step.Fate != "processed" {
		kind := map[string]string{"lost": "lost", "crashed": "stopped"}[step.Fate]
		at := slices.IndexFunc(step.Received, func(r protocol.Receipt) bool { return r.Gone })
		shown := w.message(step.Mover, step.Received[at].From, step.Received[at].Message)
		if w.hidden(step) && w.chance(60) || w.emit(kind, nil, mover, shown) {
			w.state = step.Next
		}
		return
	}
	r := w.rules[slices.IndexFunc(w.rules, func(r *ruleText) bool { return r.label == step.Rule.Label })]
	shown := shownPart{before, after}
	switch {
	case w.hidden(step) && (!r.logged || w.chance(50)):
	case r.received:
		seen := w.message(mover, step.Received[0].From, step.Received[0].Message)
		seen.after.State = step.Next
		if !w.emit("received", nil, mover, seen) {
			return
		}
	case w.chance(30) && w.joins(r, step, shown):
		return
	case !w.emit("rule", r, mover, shown):
		return
	}
	w.takes(step)
	w.tells(mover)
}

// takes goes where a step leads.
func (w *walker) takes(step protocol.Step) {
	w.state = step.Next
	w.fresh = w.search.after(&place{fresh: w.fresh, state: w.state}, step).fresh
}

// joins writes down a step with what follows it, if some event shows both.
func (w *walker) joins(r *ruleText, step protocol.Step, first shownPart) bool {
	for _, x := range w.whens {
		if len(x.parts) == 1 || x.parts[0].rule != r {
			continue
		}
		second := x.parts[1]
		if second.kind == "see" {
			v := protocol.View{State: step.Next, Names: map[string]protocol.Value{"i": {Type: step.Mover.Role.Type, Cells: []int{step.Mover.Number}}}}
			if w.write(x, step.Mover, first, shownPart{v, v}) {
				w.takes(step)
				return true
			}
			continue
		}
		for _, next := range w.search.from(step.Next) {
			if next.Rule.Label != second.rule.label || next.Fate != "processed" || next.Mover != step.Mover {
				continue
			}
			v := w.view(next)
			before, after := v, v
			before.State, after.State = step.Next, next.Next
			after.Sent = next.Sent
			if w.write(x, step.Mover, first, shownPart{before, after}) {
				w.takes(step)
				w.takes(next)
				return true
			}
		}
	}
	return false
}

// message is what can be asked of a message.
func (w *walker) message(to, from protocol.Process, m protocol.Message) shownPart {
	v := protocol.View{
		State: w.state, From: from, Received: []protocol.Receipt{{From: from, Message: m}},
		Names: map[string]protocol.Value{
			"i": {Type: to.Role.Type, Cells: []int{to.Number}}, "j": {Type: from.Role.Type, Cells: []int{from.Number}},
		},
	}
	return shownPart{v, v}
}

// looks writes down now and then what a state is like.
func (w *walker) looks() {
	for _, x := range w.whens {
		if len(x.parts) > 1 || x.parts[0].kind != "see" || !w.chance(25) {
			continue
		}
		role := w.role(x.parts[0].to)
		p := protocol.Process{Role: role, Number: 1 + w.IntN(role.Size)}
		if x.parts[0].from == nil {
			v := protocol.View{State: w.state, Names: map[string]protocol.Value{"i": {Type: role.Type, Cells: []int{p.Number}}}}
			w.write(x, p, shownPart{v, v})
			continue
		}
		for k := 1; k <= w.role(x.parts[0].from).Size; k++ {
			from := protocol.Process{Role: w.role(x.parts[0].from), Number: k}
			if list := w.state.Sent[p.ID()][from.ID()]; len(list) > 0 {
				w.write(x, p, w.message(p, from, pick(w.generator, list...)))
				break
			}
		}
	}
}

// useless writes down now and then the receipt of a message that no rule wants.
func (w *walker) useless() {
	for _, x := range w.whens {
		if x.parts[0].kind != "received" || !w.chance(15) {
			continue
		}
		to, from := w.role(x.parts[0].to), w.role(x.parts[0].from)
		p, q := protocol.Process{Role: to, Number: 1 + w.IntN(to.Size)}, protocol.Process{Role: from, Number: 1 + w.IntN(from.Size)}
		list := w.state.Sent[p.ID()][q.ID()]
		if len(list) == 0 || slices.ContainsFunc(w.search.from(w.state), func(s protocol.Step) bool { return s.Mover == p }) {
			continue
		}
		w.note("messages of no use")
		w.write(x, p, w.message(p, q, list[0]))
	}
}

// tells writes down some of what a process has just sent.
func (w *walker) tells(p protocol.Process) {
	for _, x := range w.whens {
		for i := 0; x.parts[0].kind == "sent" && i < len(w.fresh); i++ {
			u := w.fresh[i]
			to := w.process(u.to)
			if u.from != p.ID() || to.Role != w.role(x.parts[0].to) || p.Role != w.role(x.parts[0].from) || !w.chance(70) {
				continue
			}
			if w.write(x, p, w.message(to, p, u.cells)) {
				w.fresh = slices.Delete(slices.Clone(w.fresh), i, i+1)
				i--
			}
		}
	}
}

func (w *walker) role(r *roleText) *protocol.Role { return w.Model.RoleOf(r.typ) }

// process finds a process by its number among all.
func (w *walker) process(id int) protocol.Process {
	for _, r := range w.Model.Roles {
		if id < r.First+r.Size {
			return protocol.Process{Role: r, Number: id - r.First + 1}
		}
	}
	panic("no such process")
}

// emit writes down an event of one part, if there is one that shows it.
func (w *walker) emit(kind string, r *ruleText, at protocol.Process, shown shownPart) bool {
	var fit []*whenText
	for _, x := range w.whens {
		p := x.parts[0]
		if len(x.parts) == 1 && p.kind == kind && p.rule == r && (kind == "rule" || w.role(p.to) == at.Role && w.role(p.from) == shown.before.From.Role) {
			fit = append(fit, x)
		}
	}
	w.Shuffle(len(fit), func(a, b int) { fit[a], fit[b] = fit[b], fit[a] })
	return slices.ContainsFunc(fit, func(x *whenText) bool { return w.write(x, at, shown) })
}

// write writes down an event. It says no if a condition of the event does not hold.
func (w *walker) write(x *whenText, at protocol.Process, shown ...shownPart) bool {
	e := map[string]any{"e": x.name, "k": x.kind}
	e["at"] = w.named(w.text(at.Role), at.Number)
	for i, p := range x.parts {
		for _, f := range p.args {
			if !w.put(e, f, shown[i].before) {
				return false
			}
		}
		for _, f := range p.before {
			if !w.put(e, f, shown[i].before) {
				return false
			}
		}
		for _, f := range p.after {
			if !w.put(e, f, shown[i].after) {
				return false
			}
		}
	}
	for _, other := range w.whens { // what else an event of this name may be has to have its values, too
		if other.name != x.name {
			continue
		}
		for _, f := range other.fields() {
			if _, has := e[f.path]; !has && f.path != "" && !(f.optional && w.chance(50)) {
				e[f.path] = w.likely(f, shown[len(shown)-1].after)
			}
		}
	}
	w.append(e, fmt.Sprint(w.text(at.Role).name, at.Number))
	return true
}

// fields lists all values of an event.
func (x *whenText) fields() []*fieldText {
	var list []*fieldText
	for _, p := range x.parts {
		list = append(list, slices.Concat(p.args, p.before, p.after)...)
	}
	return list
}

// append adds an event of a process, with its clock.
func (w *walker) append(e map[string]any, name string) {
	e["c"] = name
	if w.clock == "vector clocks" {
		own := w.clocks[name]
		if own == nil {
			own = map[string]int{}
			w.clocks[name] = own
		}
		for _, q := range slices.Sorted(maps.Keys(w.clocks)) {
			if q != name && w.chance(40) {
				for p, n := range w.clocks[q] {
					own[p] = max(own[p], n)
				}
			}
		}
		own[name]++
		if w.own && w.chance(20) {
			own[name]++ // events that are not in the log
		}
		clock := maps.Clone(own)
		if !w.own {
			delete(clock, name)
		}
		for q := range clock {
			if q != name && clock[q] == 0 {
				delete(clock, q)
			}
		}
		if w.too(4) {
			w.note("a clock counts nobody")
			clock["nobody"] = w.also.IntN(3)
		}
		e["vc"] = clock
	}
	w.events = append(w.events, e)
	if w.ignores && w.chance(15) {
		w.append(map[string]any{"e": "tick"}, name)
	}
}

// put writes a value into an event, or looks whether a condition holds.
func (w *walker) put(e map[string]any, f *fieldText, v protocol.View) bool {
	if f.path == "" && f.is == "" && f.typ != "" {
		return true
	}
	expr, err := protocol.ParseExpr(f.expr)
	if err != nil {
		panic(err)
	}
	x := w.ask(v, expr)
	if f.is != "" {
		is, err := protocol.ParseExpr(f.is)
		if err != nil {
			panic(err)
		}
		return x.Cells[0] == w.ask(v, is).Cells[0]
	}
	if f.path == "" {
		return x.Cells[0] == 1
	}
	if f.optional && w.chance(40) {
		return true
	}
	if f.path == "at" && f.typ != "" && e["at"] != w.value(f, x.Cells[0]) {
		return false
	}
	e[f.path] = w.value(f, x.Cells[0])
	if n, is := e[f.path].(int); is && f.typ == "number" && w.too(12) {
		w.note("numbers written in another way")
		e[f.path] = json.Number([]string{fmt.Sprintf("%d.0", n), fmt.Sprintf("%d.0e+0", n), fmt.Sprintf("%d.00E0", n)}[w.also.IntN(3)])
	}
	return true
}

// value writes a value as the log does.
func (w *walker) value(f *fieldText, n int) any {
	if f.typ == "number" {
		if n -= f.plus; f.list {
			return make([]int, max(n, 0))
		}
		if f.id != "" { // a text "1" and the number 1 are different
			return []any{"1", 1, "x", json.Number("1.0")}[min(max(n, 0), 3)]
		}
		return n
	}
	for _, r := range w.roles {
		if r.typ == f.typ {
			return w.named(r, n)
		}
	}
	if n == protocol.Undefined {
		return nil
	}
	switch f.typ {
	case "bool":
		if w.texts {
			return []string{"no", "yes"}[n]
		}
		return n == 1
	case "kind":
		if w.texts && n == 0 {
			return pick(w.generator, "MsgA", "a")
		}
		return w.kinds[n]
	}
	return n
}

// named is what the log calls a process.
func (w *walker) named(r *roleText, n int) any {
	if n == protocol.Undefined {
		if len(r.names) > r.size && w.chance(70) {
			return r.names[r.size]
		}
		return nil
	}
	return r.names[n-1]
}

// text finds what was written of a role.
func (w *walker) text(role *protocol.Role) *roleText {
	return w.roles[slices.IndexFunc(w.roles, func(r *roleText) bool { return r.typ == role.TypeName })]
}

// likely is a value that may stand in a place of an event: often that which the state has.
func (w *walker) likely(f *fieldText, v protocol.View) any {
	expr, err := protocol.ParseExpr(f.expr)
	if err != nil {
		panic(err)
	}
	if x, err := w.Model.Ask(v, expr); err == nil && w.chance(70) &&
		(x.Type.Kind != protocol.RoleType || x.Type.Role.TypeName == f.typ) && (x.Cells[0] != protocol.Undefined || f.typ != "number") {
		return w.value(f, x.Cells[0])
	}
	return w.random(f)
}

// random is some value that may stand in a place of an event.
func (w *walker) random(f *fieldText) any {
	switch f.typ {
	case "number":
		return w.value(f, w.IntN(3))
	case "message":
		return pick[any](w.generator, 0, 1, 1, nil)
	case "bool":
		return w.value(f, w.IntN(2))
	case "kind":
		return w.value(f, w.IntN(len(w.kinds)))
	}
	for _, r := range w.roles {
		if r.typ == f.typ {
			return r.names[w.IntN(len(r.names))]
		}
	}
	panic("values of " + f.typ)
}

// logs writes events to files: all to one, or those of each process to one of their own.
func (w *walker) logs() [][]string {
	files := map[string][]string{}
	var order []string
	for _, e := range w.events {
		name := ""
		if w.clock == "several files" {
			name = e["c"].(string)
		} else if w.clock != "one clock" && w.features["two files"] {
			name = []string{"", "x"}[int(e["c"].(string)[len(e["c"].(string))-1])%2]
		}
		line := any(e)
		if w.generator.events {
			line = map[string]any{"ts": len(order), "d": e}
		}
		text, err := json.Marshal(line)
		if err != nil {
			panic(err)
		}
		if files[name] == nil {
			order = append(order, name)
		}
		files[name] = append(files[name], string(text))
		if w.generator.events && w.chance(20) {
			files[name] = append(files[name], `{"ts": 1, "x": {}}`)
		}
	}
	var logs [][]string
	for _, name := range order {
		logs = append(logs, files[name])
	}
	return logs
}

// mutate changes events in the ways in which programs go wrong.
func (w *walker) mutate() {
	for range 1 + w.IntN(2) {
		if len(w.events) == 0 {
			return
		}
		at := w.IntN(len(w.events))
		switch w.IntN(5) {
		case 0:
			w.note("an event is missing")
			w.events = slices.Delete(w.events, at, at+1)
		case 1:
			w.note("events are swapped")
			if other := w.IntN(len(w.events)); w.clock != "vector clocks" {
				w.events[at], w.events[other] = w.events[other], w.events[at]
			}
		case 2:
			w.note("an event is there twice")
			if w.clock != "vector clocks" {
				w.events = slices.Insert(w.events, at, w.events[w.IntN(len(w.events))])
			}
		default:
			w.note("a value is changed")
			w.change(at)
		}
	}
}

// damage puts a sign into a line, or takes one away, so that it is no JSON.
func (w *walker) damage(logs [][]string) {
	for {
		lines := logs[w.IntN(len(logs))]
		n := w.IntN(len(lines))
		at := w.IntN(len(lines[n]) + 1)
		line := lines[n][:at] + pick(w.generator, "{", "}", "]", ",", `"`, "x", "0", "") + lines[n][min(at+w.IntN(2), len(lines[n])):]
		if !json.Valid([]byte(line)) && strings.TrimSpace(line) != "" {
			lines[n] = line
			return
		}
	}
}

// change changes a value of an event.
func (w *walker) change(at int) {
	e := maps.Clone(w.events[at])
	w.events[at] = e
	var fields []*fieldText
	for _, x := range w.whens {
		if x.name == e["e"] {
			fields = append(fields, x.fields()...)
		}
	}
	fields = slices.DeleteFunc(fields, func(f *fieldText) bool { return e[f.path] == nil })
	if len(fields) > 0 {
		f := pick(w.generator, fields...)
		e[f.path] = w.random(f)
	}
}

// Generate writes a case. It says nil where too many protocols have an error, or do nothing.
func Generate(seed uint64) (c *Case, err error) {
	for try := range uint64(6) {
		if c, err = generate(seed, try); c != nil || err != nil {
			break
		}
	}
	return c, err
}

func generate(seed, try uint64) (c *Case, err error) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, try)), features: map[string]bool{}}
	if seed%7 == 3 {
		g.also = rand.New(rand.NewPCG(seed, 1000+try))
	}
	c = &Case{Seed: seed, Features: g.features}
	c.Protocol = g.protocol()
	c.Reading = g.reading()
	c.Inside = g.inside
	q, err := c.Question()
	if err != nil {
		return nil, err
	}
	w := &walker{generator: g, search: &search{
		Question: q, steps: map[string][]protocol.Step{}, wanted: map[string][]protocol.Step{}, sends: g.sent, answer: &Answer{},
	}}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(skip); !ok {
				panic(r)
			}
			c, err = nil, nil
		}
	}()
	if g.clock != "one clock" && g.clock != "several files" && g.chance(30) {
		g.note("two files")
	}
	if !w.walk() || len(w.events) == 0 {
		return nil, nil
	}
	if c.Mutated = g.chance(60); c.Mutated {
		w.mutate()
	}
	c.Logs = w.logs()
	if len(c.Logs) == 0 {
		return nil, nil
	}
	if g.chance(4) {
		g.note("a line is damaged")
		w.damage(c.Logs)
	}
	return c, nil
}

// Question reads a case.
func (c *Case) Question() (*Question, error) {
	text, err := protocol.Parse(c.Protocol)
	if err != nil {
		return nil, err
	}
	model, err := protocol.Load(text, nil)
	if err != nil {
		return nil, err
	}
	reading, err := ParseReading(c.Reading)
	if err != nil {
		return nil, err
	}
	return &Question{Model: model, Reading: reading, Logs: c.Logs, Limit: 1200}, nil
}
