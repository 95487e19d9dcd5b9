package traces

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// event is a line of a log that is neither passed over nor ignored.
type event struct {
	file, line int // of several logs, from 0; lines from 1
	data       any
	whens      []when
	lane       int
	number     int            // of the events of its lane: how many there were then, by its clock
	seen       map[string]int // the clock
	during     interval
	ids        map[int]int // what id(...) is, by place in the reading
}

// history is the events of some logs, and what is known of their order: each lane is in order.
type history struct {
	lanes  [][]*event
	names  []string // of lanes, where there are vector clocks
	single bool     // one common clock
}

var errJSON = errors.New("a line is no JSON")

var errMissing = errors.New("there is no such value")

// history reads logs: the lines of each.
func (r *Reading) history(logs [][]string) (*history, error) {
	h := &history{}
	lanes := map[string]int{}
	count := map[string]int{}
	ids := map[string]map[string]int{}
	for file, lines := range logs {
		for n, line := range lines {
			var whole map[string]any
			var err error
			if !json.Valid([]byte(line)) {
				return nil, errJSON
			}
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			if err := d.Decode(&whole); err != nil {
				return nil, err
			}
			data := any(whole)
			if r.Events.names != nil {
				if data, err = r.Events.of(whole); err != nil {
					continue
				}
			}
			e := &event{file: file, line: n + 1, data: data, ids: map[int]int{}}
			name := "0"
			if r.ClockBy.names != nil {
				v, err := r.ClockBy.of(data)
				if err != nil {
					return nil, err
				}
				name = written(v)
			} else if r.From != nil { // each event is alone: nothing but intervals says what is before what
				name = fmt.Sprint(file, ":", n)
			} else if len(logs) > 1 {
				name = strconv.Itoa(file)
			}
			if _, known := lanes[name]; !known {
				lanes[name] = len(h.lanes)
				h.lanes = append(h.lanes, nil)
				h.names = append(h.names, name)
			}
			e.lane = lanes[name]
			count[name]++
			e.number = count[name]
			if err := r.clock(e, name); err != nil {
				return nil, err
			}
			if slices.ContainsFunc(r.Ignores, func(c condition) bool { return c.holds(data) }) {
				continue
			}
			for _, w := range r.Whens {
				if w.condition.holds(data) {
					e.whens = append(e.whens, w)
				}
			}
			if e.whens == nil {
				if r.IgnoreOthers {
					continue
				}
				return nil, fmt.Errorf("line %d: the reading says nothing of this event", n+1)
			}
			if err := e.identify(ids); err != nil {
				return nil, err
			}
			if r.From != nil {
				if e.during, err = r.during(data); err != nil {
					return nil, err
				}
			}
			h.lanes[e.lane] = append(h.lanes[e.lane], e)
		}
	}
	h.single = len(h.lanes) <= 1 && r.From == nil
	if err := h.somebody(); err != nil {
		return nil, err
	}
	return h, h.contradiction()
}

// somebody checks that the vector clocks count events of processes that the log has: their events, or their names as values.
func (h *history) somebody() error {
	known := map[string]bool{}
	for _, name := range h.names {
		known[name] = true
	}
	for _, list := range h.lanes {
		for _, e := range list {
			err := e.values(func(v *value) error {
				if x, err := v.path.of(e.data); err == nil && v.path.names != nil {
					known[written(x)] = true
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	for _, list := range h.lanes {
		for _, e := range list {
			for name, n := range e.seen {
				if n > 0 && !known[name] {
					return fmt.Errorf("line %d: the vector clock counts events of %s, which is nobody", e.line, name)
				}
			}
		}
	}
	return nil
}

var errClocks = errors.New("the clocks contradict each other")

// contradiction tells whether there is no order of events at all that the clocks allow.
func (h *history) contradiction() error {
	done := make([]int, len(h.lanes))
	for {
		moved, left := false, false
		for lane, events := range h.lanes {
			if done[lane] == len(events) {
				continue
			}
			if left = true; h.ready(events[done[lane]], done) {
				done[lane]++
				moved = true
			}
		}
		if !moved && left {
			return errClocks
		}
		if !left {
			return nil
		}
	}
}

// clock reads the vector clock of an event.
func (r *Reading) clock(e *event, name string) error {
	if r.Vector.names == nil {
		return nil
	}
	v, err := r.Vector.of(e.data)
	if err != nil {
		return err
	}
	e.seen = map[string]int{}
	for q, n := range v.(map[string]any) {
		e.seen[q] = atoi(written(n))
	}
	if own, ok := e.seen[name]; ok {
		e.number = own
	}
	return nil
}

// ready tells whether an event can be next where some events of each lane have been.
func (h *history) ready(e *event, done []int) bool {
	for lane, name := range h.names {
		for _, f := range h.lanes[lane][done[lane]:] {
			if f.before(e) && mistake != mistakeBefore {
				return false
			}
			if lane == e.lane {
				continue
			}
			if n, ok := e.seen[name]; ok && f.number <= n {
				return false
			}
		}
	}
	return true
}

// identify gives numbers from 1 to the values in id(...), as they appear.
func (e *event) identify(ids map[string]map[string]int) error {
	return e.values(func(v *value) error {
		if v.kind != "id" {
			return nil
		}
		x, err := v.path.of(e.data)
		if errors.Is(err, errMissing) && v.path.optional {
			return nil
		}
		if err != nil {
			return err
		}
		if ids[v.text] == nil {
			ids[v.text] = map[string]int{}
		}
		key := fmt.Sprintf("%T %v", x, x)
		if n, ok := x.(json.Number); ok { // 1 and 1.0 are the same
			f, err := n.Float64()
			if err != nil {
				return err
			}
			key = fmt.Sprint(f)
		}
		if ids[v.text][key] == 0 {
			ids[v.text][key] = len(ids[v.text]) + 1
		}
		e.ids[v.place] = ids[v.text][key]
		return nil
	})
}

// values calls f with all values of an event that its parts speak of, in the order of the reading.
func (e *event) values(f func(*value) error) error {
	for _, w := range e.whens {
		for _, p := range w.parts {
			for _, a := range p.args {
				if a.value != nil {
					if err := f(a.value); err != nil {
						return err
					}
				}
			}
			for _, c := range slices.Concat(p.before, p.after) {
				if c.value != nil {
					if err := f(c.value); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// of finds the value that a path leads to.
func (p path) of(data any) (any, error) {
	for _, n := range p.names {
		switch d := data.(type) {
		case map[string]any:
			v, ok := d[n]
			if !ok {
				return nil, errMissing
			}
			data = v
		case []any:
			i, err := strconv.Atoi(n)
			if err != nil || i < 0 || i >= len(d) {
				return nil, errMissing
			}
			data = d[i]
		default:
			return nil, errMissing
		}
	}
	return data, nil
}

// written is a value as it is written, texts without quotes.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return v
	case json.Number: // 1.0 and 10e-1 are 1
		if x, ok := new(big.Rat).SetString(v.String()); ok && x.IsInt() {
			return x.Num().String()
		}
		return v.String()
	}
	return fmt.Sprint(v)
}

// holds tells whether a condition is true of a line.
func (c condition) holds(data any) bool {
	switch c.op {
	case "and":
		return !slices.ContainsFunc(c.args, func(a condition) bool { return !a.holds(data) })
	case "or":
		return slices.ContainsFunc(c.args, func(a condition) bool { return a.holds(data) })
	}
	v, err := c.path.of(data)
	switch c.op {
	case "has":
		return err == nil
	case "not has":
		return err != nil
	}
	if err != nil { // not said: the generator asks for what is there
		return false
	}
	return slices.Contains(c.text, written(v)) != (c.op == "!=")
}
